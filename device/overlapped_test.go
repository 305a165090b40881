package device_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"polytune/codegen"
	"polytune/device"
	"polytune/internal/kerneltest"
	"polytune/loopir"
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

func drawOverlapped(random *rand.Rand, dimensions int) *overlapped {
	o := &overlapped{dimensions: dimensions, buffers: 2 + random.IntN(4)/3, rest: 1 + random.Int64N(2)}
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
	tries := 6
	if kerneltest.Long() {
		tries = 400
	}
	right := 0
	for seed := range uint64(tries) {
		random := rand.New(rand.NewPCG(seed, 44))
		o := drawOverlapped(random, 1+random.IntN(4)/3)
		g := o.graph(t)
		text := o.recipe("barrier c0p0.1\n")
		if seed%2 == 1 {
			text = early(text)
		}
		recipe := madeRecipe(t, g, text)
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

// isRightStreamed says whether the tiles are right when they are streamed along a dimension: no
// step needs planes that the step before has not reached, and a tile stores nothing that it loads.
func (o *overlapped) isRightStreamed(along int) bool {
	lag := (o.slopes[along].Over + o.slopes[along].Under - 1) / o.slopes[along].Under
	for _, offset := range o.offsets {
		if offset[along] > lag {
			return false
		}
	}
	return o.isRight() && o.steps%int64(o.buffers) != 0
}

// streamedRecipe is that of the tiles streamed along a dimension.
func (o *overlapped) streamedRecipe(along int, barrier string) string {
	var lines []string
	for line := range strings.Lines(o.recipe(barrier)) {
		switch {
		case strings.HasPrefix(line, "copy"):
			continue
		case strings.HasPrefix(line, "overlapped"):
			line = strings.TrimSuffix(line, "\n") + fmt.Sprintf(" streaming c0.%d\n", along+2)
		case strings.HasPrefix(line, "thread c0p0"):
			line = fmt.Sprintf("thread c0p0.%d by %d\n", 3-along, 2+along)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "")
}

// Streamed tiles of random stencils are legal where they are right, and then leave what the source
// does, in each order of blocks and threads.
func TestStreamedOracle(t *testing.T) {
	tries := 6
	if kerneltest.Long() {
		tries = 400
	}
	right := 0
	for seed := range uint64(tries) {
		random := rand.New(rand.NewPCG(seed, 45))
		o, along := drawOverlapped(random, 2), random.IntN(2)
		g := o.graph(t)
		recipe := madeRecipe(t, g, o.streamedRecipe(along, "barrier c0p0.1\n"))
		_, _, err := recipe.Prove(g)
		if err != nil && !depend.IsIllegal(err) || (err == nil) != o.isRightStreamed(along) {
			t.Errorf("seed %d: %+v streamed along %d is right: %v, but: %v", seed, *o, along, o.isRightStreamed(along), err)
			continue
		}
		if err != nil {
			continue
		}
		right++
		if !runs(t, g, recipe) {
			t.Errorf("seed %d: %+v has no code", seed, *o)
		}
		if _, _, err := madeRecipe(t, g, o.streamedRecipe(along, "")).Prove(g); err == nil && o.steps > 1 && o.reach(1-along)%int64(2+along) != 0 {
			t.Errorf("seed %d: %+v needs a barrier between its steps", seed, *o)
		}
	}
	if right < tries/4 || right > tries*3/4 {
		t.Errorf("of %d tilings %d are right", tries, right)
	}
}

// Without what threads give each other, or the loads of a step, streamed tiles leave something
// else.
func TestStreamedCode(t *testing.T) {
	g := kerneltest.Graph(t, "polybench/jacobi-2d")
	machine, wanted := source(t, g)
	tree, proven, err := madeRecipe(t, g, "classes {S0 S1}\nband c0 S0[t, i, j] -> [2t, i, j]; S1[t, i, j] -> [2t + 1, i, j]\n"+
		"overlapped c0.1 c0.2 c0.3 by 3 4 5 slopes 1 1 rest 1 streaming c0.2\nblock c0p0.2o c0p0.3o\nthread c0p0.3 by 3\nbarrier c0p0.1\nblock c0p1.2 c0p1.3\n").Prove(g)
	if err != nil {
		t.Fatal(err)
	}
	program, err := codegen.Lower(g.Model, proven, codegen.Options{Tree: tree, Original: "original", Passes: device.Passes}, nil)
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	loopir.Walk(program.Code, func(s loopir.Stmt) {
		tile, is := s.(*loopir.Streamed)
		if !is {
			return
		}
		count++
		for k, step := range tile.Steps {
			for _, f := range step.Fields {
				whole := *f
				for name, change := range map[string]func(){
					"its loads": func() { f.Loads = nil }, "another plane": func() { f.Shared-- }, "the planes in order": func() { f.Newest-- },
					"a column beside": func() { f.Beside = slices.Clone(f.Beside); f.Beside[0] = []int64{0} },
				} {
					if change(); difference(machine, wanted, program.Code) == "" {
						t.Errorf("step %d: nothing is amiss without %s", k, name)
					}
					*f = whole
				}
			}
		}
		if tile.Planes--; difference(machine, wanted, program.Code) == "" {
			t.Error("nothing is amiss with a plane less")
		}
		tile.Planes++
	})
	if count != 1 {
		t.Errorf("%d tiles are streamed:\n%s", count, program)
	}
}
