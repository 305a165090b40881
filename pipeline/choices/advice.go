package choices

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"polytune/pipeline"
	"polytune/pipeline/variant"
	"polytune/report"
	"polytune/runner"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/store"
	"polytune/tuner"
)

// mostTransferred is the number of other machines' candidates that a session tries
// first: what is behind them is the search's to find.
const mostTransferred = 16

// SkippedAdvice are the advised variants that a session cannot try.
type SkippedAdvice struct {
	// foreign are no points of the program's space, or were not recorded.
	foreign []string
	// elsewhere counts those of compilers, by name, that the session does not have.
	elsewhere map[string]int
}

// Text says what was left out and why, "" for nothing.
func (s SkippedAdvice) Text() string {
	const shown = 3
	text := ""
	for _, name := range slices.Sorted(maps.Keys(s.elsewhere)) {
		text += fmt.Sprintf("; skipped, as this session's --cc does not name their compiler %s: %d", name, s.elsewhere[name])
	}
	if len(s.foreign) == 0 {
		return text
	}
	more := ""
	if len(s.foreign) > shown {
		more = fmt.Sprintf(" and %d more", len(s.foreign)-shown)
	}
	return fmt.Sprintf("%s; skipped, as they are no points of this program's space: %s%s", text, strings.Join(s.foreign[:min(len(s.foreign), shown)], ", "), more)
}

// Known are the first of the advised variants as candidates, and skipped those that are
// none here. What failed elsewhere is not tried before the rest.
func (p *Probe) Known(ctx context.Context, advice []report.Advice, points map[string]store.Candidate) (list []tuner.Candidate, skipped SkippedAdvice, err error) {
	skipped.elsewhere = map[string]int{}
	legal, err := legalOf(ctx, p.Target, advice)
	if err != nil {
		return nil, skipped, err
	}
	base, err := pipeline.SessionModel.Options(p.Machine)
	if err != nil {
		return nil, skipped, err
	}
	for _, a := range advice {
		if len(list) == mostTransferred || a.Failed > 0 {
			break
		}
		text := tuner.PartitionText(a.Partition)
		point, recorded := points[a.Variant]
		compiler, setting := tuner.SplitCompiler(point.Setting)
		axis, here := p.settingBy(compiler, setting)
		if !here {
			skipped.elsewhere[compiler]++
			continue
		}
		ok := recorded && point.Partition == text && (legal[text] || p.ByHand.Has(setting))
		if ok && !p.ByHand.Has(setting) {
			_, err := variant.At(ctx, p.Target, space.Nest{a.Partition}, setting, base)
			ok = err == nil
		}
		if ctx.Err() != nil {
			return nil, skipped, ctx.Err()
		}
		if ok {
			list = append(list, tuner.Candidate{Partition: a.Partition, Axis: axis})
		} else {
			skipped.foreign = append(skipped.foreign, a.Variant)
		}
	}
	return list, skipped, nil
}

// Fillings are the fillings of the session's recipes among what was recorded, as candidates: those
// that gained the most over the original first.
func (p *Probe) Fillings(recorded []store.Recorded) (list []tuner.Candidate) {
	gain := func(r store.Recorded) float64 { return r.Seconds / r.Original }
	timed := slices.DeleteFunc(slices.Clone(recorded), func(r store.Recorded) bool { return r.Seconds <= 0 || r.Original <= 0 })
	slices.SortStableFunc(timed, func(a, b store.Recorded) int { return cmp.Compare(gain(a), gain(b)) })
	for _, r := range timed {
		compiler, setting := tuner.SplitCompiler(r.Setting)
		c, is := p.ByHand.candidateOf(setting)
		axis, here := p.settingBy(compiler, c.Axis)
		if c.Axis = axis; is && here && len(list) < mostTransferred && !slices.ContainsFunc(list, func(o tuner.Candidate) bool { return o.Axis == axis }) {
			list = append(list, c)
		}
	}
	return list
}

// settingBy is the setting of a candidate that the named compiler builds, "" being the
// session's own; here is false where the session does not have it.
func (p *Probe) settingBy(compiler, setting string) (axis string, here bool) {
	at := slices.IndexFunc(p.Compilers, func(t runner.Toolchain) bool { return t.Name == compiler })
	switch {
	case compiler == "" || at == 0:
		return setting, true
	case at < 0:
		return "", false
	}
	return tuner.CompilerSetting(compiler, setting), true
}

// legalOf says which of the variants' partitions, by their texts, are in the target's
// space.
func legalOf(ctx context.Context, t *pipeline.Target, advice []report.Advice) (map[string]bool, error) {
	legal := map[string]bool{}
	err := t.WithGraph(ctx, func(g *depend.Graph) error {
		s, err := t.Space(g)
		if err != nil {
			return err
		}
		for _, a := range advice {
			text := tuner.PartitionText(a.Partition)
			if _, asked := legal[text]; !asked {
				legal[text], _ = s.Contains(a.Partition)
			}
		}
		return nil
	})
	return legal, err
}

// Reordered has first behind the first of the candidates, and then the others.
func Reordered(candidates, first []tuner.Candidate) []tuner.Candidate {
	taken := map[string]bool{}
	var list []tuner.Candidate
	add := func(some []tuner.Candidate) {
		for _, c := range some {
			if text := tuner.PartitionText(c.Partition) + " " + c.Axis; !taken[text] {
				taken[text] = true
				list = append(list, c)
			}
		}
	}
	add(candidates[:min(len(candidates), 1)])
	add(first)
	add(candidates)
	return list
}
