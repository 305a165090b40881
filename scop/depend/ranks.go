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
		if local, is := outer.(mark.Local); is && local.Loop != "" {
			return fmt.Errorf("illegal schedule: %q is around %q, and ranks tell each other elements of %s itself: "+
				"copy them at a loop that ranks share, or at one inside", spoken(local), m, local.Array)
		}
		switch outer.(type) {
		case mark.Parallel, mark.Vector, mark.Beside, mark.Region, mark.Relay, mark.Local, mark.Layout, mark.Held, mark.Ranks, mark.Team:
			return fmt.Errorf("illegal schedule: the mark %q is inside of %q, and ranks are outside of it", m, outer)
		}
	}
	if other := g.noneInRanks(node.Children()[0]); other != nil {
		return fmt.Errorf("illegal schedule: %q is inside of %q: what it copies or hands on need not be of one rank alone", other, m)
	}
	if err := g.exactly().checkCopies(m, node.Children()[0], around); err != nil {
		return err
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

// checkCopies checks that each execution of code that copies elements (mark.Local) is of one rank
// alone, in the code below a mark: what it touches are elements that the rank computes, reads after they
// are told, or has from before, and what it writes back are its own. In ghost zones a rank may run a
// part of an execution.
func (g *marksCheck) checkCopies(m mark.Ranks, node *isl.ScheduleNode, around []mark.Mark) error {
	if local, is := g.marks.Of(node).(mark.Local); is && local.Loop != "" {
		for _, outer := range around {
			if ghost, is := outer.(mark.Ghost); is {
				return fmt.Errorf("illegal schedule: %q is inside of %q, where ranks compute parts of others' iterations again, "+
					"and a copy is of a whole iteration: leave one of them out", spoken(local), ghost)
			}
		}
		one, err := g.isOfOneRank(m, node)
		if err == nil && !one {
			err = fmt.Errorf("illegal schedule: %q is inside of %q, and several ranks have a part of such an iteration: "+
				"name the innermost of the loops that they share, or one inside", spoken(local), m)
		}
		if err != nil {
			return err
		}
	}
	for _, child := range node.Children() {
		if err := g.checkCopies(m, child, around); err != nil {
			return err
		}
	}
	return nil
}

// isOfOneRank says whether all instances of each execution below a node have the same rows of a mark.
func (g *marksCheck) isOfOneRank(m mark.Ranks, node *isl.ScheduleNode) (bool, error) {
	rows := map[string]*isl.Map{}
	for _, own := range g.Model.Context.ReadUnionMap(m.Rows).Maps() {
		rows[own.TupleName(isl.DimIn)] = own
	}
	var all *isl.Map
	for _, times := range node.PrefixScheduleUnionMap().IntersectDomain(node.Domain()).Maps() {
		name := times.TupleName(isl.DimIn)
		extra, err := g.extraDimensions(name, times.Dim(isl.DimIn))
		if err != nil || rows[name] == nil {
			return false, err
		}
		instance := times.Domain().Contraction(extra).SetTupleName(isl.DimOut, name)
		of := times.Reverse().ApplyRange(instance).ApplyRange(rows[name])
		if all != nil {
			of = of.Union(all)
		}
		all = of
	}
	if all == nil {
		return false, nil
	}
	return all.IsSingleValued()
}

// spoken are the words of a recipe that ask for a copy.
func spoken(m mark.Local) string { return fmt.Sprintf("copy %s at %s", m.Array, m.Loop) }

// noneInRanks is a mark below that code of a rank cannot have, nil for none.
func (g *marksCheck) noneInRanks(node *isl.ScheduleNode) mark.Mark {
	switch m := g.marks.Of(node).(type) {
	case mark.Relay, mark.Layout, mark.Box, mark.Kernel, mark.Block, mark.Thread, mark.Reduce, mark.Overlapped:
		return m
	}
	for _, child := range node.Children() {
		if m := g.noneInRanks(child); m != nil {
			return m
		}
	}
	return nil
}
