package codegen_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/space"
	"polytune/transform"
)

// firstSeed and seedCount widen the search: go test -run Random -seeds 500.
var (
	firstSeed = flag.Uint64("seed", 0, "seed of the first random program; 0 takes the fixed ones")
	seedCount = flag.Uint64("seeds", 1, "number of random programs from -seed on")
)

// fixedSeeds make programs whose variants are found in a fraction of a second.
var fixedSeeds = []uint64{1, 3, 5, 8, 9, 10, 16, 18}

// tilings are so small that full and partial tiles occur at small sizes.
var tilings = []transform.Tiling{{None: true}, {Sizes: []int64{2, 3}}, {Sizes: []int64{4, 5, 7}}, {Sizes: []int64{4, 1, 2}}}

// TestRandomPrograms transforms random programs in all ways; every variant is
// proven legal and computes the same as the original at all sizes.
func TestRandomPrograms(t *testing.T) {
	seeds := fixedSeeds
	if *firstSeed > 0 {
		seeds = nil
		for k := range *seedCount {
			seeds = append(seeds, *firstSeed+k)
		}
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			source := randomProgram(seed)
			defer func() {
				if t.Failed() {
					t.Log(source)
				}
			}()
			compareVariants(t, source, randomVariants(t, source))
		})
	}
}

// randomVariants are the transformed programs, each text once.
func randomVariants(t *testing.T, source string) []string {
	t.Helper()
	b := builtinOf(t, benchmarks.Benchmark{Name: "random", File: "random.c", Source: []byte("#define SIZE (2 * N + 2 * M + 16)\n" + source)})
	s, err := space.New(b.graph, space.Options{})
	if err != nil {
		t.Fatal(err)
	}
	partitions, err := transform.Choose(s, b.graph, "max,smart,none,random:3", 1)
	if err != nil {
		t.Fatal(err)
	}
	var variants []string
	seen := map[string]bool{}
	for _, partition := range partitions {
		for _, tiling := range tilings {
			recipe, err := transform.Transform(b.graph, partition, transform.Options{CacheBytes: 32 << 10, Tile: tiling})
			if err != nil {
				t.Fatal(partition, tiling, err)
			}
			if text := recipe.Text(b.graph.Model.Program); !seen[text] {
				seen[text] = true
				variants = append(variants, b.code(t, recipe))
			}
		}
	}
	return variants
}

// compareVariants runs the original and all variants on the same data at many
// sizes.
func compareVariants(t *testing.T, source string, variants []string) {
	t.Helper()
	var program, list strings.Builder
	program.WriteString("#define SIZE (2 * N + 2 * M + 16)\n" + strings.Replace(source, "void k(", "static void original(", 1))
	for n, variant := range variants {
		program.WriteString(strings.Replace(variant, "void k(", fmt.Sprintf("static void k%d(", n), 1))
		fmt.Fprintf(&list, "(kernel) k%d, ", n)
	}
	fmt.Fprintf(&program, randomDriver, list.String())
	path := filepath.Join(t.TempDir(), "random.c")
	if err := os.WriteFile(path, []byte(program.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	binary := strings.TrimSuffix(path, ".c")
	if out, err := exec.Command("gcc", "-w", "-O1", "-fopenmp", "-ffp-contract=off", "-o", binary, path).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	run := exec.Command(binary)
	run.Env = append(os.Environ(), "OMP_WAIT_POLICY=passive", "OMP_NUM_THREADS=2")
	if out, err := run.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v %s\n%s", err, out, program.String())
	}
}

const randomDriver = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef void (*kernel)(int N, int M, void *A, void *B, void *x, void *y);
static kernel variants[] = {%s};
static void run(kernel k, int N, int M, double *data) {
  unsigned state = 1;
  long size = SIZE, total = 2 * size * size + 2 * size;
  for (long i = 0; i < total; i++)
    data[i] = ((state = state * 1664525u + 1013904223u) >> 8) / 16777216.0;
  k(N, M, data, data + size * size, data + 2 * size * size, data + 2 * size * size + size);
}
static int sizes[][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 3}, {3, 2}, {-2, 5}, {5, -3}, {6, 7}, {9, 6}, {3, 14}, {12, 13}, {17, 22}};
int main(void) {
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    int N = sizes[k][0], M = sizes[k][1];
    size_t bytes = (2 * SIZE * SIZE + 2 * SIZE) * sizeof(double);
    double *want = malloc(bytes), *got = malloc(bytes);
    run((kernel) original, N, M, want);
    for (unsigned v = 0; v < sizeof variants / sizeof *variants; v++) {
      run(variants[v], N, M, got);
      if (memcmp(want, got, bytes) != 0)
        printf("variant %%u at N=%%d, M=%%d differs\n", v, N, M);
    }
    free(want);
    free(got);
  }
  return 0;
}
`
