package scan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
)

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func filesOf(t *testing.T, o Options, paths ...string) *Report {
	t.Helper()
	o.Stderr = io.Discard
	r, err := o.Files(context.Background(), paths)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A file with many nests has all of them, with what keeps some from being tuned in its place, and is
// marked as a whole.
func TestManyNests(t *testing.T) {
	t.Parallel()
	nests := 100
	if kerneltest.Long() {
		nests = 500
	}
	var text strings.Builder
	text.WriteString("int printf(const char *, ...);\n")
	for k := range nests {
		statement := fmt.Sprintf("a[i] = %d * b[i] + a[i];", k)
		if k%20 == 19 {
			statement = `printf("%g", a[i]);`
		}
		fmt.Fprintf(&text, "void f%d(int n, double a[restrict n], double b[restrict n])\n{\n  for (int i = 0; i < n; i++)\n    %s\n}\n", k, statement)
	}
	path := write(t, "many.c", text.String())
	r := filesOf(t, Options{Write: true}, path)
	f := r.Files[0]
	counts := map[Status]int{}
	for k, n := range f.Nests {
		counts[n.Status]++
		if n.Line != 4+5*k || n.Function != fmt.Sprintf("f%d", k) {
			t.Fatalf("nest %d is in %s at line %d", k, n.Function, n.Line)
		}
		if place := fmt.Sprintf("%s:%d:", path, n.Line+1); n.Status == Refused && !strings.HasPrefix(n.Refusals[0], place) {
			t.Errorf("nest %d: %s, want it at %s", k, n.Refusals[0], place)
		}
		if n.Status == Modelled && (len(n.Operations) != 1 || n.Operations[0] != Work{1, 2}) {
			t.Errorf("nest %d: %v", k, n.Operations)
		}
	}
	if counts[Modelled] != nests-nests/20 || counts[Refused] != nests/20 || *f.Written != counts[Modelled] {
		t.Errorf("%v, %d written", counts, *f.Written)
	}
	again := filesOf(t, Options{}, path).Files[0]
	marked := 0
	for _, n := range again.Nests {
		if n.Status == Marked {
			marked++
		}
	}
	if marked != counts[Modelled] || len(again.Nests) != nests {
		t.Errorf("%d of %d nests are marked in the file", marked, len(again.Nests))
	}
}

// A loop that only calls functions whose own loops are marked is not marked, over several functions;
// one that computes with what they return, or calls others, is.
func TestOnlyCalls(t *testing.T) {
	t.Parallel()
	path := write(t, "calls.c", `double sum(int n, double a[n])
{
  double s = 0;
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}
void step(int n, double a[n])
{
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] * 0.5;
}
int fill(int n, double b[n])
{
  for (int i = 0; i < n; i++)
    b[i] = 0;
  return n;
}
void one(double *a) { *a = 1; }
void run(int n, double a[n])
{
  for (int t = 0; t < 4; t++)
    step(n, a);
}
void all(int n, double a[n], double b[n])
{
  for (int t = 0; t < 3; t++) {
    run(n, a);
    (void) fill(n, (b));
  }
  for (int i = 0; i < n; i++)
    one(&a[i]);
  for (int i = 0; i < 5; i++)
    b[i] = sum(n, a);
  for (int t = 0; t < 3; t++) {
    step(n, a);
    b[t] = 0;
  }
}
`)
	var said strings.Builder
	for range 2 {
		f := filesOf(t, Options{Write: true}, path).Files[0]
		var got []string
		for _, n := range f.Nests {
			got = append(got, fmt.Sprintf("%s %s", n.Function, strings.Join(n.Calls, " ")))
			if n.Status == Calls {
				fmt.Fprintln(&said, f.work(n))
			}
		}
		if want := "sum , step , fill , run step, all run fill, all , all , all "; strings.Join(got, ", ") != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	const want = "not marked: only calls step, which has the nest at 10:3\nnot marked: only calls run, which has the nest at 22:3 and fill, which has the nest at 15:3\n"
	if first := said.String()[:len(want)]; first != want {
		t.Errorf("%s", said.String())
	}
	marked, err := os.ReadFile(path)
	if err != nil || strings.Count(string(marked), "#pragma scop") != 4 {
		t.Errorf("%v:\n%s", err, marked)
	}
}

// Of a folder all C files are looked at, but those that are hidden or CMake's.
func TestFolder(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for _, name := range []string{"b.c", "sub/a.c", ".git/c.c", "build/CMakeFiles/d.c", "e.h"} {
		path := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("int x;\n"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	var found []string
	for _, f := range filesOf(t, Options{}, folder).Files {
		found = append(found, strings.TrimPrefix(f.Path, folder+"/"))
	}
	if got := strings.Join(found, " "); got != "b.c sub/a.c" {
		t.Errorf("%s", got)
	}
	if _, err := (&Options{}).Files(t.Context(), []string{filepath.Join(folder, ".git", "..", "build")}); err == nil || !strings.Contains(err.Error(), "has no file that ends in .c") {
		t.Error(err)
	}
}

// A file of a project is read as its build compiles it, and what is to be typed next has these flags;
// flags that are given count instead, and a database that cannot be read is told of.
func TestCompileCommands(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path, database := filepath.Join(folder, "src", "a.c"), filepath.Join(folder, "build", "compile_commands.json")
	for name, text := range map[string]string{
		path: "#include \"sizes.h\"\nvoid f(double a[N])\n{\n  for (int i = 0; i < N; i++)\n    a[i] = 1;\n}\n",
		filepath.Join(folder, "my headers", "sizes.h"): "#define N (2 * M)\n",
		database: fmt.Sprintf(`[{"directory": %q, "file": "../src/a.c", "arguments": ["cc", "-I../my headers", "-DM=4", "-O2"]}]`, filepath.Join(folder, "build")),
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	f := filesOf(t, Options{}, path).Files[0]
	var said strings.Builder
	if err := f.print(&said, false, func(words ...string) string { return strings.Join(words, "|") }); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1 can be tuned; read as it is compiled by " + database, "; then " + path + "|--build-flags|'-I" + folder + "/my headers' -DM=4\n"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("no %q in\n%s", want, &said)
		}
	}
	var given Options
	given.Target.Program.BuildText = "-DM=2"
	if _, err := given.Files(t.Context(), []string{path}); err == nil || !strings.Contains(err.Error(), "sizes.h") {
		t.Errorf("with flags of our own: %v", err)
	}
	if err := os.WriteFile(database, []byte("[{"), 0o600); err != nil {
		t.Fatal(err)
	}
	var notes strings.Builder
	if _, err := (&Options{Stderr: &notes}).Files(t.Context(), []string{path}); err == nil || !strings.Contains(notes.String(), "compile_commands.json cannot be read: unexpected EOF") {
		t.Errorf("%v: %s", err, &notes)
	}
}

// Places in a text with insertions are those of the text without.
func TestPlaces(t *testing.T) {
	t.Parallel()
	f := &File{Path: "a.c", source: []byte("one\ntwo three\n")}
	list := insertions{{4, "#pragma\n"}, {8, "\nmark\n"}}
	if got := string(list.into(f.source)); got != "one\n#pragma\ntwo \nmark\nthree\n" {
		t.Fatalf("%q", got)
	}
	for said, want := range map[string]string{"a.c:1:2: x": "a.c:1:2: x", "a.c:3:1: x; y": "a.c:2:1: x; y", "a.c:5:3: see a.c:6:1": "a.c:2:7: see a.c:3:1", "b.c:3:1": "b.c:3:1", "a.c:99:1": "a.c:3:1"} {
		if got := f.placed(said, list); got != want {
			t.Errorf("%s: %s, want %s", said, got, want)
		}
	}
}

// Samples of perf are found in the source by the program's own table of lines, and functions that a
// compiler has made of others are theirs.
func TestSamples(t *testing.T) {
	t.Parallel()
	source := write(t, "a.c", "static double a[9];\n__attribute__((noinline)) void g(int n)\n{\n  for (int i = 0; i < n; i++)\n    a[i] += 1;\n}\nint main(int n, char **w) { (void) w; g(n); return 0; }\n")
	program := filepath.Join(filepath.Dir(source), "a")
	if said, err := exec.Command("gcc", "-g", "-O1", source, "-o", program).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	counts, total := samplesIn(fmt.Appendf(nil, "   55d0c0ffee10 g+0x0 (%[1]s)\n   55d0c0ffee10 g+0x4 (%[1]s)\n\n ffffffff81 [unknown] ([unknown])\n  55d0 main._omp_fn.0+0x99999999 (/none)\n", program))
	p := profileOf(counts, total)
	if total != 4 || p.functions["g"] != 0.5 || p.functions["main"] != 0.25 {
		t.Errorf("%d samples, %v", total, p.functions)
	}
	r := filesOf(t, Options{}, source)
	p.divide(r.Files)
	lines := p.linesOf(source)
	sum := 0.0
	for line, part := range lines {
		if line < 2 || line > 5 {
			t.Errorf("a sample at line %d", line)
		}
		sum += part
	}
	if sum != 0.5 || len(r.Files[0].Nests) != 1 || r.Files[0].Nests[0].Share == nil {
		t.Errorf("%v, %+v", lines, r.Files[0].Nests)
	}
}

// What gprof knows are functions: nests that share one have its time at most.
func TestFlatProfile(t *testing.T) {
	t.Parallel()
	p := flatProfile([]byte("Flat profile:\n\n  %   cumulative   self              self     total\n time   seconds   seconds    calls  ms/call  ms/call  name\n 75.00      0.30     0.30       10    30.00    30.00  product\n 25.00      0.40     0.10                             fill\n"))
	if p.functions["product"] != 0.75 || p.functions["fill"] != 0.25 {
		t.Fatal(p.functions)
	}
	source := write(t, "a.c", "void product(int n, double *a)\n{\n  for (int i = 0; i < n; i++)\n    a[i] += 1;\n  for (int i = 0; i < n; i++)\n    a[i] *= 2;\n}\nvoid fill(int n, double *a)\n{\n  for (int i = 0; i < n; i++)\n    a[i] = 1;\n}\n")
	r := filesOf(t, Options{}, source)
	p.divide(r.Files)
	nests := r.Files[0].Nests
	if len(nests) != 3 || *nests[0].Share != 0.75 || !nests[1].WithOthers || *nests[2].Share != 0.25 || nests[2].WithOthers {
		t.Errorf("%+v", nests)
	}
}

// The operations of all iterations are those that one counts by hand, where the parameters have
// values; a name that no file has is a mistake.
func TestTotals(t *testing.T) {
	t.Parallel()
	source := write(t, "a.c", `void f(int n, int m, double a[n][n], double b[n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      a[i][j] = a[i][j] * 2.0 + b[j];
  for (int i = 1; i < n; i++)
    b[i] = b[i - 1] / 3.0;
  for (int i = 0; i < m; i++)
    b[i] += 1.0;
}
`)
	for params, want := range map[string][]string{
		"n=10,m=4": {"110", "9", "4"}, "n=1": {"2", "0", "needs m"}, "m=2000": {"needs n", "needs n", "2 k"}, "": {"-", "-", "-"},
	} {
		r := filesOf(t, Options{Params: params}, source)
		for k, n := range r.Files[0].Nests {
			if got := n.totalText(); got != want[k] {
				t.Errorf("%s: nest %d has %s operations, want %s", params, k, got, want[k])
			}
		}
	}
	for params, want := range map[string]string{"k=1": "no file has the name k; the parameters of the nests that can be tuned are m, n", "n": "NAME=NUMBER"} {
		o := Options{Params: params, Stderr: io.Discard}
		if _, err := o.Files(context.Background(), []string{source}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", params, err)
		}
	}
}

// BenchmarkOneFunction finds 200 nests in one function: the front end looks at all of it for each.
func BenchmarkOneFunction(b *testing.B) {
	var text strings.Builder
	text.WriteString("void f(int n, double *restrict a, double *restrict b)\n{\n")
	for k := range 200 {
		fmt.Fprintf(&text, "  for (int i = 0; i < n; i++)\n    a[i] = %d * b[i] + a[i];\n", k)
	}
	text.WriteString("}\n")
	path := filepath.Join(b.TempDir(), "one.c")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		o := Options{Stderr: io.Discard}
		r, err := o.Files(b.Context(), []string{path})
		if err != nil || len(r.Files[0].Nests) != 200 {
			b.Fatalf("%v, %v", r, err)
		}
	}
}
