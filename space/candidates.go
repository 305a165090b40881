package space

import (
	"cmp"
	"slices"

	"polytune/scop"
)

// candidate is a row with coefficients 0 and 1, and shift 0.
type candidate struct {
	// times are the numbers of the times whose coefficient is 1, in the order
	// of their loops.
	times []int
	row   scop.Row
}

// candidatesOf are the candidates of a statement that are linearly independent
// of its outer rows and run no dependence of the statement on itself backwards,
// simplest first: rows in the source's directions before others, then those of
// fewer loops, then those of outer loops. Rows with a loop against its direction
// have at most two loops, because there are so many. A statement taken as a loop
// of one iteration has one candidate, a constant. They are computed once.
func (g *groupTest) candidatesOf(s int) ([]candidate, error) {
	if list := g.candidates[s]; list != nil {
		return list, nil
	}
	own, err := g.between(s, s)
	if err != nil {
		return nil, err
	}
	var list []candidate
	for _, times := range g.timeSets(s) {
		coefficients := make([]int64, len(g.times[s]))
		for _, t := range times {
			coefficients[t] = 1
		}
		c := candidate{times, g.row(s, coefficients, 0)}
		if (len(times) == 0 || g.isIndependent(s, c.row)) && g.keepsPrivates(s, c.row) && own.keptBy(c, len(g.times[s])) {
			list = append(list, c)
		}
	}
	g.candidates[s] = list
	return list, nil
}

// timeSets are the sets of times that candidates of a statement consist of,
// simplest first.
func (g *groupTest) timeSets(s int) [][]int {
	if len(g.times[s]) == 0 {
		return [][]int{{}}
	}
	depth := g.depth(s)
	var sets [][]int
	for subset := 1; subset < 1<<depth; subset++ {
		sets = append(sets, loopsIn(subset, depth))
	}
	for a := depth; a < len(g.times[s]); a++ {
		sets = append(sets, []int{a})
		for b := range a {
			switch loop := g.times[s][a].loop; cmp.Compare(g.times[s][b].loop, loop) {
			case -1:
				sets = append(sets, []int{b, a})
			case 1:
				sets = append(sets, []int{a, b})
			}
		}
	}
	slices.SortStableFunc(sets, func(a, b []int) int {
		return cmp.Or(cmp.Compare(g.otherTimesIn(s, a), g.otherTimesIn(s, b)), cmp.Compare(len(a), len(b)),
			slices.CompareFunc(a, b, func(t, u int) int { return cmp.Compare(g.times[s][t].loop, g.times[s][u].loop) }))
	})
	return sets
}

// loopsIn are the loops whose bit is set.
func loopsIn(bits, depth int) []int {
	var loops []int
	for k := range depth {
		if bits>>k&1 != 0 {
			loops = append(loops, k)
		}
	}
	return loops
}

// otherTimesIn is the number of times against the source's direction.
func (g *groupTest) otherTimesIn(s int, times []int) int {
	count := 0
	for _, t := range times {
		if !g.isSourceTime(s, t) {
			count++
		}
	}
	return count
}

// keepsPrivates says whether a row is along the loops around the declarations
// of all private variables that the statement accesses.
func (g *groupTest) keepsPrivates(s int, row scop.Row) bool {
	return !slices.ContainsFunc(g.privates, func(private scop.Private) bool {
		return slices.Contains(private.Statements, s) && !isZero(row.Iterators[private.Loops:])
	})
}

// keptBy says whether the forms of the dependences of a statement on itself,
// which has the given number of times, hold with the candidate.
func (f *forms) keptBy(c candidate, times int) bool {
	value := func(form []int64) int64 { return c.value(form) + c.value(form[times:]) }
	return !slices.ContainsFunc(f.equalities, func(form []int64) bool { return value(form) != 0 }) &&
		!slices.ContainsFunc(f.inequalities, func(form []int64) bool { return value(form) < 0 })
}

// value is the sum of a form's entries for the candidate's times.
func (c candidate) value(entries []int64) int64 {
	sum := int64(0)
	for _, t := range c.times {
		sum += entries[t]
	}
	return sum
}

// pairing says which candidates of two statements, the first and the second in
// the text, go together, and with which shifts.
type pairing struct {
	// forward[a][b] is the least difference of the shift of the second
	// statement, with candidate b, and that of the first, with candidate a;
	// backward[a][b] the least difference the other way round. One of at least
	// the peel bound cannot be had.
	forward, backward [][]int64
	// partners are, for each candidate of the first statement, those of the
	// second that go with it, and the other way round.
	partners [2][]bitset
	// fusible says, once the integer program of the two statements alone has
	// been solved, that it has a solution.
	solved, fusible bool
}

// pair is the pairing of two statements, nil when nothing links them. It is
// computed once.
func (g *groupTest) pair(first, second int) (*pairing, error) {
	key := [2]int{first, second}
	if p, known := g.pairings[key]; known {
		return p, nil
	}
	p := &pairing{}
	var err error
	if p.forward, err = g.lags(first, second); err != nil {
		return nil, err
	}
	backward, err := g.lags(second, first)
	if err != nil {
		return nil, err
	}
	shared := slices.ContainsFunc(g.privates, func(private scop.Private) bool {
		return slices.Contains(private.Statements, first) && slices.Contains(private.Statements, second)
	})
	concerned := g.meeting.concerns(first, second)
	if p.forward == nil && backward == nil && !shared && !concerned {
		g.pairings[key] = nil
		return nil, nil
	}
	p.combine(g, first, second, backward, shared)
	if concerned {
		if err := p.demandMeeting(g, first, second); err != nil {
			return nil, err
		}
	}
	p.setPartners(g.peel)
	g.pairings[key] = p
	return p, nil
}

