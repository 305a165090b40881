package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"

	"polytune/internal/usage"
	"polytune/isl"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/scop/split"
	"polytune/space"
	"polytune/target/registry"
)

// RecipePartition is the class vector that a recipe begins with: a recipe
// without the command "classes" has the nests that it makes, or all statements
// in one class where it cannot be applied.
func RecipePartition(recipe schedule.Recipe, p *scop.Program) space.Partition {
	partition := make(space.Partition, len(p.Statements))
	if tree, err := recipe.Replay(p); err == nil && tree.Unclaimed {
		for number, class := range tree.Classes {
			for _, statement := range class.Statements {
				partition[statement] = number
			}
		}
	}
	for _, c := range recipe {
		classes, ok := c.(command.Classes)
		if !ok {
			continue
		}
		for number, group := range classes.Groups {
			for _, statement := range group {
				partition[statement] = number
			}
		}
	}
	return partition
}

// Splitting say whether statements are divided where long dependences are
// symmetric (index-set splitting).
type Splitting struct{ On, Off bool }

// Apply splits the statements of the targets where that is wanted and
// possible, and says on w why it is not.
func (o *Splitting) Apply(ctx context.Context, w io.Writer, targets []*Target) error {
	switch {
	case o.On && o.Off:
		return usage.Mistake(errors.New("--iss and --no-iss contradict each other; give one"))
	case !o.On:
		for _, t := range targets {
			t.IsWhole = o.Off
		}
		return nil
	}
	for _, t := range targets {
		lap := Watch()
		found, err := t.Cuts(ctx)
		lap(&t.Spent.Transform)
		switch {
		case isl.IsLimit(err):
			fmt.Fprintf(w, "tune: %s: without index-set splitting, for which isl needs too long\n", t.Name)
			continue
		case err != nil:
			return fmt.Errorf("%s: index-set splitting: %w", t.Name, err)
		case len(found.Cuts) == 0:
			fmt.Fprintf(w, "tune: %s: index-set splitting does not apply: %s\n", t.Name, found.Why())
			continue
		}
		if err := t.Cut(found.Cuts); err != nil {
			return fmt.Errorf("%s: index-set splitting: %w", t.Name, err)
		}
	}
	return nil
}

// Cuts are where the target's statements can be split.
func (t *Target) Cuts(ctx context.Context) (found *split.Found, err error) {
	err = t.WithGraph(ctx, func(g *depend.Graph) error {
		found, err = split.Find(g)
		return err
	})
	return found, err
}

// Cut splits the target's statements.
func (t *Target) Cut(cuts []scop.Cut) error {
	program, err := split.Program(t.Whole, cuts)
	if err != nil {
		return err
	}
	t.Unit.Program = program
	return nil
}

// ReadRecipe reads a recipe, which says itself how statements are split, which
// memory temporaries have, and whether reductions may be done in any order: the
// target that it is returned with has its statements in these pieces.
func (t *Target) ReadRecipe(text string) (*Target, schedule.Recipe, error) {
	at, err := t.changedBy(text)
	if err != nil {
		return nil, nil, err
	}
	recipe, err := command.Parse(at.Unit.Program, text)
	if err != nil {
		return at, nil, err
	}
	at.Unit.Program = recipe.Program(at.Unit.Program)
	on, name := schedule.Processors, registry.Processors
	switch {
	case t.IsOnDevice():
		on, name = schedule.Devices, t.On.Name()
	case t.IsOnRanks():
		on, name = schedule.OnRanks, t.On.Name()
	}
	return at, recipe, command.All.CheckFor(text, on, name)
}
