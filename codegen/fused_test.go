package codegen_test

import (
	"regexp"
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/space"
	"polytune/transform"
)

// Statements of one class are in one loop of the code, and those of different
// classes in different ones, whatever the directions, ranges and strides of
// their loops in the source.
func TestFusedLoops(t *testing.T) {
	for _, test := range []struct {
		name, region string
		// fused and parted are the arrays written in each of the outermost loops
		// of the code when the statements are in one class, and when they are in
		// two; where it is empty, they cannot be in one class.
		fused, parted string
	}{
		{"opposite directions", `
for (int i = n - 1; i >= 0; i--) a[i] = 1;
for (int i = 0; i < n; i++) b[i] = 2;`, "ab", "a b"},
		{"opposite directions up to different sizes", `
for (int i = n - 1; i >= 0; i--) a[i] = 1;
for (int i = 0; i < m; i++) b[i] = 2;`, "ab a b", "a b"},
		{"opposite directions along a dependence", `
for (int i = n - 1; i >= 0; i--) a[i] = 1;
for (int i = 0; i < n; i++) b[i] = a[n - 1 - i];`, "ab", "a b"},
		{"opposite directions against a dependence", `
for (int i = n - 1; i >= 0; i--) a[i] = 1;
for (int i = 0; i < n; i++) b[i] = a[i];`, "", "a b"},
		{"both down", `
for (int i = n - 1; i >= 0; i--) a[i] = 1;
for (int i = n - 1; i >= 0; i--) b[i] = a[i];`, "ab", "a b"},
		{"down inside", `
for (int i = 0; i < n; i++) for (int j = i; j >= 0; j--) A[i][j] = 1;
for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) B[i][j] = A[i][j];`, "AB", "A B"},
		{"one range after the other", `
for (int i = 0; i < 100; i++) a[i] = 1;
for (int i = 100; i < 200; i++) b[i] = 2;`, "", "a b"},
		{"ranges with two numbers in common", `
for (int i = 0; i < 100; i++) a[i] = 1;
for (int i = 98; i < 200; i++) b[i] = 2;`, "a ab b", "a b"},
		{"behind the end", `
for (int i = 0; i < n; i++) a[i] = 1;
for (int i = n; i < 2 * n; i++) b[i] = 2;`, "", "a b"},
		{"guards in one loop", `
for (int i = 0; i < 2 * n; i++) {
 if (i < n) a[i] = 1; if (i >= n) b[i] = 2; }`, "", "a b"},
		{"guards that overlap", `
for (int i = 0; i < 2 * n; i++) {
 if (i < n + 5) a[i] = 1; if (i >= n) b[i] = 2; }`, "a ab b", "a b"},
		{"below and above the diagonal", `
for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) A[i][j] = 1;
for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++) B[i][j] = 2;`, "AB", "A B"},
		{"a loop of one iteration in the range", `
for (int i = 0; i < 1; i++) a[i] = 1;
for (int i = 0; i < n; i++) b[i] = 2;`, "b", "b"},
		{"a loop of one iteration before the range", `
for (int i = 0; i < 1; i++) a[i] = 1;
for (int i = 3; i < n; i++) b[i] = 2;`, "", "b"},
		{"even and odd", `
for (int i = 0; i < n; i += 2) a[i] = 1;
for (int i = 1; i < n; i += 2) b[i] = 2;`, "ab", "a b"},
		{"inner ranges apart", `
for (int i = 0; i < n; i++) for (int j = 0; j < 10; j++) A[j][i] = 1;
for (int i = 0; i < n; i++) for (int j = 50; j < 60; j++) B[j][i] = 2;`, "AB", "A B"},
		{"interchange makes them meet", `
for (int i = 0; i < 9; i++) for (int j = 20; j < 29; j++) A[i][j] = 1;
for (int i = 20; i < 29; i++) for (int j = 0; j < 9; j++) B[i][j] = 2;`, "AB", "A B"},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := "void f(int n, int m, double a[n], double b[n], double A[n][n], double B[n][n]) {\n#pragma scop" + test.region + "\n#pragma endscop\n}\n"
			k := builtinOf(t, benchmarks.Benchmark{Name: "f", File: "f.c", Source: []byte(source)})
			s, err := space.New(k.graph, space.Options{})
			if err != nil {
				t.Fatal(err)
			}
			fused := space.Partition{0, 0}
			if member, _ := s.Contains(fused); member != (test.fused != "") {
				t.Fatalf("%s belongs to the space: %v", fused, member)
			}
			if test.fused != "" {
				checkOuterLoops(t, k, fused, test.fused)
			}
			checkOuterLoops(t, k, space.Partition{0, 1}, test.parted)
		})
	}
}

func checkOuterLoops(t *testing.T, k builtin, p space.Partition, want string) {
	t.Helper()
	recipe, err := transform.Transform(k.graph, p, transform.Options{Tile: transform.Tiling{None: true}, Off: []string{"parallel"}})
	if err != nil {
		t.Fatal(err)
	}
	code := k.code(t, recipe)
	if got := outerLoops(code); got != want {
		t.Errorf("%s: the outermost loops are over %q, not %q:\n%s", p, got, want, code)
	}
}

var (
	outerLoop  = regexp.MustCompile(`^ *for \(`)
	assignment = regexp.MustCompile(`^ *(\w)\[.* = `)
)

// outerLoops are, for each of the outermost loops of some code, the names of the
// arrays written inside, with spaces between loops.
func outerLoops(code string) string {
	indent := func(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
	var loops []string
	around := 0
	for line := range strings.Lines(code[strings.Index(code, "*/"):]) {
		inside := len(loops) > 0 && indent(line) > around
		if outerLoop.MatchString(line) && !inside {
			loops, around = append(loops, ""), indent(line)
		} else if written := assignment.FindStringSubmatch(line); inside && written != nil {
			loops[len(loops)-1] += written[1]
		} else if !inside {
			around = len(line)
		}
	}
	return strings.Join(loops, " ")
}
