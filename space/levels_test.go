package space

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/internal/kerneltest"
	"polytune/scop"
)

// firstNests are the first nests of a sequence, at most limit.
func firstNests(t testing.TB, sequence iter.Seq2[Nest, error], limit int) []Nest {
	t.Helper()
	var list []Nest
	for n, err := range sequence {
		if err != nil {
			t.Fatal(err)
		}
		if len(list) == limit {
			break
		}
		list = append(list, n)
	}
	return list
}

func levelsOf(t testing.TB, name string, options Options, depth int) *Levels {
	t.Helper()
	b, err := benchmarks.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	l, err := NewLevels(kerneltest.Analyze(t, programOf(t, b)), options, depth)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// The space of one level is the space of partitions.
func TestOneLevel(t *testing.T) {
	t.Parallel()
	const limit = 100
	for _, b := range kerneltest.Some() {
		p := programOf(t, b)
		if len(p.Statements) > longer(4, 6) {
			continue
		}
		graph := kerneltest.Analyze(t, p)
		for _, mode := range []Mode{Exact, SC10} {
			l, err := NewLevels(graph, Options{Mode: mode}, 1)
			if err != nil {
				t.Fatal(err)
			}
			nests := firstNests(t, l.All(), limit)
			k := 0
			for p, err := range l.Single().All() {
				if err != nil {
					t.Fatal(err)
				}
				if k == len(nests) {
					if k < limit {
						t.Errorf("%s: partition %s is no nest", b.Name, p)
					}
					break
				}
				if n := nests[k]; len(n) != 1 || n.Partition().Compare(p) != 0 {
					t.Errorf("%s: nest %s in the place of partition %s", b.Name, n, p)
				}
				k++
			}
			if k < len(nests) {
				t.Errorf("%s: nest %s is no partition", b.Name, nests[k])
			}
		}
	}
}

// Counts that were looked at by hand where they are small: gemm's C *= beta
// shares no loop, one, or two with the product.
func TestLevelCounts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		one, two int
	}{
		{"sc10/gemm", 2, 3},
		{"sc10/jacobi-2d", 1, 2},
		{"sc10/gemver", 8, 18},
		{"sc10/2mm", 16, 63},
		{"sc10/atax", 16, 48},
		{"sc10/doitgen", 4, 9},
		{"sc10/seidel", 1, 1},
	} {
		for depth, want := range []int{test.one, test.two} {
			l := levelsOf(t, test.name, Options{}, depth+1)
			if got := len(collectNests(t, l.All())); got != want {
				t.Errorf("%s: %d nests of %d levels, want %d", test.name, got, depth+1, want)
			}
			if count, exact, err := l.Count(1000); err != nil || !exact || count.Int64() != int64(want) {
				t.Errorf("%s: %d nests of %d levels are counted (%v, %v), want %d", test.name, count, depth+1, exact, err, want)
			}
			if count, exact, err := l.Count(want - 1); want > 1 && depth == 0 && (err != nil || exact) {
				t.Errorf("%s: %d nests are counted beyond the budget (%v)", test.name, count, err)
			}
		}
	}
}

// Listing can be stopped and go on; what is listed is contained, and nothing
// else is; rows prove each nest.
func TestLevelsOfKernels(t *testing.T) {
	t.Parallel()
	const limit = 40
	random := rand.New(rand.NewPCG(5, 6))
	for _, name := range []string{"polybench/2mm", "polybench/atax", "polybench/gemver", "polybench/gramschmidt", "polybench/doitgen",
		"polybench/fdtd-2d", "polybench/lu", "polybench/trisolv", "sc10/ludcmp"} {
		for depth := 2; depth <= 3; depth++ {
			l := levelsOf(t, name, Options{}, depth)
			list := firstNests(t, l.All(), limit)
			for _, n := range list {
				checkRows(t, l, n)
			}
			checkResumed(t, l, list, list[random.IntN(len(list))])
			for range 20 {
				n := randomNest(random, len(l.Names()), depth)
				checkResumed(t, l, list, n)
				checkMember(t, l, list, n, len(list) < limit)
			}
		}
	}
}

// checkResumed compares what comes after a nest with the beginning of the
// list.
func checkResumed(t *testing.T, l *Levels, list []Nest, n Nest) {
	t.Helper()
	rest := list
	for len(rest) > 0 && rest[0].Compare(n) <= 0 {
		rest = rest[1:]
	}
	for k, got := range firstNests(t, l.After(n), len(rest)) {
		if got.Compare(rest[k]) != 0 {
			t.Errorf("after %s: got %s, want %s", n, got, rest[k])
		}
	}
}

