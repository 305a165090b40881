package main

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"polytune/internal/usage"
	"polytune/isl"
	"polytune/runner"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/scop/split"
	"polytune/space"
	variants "polytune/space/variant"
	"polytune/transform"
)

// splitAxis is an axis of variants that no model knows. The pieces of a statement
// stay in the class of the partition that the statement is in.
var splitAxis = variants.Axis{Name: "iss", About: "whether statements are split where long dependences are symmetric, as on a ring",
	Values: variants.Switch(), Default: variants.Off}

// freeAxis is another axis that no model knows.
var freeAxis = variants.Axis{Name: "free", About: "whether statements are split where a loop carries nothing in the pieces",
	Values: variants.Switch(), Default: variants.On}

// expandAxis is an axis that no model knows either. Where the models expand
// temporaries without being asked, it changes nothing.
var expandAxis = variants.Axis{Name: "expand", About: "whether temporaries are expanded into arrays also where the models do not",
	Values: variants.Switch(), Default: variants.Off}

// ownAxes are the axes that no model knows.
var ownAxes = []variants.Axis{splitAxis, freeAxis, expandAxis}

// axesOf are the axes of the target's variants: given ones of the models, and
// the target's own, which it has unless its statements are split already.
func (t *target) axesOf(models []variants.Axis) []variants.Axis {
	if t.region.Program != t.whole {
		return models
	}
	return append(models, ownAxes...)
}

// models are the axes of the target's variants with the structure of a nest.
// Sizes of tiles are a family: which loops are tiled is known when the model has
// transformed the nest, which is done only for settings with sizes. ctx ends
// that.
func (t *target) models(ctx context.Context, nest space.Nest, base transform.Options) (*variants.Models, error) {
	shared, err := variants.New(t.axesOf(transform.Axes()), nil)
	if err != nil {
		return nil, err
	}
	sizes, err := t.sizesFamily(ctx, base, func(space.Partition) space.Nest { return nest })
	if err != nil {
		return nil, err
	}
	return variants.NewModels(shared, sizes)
}

// sizesFamily are the axes of sizes of tiles, of the nest that belongs to a
// partition.
func (t *target) sizesFamily(ctx context.Context, base transform.Options, nestOf func(space.Partition) space.Nest) (variants.Family, error) {
	err := t.complete(&base)
	return variants.Family{When: transform.Sized,
		Axes: func(p space.Partition) (axes []variants.Axis, _ []variants.Constraint, err error) {
			err = t.withGraph(ctx, func(g *depend.Graph) error {
				recipe, err := transform.TransformNest(g, nestOf(p), transform.WithSizes(base))
				axes = transform.SizeAxes(transform.TiledLoops(recipe))
				return err
			})
			return axes, nil, err
		}}, err
}

// point is what a variant is made of: a target, whose statements may be split, the
// structure of its nests, and the transformation's options.
type point struct {
	target  *target
	nest    space.Nest
	options transform.Options
}

// at is the point of a nest with the options of the machine and what the setting
// decides.
func (t *target) at(ctx context.Context, nest space.Nest, setting string, base transform.Options) (point, error) {
	models, err := t.models(ctx, nest, base)
	if err != nil {
		return point{}, err
	}
	s, err := models.Parse(nest.Partition(), setting)
	if err != nil {
		return point{}, err
	}
	p := point{t, nest, transform.OptionsOf(s, base)}
	if s[expandAxis.Name] == variants.On {
		if err := p.expand(); err != nil {
			return p, err
		}
	}
	switch {
	case s[splitAxis.Name] == variants.On:
		err = p.split(ctx)
	case s[freeAxis.Name] == variants.On:
		err = p.free(ctx)
	}
	return p, err
}

// expand expands the temporaries of the point's target; where there are none that can be, that
// is a *variants.SettingError.
func (p *point) expand() error {
	if len(p.target.whole.Expansions) > 0 {
		return nil
	}
	expanded, err := p.target.expanded(scop.Room{Bytes: modelMemory})
	if err != nil {
		return err
	}
	if len(expanded.whole.Expansions) == 0 {
		return &variants.SettingError{Reason: "no temporary can be expanded"}
	}
	p.nest = nestWithCopies(p.nest, len(expanded.region.Program.Statements))
	p.target = expanded
	return nil
}

// nestWithCopies is the nest of so many statements in which those that it lacks, which bring last values back at the end, run
// by themselves behind all others.
func nestWithCopies(nest space.Nest, statements int) space.Nest {
	longer := make(space.Nest, len(nest))
	for level, partition := range nest {
		longer[level] = slices.Clone(partition)
		for len(longer[level]) < statements {
			class := 0 // by itself below the outermost level
			if level == 0 {
				class = slices.Max(longer[level]) + 1
			}
			longer[level] = append(longer[level], class)
		}
	}
	return longer
}

