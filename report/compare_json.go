package report

import (
	"io"

	"polytune/internal/jsondoc"
	"polytune/store"
)

// comparisonDocument is what `tune compare --json` prints.
type comparisonDocument struct {
	Places  []placeDocument  `json:"places"`
	Kernels []kernelDocument `json:"kernels"`
	Means   []meanDocument   `json:"means"`
	// Threshold is how far from the best a variant may be to count as good.
	Threshold   float64             `json:"threshold"`
	Variability variabilityDocument `json:"variability"`
	// Transfer is there where it was asked for.
	Transfer []transferDocument `json:"transfer,omitempty"`
}

// placeDocument names a place; elsewhere in the document places are given by their
// label.
type placeDocument struct {
	Label     string    `json:"label"`
	Machine   machine   `json:"machine"`
	Name      string    `json:"name"`
	Toolchain toolchain `json:"toolchain"`
	// Target, Device and Timing are as in store.On, left out for processors.
	Target string `json:"target,omitempty"`
	Device string `json:"device,omitempty"`
	Timing string `json:"timing,omitempty"`
}

type kernelDocument struct {
	Kernel string         `json:"kernel"`
	Source string         `json:"source"`
	Size   string         `json:"size"`
	Best   []bestDocument `json:"best"`
	Costs  []costDocument `json:"costs"`
	// PartitionsDiffer says that places have best variants of different partitions.
	PartitionsDiffer bool                `json:"partitions_differ"`
	Partition        portabilityDocument `json:"partition"`
	Variant          portabilityDocument `json:"variant"`
}

type bestDocument struct {
	Place     string   `json:"place"`
	Variant   string   `json:"variant"`
	Partition []int    `json:"partition"`
	Seconds   Interval `json:"seconds"`
	Speedup   Interval `json:"speedup"`
	Rounds    int      `json:"rounds"`
	Trial     string   `json:"trial"`
}

type costDocument struct {
	From      string        `json:"from"`
	On        string        `json:"on"`
	Variant   ratioDocument `json:"variant"`
	Partition ratioDocument `json:"partition"`
}

// ratioDocument has no ratio where nothing was tried, or where it failed.
type ratioDocument struct {
	// Status is "ok", "not-tried", or that of the failed trial.
	Status store.Status `json:"status"`
	Ratio  *float64     `json:"ratio,omitempty"`
	// Low and High are there where both times have a complete interval.
	Low     *float64 `json:"low,omitempty"`
	High    *float64 `json:"high,omitempty"`
	Differs bool     `json:"differs"`
}

type portabilityDocument struct {
	Answer    Answer  `json:"one_within_threshold"`
	Candidate string  `json:"nearest,omitempty"`
	Worst     float64 `json:"worst_ratio,omitempty"`
	// Everywhere counts the candidates known in all places, All those in any.
	Everywhere int `json:"tried_everywhere"`
	All        int `json:"tried"`
	// Score is Pennycook's, of the candidate that has the greatest, and OriginalScore that of the
	// original; not there where nothing is known in all places.
	Score    float64  `json:"portability_score"`
	Scored   string   `json:"portable,omitempty"`
	Original *float64 `json:"original_score,omitempty"`
}

type meanDocument struct {
	From    string  `json:"from"`
	On      string  `json:"on"`
	Ratio   float64 `json:"ratio"`
	Kernels int     `json:"kernels"`
}

type variabilityDocument struct {
	Kernels  int `json:"kernels"`
	Variable int `json:"variable"`
	Unknown  int `json:"unknown"`
}

type transferDocument struct {
	Kernel   string           `json:"kernel"`
	Source   string           `json:"source"`
	Size     string           `json:"size"`
	Machine  string           `json:"machine"`
	From     []sourceDocument `json:"from"`
	Variants []adviceDocument `json:"variants"`
}

