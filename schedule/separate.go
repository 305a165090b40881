package schedule

import "fmt"

// Separate splits full tiles from partial ones at the innermost tile loop:
//
//	separate c0.3t
type Separate struct{ Loop string }

var _ = register(Spec{
	Syntax:  "separate LOOP",
	Doc:     "the separation of full tiles from partial ones",
	Example: "separate c0.3t",
	New:     func() Command { return Separate{} },
})

// Apply marks the loop, which must be the innermost tile loop of its band.
func (c Separate) Apply(t *Tree) error {
	n, place, err := t.loop(c.Loop)
	if err != nil {
		return err
	}
	l := n.Loops[place]
	if l.Level == 0 {
		return fmt.Errorf("loop %q is not a tile loop", c.Loop)
	}
	if place+1 < len(n.Loops) && n.Loops[place+1].Level == l.Level {
		return fmt.Errorf("loop %q is not the innermost tile loop", c.Loop)
	}
	l.Separate = true
	return nil
}
