package transform

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"polytune/scop/depend"
	"polytune/scop/mark"
	"polytune/space"
	"polytune/space/variant"
	"polytune/transform/facts"
)

// StencilAxis is the name of the axis of how classes that are stencils run.
const StencilAxis = "stencil"

// widthAxis is the axis of the width of a shape's tiles along the first dimension of space.
// heightAxis is that of their steps, by the shape all or half of them, and sizeAxis those of the
// other widths.
const widthAxis = "width"

// earlyAxis is the name of the axis of when tiles store what they write.
const earlyAxis = "early"

// columnsAxis is the name of the axis of whether a thread has all points along a hexagon's first
// dimension.
const columnsAxis = "columns"

// Shaped is the condition under which the axes of StencilFamily have values.
var Shaped = variant.Is(StencilAxis, shapeWords()...)

// stencilHeights and stencilWidths are the values of the axes of sizes.
var (
	stencilHeights = []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	stencilWidths  = []int64{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256}
)

// shapeWords are the values of the axis that stand for shapes.
func shapeWords() (words []variant.Value) {
	for _, shape := range stencilShapes {
		words = append(words, variant.Word(shape.name()))
	}
	return words
}

// stencilAxis is the axis of shapes.
func stencilAxis() variant.Axis {
	names := []string{byModel, PlainShape}
	for _, word := range shapeWords() {
		names = append(names, word.String())
	}
	return variant.Axis{Name: StencilAxis, About: "how classes that are stencils run: as all others, or in tiles of time and space", Values: variant.Words(names...), Default: variant.Word(byModel)}
}

// StencilSizeAxes are the axes of the sizes of tiles with so many dimensions of space, whose
// defaults are given. They are part of a family of axes, with the condition Shaped.
func StencilSizeAxes(sizes []int64) (axes []variant.Axis) {
	for k, size := range sizes {
		axis := variant.Axis{Name: stencilSizeAxis(k), Values: variant.Ladder(stencilWidths...), Default: variant.Integer(size), When: Shaped}
		switch k {
		case 0:
			axis.About, axis.Values = "half the steps of a hexagon", variant.Ladder(stencilHeights...)
		case 1:
			axis.About = "the least width of a hexagon"
		default:
			axis.About = fmt.Sprintf("the width of tiles along dimension %d of space", k)
		}
		if !slices.Contains(axis.Choices(), axis.Default.String()) {
			axis.Values = axis.Values.With(size)
		}
		axes = append(axes, axis)
	}
	return axes
}

// storeAxis is the axis of when tiles with copies in shared memory store what they write: behind each
// tile, or each element as soon as the tile has it.
func storeAxis() variant.Axis {
	copies := variant.Is(StencilAxis, variant.Word(HexagonShape), variant.Word(OverlappedShape))
	return variant.Axis{Name: earlyAxis, About: "whether tiles store an element as soon as they have written it for the last time, and not at their end", Values: variant.Switch(), Default: variant.Off,
		When: variant.All(copies, variant.Is(string(mark.Shared), variant.On))}
}

// threadAxis is the axis of which points of a hexagon a thread has.
func threadAxis() variant.Axis {
	return variant.Axis{Name: columnsAxis, About: "whether a thread has all points of a hexagon along the first dimension of space, and reads those that it computed a step before from registers",
		Values: variant.Switch(), Default: variant.Off, When: variant.Is(StencilAxis, variant.Word(HexagonShape))}
}

// stencilSizeAxis is the name of the axis of a size, by its place.
func stencilSizeAxis(place int) string {
	switch place {
	case 0:
		return heightAxis
	case 1:
		return widthAxis
	}
	return sizeAxis(place - 2)
}

