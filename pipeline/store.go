package pipeline

import (
	"context"
	"slices"

	"polytune/pipeline/limit"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
)

// stored is the target with the elements of arrays at the places that a recipe's text says.
func (t *Target) stored(text string) (*Target, error) {
	at := *t
	for _, line := range command.Storing(text) {
		s, err := line.Read(at.Whole)
		if err != nil {
			return nil, err
		}
		if err := at.store(s); err != nil {
			return nil, line.Failed(err)
		}
	}
	return &at, nil
}

// Padded is the target with longer rows of an array, in memory of the code's own. The error is a
// *depend.StorageError where it cannot have any.
func (t *Target) Padded(array string, by []int64) (*Target, error) {
	at := *t
	s, err := at.Whole.Pad(array, by)
	if err == nil {
		err = at.store(s)
	}
	return &at, err
}

// store has the elements of an array at other places. Where these are few, iterations of loops have
// their own if that is wanted of temporaries.
func (t *Target) store(s scop.Storage) error {
	if err := t.place(s); err != nil || !t.Privatize {
		return err
	}
	err := t.privatize()
	t.Whole = t.Unit.Program
	return err
}

func (t *Target) place(s scop.Storage) error {
	before := t.Whole
	made := func(w *Workplace) (*scop.Model, error) { return w.model(before) }
	return within(context.Background(), t.Place, limit.Memory.Of(before), t.Share, made, func(m *scop.Model, _ func()) error {
		program, err := depend.Store(m, s, t.Unit.Taken)
		if err != nil {
			return err
		}
		t.Whole, t.Unit.Program = program, program
		if array := before.Array(s.Array); program.Array(s.Array) == nil && !array.Local {
			t.Unit.Unused = append(slices.Clip(t.Unit.Unused), s.Array)
		}
		return nil
	})
}
