package main

import (
	"slices"

	"github.com/spf13/pflag"

	"polytune/frontend"
	"polytune/scop"
	"polytune/scop/depend"
)

// privatizeFlag adds --privatize, which is on by default for commands that
// transform. Those that count and show are about the program as it is written.
func (o *targetOptions) privatizeFlag(set *pflag.FlagSet, on bool) {
	set.BoolVar(&o.privatize, "privatize", on, "give temporaries, such as a sum that every iteration begins anew, a copy for each iteration of a loop where that takes dependences away")
}

// privatize gives the region's temporaries private copies.
func privatize(region *frontend.Region, a *timeShare) error {
	return withinAttempt(region, a, func(m *scop.Model) error {
		private, list, err := depend.Privatize(m, region.Names)
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
	})
}
