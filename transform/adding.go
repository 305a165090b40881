package transform

import (
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
)

// Adding says how threads add up in arrays of which data decide which elements are updated.
type Adding int

// The ways to add up.
const (
	// AddInCopies is in a copy for each thread, which are added up in the end, where there can be
	// some; else in order. The models never choose otherwise: from how many threads on atomic
	// operations pay was not measured.
	AddInCopies Adding = iota
	// AddAtomically is in the array itself, each update an atomic operation.
	AddAtomically
)

// addings are the values of the axis "sums", by their numbers.
var addings = []string{"copies", "atomics"}

// addsAtomically says whether threads are to add up in arrays by atomic operations, and can.
func addsAtomically(g *depend.Graph, o *Options, clauses []scop.Clause) (bool, error) {
	if o.Adding != AddAtomically {
		return false, nil
	}
	model, isAny := g.Model, false
	for _, c := range clauses {
		if len(model.Program.Array(c.Array).Extents) == 0 {
			continue
		}
		scattered, err := model.IsScattered(c)
		if err != nil {
			return false, err
		}
		if isAny = isAny || scattered; !model.Program.MayBeAtomic(c) {
			return false, nil
		}
	}
	return isAny, nil
}

// mayAddUp says whether threads that share a loop over the statements can add up for the clauses,
// in copies or by atomic operations, and whether that may be worth it.
func mayAddUp(g *depend.Graph, o *Options, rows map[int]schedule.Row, clauses []scop.Clause, found map[int][][]int64) (bool, error) {
	if atomically, err := addsAtomically(g, o, clauses); err != nil || atomically && onlyUpdate(g, rows, clauses) {
		return err == nil, err
	}
	return mayHaveCopies(g, rows, clauses, found)
}

// onlyUpdate says whether statements do nothing with the clauses' arrays but update them.
func onlyUpdate(g *depend.Graph, rows map[int]schedule.Row, clauses []scop.Clause) bool {
	for s := range rows {
		if slices.ContainsFunc(clauses, func(c scop.Clause) bool { return !g.Model.Statements[s].OnlyUpdates(c) }) {
			return false
		}
	}
	return true
}

// emitAdding has the threads of a loop that carries reductions add up by atomic operations, where
// they are to.
func (p *planner) emitAdding(loop string, clauses []scop.Clause) error {
	atomically, err := addsAtomically(p.graph, &p.options, clauses)
	if atomically {
		p.emit(command.Atomics{Loop: loop})
	}
	return err
}
