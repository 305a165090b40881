package pipeline

import (
	"polytune/frontend"
	"polytune/pipeline/limit"
	"polytune/scop"
	"polytune/scop/depend"
)

// Inplace says whether temporaries have their values in elements of arrays. As long as it
// is not given, the models decide.
type Inplace struct{ On, Given bool }

// Placed is the target with temporaries in elements of arrays.
func (t *Target) Placed() (*Target, error) {
	at := *t
	at.Inplace = true
	err := at.Change(t.Whole.Room, t.Whole.Reassociate)
	return &at, err
}

// placeTemporaries puts the region's temporaries into elements of arrays.
func placeTemporaries(region *frontend.Region, a *limit.Share) error {
	return withinAttempt(region, a, func(m *scop.Model) error {
		program, err := depend.Place(m)
		if err == nil {
			region.Program = program
		}
		return err
	})
}
