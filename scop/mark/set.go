package mark

import (
	"reflect"
	"slices"
)

// Set are the marks of one loop; commands give it at most one of each kind. Sets share memory; none
// changes another.
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

// On are the marks with the name of their loop, in those that have one.
func (s Set) On(loop string) []Mark {
	marks := make([]Mark, len(s))
	for k, m := range s {
		of := reflect.New(reflect.TypeOf(m)).Elem()
		of.Set(reflect.ValueOf(m))
		if name := of.FieldByName(loopField); name.IsValid() {
			name.SetString(loop)
		}
		marks[k] = of.Interface().(Mark)
	}
	return marks
}

// LoopOf is the loop that a mark names, "" for those that name none.
func LoopOf(m Mark) string {
	if name := reflect.ValueOf(m).FieldByName(loopField); name.IsValid() {
		return name.String()
	}
	return ""
}

// loopField is the field with the name of the loop that a mark is about.
const loopField = "Loop"
