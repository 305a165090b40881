package space

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"polytune/internal/uniform"
)

// MostSampled bounds what Sample draws at once.
const MostSampled = 1_000_000

// Sample draws n different partitions, up to MostSampled, or all when the space has no more, in
// random order. It is exact, every set of n partitions being as likely as any
// other, when the space can be counted within DefaultBudget: the partitions are
// then drawn by the recursion that counts them. Otherwise they are chosen from
// random descents (see Estimate), each with a probability near to that of the
// others, and there may be fewer than n.
func (s *Space) Sample(random *rand.Rand, n int) (list []Partition, exact bool, err error) {
	if n < 0 || n > MostSampled {
		return nil, false, fmt.Errorf("a sample of %d partitions is asked for; it has 0 to %d", n, MostSampled)
	}
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
		p := s.draw(random, all)
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
func (s *Space) draw(random *rand.Rand, all *arrangements) Partition {
	_, classes := s.counter.draw(random, all, uniform.Index(random, all.counts))
	p := make(Partition, s.encoding.Statements)
	for number, class := range classes {
		for _, i := range class {
			p[i] = number
		}
	}
	return p
}

// draw draws one of the arrangements with so many classes besides the begun
// one. joined are the statements that join that; the classes are given by
// their statements.
func (c *counter) draw(random *rand.Rand, a *arrangements, number int) (joined []int, classes [][]int) {
	switch {
	case len(a.parts) > 0:
		return c.drawMerged(random, a, len(a.parts)-1, number)
	case a.listed != nil:
		list := a.listed[number]
		return nil, list[random.IntN(len(list))].Classes()
	case len(a.choices) == 0:
		return nil, nil
	}
	chosen := drawChoice(random, a.choices, number)
	joined, classes = c.draw(random, chosen.then, number-chosen.classes())
	switch chosen.fate {
	case joins:
		joined = append(joined, c.components[chosen.component]...)
	case begins:
		first := append(joined, c.components[chosen.component]...)
		joined, classes = nil, slices.Insert(classes, 0, first)
	}
	return joined, classes
}

// drawChoice draws one of the choices, by how many of the arrangements with so
// many classes it has.
func drawChoice(random *rand.Rand, choices []choice, number int) choice {
	counts := make([]*big.Int, len(choices))
	for k, choice := range choices {
		counts[k] = new(big.Int)
		if rest := number - choice.classes(); 0 <= rest && rest < len(choice.then.counts) {
			counts[k] = choice.then.counts[rest]
		}
	}
	return choices[uniform.Index(random, counts)]
}

// drawMerged draws an arrangement of the parts up to the last.
func (c *counter) drawMerged(random *rand.Rand, a *arrangements, last, number int) (joined []int, classes [][]int) {
	if last == 0 {
		return c.draw(random, a.parts[0], number)
	}
	way := c.drawMerging(random, a, last, number)
	joined, first := c.drawMerged(random, a, last-1, way.first)
	further, second := c.draw(random, a.parts[last], way.second)
	return append(joined, further...), interleave(random, first, second, number)
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
