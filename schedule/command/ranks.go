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
// Loops of different nests have the same blocks. Loops right inside each other share out a grid of
// ranks, with blocks in each dimension:
//
//	ranks S0.i S0.j S1.i S1.j
//
//	for i                exchange
//	  for j  -->         for i in the block of this row of ranks
//	                       for j in the block of this column of ranks
//
// Statements outside of such loops run on all ranks. Under a clause each rank adds up by itself, and all
// have the sum of all behind those of the loops that add up:
//
//	ranks S0.i reduction(+:x)
type Ranks struct {
	Loops      []string
	Reductions []scop.Clause
}

var _ = All.Add(schedule.Spec{
	Syntax:  "ranks LOOPS CLAUSES",
	Doc:     "loops shared out over ranks",
	Example: "ranks S0.i S1.i",
	On:      schedule.OnRanks,
	New:     func() schedule.Command { return Ranks{} },
	Random:  randomRanks,
	Say:     sayRanks,
})

// Apply marks the loops.
func (c Ranks) Apply(t *schedule.Tree) error {
	group := rankGroups(t)
	nests, err := sharedNests(t, c.Loops)
	if err != nil {
		return err
	}
	if err := t.CheckClauses(c.Reductions); err != nil {
		return err
	}
	updated := make([]bool, len(c.Reductions))
	for _, nest := range nests {
		first := nest[0]
		if len(nest) != len(nests[0]) {
			return fmt.Errorf("ranks would share %d loops from %q on, and %d from %q on: name as many of each nest", len(nests[0]), t.Written(nests[0][0].loop().Name), len(nest), t.Written(first.loop().Name))
		}
		if err := freeForRanks(t, first.node, first.place); err != nil {
			return err
		}
		rows, err := rankRows(t, nest)
		if err != nil {
			return err
		}
		own := mark.Ranks{Group: group, Rows: rows, Dims: len(nest)}
		for k, clause := range c.Reductions {
			if slices.ContainsFunc(first.node.Statements, func(s int) bool { return t.Program.Statements[s].Reduction.Under(clause) != nil }) {
				own.Reductions, updated[k] = append(own.Reductions, clause), true
			}
		}
		first.loop().Marks = first.loop().Marks.With(own)
	}
	if k := slices.Index(updated, false); k >= 0 {
		return fmt.Errorf("nothing in these loops is a reduction under %s", c.Reductions[k])
	}
	return meetAll(t)
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
		return fmt.Errorf("ranks share the iterations of %q already", t.Written(own.Name))
	}
	for _, l := range slices.Concat(t.Outside(n), n.Loops[:place]) {
		switch {
		case mark.Has[mark.Ranks](l.Marks):
			return fmt.Errorf("loop %q is inside of %q, whose iterations ranks share", t.Written(own.Name), t.Written(l.Name))
		case l.IsParallel() || l.IsVector() || l.StartsThreads():
			return fmt.Errorf("loop %q is inside of %q, which runs on threads or in lanes: ranks are around threads", t.Written(own.Name), t.Written(l.Name))
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
		return fmt.Errorf("ranks share the iterations of a loop inside of %q", t.Written(own.Name))
	}
	return nil
}

// rankRows is isl's text of the values of a nest's loops, by the statements' iterators.
func rankRows(t *schedule.Tree, nest []rankedLoop) (string, error) {
	p := t.Program
	var parts []string
	for _, s := range nest[0].node.Statements {
		var values []string
		for _, shared := range nest {
			l := shared.loop()
			if len(l.Terms) == 0 {
				return "", fmt.Errorf("loop %q is over hexagonal or overlapped tiles, which ranks cannot share", t.Written(l.Name))
			}
			values = append(values, valueText(p, l, s))
		}
		parts = append(parts, fmt.Sprintf("%s -> [%s]", p.InstanceText(s), strings.Join(values, ", ")))
	}
	return p.ParametersText() + "{ " + strings.Join(parts, "; ") + " }", nil
}

// valueText is isl's text of a loop's value, by a statement's iterators.
func valueText(p *scop.Program, l *schedule.Loop, s int) string {
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
	return strings.Join(terms, " + ")
}

// sayRanks says that ranks share the iterations of a loop.
func sayRanks(l *schedule.Loop, _ schedule.Telling) []schedule.Phrase {
	m, is := mark.Of[mark.Ranks](l.Marks)
	switch {
	case !is:
		return nil
	case m.Dims > 1:
		return schedule.Say(schedule.AboutThreads, fmt.Sprintf("shared out over a grid of ranks, with what is inside, as %d loops", m.Dims))
	}
	return schedule.Say(schedule.AboutThreads, "shared out over ranks")
}