// checkMember compares the answer about a nest with a list, which has all
// nests or only the first ones.
func checkMember(t *testing.T, l *Levels, list []Nest, n Nest, all bool) {
	t.Helper()
	ok, reason := l.Contains(n)
	var outside *OutsideError
	if !ok && !errors.As(reason, &outside) {
		t.Fatal(reason)
	}
	if !all && n.Compare(list[len(list)-1]) > 0 {
		return
	}
	_, listed := slices.BinarySearchFunc(list, n, Nest.Compare)
	if ok != listed {
		t.Errorf("%s: contained is %v (%v), listed is %v", n, ok, reason, listed)
	}
}

// checkRows proves by the rows that a nest is legal: none runs against a
// dependence that the ones outside leave, as long as the two statements stay
// together, and no dependence is left where they part in the wrong order.
func checkRows(t *testing.T, l *Levels, n Nest) {
	t.Helper()
	rows, err := l.Rows(n)
	if err != nil || len(rows) != len(n) {
		t.Fatalf("%s: rows %v, %v", n, rows, err)
	}
	for _, d := range l.graph.Dependences {
		for k, level := range n {
			if level[d.Source] != level[d.Target] {
				if level[d.Source] > level[d.Target] {
					t.Errorf("%s: %s runs before %s, on which it depends: %s", n, l.Names()[d.Target], l.Names()[d.Source], d.Relation)
				}
				break
			}
			source, target := rows[k][d.Source], rows[k][d.Target]
			cone, err := d.Cone()
			if err != nil {
				t.Fatal(err)
			}
			if !cone.Contains(d.Distance(source, target, 1, 0)) {
				t.Errorf("%s: level %d of %v runs against %s", n, k+1, rows, d.Relation)
			}
			if d, err = l.graph.Unsatisfied(d, source, target); err != nil {
				t.Fatal(err)
			}
			if d == nil {
				break
			}
		}
	}
	for s := range l.Names() {
		checkIndependent(t, l, n, rows, s)
	}
}

// checkIndependent wants as many independent rows of a statement as it has
// loops, one for each level.
func checkIndependent(t *testing.T, l *Levels, n Nest, rows []Rows, s int) {
	t.Helper()
	var all [][]int64
	for _, level := range rows {
		all = append(all, level[s].Iterators)
	}
	loops := l.graph.Model.Statements[s].Depth()
	if rank := scop.Rank(all, loops); rank != min(loops, len(rows)) {
		t.Errorf("%s: the rows %v of %s have rank %d", n, all, l.Names()[s], rank)
	}
}

func TestLevelsErrors(t *testing.T) {
	l := levelsOf(t, "polybench/2mm", Options{}, 2)
	for _, test := range []struct{ text, want string }{
		{"0-0-0-0", "has 1 levels, the space has 2"},
		{"0-0-0/0-0-0", "it has 3 class numbers, but the program has 4 statements"},
		{"0-1-1-0/0-0-0-0", "S3 depends on S1"},
		{"0-0-1-1/1-0-0-0", "no loop that {S0 S1} can share leaves {S1} {S0} legal inside it; with rows S0[i, j] -> i; S1[i, j, k] -> i, S0 is in class 1"},
	} {
		n, err := ParseNest(test.text)
		if err != nil {
			t.Fatal(err)
		}
		if ok, err := l.Contains(n); ok || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, %v; want %q", n, ok, err, test.want)
		}
	}
	if _, err := NewLevels(l.graph, Options{}, 0); err == nil {
		t.Error("a space of no level")
	}
}

// Statements that nothing links are free at every level, and cost no search.
func TestIndependentLevels(t *testing.T) {
	var nests []loopNest
	for range 9 {
		nests = append(nests, loopNest(fmt.Sprintf("%d 0 0 ; i j ; 0<=i,j<N ; w:%c[i,j]", len(nests), 'A'+len(nests))))
	}
	l, err := NewLevels(dependencesOf(t, nests), Options{}, 3)
	if err != nil {
		t.Fatal(err)
	}
	if list := firstNests(t, l.All(), 2000); len(list) != 2000 {
		t.Errorf("%d nests", len(list))
	}
	if len(l.choices) > 0 {
		t.Errorf("choices of %d classes were looked for", len(l.choices))
	}
}

// What is counted is what is listed, at three levels too.
func TestCountNests(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"polybench/gemver", "polybench/lu", "polybench/trisolv", "sc10/doitgen"} {
		l := levelsOf(t, name, Options{}, 3)
		want := len(collectNests(t, l.All()))
		if count, exact, err := l.Count(100_000); err != nil || !exact || count.Int64() != int64(want) {
			t.Errorf("%s: %d nests are counted (%v, %v), %d listed", name, count, exact, err, want)
		}
	}
}

// The first 50 nests of two levels, dependences given.
func BenchmarkTwoLevels(b *testing.B) {
	for _, name := range []string{"polybench/2mm", "polybench/3mm", "polybench/gemver", "polybench/covariance", "sc10/ludcmp", "polybench/adi"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				l := levelsOf(b, name, Options{}, 2)
				b.StartTimer()
				firstNests(b, l.All(), 50)
			}
		})
	}
}
