package space

import (
	"fmt"
	"slices"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/scop"
)

// smallRows are all rows with coefficients from 0 to largest, not all of them
// 0 unless there are none.
func smallRows(depth int, largest int64) [][]int64 {
	rows := [][]int64{{}}
	for range depth {
		var longer [][]int64
		for _, row := range rows {
			for value := range largest + 1 {
				longer = append(longer, append(slices.Clone(row), value))
			}
		}
		rows = longer
	}
	if depth > 0 {
		rows = rows[1:]
	}
	return rows
}

// largestSmall is the largest coefficient tried for a statement in so many
// loops; that 2 is as good as 3 is seen from the agreement of the results.
func largestSmall(depth int) int64 {
	if depth > 4 {
		return 1
	}
	return 2
}

// never is a lag that no shift within the peel bound makes up for.
const never = 1 << 20

// lags are what executions of a program at small sizes say about the rows of
// its statements. They are the base of fusibility by brute force.
type lags struct {
	rows [][][]int64
	// least[r][s][a][b] is how much more than r the statement s must be
	// shifted at least: the greatest row value of an instance of r minus that
	// of one of s that depends on it, with row a for r and row b for s.
	least [][][][]int64
	// ranges are the values of each statement's rows in each execution.
	ranges [][][]interval
}

// interval is what lies between the least and the greatest of some values.
type interval struct{ least, greatest int64 }

// void is the interval of no values.
var void = interval{never, -never}

func (i interval) with(value int64) interval {
	return interval{min(i.least, value), max(i.greatest, value)}
}

// meetingLag is how much more than a row the other must be shifted at least for
// their loops to meet, given their values in some executions: in one, an
// iteration of the other must come later than one of the row; or as late, if in
// each execution all iterations of one of the two are the same.
func meetingLag(row, other []interval) int64 {
	least, single, otherSingle := int64(never), true, true
	for e, values := range row {
		single = single && values.least >= values.greatest
		otherSingle = otherSingle && other[e].least >= other[e].greatest
		if values != void && other[e] != void {
			least = min(least, values.least-other[e].greatest)
		}
	}
	if single || otherSingle {
		return least
	}
	return least + 1
}

func newLags(p *scop.Program) *lags {
	l := &lags{}
	for s := range p.Statements {
		depth := p.Statements[s].Depth()
		l.rows = append(l.rows, smallRows(depth, largestSmall(depth)))
	}
	l.makeTables()
	return l
}

// makeTables makes empty tables for the rows.
func (l *lags) makeTables() {
	l.least, l.ranges = nil, nil
	for r := range l.rows {
		l.ranges = append(l.ranges, make([][]interval, len(l.rows[r])))
		l.least = append(l.least, make([][][]int64, len(l.rows)))
		for s := range l.rows {
			for range l.rows[r] {
				l.least[r][s] = append(l.least[r][s], slices.Repeat([]int64{-never}, len(l.rows[s])))
			}
		}
	}
}

// add takes account of an execution: of all pairs of instances that access
// the same element, at least one of them writing it.
func (l *lags) add(e execution) {
	for s := range l.ranges {
		for a := range l.ranges[s] {
			l.ranges[s][a] = append(l.ranges[s][a], void)
		}
	}
	for _, touches := range e {
		slices.SortFunc(touches, func(x, y touch) int { return slices.Compare(x.instance.time, y.instance.time) })
		all, writes := l.noValues(), l.noValues()
		for len(touches) > 0 {
			y, same := touches[0].instance, 1
			write := touches[0].write
			for same < len(touches) && slices.Equal(touches[same].instance.time, y.time) {
				write = write || touches[same].write
				same++
			}
			touches = touches[same:]
			values := l.values(y)
			for a, value := range values {
				last := &l.ranges[y.statement][a][len(l.ranges[y.statement][a])-1]
				*last = last.with(value)
			}
			earlier := writes
			if write {
				earlier = all
			}
			l.addTarget(y.statement, values, earlier)
			all.raise(y.statement, values)
			if write {
				writes.raise(y.statement, values)
			}
		}
	}
}

// greatest are the greatest values so far of the rows of each statement; nil
// for a statement that has had no instance.
type greatest [][]int64

