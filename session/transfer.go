package session

import (
	"context"
	"fmt"
	"io"
	"strings"

	"polytune/internal/opendb"
	"polytune/pipeline/choices"
	"polytune/report"
	"polytune/store"
	"polytune/tuner"
)

// transferred are the candidates of a request with those in front that other
// machines' databases recommend, in the order of report.TransferTo; only the first,
// the models' own choice, keeps its place. A variant is transferred as the point of the
// space that it was there: what the models make of that on this machine, with its caches
// and vectors, may be another recipe. In front of these are fillings of the request's recipes that
// did well at other sizes, on whatever machine.
func (o *Options) transferred(ctx context.Context, log io.Writer, p *choices.Probe, request tuner.Request, indifference float64) ([]tuner.Candidate, error) {
	if len(o.Transfer) == 0 {
		return request.Candidates, nil
	}
	fillings, err := o.fillings(ctx, log, p, request)
	if err != nil {
		return nil, err
	}
	order, points, err := learned(ctx, log, o.Transfer, request, indifference)
	if err != nil {
		return nil, err
	}
	from := strings.Join(o.Transfer, " and ")
	if len(fillings) > 0 {
		fmt.Fprintf(log, "--transfer: %d %s of recipes, found at other sizes, %s tried first\n", len(fillings), report.Plural(len(fillings), "filling"), map[bool]string{true: "is", false: "are"}[len(fillings) == 1])
	}
	if order == nil && len(fillings) > 0 {
		return choices.Reordered(request.Candidates, fillings), nil
	}
	if order == nil {
		fmt.Fprintf(log, "--transfer: no other machine has a result for %s at size %s in %s; tuning without\n", request.Kernel, request.Size, from)
		return request.Candidates, nil
	}
	list, skipped, err := p.Known(ctx, order.Variants, points)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(log, "--transfer: %d candidates that did well on other machines are tried first%s\n", len(list), skipped.Text())
	return choices.Reordered(request.Candidates, append(fillings, list...)), nil
}

// fillings are those of the request's recipes that databases have of other sizes.
func (o *Options) fillings(ctx context.Context, log io.Writer, p *choices.Probe, request tuner.Request) ([]tuner.Candidate, error) {
	if p.ByHand == nil {
		return nil, nil
	}
	var others []store.Recorded
	for _, path := range o.Transfer {
		db, err := opendb.ToRead(ctx, log, path)
		if err != nil {
			return nil, err
		}
		defer db.Close()
		rows, err := db.Recorded(ctx, store.RecordedQuery{Kernel: request.KernelID, Target: request.On.Target, Timing: request.On.Timing})
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if row.Size != request.Size {
				others = append(others, row)
			}
		}
	}
	return p.Fillings(others), nil
}

// learned is the order in which to try the variants of the request's kernel on its
// machine, nil where other machines have none, and the point that each variant was.
func learned(ctx context.Context, log io.Writer, paths []string, request tuner.Request, indifference float64) (*report.Transfer, map[string]store.Candidate, error) {
	var databases []*store.Store
	points := map[string]store.Candidate{}
	for _, path := range paths {
		db, err := opendb.ToRead(ctx, log, path)
		if err != nil {
			return nil, nil, err
		}
		defer db.Close()
		databases = append(databases, db)
		rows, err := db.Recorded(ctx, store.RecordedQuery{Kernel: request.KernelID, Size: request.Size, Target: request.On.Target, Timing: request.On.Timing})
		if err != nil {
			return nil, nil, err
		}
		for _, row := range rows {
			if _, known := points[row.Variant]; !known && row.Machine != request.Machine.ID {
				points[row.Variant] = row.Candidate
			}
		}
	}
	findings, err := report.Gather(ctx, report.Selection{KernelIDs: []string{request.KernelID}, Size: request.Size, On: &request.On}, indifference, databases...)
	if err != nil {
		return nil, nil, err
	}
	orders := report.TransferTo(request.Machine, findings)
	if len(orders) == 0 {
		return nil, nil, nil
	}
	return &orders[0], points, nil
}
