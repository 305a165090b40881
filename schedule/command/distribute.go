package command

import (
	"fmt"
	"slices"
	"strings"

	"polytune/schedule"
)

// Distribute gives each part of a node loops of its own in the place of the
// innermost ones that they share (loop distribution, or fission):
//
//	distribute c0.2
//
//	for c0.1 for c0.2 { S0 S1 }  -->  for c0.1 { for c0_0.2 S0; for c0_1.2 S1 }
//
// Several loops stay one band when they are one.
type Distribute struct{ Loops []string }

var _ = All.Add(schedule.Spec{
	Syntax:  "distribute LOOPS",
	Doc:     "the move of loops into the parts",
	Example: "distribute c0.2 c0.3",
	New:     func() schedule.Command { return Distribute{} },
	Random:  schedule.Chosen[Distribute],
	Say:     schedule.Silent,
})

// Apply moves the loops into the parts.
func (c Distribute) Apply(t *schedule.Tree) error {
	n, first, err := c.innermost(t)
	if err != nil {
		return err
	}
	loops := n.Loops[first:]
	n.Loops = n.Loops[:first]
	bands := []int{loops[0].Band}
	for _, l := range loops {
		if l.Band != bands[len(bands)-1] {
			bands = append(bands, l.Band)
		}
	}
	for _, part := range n.Parts {
		for _, inner := range part.Loops {
			inner.Band += len(bands)
		}
		var own []*schedule.Loop
		for _, l := range loops {
			copied := l.For(part.Statements)
			copied.Name, copied.Band = t.FreshLoop(InPart(l.Name, part.Name)), slices.Index(bands, l.Band)
			own = append(own, copied)
		}
		part.Loops = append(own, part.Loops...)
		part.Bands += len(bands)
	}
	t.Merge()
	return nil
}

// innermost are the node of the loops and the place of the first of them.
func (c Distribute) innermost(t *schedule.Tree) (*schedule.Node, int, error) {
	if len(c.Loops) == 0 {
		return nil, 0, fmt.Errorf("no loop is named")
	}
	n, first, err := t.Loop(c.Loops[0])
	if err != nil {
		return nil, 0, err
	}
	if len(n.Parts) == 0 {
		return nil, 0, fmt.Errorf("node %q has no parts; split it before", n.Name)
	}
	for k, name := range c.Loops {
		place := first + k
		switch {
		case place >= len(n.Loops) || n.Loops[place].Name != name:
			return nil, 0, fmt.Errorf("loop %q does not come right inside %q", name, c.Loops[max(0, k-1)])
		case n.Loops[place].IsParallel() || n.Loops[place].IsVector() && !n.Loops[place].Unrolled || isSeparate(n.Loops[place]):
			return nil, 0, fmt.Errorf("loop %q is marked already; distribute it before", name)
		}
	}
	if last := c.Loops[len(c.Loops)-1]; first+len(c.Loops) < len(n.Loops) {
		return nil, 0, fmt.Errorf("loop %q is not the innermost one that the parts of %q share; sink it before", last, n.Name)
	}
	return n, first, nil
}

// InPart is the name that a loop has in a part when it is distributed.
func InPart(loop, part string) string {
	return part + loop[max(0, strings.LastIndex(loop, ".")):]
}

// source is the loop that parts had together in the place of one of those that they get from the
// command; "" for others.
func (c Distribute) source(loop string) string {
	part := loop[:max(0, strings.LastIndex(loop, "."))]
	node := part[:max(0, strings.LastIndex(part, "_"))]
	if shared := node + loop[len(part):]; node != "" && slices.Contains(c.Loops, shared) {
		return shared
	}
	return ""
}
