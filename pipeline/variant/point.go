package variant

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"polytune/internal/usage"
	"polytune/isl"
	"polytune/pipeline"
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

// ExpandAxis is an axis that no model knows either. Where the models expand
// temporaries without being asked, it changes nothing.
var ExpandAxis = variants.Axis{Name: "expand", About: "whether temporaries are expanded into arrays also where the models do not",
	Values: variants.Switch(), Default: variants.Off}

// OwnAxes are the axes that no model knows.
var OwnAxes = []variants.Axis{splitAxis, freeAxis, ExpandAxis, PadAxis}

// AxesOf are the axes of the target's variants: given ones of the models, and
// the target's own, which it has unless its statements are split already. Arrays
// have longer rows on processors that share all memory alone.
func AxesOf(t *pipeline.Target, models []variants.Axis) []variants.Axis {
	if t.Unit.Program != t.Whole {
		return models
	}
	if t.IsOnDevice() || t.IsOnRanks() {
		return append(models, slices.DeleteFunc(slices.Clone(OwnAxes), func(a variants.Axis) bool { return a.Name == PadAxis.Name })...)
	}
	return append(models, OwnAxes...)
}

// modelsOf are the axes of the target's variants with the structure of a nest.
// Sizes of tiles are a family: which loops are tiled is known when the model has
// transformed the nest, which is done only for settings with sizes. ctx ends
// that.
func modelsOf(ctx context.Context, t *pipeline.Target, nest space.Nest, base transform.Options) (*variants.Models, error) {
	shared, err := variants.New(AxesOf(t, ModelAxes(t)), nil)
	if err != nil {
		return nil, err
	}
	families, err := Families(ctx, t, base, func(space.Partition) space.Nest { return nest })
	if err != nil {
		return nil, err
	}
	return variants.NewModels(shared, families...)
}

// ModelAxes are those of the models for what the target's code is made for.
func ModelAxes(t *pipeline.Target) []variants.Axis {
	if t.IsOnDevice() {
		return slices.Concat(transform.DeviceAxes(), transform.MemoryAxes())
	}
	if t.IsOnRanks() {
		return transform.RankAxes()
	}
	return transform.Axes()
}

// HasSizes says whether sizes are among the choices that axes leave.
func HasSizes(axes []variants.Axis) bool {
	return slices.ContainsFunc(axes, func(a variants.Axis) bool { return a.Name == transform.TileAxis || a.Name == transform.MapAxis })
}

// Families are the axes of sizes of tiles, or of blocks and threads and of tiles in time and space,
// of the nest that belongs to a partition.
func Families(ctx context.Context, t *pipeline.Target, base transform.Options, nestOf func(space.Partition) space.Nest) ([]variants.Family, error) {
	if err := t.Complete(&base); err != nil {
		return nil, err
	}
	of := func(when variants.Condition, find func(*depend.Graph, space.Nest) ([]variants.Axis, []variants.Constraint, error)) variants.Family {
		return variants.Family{When: when, Axes: func(p space.Partition) (axes []variants.Axis, ties []variants.Constraint, err error) {
			err = t.WithGraph(ctx, func(g *depend.Graph) error {
				axes, ties, err = find(g, nestOf(p))
				return err
			})
			return axes, ties, err
		}}
	}
	if t.IsOnDevice() {
		return []variants.Family{
			of(transform.Mapped, func(g *depend.Graph, nest space.Nest) ([]variants.Axis, []variants.Constraint, error) {
				recipe, _, err := transform.OnDevice(g, nest, base)
				axes, ties := transform.DeviceSizeAxes(transform.SharedLoops(recipe))
				return axes, ties, err
			}),
			withinLimits(of(transform.Shaped, func(g *depend.Graph, nest space.Nest) ([]variants.Axis, []variants.Constraint, error) {
				return transform.StencilAxes(g, nest, base)
			})),
		}, nil
	}
	if t.IsOnRanks() {
		return nil, nil
	}
	return []variants.Family{of(transform.Sized, func(g *depend.Graph, nest space.Nest) ([]variants.Axis, []variants.Constraint, error) {
		recipe, err := transform.TransformNest(g, nest, transform.WithSizes(base))
		return transform.SizeAxes(transform.TiledLoops(recipe)), nil, err
	})}, nil
}

