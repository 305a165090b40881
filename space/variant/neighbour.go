package variant

import (
	"iter"
	"maps"
	"slices"
)

// Neighbours yields the settings one step away along one axis, in the order
// of the axes: every other value of words and switches, the next smaller and
// the next greater one of a ladder. Where the constraints forbid a step on a
// ladder the next one that they allow is taken. Axes that become active by
// the step have their defaults. As long as none does, a setting is a
// neighbour of its neighbours.
func (m *Model) Neighbours(s Setting) iter.Seq[Setting] {
	return func(yield func(Setting) bool) {
		for _, a := range m.axes {
			value, active := s[a.Name]
			if !active {
				continue
			}
			for _, way := range a.Values.ways(value) {
				if !m.step(s, a.Name, way, yield) {
					return
				}
			}
		}
	}
}

// ways are the values to which a step from the given one may lead. From each
// of the lists the first is taken that is possible.
func (v Values) ways(from Value) [][]Value {
	k := slices.Index(v.list, from)
	if v.kind == ladder {
		down := slices.Clone(v.list[:k])
		slices.Reverse(down)
		return [][]Value{down, v.list[k+1:]}
	}
	var ways [][]Value
	for _, value := range v.list {
		if value != from {
			ways = append(ways, []Value{value})
		}
	}
	return ways
}

// step yields the setting with the first of the values that is possible.
func (m *Model) step(s Setting, axis string, values []Value, yield func(Setting) bool) bool {
	for _, value := range values {
		changed := maps.Clone(s)
		changed[axis] = value
		if next, ok := m.Adapt(changed); ok {
			return yield(next)
		}
	}
	return true
}

// Adapt is the setting without the axes that are not active with the values
// of the others, or not the model's, and with defaults for those that are
// missing. ok is false when that is against a constraint.
func (m *Model) Adapt(s Setting) (adapted Setting, ok bool) {
	left := m.start()
	adapted = Setting{}
	for i, a := range m.axes {
		value, has := s[a.Name]
		if !has || !slices.Contains(a.Values.list, value) {
			value = a.Default
		}
		f := fact{a.Name, value, left.isActive(i)}
		adapted.add(f)
		left = left.assign(i, f)
	}
	return adapted, !left.broken
}
