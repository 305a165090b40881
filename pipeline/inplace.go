package pipeline

import (
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

// placeTemporaries puts the unit's temporaries into elements of arrays.
func placeTemporaries(unit *scop.Unit, a *limit.Share) error {
	return withinAttempt(unit, a, func(m *scop.Model) error {
		program, err := depend.Place(m)
		if err == nil {
			unit.Program = program
		}
		return err
	})
}
