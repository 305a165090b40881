package main

import (
	"context"
	"slices"

	"github.com/spf13/pflag"

	"polytune/frontend"
	"polytune/isl"
	"polytune/scop/depend"
)

// privatizeFlag adds --privatize, which is on by default for commands that
// transform. Those that count and show are about the program as it is written.
func (o *targetOptions) privatizeFlag(set *pflag.FlagSet, on bool) {
	set.BoolVar(&o.privatize, "privatize", on, "give temporaries, such as a sum that every iteration begins anew, a copy for each iteration of a loop where that takes dependences away")
}

// privatize gives the region's temporaries private copies. Where isl needs
// too long to find out, they stay as they are.
func privatize(region *frontend.Region) error {
	limited, cancel := context.WithTimeout(context.Background(), attemptLimits.time)
	defer cancel()
	ctx := isl.NewContext()
	defer ctx.Close()
	defer ctx.AbortOn(limited)()
	ctx.SetMaxOperations(attemptLimits.operations)
	model, err := region.Program.Model(ctx)
	if err != nil {
		return err
	}
	private, list, err := depend.Privatize(model, region.Names)
	if isl.IsLimit(err) {
		return nil
	}
	if err != nil {
		return err
	}
	region.OutsideIterators = slices.Clone(region.OutsideIterators)
	for _, p := range list {
		gone := private.Array(p.Array) == nil && !region.Program.Array(p.Array).Local
		if gone && !slices.Contains(region.OutsideIterators, p.Array) {
			region.OutsideIterators = append(region.OutsideIterators, p.Array)
		}
	}
	region.Program = private
	return nil
}
