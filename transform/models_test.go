package transform

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform/hyperplane"
)

// Where no loop has to be reversed, as in PolyBench, both models find as many
// parallel loops and bands of the same widths, and neither mode is lazy nor the
// source's order the last resort.
func TestModelsAgree(t *testing.T) {
	for _, b := range kerneltest.Some() {
		if !strings.HasPrefix(b.Name, "polybench/") {
			continue
		}
		t.Run(b.Name, func(t *testing.T) {
			t.Parallel()
			g := graphOf(t, b.Name, b.Source)
			nest := space.Nest{chosen(t, g, "smart")}
			var shapes []string
			for model := range hyperplane.Models() {
				options := fixed
				options.Model = hyperplane.Model(model)
				recipe, explanation, err := Explain(g, nest, options)
				if err != nil {
					t.Fatal(err)
				}
				if explanation.Lazy || explanation.Original {
					t.Errorf("%s: lazy %v, the order of the source %v", hyperplane.Model(model), explanation.Lazy, explanation.Original)
				}
				shapes = append(shapes, shape(recipe))
			}
			if shapes[0] != shapes[1] {
				t.Errorf("pluto has\n%s\npluto+ has\n%s", shapes[0], shapes[1])
			}
		})
	}
}

// shape is what tells bands apart, without their rows: their loops by node, and
// what is done with them.
func shape(recipe schedule.Recipe) string {
	widths := map[string]int{}
	parallel := 0
	for _, c := range recipe {
		switch c := c.(type) {
		case command.Band:
			widths[c.Node] += len(c.Rows)
		case command.Parallel:
			parallel++
		}
	}
	var lines []string
	for node, width := range widths {
		lines = append(lines, fmt.Sprintf("%s: %d loops", node, width))
	}
	slices.Sort(lines)
	return fmt.Sprintf("%s\n%d parallel", strings.Join(lines, "\n"), parallel)
}

// BenchmarkModels times the hyperplane search of each built-in kernel, for the
// partition that the heuristic "smart" chooses, with each model.
func BenchmarkModels(b *testing.B) {
	for _, kernel := range benchmarks.All() {
		program := programOf(b, kernel.Name, kernel.Source)
		for model := range hyperplane.Models() {
			b.Run(kernel.Name+"/"+hyperplane.Model(model).String(), func(b *testing.B) {
				for range b.N {
					b.StopTimer()
					context := isl.NewContext()
					m, err := program.Model(context)
					if err != nil {
						b.Fatal(err)
					}
					g, err := depend.Analyze(m)
					if err != nil {
						b.Fatal(err)
					}
					partition := chosen(b, g, "smart")
					options := Options{Model: hyperplane.Model(model), CacheBytes: fixed.CacheBytes, Space: space.Options{}}
					b.StartTimer()
					if _, err := Transform(g, partition, options); err != nil {
						b.Fatal(err)
					}
					b.StopTimer()
					context.Close()
				}
			})
		}
	}
}
