package handout

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"polytune/configs"
	"polytune/internal/opendb"
	"polytune/pipeline"
	"polytune/report"
	"polytune/runner"
	"polytune/space"
	"polytune/store"
	"polytune/tuner"
)

// Options choose a stored result; tune best and tune emit share them.
type Options struct {
	Target  pipeline.Options
	Size    string
	Params  string
	Machine string
	// Any asks for the first of the list, whether or not it is known to be faster.
	Any bool
	// AllMachines asks for the results of every machine.
	AllMachines bool
	// Device says which part of the time of kernels was compared in what is meant, on any device.
	Device pipeline.DeviceOptions
}

// Report is the JSON document of tune best.
type Report struct {
	Kernel    string `json:"kernel"`
	Size      string `json:"size"`
	Machine   string `json:"machine"`
	Toolchain string `json:"toolchain"`
	// Target is what the variant is code for, Device what its kernels ran on, and Timing which
	// part of their time was compared; all are left out for processors.
	Target string `json:"target,omitempty"`
	Device string `json:"device,omitempty"`
	Timing string `json:"timing,omitempty"`
	// Compiler and Flags are what the variant was timed with.
	Compiler string   `json:"compiler"`
	Flags    []string `json:"flags"`
	// Environment is what the timed programs found in theirs about threads, and Busy which
	// other programs used the processors meanwhile, "" for none.
	Environment []string        `json:"environment"`
	Busy        string          `json:"busy"`
	Best        ReportedVariant `json:"best"`
	// First is the first of the variants where the original is the best because none is
	// known to be faster, and Further how many more rounds would tell; 0 where no
	// sensible number would.
	First   *ReportedVariant `json:"first"`
	Further *int             `json:"further_rounds"`
}

// ReportedVariant is a variant in a Report.
type ReportedVariant struct {
	Variant   string          `json:"variant"`
	Partition space.Partition `json:"partition"`
	// How says what differs from the models' choice, "" where that is not known.
	How     string          `json:"how"`
	Recipe  string          `json:"recipe"`
	Seconds report.Interval `json:"seconds"`
	Speedup report.Interval `json:"speedup"`
}

// Known are the stored results of one region, the fastest first; there
// is at least one.
type Known struct {
	Target  *pipeline.Target
	Results []store.Best
	// Origins say by their trials where they come from.
	Origins map[string]store.Provenance
	// Contenders are, by the trials of originals, those who may be faster.
	Contenders map[string]*Contender
	// settings are the points that variants are, by their ids.
	settings map[string]string
	// notes takes what the user is to know besides.
	notes io.Writer
}

// How says what differs of a variant from the models' choice, "" where that is not known, and of
// the original.
func (k *Known) How(variant string) string {
	setting, known := k.settings[variant]
	if !known || store.IsOriginal(variant) {
		return ""
	}
	return report.How(setting)
}

// noteSessions says where the fastest compiler of a size was not timed together with
// another one: what the machine did otherwise in between may have decided.
func (k *Known) noteSessions(w io.Writer) {
	type place struct {
		size, machine string
		on            store.On
	}
	fastest := map[place]store.Best{}
	for _, b := range k.Results {
		at := place{b.Size, b.Machine, b.On}
		first, later := fastest[at]
		if !later {
			fastest[at] = b
			continue
		}
		if k.Origins[b.Trial].Session == k.Origins[first.Trial].Session {
			continue
		}
		fmt.Fprintf(w, "%s %s: note: %s with %s and %s with %s are times of different sessions, which compare only as far as %s was in the same state; "+
			"tune with both in --cc times them together\n", b.KernelName, b.Size,
			report.Seconds(first.Summary.Seconds.Median), first.ToolchainName, report.Seconds(b.Summary.Seconds.Median), b.ToolchainName, b.MachineName)
	}
}

// Report is the document about the first of the results. The database has neither
// the partition nor the recipe of the original.
func (k *Known) Report() (Report, error) {
	b := k.Results[0]
	best, err := k.variant(b)
	if err != nil {
		return Report{}, err
	}
	from, err := OriginOf(k.Origins[b.Trial])
	if err != nil {
		return Report{}, err
	}
	r := Report{Kernel: b.KernelName, Size: b.Size, Machine: b.MachineName, Toolchain: b.ToolchainName,
		Compiler: from.Toolchain.Resolved, Flags: from.Toolchain.Flags, Environment: from.environment, Busy: from.busy, Best: best}
	if b.Target != "" {
		r.Target, r.Device, r.Timing = b.Target, b.Device, cmp.Or(b.Timing, "total")
	}
	if c := k.Contenders[b.Trial]; c != nil {
		first, err := k.variant(c.Best)
		r.First, r.Further = &first, &c.further
		return r, err
	}
	return r, nil
}

