package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

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

// transferred are the candidates of a request with those in front that other
// machines' databases recommend, in the order of report.TransferTo; only the first,
// the models' own choice, keeps its place. A variant is transferred as the point of the
// space that it was there: what the models make of that on this machine, with its caches
// and vectors, may be another recipe.
func (o *tuneOptions) transferred(ctx context.Context, log io.Writer, p *probe, request tuner.Request, indifference float64) ([]tuner.Candidate, error) {
	if len(o.transfer) == 0 {
		return request.Candidates, nil
	}
	order, points, err := learned(ctx, o.transfer, request, indifference)
	if err != nil {
		return nil, err
	}
	from := strings.Join(o.transfer, " and ")
	if order == nil {
		fmt.Fprintf(log, "--transfer: no other machine has a result for %s at size %s in %s; tuning without\n", request.Kernel, request.Size, from)
		return request.Candidates, nil
	}
	list, skipped, err := p.known(ctx, order.Variants, points)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(log, "--transfer: %d candidates that did well on other machines are tried first%s\n", len(list), skipped.text())
	return reordered(request.Candidates, list), nil
}

// skippedAdvice are the advised variants that a session cannot try.
type skippedAdvice struct {
	// foreign are no points of the program's space, or were not recorded.
	foreign []string
	// elsewhere counts those of compilers, by name, that the session does not have.
	elsewhere map[string]int
}

// text says what was left out and why, "" for nothing.
func (s skippedAdvice) text() string {
	const shown = 3
	text := ""
	for _, name := range sortedKeys(s.elsewhere) {
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

// learned is the order in which to try the variants of the request's kernel on its
// machine, nil where other machines have none, and the point that each variant was.
func learned(ctx context.Context, paths []string, request tuner.Request, indifference float64) (*report.Transfer, map[string]store.Candidate, error) {
	var databases []*store.Store
	points := map[string]store.Candidate{}
	for _, path := range paths {
		db, err := openToRead(ctx, path)
		if err != nil {
			return nil, nil, err
		}
		defer db.Close()
		databases = append(databases, db)
		rows, err := db.Recorded(ctx, store.RecordedQuery{Kernel: request.KernelID, Size: request.Size})
		if err != nil {
			return nil, nil, err
		}
		for _, row := range rows {
			if _, known := points[row.Variant]; !known && row.Machine != request.Machine.ID {
				points[row.Variant] = row.Candidate
			}
		}
	}
	findings, err := report.Gather(ctx, report.Selection{KernelIDs: []string{request.KernelID}, Size: request.Size}, indifference, databases...)
	if err != nil {
		return nil, nil, err
	}
	orders := report.TransferTo(request.Machine, findings)
	if len(orders) == 0 {
		return nil, nil, nil
	}
	return &orders[0], points, nil
}

// known are the first of the advised variants as candidates, and skipped those that are
// none here. What failed elsewhere is not tried before the rest.
func (p *probe) known(ctx context.Context, advice []report.Advice, points map[string]store.Candidate) (list []tuner.Candidate, skipped skippedAdvice, err error) {
	skipped.elsewhere = map[string]int{}
	legal, err := p.target.legalOf(ctx, advice)
	if err != nil {
		return nil, skipped, err
	}
	base, err := sessionModel.options(p.machine)
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
		ok := recorded && point.Partition == text && legal[text]
		if ok {
			_, err := p.target.at(ctx, space.Nest{a.Partition}, setting, base)
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

// settingBy is the setting of a candidate that the named compiler builds, "" being the
// session's own; here is false where the session does not have it.
func (p *probe) settingBy(compiler, setting string) (axis string, here bool) {
	at := slices.IndexFunc(p.compilers, func(t runner.Toolchain) bool { return t.Name == compiler })
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
func (t *target) legalOf(ctx context.Context, advice []report.Advice) (map[string]bool, error) {
	legal := map[string]bool{}
	err := t.withGraph(ctx, func(g *depend.Graph) error {
		s, err := t.space(g)
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

// reordered has first behind the first of the candidates, and then the others.
func reordered(candidates, first []tuner.Candidate) []tuner.Candidate {
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
