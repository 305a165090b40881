package space

import (
	"iter"
	"slices"
)

// mostStatements and mostLoops bound the programs that nestOracle looks at.
const mostStatements, mostLoops = 3, 3

// nestOracle lists the nests of a small program from its executions, by the
// definition that Levels has and without any of its means. It remembers what
// it has found, by values that can be compared.
type nestOracle struct {
	peel int64
	// depths are the statements' numbers of loops.
	depths []int
	// largest is the largest coefficient tried for a loop that only has to
	// exist.
	largest int64
	// anyShifts says that all shifts below the peel bound are tried, not the
	// least ones alone.
	anyShifts bool
	// exotic says that statements could share a loop for which there are no
	// rows with coefficients 0 and 1: then the definition asks for one that
	// the oracle does not know.
	exotic bool
	// foundNests and foundShared are the answers of nests and sharing.
	foundNests, foundShared map[nestQuestion][]Nest
	foundRows               map[rowsQuestion][]smallRow
	store                   *pairStore
	meeting                 *nestMeeting
}

// nestQuestion asks for the nests of a depth.
type nestQuestion struct {
	remains
	depth int
}

// remains are some statements inside some loops: what the rows of these loops
// span, and the dependent instances that are in one iteration of them.
type remains struct {
	members [mostStatements]bool
	spans   [mostStatements]smallSpan
	pairs   [mostStatements][mostStatements]*dependentPairs
}

// newNestOracle is the oracle for a program, and what it starts with.
func newNestOracle(p *smallProgram, executions []execution, peel int, largest int64, anyShifts bool) (*nestOracle, remains) {
	o := &nestOracle{peel: int64(peel), largest: largest, anyShifts: anyShifts, foundNests: map[nestQuestion][]Nest{},
		foundShared: map[nestQuestion][]Nest{}, foundRows: map[rowsQuestion][]smallRow{}, store: newPairStore()}
	r := remains{pairs: o.store.pairsOf(executions)}
	for s := range p.statements {
		o.depths = append(o.depths, len(p.statements[s].loops))
		r.members[s], r.spans[s] = true, spanOf(nil)
	}
	o.meeting = newNestMeeting(executions, &r, o.depths)
	return o, r
}

// statements are the numbers of those that are there.
func (r *remains) statements() (list []int) {
	for s, member := range r.members {
		if member {
			list = append(list, s)
		}
	}
	return list
}

// of is what concerns some of the statements.
func (r *remains) of(statements []int) (some remains) {
	for _, s := range statements {
		some.members[s], some.spans[s] = true, r.spans[s]
		for _, t := range statements {
			some.pairs[s][t] = r.pairs[s][t]
		}
	}
	return some
}

