package pipeline

import (
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

// placeTemporaries puts the target's temporaries into elements of arrays.
func (t *Target) placeTemporaries() error {
	return t.withinAttempt(func(m *scop.Model) error {
		program, err := depend.Place(m)
		if err == nil {
			t.Unit.Program = program
		}
		return err
	})
}
