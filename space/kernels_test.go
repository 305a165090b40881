package space

import (
	"testing"

	"polytune/benchmarks"
	"polytune/internal/kerneltest"
	"polytune/scop"
	"polytune/scop/depend"
)

// programOf is a built-in kernel's program.
func programOf(t testing.TB, b benchmarks.Benchmark) *scop.Program {
	t.Helper()
	return kerneltest.File(t, b.Name).Regions[0].Program
}

// The rows of the SC'10 paper's Figure 6; the column exact is what brute
// force finds.
func TestPaperKernels(t *testing.T) {
	for _, test := range []struct {
		name                                                         string
		loops, statements, references, dependences, all, exact, sc10 int
	}{
		{"2mm", 6, 4, 8, 12, 75, 16, 12},
		{"3mm", 9, 6, 12, 19, 4683, 352, 128},
		{"adi", 11, 8, 36, 188, 545835, 1, 1},
		{"atax", 4, 4, 10, 12, 75, 16, 16},
		{"bicg", 3, 4, 10, 10, 75, 26, 26},
		{"correl", 5, 6, 12, 14, 4683, 240, 176},
		{"covar", 7, 7, 13, 26, 47293, 192, 96},
		{"doitgen", 5, 3, 7, 8, 13, 4, 4},
		{"gemm", 3, 2, 6, 6, 3, 2, 2},
		{"gemver", 7, 4, 19, 13, 75, 8, 8},
		{"gesummv", 2, 5, 15, 17, 541, 52, 44},
		{"gramschmidt", 6, 7, 17, 34, 47293, 2, 1},
		{"jacobi-2d", 5, 2, 8, 14, 3, 1, 1},
		{"lu", 4, 2, 7, 10, 3, 1, 1},
		{"ludcmp", 9, 15, 40, 188, 230283190977853, 24, 20},
		{"seidel", 3, 1, 10, 27, 1, 1, 1},
	} {
		b, err := benchmarks.Find("sc10/" + test.name)
		if err != nil {
			t.Fatal(err)
		}
		p := programOf(t, b)
		graph := kerneltest.Analyze(t, p)
		for _, column := range []struct {
			name      string
			got, want int
		}{
			{"loops", p.LoopCount(), test.loops},
			{"statements", len(p.Statements), test.statements},
			{"references", p.ReferenceCount(), test.references},
			{"dependences", len(graph.Dependences), test.dependences},
			{"partitions", int(Total(len(p.Statements)).Int64()), test.all},
		} {
			if column.got != column.want {
				t.Errorf("%s: %d %s, want %d", test.name, column.got, column.name, column.want)
			}
		}
		checkLegal(t, test.name, graph, Exact, test.exact)
		checkLegal(t, test.name, graph, SC10, test.sc10)
	}
}

// checkLegal lists the space of a graph and compares the number of
// partitions with the one wanted and with the one counted without listing.
func checkLegal(t *testing.T, name string, graph *depend.Graph, mode Mode, want int) []Partition {
	t.Helper()
	s, err := New(graph, Options{Mode: mode})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	list := collect(t, s.All())
	if len(list) != want {
		t.Errorf("%s, %s: %d partitions, want %d", name, mode, len(list), want)
	}
	count, ok, err := s.Count(1 << 20)
	if err != nil || !ok || count.Int64() != int64(len(list)) {
		t.Errorf("%s, %s: %d partitions listed, but %v counted (%v, %v)", name, mode, len(list), count, ok, err)
	}
	n := len(graph.Model.Statements)
	if statistics := s.Statistics(); statistics.DeadEnds > len(list)*n*n {
		t.Errorf("%s, %s: too many dead ends: %+v", name, mode, statistics)
	}
	fusibility, enumeration := s.Seconds()
	t.Logf("%s, %s: %d partitions; %+v; fusibility %.4f s, enumeration %.4f s", name, mode, len(list), s.Statistics(), fusibility, enumeration)
	return list
}

// For every built-in kernel of at most six statements, the space is what
// trying all weak orders on a small execution finds. Kernels of one statement,
// which have one partition, are looked at in long tests only.
func TestKernelsAgainstInstances(t *testing.T) {
	t.Parallel()
	least := longer(2, 1)
	for _, b := range kerneltest.Some() {
		if b.Name == "tiramisu/hpcg" && !kerneltest.Long() {
			continue // a third of the time of all, with 27 references in each statement
		}
		if p := programOf(t, b); least <= len(p.Statements) && len(p.Statements) <= longer(4, 6) {
			t.Run(b.Name, func(t *testing.T) { checkAgainstInstances(t, p, 1, 2, 4) })
		}
	}
}

// The largest space of a built-in kernel is counted, not listed. (Listing it,
// which takes minutes, gives the same number.)
func TestCountOfLargeKernel(t *testing.T) {
	b, err := benchmarks.Find("polybench/correlation")
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(kerneltest.Analyze(t, programOf(t, b)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if count, ok, err := s.Count(1 << 20); err != nil || !ok || count.Int64() != 53101568 {
		t.Errorf("counted %v (%v, %v), want 53101568", count, ok, err)
	}
}
