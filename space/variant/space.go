package variant

import (
	"errors"
	"fmt"
	"iter"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"

	"polytune/space"
)

// Partitions are the partitions of a variant space; *space.Space is one.
type Partitions interface {
	// All lists them in a stable order.
	All() iter.Seq2[space.Partition, error]
	// Count is their number; ok is false when finding it exceeds the budget.
	Count(budget int) (count *big.Int, ok bool, err error)
	// Contains says whether the partition is one of them. The reason is a
	// *space.OutsideError when it is not.
	Contains(space.Partition) (ok bool, reason error)
	// Sample draws n different ones, or all if there are no more; exact says
	// whether every set of n is as likely as any other.
	Sample(random *rand.Rand, n int) (list []space.Partition, exact bool, err error)
	// Hasse has the components, which no partition takes apart, and their
	// order.
	Hasse() (space.Hasse, error)
}

// Point is one variant: a partition and a setting of its model's axes.
type Point struct {
	Partition space.Partition
	Setting   Setting
}

// Space is the set of variants: every partition with every setting of its
// model.
type Space struct {
	partitions Partitions
	models     *Models
}

// NewSpace is the space of the partitions with the models' axes.
func NewSpace(partitions Partitions, models *Models) *Space { return &Space{partitions, models} }

// Text is the point as Parse reads it: "0-1-1-2 tile=wide".
func (s *Space) Text(p Point) (string, error) {
	setting, err := s.models.Text(p.Partition, p.Setting)
	return strings.TrimSuffix(p.Partition.String()+" "+setting, " "), err
}

// Parse reads a point: the class vector, and the setting as Models.Parse reads
// it. The error is a *SettingError or a *space.OutsideError when the text is
// that of no point of the space.
func (s *Space) Parse(text string) (Point, error) {
	vector, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	partition, err := space.Parse(vector)
	if err != nil {
		return Point{}, err
	}
	if ok, reason := s.partitions.Contains(partition); !ok {
		return Point{}, reason
	}
	setting, err := s.models.Parse(partition, rest)
	return Point{partition, setting}, err
}

// Contains says whether the point belongs to the space. When it does not, the
// reason is a *SettingError or a *space.OutsideError; any other error is a
// failure to decide.
func (s *Space) Contains(p Point) (ok bool, reason error) {
	if ok, reason := s.partitions.Contains(p.Partition); !ok {
		return false, reason
	}
	model, err := s.models.Of(p.Partition)
	if err != nil {
		return false, err
	}
	return model.Contains(p.Setting)
}

// All yields the points: partitions in their order, each with the settings of
// its model in the order of Model.All. An error ends the sequence.
func (s *Space) All() iter.Seq2[Point, error] { return s.over(s.partitions.All()) }

// over yields the points of the partitions.
func (s *Space) over(partitions iter.Seq2[space.Partition, error]) iter.Seq2[Point, error] {
	return func(yield func(Point, error) bool) {
		for p, err := range partitions {
			var model *Model
			if err == nil {
				model, err = s.models.Of(p)
			}
			if err != nil {
				yield(Point{}, err)
				return
			}
			for setting := range model.All() {
				if !yield(Point{slices.Clone(p), setting}, nil) {
					return
				}
			}
		}
	}
}

// Count is the number of points. Without families of axes that is the number
// of partitions times that of settings. With them, the partitions have to be
// listed. ok is false when there are more of them than the budget, or when
// counting partitions or settings exceeds it.
func (s *Space) Count(budget int) (count *big.Int, ok bool, err error) {
	if len(s.models.families) == 0 {
		settings, ok := s.models.shared.Count(budget)
		if !ok {
			return nil, false, nil
		}
		count, ok, err := s.partitions.Count(budget)
		if !ok || err != nil {
			return nil, false, err
		}
		return count.Mul(count, settings), true, nil
	}
	list, ok, err := s.listed(budget)
	if !ok || err != nil {
		return nil, false, err
	}
	ends, err := s.ends(list, budget)
	switch {
	case errors.Is(err, errBudget):
		return nil, false, nil
	case err != nil || len(ends) == 0:
		return new(big.Int), err == nil, err
	}
	return ends[len(ends)-1], true, nil
}

// listed are the partitions; ok is false when there are more than the budget.
func (s *Space) listed(budget int) (list []space.Partition, ok bool, err error) {
	for p, err := range s.partitions.All() {
		if err != nil || len(list) == budget {
			return nil, false, err
		}
		list = append(list, slices.Clone(p))
	}
	return list, true, nil
}

// ends are, for each partition, how many points it and those before it have.
func (s *Space) ends(list []space.Partition, budget int) (ends []*big.Int, err error) {
	total := new(big.Int)
	for _, p := range list {
		groups, err := s.compile(p, budget)
		if err != nil {
			return nil, err
		}
		total = new(big.Int).Add(total, product(groups))
		ends = append(ends, total)
	}
	return ends, nil
}

// errBudget says that the settings of a partition cannot be counted.
var errBudget = errors.New("its settings cannot be counted within the budget")

// compile makes the groups of the partition's model.
func (s *Space) compile(p space.Partition, budget int) ([]*group, error) {
	model, err := s.models.Of(p)
	if err != nil {
		return nil, err
	}
	groups, ok := model.compile(budget)
	if !ok {
		return nil, fmt.Errorf("partition %s: %w of %d steps; untie the axes of the largest constraint, or allow more", p, errBudget, budget)
	}
	return groups, nil
}
