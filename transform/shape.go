package transform

import (
	"errors"
	"fmt"
	"slices"

	"polytune/schedule"
	inmemory "polytune/scop/boxes"
	"polytune/scop/depend"
)

// Stencil says how classes that are stencils run on a device.
type Stencil struct {
	// Shape is the name of one of stencilShapes, which at least one class has then, or an error says why none has; PlainShape for the loops of all other classes; "" for what the
	// models think best.
	Shape string
	// Sizes are those of the shape's tiles: of time, and of each dimension of space; nil for the model's.
	Sizes []int64
}

// PlainShape is the name of the shape of classes that are no stencils.
const PlainShape = "plain"

// stencilShape is a way to run a class that is a stencil. Each has a file of its own.
type stencilShape interface {
	// name is the shape's value of the axis "stencil".
	name() string
	// makes says what a class has then, for messages: "hexagonal tiles".
	makes() string
	// sizes are the best ones of a stencil by the model, for as many bytes of shared memory as blocks have; nil where the shape has none, or none fit.
	sizes(p *planner, f *stencil) []int64
	// refusal says why a stencil has no tiles of some sizes, as many as f.space has dimensions and one more; nil where it has. It asks nothing of isl: it is a condition of the axes.
	refusal(p *planner, f *stencil, sizes []int64) error
	// emit gives a class its loops, blocks, threads, barriers and copies.
	emit(m *deviceMapper, class string, f *stencil, sizes []int64) error
}

// stencilShapes are the shapes, in the order of the axis' values, which stands in databases and stays as it is.
var stencilShapes = []stencilShape{
	hexagonShape{},
	overlappedShape{},
}

// HexagonShape is the name of the shape of hexagonal tiles.
const HexagonShape = "hexagon"

// shape is the one that is asked for; nil for none.
func (s Stencil) shape() stencilShape {
	k := slices.IndexFunc(stencilShapes, func(shape stencilShape) bool { return shape.name() == s.Shape })
	if k < 0 {
		return nil
	}
	return stencilShapes[k]
}

// IsAsked says whether a shape is asked for that nothing else may take the place of.
func (s Stencil) IsAsked() bool { return s.shape() != nil }

// WrongSizes says that tiles of a shape do not have as many sizes as are given.
type WrongSizes struct{ Reason string }

func (e *WrongSizes) Error() string { return e.Reason }

// shaped gives a class a shape; done is false where it can have none, and why is among the reasons.
func (m *deviceMapper) shaped(shape stencilShape, class *schedule.Node, active []*depend.Dependence) (done bool, err error) {
	if m.onHost(class.Statements) {
		m.reasons = append(m.reasons, noStencil("the device cannot run all of %s", m.names(class.Statements)))
		return false, nil
	}
	before := len(m.recipe)
	if err = m.withTiles(shape, class, active); err == nil {
		m.withShape++
		return true, nil
	}
	if reason := (*NoStencil)(nil); !errors.As(err, &reason) {
		return false, err
	}
	m.recipe, m.reasons = m.recipe[:before], append(m.reasons, err)
	return false, nil
}

// withTiles gives a class the tiles of a shape.
func (m *deviceMapper) withTiles(shape stencilShape, class *schedule.Node, active []*depend.Dependence) error {
	f, err := m.stencilOf(class.Statements, active)
	if err != nil {
		return err
	}
	sizes, err := m.sizesOf(shape, f)
	if err != nil {
		return err
	}
	return shape.emit(m, class.Name, f, sizes)
}

// sizesOf are the sizes of a stencil's tiles: those that are asked for, or the model's.
func (p *planner) sizesOf(shape stencilShape, f *stencil) ([]int64, error) {
	sizes := p.options.Stencil.Sizes
	switch {
	case len(sizes) == 0 || slices.Equal(sizes, axisSizes(p, f)):
		if sizes = shape.sizes(p, f); sizes == nil {
			return nil, noStencil("no %s of %s fit into the %d bytes that are the limit of a block's shared memory", shape.makes(), p.names(f.statements), inmemory.MostShared)
		}
	case len(sizes) != len(f.space)+1:
		return nil, &WrongSizes{fmt.Sprintf("%s of %s have %d sizes, of time and of each dimension of space, not %d", shape.makes(), p.names(f.statements), len(f.space)+1, len(sizes))}
	}
	return sizes, shape.refusal(p, f, sizes)
}

// hasShape is an error where a shape is asked for and no class has it.
func (m *deviceMapper) hasShape() error {
	shape := m.options.Stencil.shape()
	if shape == nil || m.withShape > 0 {
		return nil
	}
	return fmt.Errorf("there are no %s: %w", shape.makes(), errors.Join(m.reasons...))
}
