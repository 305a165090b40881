package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"polytune/codegen"
	"polytune/codegen/mpi"
	"polytune/configs"
	"polytune/internal/jsondoc"
	"polytune/internal/usage"
	"polytune/pipeline"
	"polytune/pipeline/limit"
	"polytune/pipeline/transformed"
	"polytune/pipeline/variant"
	"polytune/report"
	"polytune/runner"
	"polytune/schedule/foreign"
	"polytune/schedule/refusal"
	"polytune/target/registry"
)

type transformOptions struct {
	variant.Request
	output        string
	printRecipe   bool
	names         bool
	printSchedule bool
	printAfter    string
	dumpILP       bool
	time          bool
	json          bool
	header        string
	naive         bool
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
	recipeFlags(c, &o.Recipe, "a `file` of scheduling commands to follow instead of the models")
	global.bind(c, map[string]string{"threads": "threads"})
	return c
}

func (o *transformOptions) flags(set *pflag.FlagSet) {
	targetFlags(set, &o.Target)
	ranksFlags(set, &o.Target.Ranks)
	set.BoolVar(&o.Target.Ranks.How.Local, "local", false, "with --target mpi, a second function for ranks that have their own rows of arrays and those that they get of others alone, and one that tells which these are")
	privatizeFlag(set, &o.Target, true)
	expandFlag(set, &o.Target)
	inplaceFlag(set, &o.Target)
	untileFlag(set, &o.Target)
	reassociateFlag(set, &o.Target)
	spaceFlags(set, &o.Target.Space)
	modelFlags(set, &o.Model)
	splittingFlags(set, &o.Splitting)
	set.StringVar(&o.Partition, "partition", "smart", "the fusion `partition`: a class vector such as 0-1-1-2, a drawing such as {S0} {S1 S2} {S3}, max, smart, typed, hybrid, or none; with one vector for each loop level, 0-0-1-1/0-1-0-0, it says what is fused inside")
	set.StringVar(&o.Params, "param", "", "parameter values, `NAME=NUMBER,…`, of the run that the sizes of tiles are to fit (default those of a benchmark's size large)")
	set.Int("threads", 0, "OpenMP threads of that run (default one for each core)")
	set.StringVarP(&o.output, "output", "o", "-", "the `file` to write; - is standard output")
	set.StringVar(&o.header, "header", "", "for an algorithm in Go, the `file` to write that declares the function for C and C++")
	set.BoolVar(&o.naive, "naive", false, "for an algorithm in Go, write the function with its computations in loops of their own, as a C file with a region, and its recipe as a comment")
	set.BoolVar(&o.LineDirectives, lineFlag, false, lineHelp)
	set.BoolVar(&o.printRecipe, "print-recipe", false, "print the recipe instead of writing the program")
	set.BoolVar(&o.names, "names", false, "print the recipe with the names that loops have in the source, S1.k, or in the recipe of --recipe")
	set.BoolVar(&o.printSchedule, "print-schedule", false, "print the schedule tree in isl's notation, as --schedule reads it, instead of writing the program")
	set.StringVar(&o.printAfter, "print-after", "", "print the code behind this `pass` of code generation, for people, instead of writing the program: "+strings.Join(passNames(), ", "))
	set.BoolVar(&o.dumpILP, "dump-ilp", false, "print the integer programs that the models solve, with the equations they come from, instead of writing the program")
	set.BoolVar(&o.time, "time", false, "print on stderr how long each phase took")
	set.BoolVar(&o.json, "json", false, "print one JSON document; the program is written only to the file of --output")
}

// passNames are the names of the passes of code generation, in their order.
func passNames() (names []string) {
	for _, pass := range registry.Default().Passes() {
		names = append(names, pass.Name)
	}
	return names
}

