package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"polytune/space"
)

// landscape has five partitions of three statements, tiles of six by six sizes,
// and two switches, 720 points; the time is that of height. A ninth of the points fail.
func landscape(height func(partition, a, b, pack, mark int) float64) *Record {
	partitions := []space.Partition{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 1, 1}, {0, 1, 2}}
	var outcomes []Outcome
	var starts []Point
	features := map[string][]float64{}
	for k, p := range partitions {
		for n := range 6 * 6 * 2 * 2 {
			a, b, pack, mark := n%6, n/6%6, n/36%2, n/72
			var setting []string
			for _, word := range []struct {
				text      string
				isDefault bool
			}{{[]string{"", "mark=vector"}[mark], mark == 0}, {[]string{"", "pack=off"}[pack], pack == 0},
				{fmt.Sprintf("tile.1=%d", 8<<a), a == 2}, {fmt.Sprintf("tile.2=%d", 8<<b), b == 2}} {
				if !word.isDefault {
					setting = append(setting, word.text)
				}
			}
			o := Outcome{Point: Point{p, strings.Join(setting, " ")}, Variant: fmt.Sprint(k, n), Time: height(k, a, b, pack, mark)}
			if n%9 == 4 {
				o.Time = 0
			}
			if o.Setting == "" {
				starts = append(starts, o.Point)
			}
			outcomes = append(outcomes, o)
			features[o.String()] = []float64{float64(len(partitions[k])), float64(a), float64(b), float64(a + b), float64(pack)}
		}
	}
	return NewRecord(outcomes, starts, features)
}

// valley is smooth: each choice has its own part in the logarithm of the time.
func valley(partition, a, b, pack, mark int) float64 {
	return math.Exp(0.2*math.Abs(float64(partition-3)) + 0.15*math.Abs(float64(a-4)) + 0.1*math.Abs(float64(b-1)) + 0.3*float64(pack) + 0.05*float64(1-mark))
}

// tilesMatter has its best point at other tiles of one partition.
func tilesMatter(partition, a, b, pack, mark int) float64 {
	if pack+mark > 0 {
		return 9
	}
	return math.Exp(0.2*math.Abs(float64(partition-3)) + 0.15*math.Abs(float64(a-4)) + 0.1*math.Abs(float64(b-1)))
}

func TestEveryStrategyFindsTheBest(t *testing.T) {
	for _, name := range Names() {
		ground := landscape(valley)
		if name == "halving" {
			ground = landscape(tilesMatter)
		}
		for seed := range uint64(5) {
			run, err := Replay(t.Context(), ground, Plan{Strategy: name, Seed: seed, Batch: 8}, 0)
			if err != nil || !run.Found || run.Points > ground.Len() {
				t.Errorf("%s with seed %d: %+v, %v", name, seed, run, err)
			}
		}
	}
}

// On a smooth landscape those that look at what is known need far less than half
// of what random points need.
func TestSearchingBeatsDrawing(t *testing.T) {
	ground := landscape(valley)
	mean := func(name string) float64 {
		sum := 0
		for seed := range uint64(11) {
			run, err := Replay(t.Context(), ground, Plan{Strategy: name, Seed: seed, Batch: 8}, 0.02)
			if err != nil || !run.Found {
				t.Fatalf("%s: %+v, %v", name, run, err)
			}
			sum += run.Points
		}
		return float64(sum) / 11
	}
	random := mean("random")
	for _, name := range []string{"climb", "evolution", "surrogate"} {
		if points := mean(name); points > random/2 {
			t.Errorf("%s needs %.0f points, random %.0f", name, points, random)
		}
	}
}

// walk searches a record to the end, or for so many batches, and gives the
// batches.
func walk(t *testing.T, r *Record, plan Plan, most int) (batches [][]Point) {
	t.Helper()
	s, err := New(r, plan)
	if err != nil {
		t.Fatal(err)
	}
	for points := r.starts; len(batches) < most; batches = append(batches, points) {
		if points, err = s.Next(t.Context(), outcomesOf(r, points)); err != nil {
			t.Fatal(err)
		}
		if len(points) == 0 {
			break
		}
	}
	return batches
}

func outcomesOf(r *Record, points []Point) (list []Outcome) {
	for _, p := range points {
		list = append(list, r.times[p.String()])
	}
	return list
}

