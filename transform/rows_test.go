package transform

import (
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/scop/split"
)

// The pieces of shortest paths run row by row, each in its columns, without tiles, unless somebody
// wants some.
func TestPiecesInRows(t *testing.T) {
	kernel, err := benchmarks.Find("polybench/floyd-warshall")
	if err != nil {
		t.Fatal(err)
	}
	whole := graphOf(t, kernel.Name, kernel.Source)
	cuts, err := split.Free(whole)
	if err != nil {
		t.Fatal(err)
	}
	pieces, err := split.Program(whole.Model.Program, cuts)
	if err != nil {
		t.Fatal(err)
	}
	g, err := split.Graph(whole, pieces)
	if err != nil {
		t.Fatal(err)
	}
	text := recipeOf(t, g, chosen(t, g, "smart"), fixed)
	for _, want := range []string{
		"split c0 {S0.2 S0.6 S0.10} {S0.0 S0.4 S0.8} {S0.1 S0.5 S0.9}\n",
		"band c0_0 permutable S0.2[k, i, j] -> [i, j]; S0.6[k, i, j] -> [i, j]; S0.10[k, i, j] -> [i, j]\nsplit c0_0 {S0.2} {S0.6} {S0.10}\n",
		"parallel c0_0.2\nparallel c0_2.2\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %sin\n%s", want, text)
		}
	}
	tiled := fixed
	tiled.Tile.Sizes = []int64{32}
	if text := recipeOf(t, g, chosen(t, g, "smart"), tiled); !strings.Contains(text, "tile c0_0.2 c0_0.3 by 32 32\n") {
		t.Errorf("no tiles of the user's sizes in\n%s", text)
	}
}
