package main

import (
	"errors"

	"polytune/internal/usage"
	"polytune/space"
)

// spaceChoice chooses a space of partitions; the zero value stands for the default one.
type spaceChoice struct {
	// mode is "exact" or "sc10"; "" and a peel of 0 stand for the default space.
	mode   string
	peel   int
	signed bool
	// together, apart, before and affine are cuts by their kinds, as their users write them,
	// such as "S0,S2".
	together, apart, before, affine []string
}

// options are those of the space of a program with the named statements.
func (f *spaceChoice) options(names []string) (space.Options, error) {
	if f.mode == "" && f.peel == 0 {
		return space.Options{}, nil
	}
	mode, err := space.ParseMode(f.mode)
	if err == nil && f.peel < 1 {
		err = errors.New("--max-peel is at least 1")
	}
	if err != nil {
		return space.Options{}, usage.Mistake(err)
	}
	options := space.Options{Mode: mode, MaxPeel: f.peel, Signed: f.signed}
	for _, of := range []struct {
		kind  space.CutKind
		texts []string
	}{{space.Together, f.together}, {space.Apart, f.apart}, {space.Before, f.before}, {space.Affine, f.affine}} {
		for _, text := range of.texts {
			cut, err := space.ParseCut(of.kind, text, names)
			if err != nil {
				return options, usage.Mistake(err)
			}
			options.Cuts = append(options.Cuts, cut)
		}
	}
	return options, nil
}
