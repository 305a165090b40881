package space

import (
	"errors"
	"math/big"
	"slices"
)

// Total is the number of total preorders of n statements, legal or not: the
// ordered Bell numbers 1, 1, 3, 13, 75, 541, 4683, … (OEIS A000670).
func Total(n int) *big.Int {
	totals := []*big.Int{big.NewInt(1)}
	for m := 1; m <= n; m++ {
		sum := new(big.Int)
		for first := 1; first <= m; first++ {
			choices := new(big.Int).Binomial(int64(m), int64(first))
			sum.Add(sum, choices.Mul(choices, totals[m-first]))
		}
		totals = append(totals, sum)
	}
	return totals[n]
}

// counter counts partitions without listing them: the number of ways to
// arrange the components that are left depends only on which are left, not on
// the classes already made of the others.
type counter struct {
	*order
	memory *memory
	// sequence are the components in topological order.
	sequence []int
	counts   map[string]*big.Int
	// budget is the number of classes that may still be formed.
	budget int
}

// errBudget says that counting would take more classes than the budget.
var errBudget = errors.New("the partitions are too many ways apart to be counted within the budget")

// arrangements is the number of partitions of the components in left, which
// contains all successors of its members.
func (c *counter) arrangements(left bitset) (*big.Int, error) {
	if left.isEmpty() {
		return big.NewInt(1), nil
	}
	key := left.key()
	if count := c.counts[key]; count != nil {
		return count, nil
	}
	sum := new(big.Int)
	if err := c.addFirstClasses(sum, left, newBitset(len(c.component)), c.sequence); err != nil {
		return nil, err
	}
	c.counts[key] = sum
	return sum, nil
}

// addFirstClasses adds to sum the arrangements for every first class that
// extends the given statements by components among the candidates. left are
// the components outside the class.
func (c *counter) addFirstClasses(sum *big.Int, left, class bitset, candidates []int) error {
	if c.budget--; c.budget < 0 {
		return errBudget
	}
	if !class.isEmpty() {
		rest, err := c.arrangements(left)
		if err != nil {
			return err
		}
		sum.Add(sum, rest)
	}
	for i, next := range candidates {
		if !left.contains(next) || c.isBlocked(next, left) {
			continue
		}
		joined := class.with(c.components[next]...)
		fusible, err := c.memory.isFusible(joined)
		if err != nil {
			return err
		}
		if !fusible {
			continue
		}
		rest := slices.Clone(left)
		rest.remove(next)
		if err := c.addFirstClasses(sum, rest, joined, candidates[i+1:]); err != nil {
			return err
		}
	}
	return nil
}

// isBlocked says whether a component in left precedes the given one.
func (c *counter) isBlocked(component int, left bitset) bool {
	return slices.ContainsFunc(left.members(), func(d int) bool { return c.precedes(d, component) })
}
