package scop

import (
	"fmt"
	"slices"
)

// Computed is an array that has, in each iteration of a loop, what is computed there for this
// iteration alone. In the model its elements have the values of the loops around in front of their
// subscripts, so that each iteration has others; in the code it is as large as one iteration needs.
type Computed struct {
	// Array is its name, Statement the index of the statement that computes it, Of the array of the
	// source whose values it has.
	Array     string
	Statement int
	Of        string
	// Loops is how many loops are around. The statement has an iterator for each of them, behind its
	// own.
	Loops int
	// Origins are, for each subscript, the one of the first element, by the values of the loops
	// around, and Extents the numbers of elements as piecewise affine expressions over the parameters
	// in isl's notation.
	Origins []Row
	Extents []string
}

// OriginName is the variable of the generated code that has the subscript of the array's first
// element in a dimension.
func (c *Computed) OriginName(dimension int) string { return fmt.Sprintf("%s_%d", c.Array, dimension) }

// HasOrigin says whether the first element has another subscript than 0.
func (c *Computed) HasOrigin(dimension int) bool {
	o := c.Origins[dimension]
	return o.Constant != 0 || slices.ContainsFunc(slices.Concat(o.Iterators, o.Parameters), func(c int64) bool { return c != 0 })
}

// ComputedNamed is the one of these arrays with that name, nil for none.
func (p *Program) ComputedNamed(array string) *Computed {
	for k := range p.Computed {
		if p.Computed[k].Array == array {
			return &p.Computed[k]
		}
	}
	return nil
}

// MayCompute says why a statement cannot be computed again elsewhere; nil where it can.
func (p *Program) MayCompute(statement int) error { return p.MayInline(statement) }

// Elsewhere is a statement in which some accesses, which are to the array whose values a computed one
// has, are to elements of that one. They still stand as they were among the accesses.
func (p *Program) Elsewhere(statement int, c *Computed, accesses []int) (Statement, error) {
	s := p.Statements[statement]
	array := p.Array(c.Of)
	references, err := p.references(&s, array)
	if err != nil {
		return s, err
	}
	s.Value = change(s.Value, func(at Place) Place { return at }, func(r *Ref) Expr {
		if !slices.ContainsFunc(references, func(other reference) bool { return other.ref == r && slices.Contains(accesses, other.access) }) {
			return nil
		}
		own := &Ref{Name: c.Array, Loop: -1, Selected: r.Selected}
		for d, subscript := range r.Subscripts {
			if c.HasOrigin(d) {
				subscript = &Binary{Operator: "-", X: subscript, Y: &Ref{Name: c.OriginName(d), Loop: -1}}
			}
			own.Subscripts = append(own.Subscripts, subscript)
		}
		return own
	})
	s.Reduction = nil
	p.rewrite(&s)
	return s, nil
}

// AddComputed adds a computed array to the program, with its extents for people.
func (p *Program) AddComputed(c Computed, spelled []string, users []int) {
	array := *p.Array(c.Of)
	array.Name, array.Variable, array.Path, array.Linear, array.LinearAt, array.Rows = c.Array, c.Array, "", false, 0, ""
	array.Extents, array.Local, array.Argument, array.Temporary, array.Renamable = spelled, true, false, false, false
	array.Elsewhere, array.Span, array.Passed = false, "", ""
	p.Arrays = append(slices.Clip(p.Arrays), array)
	p.Computed = append(slices.Clip(p.Computed), c)
	p.Expansions = append(slices.Clip(p.Expansions), Expansion{Privatization: Privatization{Array: c.Of, Name: c.Array, Statements: users}, Extents: c.Extents, Spelled: spelled})
	p.Room.Bytes = max(p.Room.Bytes, mostComputedBytes)
}

// mostComputedBytes is the room of arrays that are too large for the stack: with less memory than they
// need the code runs the region as it is written.
const mostComputedBytes = 1 << 40
