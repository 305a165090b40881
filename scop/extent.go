package scop

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"polytune/isl"
)

// Bytes is the memory of all array arguments of the function when its size
// arguments have the given values. Extents are affine expressions over them.
func (f Function) Bytes(ctx *isl.Context, p *Program, values map[string]int) (int64, error) {
	total := int64(0)
	for _, a := range f.Arguments {
		if a.Role != Pointer {
			continue
		}
		elements := int64(1)
		for _, extent := range a.Extents {
			n, err := evaluate(ctx, extent, values)
			if err != nil {
				return 0, fmt.Errorf("the extent %q of %s: %w", extent, a.Name, err)
			}
			elements *= max(n, 0)
		}
		size := int64(0)
		if array := p.Array(a.Name); array != nil {
			size = int64(array.Size)
		}
		total += elements * size
	}
	return total, nil
}

// evaluate is the value of an affine C expression over named integers. isl
// reads the same notation, but its division is exact: a quotient that is no
// integer is an error.
func evaluate(ctx *isl.Context, expression string, values map[string]int) (int64, error) {
	mark := ctx.Mark()
	defer ctx.Release(mark)
	conditions := []string{"x = " + expression}
	for name, value := range values {
		conditions = append(conditions, fmt.Sprintf("%s = %d", name, value))
	}
	names := strings.Join(slices.Sorted(maps.Keys(values)), ", ")
	point, ok := ctx.ReadSet(fmt.Sprintf("[%s] -> { [x] : %s }", names, strings.Join(conditions, " and "))).
		ProjectOut(isl.DimParam, 0, len(values)).Point()
	if err := ctx.TakeErr(); err != nil {
		return 0, err
	}
	if !ok {
		return 0, fmt.Errorf("it has no single value")
	}
	return point[0], nil
}
