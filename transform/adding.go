package transform

import (
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
)

// Adding says how threads add up in arrays of which data decide which elements are updated.
type Adding int

// The ways to add up.
const (
	// AddModel is in copies, or, where there can be none and there are threads enough, by atomic operations.
	AddModel Adding = iota
	// AddInCopies is in a copy for each thread, which are added up in the end.
	AddInCopies
	// AddAtomically is in the array itself, each update an atomic operation.
	AddAtomically
)

// addings are the values of the axis "sums", by their numbers.
var addings = []string{"model", "copies", "atomics"}

// atomicThreads is the number of threads from which on atomic operations pay: an atomic sum takes 2.1 to 4.7 of the time of another one of a double, the more
// the smaller the array is (256 to 2^24 elements at random, an AMD EPYC of 2 processors, gcc -O3), and two threads hardly overlap theirs: 0.7 to 1.2 of one thread's. So
// 2 threads lose. That 8 gain is an estimate from these ratios, not measured; the machine had other load.
const atomicThreads = 8

// addsAtomically says whether threads are to add up in arrays by atomic operations, and can.
func (p *planner) addsAtomically(clauses []scop.Clause) (bool, error) {
	if p.options.Adding != AddAtomically && (p.options.Adding != AddModel || p.options.Run.Threads < atomicThreads) {
		return false, nil
	}
	model, isAny := p.graph.Model, false
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

// mayAddUp says whether threads that share a loop over the statements can add up for the clauses, in copies or by atomic operations, and whether that may be worth it.
func (p *planner) mayAddUp(rows map[int]schedule.Row, clauses []scop.Clause, found map[int][][]int64) (bool, error) {
	if p.options.Adding != AddAtomically {
		if may, err := p.mayHaveCopies(rows, clauses, found); may || err != nil {
			return may, err
		}
	}
	if atomically, err := p.addsAtomically(clauses); !atomically || err != nil || !p.onlyUpdate(rows, clauses) {
		if err != nil || p.options.Adding != AddAtomically {
			return false, err
		}
		return p.mayHaveCopies(rows, clauses, found)
	}
	return true, nil
}

// onlyUpdate says whether statements do nothing with the clauses' arrays but update them.
func (p *planner) onlyUpdate(rows map[int]schedule.Row, clauses []scop.Clause) bool {
	for s := range rows {
		if slices.ContainsFunc(clauses, func(c scop.Clause) bool { return !p.graph.Model.Statements[s].OnlyUpdates(c) }) {
			return false
		}
	}
	return true
}

// emitAdding has the threads of a loop that carries reductions add up by atomic operations, where they are to: the model has them do so where
// they cannot in copies.
func (p *planner) emitAdding(loop string, rows map[int]schedule.Row, clauses []scop.Clause, found map[int][][]int64) error {
	atomically, err := p.addsAtomically(clauses)
	if !atomically || err != nil {
		return err
	}
	if p.options.Adding == AddModel {
		if copies, err := p.mayHaveCopies(rows, clauses, found); copies || err != nil {
			return err
		}
	}
	p.emit(command.Atomics{Loop: loop})
	return nil
}
