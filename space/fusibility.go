package space

import (
	"fmt"
	"maps"
	"slices"

	"polytune/scop"
	"polytune/scop/depend"
)

// Rows are the schedule rows of the loop that the statements of a class share:
// for each statement, by index, an affine expression over its iterators and
// the program's parameters.
type Rows map[int]scop.Row

// groupTest decides fusibility by Definition 1 of the SC'10 paper, for a whole
// class at once: there must be one schedule row θ_S·t + c_S for each statement
// S of the class such that
//
//   - the coefficients θ_S are non-negative integers, not all zero unless S
//     is in no loop, and none is given to a parameter;
//   - the constants of any two statements differ by less than the peel bound;
//   - θ_S·t_S + c_S − θ_R·t_R − c_R >= 0 for every dependence inside the
//     class from an instance t_R of R to one t_S of S.
//
// t are the times of the loops (sourceTimes). What a row leaves at equal times
// runs in the original order inside the fused loop. A statement in no loop is
// taken as a loop of one iteration.
//
// The rows must also meet (meeting): loops of which one ends before the other
// begins share nothing, although Definition 1 would call them fusible. Two
// statements no simple rows of which meet, dependences or not, are not fusible:
// the rows 2i and i make any two ranges meet, at the price of a loop that is
// half empty.
//
// With signed rows each loop of each statement may also run in the other
// direction, and its time is then one of otherTimes, whose parameters come in
// beside the constants: a row is a non-negative combination of times that has
// no loop in both directions, and the bound of the peel is that of the
// constants c as before. So the two loops of Figure 2 of the Pluto+ paper,
// section 2.4.1, are fusible with the rows i and N − 1 − i.
//
// At an inner level, rows of outer levels are given: each statement's row must
// be linearly independent of its own, and a statement whose outer rows have
// full rank is taken as a loop of one iteration. The dependences are then those
// that the outer rows leave.
//
// A class is tried first with rows whose coefficients are 0 and 1, which is a
// matter of pairs of statements (choices); where there are none of these that
// go together, the third condition becomes linear in θ and c by Farkas' lemma,
// and an integer program decides (solve), first of pairs without choices. The
// lemma is about the rational points of a dependence: it may refuse, but very
// rarely does, rows that are legal for all integer ones.
//
// That is faster than the integer program alone: deciding fusibility takes 60 ms
// instead of 200 for polybench/deriche, 4 instead of 29 for
// polybench/correlation, 23 instead of 35 for sc10/ludcmp. For all built-in
// kernels the choices suffice; for some pairs and triples of random programs the
// integer program finds rows, such as 8i and 4i + 2j, where there is no choice.
type groupTest struct {
	model       *scop.Model
	dependences []*depend.Dependence
	peel        int
	signed      bool
	// operations limits the search for the smallest solution of one integer
	// program.
	operations uint64
	// outer are the coefficients of the iterators in the outer rows, by
	// statement.
	outer    map[int][][]int64
	privates []scop.Private
	// times are those of each statement's loops, the source's first; none for
	// a statement taken as a loop of one iteration.
	times [][]loopTime
	forms map[[2]int]*forms
	// meeting is nil inside other loops.
	meeting *meeting
	// candidates are those of each statement, pairings those of pairs of
	// statements in textual order, as far as they have been asked for.
	candidates map[int][]candidate
	pairings   map[[2]int]*pairing
}

// newGroupTest is the test of the outermost level.
func newGroupTest(graph *depend.Graph, options Options) (*groupTest, error) {
	g := &groupTest{model: graph.Model, peel: options.MaxPeel, signed: options.Signed, operations: minimumOperations}
	for s := range g.model.Statements {
		times := sourceTimes(&g.model.Statements[s])
		if g.signed {
			others, err := otherTimes(g.model, s)
			if err != nil {
				return nil, fmt.Errorf("the bounds of the loops of %s: %w", g.model.Statements[s].Name, err)
			}
			times = append(times, others...)
		}
		g.times = append(g.times, times)
	}
	outermost := g.inside(graph.Pairs(), nil)
	outermost.meeting = newMeeting(outermost, graph.Reaches())
	return outermost, nil
}

// inside is the test of an inner level: the dependences are those to be looked
// at, and outer are, by statement, the coefficients of the iterators in the rows
// of the levels around it. It must be called on the test of the outermost
// level.
func (g *groupTest) inside(dependences []*depend.Dependence, outer map[int][][]int64) *groupTest {
	inner := *g
	inner.dependences = depend.Distinct(dependences)
	inner.outer, inner.meeting = outer, nil
	inner.privates = privatesOf(g.model.Program, outer)
	inner.forms = map[[2]int]*forms{}
	inner.candidates = map[int][]candidate{}
	inner.pairings = map[[2]int]*pairing{}
	inner.times = slices.Clone(g.times)
	for s := range inner.times {
		if len(outer[s]) > 0 && scop.Rank(outer[s], g.depth(s)) == g.depth(s) {
			inner.times[s] = nil
		}
	}
	return &inner
}