// StencilAxes are the axes of sizes for the stencils among the classes of a nest, and what they
// have to be: no shape that no class has, and no sizes that a class with the shape cannot have.
func StencilAxes(g *depend.Graph, nest space.Nest, options Options) (axes []variant.Axis, ties []variant.Constraint, err error) {
	options.Device = &Device{}
	p := &planner{graph: g, options: options}
	stencils, reasons, err := stencilsOf(p.graph, nest.Partition().Classes())
	if err != nil {
		return nil, nil, err
	}
	var sizes []int64
	for _, f := range stencils {
		if own := axisSizes(p, f); len(own) > len(sizes) {
			sizes = own
		}
	}
	axes = append(StencilSizeAxes(sizes), storeAxis(), threadAxis())
	for _, shape := range stencilShapes {
		ties = append(ties, tie(p, shape, stencils, reasons, sizes))
	}
	return axes, ties, nil
}

// stencilsOf are the canonical forms of the classes that are stencils, and why the others are none.
func stencilsOf(g *depend.Graph, classes [][]int) (stencils []*stencil, reasons []error, err error) {
	for _, statements := range classes {
		f, err := stencilOf(g, statements, facts.DependencesOf(g, statements))
		reason := (*NoStencil)(nil)
		switch {
		case err == nil:
			stencils = append(stencils, f)
		case errors.As(err, &reason):
			reasons = append(reasons, err)
		default:
			return nil, nil, err
		}
	}
	return stencils, reasons, nil
}

// axisSizes are the defaults of the axes of sizes: those of the first shape that has any. They
// stand for the sizes that each shape's model chooses.
func axisSizes(p *planner, f *stencil) []int64 {
	for _, shape := range stencilShapes {
		if sizes := shape.sizes(p, f); sizes != nil {
			return sizes
		}
	}
	return nil
}

// tie is what the sizes of a shape have to be for the stencils of a nest.
func tie(p *planner, shape stencilShape, stencils []*stencil, reasons []error, byModel []int64) variant.Constraint {
	is := variant.Is(StencilAxis, variant.Word(shape.name()))
	why := errors.Join(reasons...)
	var able []*stencil
	for _, f := range stencils {
		if err := shape.refusal(p, f, shape.sizes(p, f)); err != nil {
			why = errors.Join(why, err)
		} else {
			able = append(able, f)
		}
	}
	if len(able) == 0 {
		return variant.Constraint{About: fmt.Sprintf("there are no %s: %v", shape.makes(), why), Condition: variant.Not(is)}
	}
	names := []string{string(mark.Shared)}
	for k := range byModel {
		names = append(names, stencilSizeAxis(k))
	}
	fits := func(s variant.Setting) bool {
		sizes, at := stencilSizes(s), &planner{graph: p.graph, options: MemoryOptionsOf(s, p.options)}
		return slices.Equal(sizes, byModel) || !slices.ContainsFunc(able, func(f *stencil) bool {
			return shape.refusal(at, f, sizes[:len(f.space)+1]) != nil
		})
	}
	return variant.Constraint{About: shape.makes() + " have to fit the slopes of dependences, shared memory and the threads of a block",
		Condition: variant.Implies(is, variant.Holds("sizes that fit "+shape.name(), names, fits))}
}

// stencilSizes are the sizes of a setting, nil where it has none.
func stencilSizes(s variant.Setting) (sizes []int64) {
	for k := 0; s[stencilSizeAxis(k)] != (variant.Value{}); k++ {
		sizes = append(sizes, s[stencilSizeAxis(k)].Integer())
	}
	return sizes
}

// stencilOptionsOf is what a setting says of stencils.
func stencilOptionsOf(s variant.Setting) Stencil {
	value := s[StencilAxis]
	if value == (variant.Value{}) || value == variant.Word(byModel) {
		return Stencil{}
	}
	return Stencil{Shape: value.String(), Sizes: stencilSizes(s), Early: s[earlyAxis] == variant.On, Columns: s[columnsAxis] == variant.On}
}

// AsksShape says whether the text of a setting asks for a shape.
func AsksShape(setting string) bool {
	words := strings.FieldsFunc(setting, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' })
	return slices.ContainsFunc(shapeWords(), func(shape variant.Value) bool { return slices.Contains(words, StencilAxis+"="+shape.String()) })
}
