package pipeline

import (
	"errors"

	"polytune/internal/usage"
	"polytune/space"
)

// SpaceChoice chooses a space of partitions; the zero value stands for the default one.
type SpaceChoice struct {
	// Mode is "exact" or "sc10"; "" and a peel of 0 stand for the default space.
	Mode   string
	Peel   int
	Signed bool
	// Together, apart, before and affine are cuts by their kinds, as their users write them,
	// such as "S0,S2".
	Together, Apart, Before, Affine []string
}

// options are those of the space of a program with the named statements.
func (f *SpaceChoice) options(names []string) (space.Options, error) {
	if f.Mode == "" && f.Peel == 0 {
		return space.Options{}, nil
	}
	mode, err := space.ParseMode(f.Mode)
	if err == nil && f.Peel < 1 {
		err = errors.New("--max-peel is at least 1")
	}
	if err != nil {
		return space.Options{}, usage.Mistake(err)
	}
	options := space.Options{Mode: mode, MaxPeel: f.Peel, Signed: f.Signed}
	for _, of := range []struct {
		kind  space.CutKind
		texts []string
	}{{space.Together, f.Together}, {space.Apart, f.Apart}, {space.Before, f.Before}, {space.Affine, f.Affine}} {
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
