package search

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"polytune/space"
)

// Point is one candidate: a partition and the text of a setting of the other
// axes, such as "tile=wide"; "" is the default of all.
type Point struct {
	Partition space.Partition
	Setting   string
}

// String is the point as one text: "0-1-1-2 tile=wide".
func (p Point) String() string {
	return strings.TrimSuffix(p.Partition.String()+" "+p.Setting, " ")
}

// Outcome is what became of a point.
type Outcome struct {
	Point
	// Variant identifies the program: points with equal recipes are one variant.
	Variant string
	// Time is that of the screening divided by the original's; 0 where there
	// is none, because the variant failed or took too long.
	Time float64
}

// Timed says whether the point has a time.
func (o Outcome) Timed() bool { return o.Time > 0 }

// Space has the points among which a strategy chooses. What its methods give
// depends on their arguments alone, the random numbers included.
type Space interface {
	// All yields every point, in a stable order. An error ends the sequence.
	All(ctx context.Context) iter.Seq2[Point, error]
	// Neighbours are the points one step away, along the axes in their order,
	// and then to other partitions.
	Neighbours(ctx context.Context, p Point) ([]Point, error)
	// Random draws a point.
	Random(ctx context.Context, random *rand.Rand) (Point, error)
	// Cross draws a point that has each of its choices from a or from b. It
	// may be one of the two.
	Cross(ctx context.Context, random *rand.Rand, a, b Point) (Point, error)
	// Retile draws a point that differs from p in its tiles alone. It may be p.
	Retile(ctx context.Context, random *rand.Rand, p Point) (Point, error)
	// Features describe what is known of the points' schedules before they
	// are built, all with as many numbers; nil for those of which nothing is.
	Features(ctx context.Context, points []Point) ([][]float64, error)
}

// Strategy proposes points. It may remember what it has proposed, but what it
// proposes next depends on nothing else than the calls before.
type Strategy interface {
	// Next proposes at most n points that are not known yet, all different,
	// the most promising first; none when there are no more.
	Next(ctx context.Context, n int, known *Known) ([]Point, error)
}

// Plan says how a space is searched.
type Plan struct {
	// Strategy is the name of the strategy.
	Strategy string
	// Seed determines all that is drawn at random.
	Seed uint64
	// Batch is the number of points that are proposed together.
	Batch int
	// Limit is the greatest number of points, 0 for no limit.
	Limit int
	// Patience is the number of points in a row after which the search ends if
	// none of them was better than the best before by a factor of
	// 1 - Improvement; 0 for endless patience.
	Patience    int
	Improvement float64
}

// learner is a strategy that makes use of what other searches have found out.
type learner interface {
	// learn takes in outcomes of earlier searches of the space. They are not
	// known to this one, which may propose their points.
	learn(earlier []Outcome)
}

// Search asks a strategy for batches of points.
type Search struct {
	plan     Plan
	strategy Strategy
	known    *Known
	// proposed counts the points, idle those since the last that was better
	// than all before, whose time is best.
	proposed, idle int
	best           float64
	begun          bool
}

// New begins the search of a space. The error is a *UnknownStrategyError, or
// says which number of the plan makes no sense.
func New(s Space, plan Plan) (*Search, error) {
	if plan.Batch < 1 || plan.Limit < 0 || plan.Patience < 0 || plan.Improvement < 0 || plan.Improvement >= 1 {
		return nil, fmt.Errorf("a search in batches of %d up to %d points, with patience for %d that are not better by %v, makes no sense",
			plan.Batch, plan.Limit, plan.Patience, plan.Improvement)
	}
	strategy, err := newStrategy(plan.Strategy, s, plan.Seed)
	if err != nil {
		return nil, err
	}
	return &Search{plan: plan, strategy: strategy, known: newKnown()}, nil
}

// Next proposes the next batch, all different and not proposed before; nothing
// at the end. last are the outcomes of the batch before, all of them, in its
// order; at first those of the points that were tried before the search.
func (s *Search) Next(ctx context.Context, last []Outcome) ([]Point, error) {
	s.take(last)
	n := s.plan.Batch
	if s.plan.Limit > 0 {
		n = min(n, s.plan.Limit-s.proposed)
	}
	if n <= 0 || s.plan.Patience > 0 && s.idle >= s.plan.Patience {
		return nil, nil
	}
	points, err := s.strategy.Next(ctx, n, s.known)
	if err != nil {
		return nil, fmt.Errorf("strategy %s: %w", s.plan.Strategy, err)
	}
	s.proposed += len(points)
	return points, nil
}

// Learn tells the strategy what earlier searches of the space have found out,
// before the first batch. It orders what is tried first by it, if it can.
func (s *Search) Learn(earlier []Outcome) {
	if l, can := s.strategy.(learner); can {
		l.learn(earlier)
	}
}

// take takes in the outcomes of a batch.
func (s *Search) take(batch []Outcome) {
	for _, o := range batch {
		s.known.add(o)
		s.idle++
		if o.Timed() && (s.best == 0 || o.Time < s.best*(1-s.plan.Improvement)) {
			s.best, s.idle = o.Time, 0
		}
	}
	if !s.begun {
		s.begun, s.idle = true, 0
	}
}

// Limit is the greatest number of points that are proposed, 0 for no limit.
func (s *Search) Limit() int { return s.plan.Limit }

// Identity is a text that is the same for searches of one space exactly if
// they propose the same.
func (s *Search) Identity() string {
	p := s.plan
	return fmt.Sprintf("%s seed %d batch %d limit %d patience %d improvement %v", p.Strategy, p.Seed, p.Batch, p.Limit, p.Patience, p.Improvement)
}

// Known has all outcomes so far, in their order.
type Known struct {
	outcomes []Outcome
	places   map[string]int
}

func newKnown() *Known { return &Known{places: map[string]int{}} }

func (k *Known) add(o Outcome) {
	if text := o.String(); !k.Has(o.Point) {
		k.places[text] = len(k.outcomes)
		k.outcomes = append(k.outcomes, o)
	}
}

// Has says whether the point has an outcome.
func (k *Known) Has(p Point) bool {
	_, known := k.places[p.String()]
	return known
}

// Find gives the outcome of a point.
func (k *Known) Find(p Point) (o Outcome, found bool) {
	place, found := k.places[p.String()]
	if found {
		o = k.outcomes[place]
	}
	return o, found
}

// All are the outcomes in their order. They are not to be changed.
func (k *Known) All() []Outcome { return k.outcomes }

// Leaders are the timed outcomes, the fastest first, one for each variant.
func (k *Known) Leaders() []Outcome {
	var leaders []Outcome
	seen := map[string]bool{}
	for _, o := range k.outcomes {
		if o.Timed() && !seen[o.Variant] {
			seen[o.Variant] = true
			leaders = append(leaders, o)
		}
	}
	slices.SortStableFunc(leaders, func(a, b Outcome) int { return cmp.Compare(a.Time, b.Time) })
	return leaders
}

// batch collects points that are not known, all different.
type batch struct {
	known  *Known
	most   int
	points []Point
	taken  map[string]bool
}

func newBatch(known *Known, most int) *batch {
	return &batch{known: known, most: most, taken: map[string]bool{}}
}

// full says that there is no place left.
func (b *batch) full() bool { return len(b.points) >= b.most }

// take adds the point if it is new and there is a place for it.
func (b *batch) take(p Point) bool {
	text := p.String()
	if b.full() || b.taken[text] || b.known.Has(p) {
		return false
	}
	b.taken[text] = true
	b.points = append(b.points, p)
	return true
}
