package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"polytune/store"
	"polytune/tuner"
)

// Joules writes an energy with a unit that suits its size.
func Joules(joules float64) string {
	switch {
	case joules <= 0 || math.IsNaN(joules) || math.IsInf(joules, 0):
		return ""
	case joules >= 1:
		return fmt.Sprintf("%.3g J", joules)
	case joules >= 1e-3:
		return fmt.Sprintf("%.3g mJ", 1e3*joules)
	}
	return fmt.Sprintf("%.3g µJ", 1e6*joules)
}

// withEnergy gives the table of variants a column with their energy behind that of their time, where
// any is known. What is compared in place of time has its name.
func withEnergy(cells [][]string, rows []tuner.Row, on store.On) {
	if !slices.ContainsFunc(rows, func(row tuner.Row) bool { return row.Joules > 0 }) {
		return
	}
	timeColumn := slices.Index(cells[0], "time")
	for i := range cells {
		text := "energy"
		if i > 0 {
			text = Joules(rows[i-1].Joules)
		}
		cells[i] = slices.Insert(cells[i], timeColumn+1, text)
	}
	if on.IsObjective() {
		cells[0][timeColumn+2] = on.Timing + " gain"
	}
}

// Front are the timed trials of a cell than which no other one takes both less time and less
// energy, the fastest first; those of which no energy is known take no part.
func (c *Cell) Front() []*Trial {
	var list []*Trial
	for i := range c.Trials {
		if t := &c.Trials[i]; t.Timed() && t.Joules > 0 {
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b *Trial) int {
		return cmp.Or(cmp.Compare(a.Summary.Seconds.Median, b.Summary.Seconds.Median), cmp.Compare(a.Joules, b.Joules), cmp.Compare(a.UUID, b.UUID))
	})
	least, seen := math.Inf(1), map[string]bool{}
	return slices.DeleteFunc(list, func(t *Trial) bool {
		beaten := t.Joules >= least || seen[t.Variant]
		if !beaten {
			least, seen[t.Variant] = t.Joules, true
		}
		return beaten
	})
}
