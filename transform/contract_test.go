package transform

import (
	"slices"
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/transform/hyperplane"
)

// TestSharedOut are the loops over tiles of columns around all of symm: each of few threads takes
// one tile for itself, with tiles inside that one thread runs, and many threads share out the rows
// inside tiles for which the expanded array has elements.
func TestSharedOut(t *testing.T) {
	options := fixed
	options.Vector, options.SecondCacheBytes, options.ThirdCacheBytes = VectorUnit{512, 32}, 1<<20, 32<<20
	large := map[string]int{"M": 1000, "N": 1200}
	const own = "parallel c0.1t; tile c0_0.2 c0_0.3 c0_0.4 by 256 600 200; tile c0_2.2 c0_2.3 c0_2.4 by 600 256 200"
	const shared = "tile c0_0.2 c0_0.3 c0_0.4 by 32 600 200; parallel c0_0.2t; parallel c0_1.2t; tile c0_2.2 c0_2.3 c0_2.4 by 600 32 200; parallel c0_2.3t; contract temp2_1 at c0.1t"
	for _, test := range []struct {
		about string
		run   Run
		// change is what is set besides.
		change func(*Options)
		want   string
	}{
		{"two threads", Run{large, 2}, nil, own},
		{"so many threads that tiles would be narrow", Run{large, 16}, nil, shared},
		{"more memory than there is", Run{map[string]int{"M": 12000, "N": 12000}, 2}, nil, strings.NewReplacer("600", "72", "200", "240").Replace(shared)},
		{"one thread", Run{large, 1}, nil, shared},
		{"no threads", Run{large, 2}, func(o *Options) { *o = o.WithOff(parallelAxis) },
			"tile c0_0.2 c0_0.3 c0_0.4 by 256 600 200; tile c0_2.2 c0_2.3 c0_2.4 by 600 256 200; contract temp2_1 at c0.1t"},
	} {
		kernel, err := benchmarks.Find("polybench/symm")
		if err != nil {
			t.Fatal(err)
		}
		g := expandedGraph(t, kernel.Name, kernel.Source)
		options := options
		if options.Run = test.run; test.change != nil {
			test.change(&options)
		}
		recipe, _ := provenRecipe(t, g, chosen(t, g, "smart"), options)
		var got []string
		for _, c := range recipe {
			text := schedule.Text(c, g.Model.Program)
			_, isTile := c.(command.Tile)
			if isTile && strings.Count(text, ".") == 3 || slices.Contains([]string{"parallel", "contract"}, schedule.Name(c)) {
				got = append(got, text)
			}
		}
		if strings.Join(got, "; ") != test.want {
			t.Errorf("%s:\n%s, want\n%s", test.about, strings.Join(got, "; "), test.want)
		}
	}
}

// TestContractInside are the arrays that have elements for one iteration of the loops that a class
// shares: doitgen's row of sums, for as many threads as there are iterations, and for more the row
// of one iteration of both loops, where the axis does not say otherwise.
func TestContractInside(t *testing.T) {
	for _, test := range []struct {
		threads int
		off     bool
		want    string
	}{
		{1, false, "contract sum_1 at c0.1"},
		{150, false, "contract sum_1 at c0.1"},
		{151, false, "contract sum_1 at c0.2"},
		{2, true, ""},
	} {
		kernel, err := benchmarks.Find("polybench/doitgen")
		if err != nil {
			t.Fatal(err)
		}
		g := expandedGraph(t, kernel.Name, kernel.Source)
		options := fixed
		options.Vector = VectorUnit{512, 32}
		options.Run = Run{map[string]int{"NR": 150, "NQ": 140, "NP": 160}, test.threads}
		if test.off {
			options = options.WithOff(contractAxis)
		}
		recipe, _ := provenRecipe(t, g, chosen(t, g, "smart"), options)
		got := ""
		for _, c := range recipe {
			if schedule.Name(c) == "contract" {
				got += schedule.Text(c, g.Model.Program)
			}
		}
		if got != test.want {
			t.Errorf("%d threads: %q, want %q", test.threads, got, test.want)
		}
	}
}

// TestContractOnce is an array that has elements for one iteration inside of a loop over tiles of
// the same iterations: a second command for it would be an error.
func TestContractOnce(t *testing.T) {
	const source = `
void f(int N, int M, float C[N + 40], double P[46][33])
{
  float w;
#pragma scop
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i + 2; j++) {
      w = 1;
      for (int k = 0; k < N; ++k)
        w -= 0.001 * P[-k - 2 * j + 38][k];
    }
  for (int i = 0; i < M + 1; ++i)
    for (int j = 0; j < 7; j++) {
      w = P[j + 39][j + 1];
      for (int k = 0; k < N; ++k)
        w += 0.003 * C[2 * i + 10];
      P[j + 39][j + 1] = w + 0.001 * C[-j + 2 * i + 6];
    }
#pragma endscop
}
`
	g := expandedGraph(t, "f", []byte(source))
	options := fixed
	options.Model, options.Tile.None, options.Grain = hyperplane.Pluto, true, 8
	recipe, _ := provenRecipe(t, g, chosen(t, g, "max"), options)
	contracted := 0
	for _, c := range recipe {
		if schedule.Name(c) == "contract" {
			contracted++
		}
	}
	if contracted != 2 {
		t.Errorf("%d arrays are contracted, want both, once:\n%v", contracted, recipe)
	}
}
