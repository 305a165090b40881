package isl

// remembered is the answer to a question, which is made of the first so many objects of the arena.
type remembered struct {
	question, answer any
	objects          int
}

// Remember keeps the answer to a question, a value that can be compared, until one of the objects
// of now is released: the answer may be made of them.
func (c *Context) Remember(question, answer any) {
	c.remembered = append(c.remembered, remembered{question, answer, len(c.arena)})
}

// Remembered is the latest answer to a question, nil where none is kept.
func (c *Context) Remembered(question any) any {
	for k := len(c.remembered) - 1; k >= 0; k-- {
		if c.remembered[k].question == question {
			return c.remembered[k].answer
		}
	}
	return nil
}

// forget drops the answers that are made of released objects.
func (c *Context) forget() {
	n := len(c.remembered)
	for n > 0 && c.remembered[n-1].objects > len(c.arena) {
		n--
	}
	clear(c.remembered[n:])
	c.remembered = c.remembered[:n]
}
