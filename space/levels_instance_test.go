package space

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"polytune/isl"
	"polytune/scop"
)

// dependentPair are the iterators of two dependent instances, in the
// direction of their loops.
type dependentPair [2][3]int64

// nestOracle lists the nests of a program from its executions, by the
// definition that Levels has and without any of its means.
type nestOracle struct {
	depths []int
	peel   int64
	// largest is the largest coefficient tried for a loop that only has to
	// exist.
	largest int64
	// exotic says that statements could share a loop for which there are no
	// rows with coefficients 0 and 1: then the definition asks for one that
	// the oracle does not know.
	exotic bool
}

// remains are dependent pairs by the places of the statements, and outer the
// rows of the loops around them, outermost first.
type remains struct {
	statements []int
	pairs      map[[2]int][]dependentPair
	outer      map[int][][]int64
}

func pairsOf(executions []execution) map[[2]int][]dependentPair {
	iterators := func(x instance) (list [3]int64) {
		for k := range len(x.time) / 2 {
			list[k] = x.time[1+2*k]
		}
		return list
	}
	seen := map[[2]int]map[dependentPair]bool{}
	pairs := map[[2]int][]dependentPair{}
	for _, e := range executions {
		for _, list := range e {
			for _, x := range list {
				for _, y := range list {
					if !x.write && !y.write || slices.Compare(x.instance.time, y.instance.time) >= 0 {
						continue
					}
					key := [2]int{x.instance.statement, y.instance.statement}
					pair := dependentPair{iterators(x.instance), iterators(y.instance)}
					if seen[key] == nil {
						seen[key] = map[dependentPair]bool{}
					}
					if !seen[key][pair] {
						seen[key][pair] = true
						pairs[key] = append(pairs[key], pair)
					}
				}
			}
		}
	}
	return pairs
}

// nests are all nests of the depth.
func (o *nestOracle) nests(r remains, depth int) []Nest {
	if depth == 0 {
		return []Nest{{}}
	}
	var list []Nest
	for _, p := range weakOrders(len(r.statements)) {
		if !o.inOrder(r, p) {
			continue
		}
		combined := [][]Nest{nil}
		for _, class := range p.Classes() {
			var longer [][]Nest
			for _, n := range o.sharing(r.of(pick(r.statements, class)), depth-1) {
				for _, inside := range combined {
					longer = append(longer, append(slices.Clip(inside), n))
				}
			}
			combined = longer
		}
		for _, inside := range combined {
			list = append(list, nestOf(p, inside))
		}
	}
	slices.SortFunc(list, Nest.Compare)
	return list
}

func (o *nestOracle) inOrder(r remains, p Partition) bool {
	for i, s := range r.statements {
		for j, t := range r.statements {
			if p[i] > p[j] && len(r.pairs[[2]int{s, t}]) > 0 {
				return false
			}
		}
	}
	return true
}

// of is what concerns some of the statements.
func (r remains) of(statements []int) remains {
	some := remains{statements, map[[2]int][]dependentPair{}, map[int][][]int64{}}
	for _, s := range statements {
		some.outer[s] = r.outer[s]
		for _, t := range statements {
			some.pairs[[2]int{s, t}] = r.pairs[[2]int{s, t}]
		}
	}
	return some
}

// sharing are the nests of the depth inside a loop that the statements share.
func (o *nestOracle) sharing(r remains, depth int) []Nest {
	choices := o.choices(r, 1)
	if len(choices) == 0 && len(o.choices(r, o.largest)) > 0 {
		o.exotic = true
	}
	if depth == 0 || len(r.statements) == 1 {
		choices = choices[:min(1, len(choices))]
	}
	var list []Nest
	for _, choice := range choices {
		list = append(list, o.nests(r.inside(choice), depth)...)
	}
	slices.SortFunc(list, Nest.Compare)
	return slices.CompactFunc(list, func(a, b Nest) bool { return a.Compare(b) == 0 })
}

// choice is a row and a shift for each statement.
type rowChoice map[int]shifted

type shifted struct {
	row   []int64
	shift int64
}

func (s shifted) at(iterators [3]int64) int64 {
	value := s.shift
	for k, c := range s.row {
		value += c * iterators[k]
	}
	return value
}

// inside is what is left inside a loop.
func (r remains) inside(choice rowChoice) remains {
	inner := remains{r.statements, map[[2]int][]dependentPair{}, map[int][][]int64{}}
	for _, s := range r.statements {
		inner.outer[s] = append(slices.Clone(r.outer[s]), choice[s].row)
	}
	for key, pairs := range r.pairs {
		for _, pair := range pairs {
			if choice[key[0]].at(pair[0]) == choice[key[1]].at(pair[1]) {
				inner.pairs[key] = append(inner.pairs[key], pair)
			}
		}
	}
	return inner
}

// choices are all choices of rows with coefficients up to largest that are
// linearly independent of the outer ones, with the least shifts.
func (o *nestOracle) choices(r remains, largest int64) []rowChoice {
	rows := map[int][][]int64{}
	for _, s := range r.statements {
		rows[s] = o.independentRows(s, r.outer[s], largest)
	}
	lags := &nestLags{r, rows, map[[4]int]int64{}}
	partial := []map[int]int{{}}
	for _, s := range r.statements {
		var longer []map[int]int
		for number := range rows[s] {
			for _, choice := range partial {
				extended := maps.Clone(choice)
				extended[s] = number
				if o.shifts(lags, extended) != nil {
					longer = append(longer, extended)
				}
			}
		}
		partial = longer
	}
	var list []rowChoice
	for _, choice := range partial {
		shifts, rowsAndShifts := o.shifts(lags, choice), rowChoice{}
		for s, number := range choice {
			rowsAndShifts[s] = shifted{rows[s][number], shifts[s]}
		}
		list = append(list, rowsAndShifts)
	}
	return list
}

