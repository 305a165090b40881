package space

import (
	"errors"
	"math/big"
)

// Count is the number of nests of the space. Partitions of the outermost level
// are listed, and what is inside their classes is counted once for each class:
// the numbers of the classes of one partition are multiplied. Count gives up
// when it would list more than budget partitions and nests; exact is then
// false.
func (l *Levels) Count(budget int) (count *big.Int, exact bool, err error) {
	c := &nestCounter{counts: map[string]*big.Int{}, budget: budget}
	count, err = c.inside(l.root, l.depth)
	if errors.Is(err, errBudget) {
		return nil, false, nil
	}
	return count, err == nil, err
}

// nestCounter counts nests within a budget; counts are remembered by class,
// rows around it and depth.
type nestCounter struct {
	counts map[string]*big.Int
	budget int
}

func (c *nestCounter) spend() error {
	if c.budget--; c.budget < 0 {
		return errBudget
	}
	return nil
}

// inside is the number of nests of all the place's statements.
func (c *nestCounter) inside(at *place, depth int) (*big.Int, error) {
	sum := new(big.Int)
	if at.space == nil {
		return sum, nil
	}
	for p, err := range at.space.All() {
		if err == nil {
			err = c.spend()
		}
		if err != nil {
			return nil, err
		}
		product := big.NewInt(1)
		for _, class := range p.Classes() {
			count, err := c.sharing(at, at.within(class), depth-1)
			if err != nil {
				return nil, err
			}
			product.Mul(product, count)
		}
		sum.Add(sum, product)
	}
	return sum, nil
}

// sharing is the number of nests inside a loop that the statements share. Those
// of one choice of rows are counted, those of several listed, because choices
// have nests in common.
func (c *nestCounter) sharing(at *place, class []int, depth int) (*big.Int, error) {
	if depth == 0 || len(class) == 1 {
		return big.NewInt(1), nil
	}
	key := keyOf(class, at.rows)
	if count := c.counts[key]; count != nil {
		return count, nil
	}
	choices, err := at.combinations(class, depth)
	if err != nil {
		return nil, err
	}
	count := new(big.Int)
	if len(choices) == 1 {
		next, err := at.inside(class, choices[0])
		if err != nil {
			return nil, err
		}
		count, err = c.inside(next, depth)
		if err != nil {
			return nil, err
		}
	} else {
		for _, err := range at.sharing(class, depth, nil) {
			if err == nil {
				err = c.spend()
			}
			if err != nil {
				return nil, err
			}
			count.Add(count, big.NewInt(1))
		}
	}
	c.counts[key] = count
	return count, nil
}
