package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"polytune/configs"
	"polytune/internal/jsondoc"
	"polytune/internal/opendb"
	"polytune/internal/usage"
	"polytune/pipeline"
	"polytune/pipeline/harness"
	"polytune/pipeline/limit"
	"polytune/pipeline/remedy"
	"polytune/pipeline/variant"
	"polytune/report"
	"polytune/runner"
	"polytune/schedule/profile"
	"polytune/session"
	"polytune/store"
	"polytune/target/registry"
	"polytune/transform"
)

// explainOptions are those of tune transform that choose a variant, and where
// it runs.
type explainOptions struct {
	transformOptions
	size   string
	params string
	best   bool
	run    bool
}

func newExplainCommand(global *globalOptions) *cobra.Command {
	o := &explainOptions{}
	c := &cobra.Command{
		Use:   "explain TARGET",
		Short: "Say what a variant does, why, and how fast it can be",
		Long: `Say what was done to the loops of a variant and why: how often each runs, which
are tiled, on threads and in SIMD lanes, how much data a tile has and which
cache holds it, how many floating-point operations a class does and how many
bytes it has to move, and which of the two bounds its time on this machine. The
variant is the one that tune transform makes with the same flags, or with --best
the fastest known one.

Numbers of iterations, instances and elements are those at the values of the
parameters; where counting all would take too long, some are looked at, and the
number stands behind "about". Bytes to move are those of elements whose values
come from outside the class, and of elements that it writes, each once. The bound
is the larger of operations and bytes divided by what tune machine --peaks has
measured. With timings in the database, or with --run, the variant's own rate
stands beside it.

Of a loop that carries dependences it says which ones, between which references of
the source. Where a class does not run in parallel because of them, it says what
would free it: flags such as --reassociate, --expand and -fno-math-errno, and
changes of the source, each of which has been tried with the models or the compiler.

A program with main has parameters whose values only the program knows. With --best
and --run it is run once to see them, unless --param says what they are. Results of
runs with arguments are those of --run-args.` + axesHelp() + exitStatusHelp(),
		Example: "  tune explain --bench 2mm\n  tune explain --bench gemm --size medium --tile 32,32,256 --run\n  tune explain kernel.c --param N=2000 --best --json",
		Args:    maximumArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			settings, err := global.settings()
			if err != nil {
				return err
			}
			return runExplain(c.Context(), c.OutOrStdout(), c.ErrOrStderr(), o, args, settings)
		},
	}
	targetFlags(c.Flags(), &o.Target)
	privatizeFlag(c.Flags(), &o.Target, true)
	expandFlag(c.Flags(), &o.Target)
	inplaceFlag(c.Flags(), &o.Target)
	untileFlag(c.Flags(), &o.Target)
	reassociateFlag(c.Flags(), &o.Target)
	spaceFlags(c.Flags(), &o.Target.Space)
	driverFlags(c.Flags(), &o.Target.Driver)
	runFlags(c.Flags(), &o.Target.Program)
	modelFlags(c.Flags(), &o.Model)
	splittingFlags(c.Flags(), &o.Splitting)
	c.Flags().StringVar(&o.Partition, "partition", "smart", "the fusion `partition`, as for tune transform")
	c.Flags().StringVar(&o.Recipe, "recipe", "", "a `file` of scheduling commands to follow instead of the models")
	c.Flags().BoolVar(&o.best, "best", false, "explain the fastest known variant for this machine, compiler and size")
	c.Flags().StringVar(&o.size, "size", "large", "problem `size` of a benchmark: mini, small, medium, large, extralarge")
	c.Flags().StringVar(&o.params, "param", "", "parameter values, `NAME=NUMBER,…`, instead of or on top of a size")
	c.Flags().BoolVar(&o.run, "run", false, "build the variant and time it")
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON document")
	bindSettings(global, c)
	return c
}

// explainReport is the JSON document of tune explain.
type explainReport struct {
	Kernel     string         `json:"kernel"`
	Size       string         `json:"size"`
	Parameters map[string]int `json:"parameters"`
	Machine    string         `json:"machine"`
	Toolchain  string         `json:"toolchain"`
	Recipe     string         `json:"recipe"`
	// Note says that the variant keeps the loops of the source, and why; "" for those of the models.
	Note string `json:"note,omitempty"`
	report.Explanation
}

func runExplain(ctx context.Context, w, stderr io.Writer, o *explainOptions, args []string, settings configs.Settings) error {
	if o.best && (o.Recipe != "" || o.Model.Point != "" || o.Model.Tile != "") {
		return usage.Mistake(errors.New("--best takes a stored variant; leave out --recipe, --point and --tile"))
	}
	o.Model.ChooseSpace(&o.Target.Space)
	targets, err := o.Target.All(args)
	if err != nil {
		return err
	}
	if o.json {
		if err := oneDocument(targets); err != nil {
			return err
		}
	}
	place, err := o.place(ctx, settings)
	if err != nil {
		return err
	}
	if o.Recipe == "" && o.Partition == variant.DecidingPartition && !o.best {
		if err := variant.ExpandWherePays(ctx, &o.Target, stderr, targets, &o.Model, place.Machine); err != nil {
			return err
		}
	}
	if err := o.Splitting.Apply(ctx, stderr, targets); err != nil {
		return err
	}
	for _, t := range targets {
		r, err := o.explain(ctx, t, place)
		if err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		}
		if o.json {
			return jsondoc.Write(w, r)
		}
		r.print(w, place)
	}
	return nil
}

