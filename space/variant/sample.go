package variant

import (
	"fmt"
	"iter"
	"math/big"
	"math/rand/v2"
	"slices"

	"polytune/internal/uniform"
	"polytune/space"
)

// poolFactor is how many partitions are looked at for each point wanted, where
// not all can be.
const poolFactor = 16

// Sample draws n different points, or all when the space has no more, in
// random order. It is exact, every set of n points being as likely as any
// other, when partitions can be drawn so, and either there are no families of
// axes, or no more partitions than the budget. Otherwise points are drawn from
// a pool of random partitions, which is near to uniform when n is large
// (sampling importance resampling, Rubin 1988), and there may be fewer than n.
// The budget also bounds the counting of settings, see Model.Count; it is an
// error when that exceeds it.
func (s *Space) Sample(random *rand.Rand, n, budget int) (points []Point, exact bool, err error) {
	d := &drawing{space: s, random: random, budget: budget, groups: map[string][]*group{}}
	from, err := d.source(n)
	if err != nil {
		return nil, false, err
	}
	if from.points.Cmp(big.NewInt(2*int64(n))) <= 0 {
		points, err = d.shuffled(n, from)
	} else {
		points, err = d.distinct(n, from)
	}
	return points, from.exact, err
}

// drawing is the work of one call of Sample.
type drawing struct {
	space  *Space
	random *rand.Rand
	budget int
	// groups are those of the models of partitions.
	groups map[string][]*group
}

// source are partitions to draw from.
type source struct {
	all iter.Seq2[space.Partition, error]
	// points is how many points they have.
	points *big.Int
	// draw draws a partition, each as often as its share of the points.
	draw  func() (space.Partition, error)
	exact bool
}

// source chooses the partitions from which n points are drawn.
func (d *drawing) source(n int) (source, error) {
	partitions, simple := d.space.partitions, len(d.space.models.families) == 0
	_, exact, err := partitions.Sample(d.random, 1)
	if err != nil {
		return source{}, err
	}
	if simple && exact {
		points, ok, err := d.space.Count(d.budget)
		if ok || err != nil {
			return source{partitions.All(), points, d.one, true}, err
		}
	}
	if !simple {
		list, ok, err := d.space.listed(d.budget)
		if ok || err != nil {
			return d.weighted(list, ok, err)
		}
	}
	pool, _, err := partitions.Sample(d.random, min(poolFactor*n, space.MostSampled))
	return d.weighted(pool, false, err)
}

// Sampler draws settings of one model.
type Sampler struct{ groups []*group }

// Sampler makes ready to draw settings, each as likely as any other; ok is false
// when counting them exceeds the budget.
func (m *Model) Sampler(budget int) (s *Sampler, ok bool) {
	groups, ok := m.compile(budget)
	return &Sampler{groups}, ok
}

// Draw draws a setting.
func (s *Sampler) Draw(random *rand.Rand) Setting {
	setting := Setting{}
	draw(random, s.groups, setting)
	return setting
}

// one draws a partition.
func (d *drawing) one() (space.Partition, error) {
	list, _, err := d.space.partitions.Sample(d.random, 1)
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// weighted are the listed partitions, of which each is drawn as often as it
// has points. An error of listing them is passed on.
func (d *drawing) weighted(list []space.Partition, exact bool, err error) (source, error) {
	if err != nil {
		return source{}, err
	}
	ends, err := d.space.ends(list, d.budget)
	if err != nil {
		return source{}, err
	}
	from := source{all: each(list), points: new(big.Int), exact: exact}
	if len(ends) > 0 {
		from.points = ends[len(ends)-1]
	}
	from.draw = func() (space.Partition, error) {
		place := uniform.Below(d.random, from.points)
		k, _ := slices.BinarySearchFunc(ends, place, func(end, place *big.Int) int {
			if end.Cmp(place) <= 0 {
				return -1
			}
			return 1
		})
		return list[k], nil
	}
	return from, nil
}

// each yields the partitions of a list.
func each(list []space.Partition) iter.Seq2[space.Partition, error] {
	return func(yield func(space.Partition, error) bool) {
		for _, p := range list {
			if !yield(p, nil) {
				return
			}
		}
	}
}

// compiled are the groups of the partition's model.
func (d *drawing) compiled(p space.Partition) ([]*group, error) {
	key := ""
	if len(d.space.models.families) > 0 {
		key = p.String()
	}
	if groups, ok := d.groups[key]; ok {
		return groups, nil
	}
	groups, err := d.space.compile(p, d.budget)
	if err != nil {
		return nil, err
	}
	d.groups[key] = groups
	return groups, nil
}

// shuffled are n random ones of all points, of which there are few.
func (d *drawing) shuffled(n int, from source) (points []Point, err error) {
	for p, err := range d.space.over(from.all) {
		if err != nil {
			return nil, err
		}
		points = append(points, p)
	}
	d.random.Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
	return points[:min(n, len(points))], nil
}

// distinct draws points until n are different.
func (d *drawing) distinct(n int, from source) (points []Point, err error) {
	seen := map[string]bool{}
	for len(points) < n {
		p, err := from.draw()
		if err != nil {
			return nil, err
		}
		groups, err := d.compiled(p)
		if err != nil {
			return nil, err
		}
		point := Point{p, Setting{}}
		draw(d.random, groups, point.Setting)
		if key := fmt.Sprint(point); !seen[key] {
			seen[key] = true
			points = append(points, point)
		}
	}
	return points, nil
}
