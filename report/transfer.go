package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"polytune/runner"
	"polytune/store"
	"polytune/tuner/stat"
)

// Transfer is the order in which to try the variants of a kernel on a machine, given what
// was found in other places.
type Transfer struct {
	Kernel store.Kernel
	Name   string
	Size   string
	// Sources are the places that the order comes from, the nearest first.
	Sources []Source
	// Variants are in the order in which to try them.
	Variants []Advice
}

// Source is a place with its weight.
type Source struct {
	Place int
	// Distance is that of the machines, Weight the place's share in the order; the
	// weights of all sources add up to 1.
	Distance, Weight float64
}

// Advice is a variant with what is expected of it.
type Advice struct {
	Variant   string
	Partition []int
	// Expected is the weighted geometric mean of the variant's ratios to the best of
	// each source. Where it was not tried, it counts as a typical one there.
	Expected float64
	// Tried counts the sources that have a time of it, Failed those where it failed.
	Tried, Failed int
}

// TransferTo makes the order for each kernel and size of the findings, from all
// places that are not on the machine itself.
//
// The rule: for each place a variant has a ratio, its time divided by that of the best there; the
// median ratio of the place's variants stands for what was not tried, and the greatest for what
// failed. Variants that failed nowhere come first; they are ordered by the geometric mean of their
// ratios over places, in which a place weighs 1/(1+d) for its machine's Distance d. That experience
// from other machines orders a search, and that a good one is a geometric mean over what was seen,
// is the idea of collective optimization; that near ones tell more is that of searches focused by
// nearest neighbours.
//
// Sources: G. Fursin and O. Temam, Collective optimization: a practical collaborative approach, ACM
// TACO 7(4), 2010; F. Agakov et al., Using machine learning to focus iterative
// optimization, CGO 2006.
func TransferTo(machine runner.Machine, f *Findings) []Transfer {
	var list []Transfer
	for _, cells := range byKernel(f.Cells) {
		cells = slices.DeleteFunc(slices.Clone(cells), func(c *Cell) bool {
			return c.Best == nil || f.Places[c.Place].Machine.ID == machine.ID
		})
		if len(cells) > 0 {
			list = append(list, transfer(machine, f.Places, cells))
		}
	}
	return list
}

func transfer(machine runner.Machine, places []Place, cells []*Cell) Transfer {
	t := Transfer{Kernel: cells[0].Kernel, Name: cells[0].Name(), Size: cells[0].Size}
	slices.SortStableFunc(cells, func(a, b *Cell) int {
		return cmp.Compare(Distance(machine, places[a.Place].Machine.About), Distance(machine, places[b.Place].Machine.About))
	})
	total := 0.0
	for _, cell := range cells {
		d := Distance(machine, places[cell.Place].Machine.About)
		t.Sources = append(t.Sources, Source{cell.Place, d, 1 / (1 + d)})
		total += 1 / (1 + d)
	}
	advice := map[string]*Advice{}
	seen := make([]experience, len(cells))
	for i, cell := range cells {
		t.Sources[i].Weight /= total
		seen[i] = experienceOf(cell)
		for variant, trial := range seen[i].trials {
			if advice[variant] == nil {
				advice[variant] = &Advice{Variant: variant, Partition: trial.Partition}
			}
		}
	}
	for _, a := range advice {
		for i := range cells {
			seen[i].add(a, t.Sources[i].Weight)
		}
		a.Expected = math.Exp(a.Expected)
		t.Variants = append(t.Variants, *a)
	}
	slices.SortFunc(t.Variants, func(a, b Advice) int {
		return cmp.Or(cmp.Compare(a.Failed, b.Failed), cmp.Compare(a.Expected, b.Expected), cmp.Compare(b.Tried, a.Tried), cmp.Compare(a.Variant, b.Variant))
	})
	return t
}

// experience is what one place tells of variants.
type experience struct {
	trials attempts
	best   *Trial
	// typical and worst are the median and the greatest of the ratios.
	typical, worst float64
}

func experienceOf(cell *Cell) experience {
	e := experience{trials: attemptsBy(cell, func(t *Trial) string { return t.Variant }), best: cell.Best}
	maps.DeleteFunc(e.trials, func(variant string, _ *Trial) bool { return store.IsOriginal(variant) })
	var ratios []float64
	for variant := range e.trials {
		if r := e.trials.ratio(variant, e.best); r.Known {
			ratios = append(ratios, r.Median)
		}
	}
	e.typical, e.worst = 1, 1
	if median, err := stat.Median(ratios); err == nil {
		e.typical, e.worst = median, slices.Max(ratios)
	}
	return e
}

// add adds the weighted logarithm of the variant's ratio to Expected.
func (e *experience) add(a *Advice, weight float64) {
	ratio := e.typical
	switch r := e.trials.ratio(a.Variant, e.best); {
	case r.Known:
		ratio = r.Median
		a.Tried++
	case r.Status != "":
		ratio = e.worst
		a.Failed++
	}
	a.Expected += weight * math.Log(ratio)
}

// Distance says how unlike two machines are for programs like ours: the Euclidean
// length of the binary logarithms of the ratios of their cores, the width of their vectors
// and the sizes of their data caches, level by level. What is not known of one of them
// counts as equal; twice the cores are a distance of 1.
func Distance(a, b runner.Machine) float64 {
	sum := 0.0
	add := func(x, y float64) {
		if x > 0 && y > 0 {
			sum += math.Log2(x/y) * math.Log2(x/y)
		}
	}
	add(float64(a.Cores), float64(b.Cores))
	add(float64(a.Vector.Bits), float64(b.Vector.Bits))
	for level := 1; level <= 3; level++ {
		add(cacheSize(a, level), cacheSize(b, level))
	}
	return math.Sqrt(sum)
}

// cacheSize is the size of a machine's data cache of a level, in bytes, 0 where it is
// not known.
func cacheSize(m runner.Machine, level int) float64 {
	for _, c := range m.Caches {
		if c.Level == level && c.Kind != "Instruction" {
			return float64(c.Size)
		}
	}
	return 0
}

// Text says how well the advice is founded.
func (a Advice) Text(sources int) string {
	text := fmt.Sprintf("tried in %d of %d", a.Tried, sources)
	if a.Failed > 0 {
		text += fmt.Sprintf(", failed in %d", a.Failed)
	}
	return text
}
