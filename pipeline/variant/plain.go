package variant

import (
	"cmp"
	"context"
	"fmt"

	"polytune/pipeline"
	"polytune/schedule"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform"
)

// PlainSetting is the setting of the plain variant: the loops of the source, whose statements are
// whole.
var PlainSetting = freeAxis.Name + "=off " + transform.PlainSetting

// OrPlain is a variant of the models, or, where these doubt that it is faster than that, the one
// with the loops of the source, with threads and vectors. What keeps that one from being made
// leaves the first one.
func OrPlain(ctx context.Context, t *pipeline.Target, v Variant, nest space.Nest, options transform.Options) (Variant, space.Nest, error) {
	if t.IsOnDevice() || t.IsOnRanks() || t.Unit.Program != t.Whole { // split statements, which the source has not
		return v, nest, nil
	}
	if err := t.Complete(&options); err != nil {
		return v, nest, err
	}
	lap := pipeline.Watch()
	plainNest, doubt, err := doubtOf(ctx, t, v, options)
	lap(&v.Phases.Transform)
	if err != nil || doubt == "" {
		return v, nest, ctx.Err()
	}
	options.Loops = transform.LoopsSource
	plain, err := tried(ctx, t, plainNest, options)
	if err != nil {
		return v, nest, ctx.Err()
	}
	if err := t.WithGraph(ctx, func(g *depend.Graph) (err error) {
		doubt, err = transform.Doubts(g, v.candidate(), plain.candidate(), options)
		return err
	}); err != nil || doubt == "" {
		return v, nest, ctx.Err()
	}
	plain.doubt = doubt
	plain.Phases.Add(v.Phases)
	plain.Explanation.Programs = v.Explanation.Programs
	return plain, plainNest, nil
}

// doubtOf says why the models' variant may be slower than the plain one, as far as its recipe
// tells, and which nest that has; "" where it is not slower, where both are the same, and where the
// user's constraints forbid the plain one.
func doubtOf(ctx context.Context, t *pipeline.Target, v Variant, options transform.Options) (nest space.Nest, doubt string, err error) {
	err = t.WithGraph(ctx, func(g *depend.Graph) error {
		recipe, partition, err := PlainRecipe(t, g, options)
		if err != nil || recipe == nil || recipe.Text(g.Model.Program) == v.Text {
			return err
		}
		nest = space.Nest{partition}
		doubt, err = transform.Doubts(g, v.candidate(), transform.Candidate{Recipe: recipe}, options)
		return err
	})
	return nest, doubt, cmp.Or(ctx.Err(), err)
}

// PlainRecipe is the recipe of the plain variant, and its partition; nil where the user's
// constraints forbid that.
func PlainRecipe(t *pipeline.Target, g *depend.Graph, options transform.Options) (schedule.Recipe, space.Partition, error) {
	partition, _, err := transform.Original(g.Model)
	if err != nil {
		return nil, nil, err
	}
	s, err := t.Space(g)
	if err != nil {
		return nil, nil, err
	}
	if _, reason := s.Contains(partition); reason != nil {
		return nil, nil, nil
	}
	options.Loops = transform.LoopsSource
	recipe, err := transform.TransformNest(g, space.Nest{partition}, options)
	return recipe, partition, err
}

// candidate is the variant as its worth is estimated.
func (v *Variant) candidate() transform.Candidate {
	c := transform.Candidate{Recipe: v.Recipe, Overheads: map[int]transform.Overhead{}}
	for s, o := range v.Notes.Overheads {
		c.Overheads[s] = transform.Overhead(o)
	}
	return c
}

// DoubtNote says that the variant has the loops of the source, and why; "" for others.
func (v *Variant) DoubtNote() string {
	if v.doubt == "" {
		return ""
	}
	return fmt.Sprintf("keeps the loops of the source, because with those of the models %s; tune finds out by timing both", v.doubt)
}
