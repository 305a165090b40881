package space

import (
	"math/big"
	"math/rand/v2"
	"slices"
)

// Estimate is a guess at the number of partitions of a space.
type Estimate struct {
	// Count is the guess, which is right on average; StandardError is the
	// estimated standard deviation of its error.
	Count, StandardError *big.Float
}

// Estimate guesses the number of partitions from random descents, two or
// more: a descent goes through the statements in textual order and gives each
// one of the class numbers with which some partition begins. The product of
// the numbers of choices is on average the number of partitions (Knuth,
// "Estimating the efficiency of backtrack programs", 1975). Where it takes long
// to find out whether some partition begins so, which affine cuts can bring
// about, it is taken for granted; a descent that then has no choice left
// counts as 0.
func (s *Space) Estimate(random *rand.Rand, descents int) (Estimate, error) {
	defer s.watch()()
	list, err := s.descents(random, descents)
	if err != nil {
		return Estimate{}, err
	}
	mean := new(big.Float)
	for _, d := range list {
		mean.Add(mean, d.weight())
	}
	mean.Quo(mean, big.NewFloat(float64(len(list))))
	variance := new(big.Float)
	for _, d := range list {
		off := new(big.Float).Sub(d.weight(), mean)
		variance.Add(variance, off.Mul(off, off))
	}
	variance.Quo(variance, big.NewFloat(float64(len(list))*float64(len(list)-1)))
	return Estimate{mean, variance.Sqrt(variance)}, nil
}

// descent is a partition found by a random descent.
type descent struct {
	partition Partition
	// ways is the product of the numbers of choices on the way: one divided
	// by the probability of the partition. It is 0 when the descent ended
	// without a partition.
	ways *big.Int
}

func (d descent) weight() *big.Float { return new(big.Float).SetInt(d.ways) }

func (s *Space) descents(random *rand.Rand, count int) ([]descent, error) {
	if err := s.learn(); err != nil {
		return nil, err
	}
	e := newEnumerator(s)
	e.patience = descentPatience
	list := make([]descent, count)
	for k := range list {
		d, err := e.descend(random)
		if err != nil {
			return nil, err
		}
		list[k] = d
	}
	return list, nil
}

// descentPatience bounds the steps of a search for a choice in a descent.
const descentPatience = 200

// descentsPerPartition is how many descents there are for each partition that
// is chosen from them.
const descentsPerPartition = 16

// sampleDescents chooses up to n different partitions from random descents,
// with probabilities that make up for those of the descents (sampling
// importance resampling, Rubin 1987; without replacement by the keys of
// Efraimidis and Spirakis 2006).
func (s *Space) sampleDescents(random *rand.Rand, n int) ([]Partition, error) {
	list, err := s.descents(random, descentsPerPartition*n)
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(d descent) bool { return d.ways.Sign() == 0 })
	keys := map[*big.Int]*big.Float{}
	for _, d := range list {
		keys[d.ways] = new(big.Float).Quo(big.NewFloat(random.ExpFloat64()), d.weight())
	}
	slices.SortFunc(list, func(a, b descent) int { return keys[a.ways].Cmp(keys[b.ways]) })
	var chosen []Partition
	seen := map[string]bool{}
	for _, d := range list {
		if key := d.partition.String(); len(chosen) < n && !seen[key] {
			seen[key] = true
			chosen = append(chosen, d.partition)
		}
	}
	return chosen, nil
}

// descend gives the components random class numbers in the order of their
// first statements, and takes them back.
func (e *enumerator) descend(random *rand.Rand) (descent, error) {
	d := descent{partition: make(Partition, len(e.vector)), ways: big.NewInt(1)}
	for component := range e.components {
		choices, err := e.choices(component)
		if err != nil {
			return descent{}, err
		}
		d.ways.Mul(d.ways, big.NewInt(int64(len(choices))))
		if len(choices) == 0 {
			return d, nil
		}
		e.assign(component, choices[random.IntN(len(choices))])
		defer e.unassign(component)
	}
	for statement, component := range e.component {
		d.partition[statement] = e.class[component]
	}
	return d, nil
}

// choices are the class numbers of a component with which some partition
// begins.
func (e *enumerator) choices(component int) ([]int, error) {
	var list []int
	low, high := e.window(component)
	for class := low; class <= high; class++ {
		e.steps = 0
		begins, err := e.begins(component, class)
		if err != nil {
			return nil, err
		}
		if begins {
			list = append(list, class)
		}
	}
	return list, nil
}
