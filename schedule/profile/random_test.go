package profile_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"polytune/frontend"
	"polytune/internal/randomprogram"
	"polytune/isl"
	"polytune/schedule/profile"
	"polytune/scop"
)

// TestRandomArrays compares the elements that random programs touch, load from
// outside and store with those found by executing them.
func TestRandomArrays(t *testing.T) {
	compared, seeds := 0, uint64(25)
	if os.Getenv("POLYTUNE_LONG") != "" {
		seeds = 400
	}
	for seed := range seeds {
		p := randomprogram.Random(seed)
		size := randomprogram.Size{N: 7, M: 5}
		layout := randomprogram.NewLayout(p, []randomprogram.Size{size})
		if len(layout.Sizes) == 0 {
			continue
		}
		file, err := frontend.Parse("random.c", []byte(p.Prelude(layout)+p.Source(layout)), frontend.Options{})
		if err != nil {
			continue
		}
		program := file.Regions[0].Program
		want, ok := executed(p, size)
		if !ok || !isCertain(program) {
			continue
		}
		compared++
		ctx := isl.NewContext()
		got, err := profile.Of(ctx, treeOf(t, program, "classes {"+strings.Join(program.StatementNames(), " ")+"}"), map[string]int{"N": size.N, "M": size.M})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, a := range got.Classes[0].Arrays {
			if program.Array(a.Name).Local {
				continue // executing it makes another one in each iteration
			}
			if counts := [3]float64{a.Elements.Value, a.Loaded.Value, a.Stored.Value}; counts != want[a.Name] {
				t.Errorf("seed %d: %s has %v elements touched, loaded, stored, not %v", seed, a.Name, want[a.Name], counts)
			}
		}
		ctx.Close()
	}
	if compared < int(seeds)/3 {
		t.Errorf("only %d programs compared", compared)
	}
}

// isCertain says that the model knows exactly which elements are touched.
func isCertain(p *scop.Program) bool {
	return !slices.ContainsFunc(p.Statements, func(s scop.Statement) bool {
		return slices.ContainsFunc(s.Accesses, func(a scop.Access) bool { return a.May })
	})
}

// executed counts the elements of each array by running the program.
func executed(p *randomprogram.Program, size randomprogram.Size) (map[string][3]float64, bool) {
	counts := map[string][3]float64{}
	seen := map[string]bool{}
	add := func(kind int, touch randomprogram.Touch) {
		if key := fmt.Sprint(kind, touch.Array, touch.Element); !seen[key] {
			seen[key] = true
			c := counts[touch.Array]
			c[kind]++
			counts[touch.Array] = c
		}
	}
	err := p.Execute(size, 100_000, func(i *randomprogram.Instance) {
		for _, touch := range i.Touches {
			add(0, touch)
			if touch.Read && !seen[fmt.Sprint(2, touch.Array, touch.Element)] {
				add(1, touch)
			}
		}
		for _, touch := range i.Touches {
			if touch.Write {
				add(2, touch)
			}
		}
	})
	return counts, err == nil
}
