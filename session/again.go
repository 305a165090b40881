package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"polytune/handout"
	"polytune/internal/exit"
	"polytune/internal/jsondoc"
	"polytune/internal/usage"
	"polytune/pipeline"
	"polytune/pipeline/byhand"
	"polytune/pipeline/choices"
	"polytune/pipeline/harness"
	"polytune/pipeline/variant"
	"polytune/report"
	"polytune/runner"
	"polytune/store"
	"polytune/target/gpu"
	"polytune/tuner"
)

// Again says which known variants are timed anew.
type Again struct {
	Tune Options
	// Recipes are files, Variants ids of variants that the database has.
	Recipes, Variants []string
	MinSpeedup        float64
}

// TimeAll times the regions and, of a program with main, the whole of it.
func (o *Again) TimeAll(ctx context.Context, w io.Writer, r *Run, targets []*pipeline.Target) error {
	if err := r.findDevice(ctx); err != nil {
		return err
	}
	for i, t := range targets {
		if i > 0 && !o.Tune.JSON {
			fmt.Fprintln(w)
		}
		request, err := o.request(ctx, r, t)
		if err == nil {
			err = r.told(ctx, w, &RegionRun{target: t, request: &request}, false)
		}
		if err != nil {
			return t.Failed(err)
		}
	}
	if targets[0].IsProgram {
		whole := wholeProgram{again: o, run: r, targets: targets, regions: slices.Clone(r.Results)}
		if err := whole.time(ctx, w); err != nil {
			return fmt.Errorf("%s: the whole program: %w", targets[0].Path, err)
		}
		r.Results = whole.regions
	}
	if o.Tune.JSON {
		return jsondoc.WriteAll(w, r.documents)
	}
	return nil
}

// Judge ends with a status of its own where a region is not so much faster as wanted.
func (o *Again) Judge(results []tuner.Result) error {
	var slow []string
	for _, r := range results {
		if s := r.Best.Speedup; s.Median < o.MinSpeedup {
			slow = append(slow, fmt.Sprintf("%s: %s is below the %sx of --min-speedup", r.Kernel, report.Speedup(s, r.Best.Certainty), report.Times(o.MinSpeedup)))
		}
	}
	if len(slow) == 0 {
		return nil
	}
	return &exit.With{Status: exit.TooSlow, Err: errors.New(strings.Join(slow, "\n"))}
}

// KnownSize completes the flags: without --size and --param the size is the one that the
// regions have results for, each with its own parameters.
func (o *Again) KnownSize(ctx context.Context, r *Run, targets []*pipeline.Target) error {
	isBenchmark, program := targets[0].Benchmark != nil, &o.Tune.Target.Program
	if program.RunText != "" || o.Tune.Size != "" || o.Tune.Params != "" {
		if o.Tune.SizeGiven = o.Tune.Size; isBenchmark {
			o.Tune.Size = cmp.Or(o.Tune.Size, DefaultSize)
		}
		return nil
	}
	var sizes []string
	several := false
	for _, t := range targets {
		id, err := o.kernelID(ctx, r.DB, t)
		if err != nil {
			return err
		}
		known, err := r.DB.Best(ctx, store.BestQuery{KernelID: id, Machine: r.Machine.ID, On: o.Tune.Device.On(&o.Tune.Target)})
		if err != nil {
			return err
		}
		of := map[string]bool{}
		for _, b := range known {
			of[b.Size] = true
			if !slices.Contains(sizes, b.Size) {
				sizes = append(sizes, b.Size)
			}
		}
		several = several || len(of) > 1
	}
	if together, agree := merged(sizes); agree && !several && !isBenchmark && !targets[0].IsProgram {
		sizes = []string{together}
	}
	switch {
	case len(sizes) > 1:
		return usage.Mistake(fmt.Errorf("there are results for the sizes %s; choose one with --size, --param or --run-args", strings.Join(sizes, "; ")))
	case len(sizes) == 1 && targets[0].IsProgram:
		program.TakeRun(targets, sizes[0])
	case len(sizes) == 1 && strings.Contains(sizes[0], "="):
		o.Tune.Params = strings.ReplaceAll(sizes[0], " ", ",")
	case len(sizes) == 1:
		o.Tune.Size = sizes[0]
	case isBenchmark:
		o.Tune.Size = DefaultSize
	}
	return nil
}

