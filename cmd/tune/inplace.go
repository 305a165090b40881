package main

import (
	"strconv"

	"github.com/spf13/pflag"

	"polytune/frontend"
	"polytune/scop"
	"polytune/scop/depend"
)

// inplaceFlag says whether temporaries have their values in elements of arrays. As long as it
// is not given, the models decide.
type inplaceFlag struct{ on, given bool }

func (f *inplaceFlag) Type() string { return "bool" }

func (f *inplaceFlag) String() string { return strconv.FormatBool(f.on) }

func (f *inplaceFlag) Set(text string) error {
	on, err := strconv.ParseBool(text)
	*f = inplaceFlag{on, true}
	return err
}

// inplaceFlag adds --inplace.
func (o *targetOptions) inplaceFlag(set *pflag.FlagSet) {
	set.Var(&o.inplace, "inplace", "keep temporaries that are assigned to an array's element in the end in this element from the beginning, where nothing needs its own value meanwhile; by default where that pays, as for --expand, which takes memory for the same")
	set.Lookup("inplace").NoOptDefVal, set.Lookup("inplace").DefValue = "true", "where it pays"
}

// placed is the target with temporaries in elements of arrays.
func (t *target) placed() (*target, error) {
	at := *t
	at.inplace = true
	err := at.change(t.whole.Room, t.whole.Reassociate)
	return &at, err
}

// placeTemporaries puts the region's temporaries into elements of arrays.
func placeTemporaries(region *frontend.Region, a *timeShare) error {
	return withinAttempt(region, a, func(m *scop.Model) error {
		program, err := depend.Place(m)
		if err == nil {
			region.Program = program
		}
		return err
	})
}

// placementReport is a temporary in the JSON document of tune transform that has its values in elements of an array.
type placementReport struct {
	Array   string `json:"array"`
	Element string `json:"element"`
}

func reportPlacements(p *scop.Program) (list []placementReport) {
	for _, l := range p.Placements {
		list = append(list, placementReport{l.Array, l.Element})
	}
	return list
}
