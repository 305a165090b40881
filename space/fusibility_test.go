package space

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
)

// loopNest writes a statement as "POSITION ; ITERATORS ; DOMAIN ; REFERENCES":
// textual position, names of the loops' iterators (~i for one that counts
// down), constraints, and references w (write), r (read) or u (update).
type loopNest string

func (l loopNest) statement(index int) scop.Statement {
	fields := strings.Split(string(l), ";")
	s := scop.Statement{Name: fmt.Sprintf("S%d", index)}
	for position := range strings.FieldsSeq(fields[0]) {
		s.Position = append(s.Position, int(position[0]-'0'))
	}
	for iterator := range strings.FieldsSeq(fields[1]) {
		name := strings.TrimPrefix(iterator, "~")
		s.Loops = append(s.Loops, scop.Loop{Iterator: name, Descending: name != iterator})
	}
	tuple := s.Name + "[" + strings.Join(s.Iterators(), ", ") + "]"
	s.Domain = "[N, M] -> { " + tuple + " : " + fields[2] + " }"
	for reference := range strings.FieldsSeq(fields[3]) {
		kind, element, _ := strings.Cut(reference, ":")
		array, _, _ := strings.Cut(element, "[")
		s.Accesses = append(s.Accesses, scop.Access{Array: array, Read: kind != "w", Write: kind != "r",
			Relation: "[N, M] -> { " + tuple + " -> " + element + " }"})
	}
	return s
}

func dependencesOf(t testing.TB, nests []loopNest) *depend.Graph {
	t.Helper()
	p := &scop.Program{Name: "test", Parameters: []string{"N", "M"}, Context: "[N, M] -> { : }"}
	for i, nest := range nests {
		p.Statements = append(p.Statements, nest.statement(i))
	}
	return kerneltest.Analyze(t, p)
}

var (
	twoProducts = []loopNest{
		"0 0 0   ; i j   ; 0<=i,j<N   ; w:C[i,j]",
		"0 0 1 0 ; i j k ; 0<=i,j,k<N ; u:C[i,j] r:A[i,k] r:B[k,j]",
		"1 0 0   ; i j   ; 0<=i,j<N   ; w:E[i,j]",
		"1 0 1 0 ; i j k ; 0<=i,j,k<N ; u:E[i,j] r:C[i,k] r:D[k,j]",
	}
	transposedProduct = []loopNest{
		"0 0   ; i   ; 0<=i<N   ; w:y[i]",
		"1 0   ; i   ; 0<=i<N   ; w:t[i]",
		"1 1 0 ; i j ; 0<=i,j<N ; u:t[i] r:A[i,j] r:x[j]",
		"1 2 0 ; i j ; 0<=i,j<N ; u:y[j] r:A[i,j] r:t[i]",
	}
)

