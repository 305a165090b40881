package main

import (
	"context"

	"polytune/isl"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform"
)

// asInSource is the variant with the loops of the source, where isl needs too long for what the models do, which why says: proven as
// all variants are, with limits of its own. Where isl needs too long even for that, the region's text stays what it is.
func (t *target) asInSource(ctx context.Context, why error) (variant, space.Nest, error) {
	region := *t.region
	region.Program = t.source
	t.region, t.whole, t.written, t.inplace = &region, t.source, t.source, false
	nest := space.Nest{make(space.Partition, len(t.source.Statements))}
	v, partition, err := t.inLoopsOfSource(ctx)
	switch {
	case ctx.Err() != nil:
		return v, nest, ctx.Err()
	case isl.IsLimit(err):
		return variant{source: t.file.Source, givenUp: "any change to the region", why: why}, nest, nil
	case err != nil:
		return v, nest, err
	}
	v.givenUp, v.why = "tiling and reordering", why
	return v, space.Nest{partition}, nil
}

// sourcePartition is the partition of the loops of the source; where isl needs too long for that, all statements are in one class.
func (t *target) sourcePartition(ctx context.Context) space.Partition {
	c, _, end := limitedContext(ctx, lastLimits.of(t.source), nil)
	defer end()
	if model, err := t.source.Model(c); err == nil {
		if partition, _, err := transform.Original(model); err == nil {
			return partition
		}
	}
	return make(space.Partition, len(t.source.Statements))
}

// isUnchanged says whether the variant is the region as it is written, without a recipe.
func (v *variant) isUnchanged() bool { return v.recipe == nil }

// inLoopsOfSource is the variant with the loops of the source, and its partition.
func (t *target) inLoopsOfSource(ctx context.Context) (v variant, partition space.Partition, err error) {
	c, next, end := limitedContext(ctx, lastLimits.of(t.source), nil)
	defer end()
	model, err := t.source.Model(c)
	if err != nil {
		return v, nil, err
	}
	if partition, v.recipe, err = transform.Original(model); err != nil {
		return v, nil, err
	}
	next()
	graph, err := depend.Analyze(model)
	if err != nil {
		return v, nil, err
	}
	next()
	v.explanation = transform.Explanation{Original: true}
	return v, partition, t.finish(&v, graph)
}
