package device_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"polytune/codegen"
	"polytune/device"
	"polytune/internal/kerneltest"
	"polytune/loopir"
	"polytune/schedule"
	"polytune/scop/depend"
)

// inPlace are two statements that change an array each, by what they read of the other one.
type inPlace struct {
	// offsets are those of the elements that each reads of the other's array, beside those of streamed
	// tiles along the other dimension.
	offsets, beside [2][]int64
	// steps are those of a tile, of which keeping store what they write.
	steps, width, keeping int64
	swaps                 bool
}

func drawInPlace(random *rand.Rand) *inPlace {
	p := &inPlace{steps: 2 + random.Int64N(3), width: 2 + random.Int64N(5), keeping: 2, swaps: random.IntN(4) > 0}
	if random.IntN(4) == 0 {
		p.keeping = 1 + random.Int64N(3)
	}
	for k := range p.offsets {
		for range 1 + random.IntN(2) {
			p.offsets[k] = append(p.offsets[k], random.Int64N(3)-1)
		}
	}
	for k, offsets := range p.offsets {
		for range offsets {
			p.beside[k] = append(p.beside[k], random.Int64N(3)-1)
		}
	}
	return p
}

// isRight says whether the tiles are right: each element is stored behind the last step that writes
// it, and not where others load it.
func (p *inPlace) isRight() bool { return p.swaps && p.keeping >= 2 }

func (p *inPlace) graph(t *testing.T) *depend.Graph {
	statement := func(own, other string, offsets []int64) string {
		text := fmt.Sprintf("for (int i = 2; i < n - 2; i++) %[1]s[i] = 0.5 * %[1]s[i]", own)
		for _, offset := range offsets {
			text += strings.ReplaceAll(fmt.Sprintf(" + %s[i + %d]", other, offset), "+ -", "- ")
		}
		return text + ";\n"
	}
	return graphOf(t, "void f(int m, int n, double e[n], double h[n]) {\n#pragma scop\nfor (int t = 0; t < m; t++) {\n"+
		statement("e", "h", p.offsets[0])+statement("h", "e", p.offsets[1])+"}\n#pragma endscop\n}\n")
}

func (p *inPlace) recipe() string {
	more := ""
	if p.keeping > 1 {
		more = fmt.Sprintf(" keeping %d", p.keeping)
	}
	if p.swaps {
		more += " swapping e h"
	}
	return fmt.Sprintf("classes {S0 S1}\nband c0 S0[t, i] -> [2t, i]; S1[t, i] -> [2t + 1, i]\noverlapped c0.1 c0.2 by %d %d slopes 1 rest 1%s\n"+
		"block c0p0.2o\nthread c0p0.2 by 3\nbarrier c0p0.1\ncopy e at c0p0.2o to shared\ncopy h at c0p0.2o to shared\nblock c0p1.2\n", p.steps, p.width, more)
}

