package page

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"polytune/report"
	"polytune/report/figure"
	"polytune/store"
	"polytune/tuner"
)

// cellView is the part of the page about a kernel at a size in one place.
type cellView struct {
	Anchor, Kernel, Size, Place string
	Best                        *bestView
	Verdict                     string
	// Race says how the race of the best went, a sentence each.
	Race      []string
	Trials    string
	Strip     template.HTML
	StripNote string
	Legend    []legendEntry
	Leaders   []leader
	Failures  []failure
	// Front are the variants than which none takes both less time and less energy.
	Front       []frontView
	FrontPlot   template.HTML
	HeatMap     template.HTML
	HeatMapNote string
	Sessions    []sessionView
	// EarlierSessions counts those that are not shown.
	EarlierSessions int
}

// bestView is what is said of the best variant.
type bestView struct {
	Variant, Time, Speedup, Baseline string
	Partition                        template.HTML
	Rounds                           int
	Coverage                         string
	Trial                            string
}

// leader is a line of the table of the fastest variants.
type leader struct {
	Variant, How, Time, Speedup, Note string
	Partition                         template.HTML
	Rounds                            int
}

// failure counts the trials with a status, with an example.
type failure struct {
	Status   string
	Count    int
	Variant  string
	Example  string
	IsSevere bool
}

// mostLeaders is the length of the table of the fastest variants.
const mostLeaders = 8

func newCellView(anchor string, c *report.Cell, p report.Place, mostMarks int, unfold bool) (cellView, error) {
	v := cellView{Anchor: anchor, Kernel: c.Name(), Size: c.Size, Place: p.Label, Verdict: c.VerdictWords(), Trials: report.TrialsText(c.Counts(""))}
	if c.Best != nil {
		v.Best, v.Race = newBestView(c), slices.Concat(report.ClaimLines(c.Verdict.Claims), report.RaceLines(c.Verdict.Race))
		if c.Busy != "" {
			v.Race = append(v.Race, fmt.Sprintf("timed while %s (%s): tune again times it anew", report.BusyText, c.Busy))
		}
	}
	v.Failures = failures(c)
	order := ranked(c)
	v.Leaders = leaders(c, order)
	if err := v.addStrip(c, order, mostMarks); err != nil {
		return v, err
	}
	if err := v.addFront(c); err != nil {
		return v, err
	}
	if err := v.addHeatMap(c); err != nil {
		return v, err
	}
	return v, v.addSessions(c, unfold)
}

func newBestView(c *report.Cell) *bestView {
	s := c.Best.Summary
	b := &bestView{
		Variant: c.Best.Variant, Time: report.Seconds(s.Seconds.Median), Speedup: report.Speedup(s.Speedup, s.Certainty),
		Partition: drawPartition(c.Best), Rounds: s.Rounds, Trial: c.Best.UUID, Coverage: fmt.Sprintf("%.1f%%", 100*s.Coverage),
	}
	if c.Baseline != nil {
		b.Baseline = report.Seconds(c.Baseline.Summary.Seconds.Median)
	}
	return b
}

// ranked are the timed trials other than the original's in the order of the store's view: complete
// intervals first, then by speed-up. Of trials of the same variant the first counts.
func ranked(c *report.Cell) []*report.Trial {
	var list []*report.Trial
	for i := range c.Trials {
		if t := &c.Trials[i]; t.Timed() && t.Variant != store.Original {
			list = append(list, t)
		}
	}
	slices.SortFunc(list, report.ByRank)
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(t *report.Trial) bool {
		known := seen[t.Variant]
		seen[t.Variant] = true
		return known
	})
}

// leaders are the first of the ranked trials.
func leaders(c *report.Cell, order []*report.Trial) []leader {
	var list []leader
	for _, t := range order[:min(len(order), mostLeaders)] {
		s := t.Summary
		l := leader{Variant: t.Variant, How: c.How(t), Time: report.Seconds(s.Seconds.Median), Speedup: report.Speedup(s.Speedup, s.Certainty), Rounds: s.Rounds, Partition: drawPartition(t)}
		switch {
		case c.Best != nil && t.UUID == c.Best.UUID:
			l.Note = c.VerdictWords()
		case slices.Contains(c.Verdict.Rivals, t.Variant):
			l.Note = "not separated"
			if c.Verdict.Verdict == tuner.Tied {
				l.Note = "tied"
			}
		case s.Certainty == store.Screened:
			l.Note = "timed once"
		}
		list = append(list, l)
	}
	return list
}

// failures counts what has no time, wrong results first.
func failures(c *report.Cell) []failure {
	found := map[store.Status]*failure{}
	for i := range c.Trials {
		t := &c.Trials[i]
		if t.Status == store.OK || t.Variant == store.Original {
			continue
		}
		f := found[t.Status]
		if f == nil {
			f = &failure{Status: string(t.Status), IsSevere: t.Status == store.WrongResult}
			found[t.Status] = f
		}
		f.Count++
		if f.Example == "" && t.Detail != "" {
			f.Example, f.Variant = t.Detail, t.Variant
		}
	}
	var list []failure
	for _, f := range found {
		list = append(list, *f)
	}
	slices.SortFunc(list, func(a, b failure) int {
		return cmp.Or(-boolean(a.IsSevere, b.IsSevere), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Status, b.Status))
	})
	return list
}

// boolean compares with false before true.
func boolean(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// tip is what a mark of a trial is pointed at for: what it is, and what is known of it.
func tip(c *report.Cell, t *report.Trial) string {
	lines := []string{t.Variant + " " + report.VariantPartition(t.Variant, t.Partition)}
	if how := c.How(t); how != "" {
		lines = append(lines, how)
	}
	if s := t.Summary; s != nil {
		lines = append(lines, report.Speedup(s.Speedup, s.Certainty)+", "+report.Seconds(s.Seconds.Median))
	}
	return strings.Join(lines, "\n")
}

// addStrip draws all timed variants by time, coloured by the leading partitions.
func (v *cellView) addStrip(c *report.Cell, order []*report.Trial, most int) error {
	series := map[string]int{}
	for _, t := range order {
		key := tuner.PartitionText(t.Partition)
		if _, known := series[key]; known {
			continue
		}
		k := len(series)
		series[key] = k
		if k < figure.Series {
			v.Legend = append(v.Legend, legendEntry{Marker: figure.Marker(k), Drawing: drawPartition(t)})
		}
	}
	if others := len(series) - figure.Series; others > 0 {
		v.Legend = append(v.Legend, legendEntry{Marker: figure.Marker(figure.Series), Text: fmt.Sprintf("%d other %s", others, report.Plural(others, "partition"))})
	}
	var points []figure.Point
	total := 0
	for i := range c.Trials {
		t := &c.Trials[i]
		if t.Variant == store.Original {
			continue
		}
		if t.Timed() {
			points = append(points, figure.Point{At: total, Ratio: t.Summary.Speedup.Median, Series: series[tuner.PartitionText(t.Partition)],
				Small: t.Summary.Coverage < store.FullCoverage, Best: c.Best != nil && t.UUID == c.Best.UUID, Tip: tip(c, t)})
		}
		total++
	}
	svg, drawn, err := figure.Strip("All variants of "+c.Name()+" by time",
		fmt.Sprintf("Speed-ups of %d variants over the original in the order in which they were tried. %s of %d trials.", len(points), v.Trials, total), points, total, most)
	v.Strip = svg
	if drawn < len(points) {
		v.StripNote = fmt.Sprintf("%d marks stand for %d variants: where some would hide each other, one is drawn.", drawn, len(points))
	}
	return err
}
