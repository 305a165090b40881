package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math/big"
	"os"
	"slices"
	"strings"
	"sync"

	"polytune/isl"
	"polytune/runner"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform"
	"polytune/tuner"
)

// maxPartitions bounds the partitions that a session tries; spaces of fused
// statements can have millions.
const maxPartitions = 64

// sessionPartitions are the partitions that a session tries, and the number of
// legal ones, 0 where isl needs too long to tell: those that the probe knows are all then.
func (p *probe) sessionPartitions(ctx context.Context) (partitions []space.Partition, legal int, err error) {
	if p.tooHard != nil {
		return nil, 0, nil
	}
	t := p.target
	err = t.withGraph(ctx, func(g *depend.Graph) error {
		s, err := t.space(g)
		if err != nil {
			return err
		}
		partitions, legal, err = choosePartitions(s, g)
		return err
	})
	if isl.IsLimit(err) && ctx.Err() == nil {
		return p.partitions, 0, nil
	}
	return partitions, legal, err
}

// firstCandidates are those that every session begins with: the models' defaults
// for all partitions, the one of "smart" in front, since it is what a session has
// that must end soon, and the plain variant behind it; then the probe's starts.
func (p *probe) firstCandidates(partitions []space.Partition) []tuner.Candidate {
	var list []tuner.Candidate
	if p.smart != nil {
		list = append(list, tuner.Candidate{Partition: p.smart})
	}
	if p.plain != nil {
		list = append(list, tuner.Candidate{Partition: p.plain, Axis: plainSetting})
	}
	for _, partition := range partitions {
		if !slices.Equal(partition, p.smart) {
			list = append(list, tuner.Candidate{Partition: partition})
		}
	}
	return append(list, p.starts()...)
}

// choosePartitions lists the space when it is small enough, and otherwise the
// heuristics' partitions and a sample.
func choosePartitions(s *space.Space, g *depend.Graph) ([]space.Partition, int, error) {
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
	chosen, err := transform.Choose(s, g, fmt.Sprintf("max,smart,none,random:%d", maxPartitions-3), 1)
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

// generator makes variants for the tuner.
type generator struct {
	target  *target
	machine runner.Machine
	// seen are the machine as the session's compilers see it, by their names.
	seen map[string]runner.Machine
	// checked is the target as it is compared with the original, or nil where
	// that is the same.
	checked *target
}

// sessionModel is what candidates have where their settings do not say otherwise.
var sessionModel = modelOptions{model: axisModel.String(), coefficientBound: transform.DefaultCoefficientBound, degrees: 1}

// Generate transforms the target as the candidate says, in an isl context of
// its own.
func (g *generator) Generate(ctx context.Context, c tuner.Candidate) (tuner.Generated, error) {
	compiler, setting := tuner.SplitCompiler(c.Axis)
	machine, is := g.seen[compiler]
	if !is {
		machine = g.machine
	}
	options, err := sessionModel.options(machine)
	if err != nil {
		return tuner.Generated{}, err
	}
	at, err := g.target.at(ctx, space.Nest{c.Partition}, setting, options)
	if err != nil {
		return tuner.Generated{}, err
	}
	v, err := at.target.variant(ctx, at.nest, at.options)
	if setting == plainSetting && isl.IsLimit(err) && ctx.Err() == nil {
		source := *at.target // other candidates have the target, too
		if v, _, err = source.asInSource(ctx, err); err == nil && v.isUnchanged() {
			err = v.why
		}
	}
	switch {
	case isIllegal(err):
		return tuner.Generated{}, &tuner.IllegalError{Recipe: v.text, Err: err}
	case err != nil:
		return tuner.Generated{}, &tuner.CodegenError{Recipe: v.text, Err: err}
	}
	return g.withCheck(ctx, tuner.Generated{Recipe: v.text, Source: v.source})
}

// withCheck adds the same variant of the program that is compared with the
// original, where that is another one.
func (g *generator) withCheck(ctx context.Context, generated tuner.Generated) (tuner.Generated, error) {
	if g.checked == nil {
		return generated, nil
	}
	checked, recipe, err := g.checked.readRecipe(generated.Recipe)
	if err == nil {
		var v variant
		v, err = checked.replay(ctx, recipe)
		generated.CheckSource = v.source
	}
	if err != nil {
		return tuner.Generated{}, &tuner.CodegenError{Recipe: generated.Recipe,
			Err: fmt.Errorf("with --check-build-flags the recipe does not fit: %w", err)}
	}
	return generated, nil
}

// regionHash identifies what the region computes, as far as a recipe depends on
// it: neither the kernel's name and place nor the function and the file around
// it, nor how the file is compiled, but what the front end makes of the region.
func (t *target) regionHash(reassociate bool) string { return programHash(*t.source, reassociate) }

func programHash(program scop.Program, reassociate bool) string {
	program.Name, program.Function, program.Reassociate = "", scop.Function{}, reassociate
	program.Statements = slices.Clone(program.Statements)
	for i := range program.Statements {
		program.Statements[i].Line, program.Statements[i].Column = 0, 0
	}
	sum := sha256.Sum256([]byte(program.String()))
	return hex.EncodeToString(sum[:16])
}

// toolRevision is a hash of this program: results of different versions are
// different pieces of work.
var toolRevision = sync.OnceValues(func() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", err
	}
	return strings.ToLower(hex.EncodeToString(h.Sum(nil)[:8])), nil
})
