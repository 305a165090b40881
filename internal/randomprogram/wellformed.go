package randomprogram

import "slices"

// wellFormed says whether C accepts the program: it has a statement, names
// are used in their scope, and integers are made of integers.
func (p *Program) wellFormed() bool {
	c := &scopes{program: p, iterators: []string{"N", "M"}, good: true}
	c.nodes(p.Body)
	return c.good && c.statements > 0
}

// scopes checks names and types on the way through a program.
type scopes struct {
	program   *Program
	iterators []string
	locals    []Array
	// copies are the variables that may be set, and loops is the number of loops around.
	copies     []string
	loops      int
	statements int
	good       bool
}

func (c *scopes) set(s *Set) {
	c.good = c.good && slices.Contains(c.copies, s.Name) && slices.Contains(c.iterators, s.Name)
	c.check(func(e *editor) { e.integer(&s.Value) })
}

func (c *scopes) nodes(nodes []Node) {
	locals, iterators := len(c.locals), len(c.iterators)
	for i := range nodes {
		c.node(&nodes[i])
	}
	c.locals, c.iterators = c.locals[:locals], c.iterators[:iterators]
}

func (c *scopes) node(n *Node) {
	switch {
	case n.Loop != nil:
		c.check(func(e *editor) { e.integer(&n.Loop.Start) })
		c.good = c.good && !slices.Contains(c.iterators, n.Loop.Iterator)
		outer := len(c.iterators)
		c.iterators = append(c.iterators, n.Loop.Iterator)
		c.check(func(e *editor) {
			for k := range n.Loop.Tests {
				e.condition(&n.Loop.Tests[k])
			}
		})
		c.loops++
		c.nodes(n.Loop.Body)
		c.loops--
		for k := range n.Loop.Also {
			c.set(&n.Loop.Also[k])
		}
		c.iterators = c.iterators[:outer]
	case n.If != nil:
		c.check(func(e *editor) { e.condition(&n.If.Condition) })
		c.nodes(n.If.Then)
		c.nodes(n.If.Else)
	case n.Assignment != nil:
		c.statements++
		c.assignment(n.Assignment)
	case n.Guarded != nil:
		c.statements++
		c.good = c.good && len(n.Guarded.Then) > 0
		c.check(func(e *editor) { e.element(&n.Guarded.Element) })
		for _, branch := range [][]Assignment{n.Guarded.Then, n.Guarded.Else} {
			for k := range branch {
				c.good = c.good && branch[k].Declare == ""
				c.assignment(&branch[k])
			}
		}
	case n.Copy != nil:
		c.check(func(e *editor) { e.integer(&n.Copy.Value) })
		c.iterators = append(c.iterators, n.Copy.Name)
		c.copies = append(c.copies, n.Copy.Name)
	case n.Set != nil:
		c.set(n.Set)
	case n.Exit != nil:
		c.good = c.good && c.loops > 0
	}
	c.nodes(n.Block)
}

func (c *scopes) assignment(a *Assignment) {
	if a.Declare != "" {
		c.locals = append(c.locals, Array{Name: a.Target.Array, Type: a.Declare})
	}
	c.check(func(e *editor) { e.assignment(a) })
	if c.typeOf(a.Target.Array) != "int" {
		return
	}
	c.good = c.good && (a.Declare == "" || slices.ContainsFunc(a.Values, func(v Value) bool { return v.Element != nil }))
	for _, v := range a.Values {
		for _, r := range []*Reference{v.Element, v.Otherwise} {
			c.good = c.good && (r == nil || c.typeOf(r.Array) == "int")
		}
		c.good = c.good && v.Function == ""
	}
}

// check looks at all names of an expression.
func (c *scopes) check(walk func(*editor)) {
	e := &editor{target: -1}
	e.reference = func(r *Reference) { c.good = c.good && c.typeOf(r.Array) != "" }
	e.sum = func(n *Integer) {
		for _, t := range n.Terms {
			known := t.Variable == "" || slices.Contains(c.iterators, t.Variable)
			c.good = c.good && known && (t.Masked == nil || c.typeOf(t.Masked.Array) == "int")
		}
	}
	walk(e)
}

// typeOf is the type of an array or a variable in scope, or "".
func (c *scopes) typeOf(name string) string {
	if a := c.program.Array(name); a != nil {
		return a.Type
	}
	for _, a := range c.locals {
		if a.Name == name {
			return a.Type
		}
	}
	return ""
}
