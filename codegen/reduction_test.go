package codegen

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"polytune/frontend"
	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/schedule/command"
	"polytune/scop/depend"
)

// reducing is a function with integer data, whose results do not depend on the
// order of the updates, and a recipe in which loops carry them.
type reducing struct {
	name, body, recipe string
	// wants and lacks are texts that must and must not be in the code.
	wants, lacks []string
}

const reducingHead = "static int larger(int a, int b) { return a > b ? a : b; }\n" +
	"void NAME(int n, int m, int a[n][m], int x[n], int y[m], int z[n][m], int s[2], int t)\n{\n#pragma scop\n"

var reducings = []reducing{
	{"scalar", "for (int i = 0; i < n; i++) t += x[i];\ns[0] = t;\n",
		"classes {S0} {S1}\nband c0 S0[i] -> [i]\nparallel c0.1 reduction(+:t)\n",
		[]string{"#pragma omp parallel for reduction(+:t)"}, nil},
	{"scalar_backwards", "for (int i = 0; i < n; i++) t = larger(t, x[i]);\ns[0] = t;\n",
		"classes {S0} {S1}\nband c0 S0[i] -> [-i]\nvectorize c0.1 reduction(max:t)\n",
		[]string{"#pragma omp simd reduction(max:t)"}, nil},
	{"tiled", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) t += a[i][j];\ns[0] = t;\n",
		"classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, j]\ntile c0.1 c0.2 by 4 5\nparallel c0.2t reduction(+:t)\nseparate c0.2t\nvectorize c0.2 reduction(+:t)\n",
		[]string{"#pragma omp parallel for reduction(+:t)", "#pragma omp simd reduction(+:t)"}, nil},
	{"columns", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[j] += a[i][j] * x[i];\n",
		"classes {S0}\nband c0 permutable S0[i, j] -> [i, j]\nparallel c0.1 reduction(+:y)\nvectorize c0.2\n",
		[]string{"__builtin_malloc", "#pragma omp critical", "#pragma omp for"}, []string{"atomic"}},
	{"maxima", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) if (y[j] < a[i][j]) y[j] = a[i][j];\n",
		"classes {S0}\nband c0 permutable S0[i, j] -> [i, j]\ntile c0.1 c0.2 by 3 4\nparallel c0.1t reduction(max:y)\n",
		[]string{"__builtin_malloc"}, nil},
	{"products_in_two_dimensions", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int k = 0; k < n; k++) z[k][j] *= a[i][j] + x[k];\n",
		"classes {S0}\nband c0 permutable S0[i, j, k] -> [i, j, k]\nparallel c0.1 reduction(*:z)\n",
		[]string{"(*__restrict z)[m]"}, nil},
	{"rows", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) x[i] = a[i][j] - y[j] + x[i];\n",
		"classes {S0}\nband c0 permutable S0[i, j] -> [i, j]\nparallel c0.1\nvectorize c0.2 reduction(+:x)\n",
		[]string{"#pragma omp simd reduction(+:tune_own_x)", "int tune_own_x = x[c0];", "x[c0] = tune_own_x;"}, nil},
	{"both", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { t -= a[i][j]; y[j] += a[i][j]; x[i] += a[i][j]; }\ns[1] = t;\n",
		"classes {S0 S1 S2} {S3}\nband c0 permutable S0[i, j] -> [i, j]; S1[i, j] -> [i, j]; S2[i, j] -> [i, j]\nparallel c0.1 reduction(+:t) reduction(+:y)\nsplit c0 {S0} {S1} {S2}\n",
		[]string{"#pragma omp for reduction(+:t)", "__builtin_malloc"}, nil},
	{"waves", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[j] += a[i][j];\n",
		"classes {S0}\nband c0 permutable S0[i, j] -> [i, j]\ntile c0.1 c0.2 by 4 4\nwavefront c0.1t c0.2t\nparallel c0.2t reduction(+:y)\n",
		[]string{"__builtin_malloc"}, nil},
	{"name_taken", "for (int tune_own_x = 0; tune_own_x < n; tune_own_x++) for (int j = 0; j < m; j++) x[tune_own_x] += a[tune_own_x][j] * tune_own_x;\n",
		"classes {S0}\nband c0 permutable S0[tune_own_x, j] -> [tune_own_x, j]\nvectorize c0.2 reduction(+:x)\n",
		[]string{"int tune_own_x_ = x[c0];"}, nil},
	{"a_thread_without_updates", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { z[i][j] = a[i][j]; if (i % 2 == 0) x[i / 2] += a[i][j]; }\n",
		"classes {S0 S1}\nband c0 permutable S0[i, j] -> [i, j]; S1[i, j] -> [i, j]\nsplit c0 {S0} {S1}\nparallel c0.1\nvectorize c0.2 reduction(+:x)\n",
		nil, []string{"omp simd"}},
	{"private_to_an_iteration", "for (int i = 0; i < n; i++) { int sum = 0; for (int j = 0; j < m; j++) sum += a[i][j]; x[i] = sum; }\n",
		"classes {S0 S1 S2}\nband c0 S0[i] -> [i]; S1[i, j] -> [i]; S2[i] -> [i]\nsplit c0 {S0} {S1} {S2}\nband c0_1 S1[i, j] -> [j]\nparallel c0.1\nvectorize c0_1.2 reduction(+:sum)\n",
		[]string{"#pragma omp simd reduction(+:sum)"}, nil},
	{"histogram", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[a[i][j] % m]++;\n",
		"classes {S0}\nband c0 permutable S0[i, j] -> [i, j]\nparallel c0.1 reduction(+:y)\nthreads c0.1 from 64 of n, m\n",
		[]string{"tune_count_y <= (double) n * m * 2048 / 64", "#pragma omp parallel if(tune_copies)"}, nil},
	{"deposit", "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { z[x[i] % n][a[i][j] % m] += x[i]; z[i][(a[i][j] + 1) % m] -= j; }\n",
		"classes {S0 S1}\nband c0 permutable S0[i, j] -> [i, j]; S1[i, j] -> [i, j]\nsplit c0 {S0} {S1}\nparallel c0.1 reduction(+:z)\nthreads c0.1 from 2\n",
		[]string{"(*__restrict z)[m]", "tune_count_z <= 1024 * (double) n &&"}, nil},
	{"rows_that_data_end", "for (int i = 0; i < n; i++) for (int k = 0; k < x[i] % 5 && k < m; k++) { y[(x[i] + k) % m] += k; y[k % m] -= a[i][k % m]; }\n",
		"classes {S0}\nband c0 S0[i] -> [i]\nparallel c0.1 reduction(+:y)\n",
		[]string{"tune_count_y <= 1 * (double) n &&"}, nil},
}

