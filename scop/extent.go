package scop

import (
	"fmt"

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
// reads the same notation.
func evaluate(ctx *isl.Context, expression string, values map[string]int) (int64, error) {
	mark := ctx.Mark()
	defer ctx.Release(mark)
	set := ""
	for name, value := range values {
		if set != "" {
			set += " and "
		}
		set += fmt.Sprintf("%s = %d", name, value)
	}
	names := ""
	for name := range values {
		if names != "" {
			names += ", "
		}
		names += name
	}
	point, ok := ctx.ReadSet(fmt.Sprintf("[%s] -> { [x] : x = %s and %s }", names, expression, set)).
		ProjectOut(isl.DimParam, 0, len(values)).Point()
	if err := ctx.TakeErr(); err != nil {
		return 0, err
	}
	if !ok {
		return 0, fmt.Errorf("it has no single value")
	}
	return point[0], nil
}
