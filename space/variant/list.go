package variant

import "iter"

// All yields the settings in lexicographic order: axes in the order of their
// declaration, values in the order of theirs. Nothing is computed before it
// is asked for, and memory does not grow.
func (m *Model) All() iter.Seq[Setting] {
	return func(yield func(Setting) bool) { list(m.start(), nil, yield) }
}

// list yields the settings that begin with the facts, and says whether to go
// on.
func list(s state, known []fact, yield func(Setting) bool) bool {
	if len(s.open) == 0 {
		setting := Setting{}
		for _, f := range known {
			setting.add(f)
		}
		return yield(setting)
	}
	for f, next := range s.choices {
		if !list(next, append(known, f), yield) {
			return false
		}
	}
	return true
}
