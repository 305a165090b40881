package variant

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/pipeline"
	"polytune/pipeline/limit"
	"polytune/space"
	"polytune/transform"
)

// noShape says that a shape that was asked for meets a limit. It is no limit itself, after which
// others would do something else.
type noShape struct{ reason string }

func (e *noShape) Error() string { return e.reason }

// metBy is an error of a computation for a shape that is asked for, which names the limit that it
// met, if it did.
func metBy(ctx context.Context, t *pipeline.Target, err error) error {
	if !isl.IsLimit(err) || ctx.Err() != nil {
		return err
	}
	return &noShape{fmt.Sprintf("tiles in time and space meet %s: %v; try other sizes", limit.Name(t.Source, err), err)}
}

// Of transforms the target by the models. Where isl does not get through
// with what the options ask for, as with tiles of skewed loops with strides,
// simpler ones take their place, but for a shape of stencils that is asked for.
func Of(ctx context.Context, t *pipeline.Target, nest space.Nest, options transform.Options) (Variant, error) {
	return first(ctx, t, nest, options, isl.IsLimit)
}

// Chosen is variant for what the models chose alone: a fault in what they
// made, such as a schedule that its proof refuses, costs speed there, and
// is no reason to leave the user without a program.
func Chosen(ctx context.Context, t *pipeline.Target, nest space.Nest, options transform.Options) (Variant, error) {
	return first(ctx, t, nest, options, func(error) bool { return ctx.Err() == nil })
}

// first is that of the first attempt that succeeds, as long as errors are ones to go on after.
func first(ctx context.Context, t *pipeline.Target, nest space.Nest, options transform.Options, goesOn func(error) bool) (Variant, error) {
	if err := t.Complete(&options); err != nil {
		return Variant{}, err
	}
	at := *t
	at.Share = cmp.Or(t.Share, limit.NewShare(t.Source))
	if options.Stencil.IsAsked() {
		v, err := tried(ctx, &at, nest, options)
		return v, metBy(ctx, t, err)
	}
	return firstToSucceed(attempts(options), goesOn, func(options transform.Options) (Variant, error) {
		if options.Original {
			at.Share = &limit.Share{Left: limit.Last.Of(t.Source).Time}
		}
		return tried(ctx, &at, nest, options)
	})
}

// firstToSucceed is the variant of the first attempt that does not fail, as long as
// errors are ones to go on after. Where none is left the error is that of the attempt
// after which others could only be simpler: the first one, or the last that isl did not get
// through with.
func firstToSucceed(list []attempt, goesOn func(error) bool, try func(transform.Options) (Variant, error)) (v Variant, err error) {
	var why error
	for _, attempt := range list {
		before := v
		v, err = try(attempt.options)
		v.givenUp, v.Why = attempt.givenUp, why
		v.Phases.Add(before.Phases)
		v.Explanation.Programs = slices.Concat(before.Explanation.Programs, v.Explanation.Programs)
		if err == nil || !goesOn(err) {
			return v, err
		}
		if why == nil || isl.IsLimit(why) {
			why = err
		}
	}
	return v, why
}

// attempt are options, and what they give up of those asked for.
type attempt struct {
	options transform.Options
	givenUp string
}

// attempts are the options and simpler ones, in the order in which they are
// tried.
func attempts(options transform.Options) []attempt {
	list := []attempt{{options, ""}}
	if options.Diamond == transform.DiamondFull {
		options.Diamond = transform.DiamondOne
		list = append(list, attempt{options, "diamond tiling along all dimensions"})
	}
	if options.Diamond == transform.DiamondOne {
		options.Diamond = transform.DiamondOff
		list = append(list, attempt{options, "diamond tiling"})
	}
	options.Tile = transform.Tiling{None: true}
	list = append(list, attempt{options, "tiling"})
	options.Original = true
	return append(list, attempt{options, "tiling and reordering"})
}

// Note says what the variant does without, or "".
func (v *Variant) Note() string {
	if v.givenUp == "" {
		return ""
	}
	reason := "for which isl needs too long"
	if !isl.IsLimit(v.Why) {
		reason = "which failed by a fault of tune's own; please report it with the file"
	}
	return fmt.Sprintf("without %s, %s: %v", v.givenUp, reason, v.Why)
}
