package transform

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"polytune/benchmarks"
	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/isl/ilp"
	"polytune/space"
	"polytune/transform/hyperplane"
)

// programsOf are the integer programs by which both models find the hyperplanes
// of a built-in kernel, for the partitions smart and max, each once.
func programsOf(t testing.TB, kernel string) []*ilp.Problem {
	t.Helper()
	var list []*ilp.Problem
	seen := map[string]bool{}
	for model := range hyperplane.Models() {
		for _, word := range []string{"smart", "max"} {
			g := kerneltest.Graph(t, kernel)
			options := Options{Model: hyperplane.Model(model), CacheBytes: fixed.CacheBytes}
			_, explanation, err := Explain(g, space.Nest{chosen(t, g, word)}, options)
			if err != nil {
				t.Fatal(err)
			}
			for _, program := range explanation.Programs {
				p := program.Problem()
				if key := fmt.Sprint(p); !seen[key] {
					seen[key] = true
					list = append(list, p)
				}
			}
		}
	}
	return list
}

// solverOperations are enough for isl to solve nearly all programs of the suite.
const solverOperations = 50_000

// All solvers give the same answer to the programs of the built-in kernels, where
// they give one; and where isl gives one, so does our own.
func TestSolversAgreeOnKernels(t *testing.T) {
	kernels := []string{"polybench/gemver", "polybench/seidel-2d", "polybench/ludcmp", "plutoplus/heat-1dp"}
	if os.Getenv("POLYTUNE_LONG") != "" {
		kernels = nil
		for _, b := range benchmarks.All() {
			kernels = append(kernels, b.Name)
		}
	}
	c := isl.NewContext()
	defer c.Close()
	for _, kernel := range kernels {
		for _, p := range programsOf(t, kernel) {
			want, err := ilp.LexminBy(ilp.ISL{}, c, solverOperations, p)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range ilp.Solvers() {
				got, err := ilp.LexminBy(s, c, solverOperations, p)
				own := s.Name() == "simplex"
				if own && (err != nil || got.Exceeded && !want.Exceeded) {
					t.Errorf("%s: %+v: %s: %+v, %v", kernel, p, s.Name(), got, err)
				}
				if err == nil && !got.Exceeded && !want.Exceeded && (got.Found != want.Found || !slices.Equal(got.Solution, want.Solution)) {
					t.Errorf("%s: %+v: %s found %v, isl %v", kernel, p, s.Name(), got.Solution, want.Solution)
				}
			}
		}
	}
}

// BenchmarkSolvers times every solver on all integer programs of the built-in
// kernels, by size. A solver that gives a program up, or refuses it, has it
// counted.
func BenchmarkSolvers(b *testing.B) {
	sizes := map[int][]*ilp.Problem{}
	for _, kernel := range benchmarks.All() {
		for _, p := range programsOf(b, kernel.Name) {
			sizes[sizeClass(p)] = append(sizes[sizeClass(p)], p)
		}
	}
	c := isl.NewContext()
	defer c.Close()
	for _, size := range slices.Sorted(maps.Keys(sizes)) {
		for _, s := range ilp.Solvers() {
			b.Run(fmt.Sprintf("below%d/%s", size, s.Name()), func(b *testing.B) {
				unsolved := 0
				for range b.N {
					unsolved = 0
					for _, p := range sizes[size] {
						if answer, err := ilp.LexminBy(s, c, hyperplane.SearchOperations, p); err != nil || answer.Exceeded {
							unsolved++
						}
					}
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(sizes[size])), "µs/program")
				b.ReportMetric(float64(len(sizes[size])), "programs")
				b.ReportMetric(float64(unsolved), "unsolved")
			})
		}
	}
}

// sizeClass is the smallest power of two above the number of unknowns.
func sizeClass(p *ilp.Problem) int {
	class := 1
	for class <= len(p.Unknowns) {
		class *= 2
	}
	return class
}