// code is the function transformed by the recipe.
func (r reducing) code(t *testing.T) (original, transformed string) {
	t.Helper()
	source := strings.Replace(reducingHead, "NAME", r.name, 1) + r.body + "#pragma endscop\n}\n"
	file, err := frontend.Parse(r.name+".c", []byte(source), frontend.Options{})
	if err != nil {
		t.Fatal(r.name, err)
	}
	region := &file.Regions[0]
	region.Program = region.Program.Reassociated()
	c := isl.NewContext()
	defer c.Close()
	model, err := region.Program.Model(c)
	if err != nil {
		t.Fatal(r.name, err)
	}
	graph, err := depend.Analyze(model)
	if err != nil {
		t.Fatal(r.name, err)
	}
	recipe, err := command.Parse(region.Program, "reassociate\n"+r.recipe)
	if err != nil {
		t.Fatal(r.name, err)
	}
	code, err := Program(graph, recipe, file.Unit(region))
	if err != nil {
		t.Fatal(r.name, err)
	}
	return source, string(code)
}

// Loops that carry reductions have code of their own.
func TestReductionCode(t *testing.T) {
	var all strings.Builder
	for _, r := range reducings {
		_, code := r.code(t)
		for _, want := range r.wants {
			if !strings.Contains(code, want) {
				t.Errorf("%s lacks %q", r.name, want)
			}
		}
		for _, lack := range r.lacks {
			if strings.Contains(code, lack) {
				t.Errorf("%s has %q", r.name, lack)
			}
		}
		all.WriteString(code[strings.Index(code, "void "):])
	}
	path := filepath.Join("testdata", "reductions.golden")
	if *update {
		if err := os.WriteFile(path, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || string(want) != all.String() {
		t.Errorf("%s differs (%v); make it with go test -update; got\n%s", path, err, all.String())
	}
}

// reducingMain runs originals and variants on the same data, and prints what
// differs.
const reducingMain = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef void function(int n, int m, int *a, int *x, int *y, int *z, int *s, int t);
static struct { const char *name; function *original, *variant; } pairs[] = { PAIRS };
extern void omp_set_num_threads(int);
static void fill(int *data, long n) { for (long i = 0; i < n; i++) data[i] = (int) (1 + i * 37 % 101); }
int main(void)
{
  int sizes[][2] = {{0, 0}, {0, 5}, {5, 0}, {1, 1}, {3, 7}, {8, 20}, {13, 9}, {LARGE, 40}};
  for (int threads = 1; threads <= 4; threads++)
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
    for (unsigned p = 0; p < sizeof pairs / sizeof *pairs; p++) {
      omp_set_num_threads(threads);
      long n = sizes[k][0], m = sizes[k][1];
      if (n > 1000 && !strncmp(pairs[p].name, "products", 8)) n = 60;
      long total = 2 * n * m + 2 * n + m + 4;
      int *data[2] = {malloc(total * sizeof(int)), malloc(total * sizeof(int))};
      for (int v = 0; v < 2; v++) {
        int *d = data[v], *x = d + n * m, *y = x + n, *z = y + m, *s = z + n * m;
        fill(d, total);
        (v ? pairs[p].variant : pairs[p].original)((int) n, (int) m, d, x, y, z, s, 3);
      }
      if (memcmp(data[0], data[1], total * sizeof(int)))
        printf("%s differs at %ld x %ld with %d threads\n", pairs[p].name, n, m, threads);
      free(data[0]), free(data[1]);
    }
  return 0;
}
`

// reducingProgram is a program that compares the functions with their variants,
// each changed.
func reducingProgram(t *testing.T, list []reducing, change func(string) string) string {
	var text, pairs strings.Builder
	text.WriteString(strings.SplitAfter(reducingHead, "\n")[0])
	for _, r := range list {
		original, code := r.code(t)
		rename := func(source, name string) string {
			source = source[strings.Index(source, "void "):]
			return strings.Replace(source, "void "+r.name+"(", "static void "+name+"(", 1)
		}
		text.WriteString(rename(original, r.name+"_original") + change(rename(code, r.name+"_variant")))
		fmt.Fprintf(&pairs, "{\"%s\", (function *) %s_original, (function *) %s_variant},\n", r.name, r.name, r.name)
	}
	main := strings.Replace(reducingMain, "PAIRS", pairs.String(), 1)
	return text.String() + strings.Replace(main, "LARGE", "20000", 1)
}

// The variants compute the same with one thread and with several, on loops long
// enough for their threads to get in each other's way: without its clauses, a
// program gives another result. Where there is no memory for copies they compute the same, too. The
// long test has them without optimisation, too.
func TestReductionsRun(t *testing.T) {
	program := reducingProgram(t, reducings, func(code string) string { return code })
	all := [][]string{{optimisation(), "-march=native"}}
	if kerneltest.Long() {
		all = append(all, []string{"-O0"})
	}
	for _, flags := range all {
		if got := silent(t, program, append(flags, "-fopenmp", "-fwrapv", "-w")...); got != "" {
			t.Errorf("%s:\n%s", flags, got)
		}
	}
	without := reducingProgram(t, reducings, func(code string) string { return strings.ReplaceAll(code, "__builtin_malloc(", "no_memory(") })
	if !strings.Contains(without, "no_memory(") {
		t.Error("none has copies")
	}
	without = "static void *no_memory(unsigned long bytes) { (void) bytes; return 0; }\n" + without
	if got := compileAndRun(t, without, "-O0", "-fopenmp", "-fwrapv", "-w"); got != "" {
		t.Errorf("without memory for copies:\n%s", got)
	}
	racing := reducingProgram(t, reducings[:1], func(code string) string { return strings.ReplaceAll(code, " reduction(+:t)", "") })
	racing = strings.Replace(racing, "{20000, 40}", "{4000000, 1}", 1)
	for range 10 {
		if got := compileAndRun(t, racing, "-O0", "-fopenmp", "-w"); got != "" {
			return
		}
	}
	t.Error("without a clause nothing goes wrong: the runs find no missing clause")
}
