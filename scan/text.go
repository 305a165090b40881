package scan

// Insertion is a text that is put into another one.
type Insertion struct {
	At   int
	Text string
}

// Bounds are where a nest's text begins and ends.
func (n *Nest) Bounds() (start, end int) { return n.loop.Start, n.loop.End }

// Pragmas are what makes a region of a nest, in the order of their places.
func (f *File) Pragmas(n *Nest) []Insertion { return f.pragmas([]group{{n}}) }

// AllPragmas are those of all nests that can be modelled: around several at once that come one after
// the other, where they can be modelled together.
func (f *File) AllPragmas() ([]Insertion, error) {
	groups, err := f.together(f.neighbours())
	return f.pragmas(groups), err
}
