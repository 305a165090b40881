package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"polytune/configs"
	"polytune/internal/jsondoc"
	"polytune/internal/usage"
	"polytune/layers"
	"polytune/pipeline"
	"polytune/pipeline/limit"
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

// layersReport is the JSON document: the layers that are asked for.
type layersReport struct {
	Kernel        string                `json:"kernel"`
	Algorithm     *layers.Algorithm     `json:"algorithm,omitempty"`
	Order         *layers.Order         `json:"order,omitempty"`
	Data          *layers.Data          `json:"data,omitempty"`
	Communication *layers.Communication `json:"communication,omitempty"`
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
	if o.layer == 1 {
		return o.print(w, targets, nil)
	}
	done, err := o.TransformAll(ctx, targets, machine)
	if err != nil {
		return err
	}
	return o.print(w, targets, done)
}

// print prints the layers of each region; without variants the first one.
func (o *layersOptions) print(w io.Writer, targets []*pipeline.Target, done []variant.Transformed) error {
	for k, t := range targets {
		var v *variant.Variant
		if done != nil {
			v = &done[k].Variant
		}
		r, err := o.layersOf(t, v)
		if err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		}
		if o.json {
			return jsondoc.Write(w, r)
		}
		if err := r.print(w, o.layer == 0); err != nil {
			return err
		}
	}
	return nil
}

// layersOf makes the layers of a region.
func (o *layersOptions) layersOf(t *pipeline.Target, v *variant.Variant) (*layersReport, error) {
	c, _, end := limit.Context(context.Background(), limit.Last.Of(t.Source), nil)
	defer end()
	r := &layersReport{Kernel: t.Name}
	m, err := t.Source.Model(c)
	if err == nil && o.layer <= 1 {
		r.Algorithm, err = layers.AlgorithmOf(m)
	}
	if err != nil || v == nil {
		return r, err
	}
	recipe, program := v.Recipe, t.Unit.Program
	if v.IsUnchanged() {
		if _, recipe, err = t.ReadRecipe("original\n"); err != nil {
			return nil, err
		}
	}
	tree, err := recipe.Replay(program)
	if err != nil {
		return nil, err
	}
	if m, err = tree.Program.Model(c); err != nil {
		return nil, err
	}
	if o.layer == 0 || o.layer == 2 {
		r.Order, err = layers.OrderOf(m, tree)
	}
	if err == nil && (o.layer == 0 || o.layer == 3) {
		r.Data, err = layers.DataOf(m, tree)
	}
	if err == nil && (o.layer == 0 || o.layer == 4) {
		r.Communication, err = layers.CommunicationOf(m, tree)
	}
	return r, err
}

// print prints the layers that there are, each with a heading where several are asked for.
func (r *layersReport) print(w io.Writer, headings bool) error {
	var text string
	add := func(heading string, layer fmt.Stringer) {
		if headings {
			text += "# " + heading + "\n"
		}
		text += layer.String()
	}
	if r.Algorithm != nil {
		add("Layer I: what is computed", r.Algorithm)
	}
	if r.Order != nil {
		add("Layer II: when and where", r.Order)
	}
	if r.Data != nil {
		add("Layer III: in which memory", r.Data)
	}
	if r.Communication != nil {
		add("Layer IV: with which operations", r.Communication)
	}
	_, err := io.WriteString(w, text)
	return err
}