// free splits the point's statements where a loop carries nothing in the pieces, if
// there is such a loop and the statements are not split already.
func (p *point) free(ctx context.Context) error {
	if p.target.isWhole || p.target.region.Program != p.target.whole {
		return nil
	}
	var cuts []scop.Cut
	err := p.target.withGraph(ctx, func(g *depend.Graph) (err error) {
		cuts, err = split.Free(g)
		return err
	})
	if isl.IsLimit(err) || err == nil && len(cuts) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	return p.cut(cuts)
}

// split splits the point's statements; where none can be, that is a
// *variants.SettingError.
func (p *point) split(ctx context.Context) error {
	found, err := p.target.cuts(ctx)
	if err != nil {
		return err
	}
	if len(found.Cuts) == 0 {
		return &variants.SettingError{Reason: fmt.Sprintf("index-set splitting does not apply: %s", found.Why())}
	}
	return p.cut(found.Cuts)
}

// cut splits the point's statements at the cuts.
func (p *point) cut(cuts []scop.Cut) error {
	pieces := *p.target
	pieces.partitions = &spaceChoice{} // what was chosen names whole statements, and has had its say
	if err := pieces.cut(cuts); err != nil {
		return err
	}
	p.target, p.nest = &pieces, nestOfPieces(p.nest, p.target.region.Program, pieces.region.Program)
	return nil
}

// nestOfPieces is the nest in which every piece is where its statement was.
func nestOfPieces(nest space.Nest, whole, cut *scop.Program) space.Nest {
	pieces := make(space.Nest, len(nest))
	for level, partition := range nest {
		for i := range cut.Statements {
			s := slices.Index(whole.StatementNames(), cut.Statements[i].Whole())
			pieces[level] = append(pieces[level], partition[s])
		}
	}
	return pieces
}

// pointOf is the point of a nest that the flags ask for on this machine.
func (o *modelOptions) pointOf(ctx context.Context, t *target, nest space.Nest, machine runner.Machine) (point, error) {
	base, err := o.options(machine)
	if err != nil {
		return point{}, err
	}
	if o.point == "" {
		p := point{t, nest, base}
		return p, p.free(ctx)
	}
	if o.tile != "" {
		return point{}, usage.Mistake(errors.New("--tile and --point both say how loops are tiled; give sizes as --point \"tile=sizes tile.1=32\", or leave one out"))
	}
	p, err := t.at(ctx, nest, o.point, base)
	if wrong := new(variants.SettingError); errors.As(err, &wrong) {
		return point{}, usage.Mistake(fmt.Errorf("--point, for partition %s: %w", nest, err))
	}
	return p, err
}

// refine parts classes of the partition that the models have chosen where they think better of it. Where isl
// needs too long, or the user's constraints forbid it, the partition stays.
func (p *point) refine(ctx context.Context) error {
	if err := p.target.complete(&p.options); err != nil {
		return err
	}
	err := p.target.withGraph(ctx, func(g *depend.Graph) error {
		s, err := p.target.space(g)
		if err != nil {
			return err
		}
		refined, err := transform.Refine(g, p.nest.Partition(), p.options)
		if err != nil {
			return err
		}
		if _, reason := s.Contains(refined); reason == nil {
			p.nest = space.Nest{refined}
		}
		return nil
	})
	if isl.IsLimit(err) {
		return nil
	}
	return err
}

// axesHelp lists the axes for --help.
func axesHelp() string {
	var b strings.Builder
	b.WriteString("\n\nAXES of --point; one that is left out has its default\n")
	for _, a := range slices.Concat(transform.Axes(), ownAxes, transform.SizeAxes(1)) {
		choices := strings.Join(a.Choices(), ", ")
		fmt.Fprintf(&b, "  %-12s %s: %s (default %s)\n", a.Name, a.About, choices, a.Default)
		if a.When != nil {
			fmt.Fprintf(&b, "  %-12s only if %s\n", "", a.When)
		}
	}
	b.WriteString("  tile.2, tile.3 and so on are for the loops further inside, as many as are tiled")
	return b.String()
}

// withoutPoint refuses --point where a recipe takes the place of the models.
func (o *modelOptions) withoutPoint() error {
	if o.point != "" {
		return usage.Mistake(errors.New("a recipe says everything that --point could; leave out one of --recipe and --point"))
	}
	return nil
}

// countVariants is a bound on the number of points of the whole variant space
// with the axes: exact but for bands that are narrower than the deepest nest,
// which have fewer tile sizes, and for partitions in which fewer axes matter. It
// is nil when the partitions cannot be counted.
func (t *target) countVariants(ctx context.Context, axes []variants.Axis) (count *big.Int, err error) {
	if slices.ContainsFunc(axes, func(a variants.Axis) bool { return a.Name == transform.TileAxis }) {
		axes = slices.Concat(axes, transform.SizeAxes(t.deepest()))
	}
	shared, err := variants.New(axes, nil)
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
