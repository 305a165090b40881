package main

import (
	"context"
	"fmt"

	"polytune/isl"
	"polytune/space"
	"polytune/transform"
	"polytune/tuner"
)

// asWritten stands for the recipe of a program as it is written where no commands say that.
const asWritten = "as written\n"

// original is the target's program as it was read, as a point of the space; where isl needs too long
// to say which, asWritten, with all statements in one class.
func (t *target) original() (tuner.Original, error) {
	o, err := t.modelledOriginal()
	if isl.IsLimit(err) {
		return tuner.Original{Partition: make(space.Partition, len(t.source.Statements)), Recipe: asWritten}, nil
	}
	return o, err
}

func (t *target) modelledOriginal() (tuner.Original, error) {
	ctx, _, end := limitedContext(context.Background(), attemptLimits.of(t.source), nil)
	defer end()
	model, err := t.source.Model(ctx)
	if err != nil {
		return tuner.Original{}, err
	}
	partition, recipe, err := transform.Original(model)
	if err != nil {
		return tuner.Original{}, fmt.Errorf("%s: the loops as they are written: %w", t.name, err)
	}
	return tuner.Original{Partition: partition, Recipe: recipe.Text(t.source)}, nil
}
