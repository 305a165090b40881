package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"polytune/internal/usage"
	"polytune/pipeline"
	"polytune/pipeline/limit"
	"polytune/scop/openscop"
)

// scopOptions are those of tune scop.
type scopOptions struct {
	target pipeline.Options
	output string
}

func newScopCommand() *cobra.Command {
	o := &scopOptions{}
	c := &cobra.Command{
		Use:   "scop TARGET -o FILE",
		Short: "Write the program for other polyhedral tools",
		Long: `Write the region as a program in the OpenScop format 1.0, as Clan does: the
parameters and what is known of them, and for each statement its iteration domain,
its scattering, its accesses and its text. Pluto, PoCC, Candl, Clay and CLooG read
it. The scatterings that such a tool writes come back with --schedule.` + exitStatusHelp(),
		Example: "  tune scop kernel.c -o kernel.scop\n  tune scop --bench gemm",
		Args:    maximumArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return o.run(c.Context(), c.OutOrStdout(), args)
		},
	}
	targetFlags(c.Flags(), &o.target)
	c.Flags().StringVarP(&o.output, "output", "o", "-", "the `file` to write; - is standard output")
	return c
}

func (o *scopOptions) run(ctx context.Context, w io.Writer, args []string) error {
	targets, err := o.target.All(args)
	if err == nil && len(targets) > 1 {
		err = usage.Mistake(fmt.Errorf("an OpenScop file has one region: %w", pipeline.SeveralRegions(targets)))
	}
	if err != nil {
		return err
	}
	text, err := scopText(ctx, targets[0])
	if err != nil {
		return targets[0].Failed(err)
	}
	return writeOutput(w, o.output, []byte(text))
}

// scopText is the target's program as it was read.
func scopText(ctx context.Context, t *pipeline.Target) (string, error) {
	c, _, end := limit.Context(ctx, limit.Last.Of(t.Source), nil)
	defer end()
	model, err := t.Source.Model(c)
	if err != nil {
		return "", err
	}
	f, err := openscop.Of(model)
	if err != nil {
		return "", err
	}
	f.Source = filepath.Base(t.File.Path)
	return f.Write(), nil
}
