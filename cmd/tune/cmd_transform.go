package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"polytune/configs"
	"polytune/internal/usage"
	"polytune/isl"
	"polytune/report"
	"polytune/runner"
	"polytune/space"
)

type transformOptions struct {
	target         targetOptions
	model          modelOptions
	splitting      splitting
	partition      string
	recipe         string
	params         string
	threads        int
	output         string
	printRecipe    bool
	printSchedule  bool
	dumpILP        bool
	time           bool
	json           bool
	lineDirectives bool
}

func newTransformCommand(global *globalOptions) *cobra.Command {
	o := &transformOptions{}
	c := &cobra.Command{
		Use:   "transform TARGET -o FILE",
		Short: "Write one transformed program, without timing",
		Long: `Write the program with its region transformed: for a fusion partition by the
models, or as a recipe of scheduling commands says. The result is proven legal
before it is written. A file with several regions has all of them transformed
alike, unless --region or --function chooses one.` + axesHelp() + exitStatusHelp(),
		Example: "  tune transform kernel.c -o kernel.opt.c\n  tune transform --bench 2mm --partition 0-0-1-1 --tile 32,32,256 --print-recipe -o 2mm.c\n  tune transform --bench 2mm --point \"tile=sizes tile.1=16 tile.3=256 separate=off\" -o 2mm.c",
		Args:    maximumArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			settings, err := global.settings()
			if err != nil {
				return err
			}
			return runTransform(c.Context(), c.OutOrStdout(), c.ErrOrStderr(), o, args, settings)
		},
	}
	o.flags(c.Flags())
	global.bind(c, map[string]string{"threads": "threads"})
	return c
}

func (o *transformOptions) flags(set *pflag.FlagSet) {
	targetFlags(set, &o.target)
	privatizeFlag(set, &o.target, true)
	expandFlag(set, &o.target)
	inplaceFlag(set, &o.target)
	untileFlag(set, &o.target)
	reassociateFlag(set, &o.target)
	spaceFlags(set, &o.target.space)
	modelFlags(set, &o.model)
	splittingFlags(set, &o.splitting)
	set.StringVar(&o.partition, "partition", "smart", "the fusion `partition`: a class vector such as 0-1-1-2, a drawing such as {S0} {S1 S2} {S3}, max, smart, or none; with one vector for each loop level, 0-0-1-1/0-1-0-0, it says what is fused inside")
	set.StringVar(&o.recipe, "recipe", "", "a `file` of scheduling commands to follow instead of the models")
	set.StringVar(&o.params, "param", "", "parameter values, `NAME=NUMBER,…`, of the run that the sizes of tiles are to fit (default those of a benchmark's size large)")
	set.Int("threads", 0, "OpenMP threads of that run (default one for each core)")
	set.StringVarP(&o.output, "output", "o", "-", "the `file` to write; - is standard output")
	set.BoolVar(&o.lineDirectives, lineFlag, false, lineHelp)
	set.BoolVar(&o.printRecipe, "print-recipe", false, "print the recipe instead of writing the program")
	set.BoolVar(&o.printSchedule, "print-schedule", false, "print the schedule tree in isl's notation instead of writing the program")
	set.BoolVar(&o.dumpILP, "dump-ilp", false, "print the integer programs that the models solve, with the equations they come from, instead of writing the program")
	set.BoolVar(&o.time, "time", false, "print on stderr how long each phase took")
	set.BoolVar(&o.json, "json", false, "print one JSON document; the program is written only to the file of --output")
}

func runTransform(ctx context.Context, w, stderr io.Writer, o *transformOptions, args []string, settings configs.Settings) error {
	started := time.Now()
	machine, err := runner.Detect(settings.Machine.Name)
	if err != nil {
		return err
	}
	o.threads = len(machine.TimingCPUs(settings.Threads))
	targets, err := o.targets(ctx, stderr, args, machine, settings)
	if err != nil {
		return err
	}
	done, err := o.transformAll(ctx, targets, machine)
	if err != nil {
		return err
	}
	countRest(done, time.Since(started))
	for _, d := range done {
		if note := d.variant.note(); note != "" {
			fmt.Fprintf(stderr, "tune: %s: %s\n", d.target.name, note)
		}
		if note := d.variant.doubtNote(); note != "" {
			fmt.Fprintf(stderr, "tune: %s: %s\n", d.target.name, note)
		}
		if err := d.noteContractions(stderr); err != nil {
			return err
		}
		if o.recipe != "" {
			d.noteDeclined(stderr)
		}
	}
	if o.time {
		printPhases(stderr, done)
	}
	return o.print(w, done)
}

