package main

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"

	"polytune/isl"
	"polytune/schedule"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform"
)

// plainSetting is the setting of the plain variant: the loops of the source, whose statements are whole.
var plainSetting = freeAxis.Name + "=off " + transform.PlainSetting

// isDefault says whether the flags leave all to the models.
func (o *modelOptions) isDefault() bool {
	return o.model == "" && o.tile == "" && o.point == "" && o.start == startOptions{} && !o.second && o.degrees == 1 &&
		o.coefficientBound == transform.DefaultCoefficientBound
}

// orPlain is a variant of the models, or, where these doubt that it is faster than that, the one with the loops of the source, with threads and
// vectors. What keeps that one from being made leaves the first one.
func (t *target) orPlain(ctx context.Context, v variant, nest space.Nest, options transform.Options) (variant, space.Nest, error) {
	if t.region.Program != t.whole { // split statements, which the source has not
		return v, nest, nil
	}
	if err := t.complete(&options); err != nil {
		return v, nest, err
	}
	lap := watch()
	plainNest, doubt, err := t.doubt(ctx, v, options)
	lap(&v.phases.transform)
	if err != nil || doubt == "" {
		return v, nest, ctx.Err()
	}
	options.Loops = transform.LoopsSource
	plain, err := t.attempt(ctx, plainNest, options)
	if err != nil {
		return v, nest, ctx.Err()
	}
	if err := t.withGraph(ctx, func(g *depend.Graph) (err error) {
		doubt, err = transform.Doubts(g, v.candidate(), plain.candidate(), options)
		return err
	}); err != nil || doubt == "" {
		return v, nest, ctx.Err()
	}
	plain.doubt = doubt
	plain.phases.add(v.phases)
	plain.explanation.Programs = v.explanation.Programs
	return plain, plainNest, nil
}

// doubt says why the models' variant may be slower than the plain one, as far as its recipe tells, and which nest that has; "" where it is not slower, where both are the same,
// and where the user's constraints forbid the plain one.
func (t *target) doubt(ctx context.Context, v variant, options transform.Options) (nest space.Nest, doubt string, err error) {
	err = t.withGraph(ctx, func(g *depend.Graph) error {
		recipe, partition, err := t.plainRecipe(g, options)
		if err != nil || recipe == nil || recipe.Text(g.Model.Program) == v.text {
			return err
		}
		nest = space.Nest{partition}
		doubt, err = transform.Doubts(g, v.candidate(), transform.Candidate{Recipe: recipe}, options)
		return err
	})
	return nest, doubt, cmp.Or(ctx.Err(), err)
}

// plainRecipe is the recipe of the plain variant, and its partition; nil where the user's constraints forbid that.
func (t *target) plainRecipe(g *depend.Graph, options transform.Options) (schedule.Recipe, space.Partition, error) {
	partition, _, err := transform.Original(g.Model)
	if err != nil {
		return nil, nil, err
	}
	s, err := t.space(g)
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

// plainPartition is the partition of the plain variant, nil where that cannot be made, and where the models' default for it is the same.
func (p *probe) plainPartition(ctx context.Context, options transform.Options) (partition space.Partition, err error) {
	if p.target.region.Program != p.target.whole {
		return nil, nil
	}
	if err := p.target.complete(&options); err != nil {
		return nil, err
	}
	err = p.target.withGraph(ctx, func(g *depend.Graph) error {
		recipe, original, err := p.target.plainRecipe(g, options)
		if err != nil || recipe == nil {
			return err
		}
		for k, known := range p.partitions {
			if slices.Equal(known, original) && reflect.DeepEqual(p.byDefault[k], recipe) {
				return nil
			}
		}
		partition = original
		return nil
	})
	if isl.IsLimit(err) {
		return nil, nil
	}
	return partition, err
}

// candidate is the variant as its worth is estimated.
func (v *variant) candidate() transform.Candidate {
	c := transform.Candidate{Recipe: v.recipe, Overheads: map[int]transform.Overhead{}}
	for s, o := range v.notes.Overheads {
		c.Overheads[s] = transform.Overhead(o)
	}
	return c
}

// doubtNote says that the variant has the loops of the source, and why; "" for others.
func (v *variant) doubtNote() string {
	if v.doubt == "" {
		return ""
	}
	return fmt.Sprintf("keeps the loops of the source, because with those of the models %s; tune finds out by timing both", v.doubt)
}
