package report

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"polytune/store"
	"polytune/tuner"
	"polytune/tuner/stat"
)

// csvColumns are the columns of CSV: those of the store's views trials and best, and
// what else a trial has.
var csvColumns = []string{
	"uuid", "session", "kernel", "source", "size", "machine", "machine_id", "toolchain", "toolchain_id", "variant", "partition", "recipe",
	"status", "verified", "detail", "started", "finished", "rounds",
	"seconds", "seconds_low", "seconds_high", "speedup", "low", "high", "coverage", "best", "busy", "target", "device", "timing", "joules",
}

// CSV writes one row for each trial of the selection, in the order of sessions and trials, with a
// head, as RFC 4180 has it. Numbers have all their digits; what is not known is empty, as the ends
// of intervals are that too few rounds are behind.
func CSV(ctx context.Context, w io.Writer, selection Selection, db *store.Store) error {
	sessions, err := db.Sessions(ctx)
	if err != nil {
		return err
	}
	best, err := db.Best(ctx, store.BestQuery{AllVersions: true, Anywhere: true})
	if err != nil {
		return err
	}
	isBest := map[string]bool{}
	for _, b := range best {
		isBest[b.Trial] = true
	}
	toolchains, err := db.Toolchains(ctx)
	if err != nil {
		return err
	}
	names := map[string]string{}
	for _, t := range toolchains {
		names[t.ID] = strings.TrimSpace(t.Name + " " + t.Version)
	}
	out := csv.NewWriter(w)
	if err := out.Write(csvColumns); err != nil {
		return fmt.Errorf("writing CSV: %w", err)
	}
	for _, session := range slices.Backward(sessions) {
		if !selection.Has(session) {
			continue
		}
		busy := tuner.StoredBusy(session.Details) != ""
		joules, err := db.Joules(ctx, session.UUID)
		if err != nil {
			return err
		}
		err = db.EachRecord(ctx, session.UUID, func(r store.Record) error {
			if r.Toolchain == "" {
				r.Toolchain = session.Toolchain
			}
			row := append(csvRow(session, r, names[r.Toolchain], isBest[r.UUID]), strconv.FormatBool(busy),
				cmp.Or(session.Target, "cpu"), session.Device, cmp.Or(session.Timing, "total"), csvJoules(joules[r.UUID]))
			if err := out.Write(row); err != nil {
				return fmt.Errorf("writing CSV: %w", err)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("writing CSV: %w", err)
	}
	return nil
}

func csvRow(session store.SessionStatus, r store.Record, toolchain string, best bool) []string {
	row := []string{
		r.UUID, session.UUID, session.KernelName, session.Kernel, session.Size, session.MachineName, session.Machine,
		toolchain, r.Toolchain, r.Variant, r.Partition, r.Recipe,
		string(r.Status), strconv.FormatBool(r.Verified), r.Detail, csvTime(r.Started), csvTime(r.Finished),
	}
	summary := make([]string, 8)
	if s := r.Summary; s != nil {
		summary = []string{strconv.Itoa(s.Rounds), csvNumber(s.Seconds.Median), "", "", csvNumber(s.Speedup.Median), "", "", csvNumber(s.Coverage)}
		if s.Certainty >= store.Bounded {
			summary[2], summary[3] = csvNumber(s.Seconds.Low), csvNumber(s.Seconds.High)
			summary[5], summary[6] = csvNumber(s.Speedup.Low), csvNumber(s.Speedup.High)
		}
	}
	return append(append(row, summary...), strconv.FormatBool(best))
}

// csvJoules is the median energy, "" where none is known.
func csvJoules(joules []float64) string {
	median, err := stat.Median(joules)
	if err != nil {
		return ""
	}
	return csvNumber(median)
}

func csvNumber(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func csvTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}
