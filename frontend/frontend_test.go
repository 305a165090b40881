package frontend

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"polytune/benchmarks"
	"polytune/isl"
	"polytune/scop"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func checkGolden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; make it with go test -update", err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got\n%s", file, got)
	}
}

func sourceFiles(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.c"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in %s: %v", folder, err)
	}
	return files
}

func parseFile(path string) (*File, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parseOnce(filepath.Base(path), source, "")
}

// parsed are the files that parseOnce has read.
var parsed sync.Map

// parseOnce is Parse, within fuzzLimits, of files that several tests read: each of them is read
// once, and nobody changes what is returned.
func parseOnce(name string, source []byte, kernel string) (*File, error) {
	key := strings.Join([]string{name, kernel, string(source)}, "\x00")
	once, _ := parsed.LoadOrStore(key, sync.OnceValues(func() (*File, error) {
		defer fuzzLimits.Start()()
		return Parse(name, source, Options{KernelName: kernel})
	}))
	return once.(func() (*File, error))()
}

func TestGoodFiles(t *testing.T) {
	t.Parallel()
	for _, path := range sourceFiles(t, "good") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			file, err := parseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			fmt.Fprintf(&b, "main %t\n", file.HasMain)
			for _, r := range file.Regions {
				fmt.Fprintf(&b, "\n%sindent %q init %t\n", r.Program, r.Indent, r.HasInit)
				for _, w := range r.Warnings {
					fmt.Fprintf(&b, "warning %s\n", w)
				}
				checkRegion(t, file, r)
			}
			checkGolden(t, strings.TrimSuffix(path, ".c")+".golden", b.String())
		})
	}
}

// checkRegion checks what must hold for every region of every file.
func checkRegion(t *testing.T, file *File, r Region) {
	t.Helper()
	if text := string(file.Source[r.Start:r.End]); strings.Contains(text, "pragma scop") || strings.Contains(text, "endscop") {
		t.Errorf("the text of the region holds its pragmas: %q", text)
	}
	whole := strings.Fields(string(file.Source[r.PragmaStart:r.PragmaEnd]))
	if !strings.HasPrefix(whole[0], "#") || whole[len(whole)-1] != "endscop" {
		t.Errorf("the region with its pragmas is %q", whole)
	}
	for _, s := range r.Program.Statements {
		if len(s.Position) != s.Depth()+1 {
			t.Errorf("%s: position %v at depth %d", s.Name, s.Position, s.Depth())
		}
		for _, u := range s.Uses {
			if name := s.Loops[u.Loop].Iterator; !strings.HasPrefix(s.Source[u.Offset:], name) {
				t.Errorf("%s: no %s at %d of %q", s.Name, name, u.Offset, s.Source)
			}
			if !r.Names[s.Loops[u.Loop].Iterator] {
				t.Errorf("iterator %s is missing in the names", s.Loops[u.Loop].Iterator)
			}
		}
		for _, a := range s.Accesses {
			if r.Program.Array(a.Array) == nil {
				t.Errorf("%s: no array %s", s.Name, a.Array)
			}
		}
	}
	checkModel(t, r.Program)
}

// checkModel parses all text by isl and checks that accesses that are certain
// have an element for every instance of a domain.
func checkModel(t *testing.T, p *scop.Program) {
	t.Helper()
	ctx := isl.NewContext()
	defer ctx.Close()
	m, err := p.Model(ctx)
	if err != nil {
		t.Error(err)
		return
	}
	for _, s := range m.Statements {
		if s.Domain.TupleName() != s.Name || s.Domain.Dim(isl.DimSet) != s.Depth() {
			t.Errorf("%s has the domain %s", s.Name, s.Domain)
		}
		for i, a := range s.Accesses {
			if got, want := a.Dim(isl.DimOut), len(p.Array(s.Statement.Accesses[i].Array).Extents); got != want {
				t.Errorf("%s has %d subscripts, not %d", a, got, want)
			}
		}
	}
	if err := ctx.Err(); err != nil {
		t.Error(err)
	}
}

