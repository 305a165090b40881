package space

import (
	"slices"
	"time"
)

// Statistics say how much work an enumeration has done.
type Statistics struct {
	// Points is the number of partitions listed.
	Points int
	// DeadEnds is the number of beginnings of class vectors that were looked
	// at and given up because no partition begins so. Only beginnings that
	// some partition has are extended, by at most n class numbers each, and a
	// partition of n statements has n beginnings: so a listing of all has at
	// most n² dead ends for each partition.
	DeadEnds int
	// LookAhead is the number of steps of the searches that decided whether
	// a beginning can be completed.
	LookAhead int
	// Questions is the number of sets whose fusibility had to be computed.
	Questions int
}

// enumerator lists the partitions of an order by a depth-first search over
// the statements in textual order, each trying its class numbers upwards. A
// number is kept only when some partition begins with the vector so far, so
// that the search never has to come back empty-handed, and the partitions
// appear in lexicographic order.
type enumerator struct {
	*order
	memory *memory
	// sequence are the components in topological order; listing a part of a
	// space, only those of the part.
	sequence []int
	// part are the components to be listed, or nil for all.
	part bitset
	// affine are the constraints that order and fusibility do not express.
	affine []groupedConstraint
	// steps counts those of a search. When patience is not 0, a search that
	// takes more than that is given up, and what it asks taken for true.
	steps, patience int
	// class is, for each component, its class number or -1.
	class []int
	// members are, for each class number, the statements that have it.
	members    []bitset
	vector     Partition
	after      Partition
	yield      func(Partition) bool
	stopped    bool
	statistics *Statistics
	elapsed    *time.Duration
	resumed    time.Time
	deciding   time.Duration
}

func newEnumerator(s *Space) *enumerator {
	e := &enumerator{order: s.order, memory: s.memory, sequence: s.order.topological(), affine: s.affine,
		statistics: &s.statistics, elapsed: &s.enumerated,
		class: make([]int, len(s.order.components)), vector: make(Partition, s.encoding.Statements)}
	for c := range e.class {
		e.class[c] = -1
		e.members = append(e.members, newBitset(s.encoding.Statements))
	}
	return e
}

// limitTo makes the enumerator list the partitions of some components, between
// which and the others there is no connection. Statements outside have -1 in
// its vectors.
func (e *enumerator) limitTo(part bitset) {
	e.sequence = slices.DeleteFunc(e.sequence, func(c int) bool { return !part.contains(c) })
	e.affine = slices.DeleteFunc(slices.Clone(e.affine), func(a groupedConstraint) bool { return !part.contains(e.component[a.statements[0]]) })
	e.part = part
}

// run gives the partitions after the given vector, or all when it is nil, to
// yield until that returns false.
func (e *enumerator) run(after Partition, yield func(Partition) bool) error {
	e.after, e.yield = after, yield
	e.resume()
	defer e.pause()
	return e.extend(0, after != nil)
}

// resume starts the clock of the enumeration, which leaves out the time of
// the caller and of deciding fusibility; pause stops it.
func (e *enumerator) resume() { e.resumed, e.deciding = time.Now(), e.memory.elapsed }

func (e *enumerator) pause() {
	*e.elapsed += time.Since(e.resumed) - (e.memory.elapsed - e.deciding)
}

// extend lists the partitions that begin with the first statements of the
// vector. tight says that those agree with the vector to go on after.
func (e *enumerator) extend(statement int, tight bool) error {
	if statement == len(e.vector) {
		if !tight {
			e.emit()
		}
		return nil
	}
	component := e.component[statement]
	if e.part != nil && !e.part.contains(component) {
		e.vector[statement] = -1
		return e.extend(statement+1, tight)
	}
	if class := e.class[component]; class >= 0 {
		return e.place(statement, class, tight)
	}
	low, high := e.window(component)
	if tight {
		low = max(low, e.after[statement])
	}
	for class := low; class <= high && !e.stopped; class++ {
		if err := e.try(statement, class, tight); err != nil {
			return err
		}
	}
	return nil
}

// try gives the component of the statement a class number and goes on if
// some partition begins so.
func (e *enumerator) try(statement, class int, tight bool) error {
	component := e.component[statement]
	e.steps = 0
	begins, err := e.begins(component, class)
	if err != nil {
		return err
	}
	if !begins {
		e.statistics.DeadEnds++
		return nil
	}
	e.assign(component, class)
	defer e.unassign(component)
	return e.place(statement, class, tight)
}

// begins says whether some partition begins with the class numbers given so
// far and this one.
func (e *enumerator) begins(component, class int) (bool, error) {
	fits, err := e.fits(component, class)
	if !fits || err != nil {
		return false, err
	}
	e.assign(component, class)
	defer e.unassign(component)
	return e.completable()
}

// place writes the statement's class number into the vector and goes on.
func (e *enumerator) place(statement, class int, tight bool) error {
	if tight && class < e.after[statement] {
		return nil
	}
	e.vector[statement] = class
	return e.extend(statement+1, tight && class == e.after[statement])
}

// emit lists the vector.
func (e *enumerator) emit() {
	e.statistics.Points++
	e.pause()
	e.stopped = !e.yield(slices.Clone(e.vector))
	e.resume()
}

// window are the class numbers that the order leaves a component, given the
// components that have one.
func (e *enumerator) window(component int) (low, high int) {
	low, high = 0, len(e.components)-1
	for other, class := range e.class {
		switch {
		case class < 0:
		case e.precedes(other, component):
			low = max(low, class)
		case e.precedes(component, other):
			high = min(high, class)
		}
	}
	return low, high
}

// fits says whether a component can be fused with those that have the class
// number already.
func (e *enumerator) fits(component, class int) (bool, error) {
	return e.memory.isFusible(e.members[class].with(e.components[component]...))
}

func (e *enumerator) assign(component, class int) {
	e.class[component] = class
	for _, s := range e.components[component] {
		e.members[class].add(s)
	}
}

func (e *enumerator) unassign(component int) {
	for _, s := range e.components[component] {
		e.members[e.class[component]].remove(s)
	}
	e.class[component] = -1
}
