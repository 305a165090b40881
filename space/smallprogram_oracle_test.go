package space

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
)

// sizeGroups are values of N and M at which a program runs: all small ones, at
// which alone some dependences exist, and larger ones up to growing numbers,
// with parameters equal, nearly equal, both even or not, and far apart.
func sizeGroups(depth int) [][][2]int {
	groups := [][][2]int{append(smallerThan(8-depth), [2]int{9, 8}, [2]int{9, 3}, [2]int{3, 9}), smallerThan(12 - 2*depth)}
	for _, n := range [][]int{{40, 80}, {20, 40}, {12, 20, 28}}[max(depth, 1)-1] {
		group := [][2]int{{n, n}, {n - 1, n / 4}, {n / 4, n - 1}}
		for _, other := range []int{n - 1, n - 2, n - 3, n / 2, n/2 + 1, 3} {
			group = append(group, [2]int{n, other}, [2]int{other, n})
		}
		for small := range 3 {
			group = append(group, [2]int{n, small}, [2]int{small, n})
		}
		groups = append(groups, group)
	}
	return groups
}

// smallerThan are all values of N and M below a limit.
func smallerThan(limit int) (list [][2]int) {
	for n := range limit {
		for m := range limit {
			list = append(list, [2]int{n, m})
		}
	}
	return list
}

// longer is a number for quick tests or, with POLYTUNE_LONG, for long ones.
func longer(quick, long int) int {
	if os.Getenv("POLYTUNE_LONG") != "" {
		return long
	}
	return quick
}

// peelBounds are tried in turn.
var peelBounds = []int{1, 2, 3, 5}

// For random programs, the space is what trying all weak orders on executions
// finds, in both modes.
//
// An execution has the dependences of one size, and brute force tries rows up
// to a largest coefficient; the space respects the dependences of all sizes
// and has no bound on rows. So where brute force finds more, it tries larger
// sizes, and where it finds less, the rows that the space says make a class
// fusible. They must agree in the end.
func TestRandomProgramsAgainstInstances(t *testing.T) {
	t.Parallel()
	count := longer(30, 5000)
	var total hardness
	for seed := range count {
		p := randomSmallProgram(rand.New(rand.NewPCG(uint64(seed), 3)))
		total.add(checkSmallProgram(t, p, fmt.Sprint("seed ", seed), peelBounds[seed%len(peelBounds)]))
	}
	t.Logf("%d programs: %+v", count, total)
	if total.pair < count/3 || total.triple < count/100 || total.both < count/200 || total.hoisting < count/20 {
		t.Errorf("too few of %d programs are hard: %+v", count, total)
	}
	if total.refused > count/1000 {
		t.Errorf("of %d programs, %d have spaces that are too small", count, total.refused)
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
	// larger counts programs for which brute force had to try larger sizes,
	// witnesses those for which it was told rows with large coefficients.
	larger, witnesses int
	// refused counts programs of which the space lacks what all executions
	// tried allow. Farkas' lemma sees a dependence's rational points too: rows
	// that only they forbid are refused.
	refused int
}

func (h *hardness) add(o hardness) {
	h.pair += o.pair
	h.triple += o.triple
	h.both += o.both
	h.hoisting += o.hoisting
	h.larger += o.larger
	h.witnesses += o.witnesses
	h.refused += o.refused
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
	ctx := isl.NewContext()
	defer ctx.Close()
	q := p.program(name)
	spaces := spacesOf(t, kerneltest.AnalyzeIn(t, ctx, q), peel)
	got := [2][]Partition{collect(t, spaces[Exact].All()), collect(t, spaces[SC10].All())}
	groups := sizeGroups(p.depth())
	l := newLags(q)
	for tried, witnesses := 1, 0; ; {
		for _, size := range slices.Concat(groups[:tried]...) {
			l.add(p.execute(size))
		}
		o := newInstanceOracle(l, peel)
		want := [2][]Partition{byBruteForce(o, Exact), byBruteForce(o, SC10)}
		tooMuch, tooLittle := excess(got[Exact], want[Exact]), excess(want[Exact], got[Exact])
		switch {
		case samePartitions(got[Exact], want[Exact]) && samePartitions(got[SC10], want[SC10]):
			h := hardnessOf(o)
			h.larger, h.witnesses, h.hoisting = min(1, tried-1), witnesses, min(1, len(got[Exact])-len(got[SC10]))
			return h
		case len(tooMuch) > 0 && witnesses == 0:
			witnesses, l = 1, newLags(q)
			addWitnesses(t, l, q, spaces[Exact], tooMuch)
		case tried < len(groups):
			tried++
		case len(tooMuch) == 0 && len(tooLittle) > 0:
			t.Logf("%s, peel bound %d: the spaces are %v, brute force finds also %v\n%s", name, peel, got, tooLittle, q)
			return hardness{refused: 1}
		default:
			t.Errorf("%s, peel bound %d: the spaces are %v, brute force finds %v\n%s", name, peel, got, want, q)
			return hardness{}
		}
	}
}

// spacesOf are the spaces of a program by mode.
func spacesOf(t *testing.T, graph *depend.Graph, peel int) (spaces [2]*Space) {
	t.Helper()
	for _, mode := range []Mode{Exact, SC10} {
		s, err := New(graph, Options{Mode: mode, MaxPeel: peel})
		if err != nil {
			t.Fatalf("%v\n%s", err, graph.Model.Program)
		}
		spaces[mode] = s
	}
	return spaces
}

// excess are the partitions that a list has and another has not.
func excess(list, other []Partition) []Partition {
	return slices.DeleteFunc(slices.Clone(list), func(p Partition) bool {
		_, found := slices.BinarySearchFunc(other, p, Partition.Compare)
		return found
	})
}

// addWitnesses makes brute force try, beside the small rows, those that the
// space has found for the classes of some partitions.
func addWitnesses(t *testing.T, l *lags, p *scop.Program, s *Space, partitions []Partition) {
	t.Helper()
	for _, partition := range partitions {
		for _, class := range partition.Classes() {
			rows, err := s.Rows(class)
			if err != nil || rows == nil {
				t.Fatalf("%s: no rows for %v: %v\n%s", partition, class, err, p)
			}
			for statement, row := range rows {
				coefficients, _ := inTimes(&s.groups.model.Statements[statement], row)
				l.rows[statement] = append(l.rows[statement], coefficients)
			}
		}
	}
	l.makeTables()
}

// inTimes are the coefficients of the times in a row, and its shift.
func inTimes(s *scop.StatementModel, row scop.Row) (coefficients []int64, shift int64) {
	shift = row.Constant
	for k, time := range s.Times {
		c := row.Iterators[k] * time.Iterators[k]
		coefficients = append(coefficients, c)
		shift -= c * time.Constant
	}
	return coefficients, shift
}