// merged is a size with the parameters of all sizes, if they agree about each parameter.
func merged(sizes []string) (together string, agree bool) {
	var values []string
	of := map[string]string{}
	for _, size := range sizes {
		for _, value := range strings.Fields(size) {
			name, number, is := strings.Cut(value, "=")
			if before, known := of[name]; !is || known && before != number {
				return "", false
			} else if !known {
				of[name] = number
				values = append(values, value)
			}
		}
	}
	return strings.Join(values, " "), len(values) > 0
}

// kernelID is the identity of a region in the database.
func (o *Again) kernelID(ctx context.Context, db *store.Store, t *pipeline.Target) (string, error) {
	kernel, err := t.Hash(&o.Tune.Target)
	if err != nil {
		return "", err
	}
	return kernel.In(ctx, db)
}

// request is what the tuner is asked to measure of a region.
func (o *Again) request(ctx context.Context, r *Run, t *pipeline.Target) (tuner.Request, error) {
	if err := harness.CheckRunnable(t); err != nil {
		return tuner.Request{}, err
	}
	request, checked, err := o.Tune.measuring(ctx, r.DB, t, r.running(), r.Machine, r.Toolchains)
	if err != nil {
		return tuner.Request{}, err
	}
	if request.Original, err = t.Original(); err != nil {
		return tuner.Request{}, err
	}
	again := &replayer{Generator: choices.Generator{Target: t, Checked: checked}, variants: map[string]store.Variant{}}
	for i, toolchain := range r.Toolchains {
		known, err := o.leading(ctx, r, request, toolchain)
		if err != nil {
			return tuner.Request{}, err
		}
		compiler := ""
		if i > 0 {
			compiler = toolchain.Name
			request.Candidates = append(request.Candidates, tuner.Candidate{Axis: tuner.CompilerSetting(compiler, "")})
		}
		for _, v := range known {
			request.Candidates = again.add(request.Candidates, v, compiler)
		}
	}
	named, err := o.named(ctx, r.DB, t, request.KernelID, r.Machine.SeenBy(r.Toolchains[0]))
	for _, v := range named {
		request.Candidates = again.add(request.Candidates, v, "")
	}
	if err == nil && len(again.variants) == 0 {
		err = fmt.Errorf("no variant was timed for this source, size and machine, as far as %s knows; tune it first, or name a variant by --recipe", r.DB.Path())
	}
	request.Generator = again
	return r.anew(request), err
}

// anew makes a request one that no earlier session answers.
func (r *Run) anew(request tuner.Request) tuner.Request {
	request.Replay, request.Effort = true, r.Effort
	request.Settings, request.Store, request.Strict = r.Settings, r.DB, r.Options.Strict
	request.CUDA = gpu.Compiler(r.Settings)
	request.Revision += " again at " + time.Now().UTC().Format(time.RFC3339Nano)
	return request
}

// againVariants is how many of the known variants are timed again: the best and the runner-up.
const againVariants = 2

