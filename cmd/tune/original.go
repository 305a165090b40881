package main

import (
	"context"
	"fmt"

	"polytune/transform"
	"polytune/tuner"
)

// original is the target's program as it was read, as a point of the space.
func (t *target) original() (tuner.Original, error) {
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