func (l *lags) noValues() greatest { return make(greatest, len(l.rows)) }

func (g greatest) raise(statement int, values []int64) {
	if g[statement] == nil {
		g[statement] = slices.Clone(values)
	}
	for k, v := range values {
		g[statement][k] = max(g[statement][k], v)
	}
}

// addTarget takes account of an instance, given the values of its
// statement's rows, and of all those that it depends on through one element.
func (l *lags) addTarget(target int, values []int64, sources greatest) {
	for source, earlier := range sources {
		for a, value := range earlier {
			line := l.least[source][target][a]
			for b, v := range values {
				line[b] = max(line[b], value-v)
			}
		}
	}
}

// values are those of the instance's rows, whose coefficients are those of
// the iterators in the direction of their loops.
func (l *lags) values(x instance) []int64 {
	values := make([]int64, len(l.rows[x.statement]))
	for a, row := range l.rows[x.statement] {
		for k, coefficient := range row {
			values[a] += coefficient * x.time[1+2*k]
		}
	}
	return values
}

// edges are the pairs of different statements with dependent instances.
func (l *lags) edges() [][2]int {
	var edges [][2]int
	for r := range l.rows {
		for s := range l.rows {
			if r != s && l.least[r][s][0][0] > -never {
				edges = append(edges, [2]int{r, s})
			}
		}
	}
	return edges
}

// instanceOracle decides fusibility from executions: it tries all choices of
// one small row per statement of a class, and solves the difference
// constraints on their shifts by relaxation, as Bellman and Ford do. Simple rows
// of any two of the statements must meet.
type instanceOracle struct {
	*lags
	peel int64
	// lag[r][s][a][b] is how much more than r the statement s must be shifted
	// at least, by their dependences and for their loops to meet.
	lag     [][][][]int64
	reaches [][]bool
	answers map[string]bool
}

func newInstanceOracle(l *lags, peel int) *instanceOracle {
	o := &instanceOracle{lags: l, peel: int64(peel), answers: map[string]bool{}, reaches: reachability(len(l.rows), l.edges())}
	for r := range l.rows {
		o.lag = append(o.lag, slices.Clone(l.least[r]))
		for s := range l.rows {
			if r != s && !(o.reaches[r][s] && o.reaches[s][r]) {
				o.lag[r][s] = l.withMeeting(r, s)
			}
		}
	}
	return o
}

// withMeeting are the lags of two statements that need not be in one class.
// Statements in no loop meet all others.
func (l *lags) withMeeting(r, s int) [][]int64 {
	if len(l.rows[r][0]) == 0 || len(l.rows[s][0]) == 0 {
		return l.least[r][s]
	}
	table := make([][]int64, len(l.rows[r]))
	for a, values := range l.ranges[r] {
		for b, others := range l.ranges[s] {
			table[a] = append(table[a], max(l.least[r][s][a][b], meetingLag(values, others)))
		}
	}
	return table
}

func (o *instanceOracle) Fusible(class []int) (bool, error) {
	key := fmt.Sprint(class)
	answer, known := o.answers[key]
	if !known {
		answer = o.areNear(class) && o.choose(class, nil)
		o.answers[key] = answer
	}
	return answer, nil
}

// areNear says whether rows with coefficients 0 and 1 of any two statements of a
// class meet, whatever the dependences.
func (o *instanceOracle) areNear(class []int) bool {
	for j, s := range class {
		for _, r := range class[:j] {
			if len(o.rows[r][0]) > 0 && len(o.rows[s][0]) > 0 && !(o.reaches[r][s] && o.reaches[s][r]) && !o.haveSimpleMeeting(r, s) {
				return false
			}
		}
	}
	return true
}

func (o *instanceOracle) haveSimpleMeeting(r, s int) bool {
	isSimple := func(row []int64) bool {
		return !slices.ContainsFunc(row, func(c int64) bool { return c > 1 })
	}
	for a, row := range o.rows[r] {
		for b, other := range o.rows[s] {
			if !isSimple(row) || !isSimple(other) {
				continue
			}
			forward, backward := meetingLag(o.ranges[r][a], o.ranges[s][b]), meetingLag(o.ranges[s][b], o.ranges[r][a])
			if max(forward, backward) < o.peel && forward+backward <= 0 {
				return true
			}
		}
	}
	return false
}

