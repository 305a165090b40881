package variant

import (
	"iter"
	"math/big"
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
func (s *Space) All() iter.Seq2[Point, error] {
	return func(yield func(Point, error) bool) {
		for p, err := range s.partitions.All() {
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
	_, ends, ok, err := s.weights(budget)
	if !ok || err != nil {
		return nil, false, err
	}
	if len(ends) == 0 {
		return new(big.Int), true, nil
	}
	return ends[len(ends)-1], true, nil
}

// weights lists the partitions and, for each, how many points it and those
// before it have. ok is false when there are more than the budget.
func (s *Space) weights(budget int) (list []space.Partition, ends []*big.Int, ok bool, err error) {
	total := new(big.Int)
	for p, err := range s.partitions.All() {
		if err != nil {
			return nil, nil, false, err
		}
		if len(list) == budget {
			return nil, nil, false, nil
		}
		settings, ok, err := s.settings(p, budget)
		if !ok || err != nil {
			return nil, nil, false, err
		}
		total = new(big.Int).Add(total, settings)
		list, ends = append(list, slices.Clone(p)), append(ends, total)
	}
	return list, ends, true, nil
}

// settings is the number of settings of the partition.
func (s *Space) settings(p space.Partition, budget int) (*big.Int, bool, error) {
	model, err := s.models.Of(p)
	if err != nil {
		return nil, false, err
	}
	count, ok := model.Count(budget)
	return count, ok, nil
}
