package transform

import (
	"errors"
	"fmt"
	"polytune/transform/facts"
	"slices"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/space"
)

// Stencil says how classes that are stencils run on a device.
type Stencil struct {
	// Shape is the name of one of stencilShapes, which at least one class has then, or an error
	// says why none has; PlainShape for the loops of all other classes; "" for what the models
	// think best.
	Shape string
	// Sizes are those of the shape's tiles: of time, and of each dimension of space; nil for the
	// model's.
	Sizes []int64
	// Early has tiles store an element in shared memory as soon as they have written it for the last
	// time, and not at their end.
	Early bool
	// Columns has one thread have all points of a hexagon along the first dimension of space: it
	// reads what it has computed in the step before from registers.
	Columns bool
}

// PlainShape is the name of the shape of classes that are no stencils.
const PlainShape = "plain"

// stencilShape is a way to run a class that is a stencil. Each has a file of its own.
type stencilShape interface {
	// name is the shape's value of the axis "stencil".
	name() string
	// makes says what a class has then, for messages: "hexagonal tiles".
	makes() string
	// sizes are the best ones of a stencil by the model, for as many bytes as planner.room says;
	// nil where the shape has none, or none fit.
	sizes(p *planner, f *stencil) []int64
	// refusal says why a stencil has no tiles of some sizes, as many as f.space has dimensions and
	// one more; nil where it has; nil sizes are those of a stencil of which none fit. It asks
	// nothing of isl: it is a condition of the axes.
	refusal(p *planner, f *stencil, sizes []int64) error
	// emit gives a class its loops, blocks, threads, barriers and copies.
	emit(m *deviceMapper, class string, f *stencil, sizes []int64) error
}

// stencilShapes are the shapes, in the order of the axis' values, which stands in databases and
// stays as it is.
var stencilShapes = []stencilShape{
	hexagonShape{},
	overlappedShape{},
	residentShape{},
	streamedShape{},
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

// shapeReport says how the classes of a program got the shape that is asked for.
type shapeReport struct {
	// given is the number of classes with it, and reasons say why others have none.
	given   int
	reasons []error
	// spare says of which class there are more sizes than it has dimensions; nil where some class
	// has all of them, or none has fewer.
	spare error
	whole bool
}

// add counts a class that was given a shape; done is false where it can have none, and why is among
// the reasons. Other errors stay.
func (s *shapeReport) add(err error) (done bool, _ error) {
	if err == nil {
		s.given++
		return true, nil
	}
	if reason := (*NoStencil)(nil); !errors.As(err, &reason) {
		return false, err
	}
	s.reasons = append(s.reasons, err)
	return false, nil
}

// check is an error where a shape is asked for and no class has it, or no class has so many sizes.
func (s *shapeReport) check(shape stencilShape) error {
	switch {
	case shape == nil:
		return nil
	case s.spare != nil && !s.whole && len(s.reasons) == 0:
		return s.spare
	case s.given > 0 && (s.spare == nil || s.whole):
		return nil
	}
	return fmt.Errorf("there are no %s: %w", shape.makes(), errors.Join(s.reasons...))
}

// shaped gives a class a shape on a device; done is false where it can have none.
func (m *deviceMapper) shaped(shape stencilShape, class *schedule.Node, active []*depend.Dependence) (done bool, err error) {
	before := len(m.recipe)
	if err = m.runsAll(class.Statements); err == nil {
		err = m.withTiles(shape, class, active)
	}
	if done, err = m.shapes.add(err); !done {
		m.recipe = m.recipe[:before]
	}
	return done, err
}

// withTiles gives a class the tiles of a shape.
func (m *deviceMapper) withTiles(shape stencilShape, class *schedule.Node, active []*depend.Dependence) error {
	f, err := stencilOf(m.graph, class.Statements, active)
	if err != nil {
		return err
	}
	sizes, err := m.sizesOf(shape, f, &m.shapes)
	if err != nil {
		return err
	}
	return shape.emit(m, class.Name, f, sizes)
}

// noneFit says that a shape has no tiles of a stencil.
func noneFit(p *planner, shape stencilShape, f *stencil) error {
	return noStencil("no %s of %s fit into %s", shape.makes(), p.graph.Model.Names(f.statements), roomText(&p.options))
}

// sizesOf are the sizes of a stencil's tiles: those that are asked for, or the model's. Classes of
// fewer dimensions than others have the first of them.
func (p *planner) sizesOf(shape stencilShape, f *stencil, report *shapeReport) ([]int64, error) {
	sizes, count := p.options.Stencil.Sizes, len(f.space)+1
	report.whole = report.whole || len(sizes) == count
	if len(sizes) == 0 || slices.Equal(sizes, axisSizes(p, f)) {
		sizes = shape.sizes(p, f)
		return sizes, shape.refusal(p, f, sizes)
	}
	wrong := &WrongSizes{fmt.Sprintf("%s of %s have %d sizes, of time and of each dimension of space, not %d", shape.makes(), p.graph.Model.Names(f.statements), count, len(sizes))}
	if len(sizes) < count {
		return nil, wrong
	}
	if len(sizes) > count {
		report.spare = wrong
	}
	return sizes[:count], shape.refusal(p, f, sizes[:count])
}

// room is the number of bytes that a tile's data should have at most: of a block's shared memory,
// or of the cache of a processor.
func room(o *Options) int64 {
	if o.Device != nil {
		return o.Device.mostShared()
	}
	return int64(max(o.CacheBytes, facts.LeastCache))
}

// roomText says what room is, and how large.
func roomText(o *Options) string {
	if o.Device != nil {
		return fmt.Sprintf("the limit of a block's shared memory, %d bytes", room(o))
	}
	return fmt.Sprintf("the cache, %d bytes", room(o))
}

// SourceLoops is the partition in which statements share a class that share an outermost loop of
// the source.
func SourceLoops(program *scop.Program) space.Partition {
	classes, partition := map[int]int{}, make(space.Partition, len(program.Statements))
	for s := range program.Statements {
		loop := program.Statements[s].Position[0]
		if _, known := classes[loop]; !known {
			classes[loop] = len(classes)
		}
		partition[s] = classes[loop]
	}
	return partition
}
