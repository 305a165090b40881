package command

import (
	"fmt"
	"maps"
	"slices"

	"polytune/schedule"
)

// addValued gives a node a loop of so many values: a quasi-affine expression for each statement.
func addValued(t *schedule.Tree, n *schedule.Node, values map[int]schedule.Quasi, permutable bool) {
	terms, named := termsOf(values)
	n.Depth++
	l := &schedule.Loop{Name: fmt.Sprintf("%s.%d", n.Name, n.Depth), Band: n.Bands, Terms: terms, Of: t.SourceLoops(n, named), Permutable: permutable}
	if len(terms) == 1 && terms[0].Size > 1 {
		l.Name, l.Level = l.Name+"t", 1
	}
	n.Loops = append(n.Loops, l)
}

// termsOf are those of a loop with a value for each statement, and rows after which it is named. A
// term of some statements is 0 for the others.
func termsOf(values map[int]schedule.Quasi) (terms []schedule.Term, named map[int]schedule.Row) {
	rows := map[int]schedule.Row{}
	named = map[int]schedule.Row{}
	areZero := true
	for _, s := range slices.Sorted(maps.Keys(values)) {
		q := values[s]
		rows[s], named[s] = q.Row, q.Row
		if areZero = areZero && isZero(q.Row); isZero(q.Row) && len(q.Parts) == 1 {
			named[s] = q.Parts[0].Row
		}
		for _, part := range q.Parts {
			terms = withPart(terms, values, s, part)
		}
	}
	if !areZero || len(terms) == 0 {
		terms = slices.Insert(terms, 0, schedule.Term{Rows: rows, Size: 1})
	}
	return terms, named
}

// withPart are terms with a part of a statement's value, in a term of its size and factor in which
// the statement has nothing yet.
func withPart(terms []schedule.Term, values map[int]schedule.Quasi, s int, part schedule.QuasiPart) []schedule.Term {
	factor := part.Factor
	if factor == 1 {
		factor = 0
	}
	at := slices.IndexFunc(terms, func(t schedule.Term) bool {
		return t.Size == part.Size && t.Factor == factor && isZero(t.Rows[s])
	})
	if at < 0 {
		rows := map[int]schedule.Row{}
		for other, value := range values {
			rows[other] = value.Row.Plus(value.Row, -1)
		}
		at, terms = len(terms), append(terms, schedule.Term{Rows: rows, Size: part.Size, Factor: factor})
	}
	terms[at].Rows[s] = part.Row
	return terms
}

// isZero says whether a row is the number 0.
func isZero(row schedule.Row) bool { return row.Equal(row.Plus(row, -1)) }