// combine completes the lags of a pairing by those the other way round, which
// are transposed, and by what a shared private variable demands.
func (p *pairing) combine(g *groupTest, first, second int, transposed [][]int64, shared bool) {
	rows, others := g.candidates[first], g.candidates[second]
	if p.forward == nil {
		p.forward = unlimited(len(rows), len(others), g.peel)
	}
	p.backward = unlimited(len(rows), len(others), g.peel)
	for a := range rows {
		for b := range others {
			if transposed != nil {
				p.backward[a][b] = transposed[b][a]
			}
			if shared {
				p.demandEqual(a, b, rows[a].row, others[b].row, int64(g.peel))
			}
		}
	}
}

// isPossible says whether there are shifts for two candidates.
func (p *pairing) isPossible(a, b, peel int) bool {
	forward, backward := p.forward[a][b], p.backward[a][b]
	return max(forward, backward) < int64(peel) && forward+backward <= 0
}

// demandMeeting allows only shifts with which the rows of the two statements
// meet.
func (p *pairing) demandMeeting(g *groupTest, first, second int) error {
	for a, row := range g.candidates[first] {
		for b, other := range g.candidates[second] {
			if !p.isPossible(a, b, g.peel) {
				continue
			}
			forward, backward, err := g.meeting.lags(first, second, row.row, other.row)
			if err != nil {
				return err
			}
			p.forward[a][b], p.backward[a][b] = max(p.forward[a][b], forward), max(p.backward[a][b], backward)
		}
	}
	return nil
}

// setPartners finds which candidates go together, when all lags are known.
func (p *pairing) setPartners(peel int) {
	p.partners = [2][]bitset{make([]bitset, len(p.forward)), nil}
	for a, row := range p.forward {
		if p.partners[0][a] = newBitset(len(row)); a == 0 {
			p.partners[1] = make([]bitset, len(row))
			for b := range row {
				p.partners[1][b] = newBitset(len(p.forward))
			}
		}
		for b := range row {
			if p.isPossible(a, b, peel) {
				p.partners[0][a].add(b)
				p.partners[1][b].add(a)
			}
		}
	}
}

// demandEqual makes two candidates the same row, shifts included.
func (p *pairing) demandEqual(a, b int, row, other scop.Row, impossible int64) {
	common := min(len(row.Iterators), len(other.Iterators))
	same := slices.Equal(row.Iterators[:common], other.Iterators[:common]) && slices.Equal(row.Parameters, other.Parameters) &&
		isZero(row.Iterators[common:]) && isZero(other.Iterators[common:])
	if !same {
		p.forward[a][b] = impossible
		return
	}
	p.forward[a][b] = max(p.forward[a][b], row.Constant-other.Constant)
	p.backward[a][b] = max(p.backward[a][b], other.Constant-row.Constant)
}

// unlimited are lags that say nothing.
func unlimited(rows, columns, peel int) [][]int64 {
	lags := make([][]int64, rows)
	for a := range lags {
		lags[a] = slices.Repeat([]int64{1 - int64(peel)}, columns)
	}
	return lags
}

// lags are, for each candidate of the source and each of the target, the least
// difference of the target's shift and the source's that the dependences from
// the one to the other allow; the peel bound where none does. They are nil when
// there are no dependences.
func (g *groupTest) lags(source, target int) ([][]int64, error) {
	f, err := g.between(source, target)
	if err != nil || len(f.equalities)+len(f.inequalities) == 0 {
		return nil, err
	}
	rows, err := g.candidatesOf(source)
	if err != nil {
		return nil, err
	}
	others, err := g.candidatesOf(target)
	if err != nil {
		return nil, err
	}
	lags := unlimited(len(rows), len(others), g.peel)
	values := make([][]int64, len(others))
	for b, c := range others {
		values[b] = f.values(c, len(g.times[source]))
	}
	for a, c := range rows {
		value := f.values(c, 0)
		for b := range others {
			lags[a][b] = f.lag(value, values[b], lags[a][b], int64(g.peel))
		}
	}
	return lags, nil
}

// values are those of all forms, equalities first, for a candidate of the
// statement whose times start at column first.
func (f *forms) values(c candidate, first int) []int64 {
	values := make([]int64, 0, len(f.equalities)+len(f.inequalities))
	for _, form := range f.equalities {
		values = append(values, c.value(form[first:]))
	}
	for _, form := range f.inequalities {
		values = append(values, c.value(form[first:]))
	}
	return values
}

// lag is the least difference of shifts, at least the given one, with which all
// forms hold for candidates with the given values; impossible when there is
// none below that.
func (f *forms) lag(source, target []int64, least, impossible int64) int64 {
	for i := range f.equalities {
		if source[i]+target[i] != 0 {
			return impossible
		}
	}
	source, target = source[len(f.equalities):], target[len(f.equalities):]
	for i, form := range f.inequalities {
		value, factor := source[i]+target[i], form[len(form)-1]
		switch {
		case value+factor*least >= 0:
		case factor == 0:
			return impossible
		default:
			least = (-value + factor - 1) / factor
		}
		if least >= impossible {
			return impossible
		}
	}
	return least
}
