package main

import (
	"context"
	"math/big"
	"reflect"
	"slices"

	"polytune/isl"
	"polytune/runner"
	"polytune/schedule"
	"polytune/scop/depend"
	"polytune/space"
	variants "polytune/space/variant"
	"polytune/transform"
	"polytune/tuner"
)

// mostProbed is the number of statements up to which transforming a program once
// more for each question is no matter; of larger ones more is offered than may
// matter.
const mostProbed = 16

// probe is what the models make of a target's named partitions, by which it is
// known which choices there are.
type probe struct {
	target     *target
	partitions []space.Partition
	// smart is the one of the partitions with that name, refined.
	smart space.Partition
	// plain is the partition of the plain variant, nil where that cannot be made or is one of the defaults.
	plain space.Partition
	// byDefault are the partitions' recipes, and other those at settings of
	// transform.Probes, by the axis.
	byDefault []schedule.Recipe
	other     map[string][]schedule.Recipe
	// machine is what the models make recipes for.
	machine runner.Machine
	// canSplit says that statements can be split, canExpand that temporaries can be expanded
	// that are not.
	canSplit, canExpand bool
	// compilers are those of the session, its own first; with several they are an axis.
	compilers []runner.Toolchain
	// tooHard is why isl needs too long for the models' choices, nil where it does not. There is
	// one candidate then, the plain variant.
	tooHard error
}

// newProbe is what is known of the target's choices: by the models, or, where isl needs too long
// for these, that there is none but the loops of the source.
func (t *target) newProbe(ctx context.Context, machine runner.Machine) (*probe, error) {
	p, err := t.probeModels(ctx, machine)
	if !isl.IsLimit(err) || ctx.Err() != nil {
		return p, err
	}
	return &probe{target: t, machine: machine, plain: t.sourcePartition(ctx), tooHard: err}, ctx.Err()
}

// probeModels transforms the target's named partitions, some of which may be the
// same.
func (t *target) probeModels(ctx context.Context, machine runner.Machine) (*probe, error) {
	p := &probe{target: t, machine: machine, other: map[string][]schedule.Recipe{}}
	options, err := sessionModel.options(machine)
	if err != nil {
		return nil, err
	}
	err = t.withGraph(ctx, func(g *depend.Graph) error {
		s, err := t.space(g)
		if err != nil {
			return err
		}
		p.partitions, err = transform.Choose(s, g, "smart,max,none", 1)
		return err
	})
	if err != nil {
		return nil, err
	}
	at := point{target: t, nest: space.Nest{p.partitions[0]}, options: options}
	if err := at.refine(ctx); err != nil {
		return nil, err
	}
	p.smart = at.nest.Partition()
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
		if len(t.region.Program.Statements) > mostProbed {
			break
		}
		if p.other[axis], err = p.recipes(ctx, setting, options); err != nil {
			return nil, err
		}
	}
	if t.region.Program == t.whole {
		found, err := t.cuts(ctx)
		if err != nil && !isl.IsLimit(err) {
			return nil, err
		}
		p.canSplit = err == nil && len(found.Cuts) > 0
		at := point{target: t}
		p.canExpand = len(t.whole.Expansions) == 0 && at.expand() == nil
	}
	return p, nil
}

// recipes are those of the partitions at a setting, nil where isl needs too long.
func (p *probe) recipes(ctx context.Context, setting string, options transform.Options) (list []schedule.Recipe, err error) {
	for _, partition := range p.partitions {
		at, err := p.target.at(ctx, space.Nest{partition}, setting, options)
		if err != nil {
			return nil, err
		}
		if err = at.target.complete(&at.options); err != nil {
			return nil, err
		}
		var recipe schedule.Recipe
		err = at.target.withGraph(ctx, func(g *depend.Graph) (err error) {
			recipe, err = transform.TransformNest(g, at.nest, at.options)
			return err
		})
		if err != nil && !isl.IsLimit(err) {
			return nil, err
		}
		list = append(list, recipe)
	}
	return list, nil
}

// countVariants is a bound on the number of points of the probe's variant space, nil where that is not known.
func (p *probe) countVariants(ctx context.Context) (*big.Int, error) {
	if p.tooHard != nil {
		return nil, nil
	}
	count, err := p.target.countVariants(ctx, p.axes())
	if isl.IsLimit(err) && ctx.Err() == nil {
		return nil, nil
	}
	return count, err
}

// axes are those that a session has: of the target and, where it has several, of its
// compilers.
func (p *probe) axes() []variants.Axis {
	axes := p.targetAxes()
	if len(p.compilers) > 1 {
		axes = append(axes, compilerAxis(p.compilers))
	}
	return axes
}

// targetAxes are those that change something about the target: all where statements can
// be split, since split ones can be tiled.
func (p *probe) targetAxes() []variants.Axis {
	if p.canSplit {
		return slices.DeleteFunc(p.target.axesOf(transform.Axes()), func(a variants.Axis) bool { return a.Name == transform.LoopsAxis })
	}
	axes := transform.OfferedAxes(p.byDefault, p.other)
	if p.canExpand {
		axes = append(axes, expandAxis)
	}
	return axes
}

// starts are candidates from which a session starts beside those of the cache
// model's tile sizes: the named partitions by pluto+, with tiles that start
// together, and with split statements, where that makes other programs.
func (p *probe) starts() (list []tuner.Candidate) {
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
func (p *probe) differs(axis string, k int) bool {
	recipes, known := p.other[axis]
	return !known || recipes[k] != nil && !reflect.DeepEqual(recipes[k], p.byDefault[k])
}