// choose extends the rows chosen for the first statements of the class.
func (o *instanceOracle) choose(class, chosen []int) bool {
	if len(chosen) == len(class) {
		return true
	}
	s := class[len(chosen)]
	for row := range o.rows[s] {
		if o.least[s][s][row][row] > 0 {
			continue
		}
		extended := append(slices.Clone(chosen), row)
		if o.hasShifts(class[:len(extended)], extended) && o.choose(class, extended) {
			return true
		}
	}
	return false
}

// hasShifts says whether shifts exist such that every target is shifted
// against its source by the lag or more, and no two differ by the peel bound.
func (o *instanceOracle) hasShifts(class, rows []int) bool {
	shifts := make([]int64, len(class))
	for range len(class) + 1 {
		changed := false
		for i, r := range class {
			for j, s := range class {
				least := max(-(o.peel - 1), o.lag[r][s][rows[i]][rows[j]])
				if i != j && shifts[j] < shifts[i]+least {
					shifts[j] = shifts[i] + least
					changed = true
				}
			}
		}
		if !changed {
			return true
		}
	}
	return false
}

// byBruteForce lists the partitions that a mode keeps of those that the
// executions allow, by trying all weak orders: dependent instances must be in
// the right order of classes, and every class fusible.
func byBruteForce(o *instanceOracle, mode Mode) []Partition {
	edges := o.edges()
	if mode == SC10 {
		edges = append(edges, hoistingByDefinition(len(o.rows), edges)...)
	}
	return legalByDefinition(len(o.rows), edges, o)
}

// hoistingByDefinition are the pairs i < j whose order the mode sc10 keeps:
// statements not ordered by dependences, both of which some chain of
// dependences in either direction connects, with a statement between them in
// the text that depends on i.
func hoistingByDefinition(n int, edges [][2]int) [][2]int {
	ordered := reachability(n, edges)
	bothWays := slices.Clone(edges)
	for _, e := range edges {
		bothWays = append(bothWays, [2]int{e[1], e[0]})
	}
	connected := reachability(n, bothWays)
	var pairs [][2]int
	for i := range n {
		for j := i + 1; j < n; j++ {
			consumed := slices.Contains(ordered[i][i+1:j], true)
			if !ordered[i][j] && connected[i][j] && consumed {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	return pairs
}

// checkAgainstInstances compares the spaces of a program in both modes with
// what an execution at a small size allows.
func checkAgainstInstances(t *testing.T, p *scop.Program, peels ...int) {
	t.Helper()
	l := newLags(p)
	sizes, span := smallSizes(p)
	l.add(execute(t, p, sizes, span))
	graph := kerneltest.Analyze(t, p)
	for _, peel := range peels {
		o := newInstanceOracle(l, peel)
		for _, mode := range []Mode{Exact, SC10} {
			s, err := New(graph, Options{Mode: mode, MaxPeel: peel})
			if err != nil {
				t.Fatal(err)
			}
			want := byBruteForce(o, mode)
			if got := collect(t, s.All()); !samePartitions(got, want) {
				t.Errorf("%s, %s, peel bound %d: got %d partitions %v, brute force finds %d: %v",
					p.Name, mode, peel, len(got), got, len(want), want)
			}
		}
	}
}

// smallSizes are values of the parameters, and the largest value of an
// iterator, which cuts off longer loops; smaller ones for deep loop nests.
func smallSizes(p *scop.Program) ([]int, int64) {
	depth := 0
	for i := range p.Statements {
		depth = max(depth, p.Statements[i].Depth())
	}
	switch {
	case depth > 5:
		return []int{2, 3, 2}, 1
	case depth > 3:
		return []int{4, 3, 4}, 8
	}
	return []int{6, 5, 7, 4, 6}, 8
}

func TestNestsAgainstInstances(t *testing.T) {
	for _, nests := range [][]loopNest{twoProducts, transposedProduct} {
		checkAgainstInstances(t, dependencesOf(t, nests).Model.Program, 1, 2, 3)
	}
}
