package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"polytune/codegen"
	"polytune/configs"
	"polytune/schedule"
	"polytune/store"
)

type emitOptions struct {
	best   bestOptions
	output string
}

func newEmitCommand(global *globalOptions) *cobra.Command {
	o := &emitOptions{}
	c := &cobra.Command{
		Use:     "emit TARGET -o FILE",
		Short:   "Write the program with the best known variant in place",
		Long:    "Write the program with the best known variant for this machine in place of the\nregion, pragmas included; everything else stays byte for byte the same." + exitStatusHelp(),
		Example: "  tune emit --bench 2mm -o 2mm.best.c\n  tune emit kernel.c -o kernel.best.c",
		Args:    maximumArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			settings, err := global.settings()
			if err != nil {
				return err
			}
			return runEmit(c.Context(), c.OutOrStdout(), o, args, settings)
		},
	}
	o.best.flags(c, global)
	c.Flags().StringVarP(&o.output, "output", "o", "-", "the `file` to write; - is standard output")
	return c
}

func runEmit(ctx context.Context, w io.Writer, o *emitOptions, args []string, settings configs.Settings) error {
	t, results, err := o.best.find(ctx, args, settings)
	if err != nil {
		return err
	}
	source, err := t.emit(results[0])
	if err != nil {
		return fmt.Errorf("%s: %w", t.name, err)
	}
	return writeOutput(w, o.output, source)
}

// emit is the program with a stored variant in place. Where the original is
// the best, only the pragmas go.
func (t *target) emit(b store.Best) ([]byte, error) {
	if b.Variant.ID == store.Original {
		code := string(t.file.Source[t.region.Start:t.region.End])
		return codegen.Splice(t.file.Source, t.region.PragmaStart, t.region.PragmaEnd, code), nil
	}
	recipe, err := schedule.Parse(t.region.Program, b.Variant.Recipe)
	if err != nil {
		return nil, err
	}
	v, err := t.replay(recipe)
	return v.source, err
}
