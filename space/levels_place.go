package space

import (
	"fmt"
	"slices"
	"strconv"

	"polytune/scop/depend"
)

// place is inside loops that some statements share, where they can be ordered
// and fused anew.
type place struct {
	levels     *Levels
	statements []int
	// rows are those of the loops outside, outermost first.
	rows []Rows
	// test decides fusibility by what the loops leave, and space holds the
	// partitions of the statements, by their places in statements; it is nil
	// when what must be together cannot be.
	test  *groupTest
	space *Space
}

// place is the place inside the loops with the given rows.
func (l *Levels) place(statements []int, rows []Rows) (*place, error) {
	key := keyOf(statements, rows)
	if at := l.places[key]; at != nil {
		return at, nil
	}
	at := &place{levels: l, statements: statements, rows: rows}
	if err := at.analyze(); err != nil {
		return nil, fmt.Errorf("inside the loops of %s: %w", drawClass(statements, l.Names()), err)
	}
	l.places[key] = at
	return at, nil
}

// keyOf is a text that statements have in common exactly when they are the
// same and have the same rows but for shifts of whole levels, which change
// nothing.
func keyOf(statements []int, rows []Rows) string {
	var key []byte
	number := func(v int64) { key = append(strconv.AppendInt(key, v, 10), ' ') }
	for _, s := range statements {
		number(int64(s))
	}
	key = append(key, ':')
	for _, level := range rows {
		first := level[statements[0]]
		for _, s := range statements {
			row := level[s]
			for _, c := range row.Iterators {
				number(c)
			}
			for p, c := range row.Parameters {
				number(c - first.Parameters[p])
			}
			number(row.Constant - first.Constant)
		}
	}
	return string(key)
}

// analyze finds what the loops leave of the dependences, the order that this
// puts the statements in, and whether they can run in it at all.
func (at *place) analyze() error {
	direct, dependences, err := at.remaining()
	if err != nil {
		return err
	}
	at.test = at.levels.test.inside(dependences, at.outer())
	for _, private := range at.test.privates {
		for _, s := range private.Statements {
			i := slices.Index(at.statements, s)
			j := slices.Index(at.statements, private.Statements[0])
			if i >= 0 && j >= 0 {
				direct[i][j], direct[j][i] = true, true
			}
		}
	}
	order := newOrder(direct)
	for _, component := range order.components {
		fusible, err := at.Fusible(component)
		if !fusible || err != nil {
			return err
		}
	}
	names := make([]string, len(at.statements))
	for i, s := range at.statements {
		names[i] = at.levels.Names()[s]
	}
	at.space, err = newSpace(names, order.before, at, Options{})
	return err
}

// remaining are the dependences that the loops leave, and which statements,
// by their places, they order.
func (at *place) remaining() (direct [][]bool, dependences []*depend.Dependence, err error) {
	direct = make([][]bool, len(at.statements))
	for i, source := range at.statements {
		direct[i] = make([]bool, len(at.statements))
		for j, target := range at.statements {
			left, err := at.levels.leftBetween(source, target, at.rows)
			if err != nil {
				return nil, nil, err
			}
			direct[i][j] = len(left) > 0
			dependences = append(dependences, left...)
		}
	}
	return direct, dependences, nil
}

// leftBetween is what rows leave of the dependences from one statement to
// another.
func (l *Levels) leftBetween(source, target int, rows []Rows) ([]*depend.Dependence, error) {
	key := keyOf([]int{source, target}, rows)
	if left, known := l.left[key]; known {
		return left, nil
	}
	var left []*depend.Dependence
	if len(rows) == 0 {
		for _, d := range depend.Distinct(l.graph.Dependences) {
			if d.Source == source && d.Target == target {
				left = append(left, d)
			}
		}
		l.left[key] = left
		return left, nil
	}
	outside, err := l.leftBetween(source, target, rows[:len(rows)-1])
	if err != nil {
		return nil, err
	}
	last := rows[len(rows)-1]
	for _, d := range outside {
		part, err := l.graph.Unsatisfied(d, last[source], last[target])
		if err != nil {
			return nil, err
		}
		if part != nil {
			left = append(left, part)
		}
	}
	l.left[key] = left
	return left, nil
}

// outer are the coefficients of the iterators in the rows of the loops.
func (at *place) outer() map[int][][]int64 {
	outer := map[int][][]int64{}
	for _, level := range at.rows {
		for _, s := range at.statements {
			outer[s] = append(outer[s], level[s].Iterators)
		}
	}
	return outer
}

// within are the statements at some of the place's places.
func (at *place) within(places []int) []int { return pick(at.statements, places) }

// Fusible says whether the statements, given by their places, can share a
// further loop.
func (at *place) Fusible(places []int) (bool, error) {
	rows, err := at.commonRows(at.within(places))
	return rows != nil, err
}

// commonRows are rows of a loop that the statements can share; nil when there
// are none.
func (at *place) commonRows(class []int) (Rows, error) {
	all := Rows{}
	for _, part := range at.test.linkedParts(class) {
		rows, err := at.rowsOfPart(part)
		if rows == nil || err != nil {
			return nil, err
		}
		for s, row := range rows {
			all[s] = row
		}
	}
	return all, nil
}

// rowsOfPart are the rows of statements that are linked by dependences. They
// depend on nothing but these statements' own rows outside, and are computed
// once.
func (at *place) rowsOfPart(part []int) (Rows, error) {
	key := keyOf(part, at.rows)
	if rows, known := at.levels.shared[key]; known {
		return rows, nil
	}
	rows, err := at.test.rowsOfPart(part)
	if err == nil {
		at.levels.shared[key] = rows
	}
	return rows, err
}

// inside is the place of some of the statements inside a further loop.
func (at *place) inside(class []int, choice Rows) (*place, error) {
	rows := make([]Rows, len(at.rows), len(at.rows)+1)
	for k, level := range at.rows {
		rows[k] = level.of(class)
	}
	return at.levels.place(class, append(rows, choice.of(class)))
}

// of are the rows of some of the statements.
func (r Rows) of(class []int) Rows {
	some := Rows{}
	for _, s := range class {
		some[s] = r[s]
	}
	return some
}
