package space

import (
	"slices"
	"time"
)

// oracle answers whether statements can be fused under one outer loop. A
// subset of a fusible set must be fusible.
type oracle interface {
	Fusible(class []int) (bool, error)
}

// memory remembers an oracle's answers as maximal fusible and minimal
// infusible sets, so that what follows from them is never asked again.
type memory struct {
	oracle     oracle
	statements int
	fusible    []bitset
	infusible  []bitset
	// forbidden are sets that are infusible whatever the oracle says.
	forbidden []bitset
	questions int
	elapsed   time.Duration
}

func newMemory(statements int, o oracle) *memory {
	return &memory{oracle: o, statements: statements}
}

// known is the answer for a set when it follows from earlier ones. What is
// forbidden may be part of a set that the oracle has found fusible, so
// infusible sets are looked at first.
func (m *memory) known(class bitset) (fusible, known bool) {
	for _, s := range m.infusible {
		if s.isSubset(class) {
			return false, true
		}
	}
	for _, s := range m.fusible {
		if class.isSubset(s) {
			return true, true
		}
	}
	return false, false
}

// isFusible is the answer for a set, asked only when it is not known.
func (m *memory) isFusible(class bitset) (bool, error) {
	if fusible, known := m.known(class); known {
		return fusible, nil
	}
	start := time.Now()
	fusible, err := m.oracle.Fusible(class.members())
	m.elapsed += time.Since(start)
	m.questions++
	if err != nil {
		return false, err
	}
	if fusible {
		m.fusible = slices.DeleteFunc(m.fusible, func(s bitset) bool { return s.isSubset(class) })
		m.fusible = append(m.fusible, slices.Clone(class))
	} else {
		m.addInfusible(class)
	}
	return fusible, nil
}

// forbid makes a set infusible, whatever the oracle says.
func (m *memory) forbid(class bitset) {
	m.forbidden = append(m.forbidden, slices.Clone(class))
	m.addInfusible(class)
}

func (m *memory) addInfusible(class bitset) {
	m.infusible = slices.DeleteFunc(m.infusible, func(s bitset) bool { return class.isSubset(s) })
	m.infusible = append(m.infusible, slices.Clone(class))
}

// smallest takes members away from an infusible set as long as it stays
// infusible: all proper subsets of the result are fusible.
func smallest(set bitset, isFusible func(bitset) (bool, error)) (bitset, error) {
	set = slices.Clone(set)
	for _, m := range set.members() {
		set.remove(m)
		fusible, err := isFusible(set)
		if err != nil {
			return nil, err
		}
		if fusible {
			set.add(m)
		}
	}
	return set, nil
}
