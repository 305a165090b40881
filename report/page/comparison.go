package page

import (
	"fmt"
	"html/template"

	"polytune/report"
)

// comparisonView is the part of the page about several places.
type comparisonView struct {
	Kernels []comparedKernel
	Means   []string
	Summary string
	// Alone counts the kernels that have a result in one place only.
	Alone     int
	Threshold string
}

// comparedKernel is a kernel with results in several places.
type comparedKernel struct {
	Kernel, Size string
	Bests        []comparedBest
	Costs        []comparedCost
	Partition    string
	Variant      string
	Score        string
}

type comparedBest struct {
	Place, Time, Speedup string
	Partition            template.HTML
}

// comparedCost has classes for colours: "near", "far" or "unknown", and "" where nothing clear is
// known.
type comparedCost struct{ From, On, Variant, VariantClass, Partition, PartitionClass string }

func newComparisonView(c report.Comparison) *comparisonView {
	v := &comparisonView{Means: c.MeanLines(), Summary: c.VariabilityText(), Threshold: fmt.Sprintf("%.0f%%", 100*report.Portable)}
	for _, k := range c.Kernels {
		if len(k.Bests) < 2 {
			v.Alone++
			continue
		}
		kernel := comparedKernel{Kernel: k.Name, Size: k.Size, Partition: k.Partition.Text("partition"), Variant: k.Variant.Text("variant"), Score: k.Variant.ScoreText()}
		for _, b := range k.Bests {
			s := b.Trial.Summary
			kernel.Bests = append(kernel.Bests, comparedBest{c.Places[b.Place].Label, report.Seconds(s.Seconds.Median), report.Speedup(s.Speedup, s.Certainty), drawPartition(b.Trial)})
		}
		for _, cost := range k.Costs {
			kernel.Costs = append(kernel.Costs, comparedCost{c.Places[cost.From].Label, c.Places[cost.On].Label,
				cost.Variant.Text(), class(cost.Variant), cost.Partition.Text(), class(cost.Partition)})
		}
		v.Kernels = append(v.Kernels, kernel)
	}
	return v
}

// class is the style of a cost.
func class(r report.Ratio) string {
	switch {
	case !r.Known:
		return "unknown"
	case r.Median <= 1+report.Portable:
		return "near"
	case r.Differs:
		return "far"
	}
	return ""
}
