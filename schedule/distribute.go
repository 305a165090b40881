package schedule

import (
	"fmt"
	"slices"
	"strings"

	"polytune/scop"
)

// Distribute gives each part of a node a loop of its own in the place of the
// innermost one that they share (loop distribution, or fission):
//
//	distribute c0.2
//
//	for c0.1 for c0.2 { S0 S1 }  -->  for c0.1 { for c0_0.2 S0; for c0_1.2 S1 }
type Distribute struct{ Loop string }

// Name is the command's word.
func (Distribute) Name() string { return "distribute" }

// Apply moves the loop into the parts.
func (c Distribute) Apply(t *Tree) error {
	n, place, err := t.loop(c.Loop)
	if err != nil {
		return err
	}
	l := n.Loops[place]
	switch {
	case len(n.Parts) == 0:
		return fmt.Errorf("node %q has no parts; split it before", n.Name)
	case place != len(n.Loops)-1:
		return fmt.Errorf("loop %q is not the innermost one that the parts of %q share; sink it before", c.Loop, n.Name)
	case l.Parallel || l.Vector || l.Separate:
		return fmt.Errorf("loop %q is marked already; distribute it before", c.Loop)
	}
	n.Loops = n.Loops[:place]
	for _, part := range n.Parts {
		for _, inner := range part.Loops {
			inner.Band++
		}
		own := *l
		own.Name, own.Band = c.In(part.Name), 0
		own.Terms = nil
		for _, term := range l.Terms {
			own.Terms = append(own.Terms, Term{Rows: rowsOf(term.Rows, part.Statements), Size: term.Size})
		}
		if l.TileRows != nil {
			own.TileRows = rowsOf(l.TileRows, part.Statements)
		}
		part.Loops = slices.Insert(part.Loops, 0, &own)
		part.bands++
	}
	return nil
}

// In is the name of the loop that a part has after the command.
func (c Distribute) In(part string) string {
	return part + c.Loop[max(0, strings.LastIndex(c.Loop, ".")):]
}

// rowsOf are the rows of some of the statements.
func rowsOf(rows map[int]Row, statements []int) map[int]Row {
	some := map[int]Row{}
	for _, s := range statements {
		some[s] = rows[s]
	}
	return some
}

// Text is the command's line.
func (c Distribute) Text(*scop.Program) string { return "distribute " + c.Loop }

// Distributes says whether some command of the recipe is Distribute.
func (r Recipe) Distributes() bool {
	return slices.ContainsFunc(r, func(c Command) bool { _, is := c.(Distribute); return is })
}

// ReplayTogether is Replay without Distribute and Phases: the tree whose bands have all
// their hyperplanes, once. A loop is a vector loop there where some part's is, and has the register blocks
// of the first phase. Recipes that do more with the loops of parts are replayed as they are.
func (r Recipe) ReplayTogether(p *scop.Program) (*Tree, error) {
	var together Recipe
	var distributed []Distribute
	for _, c := range r.withoutPhases(p) {
		switch c := c.(type) {
		case Distribute:
			distributed = append(distributed, c)
		case Vectorize:
			if at := slices.IndexFunc(distributed, func(d Distribute) bool { return d.makes(c.Loop) }); at >= 0 {
				c.Loop = distributed[at].Loop
			}
			together = append(together, c)
		default:
			together = append(together, c)
		}
	}
	if t, err := together.Replay(p); err == nil {
		return t, nil
	}
	return r.Replay(p)
}

// makes says whether a loop is one of those that parts get from the command.
func (c Distribute) makes(loop string) bool {
	part := loop[:max(0, strings.LastIndex(loop, "."))]
	node := part[:max(0, strings.LastIndex(part, "_"))]
	return node != "" && c.Loop == node+loop[len(part):]
}