// nests are all nests of the depth.
func (o *nestOracle) nests(r remains, depth int) []Nest {
	if depth == 0 {
		return []Nest{{}}
	}
	question := nestQuestion{r, depth}
	if list, known := o.foundNests[question]; known {
		return list
	}
	var list []Nest
	statements := r.statements()
	for _, p := range weakOrders(len(statements)) {
		if !r.inOrder(statements, p) {
			continue
		}
		combined := [][]Nest{nil}
		for _, class := range p.Classes() {
			var longer [][]Nest
			for _, n := range o.sharing(r.of(pick(statements, class)), depth-1) {
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
	o.foundNests[question] = list
	return list
}

// inOrder says whether no instance depends on one of a later class.
func (r *remains) inOrder(statements []int, p Partition) bool {
	for i, s := range statements {
		for j, t := range statements {
			if p[i] > p[j] && r.pairs[s][t] != nil {
				return false
			}
		}
	}
	return true
}

// sharing are the nests of the depth inside a loop that the statements share.
func (o *nestOracle) sharing(r remains, depth int) []Nest {
	question := nestQuestion{r, depth}
	if list, known := o.foundShared[question]; known {
		return list
	}
	var list []Nest
	tried, statements := 0, len(r.statements())
	for choice := range o.choices(&r, 1) {
		list = append(list, o.nests(o.inside(&r, choice), depth)...)
		slices.SortFunc(list, Nest.Compare)
		list = slices.CompactFunc(list, func(a, b Nest) bool { return a.Compare(b) == 0 })
		tried++
		if depth == 0 || statements == 1 || len(list) == nestsOfAny(statements, depth) {
			break
		}
	}
	if tried == 0 {
		for range o.choices(&r, o.largest) {
			o.exotic = true
			break
		}
	}
	o.foundShared[question] = list
	return list
}

// nestsOfAny is the number of nests of so many statements, whatever their
// dependences: no choice of rows adds to so many.
func nestsOfAny(statements, depth int) int {
	if depth == 0 {
		return 1
	}
	sum := 0
	for _, p := range weakOrders(statements) {
		product := 1
		for _, class := range p.Classes() {
			product *= nestsOfAny(len(class), depth-1)
		}
		sum += product
	}
	return sum
}

// rowChoice is a row and a shift for each statement.
type rowChoice [mostStatements]shifted

type shifted struct {
	row   smallRow
	shift int64
}

// inside is what is left inside a loop.
func (o *nestOracle) inside(r *remains, choice rowChoice) remains {
	inner := remains{members: r.members}
	for s, member := range r.members {
		if member {
			inner.spans[s] = r.spans[s].with(choice[s].row)
		}
		for t, pairs := range r.pairs[s] {
			if pairs != nil {
				inner.pairs[s][t] = o.store.inOneIteration(pairs, choice[s], choice[t])
			}
		}
	}
	return inner
}

// choices are all choices of rows with coefficients up to largest that are
// linearly independent of the outer ones, with the least shifts or with any.
func (o *nestOracle) choices(r *remains, largest int64) iter.Seq[rowChoice] {
	statements := r.statements()
	return func(yield func(rowChoice) bool) {
		var extend func(chosen int, choice rowChoice) bool
		extend = func(chosen int, choice rowChoice) bool {
			switch {
			case chosen == len(statements) && o.anyShifts:
				return o.allShifts(r, statements, choice, yield)
			case chosen == len(statements):
				return yield(choice)
			}
			s := statements[chosen]
			for _, row := range o.independentRows(s, r.spans[s], largest) {
				longer := choice
				longer[s] = shifted{row: row}
				if o.shift(r, statements[:chosen+1], &longer) && !extend(chosen+1, longer) {
					return false
				}
			}
			return true
		}
		extend(0, rowChoice{})
	}
}

// shift raises the shifts of the chosen rows to the least ones, by relaxation;
// it returns false when one would reach the peel bound.
func (o *nestOracle) shift(r *remains, statements []int, choice *rowChoice) bool {
	for changed := true; changed; {
		changed = false
		for _, s := range statements {
			for _, t := range statements {
				least := choice[s].shift + o.lag(r, s, t, choice[s].row, choice[t].row)
				if least <= choice[t].shift {
					continue
				}
				if s == t || least >= o.peel {
					return false
				}
				choice[t].shift, changed = least, true
			}
		}
	}
	return true
}

// lag is how much later than s the statement t must be shifted at least: by the
// dependences and, in no other loop, for their loops to meet.
func (o *nestOracle) lag(r *remains, s, t int, row, other smallRow) int64 {
	lag := int64(-never)
	if r.pairs[s][t] != nil {
		lag = r.pairs[s][t].lag(row, other)
	}
	if r.spans[s] == spanOf(nil) && r.spans[t] == spanOf(nil) {
		lag = max(lag, o.meeting.lag(s, t, row, other))
	}
	return lag
}

// allShifts yields a choice of rows with all shifts below the peel bound that
// are not less and that the dependences allow.
func (o *nestOracle) allShifts(r *remains, statements []int, choice rowChoice, yield func(rowChoice) bool) bool {
	if len(statements) == 0 {
		raised := choice
		return !o.shift(r, r.statements(), &raised) || raised != choice || yield(choice)
	}
	for s := statements[0]; choice[s].shift < o.peel; choice[s].shift++ {
		if !o.allShifts(r, statements[1:], choice, yield) {
			return false
		}
	}
	return true
}