// Fusible says whether the statements, in textual order, can share a loop.
func (g *groupTest) Fusible(class []int) (bool, error) {
	rows, err := g.Rows(class)
	return rows != nil, err
}

// Rows are the rows of a loop that the statements, in textual order, can share;
// nil when there are none. Parts of a class between which there is no link have
// rows each on its own.
func (g *groupTest) Rows(class []int) (Rows, error) {
	all := Rows{}
	for _, part := range g.linkedParts(class) {
		rows, err := g.rowsOfPart(part)
		if rows == nil || err != nil {
			return nil, err
		}
		maps.Copy(all, rows)
	}
	if _, _, apart, err := g.meeting.apart(all); apart || err != nil {
		return nil, err
	}
	return all, nil
}

// rowsOfPart are the rows of statements that are linked.
func (g *groupTest) rowsOfPart(part []int) (Rows, error) {
	if rows := g.sourceLoop(part); rows != nil {
		_, _, apart, err := g.meeting.apart(rows)
		if !apart || err != nil {
			return rows, err
		}
	}
	if near, err := g.meeting.allNear(part); !near || err != nil {
		return nil, err
	}
	if rows, err := g.choice(part); rows != nil || err != nil {
		return rows, err
	}
	if len(part) > 2 {
		for i, second := range part {
			for _, first := range part[:i] {
				if fusible, err := g.pairFusible(first, second); !fusible || err != nil {
					return nil, err
				}
			}
		}
	}
	return g.solve(part)
}

// pairFusible says whether two statements alone have a choice or, failing that,
// their integer program, which is small, a solution. In a class without rows
// there nearly always is a pair that has neither. The pairing of the two must
// have been computed; the program is solved once.
func (g *groupTest) pairFusible(first, second int) (bool, error) {
	p := g.pairings[[2]int{first, second}]
	if p == nil || slices.ContainsFunc(p.partners[0], func(b bitset) bool { return !b.isEmpty() }) {
		return true, nil
	}
	if !p.solved {
		rows, err := g.solve([]int{first, second})
		if err != nil {
			return false, err
		}
		p.solved, p.fusible = true, rows != nil
	}
	return p.fusible, nil
}

// sourceLoop are the rows of a loop of the source that serves at once: of a
// single statement, the outermost loop whose iterator is independent of the
// outer rows, because what the rows around it leave of the dependences does not
// run against it; of several statements, at the outermost level, the loop
// around all of them.
func (g *groupTest) sourceLoop(part []int) Rows {
	if len(part) > 1 && (len(g.outer) > 0 || !g.shareLoop(part)) {
		return nil
	}
	rows := Rows{}
	for _, s := range part {
		rows[s] = g.row(s, nil, 0)
		for k := range min(g.depth(s), len(g.times[s])) {
			coefficients := make([]int64, k+1)
			coefficients[k] = 1
			if row := g.row(s, coefficients, 0); g.isIndependent(s, row) {
				rows[s] = row
				break
			}
		}
	}
	return rows
}

// shareLoop says whether the original program has all statements in one
// outer loop.
func (g *groupTest) shareLoop(class []int) bool {
	first := g.model.Statements[class[0]]
	return !slices.ContainsFunc(class, func(s int) bool {
		return first.CommonLoops(g.model.Statements[s].Statement) == 0
	})
}

// linkedParts splits a class into the weakly connected components of its links:
// dependences, private variables, and loops that may fail to meet.
func (g *groupTest) linkedParts(class []int) [][]int {
	linked := make([][]bool, len(class))
	for i := range linked {
		linked[i] = make([]bool, len(class))
	}
	link := func(s, t int) {
		i, found := slices.BinarySearch(class, s)
		j, foundToo := slices.BinarySearch(class, t)
		if found && foundToo {
			linked[i][j] = true
		}
	}
	for _, d := range g.dependences {
		link(d.Source, d.Target)
	}
	for i, t := range class {
		for _, s := range class[:i] {
			if g.meeting.concerns(s, t) {
				link(s, t)
			}
		}
	}
	for _, private := range g.privates {
		for k, s := range private.Statements {
			for _, t := range private.Statements[:k] {
				link(t, s)
			}
		}
	}
	parts := make([][]int, len(class))
	for i, number := range linkedStatements(linked) {
		parts[number] = append(parts[number], class[i])
	}
	return slices.DeleteFunc(parts, func(part []int) bool { return len(part) == 0 })
}

func (g *groupTest) depth(statement int) int { return g.model.Statements[statement].Depth() }

// isSourceTime says whether a time runs in the source's direction.
func (g *groupTest) isSourceTime(s, time int) bool { return time < g.depth(s) }

// row is the row of a statement with the given coefficients of its first times.
func (g *groupTest) row(s int, coefficients []int64, shift int64) scop.Row {
	return rowOf(g.depth(s), len(g.model.Program.Parameters), g.times[s], coefficients, shift)
}
