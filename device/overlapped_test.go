package device_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule"
	"polytune/scop/depend"
)

// overlapped is a stencil in overlapped tiles that chance has chosen.
type overlapped struct {
	dimensions, buffers int
	// offsets are those of the elements that a point reads of the step before.
	offsets [][]int64
	steps   int64
	widths  []int64
	slopes  []schedule.Slope
	rest    int64
}

func drawOverlapped(random *rand.Rand) *overlapped {
	o := &overlapped{dimensions: 1 + random.IntN(4)/3, buffers: 2 + random.IntN(4)/3, rest: 1 + random.Int64N(2)}
	o.steps = 1 + random.Int64N(int64(5-o.dimensions))
	for range 1 + random.IntN(3) {
		var offset []int64
		for range o.dimensions {
			far := int64(3 - o.dimensions)
			offset = append(offset, random.Int64N(2*far+1)-far)
		}
		o.offsets = append(o.offsets, offset)
	}
	for d := range o.dimensions {
		o.widths = append(o.widths, int64(2*o.dimensions-1)+random.Int64N(4))
		o.slopes = append(o.slopes, schedule.NewSlope(o.reach(d), 1))
		if random.IntN(3) == 0 {
			o.slopes[d] = []schedule.Slope{{Over: 0, Under: 1}, {Over: 1, Under: 2}, {Over: 1, Under: 1}, {Over: 3, Under: 2}}[random.IntN(4)]
		}
	}
	return o
}

// reach is how far a point reads along a dimension.
func (o *overlapped) reach(dimension int) (reach int64) {
	for _, offset := range o.offsets {
		reach = max(reach, offset[dimension], -offset[dimension])
	}
	return reach
}

// isRight says whether the tiles are right: the halo is as wide as points read, a launch writes
// other elements than other tiles load, and the steps behind it write all that it does not store.
func (o *overlapped) isRight() bool {
	isAlone := true
	for d, slope := range o.slopes {
		if o.steps > 1 && slope.Over < o.reach(d)*slope.Under {
			return false
		}
		isAlone = isAlone && o.reach(d) == 0 && slope.Floor(o.steps-1) == 0
	}
	return (isAlone || o.steps%int64(o.buffers) != 0) && (o.steps == 1 || o.rest >= int64(o.buffers)-1)
}

func (o *overlapped) graph(t *testing.T) *depend.Graph {
	iterators := []string{"i", "j"}[:o.dimensions]
	var loops, own string
	for _, i := range iterators {
		loops += fmt.Sprintf("for (int %[1]s = 2; %[1]s < n - 2; %[1]s++) ", i)
		own += "[" + i + "]"
	}
	var terms []string
	for k, offset := range o.offsets {
		term := fmt.Sprintf("0.%d * a[(t + %d) %% %d]", k+2, o.buffers-1, o.buffers)
		for d, i := range iterators {
			term += fmt.Sprintf("[%s + %d]", i, offset[d])
		}
		terms = append(terms, strings.ReplaceAll(term, "+ -", "- "))
	}
	return graphOf(t, fmt.Sprintf("void f(int m, int n, double a[%d][n]%s) {\n#pragma scop\nfor (int t = 0; t < m; t++) %sa[t %% %d]%s = %s;\n#pragma endscop\n}\n",
		o.buffers, strings.Repeat("[n]", o.dimensions-1), loops, o.buffers, own, strings.Join(terms, " + ")))
}

func (o *overlapped) recipe(barrier string) string {
	points, tiles, rows, names := "", "", "", []string{"i", "j"}[:o.dimensions]
	for d := range o.dimensions {
		points, tiles, rows = points+fmt.Sprintf(" c0p0.%d", d+2), tiles+fmt.Sprintf(" c0p0.%do", d+2), rows+fmt.Sprintf(" c0.%d", d+2)
	}
	list := strings.Trim(fmt.Sprint(o.widths), "[]")
	return fmt.Sprintf("classes {S0}\nband c0 S0[t, %[1]s] -> [t, %[1]s]\noverlapped c0.1%[2]s by %[3]d %[4]s slopes %[5]s rest %[6]d\nblock%[7]s\nthread%[8]s by %[9]s\n%[10]scopy a at c0p0.%[11]do to shared\nblock%[12]s\n",
		strings.Join(names, ", "), rows, o.steps, list, strings.Trim(fmt.Sprint(o.slopes), "[]"), o.rest, tiles, points, []string{"3", "1 3"}[o.dimensions-1], barrier, o.dimensions+1,
		strings.ReplaceAll(points, "p0", "p1"))
}

// Overlapped tiles of random stencils are legal where they are right, and then leave what the
// source does; without the barrier of the steps they are refused, but for one step.
func TestOverlappedOracle(t *testing.T) {
	tries := 8
	if kerneltest.Long() {
		tries = 400
	}
	right := 0
	for seed := range uint64(tries) {
		o := drawOverlapped(rand.New(rand.NewPCG(seed, 44)))
		g := o.graph(t)
		recipe := madeRecipe(t, g, o.recipe("barrier c0p0.1\n"))
		_, _, err := recipe.Prove(g)
		if err != nil && !depend.IsIllegal(err) || (err == nil) != o.isRight() {
			t.Errorf("seed %d: %+v is right: %v, but: %v", seed, *o, o.isRight(), err)
			continue
		}
		if !o.isRight() {
			continue
		}
		right++
		runs(t, g, recipe)
		if _, _, err := madeRecipe(t, g, o.recipe("")).Prove(g); err == nil && o.steps > 1 && o.reach(o.dimensions-1)%3 != 0 { // what another one of 3 threads has written
			t.Errorf("seed %d: %+v needs a barrier between its steps", seed, *o)
		}
	}
	if right < tries/4 || right > tries*3/4 {
		t.Errorf("of %d tilings %d are right", tries, right)
	}
}
