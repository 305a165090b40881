package harness

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
)

// promise is what a program says of the values of its parameters.
type promise struct {
	program *scop.Program
	// kept are the values with which it has a meaning; nil for all.
	kept *isl.Set
}

// promiseOf is that of a program, in the context of its model.
func promiseOf(program *scop.Program, m *scop.Model) promise {
	if program.Promised == "" {
		return promise{program, nil}
	}
	return promise{program, m.Context.ReadSet(program.Promised)}
}

// isKept says whether sizes keep the promise.
func (p promise) isKept(values map[string]int) bool {
	if p.kept == nil {
		return true
	}
	kept, err := scop.Contains(p.kept, p.program.ParameterValues(values))
	return kept && err == nil
}

// next are the least sizes from some on, the first in the order of their names as small as it can be, that keep the promise; nil where there are none.
func (p promise) next(values map[string]int) map[string]int {
	if p.kept == nil {
		return values
	}
	ctx := p.kept.Context()
	mark := ctx.Mark()
	defer ctx.Release(mark)
	from := p.program.ParameterValues(values)
	var conditions, elements []string
	for k, name := range p.program.Parameters {
		element := fmt.Sprintf("x%d", k)
		elements, conditions = append(elements, element), append(conditions, element+" = "+name)
		if least, isSize := from[name]; isSize {
			conditions = append(conditions, fmt.Sprintf("%s >= %d", element, least))
		}
	}
	if len(elements) == 0 {
		return values
	}
	points := ctx.ReadSet(fmt.Sprintf("[%s] -> { [%s] : %s }", strings.Join(p.program.Parameters, ", "), strings.Join(elements, ", "), strings.Join(conditions, " and ")))
	points = points.IntersectParams(p.kept)
	found, ok := points.ProjectOut(isl.DimParam, 0, points.Dim(isl.DimParam)).Lexmin().Point()
	if ctx.TakeErr() != nil || !ok {
		return nil
	}
	next := map[string]int{}
	for name, value := range values {
		next[name] = value
		if k := slices.IndexFunc(p.program.Parameters, func(own string) bool { return p.program.Spelling(own) == name }); k >= 0 {
			next[name] = int(found[k])
		}
	}
	return next
}