func runTransform(ctx context.Context, w, stderr io.Writer, o *transformOptions, args []string, settings configs.Settings) error {
	if names := passNames(); o.printAfter != "" && !slices.Contains(names, o.printAfter) {
		return usage.Mistake(fmt.Errorf("--print-after %s: there is no such pass; there are %s", o.printAfter, strings.Join(names, ", ")))
	}
	if err := keepSource(o.output, args); err != nil {
		return err
	}
	started := time.Now()
	machine, err := runner.Detect(settings.Machine.Name)
	if err != nil {
		return err
	}
	o.Threads = len(machine.TimingCPUs(settings.Threads))
	targets, err := o.Targets(ctx, stderr, args, machine, settings)
	if err == nil && o.json {
		err = oneDocument(targets)
	}
	if err != nil {
		return err
	}
	if done, err := o.writeAlgorithm(w, targets[0]); err != nil || done {
		return err
	}
	done, err := o.TransformAll(ctx, targets, machine)
	if err != nil {
		return o.refused(w, targets[0].Name, err)
	}
	countRest(done, time.Since(started))
	for _, d := range done {
		if note := d.Variant.Note(); note != "" {
			fmt.Fprintf(stderr, "tune: %s: %s\n", d.Target.Name, note)
		}
		if note := d.Variant.DoubtNote(); note != "" {
			fmt.Fprintf(stderr, "tune: %s: %s\n", d.Target.Name, note)
		}
		for _, note := range d.Variant.Filled {
			fmt.Fprintf(stderr, "tune: %s\n", note)
		}
		noteHost(&d, stderr)
		noteMain(&d, stderr)
		if err := noteMemory(&d, stderr); err != nil {
			return err
		}
		if o.Recipe.IsGiven() {
			noteDeclined(&d, stderr)
		}
	}
	if o.time {
		printPhases(stderr, done)
	}
	return o.print(w, done)
}

// writeAlgorithm writes what an algorithm in Go is without a schedule, where it is asked for: its
// header, and the function as it is declared. done says that there is no more to write.
func (o *transformOptions) writeAlgorithm(w io.Writer, t *pipeline.Target) (done bool, err error) {
	switch {
	case !o.naive && o.header == "":
		return false, nil
	case t.Algorithm == nil:
		return false, usage.Mistake(fmt.Errorf("--header and --naive are for algorithms in Go; %s is C already", t.Name))
	}
	if o.header != "" {
		if err := os.WriteFile(o.header, t.Header(), 0o666); err != nil {
			return false, fmt.Errorf("cannot write the header: %w; name another file with --header", err)
		}
	}
	if !o.naive {
		return false, nil
	}
	t.Place.Close()
	return true, writeOutput(w, o.output, t.Algorithm.Source)
}

// refusedReport is the JSON document of a recipe that is refused.
type refusedReport struct {
	Kernel  string           `json:"kernel"`
	Refused *refusal.Refusal `json:"refused"`
}

// refused prints why a recipe is refused as the JSON document, where one is asked for, and returns
// the error.
func (o *transformOptions) refused(w io.Writer, kernel string, err error) error {
	document := refusedReport{Kernel: kernel}
	if o.json && errors.As(err, &document.Refused) {
		return cmp.Or(jsondoc.Write(w, document), err)
	}
	return err
}

// print writes what the flags ask for.
func (o *transformOptions) print(w io.Writer, done []variant.Transformed) error {
	switch {
	case o.printRecipe, o.names:
		for _, d := range done {
			fmt.Fprint(w, o.recipeOf(&d))
		}
		return nil
	case o.printSchedule:
		return printSchedules(w, done)
	case o.printAfter != "":
		return o.printPass(w, done)
	case o.dumpILP:
		printPrograms(w, done)
		return nil
	}
	if !o.json || o.output != "-" {
		if err := writeOutput(w, o.output, done[0].Variant.Source); err != nil {
			return err
		}
		if err := o.writeDevice(done); err != nil {
			return err
		}
	}
	if o.json {
		report, err := transformed.Of(&done[0])
		if err != nil {
			return err
		}
		return jsondoc.Write(w, report)
	}
	return nil
}

// recipeOf is the text of a variant's recipe, with the names that are asked for.
func (o *transformOptions) recipeOf(d *variant.Transformed) string {
	if o.names && !d.Variant.IsUnchanged() {
		return d.Variant.Recipe.NamedText(d.Target.Unit.Program)
	}
	return d.Variant.Text
}

func printSchedules(w io.Writer, done []variant.Transformed) error {
	for _, d := range done {
		if err := printSchedule(&d, w); err != nil {
			return err
		}
	}
	return nil
}

// noteDeclined says what the code does without of what the user's recipe asks for.
func noteDeclined(d *variant.Transformed, w io.Writer) {
	for _, e := range report.DeclinedExplanations(d.Variant.Notes.Declined) {
		place := ""
		if e.Loop != "" {
			place = e.Loop + ": "
		}
		fmt.Fprintf(w, "tune: %s: %s%s, because %s\n", d.Target.Name, place, e.What, e.Why)
	}
	for _, warning := range d.Variant.Notes.Warnings {
		fmt.Fprintf(w, "tune: %s: %s\n", d.Target.Name, warning)
	}
}

