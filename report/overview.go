package report

import (
	"fmt"
	"io"
	"strings"

	"polytune/store"
	"polytune/tuner"
	"polytune/tuner/stat"
)

// VerdictWords say in a few words how sure the best of a cell is, and that it was timed on
// a busy machine.
func (c *Cell) VerdictWords() string {
	if c.Busy != "" {
		return c.sure() + ", " + BusyMark
	}
	return c.sure()
}

// sure are the words without that.
func (c *Cell) sure() string {
	switch {
	case c.Best == nil && len(c.Trials) == 0:
		return "nothing tried"
	case c.Best == nil:
		return "nothing timed yet"
	case c.Best.Summary.Coverage < store.FullCoverage:
		return "too few rounds to tell"
	case c.Best.Variant == store.Original:
		return "nothing is faster"
	case c.Verdict.Verdict == tuner.NotSeparated && len(c.Verdict.Rivals) == 0:
		return "too few rounds to tell"
	}
	switch c.Verdict.Verdict {
	case tuner.Best:
		return "best"
	case tuner.Tied:
		return fmt.Sprintf("tied with %d %s", len(c.Verdict.Rivals), Plural(len(c.Verdict.Rivals), "other"))
	}
	return fmt.Sprintf("not separated from %d %s", len(c.Verdict.Rivals), Plural(len(c.Verdict.Rivals), "other"))
}

// MeanSpeedup is the geometric mean of the best speed-ups in a place, over so many
// kernels and sizes.
type MeanSpeedup struct {
	Place int
	Ratio float64
	Cells int
}

// MeanSpeedups are the geometric means for the places that have bests.
func (f *Findings) MeanSpeedups() []MeanSpeedup {
	var list []MeanSpeedup
	for place := range f.Places {
		var ratios []float64
		for _, c := range f.Cells {
			if c.Place == place && c.Best != nil {
				ratios = append(ratios, c.Best.Summary.Speedup.Median)
			}
		}
		if mean, err := stat.GeometricMean(ratios); err == nil {
			list = append(list, MeanSpeedup{place, mean, len(ratios)})
		}
	}
	return list
}

// TrialsText counts trials by status, "" for none: "60 ok, 4 timeout".
func TrialsText(counts map[store.Status]int) string {
	var words []string
	for _, status := range append([]store.Status{store.OK, store.WrongResult}, statusOrder...) {
		if n := counts[status]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, status))
		}
	}
	return strings.Join(words, ", ")
}

// Markdown writes the summary table of the findings for a README.
func Markdown(w io.Writer, f *Findings) error {
	var text strings.Builder
	fmt.Fprint(&text, "| kernel | size | machine | compiler | baseline | best | speed-up | sure? | partition | trials |\n"+
		"|---|---|---|---|---:|---:|---|---|---|---|\n")
	for _, c := range f.Cells {
		place := f.Places[c.Place]
		baseline, best, speedup, partition := "", "", "", ""
		if c.Baseline != nil {
			baseline = Seconds(c.Baseline.Summary.Seconds.Median)
		}
		if c.Best != nil {
			s := c.Best.Summary
			best, speedup, partition = Seconds(s.Seconds.Median), Speedup(s.Speedup, s.Certainty), partitionKey(c.Best)
		}
		cells := []string{c.Name(), c.Size, place.Machine.Title(), place.Toolchain.Title(), baseline, best, speedup,
			c.VerdictWords(), partition, TrialsText(c.Counts(""))}
		for i, cell := range cells {
			cells[i] = markdownCell(cell)
		}
		fmt.Fprintf(&text, "| %s |\n", strings.Join(cells, " | "))
	}
	if len(f.Cells) == 0 {
		fmt.Fprint(&text, "\nNothing has been tuned.\n")
	}
	for _, m := range f.MeanSpeedups() {
		fmt.Fprintf(&text, "\nGeometric mean of %d %s on %s: %sx.\n", m.Cells, Plural(m.Cells, "speed-up"), markdownCell(f.Places[m.Place].Label), Times(m.Ratio))
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// markdownEscapes are the characters that a table's cell may not have as they are.
var markdownEscapes = strings.NewReplacer(`\`, `\\`, "|", `\|`, "<", "&lt;", ">", "&gt;", "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "\r", " ", "\n", " ")

func markdownCell(text string) string { return markdownEscapes.Replace(text) }
