package main

import (
	"errors"

	"github.com/spf13/pflag"

	"polytune/space"
)

// spaceFlags are the flags that choose a space of partitions.
type spaceFlags struct {
	mode   string
	peel   int
	signed bool
	// cuts are what the user wrote, by the kind of cut.
	cuts map[space.CutKind]*[]string
}

// cutFlags are the flags that cut a space, in the order in which the cuts are
// made.
var cutFlags = []struct {
	kind  space.CutKind
	name  string
	usage string
}{
	{space.Together, "together", "keep `statements` in one class, such as S0,S2; may be repeated, like the other cuts"},
	{space.Apart, "apart", "keep `statements` in different classes, no two of them in one"},
	{space.Before, "before", "keep each of the `statements` in an earlier class than the next"},
	{space.Affine, "cut", "keep `constraints` on the variables that --isl shows, such as \"e_0_1 + e_1_2 <= 1\""},
}

func (f *spaceFlags) flags(set *pflag.FlagSet) {
	set.StringVar(&f.mode, "mode", "exact", "exact or sc10")
	set.IntVar(&f.peel, "max-peel", space.DefaultMaxPeel, "fused statements may be shifted against each other by less than this many iterations")
	set.BoolVar(&f.signed, "signed", false, "loops may also be reversed, or skewed by negative factors, to be fused")
	f.cuts = map[space.CutKind]*[]string{}
	for _, cut := range cutFlags {
		f.cuts[cut.kind] = set.StringArray(cut.name, nil, cut.usage)
	}
}

// options are those of the space of a program with the named statements. A
// command without these flags has the default ones.
func (f *spaceFlags) options(names []string) (space.Options, error) {
	if f.cuts == nil {
		return space.Options{}, nil
	}
	mode, err := space.ParseMode(f.mode)
	if err == nil && f.peel < 1 {
		err = errors.New("--max-peel is at least 1")
	}
	if err != nil {
		return space.Options{}, usageError(err)
	}
	options := space.Options{Mode: mode, MaxPeel: f.peel, Signed: f.signed}
	for _, flag := range cutFlags {
		for _, text := range *f.cuts[flag.kind] {
			cut, err := space.ParseCut(flag.kind, text, names)
			if err != nil {
				return options, usageError(err)
			}
			options.Cuts = append(options.Cuts, cut)
		}
	}
	return options, nil
}
