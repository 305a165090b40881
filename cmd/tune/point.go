package main

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"polytune/runner"
	"polytune/scop/depend"
	"polytune/space"
	variants "polytune/space/variant"
	"polytune/transform"
)

// models are the axes of the target's variants with the structure of a nest.
// Sizes of tiles are a family: which loops are tiled is known when the model has
// transformed the nest, which is done only for settings with sizes. ctx ends
// that.
func (t *target) models(ctx context.Context, nest space.Nest, base transform.Options) (*variants.Models, error) {
	shared, err := variants.New(transform.Axes(), nil)
	if err != nil {
		return nil, err
	}
	if base.Space, err = t.spaceOptions(); err != nil {
		return nil, err
	}
	return variants.NewModels(shared, variants.Family{When: transform.Sized,
		Axes: func(space.Partition) (axes []variants.Axis, _ []variants.Constraint, err error) {
			err = t.withGraph(ctx, func(g *depend.Graph) error {
				recipe, err := transform.TransformNest(g, nest, base)
				axes = transform.SizeAxes(transform.TiledLoops(recipe))
				return err
			})
			return axes, nil, err
		}})
}

// optionsAt are the transformation's options for a nest: those of the machine,
// with what the setting decides.
func (t *target) optionsAt(ctx context.Context, nest space.Nest, setting string, base transform.Options) (transform.Options, error) {
	models, err := t.models(ctx, nest, base)
	if err != nil {
		return base, err
	}
	s, err := models.Parse(nest.Partition(), setting)
	if err != nil {
		return base, err
	}
	return transform.OptionsOf(s, base), nil
}

// optionsFor are the transformation's options for a nest on this machine.
func (o *modelOptions) optionsFor(ctx context.Context, t *target, nest space.Nest, machine runner.Machine) (transform.Options, error) {
	base, err := o.options(machine)
	if err != nil || o.point == "" {
		return base, err
	}
	if o.tile != "" {
		return base, usageError(errors.New("--tile and --point both say how loops are tiled; give sizes as --point \"tile=sizes tile.1=32\", or leave one out"))
	}
	options, err := t.optionsAt(ctx, nest, o.point, base)
	if wrong := new(variants.SettingError); errors.As(err, &wrong) {
		return base, usageError(fmt.Errorf("--point, for partition %s: %w", nest, err))
	}
	return options, err
}

// axesHelp lists the axes for --help.
func axesHelp() string {
	var b strings.Builder
	b.WriteString("\n\nAXES of --point; one that is left out has its default\n")
	for _, a := range append(transform.Axes(), transform.SizeAxes(1)...) {
		choices := strings.Join(a.Choices(), ", ")
		fmt.Fprintf(&b, "  %-10s %s: %s (default %s)\n", a.Name, a.About, choices, a.Default)
		if a.When != nil {
			fmt.Fprintf(&b, "  %-10s only if %s\n", "", a.When)
		}
	}
	b.WriteString("  tile.2, tile.3 and so on are for the loops further inside, as many as are tiled")
	return b.String()
}

// withoutPoint refuses --point where a recipe takes the place of the models.
func (o *modelOptions) withoutPoint() error {
	if o.point != "" {
		return usageError(errors.New("a recipe says everything that --point could; leave out one of --recipe and --point"))
	}
	return nil
}

// countVariants is a bound on the number of points of the whole variant space:
// exact but for bands that are narrower than the deepest nest, which have
// fewer tile sizes. It is nil when the partitions cannot be counted.
func (t *target) countVariants(ctx context.Context) (count *big.Int, err error) {
	shared, err := variants.New(slices.Concat(transform.Axes(), transform.SizeAxes(t.deepest())), nil)
	if err != nil {
		return nil, err
	}
	models, err := variants.NewModels(shared)
	if err != nil {
		return nil, err
	}
	err = t.withGraph(ctx, func(g *depend.Graph) error {
		s, err := t.space(g)
		if err != nil {
			return err
		}
		count, _, err = variants.NewSpace(s, models).Count(space.DefaultBudget)
		return err
	})
	return count, err
}
