package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"polytune/configs"
	"polytune/internal/jsondoc"
	"polytune/internal/usage"
	"polytune/pipeline/layering"
	"polytune/pipeline/variant"
	"polytune/runner"
)

type layersOptions struct {
	transformOptions
	layer int
}

func newLayersCommand(global *globalOptions) *cobra.Command {
	o := &layersOptions{}
	c := &cobra.Command{
		Use:   "layers TARGET",
		Short: "Show what is computed, when and where, in which memory, with which operations",
		Long: `Show a program and its schedule in four layers, as Tiramisu has them: 1, what is
computed, as expressions over values; 2, when and where, in time and space; 3, in
which memory; 4, with which operations on memory and between processors. Sets and
relations are printed as isl reads them. Without a recipe the models choose.` + exitStatusHelp(),
		Example: "  tune layers --bench gemm --layer 1\n  tune layers blur.go --layer 2\n  tune layers kernel.c --recipe kernel.recipe --json",
		Args:    maximumArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			settings, err := global.settings()
			if err != nil {
				return err
			}
			return o.run(c.Context(), c.OutOrStdout(), c.ErrOrStderr(), args, settings)
		},
	}
	changeFlags(c.Flags(), &o.Target, &o.Splitting)
	modelFlags(c.Flags(), &o.Model)
	c.Flags().StringVar(&o.Partition, "partition", "smart", "the fusion `partition`, as for tune transform")
	recipeFlags(c, &o.Recipe, "a `file` of scheduling commands to follow instead of the models")
	c.Flags().StringVar(&o.Params, "param", "", "parameter values, `NAME=NUMBER,…`, of the run that the sizes of tiles are to fit")
	c.Flags().IntVar(&o.layer, "layer", 0, "the `number` of one layer, from 1 to 4 (default all)")
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON document")
	return c
}

func (o *layersOptions) run(ctx context.Context, w, stderr io.Writer, args []string, settings configs.Settings) error {
	if o.layer < 0 || o.layer > 4 {
		return usage.Mistake(errors.New("--layer is from 1 to 4"))
	}
	machine, err := runner.Detect(settings.Machine.Name)
	if err != nil {
		return err
	}
	targets, err := o.Targets(ctx, stderr, args, machine, settings)
	if err == nil && o.json {
		err = oneDocument(targets)
	}
	if err != nil {
		return err
	}
	var done []variant.Transformed
	if o.layer != 1 {
		if done, err = o.TransformAll(ctx, targets, machine); err != nil {
			return err
		}
	}
	for k, t := range targets {
		var v *variant.Variant
		if done != nil {
			v = &done[k].Variant
		}
		r, err := layering.Of(t, v, o.layer)
		if err != nil {
			return t.Failed(err)
		}
		if o.json {
			return jsondoc.Write(w, r)
		}
		if err := r.Print(w, o.layer == 0); err != nil {
			return err
		}
	}
	return nil
}
