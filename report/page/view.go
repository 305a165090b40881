package page

import (
	"fmt"
	"html/template"
	"strings"
	"time"

	"polytune/report"
	"polytune/report/figure"
	"polytune/store"
)

// marksInAll bounds the marks of all strip plots together, so that a page of many kernels
// stays small; each has leastMarks and no more than mostMarks.
const marksInAll, leastMarks, mostMarks = 20000, 150, 1500

// mostOpen is the number of cells up to which the sessions of the best are unfolded.
const mostOpen = 4

// view is what the template shows.
type view struct {
	Style      template.CSS
	Script     template.JS
	Made       string
	Databases  []string
	Places     []placeView
	Rows       []row
	Speedups   template.HTML
	Legend     []legendEntry
	Means      []string
	Comparison *comparisonView
	// Several says that there is more than one place.
	Several bool
	Cells   []cellView
	Trials  int
}

// placeView is a machine with a compiler.
type placeView struct {
	Marker   template.HTML
	Label    string
	Machine  string
	ID       string
	About    string
	Compiler string
	Flags    string
}

// row is a line of the summary. The values are for sorting.
type row struct {
	Anchor, Kernel, Size, Machine, Compiler string
	Baseline, Best, Speedup, Verdict        string
	BaselineValue, BestValue, SpeedupValue  string
	Partition                               template.HTML
	Trials                                  string
}

// legendEntry tells what a colour and shape stands for.
type legendEntry struct {
	Marker template.HTML
	Text   string
	// Drawing is there instead of Text for a partition.
	Drawing template.HTML
}

func newView(f *report.Findings, made time.Time) (*view, error) {
	v := &view{
		Style: template.CSS(style), Script: template.JS(script), Made: dateText(made), Databases: f.Databases,
	}
	for i, p := range f.Places {
		v.Places = append(v.Places, newPlaceView(i, p))
	}
	most := mostMarks
	if len(f.Cells) > 0 {
		most = min(max(marksInAll/len(f.Cells), leastMarks), mostMarks)
	}
	for i, c := range f.Cells {
		anchor := fmt.Sprintf("k%d", i)
		v.Trials += len(c.Trials)
		v.Rows = append(v.Rows, newRow(anchor, c, f.Places[c.Place]))
		cell, err := newCellView(anchor, c, f.Places[c.Place], most, len(f.Cells) <= mostOpen)
		if err != nil {
			return nil, err
		}
		v.Cells = append(v.Cells, cell)
	}
	if err := v.addSpeedups(f); err != nil {
		return nil, err
	}
	if v.Several = len(f.Places) > 1; v.Several {
		v.Comparison = newComparisonView(report.Compare(f))
	}
	return v, nil
}

func newPlaceView(i int, p report.Place) placeView {
	v := placeView{Marker: figure.Marker(i), Label: p.Label, Machine: p.Machine.Title(), ID: p.Machine.ID, Compiler: p.Toolchain.Title()}
	m := p.Machine.About
	var words []string
	if m.CPU != "" {
		words = append(words, m.CPU)
	}
	if m.Cores > 0 {
		words = append(words, fmt.Sprintf("%d cores", m.Cores))
	}
	for _, cache := range m.Caches {
		if cache.Kind != "Instruction" {
			words = append(words, fmt.Sprintf("L%d %d KiB", cache.Level, cache.Size>>10))
		}
	}
	if m.Memory > 0 {
		words = append(words, fmt.Sprintf("%.0f GiB memory", float64(m.Memory)/(1<<30)))
	}
	if m.Vector.Bits > 0 {
		words = append(words, fmt.Sprintf("%s, %d bits", m.Vector.Set, m.Vector.Bits))
	}
	if m.Virtual {
		words = append(words, "a virtual machine")
	}
	if on := p.On.Text(); on != "" {
		words = append(words, on)
	}
	v.About = strings.Join(words, ", ")
	t := p.Toolchain.About
	v.Flags = strings.Join(t.Flags, " ")
	if t.Path != "" {
		v.Compiler += " at " + t.Path
	}
	if t.Target != "" {
		v.Compiler += " for " + t.Target
	}
	return v
}

func newRow(anchor string, c *report.Cell, p report.Place) row {
	r := row{Anchor: anchor, Kernel: c.Name(), Size: c.Size, Machine: p.Machine.Title(), Compiler: p.Toolchain.Title(),
		Verdict: c.VerdictWords(), Trials: report.TrialsText(c.Counts(""))}
	if c.Baseline != nil {
		seconds := c.Baseline.Summary.Seconds.Median
		r.Baseline, r.BaselineValue = report.Seconds(seconds), fmt.Sprint(seconds)
	}
	if c.Best != nil {
		s := c.Best.Summary
		r.Best, r.BestValue = report.Seconds(s.Seconds.Median), fmt.Sprint(s.Seconds.Median)
		r.Speedup, r.SpeedupValue = report.Speedup(s.Speedup, s.Certainty), fmt.Sprint(s.Speedup.Median)
		r.Partition = drawPartition(c.Best)
	}
	return r
}

// drawPartition draws the partition of a trial; the original is words.
func drawPartition(t *report.Trial) template.HTML {
	text := report.VariantPartition(t.Variant, t.Partition)
	if store.IsOriginal(t.Variant) || len(t.Partition) == 0 {
		return template.HTML(template.HTMLEscapeString(text))
	}
	return template.HTML(figure.Partition(t.Partition, text))
}

// addSpeedups draws the best of all cells, places by their colours.
func (v *view) addSpeedups(f *report.Findings) error {
	var rows []figure.Interval
	for _, c := range f.Cells {
		if c.Best != nil {
			s := c.Best.Summary.Speedup
			rows = append(rows, figure.Interval{Name: c.Name() + " " + c.Size, Series: c.Place, Median: s.Median, Low: s.Low, High: s.High,
				Tip: c.Name() + " " + c.Size + " on " + f.Places[c.Place].Label + "\n" + tip(c, c.Best)})
		}
	}
	means := map[int]float64{}
	for _, m := range f.MeanSpeedups() {
		place := f.Places[m.Place]
		means[m.Place] = m.Ratio
		v.Means = append(v.Means, fmt.Sprintf("Geometric mean over %d %s on %s: %sx.", m.Cells, report.Plural(m.Cells, "result"), place.Label, report.Times(m.Ratio)))
		v.Legend = append(v.Legend, legendEntry{Marker: figure.Marker(m.Place), Text: place.Label})
	}
	svg, err := figure.Speedups("Speed-ups of the best variants",
		fmt.Sprintf("One line for each of %d kernels and sizes, with dots for the speed-up of the best variant over the original and lines for its interval. %s",
			len(rows), strings.Join(v.Means, " ")), rows, means)
	v.Speedups = svg
	return err
}

// dateText is a time in words; "" for none.
func dateText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2 January 2006, 15:04:05 UTC")
}