// Whatever is proposed is a point of the space, at most a batch at a time, and
// never twice; and the same seed proposes the same.
func TestProposals(t *testing.T) {
	ground := landscape(valley)
	for _, name := range Names() {
		plan := Plan{Strategy: name, Seed: 3, Batch: 8}
		batches := walk(t, ground, plan, 40)
		if again := walk(t, landscape(valley), plan, 40); fmt.Sprint(again) != fmt.Sprint(batches) {
			t.Errorf("%s: another run proposes others", name)
		}
		seen := map[string]bool{}
		for _, p := range ground.starts {
			seen[p.String()] = true
		}
		for k, batch := range batches {
			if len(batch) > 8 {
				t.Errorf("%s: batch %d has %d points", name, k, len(batch))
			}
			for _, p := range batch {
				if _, is := ground.times[p.String()]; !is || seen[p.String()] {
					t.Errorf("%s: batch %d has %q, known before: %v", name, k, p, seen[p.String()])
				}
				seen[p.String()] = true
			}
		}
		if len(batches) < 5 {
			t.Errorf("%s: only %d batches", name, len(batches))
		}
	}
	first, second := walk(t, ground, Plan{Strategy: "random", Seed: 1, Batch: 8}, 5), walk(t, ground, Plan{Strategy: "random", Seed: 2, Batch: 8}, 5)
	if fmt.Sprint(first) == fmt.Sprint(second) {
		t.Error("two seeds draw the same")
	}
}

// A search that ends after any batch, and one that begins anew with the outcomes of
// the batches before, go on alike.
func TestResumeAtEveryBatch(t *testing.T) {
	ground := landscape(valley)
	for _, name := range Names() {
		plan := Plan{Strategy: name, Seed: 5, Batch: 8}
		whole := walk(t, ground, plan, 12)
		for cut := range whole {
			s, err := New(ground, plan)
			if err != nil {
				t.Fatal(err)
			}
			last := ground.starts
			for k := range cut {
				if _, err := s.Next(t.Context(), outcomesOf(ground, last)); err != nil {
					t.Fatal(err)
				}
				last = whole[k]
			}
			next, err := s.Next(t.Context(), outcomesOf(ground, last))
			if err != nil || fmt.Sprint(next) != fmt.Sprint(whole[cut]) {
				t.Fatalf("%s, batch %d: %v instead of %v (%v)", name, cut, next, whole[cut], err)
			}
		}
	}
}

// What an earlier search has found is near to what a later one tries first.
func TestLearning(t *testing.T) {
	ground := landscape(valley)
	distance := func(earlier []Outcome) int {
		s, err := New(ground, Plan{Strategy: "surrogate", Seed: 1, Batch: 8})
		if err != nil {
			t.Fatal(err)
		}
		s.Learn(earlier)
		points, last := []Point(nil), outcomesOf(ground, ground.starts)
		for n := 8; ; n += 8 {
			if points, err = s.Next(t.Context(), last); err != nil || len(points) == 0 {
				t.Fatalf("%d points, %v", n, err)
			}
			last = outcomesOf(ground, points)
			if slices.ContainsFunc(last, func(o Outcome) bool { return o.Timed() && o.Time <= ground.Best() }) {
				return n
			}
		}
	}
	if without, with := distance(nil), distance(ground.outcomes); with > without {
		t.Errorf("%d points with what an earlier search has found, %d without", with, without)
	}
}

func TestLimitAndPatience(t *testing.T) {
	ground := landscape(valley)
	count := func(plan Plan) (n int) {
		for _, batch := range walk(t, ground, plan, math.MaxInt) {
			n += len(batch)
		}
		return n
	}
	if n := count(Plan{Strategy: "random", Batch: 8, Limit: 21}); n != 21 {
		t.Errorf("%d points with a limit of 21", n)
	}
	if n := count(Plan{Strategy: "exhaustive", Batch: 8}); n != ground.Len()-ground.Starts() {
		t.Errorf("%d points of %d without a limit", n, ground.Len()-ground.Starts())
	}
	flat := landscape(func(int, int, int, int, int) float64 { return 1 })
	s, _ := New(flat, Plan{Strategy: "random", Batch: 8, Patience: 20, Improvement: 0.01})
	n := 0
	for points := flat.starts; ; n += len(points) {
		var err error
		if points, err = s.Next(t.Context(), outcomesOf(flat, points)); err != nil || len(points) == 0 {
			break
		}
	}
	if n != 24 {
		t.Errorf("%d points with patience for 20, in batches of 8", n)
	}
}

