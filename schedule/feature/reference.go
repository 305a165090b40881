package feature

import (
	"strconv"
	"strings"

	"polytune/internal/pattern"
	"polytune/scop"
)

// reference is what the text of a reference says about its subscripts: for each
// dimension of the array the coefficients of the statement's iterators. Terms
// that are not linear count for nothing.
type reference struct {
	array      string
	subscripts [][]int64
}

// referencesOf are the references of a statement to arrays; scalars have no
// subscripts and stay in registers.
func referencesOf(s *scop.Statement) []reference {
	var list []reference
	for _, a := range s.Accesses {
		if r := readReference(a); len(r.subscripts) > 0 {
			list = append(list, r)
		}
	}
	return list
}

// tuples are the instance and the element in the text of a relation, such as
// "S0[i, j] -> A[i, 1 + j]".
var tuples = pattern.New(`\[([^\[\]]*)\] -> \w+\[([^\[\]]*)\]`)

func readReference(a scop.Access) reference {
	r := reference{array: a.Array}
	found := tuples.FindStringSubmatch(a.Relation)
	if found == nil || strings.TrimSpace(found[2]) == "" {
		return r
	}
	var iterators []string
	for name := range strings.SplitSeq(found[1], ",") {
		iterators = append(iterators, strings.TrimSpace(name))
	}
	for expression := range strings.SplitSeq(found[2], ",") {
		coefficients := make([]int64, len(iterators))
		for k, name := range iterators {
			coefficients[k] = coefficient(expression, name)
		}
		r.subscripts = append(r.subscripts, coefficients)
	}
	return r
}

// term is a signed multiple of a name: "- 2*i", "2i", "i".
var term = pattern.New(`(-?)\s*(\d*)\s*\*?\s*([A-Za-z_]\w*)`)

// coefficient sums up the multiples of a name in an affine expression.
func coefficient(expression, name string) int64 {
	sum := int64(0)
	for _, found := range term.FindAllStringSubmatch(expression, -1) {
		if found[3] != name {
			continue
		}
		factor := int64(1)
		if n, err := strconv.ParseInt(found[2], 10, 64); err == nil {
			factor = n
		}
		if found[1] == "-" {
			factor = -factor
		}
		sum += factor
	}
	return sum
}

// stride says how the element moves in a step along a direction: 0 for not at
// all, 1 to the next one in memory, 2 farther.
func (r reference) stride(direction []int64) int {
	for d, coefficients := range r.subscripts {
		moved := int64(0)
		for k, c := range coefficients {
			if k < len(direction) {
				moved += c * direction[k]
			}
		}
		switch last := d == len(r.subscripts)-1; {
		case moved == 0:
		case last && (moved == 1 || moved == -1):
			return 1
		default:
			return 2
		}
	}
	return 0
}

// boxes are the numbers of elements of arrays in the boxes of subscripts that
// loops of the given lengths lead through: the largest of each array.
func boxes(references []reference, lengths []float64) map[string]float64 {
	elements := map[string]float64{}
	for _, r := range references {
		box := 1.0
		for _, coefficients := range r.subscripts {
			extent := 1.0
			for k, c := range coefficients {
				if k < len(lengths) {
					extent += float64(max(c, -c)) * (lengths[k] - 1)
				}
			}
			box *= extent
		}
		elements[r.array] = max(elements[r.array], box)
	}
	return elements
}
