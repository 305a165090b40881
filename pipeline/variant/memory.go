package variant

import (
	"context"
	"io"
	"maps"
	"reflect"
	"slices"

	"polytune/isl"
	"polytune/pipeline"
	"polytune/runner"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform"
)

// DecidingPartition is the partition by which the models decide about expansion. With
// another one that the user names, nothing is expanded without being asked.
const DecidingPartition = "smart"

// ModelMemory is what temporaries may take that the models expand.
const ModelMemory = 1 << 30

// ExpandWherePays puts the temporaries of targets into elements of arrays, or expands them, and
// says so on w, where more of the deepest statements run in register blocks or vector loops then,
// or in blocks that stay in registers, or where as many do and threads share out the outermost loop
// of more: by the model's transformation with DecidingPartition. Of the two the first is better
// where both are as good, because it takes no memory. Nothing pays without vectors. Where isl needs
// too long, a target stays as it is, and where a shape of stencils is asked for: what copies an array
// out behind the loop over time would be in no tile of it.
func ExpandWherePays(ctx context.Context, o *pipeline.Options, w io.Writer, targets []*pipeline.Target, model *pipeline.ModelOptions, machine runner.Machine) error {
	options, err := model.Options(machine)
	if err != nil || options.Vector.Bits == 0 || model.AsksShape() {
		return err
	}
	for _, t := range targets {
		others, err := otherMemory(o, t)
		if err != nil {
			return t.Failed(err)
		}
		if len(others) == 0 {
			continue
		}
		best, err := bestMemory(ctx, t, others, options)
		if err != nil && !isl.IsLimit(err) {
			return t.Failed(err)
		}
		if err == nil && best != t {
			told := t.AssumedText()
			*t = *best
			t.NoteExpansions(w)
			t.NoteAssumed(w, told)
		}
	}
	return nil
}

// bestMemory is the one among a target and others that runs its deepest statements best, as
// transform.Concurrency compares them, the first of these; and where iterations of outermost loops
// can share the elements of its arrays, the one in which they do.
func bestMemory(ctx context.Context, t *pipeline.Target, others []otherProgram, options transform.Options) (*pipeline.Target, error) {
	best, decided := t, slices.Clip(t.Decided)
	most, sharing, err := concurrency(ctx, t, options)
	if err != nil {
		return nil, err
	}
	for _, other := range others {
		found, shares, err := concurrency(ctx, other.Target, options)
		if err != nil {
			return nil, err
		}
		change := transform.Change{Before: most, After: found, FromMemory: comesFromMemory(other.Target, found, options)}
		decision, err := transform.Pays(nil, other.strategy, "the program", change, options)
		if err != nil {
			return nil, err
		}
		decided = append(decided, decision)
		if decision.Taken {
			best, most, sharing = other.Target, found, shares
		}
	}
	best.Decided = decided
	if maps.Equal(sharing, best.Whole.Sharing()) {
		return best, nil
	}
	shared, err := best.Expanded(best.Whole.Room.With(sharing))
	if err != nil {
		return nil, err
	}
	switch found, _, err := concurrency(ctx, shared, options); {
	case isl.IsLimit(err) || err == nil && found.Beside < most.Beside:
		return best, nil
	case err != nil:
		return nil, err
	}
	return shared, nil
}

// comesFromMemory says whether no cache has the expanded arrays of a target in the run that is
// meant, some made of arrays, although no threads share out the loops for whose iterations they
// have elements: those of one iteration may be in a cache. Covariances of 4096 Kalman filters in 64
// steps, 40 MiB then, take twice as long so on one thread of an AMD Zen 4.
func comesFromMemory(t *pipeline.Target, found transform.Concurrency, options transform.Options) bool {
	isOfArray := func(e scop.Expansion) bool {
		array := t.Written.Array(e.Array)
		return array != nil && len(array.Extents) > 0
	}
	if !found.Whole || found.Shared > 0 || !slices.ContainsFunc(t.Whole.Expansions, isOfArray) {
		return false
	}
	bytes, err := t.Whole.ExpandedBytes(t.Run.Parameters)
	return err == nil && bytes > int64(options.LastCache())
}

// otherProgram is what a strategy would make of a target.
type otherProgram struct {
	strategy string
	*pipeline.Target
}

// otherMemory are the programs among which ExpandWherePays chooses besides that of the target: with
// temporaries in elements of arrays, and in arrays of their own, as far as the user does not say.
// What few instances use stays in variables: memory is slower than what lanes win. Arrays for
// iterations of the outermost loop alone come before those for all that may have them.
func otherMemory(o *pipeline.Options, t *pipeline.Target) (others []otherProgram, err error) {
	if !mayExpand(t) {
		return nil, nil
	}
	if !o.Inplace.Given && !o.Expand.Given {
		placed, err := t.Placed()
		if err != nil {
			return nil, err
		}
		if len(placed.Whole.Placements) > 0 {
			others = append(others, otherProgram{"inplace", placed})
		}
	}
	if !o.Expand.Given {
		var before []scop.Expansion
		for k, room := range []scop.Room{{Bytes: ModelMemory, Outermost: true}, {Bytes: ModelMemory, Sums: true}} {
			list, needsMore, err := t.Expansions(room)
			if err != nil {
				return nil, err
			}
			isOther := !reflect.DeepEqual(list, before)
			if before = list; len(list) == 0 || needsMore || !isOther {
				continue
			}
			expanded, err := t.Expanded(room)
			if err != nil {
				return nil, err
			}
			if len(expanded.Whole.Expansions) > 0 && !expanded.NeedsMoreMemory() {
				others = append(others, otherProgram{[]string{"expand-outermost", "expand"}[k], expanded})
			}
		}
	}
	return others, nil
}

// mayExpand says whether statements in two loops or more use a temporary, or an array that is
// set again.
func mayExpand(t *pipeline.Target) bool {
	return slices.ContainsFunc(t.Written.Statements, func(s scop.Statement) bool {
		return s.Depth() > 1 && slices.ContainsFunc(s.Accesses, func(a scop.Access) bool {
			array := t.Written.Array(a.Array)
			return array.Temporary || t.Written.SetsAgain(array)
		})
	})
}

// concurrency says how the models run the deepest statements, as transform.ConcurrencyOf does, and
// which iterations could share elements of expanded arrays, as transform.SharedElements does.
func concurrency(ctx context.Context, t *pipeline.Target, options transform.Options) (found transform.Concurrency, sharing scop.Sharing, err error) {
	nests, err := t.Choose(ctx, DecidingPartition, 1)
	if err != nil {
		return found, nil, err
	}
	if err = t.Complete(&options); err != nil {
		return found, nil, err
	}
	err = t.WithGraph(ctx, func(g *depend.Graph) error {
		recipe, err := transform.TransformNest(g, nests[0], options)
		if err != nil {
			return err
		}
		if found, err = transform.ConcurrencyOf(g.Model, recipe); err == nil {
			sharing, err = transform.SharedElements(g.Model.Program, recipe)
		}
		return err
	})
	return found, sharing, err
}
