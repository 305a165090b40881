package choices

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"polytune/isl"
	"polytune/pipeline"
	"polytune/pipeline/variant"
	"polytune/runner"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform"
	"polytune/tuner"
)

// maxPartitions bounds the partitions that a session tries; spaces of fused
// statements can have millions.
const maxPartitions = 64

// SessionPartitions are the partitions that a session tries, and the number of
// legal ones, 0 where isl needs too long to tell: those that the probe knows are all then.
func (p *Probe) SessionPartitions(ctx context.Context) (partitions []space.Partition, legal int, err error) {
	if p.TooHard != nil {
		return nil, 0, nil
	}
	t := p.Target
	err = t.WithGraph(ctx, func(g *depend.Graph) error {
		s, err := t.Space(g)
		if err != nil {
			return err
		}
		partitions, legal, err = choosePartitions(s, g, t.Named(fmt.Sprintf("max,smart,none,random:%d", maxPartitions-3)))
		return err
	})
	if isl.IsLimit(err) && ctx.Err() == nil {
		return p.partitions, 0, nil
	}
	return partitions, legal, err
}

// FirstCandidates are those that every session begins with: the models' defaults
// for all partitions, the one of "smart" in front, since it is what a session has
// that must end soon, and the plain variant behind it; then the probe's starts.
func (p *Probe) FirstCandidates(partitions []space.Partition) []tuner.Candidate {
	var list []tuner.Candidate
	if p.smart != nil {
		list = append(list, tuner.Candidate{Partition: p.smart})
	}
	if p.plain != nil {
		list = append(list, tuner.Candidate{Partition: p.plain, Axis: variant.PlainSetting})
	}
	for _, partition := range partitions {
		if !slices.Equal(partition, p.smart) {
			list = append(list, tuner.Candidate{Partition: partition})
		}
	}
	return append(list, p.starts()...)
}

// choosePartitions lists the space when it is small enough, and otherwise the
// named partitions and the sample of a list.
func choosePartitions(s *space.Space, g *depend.Graph, list string) ([]space.Partition, int, error) {
	var all []space.Partition
	for p, err := range s.All() {
		if err != nil {
			return nil, 0, err
		}
		if len(all) == maxPartitions {
			all = nil
			break
		}
		all = append(all, p)
	}
	if all != nil {
		return all, len(all), nil
	}
	chosen, err := transform.Choose(s, g, list, 1)
	if err != nil {
		return nil, 0, err
	}
	slices.SortFunc(chosen, space.Partition.Compare)
	chosen = slices.CompactFunc(chosen, slices.Equal[space.Partition])
	count, ok, err := s.Count(space.DefaultBudget)
	if err != nil {
		return nil, 0, err
	}
	if !ok || count.Cmp(big.NewInt(int64(^uint(0)>>1))) > 0 {
		return chosen, int(^uint(0) >> 1), nil
	}
	return chosen, int(count.Int64()), nil
}

// Generator makes variants for the tuner.
type Generator struct {
	Target  *pipeline.Target
	Machine runner.Machine
	// Seen are the machine as the session's compilers see it, by their names.
	Seen map[string]runner.Machine
	// ByHand are recipes that candidates may name; nil for none.
	ByHand *ByHand
	// Checked is the target as it is compared with the original, or nil where
	// that is the same.
	Checked *pipeline.Target
}

// Generate transforms the target as the candidate says, in an isl context of
// its own.
func (g *Generator) Generate(ctx context.Context, c tuner.Candidate) (tuner.Generated, error) {
	compiler, setting := tuner.SplitCompiler(c.Axis)
	if v, is, err := g.ByHand.generate(ctx, setting); is {
		if err != nil {
			return tuner.Generated{}, err
		}
		return g.WithCheck(ctx, tuner.Generated{Recipe: v.Text, Source: v.Source, Device: v.DeviceText()})
	}
	machine, is := g.Seen[compiler]
	if !is {
		machine = g.Machine
	}
	options, err := pipeline.SessionModel.Options(machine)
	if err != nil {
		return tuner.Generated{}, err
	}
	at, err := variant.At(ctx, g.Target, space.Nest{c.Partition}, setting, options)
	if err != nil {
		return tuner.Generated{}, err
	}
	v, err := variant.Of(ctx, at.Target, at.Nest, at.Options)
	if setting == variant.PlainSetting && isl.IsLimit(err) && ctx.Err() == nil {
		source := *at.Target // other candidates have the target, too
		if v, _, err = variant.AsInSource(ctx, &source, err); err == nil && v.IsUnchanged() {
			err = v.Why
		}
	}
	switch {
	case variant.IsIllegal(err):
		return tuner.Generated{}, &tuner.IllegalError{Recipe: v.Text, Err: err}
	case err != nil:
		return tuner.Generated{}, &tuner.CodegenError{Recipe: v.Text, Err: err}
	}
	return g.WithCheck(ctx, tuner.Generated{Recipe: v.Text, Source: v.Source, Device: v.DeviceText()})
}

// WithCheck adds the same variant of the program that is compared with the
// original, where that is another one.
func (g *Generator) WithCheck(ctx context.Context, generated tuner.Generated) (tuner.Generated, error) {
	if g.Checked == nil {
		return generated, nil
	}
	checked, recipe, err := g.Checked.ReadRecipe(generated.Recipe)
	if err == nil {
		var v variant.Variant
		v, err = variant.Replay(ctx, checked, recipe)
		generated.CheckSource, generated.CheckDevice = v.Source, v.DeviceText()
	}
	if err != nil {
		return tuner.Generated{}, &tuner.CodegenError{Recipe: generated.Recipe,
			Err: fmt.Errorf("with --check-build-flags the recipe does not fit: %w", err)}
	}
	return generated, nil
}
