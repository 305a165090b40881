package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"polytune/internal/usage"
	"polytune/isl"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/scop/split"
)

// splitting say whether statements are divided where long dependences are
// symmetric (index-set splitting).
type splitting struct{ on, off bool }

// apply splits the statements of the targets where that is wanted and
// possible, and says on w why it is not.
func (o *splitting) apply(ctx context.Context, w io.Writer, targets []*target) error {
	switch {
	case o.on && o.off:
		return usage.Mistake(errors.New("--iss and --no-iss contradict each other; give one"))
	case !o.on:
		for _, t := range targets {
			t.isWhole = o.off
		}
		return nil
	}
	for _, t := range targets {
		lap := watch()
		found, err := t.cuts(ctx)
		lap(&t.spent.transform)
		switch {
		case isl.IsLimit(err):
			fmt.Fprintf(w, "tune: %s: without index-set splitting, for which isl needs too long\n", t.name)
			continue
		case err != nil:
			return fmt.Errorf("%s: index-set splitting: %w", t.name, err)
		case len(found.Cuts) == 0:
			fmt.Fprintf(w, "tune: %s: index-set splitting does not apply: %s\n", t.name, found.Why())
			continue
		}
		if err := t.cut(found.Cuts); err != nil {
			return fmt.Errorf("%s: index-set splitting: %w", t.name, err)
		}
	}
	return nil
}

// cuts are where the target's statements can be split.
func (t *target) cuts(ctx context.Context) (found *split.Found, err error) {
	err = t.withGraph(ctx, func(g *depend.Graph) error {
		found, err = split.Find(g)
		return err
	})
	return found, err
}

// cut splits the target's statements.
func (t *target) cut(cuts []scop.Cut) error {
	program, err := split.Program(t.whole, cuts)
	if err != nil {
		return err
	}
	region := *t.region
	region.Program = program
	t.region = &region
	return nil
}

// readRecipe reads a recipe, which says itself how statements are split, which
// memory temporaries have, and whether reductions may be done in any order: the
// target that it is returned with has its statements in these pieces.
func (t *target) readRecipe(text string) (*target, schedule.Recipe, error) {
	if schedule.IsUntiled(text) != (len(t.written.Untiled) > 0) {
		other, err := t.tiledAs(text)
		if err != nil {
			return nil, nil, err
		}
		t = other
	}
	if schedule.IsInplace(text) && !t.inplace {
		placed, err := t.placed()
		if err != nil {
			return nil, nil, err
		}
		t = placed
	}
	if asked := schedule.Expands(text).Room; asked.Bytes > 0 && !asked.Equal(t.whole.Room) {
		expanded, err := t.expanded(asked)
		if err != nil {
			return nil, nil, err
		}
		t = expanded
	}
	at := *t
	region, whole := *t.region, *t.whole
	whole.Reassociate = schedule.Reassociates(text)
	at.whole, region.Program = &whole, &whole
	at.region = &region
	cuts, err := schedule.ParseCuts(t.whole, text)
	if err != nil {
		return nil, nil, err
	}
	if len(cuts) > 0 {
		if err := at.cut(cuts); err != nil {
			return nil, nil, err
		}
	}
	recipe, err := schedule.Parse(at.region.Program, text)
	return &at, recipe, err
}