// variant is what a document says of a result.
func (k *Known) variant(b store.Best) (ReportedVariant, error) {
	best := ReportedVariant{Variant: b.Variant.ID, How: k.How(b.Variant.ID), Recipe: b.Variant.Recipe,
		Seconds: report.IntervalOf(b.Summary.Seconds, b.Summary.Certainty), Speedup: report.IntervalOf(b.Summary.Speedup, b.Summary.Certainty)}
	var err error
	if store.IsOriginal(b.Variant.ID) {
		var original tuner.Original
		original, err = k.Target.Original()
		best.Partition, best.Recipe = original.Partition, original.Recipe
	} else {
		best.Partition, err = tuner.ParsePartition(b.Variant.Partition)
	}
	return best, err
}

// OnProcessors looks up what processors have of the regions that the arguments name, which may be
// nothing: the options are about devices.
func (o *Options) OnProcessors(ctx context.Context, args []string, settings configs.Settings) ([]Known, error) {
	on := *o
	on.Target.On, on.Target.Notes, on.Device.Timing = nil, io.Discard, pipeline.TotalTiming
	targets, err := on.Target.All(args)
	if err != nil {
		return nil, err
	}
	return on.find(ctx, targets, settings, false)
}

// Find looks up the results of all targets. It is an error that there are none of one.
func (o *Options) Find(ctx context.Context, targets []*pipeline.Target, settings configs.Settings) ([]Known, error) {
	return o.find(ctx, targets, settings, true)
}

// find looks up the results of all targets, of which each needs some or not.
func (o *Options) find(ctx context.Context, targets []*pipeline.Target, settings configs.Settings, needed bool) ([]Known, error) {
	machine := o.Machine
	if machine == "" && !o.AllMachines {
		detected, err := runner.Detect(settings.Machine.Name)
		if err != nil {
			return nil, err
		}
		machine = detected.ID
	}
	db, err := opendb.ToRead(ctx, o.Target.Told(), settings.DB)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	on, known := o.Device.On(&o.Target), make([]Known, len(targets))
	for i, t := range targets {
		size, err := o.SizeOf(t)
		if err != nil {
			return nil, err
		}
		kernel, err := t.Hash(&o.Target)
		if err != nil {
			return nil, err
		}
		id, err := kernel.In(ctx, db)
		if err != nil {
			return nil, err
		}
		query := store.BestQuery{KernelID: id, Size: size, Machine: machine, Any: o.Any, On: on}
		results, err := db.Best(ctx, query)
		if err != nil {
			return nil, err
		}
		if len(results) == 0 && needed {
			return nil, absent(ctx, db, t, query)
		}
		points, err := db.Settings(ctx, id)
		if err != nil {
			return nil, err
		}
		known[i] = Known{t, results, map[string]store.Provenance{}, map[string]*Contender{}, points, o.Target.Told()}
		for _, b := range results {
			if known[i].Origins[b.Trial], err = db.Provenance(ctx, b.Trial); err != nil {
				return nil, err
			}
			if known[i].Contenders[b.Trial], err = ContenderOf(ctx, db, b, settings.Measurement.Indifference); err != nil {
				return nil, err
			}
		}
		known[i].noteSessions(o.Target.Told())
	}
	return known, nil
}

// withTarget names the target whose results were looked for, "" for processors.
func withTarget(on store.On) string {
	switch {
	case on.IsObjective():
		return " with --objective " + on.Timing
	case on.Target == "":
		return ""
	case on.Timing != "":
		return fmt.Sprintf(" with --target %s --timing %s", on.Target, on.Timing)
	}
	return " with --target " + on.Target
}

// SizeOf is the size that the flags ask for, "" for any.
func (o *Options) SizeOf(t *pipeline.Target) (string, error) {
	if o.Params == "" {
		return o.Size, nil
	}
	params, err := t.Sizes(o.Size, o.Params)
	return pipeline.ParametersText(params), err
}
