package live

import (
	"context"
	"fmt"
	"slices"

	"polytune/report"
	"polytune/store"
	"polytune/tuner/stat"
)

// Read gives what databases have of a selection, as rows of the live report. Open trials have the
// medians of the timings that they have so far.
func Read(ctx context.Context, selection report.Selection, indifference float64, databases ...*store.Store) (*State, error) {
	findings, err := report.Gather(ctx, selection, indifference, databases...)
	if err != nil {
		return nil, err
	}
	state := &State{Databases: findings.Databases}
	for _, cell := range findings.Cells {
		if err := state.add(ctx, cell, findings.Places[cell.Place], databases); err != nil {
			return nil, err
		}
	}
	return state, nil
}

// add adds a cell with its trials.
func (s *State) add(ctx context.Context, c *report.Cell, place report.Place, databases []*store.Store) error {
	view := Cell{
		Kernel: c.Name(), KernelID: c.Kernel.ID, Size: c.Size, Machine: place.Machine.Title(), Compiler: place.Toolchain.Title(),
		On: c.On.Text(), Verdict: c.VerdictWords(),
	}
	view.ID = fmt.Sprintf("%s|%s|%s|%s|%s", c.Kernel.ID, c.Size, place.Machine.ID, place.Toolchain.ID, view.On)
	early := map[string]provisional{}
	for _, session := range c.Sessions {
		if !session.Finished.IsZero() {
			continue
		}
		view.Running = true
		for _, db := range databases {
			if err := readOpen(ctx, db, session.UUID, c, early); err != nil {
				return err
			}
		}
	}
	s.Cells = append(s.Cells, view)
	for i := range c.Trials {
		t := &c.Trials[i]
		row := rowOf(t, view.ID, i)
		row.How, row.Best = c.How(t), c.Best != nil && t.UUID == c.Best.UUID
		if p, known := early[t.UUID]; known && t.Summary == nil {
			row.Seconds, row.Speedup, row.Rounds, row.Open = p.seconds, p.speedup, p.rounds, true
		}
		s.Rows = append(s.Rows, row)
	}
	return nil
}

// rowOf is the row of a trial.
func rowOf(t *report.Trial, cell string, number int) Row {
	r := Row{ID: t.UUID, Cell: cell, Number: number, Variant: t.Variant, Partition: report.VariantPartition(t.Variant, t.Partition),
		Status: string(t.Status), Detail: t.Detail, Joules: t.Joules}
	if m := t.Summary; m != nil {
		r.Seconds, r.Speedup, r.Rounds = m.Seconds.Median, m.Speedup.Median, m.Rounds
		if m.Certainty >= store.Bounded {
			r.Low, r.High = m.Speedup.Low, m.Speedup.High
		}
	}
	return r
}

// provisional is what the timings of an open trial say so far.
type provisional struct {
	seconds, speedup float64
	rounds           int
}

// readOpen reads the timings of the open trials of a session.
func readOpen(ctx context.Context, db *store.Store, session string, c *report.Cell, found map[string]provisional) error {
	samples, err := db.Samples(ctx, session)
	if err != nil {
		return err
	}
	original := map[int]float64{}
	for i := range c.Trials {
		if t := &c.Trials[i]; t.Session == session && t.Variant == store.Original {
			for _, s := range samples[t.UUID] {
				original[s.Round] = s.Seconds
			}
		}
	}
	for i := range c.Trials {
		t := &c.Trials[i]
		if t.Session != session || t.Summary != nil || t.Status != store.Interrupted {
			continue
		}
		if p, timed := provisionalOf(samples[t.UUID], original); timed {
			found[t.UUID] = p
		}
	}
	return nil
}

// provisionalOf is what samples say beside those of the original in the same rounds, those of the
// race where there are any.
func provisionalOf(samples []store.Sample, original map[int]float64) (p provisional, timed bool) {
	raced := slices.ContainsFunc(samples, func(s store.Sample) bool { return s.Round > 0 && original[s.Round] > 0 })
	var seconds, ratios []float64
	for _, s := range samples {
		if raced && s.Round == 0 {
			continue
		}
		seconds = append(seconds, s.Seconds)
		if original[s.Round] > 0 {
			ratios = append(ratios, original[s.Round]/s.Seconds)
		}
	}
	var err error
	if p.seconds, err = stat.Median(seconds); err != nil {
		return p, false
	}
	p.rounds = len(seconds)
	p.speedup, _ = stat.Median(ratios)
	return p, true
}