type sourceDocument struct {
	Place    string  `json:"place"`
	Distance float64 `json:"distance"`
	Weight   float64 `json:"weight"`
}

type adviceDocument struct {
	Variant   string  `json:"variant"`
	Partition []int   `json:"partition"`
	Expected  float64 `json:"expected_ratio"`
	Tried     int     `json:"tried"`
	Failed    int     `json:"failed"`
}

// ComparisonJSON writes the comparison, and the advice for a machine if any, as one JSON
// document.
func ComparisonJSON(w io.Writer, c Comparison, machine string, advice []Transfer) error {
	document := comparisonDocument{Places: []placeDocument{}, Kernels: []kernelDocument{}, Means: []meanDocument{}, Threshold: Portable,
		Variability: variabilityDocument{c.Compared, c.Variable, c.Unsettled}}
	for _, p := range c.Places {
		document.Places = append(document.Places, documentPlace(p))
	}
	for _, k := range c.Kernels {
		document.Kernels = append(document.Kernels, c.documentKernel(k))
	}
	for _, m := range c.Means {
		document.Means = append(document.Means, meanDocument{c.Places[m.From].Label, c.Places[m.On].Label, m.Ratio, m.Kernels})
	}
	for _, t := range advice {
		document.Transfer = append(document.Transfer, c.documentTransfer(t, machine))
	}
	return jsondoc.Write(w, document)
}

func documentPlace(p Place) placeDocument {
	return placeDocument{
		Label: p.Label, Name: p.Machine.Title(), Machine: machine{p.Machine.ID, p.Machine.About.CPU, p.Machine.About.Cores},
		Toolchain: toolchain{p.Toolchain.ID, p.Toolchain.Name, p.Toolchain.Version},
		Target:    p.On.Target, Device: p.On.Device, Timing: p.On.Timing,
	}
}

func (c *Comparison) documentKernel(k KernelComparison) kernelDocument {
	d := kernelDocument{Kernel: k.Kernel.Name, Source: k.Kernel.ID, Size: k.Size, Best: []bestDocument{}, Costs: []costDocument{},
		PartitionsDiffer: k.PartitionsDiffer, Partition: portabilityDocument(k.Partition), Variant: portabilityDocument(k.Variant)}
	for _, b := range k.Bests {
		s := b.Trial.Summary
		d.Best = append(d.Best, bestDocument{c.Places[b.Place].Label, b.Trial.Variant, append([]int{}, b.Trial.Partition...),
			IntervalOf(s.Seconds, s.Certainty), IntervalOf(s.Speedup, s.Certainty), s.Rounds, b.Trial.UUID})
	}
	for _, cost := range k.Costs {
		d.Costs = append(d.Costs, costDocument{c.Places[cost.From].Label, c.Places[cost.On].Label, cost.Variant.document(), cost.Partition.document()})
	}
	return d
}

func (r Ratio) document() ratioDocument {
	switch {
	case r.Bounded:
		return ratioDocument{Status: store.OK, Ratio: &r.Median, Low: &r.Low, High: &r.High, Differs: r.Differs}
	case r.Known:
		return ratioDocument{Status: store.OK, Ratio: &r.Median}
	case r.Status != "":
		return ratioDocument{Status: r.Status}
	}
	return ratioDocument{Status: "not-tried"}
}

func (c *Comparison) documentTransfer(t Transfer, machine string) transferDocument {
	d := transferDocument{Kernel: t.Kernel.Name, Source: t.Kernel.ID, Size: t.Size, Machine: machine, From: []sourceDocument{}, Variants: []adviceDocument{}}
	for _, s := range t.Sources {
		d.From = append(d.From, sourceDocument{c.Places[s.Place].Label, s.Distance, s.Weight})
	}
	for _, a := range t.Variants {
		d.Variants = append(d.Variants, adviceDocument{a.Variant, append([]int{}, a.Partition...), a.Expected, a.Tried, a.Failed})
	}
	return d
}
