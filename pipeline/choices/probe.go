package choices

import (
	"context"
	"math/big"
	"reflect"
	"slices"

	"polytune/isl"
	"polytune/pipeline"
	"polytune/pipeline/variant"
	"polytune/runner"
	"polytune/schedule"
	"polytune/scop/depend"
	"polytune/space"
	variants "polytune/space/variant"
	"polytune/transform"
	"polytune/tuner"
)

// plainPartition is the partition of the plain variant, nil where that cannot be made, and where
// the models' default for it is the same.
func (p *Probe) plainPartition(ctx context.Context, options transform.Options) (partition space.Partition, err error) {
	if p.Target.IsOnDevice() || p.Target.IsOnRanks() || p.Target.Unit.Program != p.Target.Whole {
		return nil, nil
	}
	if err := p.Target.Complete(&options); err != nil {
		return nil, err
	}
	err = p.Target.WithGraph(ctx, func(g *depend.Graph) error {
		recipe, original, err := variant.PlainRecipe(p.Target, g, options)
		if err != nil || recipe == nil {
			return err
		}
		for k, known := range p.partitions {
			if slices.Equal(known, original) && reflect.DeepEqual(p.byDefault[k], recipe) {
				return nil
			}
		}
		partition = original
		return nil
	})
	if isl.IsLimit(err) {
		return nil, nil
	}
	return partition, err
}

// mostProbed is the number of statements up to which transforming a program once
// more for each question is no matter; of larger ones more is offered than may
// matter.
const mostProbed = 16

// Probe is what the models make of a target's named partitions, by which it is
// known which choices there are.
type Probe struct {
	Target     *pipeline.Target
	partitions []space.Partition
	// smart is the one of the partitions with that name, refined.
	smart space.Partition
	// plain is the partition of the plain variant, nil where that cannot be made or is one of the
	// defaults.
	plain space.Partition
	// byDefault are the partitions' recipes, and other those at settings of
	// transform.Probes, by the axis.
	byDefault []schedule.Recipe
	other     map[string][]schedule.Recipe
	// Machine is what the models make recipes for.
	Machine runner.Machine
	// canSplit says that statements can be split, canExpand that temporaries can be expanded
	// that are not.
	canSplit, canExpand bool
	// Compilers are those of the session, its own first; with several they are an axis.
	Compilers []runner.Toolchain
	// MostShared are the bytes of shared memory that the device of the session gives blocks; 0 for
	// those that all devices do.
	MostShared int64
	// ByHand are recipes that somebody has written, nil for none.
	ByHand *ByHand
	// TooHard is why isl needs too long for the models' choices, nil where it does not. There is
	// one candidate then, the plain variant.
	TooHard error
}

// NewProbe is what is known of the target's choices: by the models, or, where isl needs too long
// for these, that there is none but the loops of the source.
func NewProbe(ctx context.Context, t *pipeline.Target, machine runner.Machine) (*Probe, error) {
	p, err := probeModels(ctx, t, machine)
	if !isl.IsLimit(err) || ctx.Err() != nil {
		return p, err
	}
	return &Probe{Target: t, Machine: machine, plain: variant.SourcePartition(ctx, t), TooHard: err}, ctx.Err()
}

// probeModels transforms the target's named partitions, some of which may be the
// same.
func probeModels(ctx context.Context, t *pipeline.Target, machine runner.Machine) (*Probe, error) {
	p := &Probe{Target: t, Machine: machine, other: map[string][]schedule.Recipe{}}
	options, err := pipeline.SessionModel.Options(machine)
	if err != nil {
		return nil, err
	}
	err = t.WithGraph(ctx, func(g *depend.Graph) error {
		s, err := t.Space(g)
		if err != nil {
			return err
		}
		p.partitions, err = transform.Choose(s, g, t.Named("smart,max,none"), 1)
		return err
	})
	if err != nil {
		return nil, err
	}
	at := variant.Point{Target: t, Nest: space.Nest{p.partitions[0]}, Options: options}
	if err := at.Refine(ctx); err != nil {
		return nil, err
	}
	p.smart = at.Nest.Partition()
	p.partitions[0] = p.smart
	slices.SortFunc(p.partitions, space.Partition.Compare)
	p.partitions = slices.CompactFunc(p.partitions, slices.Equal[space.Partition])
	if p.byDefault, err = p.recipes(ctx, "", options); err != nil {
		return nil, err
	}
	if p.plain, err = p.plainPartition(ctx, options); err != nil {
		return nil, err
	}
	for axis, setting := range transform.Probes {
		if axis == transform.SumsAxis && !t.Unit.Program.MayReassociate() {
			p.other[axis] = p.byDefault
			continue
		}
		if t.IsOnDevice() || t.IsOnRanks() || len(t.Unit.Program.Statements) > mostProbed {
			continue
		}
		if p.other[axis], err = p.recipes(ctx, setting, options); err != nil {
			return nil, err
		}
	}
	if t.Unit.Program == t.Whole && !t.IsOnDevice() && !t.IsOnRanks() {
		found, err := t.Cuts(ctx)
		if err != nil && !isl.IsLimit(err) {
			return nil, err
		}
		p.canSplit = err == nil && len(found.Cuts) > 0
		at := variant.Point{Target: t}
		p.canExpand = len(t.Whole.Expansions) == 0 && at.Expand() == nil
	}
	return p, nil
}

