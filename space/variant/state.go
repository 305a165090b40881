package variant

import (
	"fmt"
	"slices"
	"strings"
)

// state is what is left of a model when some axes are known: the open axes,
// with what is left of their conditions, and what is left of the constraints.
// States are not changed; assign makes new ones.
type state struct {
	model *Model
	open  []openAxis
	rest  []Condition
	// broken says that a constraint is violated.
	broken bool
}

// openAxis is an axis that is not known yet, by its place in the model.
type openAxis struct {
	axis int
	when Condition
}

// start is the state in which nothing is known.
func (m *Model) start() state {
	s := state{model: m}
	for i, a := range m.axes {
		when := a.When
		if when == nil {
			when = truth(true)
		}
		s.open = append(s.open, openAxis{i, when})
	}
	for _, c := range m.constraints {
		s.require(c.Condition)
	}
	return s
}

// require adds a constraint to a state that is being made.
func (s *state) require(c Condition) {
	switch c {
	case truth(true):
	case truth(false):
		s.broken = true
	default:
		s.rest = append(s.rest, c)
	}
}

// isActive says whether the open axis, all axes before which are known or do
// not matter to it, has a value.
func (s state) isActive(axis int) bool {
	k := slices.IndexFunc(s.open, func(o openAxis) bool { return o.axis == axis })
	return s.open[k].when == truth(true)
}

// assign is the state when one of the open axes is known as well.
func (s state) assign(axis int, f fact) state {
	next := state{model: s.model, broken: s.broken}
	for _, o := range s.open {
		if o.axis != axis {
			next.open = append(next.open, openAxis{o.axis, o.when.given(f, s.model.ranges)})
		}
	}
	for _, c := range s.rest {
		next.require(c.given(f, s.model.ranges))
	}
	return next
}

// choices are the facts that the first open axis allows, each with the state
// it leads to; those that break a constraint are left out.
func (s state) choices(yield func(fact, state) bool) {
	first := s.open[0].axis
	a := s.model.axes[first]
	if !s.isActive(first) {
		f := fact{axis: a.Name}
		if next := s.assign(first, f); !next.broken {
			yield(f, next)
		}
		return
	}
	for _, value := range a.Values.list {
		f := fact{a.Name, value, true}
		if next := s.assign(first, f); !next.broken && !yield(f, next) {
			return
		}
	}
}

// parts are the states of the groups of open axes that no condition ties
// together: a setting of the whole is any combination of theirs.
func (s state) parts() []state {
	group := map[string]int{}
	for k, o := range s.open {
		group[s.model.axes[o.axis].Name] = k
	}
	for _, o := range s.open {
		s.tie(group, s.model.axes[o.axis].Name, o.when)
	}
	for _, c := range s.rest {
		s.tie(group, "", c)
	}
	byGroup := map[int]*state{}
	var order []*state
	partOf := func(name string) *state {
		k := group[name]
		if byGroup[k] == nil {
			byGroup[k] = &state{model: s.model}
			order = append(order, byGroup[k])
		}
		return byGroup[k]
	}
	for _, o := range s.open {
		part := partOf(s.model.axes[o.axis].Name)
		part.open = append(part.open, o)
	}
	for _, c := range s.rest {
		part := partOf(axesOf(c)[0])
		part.rest = append(part.rest, c)
	}
	list := make([]state, len(order))
	for k, part := range order {
		list[k] = *part
	}
	return list
}

// tie puts the axes that the condition names, and the one with the name
// unless that is "", into one group.
func (s state) tie(group map[string]int, name string, c Condition) {
	for _, other := range axesOf(c) {
		if name == "" {
			name = other
		}
		from, to := group[other], group[name]
		if from == to {
			continue
		}
		for n, g := range group {
			if g == from {
				group[n] = to
			}
		}
	}
}

// axesOf are the axes that the condition names.
func axesOf(c Condition) []string {
	var names []string
	c.each(func(use mention) { names = append(names, use.axis) })
	return names
}

// key is a text that states with the same settings have in common. States
// with equal keys have the same settings of their open axes.
func (s state) key() string {
	var b strings.Builder
	for _, o := range s.open {
		fmt.Fprintf(&b, "%d when %s;", o.axis, o.when)
	}
	for _, c := range s.rest {
		fmt.Fprintf(&b, "%s;", c)
	}
	return b.String()
}
