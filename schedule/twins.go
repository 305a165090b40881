package schedule

import (
	"fmt"
	"slices"
	"strings"

	"polytune/scop"
)

// Twin says that a statement does what another one does, with the same elements, at some values of
// that one's iterators: A[i][i] -= A[i][k] * A[i][k] is A[i][j] -= A[i][k] * A[j][k] where j = i.
type Twin struct {
	// at are, by loop of the other one, the loops of the statement whose iterators it has the
	// values of.
	at []int
	// depth is the number of the statement's loops.
	depth int
}

// TwinOf is statement t as a twin of statement s, if it is one: the text of both is the same but
// for the iterators, those of t determine and are determined by those of s, and neither has a
// variable of its own.
func TwinOf(m *scop.Model, s, t int) (w Twin, ok bool) {
	a, b := &m.Program.Statements[s], &m.Program.Statements[t]
	private := func(v scop.Private) bool { return slices.Contains(v.Statements, s) || slices.Contains(v.Statements, t) }
	if slices.ContainsFunc(m.Program.Privates(), private) || len(a.Accesses) != len(b.Accesses) {
		return w, false
	}
	w = Twin{at: slices.Repeat([]int{-1}, a.Depth()), depth: b.Depth()}
	if !w.isSameText(a, b) {
		return w, false
	}
	for k := range a.Accesses {
		if x, y := a.Accesses[k], b.Accesses[k]; x.Array != y.Array || x.Write != y.Write || x.Read != y.Read || !w.isSameElement(m, s, t, k) {
			return w, false
		}
	}
	return w, true
}

// isSameText compares what two statements say, and finds for the iterators of the first those of
// the second that stand in their places, or have their names where they stand nowhere.
func (w Twin) isSameText(a, b *scop.Statement) bool {
	isSame := scop.SameExpr(a.Value, b.Value, func(own, other int) bool {
		if w.at[own] >= 0 && w.at[own] != other {
			return false
		}
		w.at[own] = other
		return true
	})
	if !isSame {
		return false
	}
	used := make([]bool, w.depth)
	for k, loop := range a.Loops {
		if w.at[k] < 0 {
			w.at[k] = slices.IndexFunc(b.Loops, func(l scop.Loop) bool { return l.Iterator == loop.Iterator })
		}
		if w.at[k] < 0 || b.Loops[w.at[k]].Type != loop.Type {
			return false
		}
		used[w.at[k]] = true
	}
	return !slices.Contains(used, false)
}

// isSameElement says whether access k of both statements is to the same element: expanded arrays
// have subscripts that are not in the text.
func (w Twin) isSameElement(m *scop.Model, s, t, k int) bool {
	one, err := scop.Subscripts(m.Statements[s].Accesses[k])
	other, otherErr := scop.Subscripts(m.Statements[t].Accesses[k])
	if err != nil || otherErr != nil || one == nil || other == nil {
		return false
	}
	return slices.EqualFunc(one, other, func(x, y Row) bool { return w.Row(x).Equal(y) })
}

// Row is a row of the other statement at the instances of this one.
func (w Twin) Row(row Row) Row {
	own := Row{Iterators: make([]int64, w.depth), Parameters: row.Parameters, Constant: row.Constant}
	for k, v := range row.Iterators {
		own.Iterators[w.at[k]] += v
	}
	return own
}

// Relation is the isl relation from the instances of this statement, t, to those of the other one,
// s, that do the same.
func (w Twin) Relation(p *scop.Program, s, t int) string {
	return w.relation(p, s, t, nil, nil)
}

// relation is Relation for instances with some coordinates in front of the iterators.
func (w Twin) relation(p *scop.Program, s, t int, front, ownFront []string) string {
	own := p.IteratorNames(t)
	var at []string
	for _, k := range w.at {
		at = append(at, own[k])
	}
	return fmt.Sprintf("%s{ %s[%s] -> %s[%s] }", p.ParametersText(), p.Statements[t].Name, strings.Join(append(ownFront, own...), ", "),
		p.Statements[s].Name, strings.Join(append(front, at...), ", "))
}
