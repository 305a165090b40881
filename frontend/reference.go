package frontend

import "fmt"

// reference is one mention of an array or scalar in a statement.
type reference struct {
	array            *arrayInfo
	subscripts       []subscript
	conditions       []formula
	read, write, may bool
	where            Position
}

// subscript is an index of a reference; known is false where it depends on
// data, so that it may be anything.
type subscript struct {
	value affine
	known bool
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
		pieces := s.value.pieces
		if !s.known {
			pieces = []piece{{nil, variableForm(fmt.Sprintf("any%d", k))}}
		}
		var longer []choice
		for _, c := range all {
			for _, p := range pieces {
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
