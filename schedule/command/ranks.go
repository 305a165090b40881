package command

import (
	"fmt"
	"slices"
	"strings"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
)

// Ranks shares the iterations of loops out over ranks, which are processes with memory of their own
// (distribute(i) in Table II of the Tiramisu paper): in consecutive blocks, the same for all loops
// named, over the union of their ranges.
//
//	ranks S0.i S1.i
//
//	for t                for t
//	  for i  -->           exchange
//	                       for i in this rank's block
//
// Statements outside of such loops run on all ranks.
type Ranks struct{ Loops []string }

var _ = All.Add(schedule.Spec{
	Syntax:  "ranks LOOPS",
	Doc:     "loops shared out over ranks",
	Example: "ranks S0.i S1.i",
	On:      schedule.OnRanks,
	New:     func() schedule.Command { return Ranks{} },
	Random:  schedule.Chosen[Ranks],
	Say:     sayRanks,
})

// Apply marks the loops.
func (c Ranks) Apply(t *schedule.Tree) error {
	group := rankGroups(t)
	for _, name := range c.Loops {
		n, place, err := t.Loop(name)
		if err != nil {
			return err
		}
		if err := freeForRanks(t, n, place); err != nil {
			return err
		}
		rows, err := rankRows(t.Program, n, n.Loops[place])
		if err != nil {
			return err
		}
		n.Loops[place].Marks = n.Loops[place].Marks.With(mark.Ranks{Group: group, Rows: rows})
	}
	return nil
}

// rankGroups is the number of groups of loops that ranks share already.
func rankGroups(t *schedule.Tree) (count int) {
	t.Walk(func(n *schedule.Node) bool {
		for _, l := range n.Loops {
			if m, is := mark.Of[mark.Ranks](l.Marks); is {
				count = max(count, m.Group+1)
			}
		}
		return true
	})
	return count
}

// freeForRanks is an error where a loop cannot be shared out because of those around and inside.
func freeForRanks(t *schedule.Tree, n *schedule.Node, place int) error {
	own := n.Loops[place]
	if mark.Has[mark.Ranks](own.Marks) {
		return fmt.Errorf("ranks share the iterations of %q already", own.Name)
	}
	for _, l := range slices.Concat(t.Outside(n), n.Loops[:place]) {
		switch {
		case mark.Has[mark.Ranks](l.Marks):
			return fmt.Errorf("loop %q is inside of %q, whose iterations ranks share", own.Name, l.Name)
		case l.IsParallel() || l.IsVector() || l.StartsThreads():
			return fmt.Errorf("loop %q is inside of %q, which runs on threads or in lanes: ranks are around threads", own.Name, l.Name)
		}
	}
	inside := false
	for _, l := range n.Loops[place+1:] {
		inside = inside || mark.Has[mark.Ranks](l.Marks)
	}
	t.Walk(func(other *schedule.Node) bool {
		for _, s := range other.Statements {
			if slices.Contains(n.Statements, s) && other != n && len(other.Statements) <= len(n.Statements) {
				inside = inside || slices.ContainsFunc(other.Loops, func(l *schedule.Loop) bool { return mark.Has[mark.Ranks](l.Marks) })
			}
		}
		return true
	})
	if inside {
		return fmt.Errorf("ranks share the iterations of a loop inside of %q", own.Name)
	}
	return nil
}

// rankRows is isl's text of the loop's value, by the statements' iterators.
func rankRows(p *scop.Program, n *schedule.Node, l *schedule.Loop) (string, error) {
	if len(l.Terms) == 0 {
		return "", fmt.Errorf("loop %q is over hexagonal or overlapped tiles, which ranks cannot share", l.Name)
	}
	var parts []string
	for _, s := range n.Statements {
		iterators := p.IteratorNames(s)
		var terms []string
		for _, term := range l.Terms {
			text := "(" + term.Rows[s].Text(iterators, p.Parameters) + ")"
			if term.Size > 1 {
				text = fmt.Sprintf("floor(%s/%d)", text, term.Size)
			}
			if term.Factor != 0 {
				text = fmt.Sprintf("%d*%s", term.Factor, text)
			}
			terms = append(terms, text)
		}
		parts = append(parts, fmt.Sprintf("%s -> [%s]", p.InstanceText(s), strings.Join(terms, " + ")))
	}
	return p.ParametersText() + "{ " + strings.Join(parts, "; ") + " }", nil
}

// sayRanks says that ranks share the iterations of a loop.
func sayRanks(l *schedule.Loop, _ schedule.Telling) []schedule.Phrase {
	if !mark.Has[mark.Ranks](l.Marks) {
		return nil
	}
	return schedule.Say(schedule.AboutThreads, "shared out over ranks")
}
