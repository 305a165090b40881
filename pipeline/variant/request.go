package variant

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"polytune/configs"
	"polytune/internal/usage"
	"polytune/isl"
	"polytune/pipeline"
	"polytune/pipeline/byhand"
	"polytune/runner"
	"polytune/schedule/refusal"
	"polytune/space"
)

// Request asks for one variant of each region.
type Request struct {
	Target    pipeline.Options
	Model     pipeline.ModelOptions
	Splitting pipeline.Splitting
	// Partition is the fusion partition, by its name or as a vector; Recipe is a file of scheduling
	// commands to follow instead of the models, or a schedule.
	Partition string
	Recipe    byhand.File
	// Params are parameter values of the run that the sizes of tiles are to fit, and Threads its
	// threads.
	Params  string
	Threads int
	// LineDirectives asks for a #line directive behind each region.
	LineDirectives bool
}

// Targets are the regions, as they are transformed for the machine. TransformAll closes their
// places.
func (o *Request) Targets(ctx context.Context, stderr io.Writer, args []string, machine runner.Machine, settings configs.Settings) (targets []*pipeline.Target, err error) {
	o.Model.ChooseSpace(&o.Target.Space)
	o.Target.Together = true
	if targets, err = o.Target.All(args); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			closePlaces(targets)
		}
	}()
	if !o.Recipe.IsGiven() && o.Partition == DecidingPartition && o.Model.IsDefault() {
		o.Recipe = byhand.OfTarget(targets[0])
	}
	o.Target.WarnOfMacros(stderr, targets, settings.SelectedToolchain())
	if err := o.setRuns(targets); err != nil {
		return nil, err
	}
	if !o.Recipe.IsGiven() && o.Partition == DecidingPartition {
		if err := ExpandWherePays(ctx, &o.Target, stderr, targets, &o.Model, machine); err != nil {
			return nil, err
		}
	}
	return targets, o.Splitting.Apply(ctx, stderr, targets)
}

// closePlaces frees what computations for the regions have made.
func closePlaces(targets []*pipeline.Target) {
	for _, t := range targets {
		t.Place.Close()
	}
}

// setRuns says for which run the models choose sizes.
func (o *Request) setRuns(targets []*pipeline.Target) (err error) {
	for _, t := range targets {
		t.Run.Threads = o.Threads
		if o.Params == "" {
			continue
		}
		if t.Run.Parameters, err = t.ModelSizes("large", o.Params); err != nil {
			return t.Failed(err)
		}
	}
	return nil
}

// TransformAll makes the variants of all regions, each in the file in which
// the regions after it are replaced already: from the last to the first, so
// that the places of the earlier ones stay true. The first has the whole file.
func (o *Request) TransformAll(ctx context.Context, targets []*pipeline.Target, machine runner.Machine) ([]Transformed, error) {
	defer closePlaces(targets)
	done := make([]Transformed, len(targets))
	file := targets[0].File
	for i, t := range slices.Backward(targets) {
		t.SetFile(file)
		v, nest, err := o.Transform(ctx, t, machine)
		t.Place.Close()
		if err != nil {
			return nil, named(t, err)
		}
		if o.LineDirectives {
			v.Source = t.WithLineDirective(v.Source)
		}
		next := *file
		next.Source = v.Source
		file = &next
		v.Phases.Add(t.Spent)
		done[i] = Transformed{t, v, nest, o.Model.Name()}
	}
	return done, nil
}

// named is an error about a target with its name, but for refusals, which name the places in the
// recipe and in the source.
func named(t *pipeline.Target, err error) error {
	if errors.As(err, new(*refusal.Refusal)) {
		return err
	}
	return t.Failed(err)
}

// Transformed is one region's result.
type Transformed struct {
	Target  *pipeline.Target
	Variant Variant
	Nest    space.Nest
	// Model is the name of the model.
	Model string
}

// Transform makes the variant of one region. Where isl needs too long for what the models do, it
// has the order of the source.
func (o *Request) Transform(ctx context.Context, t *pipeline.Target, machine runner.Machine) (Variant, space.Nest, error) {
	if o.Recipe.IsGiven() {
		return o.follow(ctx, t, machine)
	}
	before := *t
	v, nest, err := o.byModels(ctx, t, machine)
	if o.Model.AsksShape() {
		return v, nest, metBy(ctx, t, err)
	}
	if !isl.IsLimit(err) || ctx.Err() != nil {
		return v, nest, err
	}
	*t = before
	return AsInSource(ctx, t, err)
}

// follow makes the variant of one region by the user's recipe. One that is refused is a
// *refusal.Refusal.
func (o *Request) follow(ctx context.Context, t *pipeline.Target, machine runner.Machine) (Variant, space.Nest, error) {
	if err := o.Model.WithoutShape(); err != nil {
		return Variant{}, nil, err
	}
	options, err := o.Model.Options(machine)
	if err != nil {
		return Variant{}, nil, err
	}
	filled, err := byhand.For(ctx, o.Recipe, o.Model.Point, t, options)
	if err != nil {
		return Variant{}, nil, err
	}
	*t = *filled.Target
	v, err := Replay(ctx, t, filled.Recipe)
	if err != nil {
		return Variant{}, nil, filled.Explain(ctx, err)
	}
	v.Filled = filled.Notes
	return v, space.Nest{filled.Partition()}, nil
}

// byModels makes the variant of one region by the models.
func (o *Request) byModels(ctx context.Context, t *pipeline.Target, machine runner.Machine) (Variant, space.Nest, error) {
	chosen, err := t.Choose(ctx, o.Partition, 1)
	if err != nil {
		return Variant{}, nil, err
	}
	if len(chosen) != 1 {
		return Variant{}, nil, usage.Mistake(fmt.Errorf("tune transform makes one program; %q names %d partitions", o.Partition, len(chosen)))
	}
	lap := pipeline.Watch()
	at, err := PointOf(ctx, &o.Model, t, chosen[0], machine)
	if err == nil && o.Partition == DecidingPartition {
		err = at.Refine(ctx)
	}
	if err != nil {
		return Variant{}, nil, err
	}
	lap(&t.Spent.Transform)
	at.Target.Spent = t.Spent
	*t = *at.Target
	var v Variant
	if o.Partition == DecidingPartition && o.Model.Point == "" {
		v, err = Chosen(ctx, t, at.Nest, at.Options)
	} else {
		v, err = Of(ctx, t, at.Nest, at.Options)
	}
	if err == nil && o.Partition == DecidingPartition && o.Model.IsDefault() {
		return OrPlain(ctx, t, v, at.Nest, at.Options)
	}
	return v, at.Nest, err
}
