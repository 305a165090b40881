package codegen

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/isl"
)

// askingKernels are those whose loops ask for what they read, with all parameters of one value.
var askingKernels = []struct {
	name string
	size int
}{
	{"polybench/gemm", 4}, {"polybench/jacobi-1d", 6}, {"polybench/jacobi-2d", 5}, {"polybench/mvt", 6}, {"polybench/trmm", 5}, {"polybench/lu", 5},
	{"polybench/doitgen", 3}, {"polybench/seidel-2d", 5}, {"polybench/syrk", 4}, {"polybench/floyd-warshall", 4}, {"polybench/bicg", 6}, {"polybench/cholesky", 5},
}

// Each iteration asks for the first element of each line that the iteration so many later reads and
// none before it, and for nothing else: what is found line by line at small sizes.
func TestNewLines(t *testing.T) {
	const perLine = 3
	for _, k := range askingKernels {
		g := kerneltest.Graph(t, k.name)
		m := g.Model
		fixed := m.Context.ReadSet(fmt.Sprintf("[%[1]s] -> { : %[2]s }", strings.Join(m.Program.Parameters, ", "), equal(m.Program.Parameters, k.size)))
		asked := 0
		for i := range m.Statements {
			s := &m.Statements[i]
			for a, access := range s.Statement.Accesses {
				if !access.Read || len(m.Program.Array(access.Array).Extents) == 0 {
					continue
				}
				for depth := range s.Depth() {
					all := freshNames("i", s.Depth(), nil)
					iterations := m.Context.ReadMap(fmt.Sprintf("{ [%s] -> %s[%s] }", strings.Join(all[:depth+1], ", "), s.Name, strings.Join(all, ", ")))
					reads := iterations.ApplyRange(s.Accesses[a].IntersectDomain(s.Domain)).SetTupleName(isl.DimOut, "")
					for _, later := range []int64{1, 3} {
						got := pointsOf(t, newLines(reads, later, perLine).IntersectDomain(reads.Domain()).IntersectParams(fixed))
						want := linesByHand(pointsOf(t, reads.IntersectParams(fixed)), depth, later, perLine)
						if asked += len(want); !slices.Equal(got, want) {
							t.Fatalf("%s, %s, access %d, loop %d, %d later: got %v, want %v of %s", k.name, s.Name, a, depth, later, got, want, reads)
						}
					}
				}
			}
		}
		if asked == 0 {
			t.Errorf("%s asks for nothing", k.name)
		}
	}
}

// equal says that all parameters have one value.
func equal(parameters []string, value int) string {
	var conditions []string
	for _, p := range parameters {
		conditions = append(conditions, fmt.Sprintf("%s = %d", p, value))
	}
	return strings.Join(conditions, " and ")
}

// pointsOf are the pairs of a relation, as texts of their coordinates.
func pointsOf(t *testing.T, relation *isl.Map) (texts []string) {
	t.Helper()
	pairs := relation.Wrap()
	points, err := pairs.ProjectOut(isl.DimParam, 0, pairs.Dim(isl.DimParam)).Points(100_000)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range points {
		texts = append(texts, fmt.Sprint(p))
	}
	slices.Sort(texts)
	return texts
}

// linesByHand is what iterations ask for, found pair by pair. Pairs are those of an iteration's
// values, of loops down to a depth, and the subscripts of an element that it reads.
func linesByHand(reads []string, depth int, later, perLine int64) []string {
	type line struct{ around, row string }
	firsts := map[line]int64{}             // the iteration that reads a line first
	elements := map[line]map[int64]int64{} // by iteration, the first element of the line that it reads
	iterations := map[string]map[int64]bool{}
	for _, text := range reads {
		values := numbers(text)
		l, last := values[depth], values[len(values)-1]
		around := fmt.Sprint(values[:depth])
		key := line{around, fmt.Sprint(values[depth+1:len(values)-1], last/perLine)}
		if first, known := firsts[key]; !known || l < first {
			firsts[key] = l
		}
		if elements[key] == nil {
			elements[key] = map[int64]int64{}
		}
		if least, known := elements[key][l]; !known || last < least {
			elements[key][l] = last
		}
		if iterations[around] == nil {
			iterations[around] = map[int64]bool{}
		}
		iterations[around][l] = true
	}
	found := map[string]bool{}
	for _, text := range reads {
		values := numbers(text)
		l, last := values[depth], values[len(values)-1]
		around := fmt.Sprint(values[:depth])
		key := line{around, fmt.Sprint(values[depth+1:len(values)-1], last/perLine)}
		if firsts[key] == l && elements[key][l] == last && iterations[around][l-later] {
			asking := slices.Clone(values)
			asking[depth] = l - later
			found[fmt.Sprint(asking)] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// numbers are those of a text such as [1 2 3].
func numbers(text string) (values []int64) {
	for _, word := range strings.Fields(strings.Trim(text, "[]")) {
		var value int64
		fmt.Sscan(word, &value)
		values = append(values, value)
	}
	return values
}