// lags say, for two statements with dependent instances and a row of each, how
// much later the second must be shifted than the first. Each is computed once.
type nestLags struct {
	remains
	rows  map[int][][]int64
	known map[[4]int]int64
}

func (l *nestLags) between(s, t, row, other int) (lag int64, ok bool) {
	pairs := l.pairs[[2]int{s, t}]
	if len(pairs) == 0 {
		return 0, false
	}
	key := [4]int{s, t, row, other}
	if lag, ok = l.known[key]; ok {
		return lag, true
	}
	source, target := shifted{row: l.rows[s][row]}, shifted{row: l.rows[t][other]}
	lag = math.MinInt64
	for _, pair := range pairs {
		lag = max(lag, source.at(pair[0])-target.at(pair[1]))
	}
	l.known[key] = lag
	return lag, true
}

// independentRows are the rows of a statement with coefficients up to largest
// that are linearly independent of the outer ones.
func (o *nestOracle) independentRows(s int, outer [][]int64, largest int64) [][]int64 {
	depth := o.depths[s]
	if scop.Rank(outer, depth) == depth {
		return [][]int64{make([]int64, depth)}
	}
	return slices.DeleteFunc(smallRows(depth, largest), func(row []int64) bool {
		return scop.Rank(append(slices.Clone(outer), row), depth) == scop.Rank(outer, depth)
	})
}

// shifts are the least shifts of the chosen rows, by relaxation; nil when one
// would reach the peel bound.
func (o *nestOracle) shifts(lags *nestLags, choice map[int]int) map[int]int64 {
	shifts := map[int]int64{}
	for changed := true; changed; {
		changed = false
		for s, row := range choice {
			for t, other := range choice {
				lag, ok := lags.between(s, t, row, other)
				if !ok || shifts[s]+lag <= shifts[t] {
					continue
				}
				if s == t || shifts[s]+lag >= o.peel {
					return nil
				}
				shifts[t], changed = shifts[s]+lag, true
			}
		}
	}
	return shifts
}

// For random programs of two or three statements, the space of two and of
// three levels is what the oracle finds; where they differ, larger rows or
// larger sizes must make them agree, as in TestRandomProgramsAgainstInstances.
func TestRandomNestsAgainstInstances(t *testing.T) {
	count, long := 120, os.Getenv("POLYTUNE_LONG") != ""
	if long {
		count = 2000
	}
	nests, compared, exotic := 0, 0, 0
	for seed := 0; compared < count; seed++ {
		p := randomSmallProgram(rand.New(rand.NewPCG(uint64(seed), 4)))
		if len(p.statements) > 3 || p.depth() < 2 || len(p.statements)+p.depth() > 5 && !long {
			continue
		}
		compared++
		found, strange := checkNests(t, p, fmt.Sprint("seed ", seed), peelBounds[seed%len(peelBounds)], 2+seed%2)
		nests += found
		if strange {
			exotic++
		}
	}
	t.Logf("%d programs with %d nests; %d have rows that the oracle does not try", compared, nests, exotic)
	if nests < 5*count || exotic > count/5 {
		t.Errorf("too few programs are of use")
	}
}

// checkNests compares the space of a program with the oracle's.
func checkNests(t *testing.T, p *smallProgram, name string, peel, depth int) (nests int, exotic bool) {
	t.Helper()
	q := p.program(name)
	got := nestsOf(t, q, peel, depth)
	groups := sizeGroups(p.depth())
	for k, group := range groups {
		n := group[len(group)-1][1]
		groups[k] = append(group, [2]int{n, 0}, [2]int{0, n})
	}
	for sizes, largest := 1, int64(2); ; {
		o := &nestOracle{peel: int64(peel), largest: largest}
		var executions []execution
		for _, size := range slices.Concat(groups[:sizes]...) {
			executions = append(executions, p.execute(size))
		}
		start := remains{pairs: pairsOf(executions), outer: map[int][][]int64{}}
		for s := range p.statements {
			o.depths = append(o.depths, len(p.statements[s].loops))
			start.statements = append(start.statements, s)
		}
		want := o.nests(start, depth)
		switch {
		case slices.EqualFunc(got, want, func(a, b Nest) bool { return a.Compare(b) == 0 }):
			return len(got), false
		case o.exotic:
			return 0, true
		case largest < 4:
			largest += 2
		case sizes < len(groups):
			sizes++
		default:
			t.Errorf("%s, peel bound %d, %d levels: the space is %v, brute force finds %v\n%s", name, peel, depth, got, want, q)
			return 0, false
		}
	}
}

// nestsOf lists the nests of a program.
func nestsOf(t *testing.T, p *scop.Program, peel, depth int) []Nest {
	t.Helper()
	ctx := isl.NewContext()
	defer ctx.Close()
	l, err := NewLevels(analyzeIn(t, ctx, p), Options{MaxPeel: peel}, depth)
	if err != nil {
		t.Fatalf("%v\n%s", err, p)
	}
	list := collectNests(t, l.All())
	if incomplete := l.Incomplete(); len(incomplete) > 0 {
		t.Errorf("%s: not all choices for %v were looked at", p.Name, incomplete)
	}
	return list
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
