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
)

// For random programs of two or three statements, of which the long test takes
// those in three loops too, the space of two and of three levels is what the
// oracle finds; where they differ, larger rows or larger sizes must make them
// agree, as in TestRandomProgramsAgainstInstances. Where the space has more
// even so, other shifts than the least ones must allow it.
func TestRandomNestsAgainstInstances(t *testing.T) {
	t.Parallel()
	count, long := 60, os.Getenv("POLYTUNE_LONG") != ""
	if long {
		count = 5000
	}
	var total nestAgreement
	for seed := 0; total.programs < count; seed++ {
		p := randomSmallProgram(rand.New(rand.NewPCG(uint64(seed), 4)))
		if len(p.statements) > mostStatements || p.depth() < 2 || len(p.statements)+p.depth() > 5 && !long {
			continue
		}
		total.add(checkNests(t, p, fmt.Sprint("seed ", seed), peelBounds[seed%len(peelBounds)], 2+seed%2))
	}
	t.Logf("%+v", total)
	if total.nests < 5*count || total.exotic > count/5 {
		t.Errorf("too few programs are of use: %+v", total)
	}
	if total.refused > count/1000 || total.shifted > count/1000 || total.incomplete > count/100 {
		t.Errorf("too many spaces differ: %+v", total)
	}
}

// nestAgreement counts programs and the nests of those of which space and
// oracle agree.
type nestAgreement struct {
	programs, nests int
	// exotic counts programs with rows that the oracle does not try.
	exotic int
	// refused counts programs whose space lacks nests that all executions
	// tried allow; incomplete those that, as they say, have not been looked at
	// for all choices of loops, and lack some therefore or not.
	refused, incomplete int
	// shifted counts programs with nests that need more than the least shifts
	// of all executions: those that Farkas' lemma finds can be greater, as it
	// sees a dependence's rational points too.
	shifted int
}

func (a *nestAgreement) add(b nestAgreement) {
	a.programs += b.programs
	a.nests += b.nests
	a.exotic += b.exotic
	a.refused += b.refused
	a.incomplete += b.incomplete
	a.shifted += b.shifted
}

// checkNests compares the space of a program with the oracle's.
func checkNests(t *testing.T, p *smallProgram, name string, peel, depth int) nestAgreement {
	t.Helper()
	q := p.program(name)
	got, incomplete := nestsOf(t, q, peel, depth)
	groups := sizeGroups(p.depth())
	for k, group := range groups {
		n := group[len(group)-1][1]
		groups[k] = append(group, [2]int{n, 0}, [2]int{0, n})
	}
	for sizes, largest, anyShifts := 1, int64(2), false; ; {
		var executions []execution
		for _, size := range slices.Concat(groups[:sizes]...) {
			executions = append(executions, p.execute(size))
		}
		o, start := newNestOracle(p, executions, peel, largest, anyShifts)
		want := o.nests(start, depth)
		tooMuch, same := len(missing(want, got)) > 0, len(got) == len(want)
		switch {
		case !tooMuch && anyShifts:
			return nestAgreement{programs: 1, shifted: 1}
		case !tooMuch && (same || incomplete > 0):
			return nestAgreement{programs: 1, nests: len(got), incomplete: min(1, incomplete)}
		case o.exotic:
			return nestAgreement{programs: 1, exotic: 1}
		case largest < 4:
			largest += 2
		case sizes < len(groups):
			sizes++
		case !tooMuch:
			t.Logf("%s, peel bound %d, %d levels: the space is %v, brute force finds %v\n%s", name, peel, depth, got, want, q)
			return nestAgreement{programs: 1, refused: 1}
		case !anyShifts:
			anyShifts = true
		case needLargerRows(t, q, peel, depth, missing(want, got)):
			return nestAgreement{programs: 1, exotic: 1}
		default:
			t.Errorf("%s, peel bound %d, %d levels: the space is %v, brute force finds %v\n%s", name, peel, depth, got, want, q)
			return nestAgreement{programs: 1}
		}
	}
}

// missing are those of some nests that a sorted list lacks.
func missing(list, nests []Nest) []Nest {
	return slices.DeleteFunc(slices.Clone(nests), func(n Nest) bool {
		_, found := slices.BinarySearchFunc(list, n, Nest.Compare)
		return found
	})
}

// needLargerRows says whether the space gives coefficients above 1 to all nests:
// where Farkas' lemma forbids all rows with 0 and 1, some of which executions
// allow, the space's rows are others than those that the oracle tries.
func needLargerRows(t *testing.T, p *scop.Program, peel, depth int, nests []Nest) bool {
	t.Helper()
	ctx := isl.NewContext()
	defer ctx.Close()
	l, err := NewLevels(kerneltest.AnalyzeIn(t, ctx, p), Options{MaxPeel: peel}, depth)
	if err != nil {
		t.Fatal(err)
	}
	isLarge := func(c int64) bool { return c < -1 || c > 1 }
	for _, n := range nests {
		levels, err := l.Rows(n)
		if err != nil {
			t.Fatal(err)
		}
		large := false
		for _, rows := range levels {
			for _, row := range rows {
				large = large || slices.ContainsFunc(row.Iterators, isLarge)
			}
		}
		if !large {
			return false
		}
	}
	return true
}

// nestsOf lists the nests of a program, and counts the classes of which not all
// choices of loops were looked at.
func nestsOf(t *testing.T, p *scop.Program, peel, depth int) (list []Nest, incomplete int) {
	t.Helper()
	ctx := isl.NewContext()
	defer ctx.Close()
	l, err := NewLevels(kerneltest.AnalyzeIn(t, ctx, p), Options{MaxPeel: peel}, depth)
	if err != nil {
		t.Fatalf("%v\n%s", err, p)
	}
	list = collectNests(t, l.All())
	return list, len(l.Incomplete())
}

// collectNests lists a sequence and checks that it ascends.
func collectNests(t *testing.T, sequence func(func(Nest, error) bool)) []Nest {
	t.Helper()
	var list []Nest
	for n, err := range sequence {
		if err != nil {
			t.Fatal(err)
		}
		if err := n.Validate(); err != nil {
			t.Fatalf("%s: %v", n, err)
		}
		if len(list) > 0 && list[len(list)-1].Compare(n) >= 0 {
			t.Fatalf("%s comes after %s", n, list[len(list)-1])
		}
		list = append(list, n)
	}
	return list
}
