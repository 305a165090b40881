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
	// wanted are those of them that generated code is for; nil for all.
	wanted *isl.Set
}

// promiseOf is that of a program, in the context of its model.
func promiseOf(program *scop.Program, m *scop.Model) promise {
	p := promise{program: program}
	if program.Promised != "" {
		p.kept = m.Context.ReadSet(program.Promised)
		p.wanted = p.kept
	}
	if program.Assumed != "" {
		p.wanted = m.Context.ReadSet(program.Context)
		if p.kept != nil {
			p.wanted = p.wanted.Intersect(p.kept)
		}
	}
	return p
}

// isKept says whether sizes keep the promise.
func (p promise) isKept(values map[string]int) bool {
	if p.kept == nil {
		return true
	}
	kept, err := scop.Contains(p.kept, p.program.ParameterValues(values))
	return kept && err == nil
}

// next are the least sizes from some on, the first in the order of their names as small as it can
// be, that keep the promise, and that the code is for; nil where there are none.
func (p promise) next(values map[string]int) map[string]int {
	if p.wanted == nil {
		return values
	}
	ctx := p.wanted.Context()
	mark := ctx.Mark()
	defer ctx.Release(mark)
	from := p.program.ParameterValues(values)
	var sizes, conditions, elements []string
	for _, name := range p.program.Parameters {
		least, isSize := from[name]
		if !isSize {
			continue
		}
		element := fmt.Sprintf("tune_x%d", len(elements))
		sizes, elements = append(sizes, name), append(elements, element)
		conditions = append(conditions, element+" = "+name, fmt.Sprintf("%s >= %d", element, least))
	}
	if len(elements) == 0 {
		return values
	}
	points := ctx.ReadSet(fmt.Sprintf("[%s] -> { [%s] : %s }", strings.Join(p.program.Parameters, ", "), strings.Join(elements, ", "), strings.Join(conditions, " and ")))
	points = points.IntersectParams(p.wanted)
	found, ok := points.ProjectOut(isl.DimParam, 0, points.Dim(isl.DimParam)).Lexmin().Point()
	if ctx.TakeErr() != nil || !ok {
		return nil
	}
	next := map[string]int{}
	for name, value := range values {
		next[name] = value
		if k := slices.IndexFunc(sizes, func(own string) bool { return p.program.Spelling(own) == name }); k >= 0 {
			next[name] = int(found[k])
		}
	}
	return next
}
