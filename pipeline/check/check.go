package check

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"polytune/configs"
	"polytune/isl"
	"polytune/pipeline"
	"polytune/pipeline/byhand"
	"polytune/pipeline/harness"
	"polytune/pipeline/variant"
	"polytune/runner"
	"polytune/schedule/refusal"
	"polytune/space"
	"polytune/store"
)

// Options say which variants are checked, and at which sizes.
type Options struct {
	Target    pipeline.Options
	Model     pipeline.ModelOptions
	Splitting pipeline.Splitting
	Partition string
	Recipe    byhand.File
	Sizes     string
	Params    []string
	Seed      uint64
}

// Report is the JSON document of tune check.
type Report struct {
	Kernel string   `json:"kernel"`
	Checks []Result `json:"checks"`
	OK     int      `json:"ok"`
	Failed int      `json:"failed"`
	// Refused says why a region among others could not be checked at all.
	Refused string `json:"refused,omitempty"`
}

// Result is what became of one variant at one size.
type Result struct {
	Partition space.Partition `json:"partition"`
	// Nest is the structure at all levels when more than one was asked for.
	Nest   string `json:"nest,omitempty"`
	Recipe string `json:"recipe"`
	// Sizes are empty where the result is the same at all sizes: there is no program.
	Sizes map[string]int `json:"sizes"`
	// Device is what the kernels ran on, or what they were compiled for; "" without kernels.
	Device string `json:"device,omitempty"`
	// Ranks is their number, 0 for a program that knows of none.
	Ranks  int          `json:"ranks,omitempty"`
	Status store.Status `json:"status"`
	// Tolerance is the largest relative difference of doubles that counts as
	// equal; nothing where bits were compared.
	Tolerance float64 `json:"tolerance,omitempty"`
	Detail    string  `json:"detail,omitempty"`
	// Refusal says why a recipe is refused, nil where it is not.
	Refusal *refusal.Refusal `json:"refusal,omitempty"`
	// Global are the accesses to the device's memory, where the emulation has run the kernels and
	// counted them.
	Global *runner.Accesses `json:"global,omitempty"`
}

// Check checks one region.
func (o *Options) Check(ctx context.Context, t *pipeline.Target, settings configs.Settings) (*Report, error) {
	if err := harness.CheckRunnable(t); err != nil {
		return nil, err
	}
	if err := t.CheckCalledOnRanks(); err != nil {
		return nil, err
	}
	values, err := o.parameterValues(t)
	if err != nil {
		return nil, err
	}
	if !t.IsProgram {
		if err := harness.WarnOverruns(t, o.Target.Told(), values); err != nil {
			return nil, err
		}
	}
	machine, err := runner.Detect(settings.Machine.Name)
	if err != nil {
		return nil, err
	}
	candidates, err := o.candidates(ctx, t, machine)
	if err != nil {
		return nil, err
	}
	checks, err := newChecks(ctx, o, t, settings, machine, values)
	if err != nil {
		return nil, err
	}
	defer checks.builder.Close()
	if err := checks.findDevices(ctx, o.Target.Told(), settings); err != nil {
		return nil, err
	}
	return checks.run(ctx, candidates)
}

// parameterValues are the sizes to check at: without a word of the user, small
// ones that are no multiple of a tile's size.
func (o *Options) parameterValues(t *pipeline.Target) ([]map[string]int, error) {
	if t.IsProgram {
		return []map[string]int{{}}, t.NoSizeFlags(o.Sizes, strings.Join(o.Params, ","))
	}
	names, params := []string{""}, o.Params
	switch {
	case len(o.Params) == 0 && o.Sizes == "" && t.Benchmark == nil:
		return harness.CheckSizes(t)
	case o.Sizes != "":
		names = strings.Split(o.Sizes, ",")
	case t.Benchmark != nil:
		names = []string{"mini"}
	}
	if len(params) == 0 {
		params = []string{""}
	}
	var all []map[string]int
	for _, name := range names {
		for _, list := range params {
			values, err := t.Sizes(name, list)
			if err != nil {
				return nil, err
			}
			all = append(all, values)
		}
	}
	return all, nil
}

// candidate is what is to be checked: a partition, of one level or more, with
// the transformation's options, or a recipe.
type candidate struct {
	variant.Point
	filled *byhand.Filled
	// refused is why the user's recipe cannot be read, nil where it can.
	refused error
	// TooHard is why isl needs too long to choose: the candidate has the loops of the source then.
	tooHard error
}

// candidates are those that are to be checked: where isl needs too long to choose them, there is
// one.
func (o *Options) candidates(ctx context.Context, t *pipeline.Target, machine runner.Machine) ([]candidate, error) {
	before := *t
	list, err := o.chosen(ctx, t, machine)
	if o.Model.AsksShape() || !isl.IsLimit(err) || ctx.Err() != nil {
		return list, err
	}
	*t = before
	return []candidate{{Point: variant.Point{Target: t, Nest: space.Nest{make(space.Partition, len(t.Source.Statements))}}, tooHard: err}}, nil
}

// chosen are the candidates of the recipe, or those that the models choose.
func (o *Options) chosen(ctx context.Context, t *pipeline.Target, machine runner.Machine) ([]candidate, error) {
	if o.Recipe.IsGiven() {
		return o.byHand(ctx, t, machine)
	}
	nests, err := t.Choose(ctx, o.Partition, o.Seed)
	if err != nil {
		return nil, err
	}
	candidates := make([]candidate, len(nests))
	for i, n := range nests {
		if candidates[i].Point, err = variant.PointOf(ctx, &o.Model, t, n, machine); err != nil {
			return nil, err
		}
		if o.Partition == variant.DecidingPartition {
			if err := candidates[i].Point.Refine(ctx); err != nil {
				return nil, err
			}
		}
	}
	return candidates, nil
}

// byHand is the candidate of the user's recipe.
func (o *Options) byHand(ctx context.Context, t *pipeline.Target, machine runner.Machine) ([]candidate, error) {
	if err := o.Model.WithoutShape(); err != nil {
		return nil, err
	}
	options, err := o.Model.Options(machine)
	if err != nil {
		return nil, err
	}
	filled, err := byhand.For(ctx, o.Recipe, o.Model.Point, t, options)
	if errors.As(err, new(*refusal.Refusal)) {
		return []candidate{{Point: variant.Point{Target: t, Nest: space.Nest{make(space.Partition, len(t.Unit.Program.Statements))}}, refused: err}}, nil
	}
	if err != nil {
		return nil, err
	}
	for _, note := range filled.Notes {
		fmt.Fprintf(o.Target.Told(), "tune: %s\n", note)
	}
	*t = *filled.Target
	return []candidate{{Point: variant.Point{Target: t, Nest: space.Nest{filled.Partition()}}, filled: filled}}, nil
}
