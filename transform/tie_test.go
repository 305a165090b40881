package transform

import (
	"os"
	"slices"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/transform/hyperplane"
)

// Twenty-seven directions and eighty pieces get bands of as many loops as they
// have, with tiles that start together.
func TestLargeRings(t *testing.T) {
	if os.Getenv("POLYTUNE_LONG") == "" {
		t.Skip("set POLYTUNE_LONG=1 for this test")
	}
	for _, test := range []struct {
		name          string
		pieces, loops int
	}{{"plutoplus/lbm-ldc-d3q27", 8, 4}, {"plutoplus/swim", 80, 3}} {
		g := kerneltest.Split(t, test.name)
		options := fixed
		options.Model, options.Diamond = hyperplane.PlutoPlus, DiamondOne
		recipe, err := Transform(g, make([]int, len(g.Model.Statements)), options)
		if err != nil {
			t.Fatal(err)
		}
		loops, diamonds := 0, 0
		for _, c := range recipe {
			switch c := c.(type) {
			case command.Band:
				loops = max(loops, len(c.Rows))
			case command.Diamond:
				diamonds++
			}
		}
		if len(g.Model.Statements) != test.pieces || loops != test.loops || diamonds != 1 {
			t.Errorf("%s: %d pieces, a band of %d loops, %d diamonds", test.name, len(g.Model.Statements), loops, diamonds)
		}
	}
}

// Pieces are tiled along time, start together, and have mirrored rows; the recipe is proven: four
// pieces of two dimensions, or in the long test eight of three.
func TestMirroredBand(t *testing.T) {
	kernel, loops := "plutoplus/heat-2dp", 3
	if kerneltest.Long() {
		kernel, loops = "plutoplus/heat-3dp", 4
	}
	g := kerneltest.Split(t, kernel)
	options := fixed
	options.Model, options.Diamond = hyperplane.PlutoPlus, DiamondOne
	recipe, _ := provenRecipe(t, g, make([]int, len(g.Model.Statements)), options)
	place := slices.IndexFunc(recipe, func(c schedule.Command) bool { _, isBand := c.(command.Band); return isBand })
	band := recipe[place].(command.Band)
	if len(band.Rows) != loops {
		t.Fatalf("the band has %d loops", len(band.Rows))
	}
	if !slices.ContainsFunc(recipe, func(c schedule.Command) bool { _, is := c.(command.Diamond); return is }) {
		t.Error("tiles do not start together")
	}
	first := g.Model.Statements[0].Piece.Number
	for s := range g.Model.Statements {
		for k, rows := range band.Rows {
			want := slices.Clone(rows[0].Row.Iterators)
			for cut := range 3 {
				if (g.Model.Statements[s].Piece.Number^first)>>cut&1 == 1 {
					want[cut+1] = -want[cut+1]
				}
			}
			if !slices.Equal(rows[s].Row.Iterators, want) {
				t.Errorf("loop %d: %v is no mirror image of %v", k+1, rows[s], rows[0])
			}
		}
	}
}
