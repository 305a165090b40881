package codegen

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/internal/marktest"
	"polytune/internal/passed"
	"polytune/internal/quicklink"
	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestGolden(t *testing.T) {
	for _, k := range kernels {
		t.Run(k.name, func(t *testing.T) { checkGolden(t, k) })
	}
}

// checkGolden compares the code of a kernel with its golden file.
func checkGolden(t *testing.T, k kernel) {
	t.Helper()
	got := k.generate(t)
	golden := filepath.Join("testdata", k.name+".c")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the code differs from %s:\n%s", golden, got)
	}
	for _, w := range k.wants {
		if !strings.Contains(got, w) {
			t.Errorf("no %q in\n%s", w, got)
		}
	}
	for _, l := range k.lacks {
		if strings.Contains(got, l) {
			t.Errorf("%q in\n%s", l, got)
		}
	}
}

// prelude is what the functions of a test program share; its data are filled
// with the same numbers before each run.
const prelude = `#include <stdio.h>
#include <string.h>
#include <stddef.h>
#define SQUARE(v) ((v) * (v))
#define AT(v) x[v]
static struct { double A[160][160], B[160][160], C[160][160], x[160], z[160]; int y[160]; } data, kept;
#define A data.A
#define B data.B
#define C data.C
#define x data.x
#define y data.y
#define z data.z
static void fill(void) {
  static double numbers[sizeof data / sizeof(double)];
  unsigned state = 1;
  for (size_t n = 0; numbers[0] == 0 && n < sizeof data / sizeof(double); n++)
    numbers[sizeof data / sizeof(double) - 1 - n] = (double) ((state = state * 1664525u + 1013904223u) >> 8) / 16777216.0;
  memcpy(&data, numbers, sizeof data);
  for (int n = 0; n < 160; n++)
    y[n] = n % 11;
}
static inline int twice(int v) { return 2 * v; }
static int failures;
static void compare(const char *name, int N, int M) {
  if (memcmp(&kept, &data, sizeof data) != 0) {
    printf("%s: N=%d, M=%d: wrong result\n", name, N, M);
    failures++;
  }
}
`

var (
	optimised = []string{optimisation(), "-march=native", "-ffp-contract=off", "-fopenmp"}
	plain     = []string{"-O0", "-Wno-unknown-pragmas"}
)

// optimisation is that of programs whose results are looked at: loops that are said to have lanes are
// vectors with the first one, too, in half the time of the second, which the long test has.
func optimisation() string {
	if kerneltest.Long() {
		return "-O2"
	}
	return "-O1"
}

// TestRun runs the kernels at sizes of all kinds.
func TestRun(t *testing.T) {
	builds := [][]string{optimised}
	if kerneltest.Long() {
		builds = append(builds, plain)
	}
	runKernels(t, kernels, []int{-5, 0, 1, 2, 31, 32, 33, 65}, compileAndRun, builds...)
}

// runKernels runs each kernel's original and generated code, built with each
// of the lists of flags, on the same data at all pairs of sizes; all results
// must agree to the last bit. run is compileAndRun or silent.
func runKernels(t *testing.T, list []kernel, sizes []int, run func(*testing.T, string, ...string) string, builds ...[]string) {
	t.Helper()
	var program, calls strings.Builder
	program.WriteString(prelude)
	for _, k := range list {
		name := strings.ReplaceAll(k.name, "-", "_")
		least := sizes[0]
		signature := "int N, int M"
		if k.arguments != nil {
			least, signature = 0, k.arguments[0].String()+", "+k.arguments[1].String()
		}
		declaration := ""
		for _, variable := range k.unused {
			declaration += "  int " + variable + ";\n"
		}
		for _, function := range [][2]string{{"original", k.original}, {"generated", k.generate(t)}} {
			fmt.Fprintf(&program, "static void %s_%s(%s) {\n  (void) N; (void) M;\n%s%s\n}\n", name, function[0], signature, declaration, function[1])
		}
		fmt.Fprintf(&calls, "      if (N >= %d && M >= %d) { fill(); %s_original(N, M); kept = data; fill(); %s_generated(N, M); compare(\"%s\", N, M); }\n",
			least, least, name, name, name)
	}
	count := len(sizes)
	fmt.Fprintf(&program, `int main(void) {
  const int sizes[] = {%s};
  for (int n = 0; n < %d; n++)
    for (int m = 0; m < %d; m++) {
      const int N = sizes[n], M = sizes[m];
%s    }
  return failures != 0;
}
`, strings.Trim(strings.ReplaceAll(fmt.Sprint(sizes), " ", ", "), "[]"), count, count, calls.String())
	for _, flags := range builds {
		run(t, program.String(), flags...)
	}
}

