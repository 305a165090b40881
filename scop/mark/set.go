package mark

import (
	"reflect"
	"slices"
)

// Set are the marks of one loop; commands give it at most one of each kind. Sets share memory; none changes another.
type Set []Mark

// Of is the mark of a kind, if the set has one.
func Of[M Mark](s Set) (m M, is bool) {
	for _, other := range s {
		if m, is = other.(M); is {
			return m, true
		}
	}
	return m, false
}

// Has says whether the set has a mark of a kind.
func Has[M Mark](s Set) bool {
	_, is := Of[M](s)
	return is
}

// With is the set with a mark in the place of the one of its kind.
func (s Set) With(m Mark) Set { return append(s.withoutKindOf(m), m) }

// Without is the set without the mark of a kind.
func Without[M Mark](s Set) Set {
	var kind M
	return s.withoutKindOf(kind)
}

func (s Set) withoutKindOf(m Mark) Set {
	return slices.DeleteFunc(slices.Clone(s), func(other Mark) bool { return reflect.TypeOf(other) == reflect.TypeOf(m) })
}

// On are the marks with the name of their loop.
func (s Set) On(loop string) []Mark {
	marks := make([]Mark, len(s))
	for k, m := range s {
		marks[k] = m
		if of, is := m.(ofLoop); is {
			marks[k] = of.on(loop)
		}
	}
	return marks
}

// ofLoop are the kinds of marks that a set of one loop may have.
type ofLoop interface{ on(loop string) Mark }

func (m Parallel) on(loop string) Mark { m.Loop = loop; return m }
func (m Vector) on(loop string) Mark   { m.Loop = loop; return m }
func (m Beside) on(loop string) Mark   { m.Loop = loop; return m }
func (m Region) on(loop string) Mark   { m.Loop = loop; return m }
func (m Team) on(loop string) Mark     { m.Loop = loop; return m }
func (m Threads) on(loop string) Mark  { m.Loop = loop; return m }
func (m Dynamic) on(loop string) Mark  { m.Loop = loop; return m }
func (m Atomics) on(loop string) Mark  { m.Loop = loop; return m }
func (m Collapse) on(loop string) Mark { m.Loop = loop; return m }
func (m Ivdep) on(loop string) Mark    { m.Loop = loop; return m }
func (m Simdlen) on(loop string) Mark  { m.Loop = loop; return m }
func (m Stream) on(loop string) Mark   { m.Loop = loop; return m }
func (m Overlap) on(loop string) Mark  { m.Loop = loop; return m }

func (m Parallel) loop() string  { return m.Loop }
func (m Vector) loop() string    { return m.Loop }
func (m Beside) loop() string    { return m.Loop }
func (m Region) loop() string    { return m.Loop }
func (m Team) loop() string      { return m.Loop }
func (m Threads) loop() string   { return m.Loop }
func (m Dynamic) loop() string   { return m.Loop }
func (m Atomics) loop() string   { return m.Loop }
func (m Collapse) loop() string  { return m.Loop }
func (m Ivdep) loop() string     { return m.Loop }
func (m Simdlen) loop() string   { return m.Loop }
func (m Stream) loop() string    { return m.Loop }
func (m Overlap) loop() string   { return m.Loop }
func (m Tile) loop() string      { return m.Loop }
func (m Registers) loop() string { return m.Loop }
func (m Relay) loop() string     { return m.Loop }
func (m Layout) loop() string    { return m.Loop }
func (m Local) loop() string     { return m.Loop }
