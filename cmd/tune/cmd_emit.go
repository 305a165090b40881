package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"polytune/codegen"
	"polytune/configs"
	"polytune/internal/ctext"
	"polytune/internal/usage"
	"polytune/store"
)

type emitOptions struct {
	best           bestOptions
	output         string
	dispatch       bool
	lineDirectives bool
	// driver is the folder for the measured programs, "" for none; outputGiven says that
	// the command line names a file, too.
	driver      string
	outputGiven bool
}

func newEmitCommand(global *globalOptions) *cobra.Command {
	o := &emitOptions{}
	c := &cobra.Command{
		Use:   "emit TARGET -o FILE",
		Short: "Write the program with the best known variant in place",
		Long: `Write the program with the best known variant for this machine in place of the
region, pragmas included; everything else stays byte for byte the same. A file
with several regions has all of them replaced, unless one is chosen. A comment
says which variant it is, and how, where and when it was timed. Where no variant
is known to be faster the original stays, and a line on standard error says how
many more rounds would tell; --any takes the first variant anyway.

With --dispatch the program has the best variants of all machines that the
database knows, such as one of tune merge, and the original. When it runs it
looks at the system's name of the processor and the number of cores; on a machine
that is none of these the original runs. The environment's POLYTUNE_MACHINE
names a machine by its id or name instead.
` + driverHelp + exitStatusHelp(),
		Example: "  tune emit --bench 2mm -o 2mm.best.c\n  tune emit kernel.c -o kernel.best.c\n  tune emit kernel.c --db all.db --dispatch -o kernel.all.c\n  tune emit kernel.c --driver kernel.measured",
		Args:    maximumArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			o.outputGiven = c.Flags().Changed("output")
			settings, err := global.settings()
			if err != nil {
				return err
			}
			return runEmit(c.Context(), c.OutOrStdout(), o, args, settings)
		},
	}
	o.best.flags(c, global)
	c.Flags().StringVarP(&o.output, "output", "o", "-", "the `file` to write; - is standard output")
	c.Flags().BoolVar(&o.dispatch, "dispatch", false, "put the best variants of all machines in place, and choose when the program runs")
	c.Flags().StringVar(&o.driver, "driver", "", "write the programs that were timed into this `folder`, for perf and others")
	driverFlags(c.Flags(), &o.best.target.driver)
	runFlags(c.Flags(), &o.best.target.program)
	c.Flags().BoolVar(&o.lineDirectives, lineFlag, false, lineHelp)
	return c
}

func runEmit(ctx context.Context, w io.Writer, o *emitOptions, args []string, settings configs.Settings) error {
	if o.dispatch && o.best.machine != "" {
		return usage.Mistake(errors.New("--dispatch is for all machines; leave out --machine"))
	}
	if err := o.checkDriver(); err != nil {
		return err
	}
	o.best.allMachines = o.dispatch
	targets, err := o.best.target.all(args)
	if err != nil {
		return err
	}
	o.best.target.warnOfMacros(os.Stderr, targets, settings.SelectedToolchain())
	known, err := o.best.find(ctx, targets, settings)
	if err != nil {
		return err
	}
	emit := o.emitAll
	if o.dispatch {
		emit = o.emitDispatch
	}
	return o.writeEmitted(ctx, w, known, func() ([]byte, error) { return emit(ctx, known) })
}

// emitAll puts the fastest variants of all regions in place.
func (o *emitOptions) emitAll(ctx context.Context, known []knownResults) ([]byte, error) {
	return o.replace(known, func(k knownResults) ([]byte, error) {
		if err := k.oneSize(); err != nil {
			return nil, err
		}
		return k.emitNoted(ctx, k.results[0])
	})
}

// replace puts what emit makes of each region in place, from the last region to
// the first, so that the places of the earlier ones stay true.
func (o *emitOptions) replace(known []knownResults, emit func(knownResults) ([]byte, error)) ([]byte, error) {
	file := known[0].target.file
	for _, k := range slices.Backward(known) {
		k.target.file = file
		source, err := emit(k)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k.target.name, err)
		}
		if o.lineDirectives {
			source = k.target.withLineDirective(source)
		}
		next := *file
		next.Source = source
		file = &next
	}
	return file.Source, nil
}

// emitNoted is the program with a result's variant in place, and a comment that
// says where the result comes from.
func (k *knownResults) emitNoted(ctx context.Context, b store.Best) ([]byte, error) {
	source, err := k.target.emit(ctx, b)
	if err != nil {
		return nil, err
	}
	open := k.contenders[b.Trial]
	if open != nil {
		fmt.Fprintf(os.Stderr, "%s: note: %s; tune again times it anew, --any takes it\n", k.target.name, open.text())
	}
	note, err := originNote(k.target, b, k.origins[b.Trial], open)
	if err != nil {
		return nil, err
	}
	region := k.target.region
	return ctext.Splice(source, region.PragmaStart, region.PragmaStart, codegen.Comment(note, region.Indent)), nil
}

// oneSize asks the user to choose when the best variant depends on the size.
func (k *knownResults) oneSize() error {
	first := k.results[0]
	sizes := []string{first.Size}
	differ := false
	for _, b := range k.results[1:] {
		if b.Size != sizes[len(sizes)-1] {
			sizes = append(sizes, b.Size)
			differ = differ || b.Variant.ID != first.Variant.ID
		}
	}
	if differ {
		return fmt.Errorf("the best variant depends on the size, and there are results for %s; choose one with --size or --param", strings.Join(sizes, "; "))
	}
	return nil
}

// emit is the program with a stored variant in place. Where the original is
// the best, only the pragmas go.
func (t *target) emit(ctx context.Context, b store.Best) ([]byte, error) {
	if store.IsOriginal(b.Variant.ID) {
		code := t.region.AsWritten(t.file.Source)
		return t.region.Replace(t.file.Source, code), nil
	}
	source, err := t.follow(ctx, b.Variant.Recipe)
	if err == nil || ctx.Err() != nil || t.written == t.whole {
		return source, err
	}
	// The variant may have been made of the program without private copies.
	other, region := *t, *t.region
	region.Program = t.written
	other.region, other.whole = &region, t.written
	if source, failed := other.follow(ctx, b.Variant.Recipe); failed == nil {
		return source, nil
	}
	return nil, err
}

// follow is the program transformed by the text of a recipe.
func (t *target) follow(ctx context.Context, text string) ([]byte, error) {
	at, recipe, err := t.readRecipe(text)
	if err != nil {
		return nil, err
	}
	v, err := at.replay(ctx, recipe)
	return v.source, err
}
