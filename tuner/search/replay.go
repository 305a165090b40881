package search

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
)

// Record is what sessions have found out about a space: a space of its own, in
// which points that were not recorded are represented by those nearest to them.
// It is for one goroutine at a time.
type Record struct {
	// outcomes are all different; starts are those that sessions begin with.
	outcomes []Outcome
	starts   []Point
	features map[string][]float64
	times    map[string]Outcome
	// near are the neighbours that were asked for, by the point's text.
	near map[string][]Point
}

// NewRecord makes the record of outcomes. Of several of one point the first
// counts. starts are the points that are tried before a search, features those
// of the points by their texts, as Space.Features gives them.
func NewRecord(outcomes []Outcome, starts []Point, features map[string][]float64) *Record {
	r := &Record{features: features, times: map[string]Outcome{}, near: map[string][]Point{}}
	for _, o := range outcomes {
		if _, twice := r.times[o.String()]; !twice {
			r.times[o.String()] = o
			r.outcomes = append(r.outcomes, o)
		}
	}
	taken := map[string]bool{}
	for _, p := range starts {
		if _, known := r.times[p.String()]; known && !taken[p.String()] {
			taken[p.String()] = true
			r.starts = append(r.starts, p)
		}
	}
	return r
}

// Len is the number of points.
func (r *Record) Len() int { return len(r.outcomes) }

// Starts is the number of points that are tried before a search.
func (r *Record) Starts() int { return len(r.starts) }

// Best is the least time of all, 0 where nothing was timed.
func (r *Record) Best() float64 {
	best := 0.0
	for _, o := range r.outcomes {
		if o.Timed() && (best == 0 || o.Time < best) {
			best = o.Time
		}
	}
	return best
}

// All yields the points in the order of their partitions and settings.
func (r *Record) All(context.Context) iter.Seq2[Point, error] {
	sorted := slices.Clone(r.outcomes)
	slices.SortFunc(sorted, func(a, b Outcome) int {
		return cmp.Or(slices.Compare(a.Partition, b.Partition), cmp.Compare(a.Setting, b.Setting))
	})
	return func(yield func(Point, error) bool) {
		for _, o := range sorted {
			if !yield(o.Point, nil) {
				return
			}
		}
	}
}

// fewNeighbours is the least number of neighbours of a point: where too few
// recorded ones are one step away, the nearest others take their places.
const fewNeighbours = 8

// Neighbours are the recorded points that differ along one axis, and the next
// ones where these are few.
func (r *Record) Neighbours(_ context.Context, p Point) ([]Point, error) {
	if known, is := r.near[p.String()]; is {
		return slices.Clone(known), nil
	}
	var points []Point
	for k, n := range r.byDistance(p) {
		if k >= fewNeighbours && n.distance > 1 {
			break
		}
		points = append(points, n.Point)
	}
	r.near[p.String()] = points
	return slices.Clone(points), nil
}

// neighbour is a point and its distance in axes.
type neighbour struct {
	Point
	distance int
}

// byDistance are all points but the given one, the nearest first.
func (r *Record) byDistance(p Point) []neighbour {
	var all []neighbour
	for _, o := range r.outcomes {
		if d := axesBetween(p, o.Point); d > 0 {
			all = append(all, neighbour{o.Point, d})
		}
	}
	slices.SortStableFunc(all, func(a, b neighbour) int { return cmp.Compare(a.distance, b.distance) })
	return all
}

// Random draws a recorded point.
func (r *Record) Random(_ context.Context, random *rand.Rand) (Point, error) {
	return r.outcomes[random.IntN(len(r.outcomes))].Point, nil
}

// Cross draws the choices of a child and gives the recorded point that is nearest
// to it; a where there is no other.
func (r *Record) Cross(_ context.Context, random *rand.Rand, a, b Point) (Point, error) {
	child := Point{Partition: a.Partition}
	if random.IntN(2) == 1 {
		child.Partition = b.Partition
	}
	left, right := choices(a), choices(b)
	var settings []string
	for _, axis := range axesOf(left, right) {
		value := left[axis]
		if random.IntN(2) == 1 {
			value = right[axis]
		}
		if value != "" {
			settings = append(settings, axis+"="+value)
		}
	}
	child.Setting = strings.Join(settings, " ")
	if o, known := r.times[child.String()]; known {
		return o.Point, nil
	}
	if others := r.byDistance(child); len(others) > 0 {
		return others[0].Point, nil
	}
	return a, nil
}

// axesOf are the names of the axes of both settings, in order.
func axesOf(settings ...map[string]string) []string {
	var names []string
	for _, s := range settings {
		for axis := range s {
			names = append(names, axis)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Retile draws a recorded point of the same partition that differs in the axes of
// tiles alone.
func (r *Record) Retile(_ context.Context, random *rand.Rand, p Point) (Point, error) {
	var tiled []Point
	rest := withoutTiles(p.Setting)
	for _, o := range r.outcomes {
		if slices.Equal(o.Partition, p.Partition) && withoutTiles(o.Setting) == rest {
			tiled = append(tiled, o.Point)
		}
	}
	if len(tiled) == 0 {
		return p, nil
	}
	return tiled[random.IntN(len(tiled))], nil
}

// withoutTiles is a setting without what it says about tiles.
func withoutTiles(setting string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(setting), func(word string) bool { return IsTileAxis(axisOf(word)) }), " ")
}

// axisOf is the name in the word of a setting.
func axisOf(word string) string {
	axis, _, _ := strings.Cut(word, "=")
	return axis
}

// IsTileAxis says whether an axis is about the tiles of bands: "tile" or one of
// their sizes, "tile.1"; or, on devices, about blocks and threads: "map", "block.1", "threads.1".
func IsTileAxis(axis string) bool {
	name, _, sized := strings.Cut(axis, ".")
	return name == "tile" || name == "map" || sized && (name == "block" || name == "threads")
}

// Features are those of the record.
func (r *Record) Features(_ context.Context, points []Point) ([][]float64, error) {
	list := make([][]float64, len(points))
	for k, p := range points {
		list[k] = r.features[p.String()]
	}
	return list, nil
}

// Run is how a search of a record went.
type Run struct {
	// Points is the number of points that were tried, the starts among them,
	// until one was within the wanted factor of the best, which was then found,
	// or until the search had no more.
	Points int
	Found  bool
}

// Replay searches a record by the plan until a point is found whose time is at
// most 1 + within times the best one.
func Replay(ctx context.Context, r *Record, plan Plan, within float64) (Run, error) {
	if r.Best() == 0 {
		return Run{}, fmt.Errorf("nothing in the record has a time")
	}
	s, err := New(r, plan)
	if err != nil {
		return Run{}, err
	}
	run, goal := Run{}, r.Best()*(1+within)
	for points := r.starts; ; {
		var last []Outcome
		for _, p := range points {
			o := r.times[p.String()]
			last = append(last, o)
			run.Points++
			if o.Timed() && o.Time <= goal {
				run.Found = true
				return run, nil
			}
		}
		if points, err = s.Next(ctx, last); err != nil || len(points) == 0 {
			return run, err
		}
	}
}