// targets are the regions, as they are transformed for the machine.
func (o *transformOptions) targets(ctx context.Context, stderr io.Writer, args []string, machine runner.Machine, settings configs.Settings) ([]*target, error) {
	o.model.chooseSpace(&o.target.space)
	o.target.together = true
	targets, err := o.target.all(args)
	if err != nil {
		return nil, err
	}
	o.target.warnOfMacros(stderr, targets, settings.SelectedToolchain())
	if err := o.setRuns(targets); err != nil {
		return nil, err
	}
	if o.recipe == "" && o.partition == decidingPartition {
		if err := o.target.expandWherePays(ctx, stderr, targets, &o.model, machine); err != nil {
			return nil, err
		}
	}
	if err := o.splitting.apply(ctx, stderr, targets); err != nil {
		return nil, err
	}
	if o.json {
		return targets, oneDocument(targets)
	}
	return targets, nil
}

// print writes what the flags ask for.
func (o *transformOptions) print(w io.Writer, done []transformed) error {
	switch {
	case o.printRecipe:
		for _, d := range done {
			fmt.Fprint(w, d.variant.text)
		}
		return nil
	case o.printSchedule:
		return printSchedules(w, done)
	case o.dumpILP:
		printPrograms(w, done)
		return nil
	}
	if !o.json || o.output != "-" {
		if err := writeOutput(w, o.output, done[0].variant.source); err != nil {
			return err
		}
	}
	if o.json {
		report, err := done[0].report()
		if err != nil {
			return err
		}
		return writeJSON(w, report)
	}
	return nil
}

