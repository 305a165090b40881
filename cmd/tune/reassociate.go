package main

import "github.com/spf13/pflag"

// reassociateFlag adds --reassociate, which is off by default.
func (o *targetOptions) reassociateFlag(set *pflag.FlagSet) {
	set.BoolVar(&o.reassociate, "reassociate", false, "sums, products, minima and maxima may be computed in any order, so that loops over them can be parallel: floating-point results are rounded differently, and compared with a tolerance")
}
