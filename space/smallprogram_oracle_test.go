package space

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"polytune/isl"
	"polytune/scop"
)

// sizeGroups are values of N and M at which a program runs: first all small
// values, at which alone some dependences exist, and some larger ones, then
// those up to growing numbers, with parameters nearly equal and far apart.
func sizeGroups(depth int) [][][2]int {
	var first [][2]int
	for n := range 8 - depth {
		for m := range 8 - depth {
			first = append(first, [2]int{n, m})
		}
	}
	limits := [][]int{{16, 40, 80}, {9, 20, 40}, {6, 12, 20, 28}}[max(depth, 1)-1]
	var groups [][][2]int
	for _, n := range limits {
		groups = append(groups, [][2]int{{n, n - 1}, {n, 3}, {3, n}, {n - 1, n}, {n - 1, n / 4}, {n / 4, n - 1}, {n, n / 2}, {n / 2, n}})
	}
	groups[0] = append(first, groups[0][:3]...)
	return groups
}

// peelBounds are tried in turn.
var peelBounds = []int{1, 2, 3, 5}

// For random programs, the space is what trying all weak orders on executions
// finds, in both modes.
//
// An execution has the dependences of one size, and brute force tries rows up
// to a largest coefficient; the space respects the dependences of all sizes
// and has no bound on rows. So where brute force finds less, it tries larger
// rows, and where it finds more, larger sizes. Either must agree in the end.
func TestRandomProgramsAgainstInstances(t *testing.T) {
	count := 500
	if os.Getenv("POLYTUNE_LONG") != "" {
		count = 5000
	}
	var total hardness
	for seed := range count {
		p := randomSmallProgram(rand.New(rand.NewPCG(uint64(seed), 3)))
		total.add(checkSmallProgram(t, p, fmt.Sprint("seed ", seed), peelBounds[seed%len(peelBounds)]))
	}
	t.Logf("%d programs: %+v", count, total)
	if total.pair < count/3 || total.triple < count/100 || total.both < count/200 || total.hoisting < count/20 {
		t.Errorf("too few of %d programs are hard: %+v", count, total)
	}
}

// hardness counts programs with what makes fusibility hard.
type hardness struct {
	// pair counts programs in which two statements cannot be fused, triple
	// those with three statements that cannot, any two of which can, and
	// both those with both.
	pair, triple, both int
	// hoisting counts programs whose space is smaller in mode sc10.
	hoisting int
	// harder counts programs for which brute force had to try larger sizes
	// or rows.
	harder int
}

func (h *hardness) add(o hardness) {
	h.pair += o.pair
	h.triple += o.triple
	h.both += o.both
	h.hoisting += o.hoisting
	h.harder += o.harder
}

// hardnessOf looks at the answers about sets of two and three statements.
func hardnessOf(o *instanceOracle) hardness {
	pair, triple := 0, 0
	fusible := func(class ...int) bool {
		answer, _ := o.Fusible(class)
		return answer
	}
	for i := range o.rows {
		for j := range i {
			if !fusible(j, i) {
				pair = 1
			}
			for k := range j {
				if fusible(j, i) && fusible(k, i) && fusible(k, j) && !fusible(k, j, i) {
					triple = 1
				}
			}
		}
	}
	return hardness{pair: pair, triple: triple, both: pair * triple}
}

// checkSmallProgram compares both spaces of a program.
func checkSmallProgram(t *testing.T, p *smallProgram, name string, peel int) hardness {
	t.Helper()
	q := p.program(name)
	got := spacesOf(t, q, peel)
	groups := sizeGroups(p.depth())
	for effort := (effort{1, 2}); ; {
		o := newInstanceOracle(effort.lags(p, q, groups), peel)
		want := [2][]Partition{byBruteForce(o, Exact), byBruteForce(o, SC10)}
		if samePartitions(got[Exact], want[Exact]) && samePartitions(got[SC10], want[SC10]) {
			h := hardnessOf(o)
			h.harder = effort.harder()
			h.hoisting = min(1, len(got[Exact])-len(got[SC10]))
			return h
		}
		// What the space has too much may need larger rows, what it has
		// too little may be forbidden at larger sizes only.
		switch tooMuch := len(excess(got[Exact], want[Exact])) > 0; {
		case tooMuch && effort.largest < 6:
			effort.largest += 2
		case !tooMuch && effort.groups < len(groups):
			effort.groups++
		default:
			t.Errorf("%s, peel bound %d: the spaces are %v, brute force finds %v\n%s", name, peel, got, want, q)
			return hardness{}
		}
	}
}

// effort is how hard brute force tries.
type effort struct {
	// groups of sizes are executed, rows have coefficients up to largest.
	groups  int
	largest int64
}

func (e effort) harder() int {
	if e == (effort{1, 2}) {
		return 0
	}
	return 1
}

func (e effort) lags(p *smallProgram, q *scop.Program, groups [][][2]int) *lags {
	l := newLags(q, func(int) int64 { return e.largest })
	for _, size := range slices.Concat(groups[:e.groups]...) {
		l.add(p.execute(size))
	}
	return l
}

// spacesOf lists the partitions of a program by mode.
func spacesOf(t *testing.T, p *scop.Program, peel int) (lists [2][]Partition) {
	t.Helper()
	ctx := isl.NewContext()
	defer ctx.Close()
	graph := analyzeIn(t, ctx, p)
	for _, mode := range []Mode{Exact, SC10} {
		s, err := New(graph, Options{Mode: mode, MaxPeel: peel})
		if err != nil {
			t.Fatalf("%v\n%s", err, p)
		}
		lists[mode] = collect(t, s.All())
	}
	return lists
}

// excess are the partitions that a list has and another has not.
func excess(list, other []Partition) []Partition {
	return slices.DeleteFunc(slices.Clone(list), func(p Partition) bool {
		_, found := slices.BinarySearchFunc(other, p, Partition.Compare)
		return found
	})
}