// leading are the best variant for a compiler and the ones behind it, whether or not these
// are known to be faster than the original. Where the compiler has no result, as after it
// was replaced, those of others count.
func (o *Again) leading(ctx context.Context, r *Run, request tuner.Request, toolchain runner.Toolchain) ([]store.Variant, error) {
	where := store.LeadingQuery{KernelID: request.KernelID, Size: request.Size, Machine: r.Machine.ID, Toolchain: toolchain.ID, On: r.On}
	best, err := r.DB.Best(ctx, store.BestQuery{KernelID: where.KernelID, Size: where.Size, Machine: where.Machine, Toolchain: where.Toolchain, On: where.On})
	if err != nil {
		return nil, err
	}
	first, err := r.DB.Leading(ctx, where)
	if err == nil && len(first) == 0 {
		where.Toolchain = ""
		first, err = r.DB.Leading(ctx, where)
	}
	var list []store.Variant
	for _, b := range slices.Concat(best, first) {
		b.Variant.ID, _ = store.SplitVariant(b.Variant.ID)
		if len(list) < againVariants && b.Variant.ID != store.Original && !slices.Contains(list, b.Variant) {
			list = append(list, b.Variant)
		}
	}
	return list, err
}

// named are the variants of --variant and --recipe.
func (o *Again) named(ctx context.Context, db *store.Store, t *pipeline.Target, kernel string, machine runner.Machine) ([]store.Variant, error) {
	var list []store.Variant
	for _, id := range o.Variants {
		id, _ := store.SplitVariant(id)
		v, found, err := db.FindVariant(ctx, kernel, id)
		switch {
		case err != nil:
			return nil, err
		case !found:
			return nil, fmt.Errorf("--variant: %s knows no variant %s of this source", db.Path(), id)
		case id != store.Original:
			list = append(list, v)
		}
	}
	for _, path := range o.Recipes {
		v, err := recipeVariant(ctx, t, path, machine)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// recipeVariant is the variant of a recipe in a file, with its holes filled for a machine.
func recipeVariant(ctx context.Context, t *pipeline.Target, path string, machine runner.Machine) (store.Variant, error) {
	options, err := pipeline.SessionModel.Options(machine)
	if err != nil {
		return store.Variant{}, err
	}
	filled, err := byhand.For(ctx, byhand.File{Path: path}, "", t, options)
	if err != nil {
		return store.Variant{}, err
	}
	v, err := variant.Replay(ctx, filled.Target, filled.Recipe)
	if err != nil {
		return store.Variant{}, filled.Explain(ctx, err)
	}
	partition := filled.Partition()
	return store.Variant{ID: tuner.VariantID(partition, v.Text), Partition: tuner.PartitionText(partition), Recipe: v.Text}, nil
}

// replayer makes the code of variants from their recipes.
type replayer struct {
	choices.Generator
	// variants are those of the candidates, by what the candidates say beside the compiler.
	variants map[string]store.Variant
}

// add adds a variant to candidates, built by a further compiler of the session or, for "",
// by its own, unless it is among them.
func (r *replayer) add(list []tuner.Candidate, v store.Variant, compiler string) []tuner.Candidate {
	setting := store.ReplayPrefix + v.ID
	r.variants[setting] = v
	if compiler != "" {
		setting = tuner.CompilerSetting(compiler, setting)
	}
	if slices.ContainsFunc(list, func(c tuner.Candidate) bool { return c.Axis == setting }) {
		return list
	}
	partition, err := tuner.ParsePartition(v.Partition)
	if err != nil {
		return list
	}
	return append(list, tuner.Candidate{Partition: partition, Axis: setting})
}

// Generate follows the recipe of the candidate's variant, proof included.
func (r *replayer) Generate(ctx context.Context, c tuner.Candidate) (tuner.Generated, error) {
	_, setting := tuner.SplitCompiler(c.Axis)
	v := r.variants[setting]
	placed, err := handout.Place(ctx, r.Target, store.Best{Variant: v})
	switch {
	case variant.IsIllegal(err):
		return tuner.Generated{}, &tuner.IllegalError{Recipe: v.Recipe, Err: err}
	case err != nil:
		return tuner.Generated{}, &tuner.CodegenError{Recipe: v.Recipe, Err: err}
	}
	generated := tuner.Generated{Recipe: v.Recipe, Source: placed.Source}
	if placed.Device != nil {
		generated.Device = placed.Device.Text
	}
	return r.WithCheck(ctx, generated)
}
