package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"polytune/configs"
	"polytune/internal/usage"
	"polytune/report"
	"polytune/runner"
	"polytune/schedule/profile"
	"polytune/store"
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
	targetFlags(c.Flags(), &o.target)
	privatizeFlag(c.Flags(), &o.target, true)
	expandFlag(c.Flags(), &o.target)
	inplaceFlag(c.Flags(), &o.target)
	untileFlag(c.Flags(), &o.target)
	reassociateFlag(c.Flags(), &o.target)
	spaceFlags(c.Flags(), &o.target.space)
	driverFlags(c.Flags(), &o.target.driver)
	runFlags(c.Flags(), &o.target.program)
	modelFlags(c.Flags(), &o.model)
	splittingFlags(c.Flags(), &o.splitting)
	c.Flags().StringVar(&o.partition, "partition", "smart", "the fusion `partition`, as for tune transform")
	c.Flags().StringVar(&o.recipe, "recipe", "", "a `file` of scheduling commands to follow instead of the models")
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
	if o.best && (o.recipe != "" || o.model.point != "" || o.model.tile != "") {
		return usage.Mistake(errors.New("--best takes a stored variant; leave out --recipe, --point and --tile"))
	}
	o.model.chooseSpace(&o.target.space)
	targets, err := o.target.all(args)
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
	if o.recipe == "" && o.partition == decidingPartition && !o.best {
		if err := o.target.expandWherePays(ctx, stderr, targets, &o.model, place.machine); err != nil {
			return err
		}
	}
	if err := o.splitting.apply(ctx, stderr, targets); err != nil {
		return err
	}
	for _, t := range targets {
		r, err := o.explain(ctx, t, place)
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		if o.json {
			return writeJSON(w, r)
		}
		r.print(w, place)
	}
	return nil
}

// place is where variants run.
type place struct {
	machine   runner.Machine
	toolchain runner.Toolchain
	settings  configs.Settings
	threads   int
	peaks     *runner.Peaks
}

func (o *explainOptions) place(ctx context.Context, settings configs.Settings) (place, error) {
	machine, err := runner.Detect(settings.Machine.Name)
	if err != nil {
		return place{}, err
	}
	toolchain, err := runner.FindToolchain(ctx, runner.ToolchainSpec(settings.SelectedToolchain()))
	if err != nil {
		return place{}, err
	}
	peaks, err := knownPeaks(ctx, settings.DB, machine, toolchain)
	return place{machine, toolchain, settings, len(machine.TimingCPUs(settings.Threads)), peaks}, err
}

// explain explains a variant of one region.
func (o *explainOptions) explain(ctx context.Context, t *target, at place) (explainReport, error) {
	size, values, err := o.values(t)
	if err != nil {
		return explainReport{}, err
	}
	key, err := t.hash(&o.target)
	if err != nil {
		return explainReport{}, err
	}
	query := store.TimingQuery{Machine: at.machine.ID, Toolchain: at.toolchain.ID, Size: size}
	if query.KernelID, err = key.at(ctx, at.settings.DB); err != nil {
		return explainReport{}, err
	}
	stored, seconds, err := o.stored(ctx, t, at, query)
	if err != nil {
		return explainReport{}, err
	}
	if t.isProgram {
		if values, err = o.programValues(ctx, t, at); err != nil {
			return explainReport{}, err
		}
	}
	t.run = transform.Run{Parameters: values, Threads: at.threads}
	v, err := o.chosen(ctx, t, at, stored)
	if err != nil {
		return explainReport{}, err
	}
	query.Recipe = v.text
	if o.run {
		seconds, err = o.target.time(ctx, t, v, at, values)
	} else if seconds == 0 {
		seconds, err = storedSeconds(ctx, at, query)
	}
	if err != nil {
		return explainReport{}, err
	}
	r := explainReport{Kernel: t.name, Size: size, Parameters: values, Machine: at.machine.ID, Toolchain: at.toolchain.Name, Recipe: v.text, Note: v.doubtNote()}
	h, err := o.hinter(ctx, t, v, at)
	if err != nil {
		return r, err
	}
	r.Explanation, err = o.explanation(t, v, at, values, seconds, h)
	return r, err
}

// hinter looks at what is in the way of the variant, and tries what could free it.
func (o *explainOptions) hinter(ctx context.Context, t *target, v variant, at place) (*hinter, error) {
	options, err := o.tried(ctx, t, at)
	if err != nil {
		return nil, err
	}
	h, err := t.newHinter(ctx, v.recipe, options)
	if err != nil {
		return nil, err
	}
	if h.gaveUp {
		fmt.Fprintf(os.Stderr, "tune: %s: isl needs too long to say which dependences are in the way\n", t.name)
	}
	if err := h.find(ctx, false); err != nil {
		return nil, err
	}
	more, err := o.target.compilerHints(ctx, t, v.source, at)
	h.hints = append(h.hints, more...)
	return h, err
}

