package harness

import (
	"fmt"
	"strconv"

	"polytune/internal/pattern"
	"polytune/scop"
)

// elementsOfParameters are how many first elements of an argument, in each dimension, hold
// parameters of a program: {6} for the argument dims of a program with the parameters dims[5] and
// dims[1], {1} for *n and s->n; nil where none does.
func elementsOfParameters(program *scop.Program, a scop.Argument) (elements []int) {
	for _, parameter := range program.Parameters {
		place := parameterPlace.FindStringSubmatch(program.Spelling(parameter))
		if place == nil || place[2] != a.Name || place[1]+place[3] == "" {
			continue
		}
		if elements == nil {
			elements = make([]int, len(a.Extents))
		}
		subscripts := subscript.FindAllStringSubmatch(place[3], -1)
		for d := range elements {
			elements[d] = max(elements[d], 1)
			if d < len(subscripts) {
				number, _ := strconv.Atoi(subscripts[d][1])
				elements[d] = max(elements[d], number+1)
			}
		}
	}
	return elements
}

// parameterPlace is how C says that a parameter lies behind a pointer: *n, dims[5], s->n, p[1].n;
// and subscript is one of its numbers.
var (
	parameterPlace = pattern.New(`^\(*(\**)([A-Za-z_][A-Za-z0-9_]*)\)*((?:\[\d+\])+|->|)`)
	subscript      = pattern.New(`\[(\d+)\]`)
)

// withAtLeast are extents that are at least some numbers; "" is what a declaration says.
func withAtLeast(extents []string, least []int) []string {
	for d := range least {
		number, err := strconv.Atoi(extents[d])
		switch {
		case extents[d] == "":
		case err == nil:
			extents[d] = strconv.Itoa(max(number, least[d]))
		default:
			extents[d] = fmt.Sprintf("max(%s, %d)", extents[d], least[d])
		}
	}
	return extents
}
