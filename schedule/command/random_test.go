package command

import (
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/schedule"
	"polytune/scop/depend"
)

// Commands that chance chooses are written and read back as they are, are applied or refused
// without a panic, and what comes of them is proven or refused. Most commands are met that way.
func TestRandomCommands(t *testing.T) {
	first, count := uint64(5), uint64(8) // of which some are proven
	if os.Getenv("POLYTUNE_LONG") != "" {
		first, count = 0, 300
	}
	met, proven := map[string]bool{}, 0
	for _, start := range randomStarts {
		for seed := first; seed < first+count; seed++ {
			random := rand.New(rand.NewPCG(seed, 7))
			ctx := isl.NewContext()
			g := kerneltest.AnalyzeIn(t, ctx, kerneltest.File(t, start.kernel).Regions[0].Program.Reassociated())
			ctx.SetMaxOperations(300_000)
			recipe, err := Parse(g.Model.Program, "reassociate\n"+start.recipe)
			if err != nil {
				t.Fatal(err)
			}
			for range 1 + random.IntN(20) {
				tree, err := recipe.Replay(g.Model.Program)
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range All.Random(random, tree) {
					text := schedule.Text(c, g.Model.Program)
					again, err := Parse(g.Model.Program, text)
					if err != nil || len(again) != 1 || schedule.Text(again[0], g.Model.Program) != text {
						t.Fatalf("%s: %q reads back as %v (%v)", start.kernel, text, again, err)
					}
					if c.Apply(tree) == nil {
						recipe = append(recipe, c)
						met[schedule.Name(c)] = true
					}
				}
			}
			_, _, err = recipe.Prove(g)
			var violation *depend.Violation
			switch {
			case err == nil:
				proven++
			case errors.As(err, &violation), isl.IsLimit(err), ctx.Err() != nil:
			}
			ctx.TakeErr()
			ctx.Close()
		}
	}
	if len(met) < 20 || proven < 5 {
		t.Errorf("%d commands met, %d recipes proven: %v", len(met), proven, met)
	}
}

// randomStarts are what recipes begin with behind which chance chooses commands, and the kernels
// that they are of.
var randomStarts = []struct{ kernel, recipe string }{
	{"polybench/gemm", "classes {S0 S1}\nband c0 S0[i, j] -> [i]; S1[i, k, j] -> [i]\nsplit c0 {S0} {S1}\nband c0_0 permutable S0[i, j] -> [j]\nband c0_1 permutable S1[i, k, j] -> [k, j]\n"},
	{"polybench/mvt", "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, j]\nband c1 permutable S1[i, j] -> [i, j]\n"},
	{"polybench/jacobi-1d", "classes {S0 S1}\nband c0 permutable S0[t, i] -> [t, 2t + i]; S1[t, i] -> [t, 2t + i + 1]\nsplit c0 {S0} {S1}\n"},
	{"polybench/jacobi-1d", "classes {S0 S1}\nband c0 S0[t, i] -> [t]; S1[t, i] -> [t]\nsplit c0 {S0} {S1}\nband c0_0 permutable S0[t, i] -> [i]\nband c0_1 permutable S1[t, i] -> [i]\n"},
	{"polybench/jacobi-1d", "classes {S0 S1}\nband c0 S0[t, i] -> [2t, i]; S1[t, i] -> [2t + 1, i]\nhexagon c0.1 c0.2 by 1 2 slopes 1 1\n"},
}

// Hexagons that chance proposes are legal, illegal, and too narrow: with the loops of a stencil as
// they are, and with the sum of a permutable band's loops as time.
func TestRandomHexagons(t *testing.T) {
	legal, illegal, narrow, tries := 0, 0, 0, 8
	if kerneltest.Long() {
		tries = 15
	}
	for _, start := range []string{
		"classes {S0 S1}\nband c0 S0[t, i] -> [2t, i]; S1[t, i] -> [2t + 1, i]\n",
		"classes {S0 S1}\nband c0 permutable S0[t, i] -> [t, 2t + i]; S1[t, i] -> [t, 2t + i + 1]\nsplit c0 {S0} {S1}\n",
	} {
		g := kerneltest.Graph(t, "polybench/jacobi-1d")
		random := rand.New(rand.NewPCG(3, 9))
		before := legal
		for range tries {
			recipe, err := Parse(g.Model.Program, start)
			if err != nil {
				t.Fatal(err)
			}
			tree, err := recipe.Replay(g.Model.Program)
			if err != nil {
				t.Fatal(err)
			}
			_, _, err = append(recipe, All["hexagon"].Random(random, tree)...).Prove(g)
			switch {
			case err == nil:
				legal++
			case depend.IsIllegal(err):
				illegal++
			case strings.Contains(err.Error(), "is too small for the slopes"):
				narrow++
			default:
				t.Errorf("%s: %v", start, err)
			}
		}
		if legal-before < tries/5 {
			t.Errorf("%s: %d of %d hexagons are legal", start, legal-before, tries)
		}
	}
	if min(illegal, narrow) < tries/5 {
		t.Errorf("of %d hexagons %d are legal, %d illegal, %d too narrow", 2*tries, legal, illegal, narrow)
	}
}

// Each command proposes itself for some tree, behind others that it needs; but for those that say
// what has been done to the program, and those about expanded arrays, of which there are none here.
func TestEachCommandProposes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	proposes := map[string]bool{"cut": true, "expand": true, "contract": true}
	for _, start := range randomStarts {
		program := kerneltest.File(t, start.kernel).Regions[0].Program
		recipe, err := Parse(program, start.recipe)
		if err != nil {
			t.Fatal(err)
		}
		for range 100 {
			tree, err := recipe.Replay(program)
			if err != nil {
				t.Fatal(err)
			}
			for _, word := range []string{"tile", "copy", "ranks"} {
				for _, c := range All[word].Random(random, tree) {
					_ = c.Apply(tree) // some are refused
				}
			}
			for word, s := range All {
				if commands := s.Random(random, tree); len(commands) > 0 && schedule.Name(commands[len(commands)-1]) == word {
					proposes[word] = true
				}
			}
		}
	}
	for word := range All {
		if !proposes[word] {
			t.Errorf("%s proposes nothing", word)
		}
	}
}
