package pipeline

import (
	"polytune/schedule/command"
	"polytune/scop"
)

// change is what makes another program of a target's: lines of a recipe, and the programs that they
// begin from.
type change struct {
	whole, written *scop.Program
	inplace        bool
	lines          string
}

// changedBy is the target with the program that a recipe's text is for: with its loops over tiles or
// without, its temporaries' memory, its reductions' order, its arrays' places and its statements'
// pieces. Where the target has a workplace, the same lines make the same program again, whose
// dependences are known there then.
func (t *Target) changedBy(text string) (*Target, error) {
	asked := change{t.Whole, t.Written, t.Inplace, command.Changes(text)}
	if known := t.Place.changed(asked); known != nil {
		at := *t
		at.Unit, at.Whole, at.Written, at.Inplace = known.Unit, known.Whole, known.Written, known.Inplace
		return &at, nil
	}
	at, err := t.change(text)
	if err == nil {
		t.Place.note(asked, at)
	}
	return at, err
}

// change makes what changedBy says.
func (t *Target) change(text string) (*Target, error) {
	if command.IsUntiled(text) != (len(t.Written.Untiled) > 0) {
		other, err := t.tiledAs(text)
		if err != nil {
			return nil, err
		}
		t = other
	}
	if command.IsInplace(text) && !t.Inplace {
		placed, err := t.Placed()
		if err != nil {
			return nil, err
		}
		t = placed
	}
	if asked := command.Expands(text).Room; asked.Bytes > 0 && !asked.Equal(t.Whole.Room) {
		expanded, err := t.Expanded(asked)
		if err != nil {
			return nil, err
		}
		t = expanded
	}
	at := *t
	whole := *t.Whole
	whole.Reassociate = command.Reassociates(text)
	at.Whole, at.Unit.Program = &whole, &whole
	stored, err := at.stored(text)
	if err != nil {
		return nil, err
	}
	return stored, stored.cutAs(text)
}

// cutAs splits the target's statements as a recipe's text says.
func (t *Target) cutAs(text string) error {
	cuts, err := command.ParseCuts(t.Whole, text)
	if err != nil || len(cuts) == 0 {
		return err
	}
	return t.Cut(cuts)
}