func (o *explainOptions) place(ctx context.Context, settings configs.Settings) (harness.Place, error) {
	machine, err := runner.Detect(settings.Machine.Name)
	if err != nil {
		return harness.Place{}, err
	}
	toolchain, err := runner.FindToolchain(ctx, registry.Default().Toolchains(settings)[0])
	if err != nil {
		return harness.Place{}, err
	}
	peaks, err := session.KnownPeaks(ctx, o.Target.Told(), settings.DB, machine, toolchain)
	return harness.Place{Machine: machine, Toolchain: toolchain, Settings: settings, Threads: len(machine.TimingCPUs(settings.Threads)), Peaks: peaks}, err
}

// explain explains a variant of one region.
func (o *explainOptions) explain(ctx context.Context, t *pipeline.Target, at harness.Place) (explainReport, error) {
	size, values, err := o.values(t)
	if err != nil {
		return explainReport{}, err
	}
	key, err := t.Hash(&o.Target)
	if err != nil {
		return explainReport{}, err
	}
	query := store.TimingQuery{Machine: at.Machine.ID, Toolchain: at.Toolchain.ID, Size: size}
	if query.KernelID, err = session.IdentityAt(ctx, o.Target.Told(), key, at.Settings.DB); err != nil {
		return explainReport{}, err
	}
	stored, seconds, err := o.stored(ctx, t, at, query)
	if err != nil {
		return explainReport{}, err
	}
	if t.IsProgram {
		if values, err = o.programValues(ctx, t, at); err != nil {
			return explainReport{}, err
		}
	}
	t.Run = transform.Run{Parameters: values, Threads: at.Threads}
	v, err := o.chosen(ctx, t, at, stored)
	if err != nil {
		return explainReport{}, err
	}
	query.Recipe = v.Text
	if o.run {
		seconds, err = harness.Time(ctx, &o.Target, t, v, at, values)
	} else if seconds == 0 {
		seconds, err = storedSeconds(ctx, o.Target.Told(), at, query)
	}
	if err != nil {
		return explainReport{}, err
	}
	r := explainReport{Kernel: t.Name, Size: size, Parameters: values, Machine: at.Machine.ID, Toolchain: at.Toolchain.Name, Recipe: v.Text, Note: v.DoubtNote()}
	h, err := o.hinter(ctx, t, v, at)
	if err != nil {
		return r, err
	}
	r.Explanation, err = o.explanation(t, v, at, values, seconds, h)
	return r, err
}

// hinter looks at what is in the way of the variant, and tries what could free it.
func (o *explainOptions) hinter(ctx context.Context, t *pipeline.Target, v variant.Variant, at harness.Place) (*remedy.Hinter, error) {
	options, err := o.tried(ctx, t, at)
	if err != nil {
		return nil, err
	}
	h, err := remedy.NewHinter(ctx, t, v.Recipe, options)
	if err != nil {
		return nil, err
	}
	if h.GaveUp {
		fmt.Fprintf(o.Target.Told(), "tune: %s: isl needs too long to say which dependences are in the way\n", t.Name)
	}
	if err := h.Find(ctx, false); err != nil {
		return nil, err
	}
	more, err := remedy.CompilerHints(ctx, &o.Target, t, v.Source, at)
	h.Hints = append(h.Hints, more...)
	return h, err
}

// tried are the options of the models for what is tried: those that the flags choose.
func (o *explainOptions) tried(ctx context.Context, t *pipeline.Target, at harness.Place) (transform.Options, error) {
	if o.Model.Point == "" {
		return o.Model.Options(at.Machine)
	}
	plain := *t
	plain.Unit.Program = t.Whole
	chosen, err := plain.Choose(ctx, variant.DecidingPartition, 1)
	if err != nil {
		return transform.Options{}, err
	}
	point, err := variant.PointOf(ctx, &o.Model, &plain, chosen[0], at.Machine)
	if err != nil {
		return transform.Options{}, err
	}
	return point.Options, nil
}

// explanation profiles the variant, and compares it with what the machine can do.
func (o *explainOptions) explanation(t *pipeline.Target, v variant.Variant, at harness.Place, values map[string]int, seconds float64, h *remedy.Hinter) (report.Explanation, error) {
	program := t.Unit.Program
	tree, err := v.Recipe.Replay(program)
	if err != nil {
		return report.Explanation{}, err
	}
	c, _, end := limit.Context(context.Background(), limit.Attempt.Of(program), nil)
	defer end()
	p, err := profile.Of(c, tree, program.ParameterValues(values))
	if err != nil {
		return report.Explanation{}, fmt.Errorf("counting what its loops do: %w", err)
	}
	explanation := report.Explain(report.Variant{Program: program, Profile: p, Loops: v.Loops, Declined: v.Notes.Declined, ConcurrentStart: v.ConcurrentStart,
		Obstacles: h.Obstacles, Source: remedy.References(t), FreedBy: h.FreedBy,
		TileSizes: o.sizesFrom(), Machine: at.Machine, Threads: at.Threads, Peaks: at.Peaks, Seconds: seconds})
	explanation.Hints = h.Hints
	return explanation, nil
}

