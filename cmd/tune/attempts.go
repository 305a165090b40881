package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/space"
	"polytune/transform"
)

// variant transforms the target by the models. Where isl does not get through
// with what the options ask for, as with tiles of skewed loops with strides,
// simpler ones take their place.
func (t *target) variant(ctx context.Context, nest space.Nest, options transform.Options) (variant, error) {
	return t.firstVariant(ctx, nest, options, isl.IsLimit)
}

// chosenVariant is variant for what the models chose alone: a fault in what they
// made, such as a schedule that its proof refuses, costs speed there, and
// is no reason to leave the user without a program.
func (t *target) chosenVariant(ctx context.Context, nest space.Nest, options transform.Options) (variant, error) {
	return t.firstVariant(ctx, nest, options, func(error) bool { return ctx.Err() == nil })
}

// firstVariant is that of the first attempt that succeeds, as long as errors are ones to go on after.
func (t *target) firstVariant(ctx context.Context, nest space.Nest, options transform.Options, goesOn func(error) bool) (variant, error) {
	if err := t.complete(&options); err != nil {
		return variant{}, err
	}
	at := *t
	at.share = cmp.Or(t.share, newTimeShare(t.source))
	return firstToSucceed(attempts(options), goesOn, func(options transform.Options) (variant, error) {
		if options.Original {
			at.share = &timeShare{lastLimits.of(t.source).time}
		}
		return at.attempt(ctx, nest, options)
	})
}

// firstToSucceed is the variant of the first attempt that does not fail, as long as
// errors are ones to go on after. Where none is left the error is that of the attempt
// after which others could only be simpler: the first one, or the last that isl did not get
// through with.
func firstToSucceed(list []attempt, goesOn func(error) bool, try func(transform.Options) (variant, error)) (v variant, err error) {
	var why error
	for _, attempt := range list {
		before := v
		v, err = try(attempt.options)
		v.givenUp, v.why = attempt.givenUp, why
		v.phases.add(before.phases)
		v.explanation.Programs = slices.Concat(before.explanation.Programs, v.explanation.Programs)
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

// note says what the variant does without, or "".
func (v *variant) note() string {
	if v.givenUp == "" {
		return ""
	}
	reason := "for which isl needs too long"
	if !isl.IsLimit(v.why) {
		reason = "which failed by a fault of tune's own; please report it with the file"
	}
	return fmt.Sprintf("without %s, %s: %v", v.givenUp, reason, v.why)
}