// tried are the options of the models for what is tried: those that the flags choose.
func (o *explainOptions) tried(ctx context.Context, t *target, at place) (transform.Options, error) {
	if o.model.point == "" {
		return o.model.options(at.machine)
	}
	plain, region := *t, *t.region
	region.Program, plain.region = t.whole, &region
	chosen, err := plain.choose(ctx, decidingPartition, 1)
	if err != nil {
		return transform.Options{}, err
	}
	point, err := o.model.pointOf(ctx, &plain, chosen[0], at.machine)
	if err != nil {
		return transform.Options{}, err
	}
	return point.options, nil
}

// explanation profiles the variant, and compares it with what the machine can do.
func (o *explainOptions) explanation(t *target, v variant, at place, values map[string]int, seconds float64, h *hinter) (report.Explanation, error) {
	program := t.region.Program
	tree, err := v.recipe.Replay(program)
	if err != nil {
		return report.Explanation{}, err
	}
	c, _, end := limitedContext(context.Background(), attemptLimits.of(program), nil)
	defer end()
	p, err := profile.Of(c, tree, program.ParameterValues(values))
	if err != nil {
		return report.Explanation{}, fmt.Errorf("counting what its loops do: %w", err)
	}
	explanation := report.Explain(report.Variant{Program: program, Profile: p, Loops: v.loops, Declined: v.notes.Declined, ConcurrentStart: v.concurrentStart,
		Obstacles: h.obstacles, Source: t.references(), FreedBy: h.freedBy,
		TileSizes: o.sizesFrom(), Machine: at.machine, Threads: at.threads, Peaks: at.peaks, Seconds: seconds})
	explanation.Hints = h.hints
	return explanation, nil
}

// sizesFrom says who has chosen the sizes of tiles.
func (o *explainOptions) sizesFrom() string {
	switch {
	case o.best || o.recipe != "":
		return "the recipe's"
	case o.model.tile != "" || strings.Contains(o.model.point, "tile"):
		return "as asked for"
	}
	return "the cache model's"
}

// values are the name and the parameters of the size; those of a program are for programValues.
func (o *explainOptions) values(t *target) (string, map[string]int, error) {
	if t.isProgram {
		return t.runSize(), nil, nil
	}
	values, err := t.sizes(o.size, o.params)
	if t.benchmark == nil || o.params != "" {
		return parametersText(values), values, err
	}
	return o.size, values, err
}

// stored is the recipe that --best names, and its time; "" without it.
func (o *explainOptions) stored(ctx context.Context, t *target, at place, query store.TimingQuery) (recipe string, seconds float64, err error) {
	if !o.best {
		return "", 0, nil
	}
	return bestRecipe(ctx, t, at, query)
}

// chosen makes the variant that the flags choose, or that of a stored recipe; *t becomes the target that
// it is made of.
func (o *explainOptions) chosen(ctx context.Context, t *target, at place, stored string) (variant, error) {
	if stored == "" {
		v, _, err := o.transform(ctx, t, at.machine)
		return v, err
	}
	made, recipe, err := t.readRecipe(stored)
	if err != nil {
		return variant{}, err
	}
	*t = *made
	return t.replay(ctx, recipe)
}

// bestRecipe is the recipe of the fastest known variant, and its time: that of
// the loops as they are written where nothing is faster.
func bestRecipe(ctx context.Context, t *target, at place, query store.TimingQuery) (recipe string, seconds float64, err error) {
	db, err := openToRead(ctx, at.settings.DB)
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
	original, err := t.original()
	return original.Recipe, best.Summary.Seconds.Median, err
}

// storedSeconds are the newest time of the variant in the database; 0 where
// there is none.
func storedSeconds(ctx context.Context, at place, query store.TimingQuery) (float64, error) {
	db, err := openToRead(ctx, at.settings.DB)
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
func (r *explainReport) print(w io.Writer, at place) {
	values := ""
	if text := parametersText(r.Parameters); text != "" && text != r.Size {
		values = " (" + text + ")"
	}
	fmt.Fprintf(w, "%s %s%s on %s (%s), %s %s\n", r.Kernel, r.Size, values, at.machine.CPU, r.Machine, at.toolchain.Name, at.toolchain.Version)
	if r.Note != "" {
		fmt.Fprintln(w, r.Note)
	}
	r.Text(w)
}
