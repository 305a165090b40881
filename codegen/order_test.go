package codegen

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"polytune/internal/marktest"
	"polytune/isl"
	"polytune/scop"
)

// affine is a row of a random schedule: a·i + b·j + c·N + d, divided by size
// and rounded down when it is a tile loop.
type affine struct{ a, b, c, d, size int }

func (r affine) at(i, j, n int) int {
	v := r.a*i + r.b*j + r.c*n + r.d
	return (v - ((v%r.size)+r.size)%r.size) / r.size
}

func (r affine) String() string {
	return fmt.Sprintf("floor((%d*i + %d*j + %d*N + %d)/%d)", r.a, r.b, r.c, r.d, r.size)
}

// domains are iteration spaces as isl and as Go see them.
var domains = []struct {
	constraints string
	has         func(i, j, n int) bool
}{
	{"0 <= i, j < N", func(i, j, n int) bool { return true }},
	{"0 <= i < N and 0 <= j <= i", func(i, j, n int) bool { return j <= i }},
	{"0 <= i, j < N and (i + j) mod 3 = 1", func(i, j, n int) bool { return (i+j)%3 == 1 }},
	{"0 <= i, j < N and (j > i + 2 or i > 2j)", func(i, j, n int) bool { return j > i+2 || i > 2*j }},
	{"0 <= i, j < N and i + j != N - 1", func(i, j, n int) bool { return i+j != n-1 }},
	{"0 <= i, j < N and exists (a, b : i = 2a and j = 3b + a)", func(i, j, n int) bool { return i%2 == 0 && ((j-i/2)%3+3)%3 == 0 }},
}

func randomRow(r *rand.Rand, size int) affine {
	small := func() int { return r.IntN(7) - 3 }
	return affine{small(), small(), r.IntN(3) - 1, small(), size}
}

// TestOrder generates code for random tiled schedules of random domains and
// compares the sequence of instances it runs with the sorted instances.
func TestOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 7))
	var program, calls, want strings.Builder
	program.WriteString("#include <stdio.h>\nstatic void show(int a, int b) { printf(\"%d,%d \", a, b); }\n")
	for number := range 40 {
		domain := domains[number%len(domains)]
		first, second := randomRow(random, 1), randomRow(random, 1)
		if first.a*second.b == first.b*second.a {
			continue
		}
		tile := first
		tile.size = 1 + random.IntN(5)
		rows := []affine{tile, first, second}
		fmt.Fprintf(&program, "static void f%d(int N) {\n%s}\n", number, orderCode(t, domain.constraints, rows))
		for _, n := range []int{-1, 0, 1, 2, 5, 8} {
			fmt.Fprintf(&calls, "  f%d(%d); puts(\"\");\n", number, n)
			want.WriteString(orderOf(domain.has, rows, n) + "\n")
		}
	}
	fmt.Fprintf(&program, "int main(void) {\n%s  return 0;\n}\n", calls.String())
	got := strings.Split(compileAndRun(t, program.String(), "-O0", "-fsanitize=undefined", "-fno-sanitize-recover"), "\n")
	for k, w := range strings.Split(want.String(), "\n") {
		if got[k] != w {
			t.Fatalf("run %d: got %s, want %s", k, got[k], w)
		}
	}
}

func orderCode(t *testing.T, constraints string, rows []affine) string {
	t.Helper()
	c := isl.NewContext()
	defer c.Close()
	s := scop.Statement{
		Name: "S0", Source: "show(i, j);", Loops: []scop.Loop{{Iterator: "i"}, {Iterator: "j"}}, Position: []int{0, 0, 0},
		Uses: []scop.Use{{Offset: 5, Loop: 0, Subscript: true}, {Offset: 8, Loop: 1, Subscript: true}}, Domain: "[N] -> { S0[i, j] : " + constraints + " }",
	}
	program := scop.Program{
		Name: "order", Parameters: []string{"N"}, Context: "[N] -> { : }", Statements: []scop.Statement{s},
		Function: scop.Function{Arguments: []scop.Argument{{Name: "N", Type: "int"}}},
	}
	model, err := program.Model(c)
	if err != nil {
		t.Fatal(err)
	}
	members := make([]string, len(rows))
	for k, row := range rows {
		members[k] = fmt.Sprintf("{ S0[i, j] -> [(%s)] }", row)
	}
	tree := fmt.Sprintf("domain: \"%s\"\nchild:\n  schedule: \"[N] -> [%s]\"\n", s.Domain, strings.Join(members, ", "))
	code, err := Generate(model, marktest.Read(t, c, tree), Options{Indent: "  "})
	if err != nil {
		t.Fatal(err, tree)
	}
	return code
}

// orderOf are the instances of a domain in the order of a schedule.
func orderOf(has func(i, j, n int) bool, rows []affine, n int) string {
	type instance struct{ i, j int }
	var all []instance
	for i := range max(n, 0) {
		for j := range n {
			if has(i, j, n) {
				all = append(all, instance{i, j})
			}
		}
	}
	time := func(x instance) []int {
		times := make([]int, len(rows))
		for k, row := range rows {
			times[k] = row.at(x.i, x.j, n)
		}
		return times
	}
	slices.SortFunc(all, func(x, y instance) int { return slices.Compare(time(x), time(y)) })
	var b strings.Builder
	for _, x := range all {
		fmt.Fprintf(&b, "%d,%d ", x.i, x.j)
	}
	return b.String()
}
