package transform

import (
	"fmt"

	"polytune/isl"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// lengths are upper bounds of the numbers of iterations of the band's loops,
// inside one iteration of the loops around the band; unlimited where they
// depend on parameters.
func (p *planner) lengths(band *facts.Band) ([]int64, error) {
	return p.lengthsOf(band, "")
}

// lengthsOf are the lengths in runs, as run tells them, with such parameters, a set in isl's
// notation, "" for all.
func (p *planner) lengthsOf(band *facts.Band, run string) ([]int64, error) {
	lengths := make([]int64, len(band.Rows))
	for k, rows := range band.Rows {
		for s, row := range rows {
			length, err := lengthAlong(p.graph, s, row, band.Outer[s], run)
			if err != nil {
				return nil, err
			}
			if length == facts.Unlimited {
				lengths[k] = facts.Unlimited
				break
			}
			lengths[k] = max(lengths[k], length)
		}
	}
	p.shorten(band, lengths)
	return lengths, nil
}

// lengthAlong is how far apart the times of instances of a statement are that have equal values in the
// rows outside, counting the first.
func lengthAlong(g *depend.Graph, s int, row scop.Row, outside [][]int64, run string) (int64, error) {
	type question struct {
		statement         int
		row, outside, run string
	}
	return scop.Known(g.Model, question{s, fmt.Sprint(row), fmt.Sprint(outside), run}, func() (int64, error) {
		together := facts.SameIn(g, outside, s)
		if run != "" {
			together = together.IntersectParams(g.Model.Context.ReadSet(run))
		}
		time := g.Time(s, row)
		distance, bounded, err := time.Reverse().ApplyRange(together).ApplyRange(time).Deltas().Greatest()
		if err != nil || !bounded {
			return facts.Unlimited, err
		}
		return distance + 1, nil
	})
}

// isLittleWork says whether all that the statements do inside one iteration of
// the loops around the band is known to be too little for several threads: fewer
// accesses than the grain, which loops that parameters bound ask for as they run.
func isLittleWork(g *depend.Graph, band *facts.Band) (bool, error) {
	all := int64(0)
	for s := range band.Rows[0] {
		instances, bounded, err := work(g, band, s)
		if err != nil || !bounded {
			return false, err
		}
		all += instances * accessesOf(g.Model.Statements[s].Statement)
	}
	return all < facts.Grain, nil
}

// accessesOf is the number of a statement's accesses; where nobody knows its work,
// as many as minimumWork instances need to reach the grain.
func accessesOf(s *scop.Statement) int64 {
	if s.UnknownWork {
		return facts.Grain / facts.MinimumWork
	}
	return int64(len(s.Accesses))
}

// work is an upper bound of the number of instances of a statement inside one
// iteration of the loops around the band: those of the box around them. ok is
// false when it depends on parameters, or is no less than grain.
func work(g *depend.Graph, band *facts.Band, s int) (instances int64, ok bool, err error) {
	steps := facts.SameOutside(g, band, s).Deltas()
	instances = 1
	for k := range g.Model.Statements[s].Depth() {
		along := steps.ProjectOut(isl.DimSet, k+1, steps.Dim(isl.DimSet)-k-1).ProjectOut(isl.DimSet, 0, k)
		distance, bounded, err := along.Greatest()
		if err != nil || !bounded || distance >= facts.Grain {
			return 0, false, err
		}
		if instances *= distance + 1; instances >= facts.Grain {
			return 0, false, nil
		}
	}
	return instances, true, nil
}

// limitThreads leaves a parallel loop that is all there is in its band, and has no other inside, to
// one thread where it is short, and vectorises it, unless it is a copy inside other loops. Nobody
// knows the work of statements that are no plain assignments; for them only a loop inside others is
// limited, whose barrier comes once for each iteration of those.
func (p *planner) limitThreads(band *facts.Band, moves []facts.Movement, lengths []int64) error {
	isPlain, isInside, accesses := true, true, int64(0)
	for _, m := range moves {
		isPlain = isPlain && !scop.Has(p.graph.Model.Statements[m.Statement].Statement.Value, mayCall)
		isInside = isInside && len(band.Outer[m.Statement]) > 0
		for _, steps := range m.Steps {
			accesses += min(max(1, steps[0].Distance()), facts.ElementsOfLine)
		}
	}
	switch {
	case isPlain:
		p.emit(command.Threads{Loop: band.Loops[0], From: max(1, facts.MinimumAccesses/max(1, accesses))})
	case isInside:
		p.emit(command.Threads{Loop: band.Loops[0], From: max(1, facts.MinimumWork/int64(len(band.Rows[0])))})
	}
	if !isPlain || len(band.Reductions[0]) > 0 || isInside && isCopy(p.graph, moves) {
		return nil
	}
	vector, err := p.vectorCandidate(band, moves, lengths, placing{innermost: true, parallel: true})
	if vector >= 0 && len(band.Lanes[vector]) == 0 {
		p.emitVector(band.Loops[vector], nil, band.Statements())
	}
	return err
}

// isCopy says whether a loop does nothing but copy elements of an array to another one: compilers
// call memcpy for that where they are not told to make vectors, which is faster (durbin, whose rows
// are in the first cache, takes 0.93 of the time on an Intel Xeon with AVX-512).
func isCopy(g *depend.Graph, moves []facts.Movement) bool {
	if len(moves) != 1 {
		return false
	}
	statement := g.Model.Statements[moves[0].Statement].Statement
	assignment := g.Model.Program.Assignment(statement)
	if assignment == nil || assignment.Operator != "=" || len(assignment.Operands) != 2 {
		return false
	}
	return scop.Unwrapped(assignment.Sum) == scop.Expr(assignment.Operands[1])
}

// tileCounts are the numbers of tiles along loops of those lengths.
func tileCounts(lengths, sizes []int64) []int64 {
	counts := make([]int64, len(lengths))
	for k, length := range lengths {
		counts[k] = (length-1)/sizes[k] + 1
	}
	return counts
}

// mostWork are those of the statements inside the most loops that are not tiny, but for those that
// can have no vectors, as Beside leaves them out, and the number of these loops.
func (p *planner) mostWork(statements []int) (most []int, deepest int, err error) {
	for _, short := range []int64{facts.MostTiny, facts.MostShort} {
		if most, deepest, err = p.insideMost(statements, short); err != nil || len(most) > 0 {
			return most, deepest, err
		}
	}
	return nil, deepest, nil
}

// insideMost are the statements inside the most loops of more iterations than short ones have, and
// the number of these, 1 at least.
func (p *planner) insideMost(statements []int, short int64) (most []int, deepest int, err error) {
	deepest = 1
	for _, s := range statements {
		loops := 0
		for level := range p.graph.Model.Statements[s].Depth() {
			row := map[int]schedule.Row{s: facts.IteratorRows(p.graph, []int{s}, level)[s]}
			lengths, err := p.lengths(&facts.Band{Rows: []map[int]schedule.Row{row}, Outer: map[int][][]int64{}})
			if err != nil {
				return nil, 0, err
			}
			if lengths[0] > short {
				loops++
			}
		}
		if loops > deepest {
			deepest, most = loops, nil
		}
		if loops == deepest && mayRunBeside(p.graph.Model.Program, s) {
			most = append(most, s)
		}
	}
	return most, deepest, nil
}
