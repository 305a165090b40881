package main

import (
	"polytune/frontend"
	"polytune/scop"
	"polytune/scop/depend"
)

// inplace says whether temporaries have their values in elements of arrays. As long as it
// is not given, the models decide.
type inplace struct{ on, given bool }

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