func TestFusible(t *testing.T) {
	for _, test := range []struct {
		name  string
		nests []loopNest
		class []int
		// peel is the smallest bound with which the class is fusible; 0 for
		// none up to 6.
		peel int
	}{
		{"2mm, first product", twoProducts, []int{0, 1}, 1},
		{"2mm, both products", twoProducts, []int{0, 1, 2, 3}, 1},
		{"atax needs i+j", transposedProduct, []int{0, 2, 3}, 1},
		{"shift by 3", []loopNest{"0 0 ; i ; 0<=i<N ; w:A[i]", "1 0 ; i ; 0<=i<N ; w:B[i] r:A[i+3]"}, []int{0, 1}, 4},
		{"shift by a parameter", []loopNest{"0 0 ; i ; 0<=i<N ; w:A[i]", "1 0 ; i ; 0<=i<N ; w:B[i] r:A[i+M]"}, []int{0, 1}, 0},
		{"reversal", []loopNest{"0 0 ; i ; 0<=i<N ; w:A[i]", "1 0 ; i ; 0<=i<N ; w:B[i] r:A[N-1-i]"}, []int{0, 1}, 0},
		{"interchange", []loopNest{"0 0 0 ; i j ; 0<=i,j<N ; w:A[i,j]", "1 0 0 ; i j ; 0<=i,j<N ; w:B[i] r:A[j,i]"}, []int{0, 1}, 1},
		{"reduction before its use", []loopNest{"0 0 ; i ; 0<=i<N ; u:s[]", "1 0 ; i ; 0<=i<N ; u:A[i] r:s[]"}, []int{0, 1}, 0},
		{"scalar before a loop", []loopNest{"0 ; ; ; w:s[]", "1 0 ; i ; 0<=i<N ; w:A[i] r:s[]"}, []int{0, 1}, 1},
		{"scalar after a loop", []loopNest{"0 0 ; i ; 0<=i<N ; w:A[i]", "1 ; ; ; w:s[] r:A[N-1]"}, []int{0, 1}, 0},
		{"scalar after the first iterations", []loopNest{"0 0 ; i ; 0<=i<N ; w:A[i]", "1 ; ; ; w:s[] r:A[2]"}, []int{0, 1}, 3},
		{"no dependence", []loopNest{"0 0 ; i ; 0<=i<N ; w:A[i]", "1 ; ; ; w:s[]", "2 0 0 ; i j ; 0<=i,j<M ; w:B[j,i]"}, []int{0, 1, 2}, 1},
		{"two loops that count down", []loopNest{"0 0 ; ~i ; 0<=i<N ; w:A[i] r:A[i+1]", "1 0 ; ~i ; 0<=i<N ; w:B[i] r:A[i]"}, []int{0, 1}, 1},
		{"a loop that counts down after one that counts up", []loopNest{"0 0 ; i ; 0<=i<N ; w:A[i]", "1 0 ; ~i ; 0<=i<N ; w:B[i] r:A[i]"}, []int{0, 1}, 0},
		{"a loop that counts down, from its end", []loopNest{"0 0 ; i ; 0<=i<N ; w:A[i]", "1 0 ; ~i ; 0<=i<N ; w:B[i] r:A[N-1-i]"}, []int{0, 1}, 1},
		{"a loop from a guard on, after one that counts down", []loopNest{"0 0 ; ~i ; 0<=i<N ; w:A[i]", "0 1 ; ~i ; 0<=i<N-2 ; w:B[i] r:A[i]", "1 0 ; i ; 0<=i<N ; w:C[i] r:B[N-1-i]"}, []int{0, 1, 2}, 1},
		{"a recurrence that counts down", []loopNest{"0 0 ; ~i ; 0<=i<N ; w:A[i] r:A[i+1]"}, []int{0}, 1},
	} {
		graph := dependencesOf(t, test.nests)
		for peel := 1; peel <= 6; peel++ {
			fusible, err := groupTestOf(t, graph, Options{MaxPeel: peel}).Fusible(test.class)
			if want := test.peel > 0 && peel >= test.peel; err != nil || fusible != want {
				t.Errorf("%s, peel bound %d: fusible is %v (%v), want %v", test.name, peel, fusible, err, want)
			}
		}
	}
}

