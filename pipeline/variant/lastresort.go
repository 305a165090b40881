package variant

import (
	"context"

	"polytune/isl"
	"polytune/pipeline"
	"polytune/pipeline/limit"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform"
)

// AsInSource is the variant with the loops of the source, where isl needs too long for what the
// models do, which why says: proven as all variants are, with limits of its own. Where isl needs
// too long even for that, the region's text stays what it is.
func AsInSource(ctx context.Context, t *pipeline.Target, why error) (Variant, space.Nest, error) {
	t.Unit.Program, t.Whole, t.Written, t.Inplace = t.Source, t.Source, t.Source, false
	nest := space.Nest{make(space.Partition, len(t.Source.Statements))}
	v, partition, err := inLoopsOfSource(ctx, t)
	switch {
	case ctx.Err() != nil:
		return v, nest, ctx.Err()
	case isl.IsLimit(err):
		return Variant{Source: t.UsersText(), givenUp: "any change to the region", Why: why}, nest, nil
	case err != nil:
		return v, nest, err
	}
	v.givenUp, v.Why = "tiling and reordering", why
	return v, space.Nest{partition}, nil
}

// SourcePartition is the partition of the loops of the source; where isl needs too long for that,
// all statements are in one class.
func SourcePartition(ctx context.Context, t *pipeline.Target) space.Partition {
	c, _, end := limit.Context(ctx, limit.Last.Of(t.Source), nil)
	defer end()
	if model, err := t.Source.Model(c); err == nil {
		if partition, _, err := transform.Original(model); err == nil {
			return partition
		}
	}
	return make(space.Partition, len(t.Source.Statements))
}

// inLoopsOfSource is the variant with the loops of the source, and its partition.
func inLoopsOfSource(ctx context.Context, t *pipeline.Target) (v Variant, partition space.Partition, err error) {
	c, next, end := limit.Context(ctx, limit.Last.Of(t.Source), nil)
	defer end()
	model, err := t.Source.Model(c)
	if err != nil {
		return v, nil, err
	}
	if partition, v.Recipe, err = transform.Original(model); err != nil {
		return v, nil, err
	}
	next()
	graph, err := depend.Analyze(model)
	if err != nil {
		return v, nil, err
	}
	next()
	v.Explanation = transform.Explanation{Original: true}
	return v, partition, finish(t, &v, graph)
}
