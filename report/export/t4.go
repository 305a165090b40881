package export

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"polytune/report"
	"polytune/store"
)

// The documents of the format T4, version 1.0.0, as Kernel Tuner writes them and
// autotuning_methodology reads them. What is not known is left out.
//
// Source: https://github.com/odgaard/TuningSchema, branch T4, results-schema.json; Kernel Tuner,
// kernel_tuner/schema/T4/1.0.0 and kernel_tuner/file_utils.py.
type (
	t4Document struct {
		Results  []t4Result        `json:"results"`
		Version  string            `json:"schema_version"`
		Metadata map[string]string `json:"metadata"`
	}
	t4Result struct {
		Timestamp     string            `json:"timestamp"`
		Configuration map[string]string `json:"configuration"`
		Objectives    []string          `json:"objectives"`
		Times         t4Times           `json:"times"`
		Invalidity    string            `json:"invalidity"`
		Correctness   float64           `json:"correctness"`
		Measurements  []t4Measurement   `json:"measurements"`
	}
	// t4Times are in milliseconds: Runtimes those of the samples, Benchmark that of the processes.
	t4Times struct {
		Runtimes  []float64 `json:"runtimes"`
		Benchmark *float64  `json:"benchmark,omitempty"`
	}
	t4Measurement struct {
		Name  string `json:"name"`
		Value any    `json:"value"`
		Unit  string `json:"unit"`
	}
)

const (
	t4Version    = "1.0.0"
	milliseconds = 1e3
	// unchosen is the value of an axis that a candidate leaves to the models.
	unchosen = "default"
	// partitionParameter is the name of the partition among the axes.
	partitionParameter = "partition"
)

// t4Validity are the words of the format for how a trial ended.
var t4Validity = map[store.Status]string{
	store.OK: "correct", store.Illegal: "constraints", store.CodegenFailed: "compile", store.CompileFailed: "compile",
	store.Crashed: "runtime", store.DeviceFailed: "runtime", store.Timeout: "timeout", store.WrongResult: "correctness",
}

// SeveralError says that a selection has more than one problem, of which a document of T4 has one.
type SeveralError struct{ Problems []string }

// Error lists them.
func (e *SeveralError) Error() string {
	return fmt.Sprintf("a file of the format t4 is about one kernel, size, machine and compiler, and there are %d: %s; choose one with --kernel, --size and --machine",
		len(e.Problems), strings.Join(e.Problems, "; "))
}

// WriteT4 writes the variants of one kernel, size, machine and compiler. Trials that are open without a
// time are left out, and the original is the configuration of its name. The error is a *SeveralError
// where the selection has several.
func WriteT4(ctx context.Context, w io.Writer, selection report.Selection, db *store.Store) error {
	document := t4Document{Results: []t4Result{}, Version: t4Version, Metadata: map[string]string{"timeunit": "milliseconds"}}
	problems, axes := map[string]bool{}, map[string]bool{partitionParameter: true}
	err := eachTrial(ctx, selection, db, func(t sessionTrial) error {
		validity, ended := t4Validity[t.Status]
		if !ended {
			return nil
		}
		s := t.session
		on := ""
		if text := s.On.Text(); text != "" {
			on = ", " + text
		}
		problems[s.KernelName+" "+s.Size+" on "+s.MachineName+" with "+s.ToolchainName+on] = true
		document.Metadata["kernel"], document.Metadata["size"], document.Metadata["machine"], document.Metadata["compiler"] = s.KernelName, s.Size, s.MachineName, s.ToolchainName
		r := t4ResultOf(t, validity)
		for name := range r.Configuration {
			axes[name] = true
		}
		document.Results = append(document.Results, r)
		return nil
	})
	if err != nil {
		return err
	}
	switch {
	case len(problems) > 1:
		return &SeveralError{slices.Sorted(maps.Keys(problems))}
	case len(problems) == 0:
		return fmt.Errorf("%s has no trial of this kernel, size and machine", db.Path())
	}
	for _, r := range document.Results {
		for name := range axes {
			if _, chosen := r.Configuration[name]; !chosen {
				r.Configuration[name] = unchosen
			}
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", " ")
	return encoder.Encode(document)
}

func t4ResultOf(t sessionTrial, validity string) t4Result {
	r := t4Result{
		Timestamp: t.Started.UTC().Format(time.RFC3339Nano), Configuration: choices(t.setting), Objectives: []string{"time"},
		Times: t4Times{Runtimes: []float64{}}, Invalidity: validity,
	}
	if t.session.IsObjective() {
		r.Objectives = []string{t.session.Timing}
	}
	r.Configuration[partitionParameter] = t.partition
	if store.IsOriginal(t.Variant) {
		r.Configuration[partitionParameter] = t.Variant
	}
	if t.Verified {
		r.Correctness = 1
	}
	for _, s := range t.Samples {
		r.Times.Runtimes = append(r.Times.Runtimes, milliseconds*s.Seconds)
		if c := s.Counters; c != nil && c.Elapsed > 0 {
			sum := milliseconds * c.Elapsed
			if r.Times.Benchmark != nil {
				sum += *r.Times.Benchmark
			}
			r.Times.Benchmark = &sum
		}
	}
	r.measure(t)
	return r
}

// measure adds what was measured. Every result has a time, "" where there is none, as readers of the
// format want it.
func (r *t4Result) measure(t sessionTrial) {
	add := func(name string, value any, unit string) {
		r.Measurements = append(r.Measurements, t4Measurement{name, value, unit})
	}
	if t.Summary == nil {
		add("time", "", "ms")
	} else {
		add("time", milliseconds*t.Summary.Seconds.Median, "ms")
		add("speedup", t.Summary.Speedup.Median, "")
	}
	if joules := medianJoules(t.Samples); joules > 0 {
		add("energy", joules, "J")
	}
	add("variant", t.Variant, "")
}