func groupTestOf(t testing.TB, graph *depend.Graph, options Options) *groupTest {
	t.Helper()
	g, err := newGroupTest(graph, options)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Rows of fusible classes, as simple as can be, by statement.
func TestRows(t *testing.T) {
	twice := []loopNest{"0 0 0 ; i j ; 0<=i,j<N ; w:A[i,j]", "1 0 0 ; i j ; 0<=i,j<N ; w:B[i,j] r:A[j,i]"}
	for _, test := range []struct {
		name  string
		nests []loopNest
		outer map[int][][]int64
		want  []string
	}{
		{"one nest", twoProducts[:2], nil, []string{"i", "i"}},
		{"two nests", twoProducts, nil, []string{"i", "i", "i", "i"}},
		{"interchange", twice, nil, []string{"i", "j"}},
		{"skewing", []loopNest{transposedProduct[0], transposedProduct[2], transposedProduct[3]}, nil, []string{"i", "i", "i + j"}},
		{"shift", []loopNest{"0 0 ; i ; 0<=i<N ; w:A[i]", "1 0 ; i ; 0<=i<N ; w:B[i] r:A[i+1]"}, nil, []string{"i", "i + 1"}},
		{"peeled statement", []loopNest{"0 0 ; i ; 0<=i<N ; w:A[i]", "1 ; ; ; w:s[] r:A[1]"}, nil, []string{"i", "1"}},
		{"no dependence", []loopNest{"0 0 0 ; i j ; 0<=i,j<N ; w:A[i,j]", "1 0 ; ~i ; 0<=i<N ; w:B[i]", "2 ; ; ; w:s[]"}, nil, []string{"i", "-i + N - 1", "0"}},
		{"inner level", twice, map[int][][]int64{0: {{1, 0}}, 1: {{0, 1}}}, []string{"j", "i"}},
		{"inner level, skewed", twice, map[int][][]int64{0: {{1, 1}}, 1: {{1, 1}}}, []string{"i", "j"}},
		{"inner level of one statement", twice[:1], map[int][][]int64{0: {{2, 0}}}, []string{"j"}},
		{"innermost level", twice, map[int][][]int64{0: {{1, 0}, {1, 1}}, 1: {{0, 1}}}, []string{"0", "i"}},
		{"innermost level of both", twice, map[int][][]int64{0: {{1, 0}, {1, 1}}, 1: {{1, 0}, {0, 1}}}, []string{"0", "0"}},
	} {
		graph := dependencesOf(t, test.nests)
		class := make([]int, len(test.nests))
		for s := range class {
			class[s] = s
		}
		g := groupTestOf(t, graph, Options{MaxPeel: 2})
		if test.outer != nil {
			g = g.inside(leftBy(t, graph, test.outer), test.outer)
		}
		rows, err := g.Rows(class)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		var got []string
		for s := range rows {
			statement := graph.Model.Statements[s]
			got = append(got, fmt.Sprint(s, " ", rows[s].Text(statement.Iterators(), graph.Model.Program.Parameters)))
		}
		slices.Sort(got)
		for s := range test.want {
			test.want[s] = fmt.Sprint(s, " ", test.want[s])
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

// leftBy are the parts of the dependences in which all outer rows are equal.
func leftBy(t *testing.T, graph *depend.Graph, outer map[int][][]int64) []*depend.Dependence {
	t.Helper()
	expression := func(s, level int) *isl.Map {
		row, statement := scop.Row{Iterators: make([]int64, 9)}, graph.Model.Statements[s]
		if level < len(outer[s]) {
			row.Iterators = outer[s][level]
		}
		iterators := statement.Iterators()
		return graph.Model.Context.ReadMap(fmt.Sprintf("[N, M] -> { %s[%s] -> [%s] }", statement.Name,
			strings.Join(iterators, ", "), row.Text(append(iterators, make([]string, 9)...), nil)))
	}
	var left []*depend.Dependence
	for _, d := range graph.Dependences {
		for level := range 2 {
			d = d.Where(expression(d.Source, level), "=", expression(d.Target, level))
		}
		empty, err := d.IsEmpty()
		if err != nil {
			t.Fatal(err)
		}
		if !empty {
			left = append(left, d)
		}
	}
	return left
}

// Asking about fusibility leaves no isl object behind.
func TestFusibilityKeepsMemoryFlat(t *testing.T) {
	graph := dependencesOf(t, twoProducts)
	mark := graph.Model.Context.Mark()
	if _, err := groupTestOf(t, graph, Options{MaxPeel: 2}).Fusible([]int{0, 1, 2, 3}); err != nil {
		t.Fatal(err)
	}
	if now := graph.Model.Context.Mark(); now != mark {
		t.Errorf("%d objects are left", now-mark)
	}
}

// A limit on isl's operations ends a listing with an error, and the space can
// be used again afterwards.
func TestOperationLimit(t *testing.T) {
	graph := dependencesOf(t, []loopNest{
		"0 0 ; i ; 0<=i<N ; u:s[]",
		"1 0 ; i ; 0<=i<N ; u:A[i] r:s[]",
		"2 0 ; i ; 0<=i<N ; w:B[i] r:A[i]",
	})
	s, err := New(graph, Options{})
	if err != nil {
		t.Fatal(err)
	}
	graph.Model.Context.SetMaxOperations(1)
	failed := false
	for _, err := range s.All() {
		failed = failed || err != nil
	}
	if !failed {
		t.Error("no error although isl was stopped")
	}
	graph.Model.Context.SetMaxOperations(0)
	if list := collect(t, s.All()); len(list) != 2 {
		t.Errorf("%d partitions afterwards, want 2", len(list))
	}
}

// A chain of stencils along i >= 1 can share a loop whose coefficient doubles
// from one statement to the next: 2i >= i + 1. The smallest of these rows take
// isl exponential time, some rows do not.
func TestChainOfStencils(t *testing.T) {
	const length = 30
	p := &smallProgram{}
	for k := range length {
		at := func(offset int) []affine { return []affine{{iterators: [3]int{1}, constant: offset}} }
		s := smallStatement{position: []int{k, 0}, loops: []smallLoop{{lower: affine{constant: 1}, upper: affine{n: 1}, step: 1}}}
		s.accesses = []smallAccess{{fmt.Sprint("A", k), at(0), "w"}}
		if k > 0 {
			s.accesses = append(s.accesses, smallAccess{fmt.Sprint("A", k-1), at(-1), "r"}, smallAccess{fmt.Sprint("A", k-1), at(1), "r"})
		}
		p.statements = append(p.statements, s)
	}
	graph := kerneltest.Analyze(t, p.program("chain of stencils"))
	s, err := New(graph, Options{})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	for first := range firstOf(t, s, 1) {
		if first.Count() != 1 {
			t.Errorf("the first partition is %v, want all statements in one class", first)
		}
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("the first partition took %v", took)
	}
}

func TestSmallKernels(t *testing.T) {
	for _, test := range []struct {
		name        string
		nests       []loopNest
		exact, sc10 int
	}{
		{"2mm", twoProducts, 16, 12},
		{"atax", transposedProduct, 16, 16},
	} {
		for mode, want := range map[Mode]int{Exact: test.exact, SC10: test.sc10} {
			s, err := New(dependencesOf(t, test.nests), Options{Mode: mode})
			if err != nil {
				t.Fatal(err)
			}
			list := collect(t, s.All())
			if len(list) != want {
				t.Errorf("%s, %s: %d partitions, want %d: %v", test.name, mode, len(list), want, list)
			}
			if !slices.ContainsFunc(list, func(p Partition) bool { return p.Compare(s.None()) == 0 }) {
				t.Errorf("%s, %s: the partition without fusion %v is missing", test.name, mode, s.None())
			}
		}
	}
}

// The order of transformations in PoCC's output, and its vectors.
func TestGemverOrder(t *testing.T) {
	s, err := New(dependencesOf(t, []loopNest{
		"0 0 0 ; i j ; 0<=i,j<N ; u:A[i,j] r:u1[i] r:v1[j]",
		"1 0 0 ; i j ; 0<=i,j<N ; u:x[i] r:A[j,i] r:y[j]",
		"2 0   ; i   ; 0<=i<N   ; u:x[i] r:z[i]",
		"3 0 0 ; i j ; 0<=i,j<N ; u:w[i] r:A[i,j] r:x[j]",
	}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range collect(t, s.All()) {
		got = append(got, p.String())
	}
	want := []string{"0-0-0-0", "0-0-0-1", "0-0-1-1", "0-0-1-2", "0-1-1-1", "0-1-1-2", "0-1-2-2", "0-1-2-3"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestNegativePeel(t *testing.T) {
	if _, err := New(dependencesOf(t, twoProducts), Options{MaxPeel: -1}); err == nil {
		t.Error("a negative peel bound is accepted")
	}
}