// recipes are those of the partitions at a setting, nil where isl needs too long.
func (p *Probe) recipes(ctx context.Context, setting string, options transform.Options) (list []schedule.Recipe, err error) {
	for _, partition := range p.partitions {
		at, err := variant.At(ctx, p.Target, space.Nest{partition}, setting, options)
		if err != nil {
			return nil, err
		}
		if err = at.Target.Complete(&at.Options); err != nil {
			return nil, err
		}
		var recipe schedule.Recipe
		err = at.Target.WithGraph(ctx, func(g *depend.Graph) (err error) {
			recipe, _, err = variant.Modelled(at.Target, g, at.Nest, at.Options)
			return err
		})
		if err != nil && !isl.IsLimit(err) {
			return nil, err
		}
		list = append(list, recipe)
	}
	return list, nil
}

// CountVariants is a bound on the number of points of the probe's variant space, nil where that is
// not known.
func (p *Probe) CountVariants(ctx context.Context) (*big.Int, error) {
	if p.TooHard != nil {
		return nil, nil
	}
	count, err := variant.CountVariants(ctx, p.Target, p.axes())
	if isl.IsLimit(err) && ctx.Err() == nil {
		return nil, nil
	}
	return count, err
}

// axes are those that a session has: of the target and, where it has several, of its
// compilers.
func (p *Probe) axes() []variants.Axis {
	axes := p.targetAxes()
	if len(p.Compilers) > 1 {
		axes = append(axes, CompilerAxis(p.Compilers))
	}
	return axes
}

// targetAxes are those that change something about the target: all where statements can
// be split, since split ones can be tiled.
func (p *Probe) targetAxes() []variants.Axis {
	if p.Target.IsOnRanks() {
		return transform.RankAxes()
	}
	if p.Target.IsOnDevice() {
		return slices.Concat(transform.DeviceAxes(), transform.WithRoom(transform.OfferedMemoryAxes(p.byDefault), p.MostShared))
	}
	if p.canSplit {
		return slices.DeleteFunc(variant.AxesOf(p.Target, transform.Axes()), func(a variants.Axis) bool { return a.Name == transform.LoopsAxis })
	}
	axes := transform.OfferedAxes(p.byDefault, p.other)
	if p.canExpand {
		axes = append(axes, variant.ExpandAxis)
	}
	if variant.CanPad(p.Target) {
		axes = append(axes, variant.PadAxis)
	}
	return axes
}

// starts are candidates from which a session starts beside those of the cache
// model's tile sizes: the named partitions by pluto+, with tiles that start
// together, and with split statements, where that makes other programs.
func (p *Probe) starts() (list []tuner.Candidate) {
	switch {
	case p.Target.IsOnDevice():
		return nil
	case p.Target.IsOnRanks():
		for _, setting := range transform.RankStarts {
			list = append(list, tuner.Candidate{Partition: p.partitions[0], Axis: setting})
		}
		return list
	}
	add := func(partition space.Partition, settings ...string) {
		for _, setting := range settings {
			list = append(list, tuner.Candidate{Partition: partition, Axis: setting})
		}
	}
	for k, partition := range p.partitions {
		signed, diamond := p.differs(transform.ModelAxis, k), p.differs(transform.DiamondAxis, k)
		if signed {
			add(partition, "model=pluto+")
		}
		if diamond {
			add(partition, "diamond=one")
		}
		if signed && diamond {
			add(partition, "diamond=one model=pluto+")
		}
		if p.canSplit {
			add(partition, "iss=on model=pluto+", "diamond=one iss=on model=pluto+")
		}
	}
	return list
}

// differs says whether the axis changes the recipe of partition k, as far as that
// is known.
func (p *Probe) differs(axis string, k int) bool {
	recipes, known := p.other[axis]
	return !known || recipes[k] != nil && !reflect.DeepEqual(recipes[k], p.byDefault[k])
}
