package facts

import (
	"maps"
	"slices"
	"strings"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
)

// Band is one permutable band of a node.
type Band struct {
	// Loops are the names of the loops, Rows their rows by statement.
	Loops []string
	Rows  []map[int]schedule.Row
	// Outer are the rows of all loops around the band, by statement.
	Outer map[int][][]int64
	// Active are the dependences that no loop outside the band carries, with
	// the relaxed ones.
	Active []*depend.Dependence
	// Coincident says, by loop, that no active dependence has a distance
	// along it, but for relaxed ones that clauses take care of.
	Coincident []bool
	// Reductions are, by loop, the clauses for the relaxed dependences with a
	// distance along it, when it is coincident, and Lanes those that it has in
	// the innermost place, once it is known that it carries nothing else there.
	Reductions [][]scop.Clause
	Lanes      map[int][]scop.Clause
	Permutable bool
	// HadTail says that a tiny loop was left out, HadWindow that it is one that vectors are to be
	// around.
	HadTail, HadWindow bool
	// InOrder says that a recipe has the loops in their order, which stays.
	InOrder bool
}

// Statements are those of the band, in order.
func (b *Band) Statements() []int { return slices.Sorted(maps.Keys(b.Rows[0])) }

// IsFreeInside says whether loop k carries nothing inside all others of the band, had
// the band these rows.
func IsFreeInside(g *depend.Graph, band *Band, rows []map[int]schedule.Row, k int) (bool, error) {
	rest, err := Unsatisfied(g, Constraining(band.Active), slices.Delete(slices.Clone(rows), k, k+1))
	if err != nil {
		return false, err
	}
	return Coincident(rest, rows[k])
}

// OutermostParallel is the loop that parallelLoop marks, or -1.
func (b *Band) OutermostParallel(lengths []int64, inner int) int {
	for _, least := range []int64{MinimumThreads, 2} {
		for _, reduces := range []bool{false, true} {
			for k, coincident := range b.Coincident {
				if coincident && k != inner && lengths[k] >= least && len(b.Reductions[k]) > 0 == reduces {
					return k
				}
			}
		}
	}
	return -1
}

// FreeAlone says whether each of the statements carries no dependence of its own along
// loop k when all other loops of the band are outside it.
func FreeAlone(g *depend.Graph, band *Band, moves []Movement, k int) (bool, error) {
	if band.Coincident[k] {
		return true, nil
	}
	others := slices.Delete(slices.Clone(band.Rows), k, k+1)
	for _, m := range moves {
		own := slices.DeleteFunc(slices.Clone(band.Active), func(d *depend.Dependence) bool { return d.Source != m.Statement || d.Target != m.Statement })
		rest, err := Unsatisfied(g, own, others)
		if err != nil {
			return false, err
		}
		if free, err := CarriesNone(rest, band.Rows[k]); err != nil || !free {
			return false, err
		}
	}
	return true, nil
}

// IsStream says whether all statements update the same elements along a loop.
func IsStream(moves []Movement, loop int) bool {
	return !slices.ContainsFunc(moves, func(m Movement) bool {
		place := m.PlaceOf(loop)
		return place < 0 || m.Steps[0][place].Distance() != 0
	})
}

// ElementSize is the size of the elements that all statements work on, 0 when
// some statement is none that vectors can be written for.
func ElementSize(g *depend.Graph, moves []Movement) int64 {
	size := int64(0)
	for _, m := range moves {
		s := g.Model.Statements[m.Statement].Statement
		a := g.Model.Program.Assignment(s)
		if a == nil {
			return 0
		}
		own := int64(g.Model.Program.Array(s.Accesses[0].Array).Size)
		if size != 0 && own != size {
			return 0
		}
		size = own
	}
	return size
}

// NamesOf says which loops a band has, as the name of a place.
func (b *Band) NamesOf() string { return strings.Join(b.Loops, " ") }

