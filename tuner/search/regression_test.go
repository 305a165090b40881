package search

import (
	"math"
	"math/rand/v2"
	"testing"

	"polytune/space"
)

// Of values that are linear in the features a regression knows those in between,
// and is less sure where it has seen nothing.
func TestRegressionInterpolates(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	value := func(x, y float64) float64 { return 2*x - y }
	var examples []example
	var values []float64
	for range 60 {
		x, y := random.Float64(), random.Float64()
		examples = append(examples, example{features: []float64{x, y, 7}})
		values = append(values, value(x, y)+0.01*random.NormFloat64())
	}
	model := fit(examples, values)
	near := 0.0
	for _, at := range [][2]float64{{0.5, 0.5}, {0.2, 0.7}, {0.8, 0.3}} {
		mean, deviation := model.predict(example{features: []float64{at[0], at[1], 7}})
		if math.Abs(mean-value(at[0], at[1])) > 0.1 {
			t.Errorf("%v: %v instead of %v", at, mean, value(at[0], at[1]))
		}
		near = max(near, deviation)
	}
	if _, far := model.predict(example{features: []float64{9, -8, 7}}); far < 2*near {
		t.Errorf("deviation %v far away, %v near by", far, near)
	}
}

// Where nothing is known of the schedules, the choices tell.
func TestRegressionOnChoices(t *testing.T) {
	var examples []example
	var values []float64
	for _, partition := range []space.Partition{{0, 0}, {0, 1}} {
		for _, setting := range []string{"", "a=1", "a=1 b=1", "b=1", "a=1 c=1", "c=1"} {
			p := Point{partition, setting}
			value := 1.0
			if axesBetween(p, Point{partition, ""}) > 0 && setting[0] == 'a' {
				value = 0
			}
			examples, values = append(examples, exampleOf(p, nil)), append(values, value)
		}
	}
	model := fit(examples, values)
	fast, _ := model.predict(exampleOf(Point{space.Partition{0, 1}, "a=1 d=1"}, nil))
	slow, _ := model.predict(exampleOf(Point{space.Partition{0, 1}, "d=1"}, nil))
	if fast >= slow {
		t.Errorf("a=1 d=1 is expected to take %v, d=1 %v", fast, slow)
	}
}

func TestRegressionOfEqualValues(t *testing.T) {
	model := fit([]example{{features: []float64{1}}, {features: []float64{1}}, {}}, []float64{2, 2, 2})
	if mean, _ := model.predict(example{features: []float64{3}}); math.Abs(mean-2) > 1e-6 {
		t.Errorf("mean %v", mean)
	}
}

func TestChoicesApart(t *testing.T) {
	at := func(partition space.Partition, setting string) example {
		return exampleOf(Point{partition, setting}, nil)
	}
	for _, c := range []struct {
		a, b example
		want float64
	}{
		{at(space.Partition{0, 0, 0}, "a=1 b=2"), at(space.Partition{0, 0, 0}, "b=2 a=1"), 0},
		{at(space.Partition{0, 0, 0}, "a=1"), at(space.Partition{0, 0, 0}, "a=2 c=1"), 3},
		{at(space.Partition{0, 0, 0}, ""), at(space.Partition{0, 1, 2}, ""), 4},
		{at(space.Partition{0, 0, 1}, ""), at(space.Partition{0, 1, 1}, ""), 8.0 / 3},
	} {
		if got := choicesApart(c.a, c.b); math.Abs(got-c.want) > 1e-12 || got != choicesApart(c.b, c.a) {
			t.Errorf("%v and %v: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func BenchmarkRegression(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	var examples []example
	var values []float64
	for range mostExamples {
		e := example{words: []string{"a=1"}}
		for range 29 {
			e.features = append(e.features, random.NormFloat64())
		}
		examples, values = append(examples, e), append(values, random.NormFloat64())
	}
	for b.Loop() {
		fit(examples, values)
	}
}
