package main

import (
	"errors"

	"github.com/spf13/pflag"

	"polytune/space"
)

// spaceFlags are the flags that choose a space of partitions.
type spaceFlags struct {
	mode string
	peel int
}

func (f *spaceFlags) flags(set *pflag.FlagSet) {
	set.StringVar(&f.mode, "mode", "exact", "exact or sc10")
	set.IntVar(&f.peel, "max-peel", space.DefaultMaxPeel, "fused statements may be shifted against each other by less than this many iterations")
}

// validate refuses what is wrong whatever the program.
func (f *spaceFlags) validate() error {
	if _, err := space.ParseMode(f.mode); err != nil {
		return usageError(err)
	}
	if f.peel < 1 {
		return usageError(errors.New("--max-peel is at least 1"))
	}
	return nil
}

// options are those of the space of a program with the named statements.
func (f *spaceFlags) options(names []string) (space.Options, error) {
	mode, err := space.ParseMode(f.mode)
	return space.Options{Mode: mode, MaxPeel: f.peel}, err
}