// sizesFrom says who has chosen the sizes of tiles.
func (o *explainOptions) sizesFrom() string {
	switch {
	case o.best || o.Recipe != "":
		return "the recipe's"
	case o.Model.Tile != "" || strings.Contains(o.Model.Point, "tile"):
		return "as asked for"
	}
	return "the cache model's"
}

// values are the name and the parameters of the size; those of a program are for programValues.
func (o *explainOptions) values(t *pipeline.Target) (string, map[string]int, error) {
	if t.IsProgram {
		return t.RunSize(), nil, nil
	}
	values, err := t.Sizes(o.size, o.params)
	if t.Benchmark == nil || o.params != "" {
		return pipeline.ParametersText(values), values, err
	}
	return o.size, values, err
}

// stored is the recipe that --best names, and its time; "" without it.
func (o *explainOptions) stored(ctx context.Context, t *pipeline.Target, at harness.Place, query store.TimingQuery) (recipe string, seconds float64, err error) {
	if !o.best {
		return "", 0, nil
	}
	return bestRecipe(ctx, o.Target.Told(), t, at, query)
}

// chosen makes the variant that the flags choose, or that of a stored recipe; *t becomes the target that
// it is made of.
func (o *explainOptions) chosen(ctx context.Context, t *pipeline.Target, at harness.Place, stored string) (variant.Variant, error) {
	if stored == "" {
		v, _, err := o.Transform(ctx, t, at.Machine)
		return v, err
	}
	made, recipe, err := t.ReadRecipe(stored)
	if err != nil {
		return variant.Variant{}, err
	}
	*t = *made
	return variant.Replay(ctx, t, recipe)
}

// bestRecipe is the recipe of the fastest known variant, and its time: that of
// the loops as they are written where nothing is faster.
func bestRecipe(ctx context.Context, notes io.Writer, t *pipeline.Target, at harness.Place, query store.TimingQuery) (recipe string, seconds float64, err error) {
	db, err := opendb.ToRead(ctx, notes, at.Settings.DB)
	if err != nil {
		return "", 0, err
	}
	defer db.Close()
	results, err := db.Best(ctx, store.BestQuery{KernelID: query.KernelID, Size: query.Size, Machine: query.Machine, Toolchain: query.Toolchain})
	if err != nil {
		return "", 0, err
	}
	if len(results) == 0 {
		return "", 0, fmt.Errorf("there is no result for this source, size (%s), compiler and machine in %s; tune it first", query.Size, db.Path())
	}
	best := results[0]
	if !store.IsOriginal(best.Variant.ID) {
		return best.Variant.Recipe, best.Summary.Seconds.Median, nil
	}
	original, err := t.Original()
	return original.Recipe, best.Summary.Seconds.Median, err
}

// storedSeconds are the newest time of the variant in the database; 0 where
// there is none.
func storedSeconds(ctx context.Context, notes io.Writer, at harness.Place, query store.TimingQuery) (float64, error) {
	db, err := opendb.ToRead(ctx, notes, at.Settings.DB)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer db.Close()
	summary, _, err := db.Timing(ctx, query)
	return summary.Seconds.Median, err
}

// print writes the report for people.
func (r *explainReport) print(w io.Writer, at harness.Place) {
	values := ""
	if text := pipeline.ParametersText(r.Parameters); text != "" && text != r.Size {
		values = " (" + text + ")"
	}
	fmt.Fprintf(w, "%s %s%s on %s (%s), %s %s\n", r.Kernel, r.Size, values, at.Machine.CPU, r.Machine, at.Toolchain.Name, at.Toolchain.Version)
	if r.Note != "" {
		fmt.Fprintln(w, r.Note)
	}
	r.Text(w)
}

// programValues are the values of a whole program's parameters: those of --param, and others as the program has
// them where it is run anyway.
func (o *explainOptions) programValues(ctx context.Context, t *pipeline.Target, at harness.Place) (map[string]int, error) {
	values, missing, err := harness.GivenValues(t, o.params)
	if err != nil || len(missing) == 0 {
		return values, err
	}
	if !o.best && !o.run {
		return nil, usage.Mistake(fmt.Errorf("say what the values of %s are in the run that is meant: --param %s=N; or use --run, which runs the program to see them",
			strings.Join(missing, ", "), strings.Join(missing, "=N,")))
	}
	found, err := harness.ValuesInRun(ctx, &o.Target, t, missing, at)
	if err != nil {
		return nil, fmt.Errorf("the values of %s, which --param %s=N says without running the program: %w", strings.Join(missing, ", "), strings.Join(missing, "=N,"), err)
	}
	for k, name := range missing {
		values[name] = int(found[k])
	}
	return values, nil
}
