package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"polytune/runner"
)

// driverFlags say what a generated driver cannot know of a function.
type driverFlags struct {
	extents []string
}

func (o *driverFlags) flags(set *pflag.FlagSet) {
	set.StringArrayVar(&o.extents, "extent", nil, "the extents of an array argument, `NAME=N,M`, as C expressions over the function's sizes, outermost first; may be repeated")
}

// options are those of the driver of the target's function.
func (o *driverFlags) options(t *target, w io.Writer) (runner.DriverOptions, error) {
	given := map[string][]string{}
	for _, item := range o.extents {
		name, list, found := strings.Cut(item, "=")
		if !found || name == "" || list == "" {
			return runner.DriverOptions{}, usageError(fmt.Errorf("extents are written NAME=N,M with one expression for each dimension, not %q", item))
		}
		given[name] = strings.Split(list, ",")
	}
	accessed, err := t.accessed(given, w)
	if err != nil {
		return runner.DriverOptions{}, err
	}
	return runner.DriverOptions{HasInit: t.region.HasInit, Extents: given, Accessed: accessed, Seed: dataSeed}, nil
}
