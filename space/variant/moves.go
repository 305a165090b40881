package variant

import (
	"errors"
	"iter"
	"slices"

	"polytune/space"
)

// Neighbours yields the points one step away: those with the same partition
// and a setting one step away along one axis (Model.Neighbours), and then
// those with a partition one move away (Moves) and the same values of the
// axes; axes that come to be have their defaults, and partitions whose axes'
// constraints forbid the values are left out. As long as no axis comes or
// goes, a point is a neighbour of its neighbours. An error ends the sequence.
func (s *Space) Neighbours(p Point) iter.Seq2[Point, error] {
	return func(yield func(Point, error) bool) {
		model, err := s.models.Of(p.Partition)
		if err != nil {
			yield(Point{}, err)
			return
		}
		for setting := range model.Neighbours(p.Setting) {
			if !yield(Point{slices.Clone(p.Partition), setting}, nil) {
				return
			}
		}
		for partition, err := range Moves(s.partitions, p.Partition) {
			var setting Setting
			ok := false
			if err == nil {
				setting, ok, err = s.carry(p.Setting, partition)
			}
			switch {
			case err != nil:
				yield(Point{}, err)
				return
			case ok && !yield(Point{partition, setting}, nil):
				return
			}
		}
	}
}

// carry takes a setting to another partition.
func (s *Space) carry(setting Setting, to space.Partition) (Setting, bool, error) {
	model, err := s.models.For(to, setting)
	if err != nil {
		return nil, false, err
	}
	carried, ok := model.Adapt(setting)
	return carried, ok, nil
}

// Moves yields the partitions one move away from p, each once: those in which
// one component is in another class, old or new; those in which two
// consecutive classes are one; and those in which one class is two consecutive
// ones. A partition is one move away from those that are so from it. Of the
// classes that are split those that lose fewer components come first: their
// number may be exponential in that of the components. An error ends the
// sequence.
func Moves(partitions Partitions, p space.Partition) iter.Seq2[space.Partition, error] {
	return func(yield func(space.Partition, error) bool) {
		hasse, err := partitions.Hasse()
		if err != nil {
			yield(nil, err)
			return
		}
		m := &mover{partitions, hasse, p}
		for _, moves := range []iter.Seq[space.Partition]{m.components, m.merges, m.splits} {
			for q := range moves {
				ok, err := m.contains(q)
				switch {
				case err != nil:
					yield(nil, err)
					return
				case ok && !yield(q, nil):
					return
				}
			}
		}
	}
}

// mover makes the partitions one move away from another one, legal or not.
type mover struct {
	partitions Partitions
	hasse      space.Hasse
	from       space.Partition
}

func (m *mover) contains(p space.Partition) (bool, error) {
	ok, reason := m.partitions.Contains(p)
	if errors.As(reason, new(*space.OutsideError)) {
		reason = nil
	}
	return ok, reason
}

// components yields the partitions in which one component is elsewhere.
func (m *mover) components(yield func(space.Partition) bool) {
	seen := map[string]bool{m.from.String(): true}
	for _, component := range m.hasse.Components {
		for place := range 2*m.from.Count() + 1 {
			q := m.moved(component, place)
			if text := q.String(); !seen[text] {
				seen[text] = true
				if !yield(q) {
					return
				}
			}
		}
	}
}

// moved puts the component at a place: 2k is a new class before class k,
// 2k + 1 is class k.
func (m *mover) moved(component []int, place int) space.Partition {
	q := make(space.Partition, len(m.from))
	for i, class := range m.from {
		q[i] = 2*class + 1
	}
	for _, i := range component {
		q[i] = place
	}
	return q.Normalise()
}

// inClass are the components in each class.
func (m *mover) inClass() [][]int {
	classes := make([][]int, m.from.Count())
	for c, component := range m.hasse.Components {
		k := m.from[component[0]]
		classes[k] = append(classes[k], c)
	}
	return classes
}

// merges yields the partitions in which two consecutive classes of several
// components are one; those of one component are a matter of components.
func (m *mover) merges(yield func(space.Partition) bool) {
	classes := m.inClass()
	for k := range len(classes) - 1 {
		if len(classes[k]) < 2 || len(classes[k+1]) < 2 {
			continue
		}
		q := slices.Clone(m.from)
		for i, class := range q {
			if class > k {
				q[i] = class - 1
			}
		}
		if !yield(q) {
			return
		}
	}
}

// splits yields the partitions in which a class is two, each of several
// components, that respect the order.
func (m *mover) splits(yield func(space.Partition) bool) {
	classes := m.inClass()
	for small := 2; ; small++ {
		possible := false
		for _, class := range classes {
			if len(class) < 2*small {
				continue
			}
			possible = true
			sizes := slices.Compact([]int{small, len(class) - small})
			for _, size := range sizes {
				for first := range m.beginnings(class, size) {
					if !yield(m.split(first)) {
						return
					}
				}
			}
		}
		if !possible {
			return
		}
	}
}

// split makes the given components of a class a class of their own, just
// before the rest of theirs.
func (m *mover) split(first []int) space.Partition {
	q := make(space.Partition, len(m.from))
	for i, class := range m.from {
		q[i] = 2*class + 1
	}
	for _, c := range first {
		for _, i := range m.hasse.Components[c] {
			q[i]--
		}
	}
	return q.Normalise()
}

// beginnings yields the sets of so many components of a class that may come
// before the others. The components between two of a class are in it, so that
// the reduced order decides.
func (m *mover) beginnings(class []int, size int) iter.Seq[[]int] {
	sorted := m.sorted(class)
	return func(yield func([]int) bool) {
		m.extend(sorted, nil, nil, size, yield)
	}
}

// extend yields the beginnings with the taken components and size further
// ones of the rest, none of the left ones, and says whether to go on.
func (m *mover) extend(rest, taken, left []int, size int, yield func([]int) bool) bool {
	switch {
	case size == 0:
		return yield(slices.Clone(taken))
	case len(rest) < size:
		return true
	}
	next := rest[0]
	if !slices.ContainsFunc(left, func(c int) bool { return m.before(c, next) }) &&
		!m.extend(rest[1:], append(taken, next), left, size-1, yield) {
		return false
	}
	return m.extend(rest[1:], taken, append(left, next), size, yield)
}

// before says whether the reduced order has an arrow from c to d.
func (m *mover) before(c, d int) bool {
	return slices.ContainsFunc(m.hasse.Edges, func(e space.HasseEdge) bool { return e.From == c && e.To == d })
}

// sorted are the components in an order that respects theirs.
func (m *mover) sorted(class []int) []int {
	var order []int
	left := slices.Clone(class)
	for len(left) > 0 {
		k := slices.IndexFunc(left, func(d int) bool {
			return !slices.ContainsFunc(left, func(c int) bool { return m.before(c, d) })
		})
		order = append(order, left[k])
		left = slices.Delete(left, k, k+1)
	}
	return order
}
