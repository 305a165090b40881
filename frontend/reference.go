package frontend

import (
	"fmt"
	"slices"

	"polytune/scop"
)

// reference is one mention of an array or scalar in a statement.
type reference struct {
	array            *arrayInfo
	subscripts       []subscript
	conditions       []formula
	read, write, may bool
	where            Position
	// bytes, where it is not 0, are those from the element on that the reference is to.
	bytes int64
	// datum says of one with subscripts that depend on data how they do.
	datum scop.Datum
	// depth is the number of conditions and loops of an opaque statement that decide whether there
	// is an access.
	depth int
}

// isSameElement says whether two references are known to be the same element.
func (r *reference) isSameElement(other *reference) bool {
	if r.array != other.array || len(r.conditions)+len(other.conditions) > 0 {
		return false
	}
	mine, others := r.choices(), other.choices()
	return len(mine) == 1 && len(others) == 1 && len(mine[0].conditions)+len(others[0].conditions) == 0 &&
		slices.Equal(mine[0].subscripts, others[0].subscripts)
}

// subscript is an index of a reference; known is false where it depends on data, so that it may be
// anything, or, where there is an end, anything from the value to what is in front of that.
type subscript struct {
	value affine
	known bool
	end   affine
}

// pieces are the cases of the subscript in dimension k.
func (s subscript) pieces(k int) []piece {
	if s.known {
		return s.value.pieces
	}
	any := variableForm(fmt.Sprintf("any%d", k))
	if len(s.end.pieces) == 0 {
		return []piece{{nil, any}}
	}
	var pieces []piece
	for _, p := range s.value.pieces {
		for _, q := range s.end.pieces {
			within := and(comparison{any, ">=", p.value}, comparison{any, "<", q.value})
			pieces = append(pieces, piece{both(both(p.when, q.when), within), any})
		}
	}
	return pieces
}

// choice is one case of a reference with piecewise subscripts.
type choice struct {
	subscripts []string
	conditions []formula
}

// choices are all combinations of the pieces of the subscripts.
func (r reference) choices() []choice {
	all := []choice{{}}
	for k, s := range r.subscripts {
		var longer []choice
		for _, c := range all {
			for _, p := range s.pieces(k) {
				next := choice{append(append([]string{}, c.subscripts...), p.value.String()), append([]formula{}, c.conditions...)}
				if p.when != nil {
					next.conditions = append(next.conditions, p.when)
				}
				longer = append(longer, next)
			}
		}
		all = longer
	}
	return all
}

// writesFirst moves the first written reference to the front.
func writesFirst(references []reference) []reference {
	for i, r := range references {
		if r.write {
			sorted := append([]reference{r}, references[:i]...)
			return append(sorted, references[i+1:]...)
		}
	}
	return references
}
