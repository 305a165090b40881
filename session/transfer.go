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
// and vectors, may be another recipe.
func (o *Options) transferred(ctx context.Context, log io.Writer, p *choices.Probe, request tuner.Request, indifference float64) ([]tuner.Candidate, error) {
	if len(o.Transfer) == 0 {
		return request.Candidates, nil
	}
	order, points, err := learned(ctx, log, o.Transfer, request, indifference)
	if err != nil {
		return nil, err
	}
	from := strings.Join(o.Transfer, " and ")
	if order == nil {
		fmt.Fprintf(log, "--transfer: no other machine has a result for %s at size %s in %s; tuning without\n", request.Kernel, request.Size, from)
		return request.Candidates, nil
	}
	list, skipped, err := p.Known(ctx, order.Variants, points)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(log, "--transfer: %d candidates that did well on other machines are tried first%s\n", len(list), skipped.Text())
	return choices.Reordered(request.Candidates, list), nil
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
