package randomc

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The same seed makes the same program, and another one another.
func TestNew(t *testing.T) {
	first, again, other := New(7).Source(), New(7).Source(), New(8).Source()
	if first != again {
		t.Error("two programs of one seed")
	}
	if first == other {
		t.Error("one program of two seeds")
	}
}

// Among the programs are those with loops that data end, jumps, pointers that walk, functions,
// structs and names of constants.
func TestForms(t *testing.T) {
	var all strings.Builder
	for seed := range uint64(600) {
		all.WriteString(New(seed).Source())
	}
	for _, form := range []string{"while (", "do {", "switch (", "break;", "continue;", "goto ", "++;", "*p", "**", "->", ".k", "g->w", "& 7]", " % ", "? ", "unsigned char", "short", "unsigned long", "RADIUS", "enum {", "SWAP(", "weigh(", "bump(&", "advance(&", ", ", ";\n", "-- > 0", "spare",
		"g->n", "g->u[", "g->cols", "->v", "*restrict cells", "first_of(", "scale(", "return;", "out1:", "IDX(", "round", "const int ", " = 0, ", "*d1++", "+= m", "z * z", "    {\n        int "} {
		if !strings.Contains(all.String(), form) {
			t.Errorf("none of 600 programs has %q", form)
		}
	}
}

// Programs have a meaning in C: sanitizers find nothing in them.
func TestDefined(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		folder := t.TempDir()
		path, binary := filepath.Join(folder, "p.c"), filepath.Join(folder, "p")
		if err := os.WriteFile(path, []byte(New(seed).Source()), 0o644); err != nil {
			t.Fatal(err)
		}
		build := exec.Command("gcc", "-w", "-fsanitize=undefined,address", "-fno-sanitize=vla-bound", "-fno-sanitize-recover=all", "-o", binary, path, "-lm")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, out)
		}
		run := exec.Command(binary)
		run.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0")
		if out, err := run.CombinedOutput(); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, out)
		}
	}
}

// Shrinking leaves of a program what makes it fail.
func TestShrink(t *testing.T) {
	p := &Program{Pieces: []*Node{lineOf("int x;"), block("if (a + b)", []*Node{lineOf("y = 1;"), lineOf("z = f(3) + w;")}), lineOf("last;")}}
	small := Shrink(p, func(q *Program) bool { return strings.Contains(q.Source(), "z = ") }, func() bool { return false })
	if got := small.Source(); got != "z = 1;\n" && got != "z = f1;\n" && got != "z = f3;\n" {
		t.Errorf("got %q", got)
	}
	if len(p.Pieces) != 3 || !slices.Equal([]string{p.Pieces[1].Body[0].Head}, []string{"y = 1;"}) {
		t.Error("the program itself is another one")
	}
}

// Ranges of sums, of the larger of two and of halves hold for all sizes.
func TestIntervals(t *testing.T) {
	below := interval{number(0), bound{-1, 1, 0}}
	for got, want := range map[string]string{
		below.to.plus(number(3)).String():                                      "n + 2",
		below.plus(between(1, 2)).to.String():                                  "n + 1",
		below.negated().plus(interval{bound{n: 1}, bound{n: 1}}).from.String(): "1",
		greatest(bound{3, 1, 0}, bound{1, 0, 2}).String():                      "n + 2 * m + 3",
		bound{5, 3, 0}.half().String():                                         "2 * n + 3",
	} {
		if got != want {
			t.Errorf("%s instead of %s", got, want)
		}
	}
	if !below.within(wide) || wide.within(below) || !below.isNatural() || wide.isNatural() {
		t.Error("intervals are not within each other")
	}
}
