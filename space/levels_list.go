package space

import (
	"errors"
	"iter"
)

// nests are the nests of the place's statements of the given depth, from the
// given one on when it is not nil, in the order of Nest.Compare.
func (at *place) nests(depth int, from Nest) iter.Seq2[Nest, error] {
	return func(yield func(Nest, error) bool) {
		if depth == 0 {
			yield(Nest{}, nil)
			return
		}
		if at.space == nil {
			return
		}
		for p, err := range at.space.from(from) {
			if err != nil {
				yield(nil, err)
				return
			}
			start := from
			if from != nil && p.Compare(from.Partition()) != 0 {
				start = nil
			}
			if !at.insideClasses(p, depth, start, yield) {
				return
			}
		}
	}
}

// from are the partitions of the space from the outermost level of a nest on,
// all of them when it is nil.
func (s *Space) from(n Nest) iter.Seq2[Partition, error] {
	if n == nil {
		return s.All()
	}
	return func(yield func(Partition, error) bool) {
		ok, err := s.Contains(n.Partition())
		var outside *OutsideError
		if err != nil && !errors.As(err, &outside) {
			yield(nil, err)
			return
		}
		if ok && !yield(n.Partition(), nil) {
			return
		}
		for p, err := range s.After(n.Partition()) {
			if !yield(p, err) {
				return
			}
		}
	}
}

// insideClasses yields the nests whose outermost level is the partition: all
// combinations of nests inside its classes. It returns false when yield does.
func (at *place) insideClasses(p Partition, depth int, from Nest, yield func(Nest, error) bool) bool {
	classes := p.Classes()
	for _, class := range classes {
		possible, err := at.hasNests(at.within(class), depth-1)
		if err != nil {
			return yield(nil, err)
		}
		if !possible {
			return true
		}
	}
	inside := make([]Nest, len(classes))
	var fill func(k int, tight bool) bool
	fill = func(k int, tight bool) bool {
		if k == len(classes) {
			return yield(nestOf(p, inside), nil)
		}
		var start Nest
		if tight {
			start = from.Inside(classes[k])
		}
		for n, err := range at.sharing(at.within(classes[k]), depth-1, start) {
			if err != nil {
				yield(nil, err)
				return false
			}
			inside[k] = n
			if !fill(k+1, tight && n.Compare(start) == 0) {
				return false
			}
		}
		return true
	}
	return fill(0, from != nil)
}

// hasNests says whether there is a nest of the depth inside a loop that the
// statements share, which is so when each linked part has one.
func (at *place) hasNests(class []int, depth int) (bool, error) {
	if depth == 0 {
		return true, nil
	}
	for _, part := range at.test.linkedParts(class) {
		choices, err := at.choicesOfPart(part)
		if err != nil {
			return false, err
		}
		possible := len(part) == 1
		for k := 0; k < len(choices) && !possible; k++ {
			next, err := at.inside(part, choices[k])
			if err != nil {
				return false, err
			}
			for _, err := range next.nests(depth, nil) {
				if err != nil {
					return false, err
				}
				possible = true
				break
			}
		}
		if !possible {
			return false, nil
		}
	}
	return true, nil
}

// sharing are the nests of the depth inside a loop that the statements share:
// the union of those inside each choice of rows.
func (at *place) sharing(class []int, depth int, from Nest) iter.Seq2[Nest, error] {
	if depth == 0 || len(class) == 1 {
		return func(yield func(Nest, error) bool) {
			only := make(Nest, depth)
			for k := range only {
				only[k] = make([]int, len(class))
			}
			yield(only, nil)
		}
	}
	return func(yield func(Nest, error) bool) {
		choices, err := at.combinations(class, depth)
		if err != nil {
			yield(nil, err)
			return
		}
		var sequences []iter.Seq2[Nest, error]
		for _, choice := range choices {
			next, err := at.inside(class, choice)
			if err != nil {
				yield(nil, err)
				return
			}
			sequences = append(sequences, next.nests(depth, from))
		}
		merge(sequences)(yield)
	}
}
