package transform

import (
	"maps"
	"os"
	"slices"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/scop/split"
)

// splitGraph is the dependence graph of a built-in kernel whose statements have
// been split.
func splitGraph(t *testing.T, name string) *depend.Graph {
	t.Helper()
	g := kerneltest.Graph(t, name)
	found, err := split.Find(g)
	if err != nil {
		t.Fatal(err)
	}
	program, err := split.Program(g.Model.Program, found.Cuts)
	if err != nil {
		t.Fatal(err)
	}
	cut, err := split.Graph(g, program)
	if err != nil {
		t.Fatal(err)
	}
	return cut
}

// On a ring the smallest rows of all are mirrored ones: the search for those
// alone finds the same, but for constant shifts.
func TestMirroredRows(t *testing.T) {
	for _, name := range []string{"plutoplus/heat-1dp", "plutoplus/heat-2dp", "plutoplus/lbm-ldc-d2q9"} {
		g := splitGraph(t, name)
		p := &planner{graph: g, options: Options{Model: PlutoPlus}}
		q := question{found: map[int][][]int64{}, active: depend.Distinct(g.Dependences)}
		for s := range g.Model.Statements {
			q.statements = append(q.statements, s)
		}
		if images := mirrors(g.Model, q.statements); len(images) != len(q.statements)-1 {
			t.Fatalf("%s: %d mirror images among %d pieces", name, len(images), len(q.statements))
		}
		last := stage{model: PlutoPlus, treatment: bounded, box: box{DefaultCoefficientBound, unlimitedValue, unlimitedValue}}
		tied := last
		tied.tied = true
		for range g.Model.Statements[0].Depth() {
			want, err := p.search(q, last)
			if err != nil {
				t.Fatal(err)
			}
			got, err := p.search(q, tied)
			if err != nil {
				t.Fatal(err)
			}
			if len(want.rows) == 0 || !sameRows(withoutConstants(got.rows), withoutConstants(want.rows)) {
				t.Errorf("%s: mirrored rows are %v, the smallest %v", name, got.rows, want.rows)
			}
			appendRows(q.found, got.rows)
		}
	}
}

func withoutConstants(rows map[int]schedule.Row) map[int]schedule.Row {
	rows = maps.Clone(rows)
	for s, row := range rows {
		row.Constant = 0
		rows[s] = row
	}
	return rows
}

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
		g := splitGraph(t, test.name)
		options := fixed
		options.Model, options.Diamond = PlutoPlus, DiamondOne
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
	g := splitGraph(t, kernel)
	options := fixed
	options.Model, options.Diamond = PlutoPlus, DiamondOne
	recipe, _ := provenRecipe(t, g, make([]int, len(g.Model.Statements)), options)
	place := slices.IndexFunc(recipe, func(c schedule.Command) bool { _, isBand := c.(command.Band); return isBand })
	band := recipe[place].(command.Band)
	if len(band.Rows) != loops {
		t.Fatalf("the band has %d loops", len(band.Rows))
	}
	if !slices.ContainsFunc(recipe, func(c schedule.Command) bool { _, is := c.(command.Diamond); return is }) {
		t.Error("tiles do not start together")
	}
	for s, image := range mirrors(g.Model, slices.Sorted(maps.Keys(band.Rows[0]))) {
		for k, rows := range band.Rows {
			if !image.isImage([][]int64{rows[s].Row.Iterators}, [][]int64{rows[image.first].Row.Iterators}) {
				t.Errorf("loop %d: %v is no mirror image of %v", k+1, rows[s], rows[image.first])
			}
		}
	}
}
