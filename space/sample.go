package space

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"

	"polytune/internal/uniform"
)

// Sample draws n different partitions, or all when the space has no more, in
// random order. It is exact, every set of n partitions being as likely as any
// other, when the space can be counted within DefaultBudget: the partitions are
// then drawn by the recursion that counts them. Otherwise they are chosen from
// random descents (see Estimate), each with a probability near to that of the
// others, and there may be fewer than n.
func (s *Space) Sample(random *rand.Rand, n int) (list []Partition, exact bool, err error) {
	defer s.watch()()
	all, err := s.counted(DefaultBudget)
	switch {
	case err != nil:
		return nil, false, err
	case all == nil:
		list, err = s.sampleDescents(random, n)
		return list, false, err
	case all.total().Cmp(big.NewInt(2*int64(n))) <= 0:
		list, err = s.shuffled(random, n)
		return list, true, err
	}
	seen := map[string]bool{}
	for len(list) < n {
		p, err := s.draw(random, all)
		if err != nil {
			return nil, false, err
		}
		if key := p.String(); !seen[key] {
			seen[key] = true
			list = append(list, p)
		}
	}
	return list, true, nil
}

// shuffled are n random ones of all partitions.
func (s *Space) shuffled(random *rand.Rand, n int) ([]Partition, error) {
	var list []Partition
	for p, err := range s.All() {
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list[:min(n, len(list))], nil
}

// draw draws one partition, every one with the same probability.
func (s *Space) draw(random *rand.Rand, all *arrangements) (Partition, error) {
	classes, err := s.counter.draw(random, all, uniform.Index(random, all.counts))
	p := make(Partition, s.encoding.Statements)
	for number, class := range classes {
		for _, i := range class {
			p[i] = number
		}
	}
	return p, err
}

// draw draws one of the arrangements with so many classes, which are given by
// their statements.
func (c *counter) draw(random *rand.Rand, a *arrangements, classes int) ([][]int, error) {
	switch {
	case classes == 0:
		return nil, nil
	case len(a.parts) > 0:
		return c.drawMerged(random, a, len(a.parts)-1, classes)
	case a.listed != nil:
		list := a.listed[classes]
		return list[random.IntN(len(list))].Classes(), nil
	}
	first, rest, err := c.drawFirst(random, a, classes)
	if err != nil {
		return nil, err
	}
	others, err := c.draw(random, rest, classes-1)
	return slices.Concat([][]int{first}, others), err
}

// drawFirst draws the first of the classes, and says how the others can be
// arranged.
func (c *counter) drawFirst(random *rand.Rand, a *arrangements, classes int) (class []int, rest *arrangements, err error) {
	place := uniform.Below(random, a.counts[classes])
	for first, err := range c.firstClasses(a.left) {
		if err == nil {
			rest, err = c.count(first.rest)
		}
		if err != nil {
			return nil, nil, err
		}
		if len(rest.counts) < classes {
			continue
		}
		if place.Sub(place, rest.counts[classes-1]); place.Sign() < 0 {
			return first.class.members(), rest, nil
		}
	}
	return nil, nil, errors.New("the counts of partitions do not add up")
}

// drawMerged draws an arrangement of the parts up to the last.
func (c *counter) drawMerged(random *rand.Rand, a *arrangements, last, classes int) ([][]int, error) {
	if last == 0 {
		return c.draw(random, a.parts[0], classes)
	}
	way := c.drawMerging(random, a, last, classes)
	first, err := c.drawMerged(random, a, last-1, way.first)
	if err != nil {
		return nil, err
	}
	second, err := c.draw(random, a.parts[last], way.second)
	return interleave(random, first, second, classes), err
}

// drawMerging draws how many classes the parts before the last have, and how
// many the last.
func (c *counter) drawMerging(random *rand.Rand, a *arrangements, last, classes int) merging {
	var ways []merging
	var counts []*big.Int
	for way := range c.merges(a.merged[last-1], a.parts[last].counts) {
		if way.together == classes {
			ways = append(ways, way)
			counts = append(counts, way.count)
		}
	}
	return ways[uniform.Index(random, counts)]
}

// interleave draws one of the ways to merge two sequences of classes into one
// of the given length: the places that have a class of the first, and, of
// those, the places that have one of the second too, as all others do.
func interleave(random *rand.Rand, first, second [][]int, length int) [][]int {
	classes := make([][]int, length)
	inFirst, inSecond := make([]bool, length), make([]bool, length)
	places := random.Perm(length)
	for k, place := range places {
		inFirst[place] = k < len(first)
		inSecond[place] = k >= length-len(second)
	}
	for place := range classes {
		if inFirst[place] {
			classes[place], first = append(classes[place], first[0]...), first[1:]
		}
		if inSecond[place] {
			classes[place], second = append(classes[place], second[0]...), second[1:]
		}
	}
	return classes
}
