package choices

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"polytune/isl"
	"polytune/pipeline"
	"polytune/pipeline/variant"
	"polytune/runner"
	"polytune/schedule/feature"
	"polytune/scop/depend"
	"polytune/space"
	variants "polytune/space/variant"
	"polytune/transform"
	"polytune/tuner"
	"polytune/tuner/search"
)

// SearchSpace is the space in which a session searches: the chosen partitions,
// each with all settings of the axes that matter for the target.
type SearchSpace struct {
	target     *pipeline.Target
	partitions []space.Partition
	models     *variants.Models
	// base are the options of a point without a setting, around what its tiles
	// are compared with.
	base   transform.Options
	around feature.Surroundings
	// compilers are those of the session, its own first.
	compilers []runner.Toolchain
	// jobs is the number of points that are transformed at the same time.
	jobs int

	mutex    sync.Mutex
	samplers map[string]*variants.Sampler
}

// nearPartitions is the number of other partitions that are neighbours of one.
const nearPartitions = 4

// NewSearchSpace is the space of the partitions. ctx ends what its methods do.
func (p *Probe) NewSearchSpace(ctx context.Context, partitions []space.Partition, jobs int) (*SearchSpace, error) {
	base, err := pipeline.SessionModel.Options(p.Machine)
	if err != nil {
		return nil, err
	}
	s := &SearchSpace{target: p.Target, partitions: partitions, base: base, around: Surroundings(p.Target, base), jobs: jobs, compilers: p.Compilers,
		samplers: map[string]*variants.Sampler{}}
	axes := p.axes()
	shared, err := variants.New(axes, nil)
	if err != nil {
		return nil, err
	}
	var families []variants.Family
	if variant.HasSizes(axes) {
		all, err := variant.Families(ctx, p.Target, base, func(p space.Partition) space.Nest { return space.Nest{p} })
		if err != nil {
			return nil, err
		}
		for _, sizes := range all {
			families = append(families, variants.Family{When: sizes.When,
				Axes: func(p space.Partition) ([]variants.Axis, []variants.Constraint, error) {
					axes, ties, err := sizes.Axes(p)
					if isl.IsLimit(err) {
						return nil, nil, nil
					}
					return axes, ties, err
				}})
		}
	}
	s.models, err = variants.NewModels(shared, families...)
	return s, err
}

// Surroundings are what the tiles of the target are compared with.
func Surroundings(t *pipeline.Target, base transform.Options) feature.Surroundings {
	around := feature.Surroundings{Length: 1, Caches: []int64{int64(base.CacheBytes), int64(base.SecondCacheBytes), int64(base.ThirdCacheBytes)}}
	for _, value := range t.Run.Parameters {
		around.Length = max(around.Length, float64(value))
	}
	return around
}

// All yields the points, partition by partition.
func (s *SearchSpace) All(ctx context.Context) iter.Seq2[search.Point, error] {
	return func(yield func(search.Point, error) bool) {
		for _, p := range s.partitions {
			model, err := s.models.Of(p)
			if err = cmp.Or(ctx.Err(), err); err != nil {
				yield(search.Point{}, err)
				return
			}
			for setting := range model.All() {
				if !yield(search.Point{Partition: p, Setting: model.Text(setting)}, ctx.Err()) {
					return
				}
			}
		}
	}
}

// read is the setting of a point with the model of its partition; a point that
// is none of the space's has no model.
func (s *SearchSpace) read(p search.Point) (*variants.Model, variants.Setting, error) {
	setting, err := s.models.Parse(p.Partition, p.Setting)
	if errors.As(err, new(*variants.SettingError)) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	model, err := s.models.Of(p.Partition)
	return model, setting, err
}

// Neighbours are the settings one step away, and the same setting with the
// nearest other partitions.
func (s *SearchSpace) Neighbours(ctx context.Context, p search.Point) ([]search.Point, error) {
	model, setting, err := s.read(p)
	if err != nil || model == nil {
		return nil, cmp.Or(ctx.Err(), err)
	}
	var points []search.Point
	for next := range model.Neighbours(setting) {
		points = append(points, search.Point{Partition: p.Partition, Setting: model.Text(next)})
	}
	for _, q := range s.nearest(p.Partition) {
		other, ok, err := s.carry(q, setting)
		if err != nil {
			return nil, cmp.Or(ctx.Err(), err)
		}
		if ok {
			points = append(points, other)
		}
	}
	return points, nil
}

// carry is the point of another partition with the values of a setting; ok is
// false where constraints forbid that.
func (s *SearchSpace) carry(q space.Partition, setting variants.Setting) (p search.Point, ok bool, err error) {
	model, err := s.models.For(q, setting)
	if err != nil {
		return p, false, err
	}
	adapted, ok := model.Adapt(setting)
	return search.Point{Partition: q, Setting: model.Text(adapted)}, ok, nil
}

// nearest are the partitions that put the fewest pairs of statements in another
// order, or together instead of apart.
func (s *SearchSpace) nearest(p space.Partition) []space.Partition {
	distance := func(q space.Partition) int {
		pairs := 0
		for i := range p {
			for j := range i {
				if cmp.Compare(p[i], p[j]) != cmp.Compare(q[i], q[j]) {
					pairs++
				}
			}
		}
		return pairs
	}
	others := slices.DeleteFunc(slices.Clone(s.partitions), func(q space.Partition) bool { return slices.Equal(p, q) })
	slices.SortStableFunc(others, func(a, b space.Partition) int { return cmp.Compare(distance(a), distance(b)) })
	return others[:min(len(others), nearPartitions)]
}