// noteHost says which statements a device cannot run.
func noteHost(d *variant.Transformed, w io.Writer) {
	if d.Variant.Device == nil {
		return
	}
	for _, host := range d.Variant.Device.Report.Host {
		fmt.Fprintf(w, "tune: %s: %s on the host: %s\n", d.Target.Name, strings.Join(host.Statements, ", "), host.Reason)
	}
}

// noteMain says what a program with main has to do besides on ranks.
func noteMain(d *variant.Transformed, w io.Writer) {
	source := d.Variant.Source
	isBegun := bytes.Contains(source, []byte("MPI_Init(")) || bytes.Contains(source, []byte("MPI_Init_thread("))
	if d.Target.IsOnRanks() && d.Target.IsProgram && bytes.Contains(source, []byte(mpi.Marker)) && !isBegun {
		fmt.Fprintf(w, "tune: %s: main has to call MPI_Init in front of the region, and MPI_Finalize at its end; what it prints each rank prints\n", d.Target.Name)
	}
}

// noteMemory says of which expanded arrays there are fewer elements than NoteExpansions says, and how
// many, and which arrays have their elements at other places.
func noteMemory(d *variant.Transformed, w io.Writer) error {
	if d.Variant.IsUnchanged() {
		return nil
	}
	tree, err := d.Variant.Recipe.Replay(d.Target.Unit.Program)
	if err != nil {
		return err
	}
	for _, s := range tree.Program.Storages {
		if len(s.Place) == 0 {
			fmt.Fprintf(w, "tune: %s: %s is in the variable %s\n", d.Target.Name, s.ElementText(), s.Name)
			continue
		}
		fmt.Fprintf(w, "tune: %s: %s is at %s%s, of %s\n", d.Target.Name, s.ElementText(), s.Name, s.PlaceText(), pipeline.SpelledArray(s.Name, s.Spelled))
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
		fmt.Fprintf(w, "tune: %s: %s is contracted to %s, %s\n", d.Target.Name, e.Name, pipeline.SpelledArray(e.Name, extents), where)
	}
	return nil
}

// printSchedule prints the schedule tree in isl's notation, behind what has been done to the program.
func printSchedule(d *variant.Transformed, w io.Writer) error {
	if d.Variant.IsUnchanged() {
		return nil
	}
	ctx, _, end := limit.Context(context.Background(), limit.Last.Of(d.Target.Source), nil)
	defer end()
	model, err := d.Target.Unit.Program.Model(ctx)
	if err != nil {
		return err
	}
	tree, err := d.Variant.Recipe.Replay(d.Target.Unit.Program)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(w, foreign.BeginningText(d.Target.Unit.Program), tree.Schedule(model).String())
	return err
}

// printPass prints the code behind a pass.
func (o *transformOptions) printPass(w io.Writer, done []variant.Transformed) error {
	for _, d := range done {
		if d.Variant.IsUnchanged() {
			continue
		}
		if err := printAfter(&d, w, o.printAfter); err != nil {
			return fmt.Errorf("%s: %w", d.Target.Name, err)
		}
	}
	return nil
}

func printAfter(d *variant.Transformed, w io.Writer, pass string) error {
	ctx, _, end := limit.Context(context.Background(), limit.Last.Of(d.Target.Source), nil)
	defer end()
	g, err := d.Target.Analyze(ctx)
	if err != nil {
		return err
	}
	text, err := codegen.After(g, d.Variant.Recipe, d.Target.Unit, d.Target.On.Passes(), pass)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(w, text)
	return err
}

// printPrograms prints the integer programs, with empty lines between them.
func printPrograms(w io.Writer, done []variant.Transformed) {
	for _, d := range done {
		for _, program := range d.Variant.Explanation.Programs {
			fmt.Fprintln(w, program.Text(d.Target.Unit.Program))
		}
	}
}

// writeDevice writes the text for a device beside the program's file.
func (o *transformOptions) writeDevice(done []variant.Transformed) error {
	if o.output == "-" {
		return nil
	}
	var text []byte
	suffix := ""
	for _, d := range done {
		if d.Variant.Device != nil {
			text, suffix = append(text, d.Variant.Device.Text...), d.Variant.Device.Suffix
		}
	}
	if suffix == "" {
		return nil
	}
	return writeOutput(nil, besideOf(o.output, suffix), text)
}

// besideOf is the path of a program's file with another suffix.
func besideOf(path, suffix string) string {
	return strings.TrimSuffix(path, filepath.Ext(path)) + suffix
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
