package pipeline

import (
	"context"
	"fmt"

	"polytune/isl"
	"polytune/pipeline/limit"
	"polytune/space"
	"polytune/transform"
	"polytune/tuner"
)

// AsWritten stands for the recipe of a program as it is written where no commands say that.
const AsWritten = "as written\n"

// Original is the target's program as it was read, as a point of the space; where isl needs too
// long to say which, AsWritten, with all statements in one class.
func (t *Target) Original() (tuner.Original, error) {
	o, err := t.modelledOriginal()
	if isl.IsLimit(err) {
		return tuner.Original{Partition: make(space.Partition, len(t.Source.Statements)), Recipe: AsWritten}, nil
	}
	return o, err
}

func (t *Target) modelledOriginal() (tuner.Original, error) {
	ctx, _, end := limit.Context(context.Background(), limit.Attempt.Of(t.Source), nil)
	defer end()
	model, err := t.Source.Model(ctx)
	if err != nil {
		return tuner.Original{}, err
	}
	partition, recipe, err := transform.Original(model)
	if err != nil {
		return tuner.Original{}, fmt.Errorf("%s: the loops as they are written: %w", t.Name, err)
	}
	return tuner.Original{Partition: partition, Recipe: recipe.Text(t.Source)}, nil
}
