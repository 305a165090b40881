package report

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"polytune/store"
	"polytune/tuner/stat"
)

// Portable is how far from the best of a place a variant may be, relative to it, to
// count as good there too.
//
// Source: L.-N. Pouchet, U. Bondhugula, C. Bastoul, A. Cohen, J. Ramanujam and
// P. Sadayappan, Combined iterative and model-driven optimization in an automatic
// parallelization framework, SC'10, sections VI-B and VI-C-2: the column
// Variability of figure 6.
const Portable = 0.05

// Comparison is what is known of the same kernels in several places.
type Comparison struct {
	Places  []Place
	Kernels []KernelComparison
	// Means say for each ordered pair of places what it costs to run on one the best
	// partitions of the other: the geometric mean over the kernels of which that is known.
	Means []Mean
	// Compared counts the kernels with a best in more than one place, Variable those
	// of them with variability, Unsettled those where trials are missing to tell.
	Compared, Variable, Unsettled int
}

// Mean is a geometric mean over kernels.
type Mean struct {
	From, On int
	// Ratio is the mean of the costs, over so many Kernels.
	Ratio   float64
	Kernels int
}

// KernelComparison is about a kernel at a size.
type KernelComparison struct {
	Kernel  store.Kernel
	Name    string
	Size    string
	Bests   []PlaceBest
	Costs   []Cost
	Variant Portability
	// Partition is the same as Variant with the best variant of each partition.
	Partition Portability
	// PartitionsDiffer says that the best variants of places have different
	// partitions.
	PartitionsDiffer bool
}

// PlaceBest is the best variant in a place, and how the kernel was tuned there.
type PlaceBest struct {
	Place int
	Trial *Trial
}

// Cost is what it costs to run the best variant of one place in another.
type Cost struct {
	From, On int
	// Variant is the cost of the very variant, Partition that of the best variant
	// of its partition: what remains when the rest is tuned anew.
	Variant, Partition Ratio
}

// Ratio is a time divided by that of the best in the same place: 1 for the best
// itself.
type Ratio struct {
	// Known says that there is one; Status is that of the trial that failed there
	// instead, "" where nothing was tried.
	Known  bool
	Status store.Status
	// Median is the ratio, not below 1 without bounds. Low and High bound it, cautiously: by the
	// ends of the two speed-ups' intervals, as trials of different sessions have no rounds in
	// common. They are there where Bounded says that both intervals are complete.
	Median, Low, High float64
	Bounded           bool
	// Differs says that the bounds do not contain 1.
	Differs bool
}

// Portability says whether one candidate is within Portable of the best in all
// places.
type Portability struct {
	// Answer is yes, no, or unknown because trials are missing.
	Answer Answer
	// Candidate is the variant, or the partition's text, with the least worst ratio
	// among those that are known in all places; "" for none. Worst is that ratio.
	Candidate string
	Worst     float64
	// Everywhere counts the candidates known in all places, All those known in any.
	Everywhere, All int
	// Score is the greatest score of a candidate known in all places, and Scored that candidate, ""
	// for none: the harmonic mean of its efficiencies, which are the times of the best in each place
	// divided by its own, and 0 where it fails in one. Original is the score of the original, nil
	// where that is not known in all places.
	//
	// Source: S. J. Pennycook, J. D. Sewall and V. W. Lee, A metric for performance portability,
	// PMBS'16, equation 1, with application efficiency.
	Score    float64
	Scored   string
	Original *float64
}

// Answer is an answer that data may not suffice for.
type Answer string

// The answers.
const (
	Yes     Answer = "yes"
	No      Answer = "no"
	Unknown Answer = "unknown"
)

// Compare puts the places of the findings side by side.
func Compare(f *Findings) Comparison {
	c := Comparison{Places: f.Places}
	for _, cells := range byKernel(f.Cells) {
		c.Kernels = append(c.Kernels, compareKernel(cells))
	}
	c.count()
	c.average()
	return c
}

// byKernel groups cells that differ in nothing but their places and devices; the cells are in
// order.
func byKernel(cells []*Cell) [][]*Cell {
	var groups [][]*Cell
	for _, cell := range cells {
		last := len(groups) - 1
		if last >= 0 && groups[last][0].compares(cell) {
			groups[last] = append(groups[last], cell)
		} else {
			groups = append(groups, []*Cell{cell})
		}
	}
	return groups
}

func compareKernel(cells []*Cell) KernelComparison {
	k := KernelComparison{Kernel: cells[0].Kernel, Name: cells[0].Name(), Size: cells[0].Size}
	cells = slices.DeleteFunc(slices.Clone(cells), func(c *Cell) bool { return c.Best == nil })
	variants, partitions := make([]attempts, len(cells)), make([]attempts, len(cells))
	for i, cell := range cells {
		k.Bests = append(k.Bests, PlaceBest{cell.Place, cell.Best})
		variants[i] = attemptsBy(cell, func(t *Trial) string { return t.Variant })
		partitions[i] = attemptsBy(cell, partitionKey)
		k.PartitionsDiffer = k.PartitionsDiffer || partitionKey(cell.Best) != partitionKey(cells[0].Best)
	}
	for from, source := range cells {
		for on, target := range cells {
			if from == on {
				continue
			}
			k.Costs = append(k.Costs, Cost{source.Place, target.Place,
				variants[on].ratio(source.Best.Variant, target.Best), partitions[on].ratio(partitionKey(source.Best), target.Best)})
		}
	}
	k.Variant, k.Partition = portability(cells, variants), portability(cells, partitions)
	return k
}

