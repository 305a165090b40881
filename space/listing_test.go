package space

import (
	"errors"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/internal/kerneltest"
	"polytune/isl"
)

// take lists the first partitions.
func take(t *testing.T, sequence func(func(Partition, error) bool), most int) []Partition {
	t.Helper()
	var list []Partition
	for p, err := range sequence {
		if err != nil {
			t.Fatal(err)
		}
		if list = append(list, p); len(list) == most {
			break
		}
	}
	return list
}

// largestSpaces are the kernels that, with those of the SC'10 paper, are
// listed in every run of the tests.
var largestSpaces = []string{"polybench/correlation", "polybench/deriche", "polybench/adi", "tiramisu/vgg-block"}

// On all built-in kernels, with and without a cut, at most n² beginnings are
// given up for each partition that is listed, the look-ahead takes no more
// than n³ steps for each, and a listing goes on where it was stopped.
func TestListingOfAllKernels(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(11, 12))
	for _, b := range benchmarks.All() {
		if !slices.Contains(largestSpaces, b.Name) && !strings.HasPrefix(b.Name, "sc10/") && os.Getenv("POLYTUNE_LONG") == "" {
			continue
		}
		ctx := isl.NewContext()
		graph := kerneltest.AnalyzeIn(t, ctx, programOf(t, b))
		for _, options := range []Options{{}, {Mode: SC10}, {Cuts: someCut(t, len(graph.Model.Statements))}} {
			s, err := New(graph, options)
			if errors.As(err, new(*EmptyError)) {
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", b.Name, err)
			}
			list := take(t, s.All(), 300)
			n := len(list[0])
			if st := s.Statistics(); st.Points != len(list) || st.DeadEnds > len(list)*n*n || st.LookAhead > len(list)*n*n*n {
				t.Errorf("%s, %+v: %+v", b.Name, options, st)
			}
			k := random.IntN(len(list))
			if got := take(t, s.After(list[k]), len(list)-1-k); len(list) > k+1 && !samePartitions(got, list[k+1:]) {
				t.Errorf("%s: after %v comes %v, want %v", b.Name, list[k], got[0], list[k+1])
			}
		}
		ctx.Close()
	}
}

// someCut is an affine cut that no order and no infusible pair expresses, for
// three statements or more.
func someCut(t *testing.T, n int) []Cut {
	if n < 3 {
		return nil
	}
	return []Cut{parseCut(t, Affine, "e_0_1 + e_1_2 = 1", n)}
}

// Memory does not grow with the number of partitions that are listed.
func TestListingKeepsMemoryFlat(t *testing.T) {
	s := synthetic(t, 60, nil, forbidden{}, Options{})
	var start, end runtime.MemStats
	count := 0
	for _, err := range s.All() {
		if err != nil {
			t.Fatal(err)
		}
		switch count++; count {
		case 1000:
			runtime.GC()
			runtime.ReadMemStats(&start)
		case 50_000:
			runtime.GC()
			runtime.ReadMemStats(&end)
		}
		if count == 50_000 {
			break
		}
	}
	if grown := int64(end.HeapAlloc) - int64(start.HeapAlloc); grown > 1<<20 {
		t.Errorf("the heap has grown by %d bytes", grown)
	}
}

// An error about cuts that leave nothing names those that matter, and no
// others.
func TestContradictingCuts(t *testing.T) {
	for _, test := range []struct{ cuts, want string }{
		{"together S0,S2; apart S3,S1; apart S0,S2", `the cuts "together S0,S2" and "apart S0,S2" put {S0 S2} into one class`},
		{"apart S2,S3; before S1,S0", `the cut "before S1,S0" put {S0 S1} into one class, but these statements cannot be fused or are kept apart; take the cut back`},
		{"together S2,S3", `the cut "together S2,S3" put {S2 S3} into one class`},
		{"before S0,S2; before S2,S3; before S3,S0; apart S1,S3", `the cuts "before S0,S2" and "before S2,S3" and "before S3,S0"`},
		{"e_0_1 + e_1_2 + e_0_2 = 2; apart S0,S3", `the cut "e_0_1 + e_0_2 + e_1_2 = 2" leave no partition; take the cut back`},
		{"e_0_1 + e_1_2 >= 1; apart S0,S3; apart S0,S1; before S1,S2", `"e_0_1 + e_1_2 >= 1" and "apart S0,S1" and "before S1,S2"`},
	} {
		var cuts []Cut
		for text := range strings.SplitSeq(test.cuts, "; ") {
			kind, operands, _ := strings.Cut(text, " ")
			place := slices.Index([]string{"together", "apart", "before"}, kind)
			if place < 0 {
				place, operands = int(Affine), text
			}
			cuts = append(cuts, parseCut(t, CutKind(place), operands, 4))
		}
		_, err := newSpace(statementNames(4), reachability(4, [][2]int{{0, 1}}), forbidden{{2, 3}}, Options{Cuts: cuts})
		if err == nil || !strings.Contains(err.Error(), "no partition is left") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want %q", test.cuts, err, test.want)
		}
	}
}
