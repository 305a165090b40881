package space

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// checkShape says what keeps a nest from being one of the program's
// statements with the right number of levels.
func (l *Levels) checkShape(n Nest) error {
	if len(n) != l.depth {
		return fmt.Errorf("nest %s has %d levels, the space has %d", n, len(n), l.depth)
	}
	if len(n[0]) != len(l.Names()) {
		return l.first.wrongLength(n.Partition())
	}
	return nil
}

// Contains says whether a nest belongs to the space. When it does not, reason
// is an *OutsideError; any other error is a failure to decide.
func (l *Levels) Contains(n Nest) (ok bool, reason error) {
	rows, reason := l.Rows(n)
	return rows != nil, reason
}

// Rows are rows that show that a nest belongs to the space: for each level,
// outermost first, one for each statement, which statements of one class share.
// The error is that of Contains when it does not.
func (l *Levels) Rows(n Nest) ([]Rows, error) {
	if err := l.checkShape(n); err != nil {
		return nil, err
	}
	if err := n.Validate(); err != nil {
		return nil, l.first.outside(n.Partition(), "%v", err)
	}
	if ok, reason := l.first.Contains(n.Partition()); !ok {
		return nil, reason
	}
	all := make([]Rows, l.depth)
	for _, class := range n.Partition().Classes() {
		rows, err := l.root.rowsFor(class, n.Inside(class))
		if err != nil {
			return nil, err
		}
		if rows == nil {
			return nil, l.whyNot(n, class)
		}
		all = joined(all, rows)
	}
	return all, nil
}

// joined adds rows of further statements, level by level.
func joined(levels, more []Rows) []Rows {
	for k := range levels {
		levels[k] = union(levels[k], more[k])
	}
	return levels
}

// RowsInside are rows for statements that share the loops of the given rows,
// outermost first, and are to share a further one, inside which the given nest
// of them is possible: first the rows of that loop, then those of the nest's
// levels. It is nil when there are none. The loops outside need not be such as
// the space would choose, but must be legal.
func (l *Levels) RowsInside(class []int, outside []Rows, inside Nest) ([]Rows, error) {
	at := l.root
	if len(outside) > 0 {
		var err error
		if at, err = l.place(class, outside); err != nil {
			return nil, err
		}
	}
	return at.rowsFor(class, inside)
}

// rowsFor are rows of a loop that the statements can share and, level by
// level, of the loops inside it, such that the nest is possible; nil when
// there are none.
func (at *place) rowsFor(class []int, inside Nest) ([]Rows, error) {
	all := make([]Rows, 1+len(inside))
	for _, part := range at.test.linkedParts(class) {
		places := make([]int, len(part))
		for i, s := range part {
			places[i] = slices.Index(class, s)
		}
		rows, err := at.rowsForPart(part, inside.Restrict(places))
		if rows == nil || err != nil {
			return nil, err
		}
		all = joined(all, rows)
	}
	return all, nil
}

// rowsForPart is rowsFor for statements that are linked by dependences.
func (at *place) rowsForPart(part []int, inside Nest) ([]Rows, error) {
	if len(inside) == 0 {
		rows, err := at.rowsOfPart(part)
		if rows == nil {
			return nil, err
		}
		return []Rows{rows}, err
	}
	choices, err := at.choicesOfPart(part)
	if err != nil {
		return nil, err
	}
	for _, choice := range choices {
		next, err := at.inside(part, choice)
		if err != nil {
			return nil, err
		}
		rows, err := next.rowsOfClasses(inside)
		if err != nil {
			return nil, err
		}
		if rows != nil {
			return append([]Rows{choice}, rows...), nil
		}
	}
	return nil, nil
}

// rowsOfClasses are rows for the levels of a nest of all the place's
// statements; nil when it is not possible.
func (at *place) rowsOfClasses(n Nest) ([]Rows, error) {
	if ok, err := at.allows(n.Partition()); !ok {
		return nil, err
	}
	all := make([]Rows, len(n))
	for _, class := range n.Partition().Classes() {
		rows, err := at.rowsFor(at.within(class), n.Inside(class))
		if rows == nil || err != nil {
			return nil, err
		}
		all = joined(all, rows)
	}
	return all, nil
}

// allows says whether the place's statements may be partitioned so.
func (at *place) allows(p Partition) (bool, error) {
	if at.space == nil {
		return false, nil
	}
	ok, err := at.space.Contains(p)
	var outside *OutsideError
	if errors.As(err, &outside) {
		err = nil
	}
	return ok, err
}

// whyNot says which class of the outermost level makes a nest impossible, and
// what stands against it with the simplest rows.
func (l *Levels) whyNot(n Nest, class []int) error {
	inside := n.Inside(class)
	names := make([]string, len(class))
	for i, s := range class {
		names[i] = l.Names()[s]
	}
	reason := ""
	if choices, err := l.root.combinations(class, len(inside)); err == nil && len(choices) > 0 {
		if next, err := l.root.inside(class, choices[0]); err == nil && next.space != nil {
			_, err := next.space.Contains(inside.Partition())
			var outside *OutsideError
			if errors.As(err, &outside) {
				reason = fmt.Sprintf("; with rows %s, %s", l.rowsText(class, choices[0]), outside.Reason)
			}
		}
	}
	return l.first.outside(n.Partition(), "no loop that %s can share leaves %s legal inside it%s", drawClass(class, l.Names()), inside.Drawing(names), reason)
}

// rowsText are the rows of the statements: "S0[i, j] -> [i]; S1[i] -> [i + 1]".
func (l *Levels) rowsText(class []int, rows Rows) string {
	program := l.graph.Model.Program
	texts := make([]string, len(class))
	for i, s := range class {
		texts[i] = program.InstanceText(s) + " -> " + rows[s].Text(program.IteratorNames(s), program.Parameters)
	}
	return strings.Join(texts, "; ")
}