// printed are the programs that were built without a warning, ran and printed nothing.
var printed *passed.Table

func TestMain(m *testing.M) {
	begin := func(tables []*passed.Table) { printed = tables[0] }
	os.Exit(passed.Tests(m, update, begin, filepath.Join("testdata", "printed")))
}

// silent is compileAndRun for programs that should print nothing; those that did are not built
// again.
func silent(t *testing.T, program string, flags ...string) string {
	t.Helper()
	name := passed.Name(append(flags, passed.Compiler(), program)...)
	if printed.Has(name) {
		return ""
	}
	output := compileAndRun(t, program, flags...)
	if output == "" {
		printed.Note(name)
	}
	return output
}

// compileAndRun builds a C program without a single warning and returns what
// it prints.
func compileAndRun(t *testing.T, program string, flags ...string) string {
	t.Helper()
	source := filepath.Join(t.TempDir(), "program.c")
	binary := strings.TrimSuffix(source, ".c")
	if err := os.WriteFile(source, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	arguments := append([]string{"-Wall", "-Wextra", "-Werror", "-o", binary, source}, slices.Concat(quicklink.Options(), flags)...)
	if out, err := exec.Command("gcc", arguments...).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	run := exec.Command(binary)
	run.Env = append(os.Environ(), "OMP_WAIT_POLICY=passive", "OMP_NUM_THREADS=2")
	out, err := run.Output()
	if err != nil {
		t.Fatalf("the program failed: %v\n%s", err, out)
	}
	return string(out)
}

// The compiler has to see through the code: the inner loops of a full tile,
// and those of the partial ones, become vector code.
func TestVectorized(t *testing.T) {
	k := kernels[1]
	source := filepath.Join(t.TempDir(), "gemm.c")
	program := "void gemm(int N, int M, double A[N][N], double B[N][M], double C[N][M]) {\n" + k.generate(t) + "}\n"
	if err := os.WriteFile(source, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("gcc", "-O3", "-fopenmp", "-fopt-info-vec", "-c", "-o", os.DevNull, source).CombinedOutput()
	if err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	if got := strings.Count(string(out), "loop vectorized"); got < 3 {
		t.Errorf("%d loops vectorized, want those of the initialisation, the full tile and the partial tile:\n%s", got, out)
	}
}

func TestConstant(t *testing.T) {
	n := &place{printer: newPrinter(&scop.Program{Parameters: []string{"N"}}, nil)}
	half := loopir.Operation(isl.OpDiv, loopir.Named("N"), loopir.Int(2))
	body := fragment{code: loopir.Code{&loopir.Move{To: &loopir.Copied{Text: "x[c1]"}, From: loopir.Zero{}}}}
	if got := fmt.Sprint(n.lines(n.constant("c1", half, body).code)); got != "[{0 {} {1 const long c1 = (long) N / 2;} {1 x[c1] = 0;} {0 }}]" {
		t.Errorf("got %s", got)
	}
	if got := fmt.Sprint(n.lines(n.constant("c0", half, body).code)); got != "[{0 x[c1] = 0;}]" {
		t.Errorf("an unused constant: got %s", got)
	}
}

func TestErrors(t *testing.T) {
	for _, test := range []struct{ name, tree, want string }{
		{"bad tree", `domain: "{ S0[i] : 0 <= i"`, "code generation for bad tree, statements : isl: "},
		{"unknown statement", `domain: "{ T[i] : 0 <= i < 8 }"`, "which is no statement of unknown statement"},
		{"unknown loop", "domain: \"{ T[i] : 0 <= i < 8 }\"\nchild:\n  schedule: \"[{ T[i] -> [(i)] }]\"", "pass loops, loop c0: the schedule runs T(c0), which is no statement of unknown loop"},
	} {
		c := isl.NewContext()
		program := scop.Program{Name: test.name, Context: "{ : }"}
		model, err := program.Model(c)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Generate(model, marktest.Read(t, c, test.tree), Options{})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v", test.name, err)
		}
		c.Close()
	}
}

func TestOperationLimit(t *testing.T) {
	c := isl.NewContext()
	defer c.Close()
	model, err := kernels[1].program().Model(c)
	if err != nil {
		t.Fatal(err)
	}
	schedule := marktest.Read(t, c, kernels[1].tree)
	c.SetMaxOperations(500)
	_, err = Generate(model, schedule, Options{})
	if err == nil || !strings.Contains(err.Error(), "limit on operations") {
		t.Errorf("got %v", err)
	}
	c.SetMaxOperations(0)
}

func BenchmarkGenerate(b *testing.B) {
	for _, index := range []int{0, 1, 2} {
		k := kernels[index]
		b.Run(k.name, func(b *testing.B) {
			for b.Loop() {
				k.generate(b)
			}
		})
	}
}