// Movements are those of all statements that the band's loops move.
func Movements(g *depend.Graph, band *Band) ([]Movement, error) {
	var list []Movement
	for i := range g.Model.Statements {
		if _, inside := band.Rows[0][i]; !inside {
			continue
		}
		m, err := MovementIn(g, band, i)
		if err != nil {
			return nil, err
		}
		if len(m.Loops) > 0 {
			list = append(list, m)
		}
	}
	return list, nil
}

func MovementIn(g *depend.Graph, band *Band, s int) (Movement, error) {
	statement := &g.Model.Statements[s]
	m := Movement{Statement: s, Steps: make([][]Step, len(statement.Accesses))}
	rows := independentRows(band, s, statement.Depth())
	subscripts, err := SubscriptsOf(g.Model, s)
	if err != nil {
		return m, err
	}
	for k := range band.Rows {
		place, moves := rows.place[k]
		if !moves {
			continue
		}
		along, ok := Direction(rows.all, place, statement.Depth())
		if !ok {
			along = band.Rows[k][s].Iterators
		}
		m.Loops = append(m.Loops, k)
		next, err := AdvanceOf(g.Model, s, along)
		if err != nil {
			return m, err
		}
		for a := range statement.Accesses {
			st := AffineStep(subscripts[a], next.Step, next.Moves)
			if subscripts[a] == nil {
				if st, err = StepOf(g.Model, s, a, next.Step); err != nil {
					return m, err
				}
			}
			m.Steps[a] = append(m.Steps[a], st)
		}
	}
	return m, nil
}

// rowSet is a set of linearly independent rows of a statement, and where
// among them the rows of a band's loops are.
type rowSet struct {
	all   [][]int64
	place map[int]int
}

// independentRows are the rows of the loops around the band and in it, without
// those that depend on earlier ones.
func independentRows(band *Band, s, depth int) rowSet {
	set := rowSet{place: map[int]int{}}
	add := func(row []int64) bool {
		longer := append(set.all[:len(set.all):len(set.all)], row)
		if scop.Rank(longer, depth) < len(longer) {
			return false
		}
		set.all = longer
		return true
	}
	for _, row := range band.Outer[s] {
		add(row)
	}
	for k := range band.Rows {
		if add(band.Rows[k][s].Iterators) {
			set.place[k] = len(set.all) - 1
		}
	}
	return set
}

// CutTail leaves out the last loop.
func (b *Band) CutTail() {
	last := len(b.Rows) - 1
	b.Rows, b.Coincident, b.Reductions = b.Rows[:last], b.Coincident[:last], b.Reductions[:last]
}

// IsUneven says whether the iterations of loop k of a band differ in their
// work: the loop is that of an iterator, and a condition of some statement's domain
// relates this iterator to another one, which is not that of a loop outside.
func IsUneven(g *depend.Graph, band *Band, k int) (bool, error) {
	for s, row := range band.Rows[k] {
		own := UnitOf(row)
		if own < 0 {
			continue
		}
		for _, part := range g.Model.Statements[s].Domain.BasicSets() {
			equalities, inequalities, err := part.Constraints()
			if err != nil {
				return false, err
			}
			for _, condition := range slices.Concat(equalities, inequalities) {
				if condition[own] != 0 && relatesInside(condition, own, band.Outer[s], len(row.Iterators)) {
					return true, nil
				}
			}
		}
	}
	return false, nil
}

// relatesInside says whether a condition is about an iterator other than own that
// the rows of the loops outside do not determine.
func relatesInside(condition []int64, own int, outer [][]int64, depth int) bool {
	for j := range depth {
		if j == own || condition[j] == 0 {
			continue
		}
		unit := make([]int64, depth)
		unit[j] = 1
		longer := append(slices.Clip(outer), unit)
		if scop.Rank(longer, depth) > scop.Rank(outer, depth) {
			return true
		}
	}
	return false
}
