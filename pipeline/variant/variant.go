package variant

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"polytune/codegen"
	"polytune/device"
	"polytune/internal/usage"
	"polytune/isl"
	"polytune/pipeline"
	"polytune/pipeline/limit"
	"polytune/runner"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/target"
	"polytune/transform"
)

// IsUnchanged says whether the variant is the region as it is written, without a recipe.
func (v *Variant) IsUnchanged() bool { return v.Recipe == nil }

// Variant is one transformed program.
type Variant struct {
	Recipe schedule.Recipe
	Text   string
	Source []byte
	// Device is the text for a device beside Source, nil for none.
	Device *target.Device
	Phases pipeline.Phases
	// ConcurrentStart says that tiles in wavefronts start together.
	ConcurrentStart bool
	// Loops are facts about the loops, by name, whatever the recipe makes of
	// them.
	Loops map[string]transform.LoopFacts
	// givenUp says what was given up because no variant came of it: "tiling"; ""
	// for nothing. why is the error that says in which phase and with which
	// statements.
	givenUp string
	Why     error
	// Notes are what was noted while the code was printed, doubt why the variant has the loops of
	// the source instead of those of the models, "" where it has not.
	Notes codegen.Notes
	doubt string
	// Explanation says how the models found the recipe.
	Explanation transform.Explanation
	// Filled says what the holes of a recipe that somebody has written were filled with.
	Filled []string
}

// DeviceText is the text for a device, nil for none.
func (v *Variant) DeviceText() []byte {
	if v.Device == nil {
		return nil
	}
	return v.Device.Text
}

// Job builds the variant, with its kernels for a device where it has any.
func (v *Variant) Job(device runner.Device) runner.Job {
	job := runner.Job{Source: string(v.Source)}
	if v.Device != nil {
		job.Device = &runner.DeviceSource{Text: string(v.Device.Text), Device: device}
	}
	return job
}

// IsIllegal says whether the error is a proof that the variant is not legal.
func IsIllegal(err error) bool { return depend.IsIllegal(err) }

// HasNoShape says whether the error is that the shape of tiles that is asked for cannot be.
func HasNoShape(err error) bool { return errors.As(err, new(*transform.NoStencil)) }

// tried transforms the target with just these options.
func tried(ctx context.Context, t *pipeline.Target, nest space.Nest, options transform.Options) (v Variant, err error) {
	lap := pipeline.Watch()
	err = t.WithGraphInPhases(ctx, func(g *depend.Graph, next func()) error {
		lap(&v.Phases.Dependences)
		if v.Recipe, v.Explanation, err = Modelled(t, g, nest, options); err != nil {
			return &pipeline.PhaseError{Phase: "transformation", Err: err}
		}
		v.Explanation.Decisions = slices.Concat(t.Decided, v.Explanation.Decisions)
		lap(&v.Phases.Transform)
		next()
		return finish(t, &v, g)
	})
	return v, err
}

// Modelled is what the models for what the target's code is made for make of a nest.
func Modelled(t *pipeline.Target, g *depend.Graph, nest space.Nest, options transform.Options) (schedule.Recipe, transform.Explanation, error) {
	if t.IsOnDevice() {
		options.Device = withHost(options.Device, g)
		recipe, explanation, err := transform.OnDevice(g, nest, options)
		if err == nil {
			recipe, err = transform.InMemories(g, recipe, options)
		}
		return recipe, explanation, asMistake(err)
	}
	if t.IsOnRanks() {
		recipe, err := transform.OnRanks(g, nest, options)
		return recipe, transform.Explanation{}, asMistake(err)
	}
	recipe, explanation, err := transform.Explain(g, nest, options)
	return recipe, explanation, asMistake(err)
}

// asMistake marks an error that is about what the user has asked for.
func asMistake(err error) error {
	if wrong := (*transform.WrongSizes)(nil); errors.As(err, &wrong) {
		return usage.Mistake(err)
	}
	return err
}

// withHost is how loops are mapped, with the statements that devices cannot run on the host.
func withHost(mapping *transform.Device, g *depend.Graph) *transform.Device {
	if mapping == nil {
		mapping = &transform.Device{}
	}
	completed := *mapping
	completed.Host = device.Refused(g.Model)
	return &completed
}

// Replay transforms the target by a recipe. With large factors in its rows there is less time.
func Replay(ctx context.Context, t *pipeline.Target, recipe schedule.Recipe) (v Variant, err error) {
	v.Recipe = recipe
	lap := pipeline.Watch()
	l, program := limit.Attempt, t.Unit.Program
	if command.LargeFactors(recipe, program, nil) != nil {
		l = limit.Factors
	}
	err = t.WithGraphWithin(ctx, l, func(g *depend.Graph, _ func()) error {
		lap(&v.Phases.Dependences)
		var from []int
		if v.Recipe, from, err = recipe.Settled(g); err != nil {
			return &pipeline.PhaseError{Phase: "schedule", Err: err}
		}
		return recipe.Blamed(g.Model.Program, from, finish(t, &v, g))
	})
	if isl.IsLimit(err) && ctx.Err() == nil {
		err = cmp.Or(command.LargeFactors(recipe, program, err), err)
	}
	return v, err
}

// finish proves the variant's recipe and prints its program.
func finish(t *pipeline.Target, v *Variant, g *depend.Graph) (err error) {
	lap := pipeline.Watch()
	v.Text = v.Recipe.Text(g.Model.Program)
	tree, err := v.Recipe.Replay(g.Model.Program)
	if err != nil {
		return &pipeline.PhaseError{Phase: "schedule", Err: err}
	}
	together, err := command.ReplayTogether(v.Recipe, g.Model.Program)
	if err != nil {
		return &pipeline.PhaseError{Phase: "schedule", Err: err}
	}
	if v.ConcurrentStart, err = transform.ConcurrentStart(g, together); err != nil {
		return &pipeline.PhaseError{Phase: "schedule", Err: err}
	}
	if v.Loops, err = transform.FactsOf(g, together); err != nil {
		return &pipeline.PhaseError{Phase: "schedule", Err: err}
	}
	if command.Distributes(v.Recipe) {
		apart, err := transform.FactsOf(g, tree)
		if err != nil {
			return &pipeline.PhaseError{Phase: "schedule", Err: err}
		}
		maps.Copy(apart, v.Loops)
		v.Loops = apart
	}
	lap(&v.Phases.Other)
	defer lap(&v.Phases.Codegen)
	code, err := t.On.Print(g, v.Recipe, t.Unit)
	v.Source, v.Notes, v.Device = code.Text, code.Notes, code.Device
	return ofCode(err)
}

// ofCode is an error of a target's Print, which proves a schedule before it prints its code;
// nil for nil.
func ofCode(err error) error {
	switch {
	case err == nil:
		return nil
	case IsIllegal(err):
		return &pipeline.PhaseError{Phase: "schedule", Err: err}
	}
	return &pipeline.PhaseError{Phase: "code", Err: err}
}
