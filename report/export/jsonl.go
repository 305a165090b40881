package export

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"polytune/report"
	"polytune/store"
	"polytune/tuner/stat"
)

// Line is a trial as a line of JSON. All lines have all columns, each of one type, or null where
// nothing is known, so that they become a table of Parquet or of a data frame as they are.
type Line struct {
	UUID        string     `json:"uuid"`
	Session     string     `json:"session"`
	Kernel      string     `json:"kernel"`
	Source      string     `json:"source"`
	Size        string     `json:"size"`
	Machine     string     `json:"machine"`
	MachineID   string     `json:"machine_id"`
	Toolchain   string     `json:"toolchain"`
	ToolchainID string     `json:"toolchain_id"`
	Target      string     `json:"target"`
	Device      string     `json:"device"`
	Timing      string     `json:"timing"`
	Variant     string     `json:"variant"`
	Partition   string     `json:"partition"`
	Setting     string     `json:"setting"`
	Recipe      string     `json:"recipe"`
	Status      string     `json:"status"`
	Verified    bool       `json:"verified"`
	Detail      string     `json:"detail"`
	Started     time.Time  `json:"started"`
	Finished    *time.Time `json:"finished"`
	Rounds      *int       `json:"rounds"`
	Seconds     *float64   `json:"seconds"`
	SecondsLow  *float64   `json:"seconds_low"`
	SecondsHigh *float64   `json:"seconds_high"`
	Speedup     *float64   `json:"speedup"`
	Low         *float64   `json:"low"`
	High        *float64   `json:"high"`
	Coverage    *float64   `json:"coverage"`
	Joules      *float64   `json:"joules"`
	Best        bool       `json:"best"`
	Busy        bool       `json:"busy"`
	// SampleRounds, SampleSeconds and SampleJoules are those of the samples, in their order; the
	// energy is 0 where nothing told it.
	SampleRounds  []int     `json:"sample_rounds"`
	SampleSeconds []float64 `json:"sample_seconds"`
	SampleJoules  []float64 `json:"sample_joules"`
}

// WriteJSONLines writes a line for each trial of the selection, in the order of sessions and trials.
func WriteJSONLines(ctx context.Context, w io.Writer, selection report.Selection, db *store.Store) error {
	toolchains, err := db.Toolchains(ctx)
	if err != nil {
		return err
	}
	names := map[string]string{}
	for _, t := range toolchains {
		names[t.ID] = strings.TrimSpace(t.Name + " " + t.Version)
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return eachTrial(ctx, selection, db, func(t sessionTrial) error {
		if err := encoder.Encode(lineOf(t, names[t.Toolchain])); err != nil {
			return fmt.Errorf("writing lines of JSON: %w", err)
		}
		return nil
	})
}

func lineOf(t sessionTrial, toolchain string) Line {
	s := t.session
	line := Line{
		UUID: t.UUID, Session: s.UUID, Kernel: s.KernelName, Source: s.Kernel, Size: s.Size, Machine: s.MachineName, MachineID: s.Machine,
		Toolchain: toolchain, ToolchainID: t.Toolchain, Target: cmp.Or(s.Target, "cpu"), Device: s.Device, Timing: cmp.Or(s.Timing, "total"),
		Variant: t.Variant, Partition: t.partition, Setting: t.setting, Recipe: t.recipe, Status: string(t.Status), Verified: t.Verified, Detail: t.Detail,
		Started: t.Started.UTC(), Best: t.isBest, Busy: busy(s),
		SampleRounds: []int{}, SampleSeconds: []float64{}, SampleJoules: []float64{},
	}
	if !t.Finished.IsZero() {
		finished := t.Finished.UTC()
		line.Finished = &finished
	}
	if m := t.Summary; m != nil {
		line.Rounds, line.Seconds, line.Speedup, line.Coverage = &m.Rounds, &m.Seconds.Median, &m.Speedup.Median, &m.Coverage
		if m.Certainty >= store.Bounded {
			line.SecondsLow, line.SecondsHigh, line.Low, line.High = &m.Seconds.Low, &m.Seconds.High, &m.Speedup.Low, &m.Speedup.High
		}
	}
	if joules := medianJoules(t.Samples); joules > 0 {
		line.Joules = &joules
	}
	for _, sample := range t.Samples {
		line.SampleRounds = append(line.SampleRounds, sample.Round)
		line.SampleSeconds = append(line.SampleSeconds, sample.Seconds)
		line.SampleJoules = append(line.SampleJoules, sample.Joules)
	}
	return line
}

// medianJoules is the median energy of the samples that tell it; 0 for none.
func medianJoules(samples []store.Sample) float64 {
	var known []float64
	for _, s := range samples {
		if s.Joules > 0 {
			known = append(known, s.Joules)
		}
	}
	median, err := stat.Median(known)
	if err != nil {
		return 0
	}
	return median
}
