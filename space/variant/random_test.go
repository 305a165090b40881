package variant

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// system is a random model with an oracle of its own: active and allowed are
// Go functions made together with the conditions, which they do not use.
type system struct {
	axes        []Axis
	constraints []Constraint
	// active says, for each axis, whether it has a value when the axes before
	// it have those of the setting.
	active  []func(Setting) bool
	allowed []func(Setting) bool
	// numbers are the names of the axes with integers.
	numbers []string
}

func yes(Setting) bool { return true }

// randomSystem has up to five axes with up to four values, conditions and
// constraints of every kind.
func randomSystem(random *rand.Rand) *system {
	s := &system{}
	for i := range 1 + random.IntN(5) {
		a := Axis{Name: fmt.Sprintf("%c%d", 'a'+random.IntN(3), i)}
		switch random.IntN(3) {
		case 0:
			a.Values = Words([]string{"x", "y", "z", "w"}[:1+random.IntN(4)]...)
		case 1:
			a.Values = Ladder([]int64{-3, 0, 1, 2, 5}[random.IntN(4):]...)
		default:
			a.Values = Switch()
		}
		a.Default = a.Values.list[random.IntN(len(a.Values.list))]
		active := yes
		if i > 0 && random.IntN(2) == 0 {
			a.When, active = s.condition(random, 2)
		}
		s.axes, s.active = append(s.axes, a), append(s.active, active)
		if a.Values.numbers() {
			s.numbers = append(s.numbers, a.Name)
		}
	}
	for range random.IntN(4) {
		c, allowed := s.condition(random, 3)
		s.constraints = append(s.constraints, Constraint{"chance wants it", c})
		s.allowed = append(s.allowed, allowed)
	}
	return s
}

// condition is a random condition on the axes so far, as such and as a
// function.
func (s *system) condition(random *rand.Rand, depth int) (Condition, func(Setting) bool) {
	kind := random.IntN(7)
	if depth == 0 {
		kind = random.IntN(3)
	}
	switch kind {
	case 0:
		if len(s.numbers) > 0 {
			left, leftValue := s.expression(random, 2)
			right, rightValue := s.expression(random, 1)
			return AtMost(left, right), func(v Setting) bool { return leftValue(v, 0) <= rightValue(v, 0) }
		}
	case 1:
		return s.parity(random)
	case 3, 4, 5, 6:
		first, one := s.condition(random, depth-1)
		second, two := s.condition(random, depth-1)
		switch kind {
		case 3:
			return All(first, second), func(v Setting) bool { return one(v) && two(v) }
		case 4:
			return Any(first, second), func(v Setting) bool { return one(v) || two(v) }
		case 5:
			return Implies(first, second), func(v Setting) bool { return !one(v) || two(v) }
		}
		return Not(first), func(v Setting) bool { return !one(v) }
	}
	a := s.axes[random.IntN(len(s.axes))]
	values := a.Values.list[:1+random.IntN(len(a.Values.list))]
	return Is(a.Name, values...), func(v Setting) bool {
		value, active := v[a.Name]
		return active && slices.Contains(values, value)
	}
}

// parity is a function of two axes: whether an even number of them is active
// with a value of one letter.
func (s *system) parity(random *rand.Rand) (Condition, func(Setting) bool) {
	names := []string{s.axes[random.IntN(len(s.axes))].Name, s.axes[random.IntN(len(s.axes))].Name}
	function := func(v Setting) bool {
		count := 0
		for _, name := range names {
			if value, active := v[name]; active && len(value.String()) == 1 {
				count++
			}
		}
		return count%2 == 0
	}
	return Holds(fmt.Sprintf("parity of %s and %s", names[0], names[1]), names, function), function
}

// expression is a random expression, as such and as a function of a setting
// and of what an inactive axis stands for.
func (s *system) expression(random *rand.Rand, depth int) (Expression, func(Setting, int64) int64) {
	kind := random.IntN(4)
	if depth == 0 {
		kind = random.IntN(2)
	}
	switch kind {
	case 0:
		n := random.Int64N(8) - 2
		return Number(n), func(Setting, int64) int64 { return n }
	case 1:
		name := s.numbers[random.IntN(len(s.numbers))]
		return Of(name), func(v Setting, neutral int64) int64 {
			if value, active := v[name]; active {
				return value.Integer()
			}
			return neutral
		}
	}
	first, one := s.expression(random, depth-1)
	second, two := s.expression(random, depth-1)
	if kind == 2 {
		return Sum(first, second), func(v Setting, _ int64) int64 { return one(v, 0) + two(v, 0) }
	}
	return Product(first, second), func(v Setting, _ int64) int64 { return one(v, 1) * two(v, 1) }
}

// brute lists the settings of the system in order, from all combinations.
func (s *system) brute() []Setting {
	list := []Setting{{}}
	for i, a := range s.axes {
		var longer []Setting
		for _, setting := range list {
			if !s.active[i](setting) {
				longer = append(longer, setting)
				continue
			}
			for _, v := range a.Values.list {
				longer = append(longer, with(setting, a.Name, v))
			}
		}
		list = longer
	}
	return slices.DeleteFunc(list, func(v Setting) bool {
		return slices.ContainsFunc(s.allowed, func(allowed func(Setting) bool) bool { return !allowed(v) })
	})
}

// eachSystem calls f for random systems, those whose defaults are allowed.
func eachSystem(t *testing.T, seed uint64, f func(*testing.T, *rand.Rand, *system, *Model)) {
	random := rand.New(rand.NewPCG(seed, 0))
	tied, conditional := 0, 0
	for k := range 250 {
		s := randomSystem(random)
		m, err := New(s.axes, s.constraints)
		if err != nil {
			continue
		}
		if len(s.constraints) > 0 {
			tied++
		}
		if slices.ContainsFunc(s.axes, func(a Axis) bool { return a.When != nil }) {
			conditional++
		}
		t.Run(fmt.Sprint(k), func(t *testing.T) { f(t, random, s, m) })
	}
	if tied < 50 || conditional < 50 {
		t.Errorf("%d systems have constraints, %d conditions: too few to test anything", tied, conditional)
	}
}

// with is the setting with the axis at the value.
func with(s Setting, name string, v Value) Setting {
	changed := maps.Clone(s)
	changed[name] = v
	return changed
}
