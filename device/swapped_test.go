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
	"polytune/scop/depend"
)

// inPlace are two statements that change an array each, by what they read of the other one.
type inPlace struct {
	// offsets are those of the elements that each reads of the other's array.
	offsets [2][]int64
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

// Tiles of random stencils with one grid for each array are legal where they store to second grids
// what the last steps write, and then leave what the source does; most leave something else
// where what they store goes to what others load.
func TestSwappedOracle(t *testing.T) {
	tries := 6
	if kerneltest.Long() {
		tries = 200
	}
	right, amiss := 0, 0
	for seed := range uint64(tries) {
		p := drawInPlace(rand.New(rand.NewPCG(seed, 46)))
		g := p.graph(t)
		recipe := madeRecipe(t, g, p.recipe())
		tree, proven, err := recipe.Prove(g)
		if err != nil && !depend.IsIllegal(err) || (err == nil) != p.isRight() {
			t.Errorf("seed %d: %+v is right: %v, but: %v", seed, *p, p.isRight(), err)
			continue
		}
		if err != nil {
			continue
		}
		right++
		if !runs(t, g, recipe) {
			t.Errorf("seed %d: %+v has no code", seed, *p)
		}
		program, err := codegen.Lower(g.Model, proven, codegen.Options{Tree: tree, Original: "original", Passes: device.Passes}, nil)
		if err != nil {
			t.Fatal(err)
		}
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
