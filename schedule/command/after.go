package command

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"polytune/schedule"
)

// After has a statement share the loops of another one down to one of these, and run behind all
// that the other one does there:
//
//	after S1 S0 at c0.1
//
//	c0: for c0.1 for c0.2 S0       for c0.1
//	c1: for c1.1 for c1.2 S1  -->    for c0.2 S0
//	                                 for c1.2 S1
//
// At root it is a nest of its own behind the other one's. The loops that the statement does not
// share stay as they are, inside.
type After struct {
	Statement, Other int
	// At is the innermost loop that both share, or Root.
	At string
}

// Root is written in the place of a loop for the outside of all of them.
const Root = "root"

var _ = All.Add(schedule.Spec{
	Syntax:  "after STATEMENT STATEMENT at LOOP",
	Doc:     "the place of a statement behind another one",
	Example: "after S1 S0 at c0.1",
	New:     func() schedule.Command { return After{} },
	Random:  func(random *rand.Rand, t *schedule.Tree) []schedule.Command { return randomPlace(random, t, true) },
	Say:     schedule.Silent,
})

// Apply moves the statement.
func (c After) Apply(t *schedule.Tree) error { return place(t, c.Statement, c.Other, c.At, 1) }

// place has a statement share the loops of another one down to one of these, or none, and run so many
// places behind it there.
func place(t *schedule.Tree, s, other int, at string, behind int) error {
	if s == other {
		return fmt.Errorf("statement %s cannot have a place beside itself", t.Program.Statements[s].Spelling())
	}
	if t.HasPhases() {
		return fmt.Errorf("tiles run in phases; give statements their places before")
	}
	own, err := loopsFor(t, s)
	if err != nil {
		return err
	}
	if at == Root {
		t.Remove(s)
		n := leaf(t, s, t.FreshClass(), own)
		at := slices.IndexFunc(t.Classes, func(class *schedule.Node) bool { return slices.Contains(class.Statements, other) })
		t.Classes = slices.Insert(t.Classes, at+behind, n)
		t.Merge()
		return nil
	}
	shared, err := sharedLoops(t, other, at)
	if err != nil {
		return err
	}
	of, left, err := pairLoops(t, s, own, shared)
	if err != nil {
		return err
	}
	t.Remove(s)
	inside, last, err := t.Loop(at)
	if err != nil {
		return err
	}
	t.Divide(inside, last+1)
	for _, n := range t.NodesAround(other) {
		join(n, s, shared, own, of)
		if n == inside {
			break
		}
	}
	beside := slices.IndexFunc(inside.Parts, func(part *schedule.Node) bool { return slices.Contains(part.Statements, other) })
	inside.Parts = slices.Insert(slices.Clone(inside.Parts), beside+behind, leaf(t, s, t.FreshNodes(inside.Name)(), left))
	t.Merge()
	return nil
}

// leaf is a node of one statement in some loops, which get other names where those that they are
// copies of are still there.
func leaf(t *schedule.Tree, s int, name string, loops []*schedule.Loop) *schedule.Node {
	n := &schedule.Node{Name: name, Statements: []int{s}, Loops: loops, Depth: len(loops)}
	for k, l := range loops {
		if l.Band = k; t.FreshLoop(l.Name) != l.Name {
			l.Name = t.FreshLoop(fmt.Sprintf("%s.%d", name, k+1))
		}
	}
	n.Bands = len(loops)
	return n
}

// loopsFor are copies, for a statement alone, of the loops around it, of which nothing may have
// been said.
func loopsFor(t *schedule.Tree, s int) (own []*schedule.Loop, err error) {
	for _, l := range t.Around(s) {
		if err := mayChange(t, l, "give "+t.Program.Statements[s].Spelling()+" its place"); err != nil {
			return nil, err
		}
		own = append(own, l.For([]int{s}))
	}
	return own, nil
}

// sharedLoops are those around a statement down to one of them.
func sharedLoops(t *schedule.Tree, s int, at string) ([]*schedule.Loop, error) {
	around := t.Around(s)
	last := slices.IndexFunc(around, func(l *schedule.Loop) bool { return l.Name == at })
	if last < 0 {
		if _, _, err := t.Loop(at); err != nil {
			return nil, err
		}
		var names []string
		for _, l := range around {
			names = append(names, t.Written(l.Name))
		}
		return nil, fmt.Errorf("statement %s is not inside loop %q; it is inside %s", t.Program.Statements[s].Spelling(), at, strings.Join(append(names, Root), " "))
	}
	for _, l := range around[:last+1] {
		if len(l.Terms) != 1 || isTouched(l) {
			return nil, fmt.Errorf("loop %q is a wavefront, or marked already; give statements their places before", l.Name)
		}
	}
	return around[:last+1], nil
}

// pairLoops are, for each of the loops that a statement is to share, the place of its own loop that
// becomes one with it, and those that it keeps: its k-th loop goes with the k-th along which the
// others run, whether these are loops over tiles, over points, or both.
func pairLoops(t *schedule.Tree, s int, own, shared []*schedule.Loop) (of []int, left []*schedule.Loop, err error) {
	var along []string
	left = slices.Clone(own)
	for _, l := range shared {
		k := slices.Index(along, l.Along())
		if k < 0 {
			k, along = len(along), append(along, l.Along())
		}
		if k >= len(own) {
			return nil, nil, fmt.Errorf("statement %s has %d loops, too few to share %q and those around", t.Program.Statements[s].Spelling(), len(own), l.Name)
		}
		of = append(of, k)
		if l.Level == 0 {
			left = slices.DeleteFunc(left, func(o *schedule.Loop) bool { return o == own[k] })
		}
	}
	return of, left, nil
}

// join has a statement run in a node, in those loops that it is to share.
func join(n *schedule.Node, s int, shared, own []*schedule.Loop, of []int) {
	for place, l := range n.Loops {
		k := slices.IndexFunc(shared, func(o *schedule.Loop) bool { return o.Name == l.Name })
		if k < 0 {
			break
		}
		copied := *l
		copied.Terms = slices.Clone(l.Terms)
		copied.Join(s, own[of[k]].Terms[0].Rows[s], own[of[k]].Of)
		copied.Shifted = copied.Shifted || own[of[k]].Shifted
		n.Loops[place] = &copied
	}
	n.Statements = append(slices.Clip(n.Statements), s)
}

// randomPlace is a statement beside another one, at one of its loops or outside of all.
func randomPlace(random *rand.Rand, t *schedule.Tree, behind bool) []schedule.Command {
	if len(t.Program.Statements) < 2 {
		return nil
	}
	order := random.Perm(len(t.Program.Statements))
	at := Root
	if l := pick(random, t.Around(order[1])); l != nil && random.IntN(4) > 0 {
		at = l.Name
	}
	if behind {
		return []schedule.Command{After{order[0], order[1], at}}
	}
	return []schedule.Command{Before{order[0], order[1], at}}
}