func TestBadFiles(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, path := range sourceFiles(t, "bad") {
		file, err := parseFile(path)
		if err == nil {
			t.Errorf("%s is accepted:\n%s", path, file.Regions[0].Program)
			continue
		}
		fmt.Fprintf(&b, "%s\n", err)
		var list ErrorList
		if !errors.As(err, &list) {
			continue
		}
		for _, e := range list {
			if e.File != filepath.Base(path) || e.Construct == "" || e.Advice == "" || e.Message == "" {
				t.Errorf("%s: incomplete error %+v", path, e)
			}
		}
	}
	checkGolden(t, filepath.Join("testdata", "bad", "messages.golden"), b.String())
}

// TestBrokenFiles reads files that are no C. The messages are the host
// compiler's own; here only their place is fixed.
func TestBrokenFiles(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]int{"syntax.c": 5, "undeclared.c": 5} {
		_, err := parseFile(filepath.Join("testdata", "broken", name))
		var list ErrorList
		if !errors.As(err, &list) || list[0].File != name || list[0].Line != line || list[0].Message == "" {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestNoRegion(t *testing.T) {
	_, err := Parse("x.c", []byte("int a;\n/* #pragma scop */\n"), Options{})
	var none *NoRegionError
	if !errors.As(err, &none) || none.Inactive {
		t.Errorf("got %v", err)
	}
}

func TestOptions(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "sizes.h"), []byte("#define N (M + 1)\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	source := "#include <sizes.h>\n#include \"sizes.h\"\ndouble a[N];\nvoid f(void)\n{\n#pragma scop\nfor (int i = 0; i < N; i++) a[i] = 0;\n#pragma endscop\n}"
	file, err := Parse("x.c", []byte(source), Options{IncludePaths: []string{folder}, Defines: []string{"M=41", "FLAG"}, KernelName: "suite/kernel"})
	if err != nil {
		t.Fatal(err)
	}
	p := file.Regions[0].Program
	if p.Name != "suite/kernel" || p.Statements[0].Domain != "{ S0[i] : 0 <= i < 42 }" || p.Arrays[0].Extents[0] != "42" {
		t.Errorf("got\n%s", p)
	}
}

// TestSystemHeaders reads the headers that programs of this kind use, with all that they declare.
func TestSystemHeaders(t *testing.T) {
	for _, wanted := range []string{"", "#define _GNU_SOURCE\n"} {
		readSystemHeaders(t, wanted)
	}
}

// readSystemHeaders reads all headers behind what is wanted of them.
func readSystemHeaders(t *testing.T, wanted string) {
	t.Helper()
	var b strings.Builder
	b.WriteString(wanted)
	for _, h := range strings.Fields("assert complex ctype errno fenv float inttypes limits locale math setjmp signal stdalign stdarg stdbool " +
		"stddef stdint stdio stdlib string tgmath time wchar unistd sys/time sys/types sys/stat sys/mman pthread sched malloc") {
		fmt.Fprintf(&b, "#include <%s.h>\n", h)
	}
	b.WriteString("double a[9];\nvoid f(void)\n{\n#pragma scop\na[0] = (fabs)(a[1]);\n#pragma endscop\n}\n")
	if _, err := Parse("headers.c", []byte(b.String()), Options{}); err != nil {
		t.Errorf("%q: %v", wanted, err)
	}
}

// What the parser does not understand in a header is left out where a file includes it.
func TestOddHeader(t *testing.T) {
	folder := t.TempDir()
	const header = "static inline _Complex _Float128 odd(_Complex _Float128 z) { return z; }\nextern _Complex _Float128 other(_Complex _Float128);\n#define SIZE 9\n"
	if err := os.WriteFile(filepath.Join(folder, "odd.h"), []byte(header), 0o600); err != nil {
		t.Fatal(err)
	}
	const source = "#include \"odd.h\"\ndouble a[SIZE];\nvoid f(void)\n{\n#pragma scop\nfor (int i = 0; i < SIZE; i++) a[i] = i;\n#pragma endscop\n}\n"
	if _, err := Parse(filepath.Join(folder, "f.c"), []byte(source), Options{}); err != nil {
		t.Error(err)
	}
}

// TestPaperCounts compares with Figure 6 of the SC'10 paper: loops,
// statements and references of each kernel.
func TestPaperCounts(t *testing.T) {
	t.Parallel()
	counts := map[string][3]int{
		"2mm": {6, 4, 8}, "3mm": {9, 6, 12}, "adi": {11, 8, 36}, "atax": {4, 4, 10}, "bicg": {3, 4, 10}, "correl": {5, 6, 12},
		"covar": {7, 7, 13}, "doitgen": {5, 3, 7}, "gemm": {3, 2, 6}, "gemver": {7, 4, 19}, "gesummv": {2, 5, 15},
		"gramschmidt": {6, 7, 17}, "jacobi-2d": {5, 2, 8}, "lu": {4, 2, 7}, "ludcmp": {9, 15, 40}, "seidel": {3, 1, 10},
	}
	eachBenchmark(t, "sc10/", func(t *testing.T, _ *File, r Region) {
		want, ok := counts[strings.TrimPrefix(r.Program.Name, "sc10/")]
		if !ok {
			return
		}
		p := r.Program
		if got := [3]int{p.LoopCount(), len(p.Statements), p.ReferenceCount()}; got != want {
			t.Errorf("loops, statements, references are %v, not %v", got, want)
		}
	})
}

// TestBenchmarks extracts every built-in kernel.
func TestBenchmarks(t *testing.T) {
	t.Parallel()
	eachBenchmark(t, "", func(t *testing.T, file *File, r Region) {
		checkRegion(t, file, r)
		if !r.HasInit {
			t.Errorf("the initialiser is not found")
		}
		if len(r.Warnings) > 0 {
			t.Error(r.Warnings)
		}
	})
}

func eachBenchmark(t *testing.T, prefix string, check func(*testing.T, *File, Region)) {
	for _, k := range benchmarks.All() {
		if !strings.HasPrefix(k.Name, prefix) {
			continue
		}
		t.Run(k.Name, func(t *testing.T) {
			file, err := parseOnce(k.File, k.Source, k.Name)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range file.Regions {
				check(t, file, r)
			}
		})
	}
}

// TestHugeInput reads inputs that would exhaust a recursive parser.
func TestHugeInput(t *testing.T) {
	region := func(body string) string {
		return "int a, n;\nvoid f(void) {\n#pragma scop\n" + body + "\n#pragma endscop\n}\n"
	}
	inputs := map[string]string{
		"one line":    strings.Repeat("x", 10<<20),
		"long sum":    region("a = " + strings.Repeat("1+", 30_000) + "1;"),
		"longer sum":  region("a = " + strings.Repeat("1+", 1_000_000) + "1;"),
		"parentheses": region("a = " + strings.Repeat("(", 100_000) + strings.Repeat(")", 100_000) + ";"),
		"blocks":      region(strings.Repeat("{", 100_000)),
		"unary":       region("a = " + strings.Repeat("-", 300_001) + "1;"),
		"ifs":         region(strings.Repeat("if (n) ", 100_000) + ";"),
		"else":        region(strings.Repeat("if (n) a = 1; else ", 100_000) + ";"),
		"loops":       region(strings.Repeat("for (a = 0; a < n; a++) ", 50_000) + ";"),
		"comment":     region("/*" + strings.Repeat("*", 1_000_000)),
		"string":      region("\"" + strings.Repeat("\\", 1_000_000)),
		"directives":  strings.Repeat("#pragma scop\n", 100_000),
	}
	for name, input := range inputs {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			if _, err := Parse("huge.c", []byte(input), Options{}); err == nil {
				t.Error("accepted")
			}
			if d := time.Since(start); d > 20*time.Second {
				t.Errorf("took %s", d)
			}
		})
	}
}
