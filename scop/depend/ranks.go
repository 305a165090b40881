package depend

import (
	"cmp"
	"fmt"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/flow"
	"polytune/scop/mark"
)

// checkRanks checks that no dependence leads from the instances of one value of a mark's rows to
// those of another one, of those that run in one execution of the code below, and that nothing
// around or inside needs memory that ranks have together. Updates that may run in any order are such
// dependences, too, but for those under the mark's clauses, which ranks put together.
func (g *marksCheck) checkRanks(m mark.Ranks, node *isl.ScheduleNode, around []mark.Mark) error {
	for _, outer := range around {
		switch outer.(type) {
		case mark.Parallel, mark.Vector, mark.Beside, mark.Region, mark.Relay, mark.Local, mark.Layout, mark.Held, mark.Ranks, mark.Team:
			return fmt.Errorf("illegal schedule: the mark %q is inside of %q, and ranks are outside of it", m, outer)
		}
	}
	if other := g.noneInRanks(node.Children()[0]); other != nil {
		return fmt.Errorf("illegal schedule: %q is inside of %q: what it copies or hands on need not be of one rank alone", spoken(other), m)
	}
	here := node.Domain()
	outer, err := g.timesOf(node.PrefixScheduleUnionMap().IntersectDomain(here))
	if err != nil {
		return err
	}
	for dim := range m.Dims {
		own := g.rowsOf(m, dim)
		for s := range outer {
			if own[s] == nil {
				return fmt.Errorf("illegal schedule: the mark %q says nothing of %s, which is inside", m, g.Model.Statements[s].Spelling())
			}
		}
		if err := g.checkShared(m, outer, own); err != nil {
			return err
		}
	}
	return nil
}

// checkMeet checks that all ranks, and no threads of theirs, get to where they wait for each other.
func (g *marksCheck) checkMeet(m mark.Meet, around []mark.Mark) error {
	for _, outer := range around {
		switch outer.(type) {
		case mark.Ranks, mark.Ghost, mark.Parallel, mark.Vector, mark.Beside, mark.Region, mark.Team, mark.Relay:
			return fmt.Errorf("illegal schedule: %q is inside of %q, where not all ranks have the same iterations", m, outer)
		}
	}
	return nil
}

// rowsOf are the rows of a mark in one dimension, by statements.
func (g *marksCheck) rowsOf(m mark.Ranks, dim int) map[int][]*isl.Map {
	own := map[int][]*isl.Map{}
	for _, rows := range g.Model.Context.ReadUnionMap(m.Rows).Maps() {
		if s := g.Model.Statement(rows.TupleName(isl.DimIn)); s != nil && rows.Dim(isl.DimOut) == m.Dims {
			of := rows.ProjectOut(isl.DimOut, dim+1, m.Dims-dim-1).ProjectOut(isl.DimOut, 0, dim)
			own[s.Index] = []*isl.Map{of.IntersectDomain(s.Domain)}
		}
	}
	return own
}

// checkShared checks that no dependence leads from one row of instances to another one, of those that
// run in one execution of what is below a mark.
func (g *marksCheck) checkShared(m mark.Ranks, outer, own map[int][]*isl.Map) error {
	check := func(d *Dependence) error {
		if outer[d.Source] == nil || outer[d.Target] == nil {
			return nil
		}
		return g.checkCarried(d, outer, own, m)
	}
	if err := g.all(check); err != nil {
		return cmp.Or(g.carriedValue(check), err)
	}
	return g.checkClauses(m, m.Reductions, outer, own)
}

// carriedValue is the error of a check for a dependence of a value on the instance that computes it,
// nil where there is none: of several dependences it says most.
func (g *Graph) carriedValue(check func(*Dependence) error) error {
	values, err := flow.Among(g.Model, func(*scop.StatementModel, string) bool { return true })
	if err != nil {
		return nil
	}
	for _, d := range g.Dependences {
		if d.Kind != RAW {
			continue
		}
		source, target := g.Model.Statements[d.Source].Name, g.Model.Statements[d.Target].Name
		for _, from := range values.From.Maps() {
			if from.TupleName(isl.DimIn) != source || from.TupleName(isl.DimOut) != target {
				continue
			}
			of := *d
			of.Relation = d.Relation.Intersect(from)
			if err := check(&of); err != nil {
				return err
			}
		}
	}
	return nil
}

// spoken are the words of a recipe that ask for a mark.
func spoken(m mark.Mark) string {
	if local, is := m.(mark.Local); is && local.Loop != "" {
		return fmt.Sprintf("copy %s at %s", local.Array, local.Loop)
	}
	return m.String()
}

// noneInRanks is a mark below that code of a rank cannot have, nil for none.
func (g *marksCheck) noneInRanks(node *isl.ScheduleNode) mark.Mark {
	switch m := g.marks.Of(node).(type) {
	case mark.Relay, mark.Layout, mark.Box, mark.Kernel, mark.Block, mark.Thread, mark.Reduce, mark.Overlapped:
		return m
	case mark.Local:
		if m.Loop != "" {
			return m
		}
	}
	for _, child := range node.Children() {
		if m := g.noneInRanks(child); m != nil {
			return m
		}
	}
	return nil
}