// sampler draws settings of a partition; nil where they cannot be counted.
func (s *SearchSpace) sampler(p space.Partition) (*variants.Sampler, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if known, is := s.samplers[p.String()]; is {
		return known, nil
	}
	model, err := s.models.Of(p)
	if err != nil {
		return nil, err
	}
	sampler, ok := model.Sampler(space.DefaultBudget)
	if !ok {
		sampler = nil
	}
	s.samplers[p.String()] = sampler
	return sampler, nil
}

// Random draws a partition, and one of its settings.
func (s *SearchSpace) Random(ctx context.Context, random *rand.Rand) (search.Point, error) {
	p := s.partitions[random.IntN(len(s.partitions))]
	setting, err := s.draw(random, p)
	if err != nil {
		return search.Point{}, cmp.Or(ctx.Err(), err)
	}
	text, err := s.models.Text(p, setting)
	return search.Point{Partition: p, Setting: text}, err
}

// draw draws a setting of the partition: where they cannot be counted, by steps
// from the default, as many as there are axes.
func (s *SearchSpace) draw(random *rand.Rand, p space.Partition) (variants.Setting, error) {
	sampler, err := s.sampler(p)
	if err != nil {
		return nil, err
	}
	if sampler != nil {
		return sampler.Draw(random), nil
	}
	model, err := s.models.Of(p)
	if err != nil {
		return nil, err
	}
	setting := model.Default()
	for range model.Axes() {
		if near := slices.Collect(model.Neighbours(setting)); len(near) > 0 {
			setting = near[random.IntN(len(near))]
		}
	}
	return setting, nil
}

// Cross draws the partition and the value of each axis from one of two points.
// Axes that come to be have their defaults.
func (s *SearchSpace) Cross(ctx context.Context, random *rand.Rand, a, b search.Point) (search.Point, error) {
	_, left, err := s.read(a)
	if err != nil {
		return a, cmp.Or(ctx.Err(), err)
	}
	_, right, err := s.read(b)
	if err != nil {
		return a, cmp.Or(ctx.Err(), err)
	}
	names := slices.Sorted(maps.Keys(left))
	for axis := range right {
		if _, both := left[axis]; !both {
			names = append(names, axis)
		}
	}
	slices.Sort(names)
	mixed := variants.Setting{}
	for _, axis := range names {
		from := []variants.Setting{left, right}[random.IntN(2)]
		if value, has := from[axis]; has {
			mixed[axis] = value
		}
	}
	partition := []space.Partition{a.Partition, b.Partition}[random.IntN(2)]
	child, ok, err := s.carry(partition, mixed)
	if err != nil || !ok {
		return a, cmp.Or(ctx.Err(), err)
	}
	return child, nil
}

// Retile draws a setting and takes what it says about tiles.
func (s *SearchSpace) Retile(ctx context.Context, random *rand.Rand, p search.Point) (search.Point, error) {
	_, setting, err := s.read(p)
	if err != nil || setting == nil {
		return p, cmp.Or(ctx.Err(), err)
	}
	drawn, err := s.draw(random, p.Partition)
	if err != nil {
		return p, cmp.Or(ctx.Err(), err)
	}
	mixed := variants.Setting{}
	for _, from := range []struct {
		setting variants.Setting
		tiles   bool
	}{{setting, false}, {drawn, true}} {
		for axis, value := range from.setting {
			if search.IsTileAxis(axis) == from.tiles {
				mixed[axis] = value
			}
		}
	}
	other, ok, err := s.carry(p.Partition, mixed)
	if err != nil || !ok {
		return p, cmp.Or(ctx.Err(), err)
	}
	return other, nil
}

// Features are those of the schedules that the models make of the points.
func (s *SearchSpace) Features(ctx context.Context, points []search.Point) ([][]float64, error) {
	list := make([][]float64, len(points))
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(s.jobs)
	for k, p := range points {
		group.Go(func() error {
			list[k] = s.featuresOf(inner, p)
			return inner.Err()
		})
	}
	return list, group.Wait()
}

// featuresOf are the features of one point, one for each further compiler behind them;
// nil where the models make nothing of it: what becomes of it then is the generator's
// business.
func (s *SearchSpace) featuresOf(ctx context.Context, p search.Point) (features []float64) {
	compiler, setting := tuner.SplitCompiler(p.Setting)
	at, err := variant.At(ctx, s.target, space.Nest{p.Partition}, setting, s.base)
	if err != nil || at.Target.Complete(&at.Options) != nil {
		return nil
	}
	_ = at.Target.WithGraph(ctx, func(g *depend.Graph) error {
		recipe, _, err := variant.Modelled(at.Target, g, at.Nest, at.Options)
		if err != nil {
			return err
		}
		tree, err := recipe.Replay(g.Model.Program)
		if err == nil {
			features = feature.Of(tree, s.around)
		}
		return err
	})
	if features == nil || len(s.compilers) == 0 {
		return features
	}
	for _, t := range s.compilers[1:] {
		features = append(features, map[bool]float64{true: 1}[t.Name == compiler])
	}
	return features
}