// partitionKey is the partition of a trial as text. The original is a candidate of its
// own: as written.
func partitionKey(t *Trial) string { return VariantPartition(t.Variant, t.Partition) }

// attempts are the trials in one place that stand for each candidate: the timed one that
// comes first in the order of the store's view, or a failed one.
type attempts map[string]*Trial

func attemptsBy(cell *Cell, key func(*Trial) string) attempts {
	list := attempts{}
	for i := range cell.Trials {
		t := &cell.Trials[i]
		known := list[key(t)]
		switch {
		case t.Status == store.Interrupted:
		case known == nil, t.Timed() && !known.Timed(), t.Timed() && known.Timed() && ByRank(t, known) < 0:
			list[key(t)] = t
		}
	}
	return list
}

// ratio is the time of a candidate divided by that of the best. Times of different
// sessions compare by their originals: it is the best's speed-up divided by the
// candidate's.
func (a attempts) ratio(candidate string, best *Trial) Ratio {
	t := a[candidate]
	switch {
	case t == nil:
		return Ratio{}
	case !t.Timed():
		return Ratio{Status: t.Status}
	case t.UUID == best.UUID:
		return Ratio{Known: true, Median: 1, Low: 1, High: 1, Bounded: true}
	}
	one, other := best.Summary, t.Summary
	r := Ratio{Known: true, Median: one.Speedup.Median / other.Speedup.Median,
		Bounded: min(one.Coverage, other.Coverage) >= store.FullCoverage}
	if !r.Bounded {
		// Who has too few rounds to be the best is not taken to be faster than it.
		r.Median = max(r.Median, 1)
		return r
	}
	r.Low, r.High = one.Speedup.Low/other.Speedup.High, one.Speedup.High/other.Speedup.Low
	r.Differs = r.Low > 1 || r.High < 1
	return r
}

// portability looks for a candidate that is good in all places. A candidate that failed
// somewhere is known there, and not good.
func portability(cells []*Cell, places []attempts) Portability {
	p := Portability{Answer: No, Worst: math.Inf(1)}
	all := map[string]bool{}
	for _, place := range places {
		for candidate := range place {
			all[candidate] = true
		}
	}
	missing := false
	for _, candidate := range slices.Sorted(maps.Keys(all)) {
		worst, inverse, complete := 0.0, 0.0, true
		for i, place := range places {
			switch r := place.ratio(candidate, cells[i].Best); {
			case r.Known:
				worst, inverse = max(worst, r.Median), inverse+max(r.Median, 1)
			case r.Status != "":
				worst, inverse = math.Inf(1), math.Inf(1)
			default:
				complete = false
			}
		}
		if !complete {
			missing = missing || worst <= 1+Portable
			continue
		}
		p.Everywhere++
		p.score(candidate, float64(len(places))/inverse)
		if worst < p.Worst {
			p.Candidate, p.Worst = candidate, worst
		}
	}
	p.All = len(all)
	switch {
	case p.Worst <= 1+Portable:
		p.Answer = Yes
	case missing || len(places) < 2:
		p.Answer = Unknown
	}
	if p.Candidate == "" {
		p.Worst = 0
	}
	return p
}

// score notes the score of a candidate.
func (p *Portability) score(candidate string, score float64) {
	if candidate == store.Original || candidate == VariantPartition(store.Original, nil) {
		p.Original = &score
	}
	if score > p.Score {
		p.Score, p.Scored = score, candidate
	}
}

// count counts the kernels with variability. What the paper looks at are partitions.
func (c *Comparison) count() {
	for _, k := range c.Kernels {
		if len(k.Bests) < 2 {
			continue
		}
		c.Compared++
		switch k.Partition.Answer {
		case No:
			c.Variable++
		case Unknown:
			c.Unsettled++
		}
	}
}

// average makes the means of the costs of partitions.
func (c *Comparison) average() {
	ratios := map[[2]int][]float64{}
	for _, k := range c.Kernels {
		for _, cost := range k.Costs {
			if cost.Partition.Known {
				pair := [2]int{cost.From, cost.On}
				ratios[pair] = append(ratios[pair], cost.Partition.Median)
			}
		}
	}
	for pair, list := range ratios {
		if mean, err := stat.GeometricMean(list); err == nil {
			c.Means = append(c.Means, Mean{pair[0], pair[1], mean, len(list)})
		}
	}
	slices.SortFunc(c.Means, func(a, b Mean) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.On, b.On)) })
}