// loweredIfRight is the code of a recipe, which is to be proven if it is right, and then to compute
// what the source does, and refused if it is not; nil where it is refused.
func loweredIfRight(t *testing.T, g *depend.Graph, recipe schedule.Recipe, isRight bool, name string) *loopir.Program {
	t.Helper()
	tree, proven, err := recipe.Prove(g)
	if err != nil && !depend.IsIllegal(err) || (err == nil) != isRight {
		t.Errorf("%s is right: %v, but: %v", name, isRight, err)
	}
	if err != nil {
		return nil
	}
	if !runs(t, g, recipe) {
		t.Errorf("%s has no code", name)
	}
	program, err := codegen.Lower(g.Model, proven, codegen.Options{Tree: tree, Original: "original", Passes: device.Passes}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// Tiles of random stencils with one grid for each array are legal where they store to second grids
// what the last steps write, and then leave what the source does; most leave something else
// where what they store goes to what others load.
func TestSwappedOracle(t *testing.T) {
	tries := 4
	if kerneltest.Long() {
		tries = 200
	}
	right, amiss := 0, 0
	for seed := range uint64(tries) {
		p := drawInPlace(rand.New(rand.NewPCG(seed, 46)))
		g := p.graph(t)
		recipe := madeRecipe(t, g, p.recipe())
		program := loweredIfRight(t, g, recipe, p.isRight(), fmt.Sprintf("seed %d: %+v", seed, *p))
		if program == nil {
			continue
		}
		right++
		machine, wanted := source(t, g)
		loopir.Walk(program.Code, func(s loopir.Stmt) {
			if b, is := s.(*loopir.Box); is && b.Swapped {
				if b.Swapped = false; difference(machine, wanted, program.Code) != "" {
					amiss++
				}
				b.Swapped = true
			}
		})
	}
	if amiss < right { // of two arrays each
		t.Errorf("of %d arrays only %d are amiss where tiles store them into what others load", 2*right, amiss)
	}
	if right < tries/4 || right > tries*3/4+1 {
		t.Errorf("of %d tilings %d are right", tries, right)
	}
}

// plane is the stencil of two dimensions of space. Its second statement changes two arrays at once,
// and the first one is an update of what was there.
func (p *inPlace) plane(t *testing.T) *depend.Graph {
	statement := func(target, other string, k int) string {
		text := "for (int i = 2; i < n - 2; i++) for (int j = 2; j < n - 2; j++) " + target
		for n, offset := range p.offsets[k] {
			text += strings.ReplaceAll(fmt.Sprintf(" + %s[i + %d][j + %d]", other, offset, p.beside[k][n]), "+ -", "- ")
		}
		return text + ";\n"
	}
	return graphOf(t, "void f(int m, int n, double e[n][n], double g[n][n], double h[n][n]) {\n#pragma scop\nfor (int t = 0; t < m; t++) {\n"+
		statement("e[i][j] -= 2", "h", 0)+"for (int i = 2; i < n - 2; i++) for (int j = 2; j < n - 2; j++) g[i][j] += h[i][j];\n"+
		statement("h[i][j] = 0.5 * h[i][j] - g[i][j]", "e", 1)+"}\n#pragma endscop\n}\n")
}

// streamed is the recipe for tiles of the plane that are streamed along a dimension.
func (p *inPlace) streamed(along int) string {
	more := fmt.Sprintf(" streaming c0.%d", along+2)
	if p.keeping > 1 {
		more += fmt.Sprintf(" keeping %d", p.keeping)
	}
	if p.swaps {
		more += " swapping e g h"
	}
	return fmt.Sprintf("classes {S0 S1 S2}\nband c0 S0[t, i, j] -> [2t, i, j]; S1[t, i, j] -> [2t, i, j]; S2[t, i, j] -> [2t + 1, i, j]\noverlapped c0.1 c0.2 c0.3 by %d %d 4 slopes 1 1 rest 1%s\n"+
		"block c0p0.2o c0p0.3o\nthread c0p0.%d by 3\nbarrier c0p0.1\nblock c0p1.2 c0p1.3\n", p.steps, p.width, more, 3-along)
}

// isRightStreamed says whether the tiles are right when they are streamed: they store each element
// once.
func (p *inPlace) isRightStreamed() bool { return p.isRight() && min(p.keeping, p.steps) == 2 }

// Streamed tiles of random stencils with one grid for each array, two of which change at once, are
// legal where they store to second grids what each of the last steps writes, and then leave what
// the source does; most leave something else where what they store goes to what others load, or a
// step reads what another one has left.
func TestStreamedSwappedOracle(t *testing.T) {
	tries := 3
	if kerneltest.Long() {
		tries = 100
	}
	right, amiss := 0, 0
	for seed := range uint64(tries) {
		random := rand.New(rand.NewPCG(seed, 47))
		p, along := drawInPlace(random), random.IntN(2)
		g := p.plane(t)
		recipe := madeRecipe(t, g, p.streamed(along))
		program := loweredIfRight(t, g, recipe, p.isRightStreamed(), fmt.Sprintf("seed %d: %+v streamed along %d", seed, *p, along))
		if program == nil {
			continue
		}
		right++
		amiss += amissStreamed(t, g, program)
	}
	if amiss < 3*right { // of four changes each
		t.Errorf("of %d changes only %d are found", 4*right, amiss)
	}
	if right < tries/4 || right > tries*3/4+1 {
		t.Errorf("of %d tilings %d are right", tries, right)
	}
}

// amissStreamed counts the changes of streamed code that leave something else than the source: all
// stores to the first grids, none of the last step but one, no loads, and values of a field kept by
// nobody.
func amissStreamed(t *testing.T, g *depend.Graph, program *loopir.Program) (amiss int) {
	machine, wanted := source(t, g)
	loopir.Walk(program.Code, func(s loopir.Stmt) {
		tile, is := s.(*loopir.Streamed)
		if !is {
			return
		}
		last := len(tile.Steps) - 1
		for _, change := range []func(){
			func() { eachRun(tile.Steps, func(r *loopir.StreamRun) { r.Swapped = false }) },
			func() { eachRun(tile.Steps[last-1:last], func(r *loopir.StreamRun) { r.Stores = nil }) },
			func() { eachField(tile.Steps, func(f *loopir.StreamField) { f.Loads = nil }) },
			func() { eachRun(tile.Steps[:1], func(r *loopir.StreamRun) { r.Keeps = nil }) },
		} {
			restore := savedStream(tile)
			if change(); difference(machine, wanted, program.Code) != "" {
				amiss++
			}
			restore()
		}
	})
	return amiss
}

func eachRun(steps []*loopir.StreamStep, do func(*loopir.StreamRun)) {
	for _, step := range steps {
		for _, s := range step.Body {
			do(s.(*loopir.StreamRun))
		}
	}
}

func eachField(steps []*loopir.StreamStep, do func(*loopir.StreamField)) {
	for _, step := range steps {
		for _, f := range step.Fields {
			do(f)
		}
	}
}

// savedStream is a function that gives the code of a tile what it has now.
func savedStream(tile *loopir.Streamed) func() {
	runs, fields := map[*loopir.StreamRun]loopir.StreamRun{}, map[*loopir.StreamField]loopir.StreamField{}
	eachRun(tile.Steps, func(r *loopir.StreamRun) { runs[r] = *r })
	eachField(tile.Steps, func(f *loopir.StreamField) { fields[f] = *f })
	return func() {
		for r, saved := range runs {
			*r = saved
		}
		for f, saved := range fields {
			*f = saved
		}
	}
}
