package search

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

const (
	// poolLeaders is the number of the best points whose neighbours are looked
	// at, poolSteps that of neighbours of each, poolCrossed that of points with
	// two of them as parents, and poolRandom that of points drawn from all.
	poolLeaders, poolSteps, poolCrossed, poolRandom = 4, 16, 8, 8
	// boldness is the number of standard deviations by which a prediction is
	// taken to be faster than its mean.
	boldness = 1.0
	// unguided is the part of a batch that is drawn from the pool at random, so
	// that the regression hears also of what it thinks little of.
	unguided = 8
)

// surrogate orders points by a regression of the logarithm of the time on the
// features of the schedules and on the choices of the points, trained on all
// that is known, by earlier searches too: those with the least lower confidence bound come first
// (Srinivas, Krause, Kakade and Seeger, ICML 2010). It forbids nothing: what
// is left over is offered again and may be drawn at random.
type surrogate struct {
	space  Space
	random *rand.Rand
	fresh  *draws
	// seen are the examples of points, by text, earlier those of other searches.
	seen    map[string]example
	earlier []Outcome
}

// mostEarlier bounds what is taken over from earlier searches: the fastest.
const mostEarlier = 64

func (s *surrogate) learn(earlier []Outcome) {
	s.earlier = slices.DeleteFunc(slices.Clone(earlier), func(o Outcome) bool { return !o.Timed() })
	slices.SortStableFunc(s.earlier, func(a, b Outcome) int { return cmp.Compare(a.Time, b.Time) })
	s.earlier = s.earlier[:min(len(s.earlier), mostEarlier)]
}

func newSurrogate(s Space, random *rand.Rand) *surrogate {
	return &surrogate{space: s, random: random, fresh: &draws{space: s, random: random}, seen: map[string]example{}}
}

func (s *surrogate) Next(ctx context.Context, n int, known *Known) ([]Point, error) {
	pool, err := s.pool(ctx, known)
	if err != nil {
		return nil, err
	}
	if len(pool) == 0 {
		return s.fresh.Next(ctx, n, known)
	}
	order, err := s.order(ctx, pool, known)
	if err != nil {
		return nil, err
	}
	b := newBatch(known, n)
	for k, p := range order {
		if b.full() {
			break
		}
		b.take(p)
		if k%unguided == unguided-1 {
			b.take(order[s.random.IntN(len(order))])
		}
	}
	return b.points, nil
}

// pool are points that might be tried next, all different and not known.
func (s *surrogate) pool(ctx context.Context, known *Known) ([]Point, error) {
	leaders := known.Leaders()
	leaders = leaders[:min(len(leaders), poolLeaders)]
	b := newBatch(known, poolLeaders*poolSteps+poolCrossed+poolRandom)
	for _, o := range leaders {
		neighbours, err := s.space.Neighbours(ctx, o.Point)
		if err != nil {
			return nil, err
		}
		s.random.Shuffle(len(neighbours), func(i, j int) { neighbours[i], neighbours[j] = neighbours[j], neighbours[i] })
		for k, taken := 0, 0; k < len(neighbours) && taken < poolSteps; k++ {
			if b.take(neighbours[k]) {
				taken++
			}
		}
	}
	for k := 0; k < poolCrossed && len(leaders) > 1; k++ {
		p, err := s.space.Cross(ctx, s.random, leaders[s.random.IntN(len(leaders))].Point, leaders[s.random.IntN(len(leaders))].Point)
		if err != nil {
			return nil, err
		}
		b.take(p)
	}
	for range poolRandom {
		p, err := s.space.Random(ctx, s.random)
		if err != nil {
			return nil, err
		}
		b.take(p)
	}
	return b.points, nil
}

// order puts the pool in the order of what the regression finds, or leaves it
// as it is while too little is known.
func (s *surrogate) order(ctx context.Context, pool []Point, known *Known) ([]Point, error) {
	model, err := s.train(ctx, known)
	if err != nil || model == nil {
		return pool, err
	}
	examples, err := s.examples(ctx, pool)
	if err != nil {
		return nil, err
	}
	bounds := map[string]float64{}
	for k, p := range pool {
		mean, deviation := model.predict(examples[k])
		bounds[p.String()] = mean - boldness*deviation
	}
	slices.SortStableFunc(pool, func(a, b Point) int { return cmp.Compare(bounds[a.String()], bounds[b.String()]) })
	return pool, nil
}

// mostExamples bounds those that the regression is trained on: the best half
// and the last half of what is known.
const mostExamples = 256

// train makes the regression; nil while there is nothing to learn from.
func (s *surrogate) train(ctx context.Context, known *Known) (*process, error) {
	outcomes := slices.Clone(known.All())
	if len(outcomes) > mostExamples {
		half := mostExamples / 2
		last := outcomes[len(outcomes)-half:]
		rest := slices.Clone(outcomes[:len(outcomes)-half])
		slices.SortStableFunc(rest, func(a, b Outcome) int { return cmp.Compare(height(a), height(b)) })
		outcomes = append(rest[:half], last...)
	}
	for _, o := range s.earlier {
		if !known.Has(o.Point) {
			outcomes = append(outcomes, o)
		}
	}
	slowest := 0.0
	var points []Point
	for _, o := range outcomes {
		slowest = max(slowest, o.Time)
		points = append(points, o.Point)
	}
	if slowest == 0 || len(outcomes) < 4 {
		return nil, nil
	}
	examples, err := s.examples(ctx, points)
	if err != nil {
		return nil, err
	}
	logarithms := make([]float64, len(outcomes))
	for k, o := range outcomes {
		if !o.Timed() {
			o.Time = slowest
		}
		logarithms[k] = math.Log(o.Time)
	}
	return fit(examples, logarithms), nil
}

// height is a time to sort by, with those that failed last.
func height(o Outcome) float64 {
	if !o.Timed() {
		return math.Inf(1)
	}
	return o.Time
}

// examples describe points; those of known ones are kept.
func (s *surrogate) examples(ctx context.Context, points []Point) ([]example, error) {
	list := make([]example, len(points))
	var missing []Point
	var places []int
	for k, p := range points {
		var known bool
		if list[k], known = s.seen[p.String()]; !known {
			missing, places = append(missing, p), append(places, k)
		}
	}
	features, err := s.space.Features(ctx, missing)
	if err != nil {
		return nil, err
	}
	for k, p := range missing {
		list[places[k]] = exampleOf(p, features[k])
		s.seen[p.String()] = list[places[k]]
	}
	return list, nil
}
