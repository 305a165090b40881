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
	number := s.numbers()
	place := map[int]int{}
	var parts []state
	part := func(name string) *state {
		k, ok := place[number[name]]
		if !ok {
			k = len(parts)
			place[number[name]] = k
			parts = append(parts, state{model: s.model})
		}
		return &parts[k]
	}
	for _, o := range s.open {
		p := part(s.model.axes[o.axis].Name)
		p.open = append(p.open, o)
	}
	for _, c := range s.rest {
		p := part(axesOf(c)[0])
		p.rest = append(p.rest, c)
	}
	return parts
}

// numbers gives open axes the same number exactly when conditions tie them
// together.
func (s state) numbers() map[string]int {
	number := map[string]int{}
	for k, o := range s.open {
		number[s.model.axes[o.axis].Name] = k
	}
	for _, o := range s.open {
		tie(number, append(axesOf(o.when), s.model.axes[o.axis].Name))
	}
	for _, c := range s.rest {
		tie(number, axesOf(c))
	}
	return number
}

// tie gives all axes with the numbers of the named ones the same number.
func tie(number map[string]int, names []string) {
	for _, name := range names[1:] {
		from, to := number[name], number[names[0]]
		for n, k := range number {
			if k == from {
				number[n] = to
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