// setRuns says for which run the models choose sizes.
func (o *transformOptions) setRuns(targets []*target) (err error) {
	for _, t := range targets {
		t.run.Threads = o.threads
		if o.params == "" {
			continue
		}
		if t.run.Parameters, err = t.modelSizes("large", o.params); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return nil
}

// transformAll makes the variants of all regions, each in the file in which
// the regions after it are replaced already: from the last to the first, so
// that the places of the earlier ones stay true. The first has the whole file.
func (o *transformOptions) transformAll(ctx context.Context, targets []*target, machine runner.Machine) ([]transformed, error) {
	done := make([]transformed, len(targets))
	file := targets[0].file
	for i, t := range slices.Backward(targets) {
		t.file = file
		v, nest, err := o.transform(ctx, t, machine)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
		if o.lineDirectives {
			v.source = t.withLineDirective(v.source)
		}
		next := *file
		next.Source = v.source
		file = &next
		v.phases.add(t.spent)
		done[i] = transformed{t, v, nest, o.model.name()}
	}
	return done, nil
}

// transformed is one region's result.
type transformed struct {
	target  *target
	variant variant
	nest    space.Nest
	// model is the name of the model.
	model string
}

// transform makes the variant of one region. Where isl needs too long for what the models do, it has the order of the source.
func (o *transformOptions) transform(ctx context.Context, t *target, machine runner.Machine) (variant, space.Nest, error) {
	if o.recipe != "" {
		return o.follow(ctx, t)
	}
	before := *t
	v, nest, err := o.byModels(ctx, t, machine)
	if !isl.IsLimit(err) || ctx.Err() != nil {
		return v, nest, err
	}
	*t = before
	return t.asInSource(ctx, err)
}

// follow makes the variant of one region by the user's recipe.
func (o *transformOptions) follow(ctx context.Context, t *target) (variant, space.Nest, error) {
	if err := o.model.withoutPoint(); err != nil {
		return variant{}, nil, err
	}
	text, err := os.ReadFile(o.recipe)
	if err != nil {
		return variant{}, nil, fmt.Errorf("cannot read the recipe: %w", err)
	}
	at, recipe, err := t.readRecipe(string(text))
	if err != nil {
		return variant{}, nil, fmt.Errorf("%s: %w", o.recipe, err)
	}
	*t = *at
	v, err := t.replay(ctx, recipe)
	return v, space.Nest{recipePartition(recipe, len(t.region.Program.Statements))}, err
}

// byModels makes the variant of one region by the models.
func (o *transformOptions) byModels(ctx context.Context, t *target, machine runner.Machine) (variant, space.Nest, error) {
	chosen, err := t.choose(ctx, o.partition, 1)
	if err != nil {
		return variant{}, nil, err
	}
	if len(chosen) != 1 {
		return variant{}, nil, usage.Mistake(fmt.Errorf("tune transform makes one program; %q names %d partitions", o.partition, len(chosen)))
	}
	lap := watch()
	at, err := o.model.pointOf(ctx, t, chosen[0], machine)
	if err == nil && o.partition == decidingPartition {
		err = at.refine(ctx)
	}
	if err != nil {
		return variant{}, nil, err
	}
	lap(&t.spent.transform)
	at.target.spent = t.spent
	*t = *at.target
	vary := t.variant
	if o.partition == decidingPartition && o.model.point == "" {
		vary = t.chosenVariant
	}
	v, err := vary(ctx, at.nest, at.options)
	if err == nil && o.partition == decidingPartition && o.model.isDefault() {
		return t.orPlain(ctx, v, at.nest, at.options)
	}
	return v, at.nest, err
}

func printSchedules(w io.Writer, done []transformed) error {
	for _, d := range done {
		if err := d.printSchedule(w); err != nil {
			return err
		}
	}
	return nil
}

// noteDeclined says what the code does without of what the user's recipe asks for.
func (d *transformed) noteDeclined(w io.Writer) {
	for _, e := range report.DeclinedExplanations(d.variant.notes.Declined) {
		place := ""
		if e.Loop != "" {
			place = e.Loop + ": "
		}
		fmt.Fprintf(w, "tune: %s: %s%s, because %s\n", d.target.name, place, e.What, e.Why)
	}
}

// noteContractions says of which expanded arrays there are fewer elements than noteExpansions says, and how many.
func (d *transformed) noteContractions(w io.Writer) error {
	if d.variant.isUnchanged() {
		return nil
	}
	tree, err := d.variant.recipe.Replay(d.target.region.Program)
	if err != nil {
		return err
	}
	contractions := tree.Contractions()
	for _, e := range tree.Program.Expansions {
		mark, is := contractions[e.Name]
		if !is {
			continue
		}
		extents := slices.Clone(e.Spelled)
		for _, side := range mark.Sides {
			extents[side.Dimension] = strconv.FormatInt(side.Size, 10)
		}
		where := "one at a time"
		if mark.Own {
			where = "one for each thread"
		}
		fmt.Fprintf(w, "tune: %s: %s is contracted to %s, %s\n", d.target.name, e.Name, spelledArray(e.Name, extents), where)
	}
	return nil
}

// printSchedule prints the schedule tree in isl's notation.
func (d *transformed) printSchedule(w io.Writer) error {
	if d.variant.isUnchanged() {
		return nil
	}
	ctx, _, end := limitedContext(context.Background(), lastLimits.of(d.target.source), nil)
	defer end()
	model, err := d.target.region.Program.Model(ctx)
	if err != nil {
		return err
	}
	tree, err := d.variant.recipe.Replay(d.target.region.Program)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(w, tree.Schedule(model).String())
	return err
}

// printPrograms prints the integer programs, with empty lines between them.
func printPrograms(w io.Writer, done []transformed) {
	for _, d := range done {
		for _, program := range d.variant.explanation.Programs {
			fmt.Fprintln(w, program.Text(d.target.region.Program))
		}
	}
}

// writeOutput writes to a file, or to w for "-".
func writeOutput(w io.Writer, path string, content []byte) error {
	if path == "-" {
		_, err := w.Write(content)
		return err
	}
	if err := os.WriteFile(path, content, 0o666); err != nil {
		return fmt.Errorf("cannot write the program: %w; name another file with -o", err)
	}
	return nil
}