// withinLimits is a family whose condition holds for no partition for which isl needs too long to
// find the axes.
func withinLimits(f variants.Family) variants.Family {
	find := f.Axes
	f.Axes = func(p space.Partition) ([]variants.Axis, []variants.Constraint, error) {
		axes, ties, err := find(p)
		if isl.IsLimit(err) {
			return nil, []variants.Constraint{{About: fmt.Sprintf("isl needs too long to tell (%v)", err), Condition: variants.Not(f.When)}}, nil
		}
		return axes, ties, err
	}
	return f
}

// Point is what a variant is made of: a target, whose statements may be split, the
// structure of its nests, and the transformation's options.
type Point struct {
	Target  *pipeline.Target
	Nest    space.Nest
	Options transform.Options
}

// At is the point of a nest with the options of the machine and what the setting
// decides.
func At(ctx context.Context, t *pipeline.Target, nest space.Nest, setting string, base transform.Options) (Point, error) {
	models, err := modelsOf(ctx, t, nest, base)
	if err != nil {
		return Point{}, err
	}
	s, err := models.Parse(nest.Partition(), setting)
	if err != nil {
		return Point{}, err
	}
	options := transform.OptionsOf
	switch {
	case t.IsOnRanks():
		options = transform.RankOptionsOf
	case t.IsOnDevice():
		options = func(s variants.Setting, o transform.Options) transform.Options {
			return transform.MemoryOptionsOf(s, transform.DeviceOptionsOf(s, o))
		}
	}
	p := Point{t, nest, options(s, base)}
	if s[ExpandAxis.Name] == variants.On {
		if err := p.Expand(); err != nil {
			return p, err
		}
	}
	if which, is := s[PadAxis.Name]; is {
		if err := p.pad(ctx, which); err != nil {
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

// Expand expands the temporaries of the point's target; where there are none that can be, that
// is a *variants.SettingError.
func (p *Point) Expand() error {
	if len(p.Target.Whole.Expansions) > 0 {
		return nil
	}
	expanded, err := p.Target.Expanded(scop.Room{Bytes: ModelMemory})
	if err != nil {
		return err
	}
	if len(expanded.Whole.Expansions) == 0 {
		return &variants.SettingError{Reason: "no temporary can be expanded"}
	}
	p.Nest = nestWithCopies(p.Nest, len(expanded.Unit.Program.Statements))
	p.Target = expanded
	return nil
}

// nestWithCopies is the nest of so many statements in which those that it lacks, which bring last
// values back at the end, run by themselves behind all others.
func nestWithCopies(nest space.Nest, statements int) space.Nest {
	for len(nest) > 0 && len(nest[0]) < statements {
		nest = nestWith(nest, false)
	}
	return nest
}

// free splits the point's statements where a loop carries nothing in the pieces, if
// there is such a loop and the statements are not split already.
func (p *Point) free(ctx context.Context) error {
	if p.Target.IsWhole || p.Target.Unit.Program != p.Target.Whole {
		return nil
	}
	var cuts []scop.Cut
	var decision transform.Decision
	err := p.Target.WithGraph(ctx, func(g *depend.Graph) (err error) {
		if cuts, err = split.Free(g); err == nil {
			decision, err = transform.Pays(g, "cut", "the program", transform.Change{Cuts: len(cuts)}, p.Options)
		}
		return err
	})
	if isl.IsLimit(err) {
		return nil
	}
	if err != nil {
		return err
	}
	decided := *p.Target
	decided.Decided = append(slices.Clip(decided.Decided), decision)
	p.Target = &decided
	if !decision.Taken {
		return nil
	}
	return p.cut(cuts)
}

// split splits the point's statements; where none can be, that is a
// *variants.SettingError.
func (p *Point) split(ctx context.Context) error {
	found, err := p.Target.Cuts(ctx)
	if err != nil {
		return err
	}
	if len(found.Cuts) == 0 {
		return &variants.SettingError{Reason: fmt.Sprintf("index-set splitting does not apply: %s", found.Why())}
	}
	return p.cut(found.Cuts)
}

// cut splits the point's statements at the cuts.
func (p *Point) cut(cuts []scop.Cut) error {
	pieces := *p.Target
	pieces.Partitions = &pipeline.SpaceChoice{} // what was chosen names whole statements, and has had its say
	if err := pieces.Cut(cuts); err != nil {
		return err
	}
	p.Target, p.Nest = &pieces, nestOfPieces(p.Nest, p.Target.Unit.Program, pieces.Unit.Program)
	return nil
}

// nestOfPieces is the nest in which every piece is where its statement was.
func nestOfPieces(nest space.Nest, whole, cut *scop.Program) space.Nest {
	pieces := make(space.Nest, len(nest))
	for level, partition := range nest {
		for i := range cut.Statements {
			s := slices.IndexFunc(whole.Statements, func(s scop.Statement) bool { return s.Name == cut.Statements[i].Whole() })
			pieces[level] = append(pieces[level], partition[s])
		}
	}
	return pieces
}

// PointOf is the point of a nest that the options ask for on this machine.
func PointOf(ctx context.Context, o *pipeline.ModelOptions, t *pipeline.Target, nest space.Nest, machine runner.Machine) (Point, error) {
	base, err := o.Options(machine)
	if err != nil {
		return Point{}, err
	}
	if o.Point == "" {
		p := Point{t, nest, base}
		if err := p.pad(ctx, PadAxis.Default); err != nil {
			return p, err
		}
		return p, p.free(ctx)
	}
	if o.Tile != "" {
		return Point{}, usage.Mistake(errors.New("--tile and --point both say how loops are tiled; give sizes as --point \"tile=sizes tile.1=32\", or leave one out"))
	}
	p, err := At(ctx, t, nest, o.Point, base)
	if wrong := new(variants.SettingError); errors.As(err, &wrong) {
		return Point{}, usage.Mistake(fmt.Errorf("--point, for partition %s: %w", nest, err))
	}
	return p, err
}

// Refine parts classes of the partition that the models have chosen where they think better of it.
// Where isl needs too long, or the user's constraints forbid it, the partition stays. On ranks they
// have the loops of the source.
func (p *Point) Refine(ctx context.Context) error {
	if p.Target.IsOnDevice() {
		return nil
	}
	if p.Target.IsOnRanks() {
		p.Options.Ranks.AsWritten = true
		return nil
	}
	if err := p.Target.Complete(&p.Options); err != nil {
		return err
	}
	err := p.Target.WithGraph(ctx, func(g *depend.Graph) error {
		s, err := p.Target.Space(g)
		if err != nil {
			return err
		}
		refined, decisions, err := transform.Refine(g, p.Nest.Partition(), p.Options)
		if err != nil {
			return err
		}
		if _, reason := s.Contains(refined); reason == nil {
			decided := *p.Target
			decided.Decided = slices.Concat(p.Target.Decided, decisions)
			p.Target, p.Nest = &decided, space.Nest{refined}
		}
		return nil
	})
	if isl.IsLimit(err) {
		return nil
	}
	return err
}

// CountVariants is a bound on the number of points of the whole variant space
// with the axes: exact but for bands that are narrower than the deepest nest,
// which have fewer tile sizes, and for partitions in which fewer axes matter, or
// which have other stencils than the loops of the source. It
// is nil when the partitions cannot be counted.
func CountVariants(ctx context.Context, t *pipeline.Target, axes []variants.Axis) (count *big.Int, err error) {
	err = t.WithGraph(ctx, func(g *depend.Graph) error {
		axes, ties, err := withSizes(t, g, axes)
		if err != nil {
			return err
		}
		shared, err := variants.New(axes, ties)
		if err != nil {
			return err
		}
		models, err := variants.NewModels(shared)
		if err != nil {
			return err
		}
		s, err := t.Space(g)
		if err != nil {
			return err
		}
		count, _, err = variants.NewSpace(s, models).Count(space.DefaultBudget)
		return err
	})
	return count, err
}

// withSizes are axes with those of all sizes, and what these have to be.
func withSizes(t *pipeline.Target, g *depend.Graph, axes []variants.Axis) ([]variants.Axis, []variants.Constraint, error) {
	switch {
	case !HasSizes(axes):
		return axes, nil, nil
	case !t.IsOnDevice():
		return slices.Concat(axes, transform.SizeAxes(t.Deepest())), nil, nil
	}
	blocks, ties := transform.DeviceSizeAxes(t.Deepest())
	tiles, more, err := transform.StencilAxes(g, space.Nest{transform.SourceLoops(g.Model.Program)}, transform.Options{})
	return slices.Concat(axes, blocks, tiles), slices.Concat(ties, more), err
}
