package variant

import (
	"context"
	"errors"
	"maps"
	"slices"

	"polytune/isl"
	"polytune/pipeline"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/space"
	variants "polytune/space/variant"
	"polytune/transform"
	"polytune/transform/facts"
)

// PadAxis is an axis that no model of transform's knows.
var PadAxis = variants.Axis{Name: "pad", About: "which arrays whose rows lie a power of two bytes apart have longer ones in memory of their own: those that are used again and that nothing copies anyway, all that are used again, or none",
	Values: variants.Words(padModel, padAll, padNone), Default: variants.Word(padModel)}

// padModel, padAll and padNone are its values.
const padModel, padAll, padNone = "model", "all", "none"

// pad makes rows longer, in memory of the code's own, of the arrays whose rows lie in few sets of the
// caches in the run that is meant. It is done for those alone whose elements statements use again and
// again, in more loops than the array has dimensions, because bringing them there and back takes as
// long as using them three times. By the model it is for those that an innermost loop of the source
// walks through from row to row, of which nothing uses copies anyway, in which elements lie side by
// side: docs/decisions/0113-longer-rows.md has what that gains.
func (p *Point) pad(ctx context.Context, which variants.Value) error {
	if which == variants.Word(padNone) || p.Target.IsWhole || p.Target.Unit.Program != p.Target.Whole || p.Target.IsOnDevice() || p.Target.IsOnRanks() {
		return nil
	}
	longer := paddings(p.Target)
	if len(longer) > 0 && which == variants.Word(padModel) {
		if err := p.keepWalked(ctx, longer); err != nil {
			return err
		}
	}
	padded := p.Target
	for _, name := range slices.Sorted(maps.Keys(longer)) {
		next, err := padded.Padded(name, longer[name])
		if errors.As(err, new(*depend.StorageError)) {
			continue
		}
		if err != nil {
			return err
		}
		p.Nest = nestWithBringing(p.Nest, padded.Whole, next.Whole)
		padded = next
	}
	p.Target = padded
	return nil
}

// keepWalked leaves those arrays that an innermost loop of the source walks through from row to row,
// and of which the models' code copies no elements.
func (p *Point) keepWalked(ctx context.Context, arrays map[string][]int64) error {
	options := p.Options
	if err := p.Target.Complete(&options); err != nil {
		return err
	}
	err := p.Target.WithGraph(ctx, func(g *depend.Graph) error {
		walked, err := walkedDown(g.Model)
		if err != nil {
			return err
		}
		maps.DeleteFunc(arrays, func(name string, _ []int64) bool { return !walked[name] })
		if len(arrays) == 0 {
			return nil
		}
		recipe, err := transform.TransformNest(g, p.Nest, options)
		for _, c := range recipe {
			delete(arrays, command.CopiedBy(g.Model.Program, c))
		}
		return err
	})
	if isl.IsLimit(err) {
		clear(arrays)
		return nil
	}
	return err
}

// walkedDown are the arrays of which an innermost loop around a statement uses one row after the other,
// where that is in more loops than the array has dimensions.
func walkedDown(m *scop.Model) (map[string]bool, error) {
	walked := map[string]bool{}
	for s := range m.Statements {
		depth := m.Statements[s].Depth()
		if depth == 0 {
			continue
		}
		along := make([]int64, depth)
		along[depth-1] = 1
		for a, access := range m.Statements[s].Statement.Accesses {
			array := m.Program.Array(access.Array)
			if array == nil || depth <= len(array.Extents) || walked[access.Array] {
				continue
			}
			step, err := facts.StepOf(m, s, a, along)
			if err != nil {
				return nil, err
			}
			walked[access.Array] = step.Known && step.Distance() == facts.FarApart
		}
	}
	return walked, nil
}

// CanPad says whether rows of some array of the target can be longer.
func CanPad(t *pipeline.Target) bool { return len(paddings(t)) > 0 }

// paddings are how many elements longer the last dimensions of a target's arrays can be, by their names.
func paddings(t *pipeline.Target) map[string][]int64 {
	longer := map[string][]int64{}
	for _, array := range t.Whole.Arrays {
		if by := padding(t, array); by != nil {
			longer[array.Name] = by
		}
	}
	return longer
}

// padding is how many elements longer an array's last dimensions are to be, nil for none.
func padding(t *pipeline.Target, array scop.Array) []int64 {
	if array.Local || array.Linear || len(array.Extents) < 2 || !isUsedAgain(t.Whole, array) {
		return nil
	}
	extents, err := array.ExtentsAt(t.Run.Parameters)
	if err != nil || array.Size > facts.LineBytes {
		return nil
	}
	longest := outermostInFewSets(int64(array.Size), extents)
	if longest == 0 {
		return nil
	}
	by := slices.Repeat([]int64{1}, len(extents)-longest)
	by[len(by)-1] = facts.LineBytes / int64(array.Size)
	return by
}

// outermostInFewSets is the first dimension but one behind which what an index has lies in few sets,
// where rows inside of it are longer by a line if they would; 0 where there is none.
func outermostInFewSets(size int64, extents []int64) (outermost int) {
	bytes := size
	for d := len(extents) - 1; d > 0; d-- {
		row := bytes * extents[d]
		if row > 0 && row%facts.FewSets == 0 {
			outermost = d
			row += max(bytes, facts.LineBytes)
		}
		bytes = row
	}
	return outermost
}

// isUsedAgain says whether a statement uses the array in more loops than it has dimensions.
func isUsedAgain(p *scop.Program, array scop.Array) bool {
	return slices.ContainsFunc(p.Statements, func(s scop.Statement) bool {
		return s.Depth() > len(array.Extents) && slices.ContainsFunc(s.Accesses, func(a scop.Access) bool { return a.Array == array.Name })
	})
}

// nestWithBringing is the nest of a program in which those statements that another one has besides,
// which bring elements to and fro, run by themselves in front of all others and behind them.
func nestWithBringing(nest space.Nest, before, after *scop.Program) space.Nest {
	for _, s := range after.Statements[len(before.Statements):] {
		isInFront := s.Position[0] < slices.MinFunc(before.Statements, byPosition).Position[0]
		nest = nestWith(nest, isInFront)
	}
	return nest
}

// byPosition compares statements by their places outside of all loops.
func byPosition(a, b scop.Statement) int { return a.Position[0] - b.Position[0] }

// nestWith is a nest with a further statement by itself, in front of all others or behind them.
func nestWith(nest space.Nest, isInFront bool) space.Nest {
	longer := make(space.Nest, len(nest))
	for level, partition := range nest {
		longer[level] = slices.Clone(partition)
		class := 0 // by itself below the outermost level
		switch {
		case level == 0 && isInFront:
			for k := range longer[level] {
				longer[level][k]++
			}
		case level == 0:
			class = slices.Max(longer[level]) + 1
		}
		longer[level] = append(longer[level], class)
	}
	return longer
}