func TestBadPlans(t *testing.T) {
	ground := landscape(valley)
	var unknown *UnknownStrategyError
	if _, err := New(ground, Plan{Strategy: "magic", Batch: 8}); !errors.As(err, &unknown) || !strings.Contains(err.Error(), "choose one of climb, ") {
		t.Errorf("error %v", err)
	}
	for _, plan := range []Plan{{}, {Batch: 8, Limit: -1}, {Batch: 8, Patience: -1}, {Batch: 8, Improvement: 1}} {
		plan.Strategy = "random"
		if _, err := New(ground, plan); err == nil {
			t.Errorf("no error for %+v", plan)
		}
	}
	if _, err := Replay(t.Context(), NewRecord(nil, nil, nil), Plan{Strategy: "random", Batch: 8}, 0); err == nil {
		t.Error("no error for an empty record")
	}
}

// broken is a space that has an error.
type broken struct{ *Record }

var errBroken = errors.New("it broke")

func (broken) Random(context.Context, *rand.Rand) (Point, error)        { return Point{}, errBroken }
func (broken) Neighbours(context.Context, Point) ([]Point, error)       { return nil, errBroken }
func (broken) Retile(context.Context, *rand.Rand, Point) (Point, error) { return Point{}, errBroken }

func TestErrorsOfTheSpace(t *testing.T) {
	ground := landscape(valley)
	for _, name := range Names() {
		s, err := New(broken{ground}, Plan{Strategy: name, Batch: 8})
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Next(t.Context(), outcomesOf(ground, ground.starts))
		if wants := name != "exhaustive"; errors.Is(err, errBroken) != wants {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestChange(t *testing.T) {
	p, q := space.Partition{0, 0}, space.Partition{0, 1}
	for _, c := range []struct {
		from, to Point
		change   string
		axes     int
	}{
		{Point{p, ""}, Point{p, "tile=wide"}, "tile=wide", 1},
		{Point{p, "tile=wide"}, Point{p, ""}, "-tile=wide", 1},
		{Point{p, "tile=wide"}, Point{p, "tile=half"}, "tile=half", 1},
		{Point{p, "pack=off tile=wide"}, Point{q, "tile=wide"}, "partition -pack=off", 2},
		{Point{p, "tile=sizes tile.1=8"}, Point{p, "tile=sizes tile.1=8"}, "", 0},
		{Point{p, "tile=sizes tile.1=8"}, Point{p, "tile=sizes tile.1=16 tile.2=4"}, "tile.1=16 tile.2=4", 2},
	} {
		if got, axes := change(c.from, c.to), axesBetween(c.from, c.to); got != c.change || axes != c.axes {
			t.Errorf("%s to %s: %q, %d axes, want %q, %d", c.from, c.to, got, axes, c.change, c.axes)
		}
	}
}

// What a change has done elsewhere says in which order neighbours are tried.
func TestExperience(t *testing.T) {
	learnt := experience{}
	at := Outcome{Point: Point{space.Partition{0}, ""}, Time: 1}
	to := func(setting string, time float64) Outcome {
		return Outcome{Point: Point{space.Partition{0}, setting}, Time: time}
	}
	learnt.note(at, to("a=1", 2))
	learnt.note(at, to("b=1", 0.5))
	learnt.note(at, to("c=1", 0))
	learnt.note(Outcome{}, to("d=1", 0.1))
	list := []Point{to("c=1", 0).Point, to("a=1", 0).Point, to("d=1", 0).Point, to("b=1", 0).Point}
	learnt.sort(at.Point, list)
	want := []string{"0 b=1", "0 d=1", "0 a=1", "0 c=1"}
	if got := strings.Join(texts(list), ", "); got != strings.Join(want, ", ") {
		t.Errorf("order %s", got)
	}
}

func texts(points []Point) (list []string) {
	for _, p := range points {
		list = append(list, p.String())
	}
	return list
}

func TestLeaders(t *testing.T) {
	k := newKnown()
	for i, time := range []float64{3, 0, 1, 2, 1} {
		k.add(Outcome{Point: Point{space.Partition{0}, fmt.Sprint("a=", i)}, Variant: fmt.Sprint(i % 4), Time: time})
	}
	k.add(Outcome{Point: Point{space.Partition{0}, "a=2"}, Variant: "9", Time: 0.1})
	var order []string
	for _, o := range k.Leaders() {
		order = append(order, o.Setting)
	}
	if want := []string{"a=2", "a=3", "a=0"}; !slices.Equal(order, want) {
		t.Errorf("leaders %v, want %v", order, want)
	}
}

// A child of the only recorded point, under another text, is that point.
func TestCrossOfOnePoint(t *testing.T) {
	only := Point{Partition: []int{0}, Setting: "b=1 a=1"}
	record := NewRecord([]Outcome{{Point: only, Time: 1}}, nil, nil)
	child, err := record.Cross(t.Context(), rand.New(rand.NewPCG(1, 1)), only, only)
	if err != nil || child.String() != only.String() {
		t.Errorf("child %v, %v", child, err)
	}
}
