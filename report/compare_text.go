package report

import (
	"fmt"
	"io"
	"strings"

	"polytune/store"
)

// WriteComparison writes the comparison as tables for people, of at most width
// characters where the texts allow it; 0 means any width.
func WriteComparison(w io.Writer, c Comparison, width int) error {
	var text strings.Builder
	c.writePlaces(&text)
	for _, k := range c.Kernels {
		c.writeKernel(&text, k, width)
	}
	c.writeSummary(&text)
	_, err := io.WriteString(w, text.String())
	return err
}

func (c *Comparison) writePlaces(text *strings.Builder) {
	cells := [][]string{{"machine", "processor", "cores", "compiler"}}
	for _, p := range c.Places {
		cells = append(cells, []string{p.Label, p.Machine.About.CPU, coresText(p.Machine), p.Toolchain.Title()})
	}
	writeLines(text, align(cells, 2))
}

// coresText is the number of cores, "" where it is not known.
func coresText(m Machine) string {
	if m.About.Cores == 0 {
		return ""
	}
	return fmt.Sprint(m.About.Cores)
}

func writeLines(text *strings.Builder, lines []string) {
	for _, line := range lines {
		fmt.Fprintln(text, line)
	}
}

func (c *Comparison) writeKernel(text *strings.Builder, k KernelComparison, width int) {
	fmt.Fprintf(text, "\n%s, size %s\n", k.Name, k.Size)
	if len(k.Bests) == 0 {
		fmt.Fprintln(text, "nothing was timed")
		return
	}
	cells := [][]string{{"best on", "partition", "time", "speed-up", "variant"}}
	for _, b := range k.Bests {
		s := b.Trial.Summary
		cells = append(cells, []string{c.Places[b.Place].Label, partitionKey(b.Trial), Seconds(s.Seconds.Median), Speedup(s.Speedup, s.Certainty), b.Trial.Variant})
	}
	fit(cells, width)
	writeLines(text, align(cells, 2))
	if len(k.Bests) < 2 {
		return
	}
	fmt.Fprintln(text)
	cells = [][]string{{"the best of", "runs on", "and takes", "the best of its partition"}}
	for _, cost := range k.Costs {
		cells = append(cells, []string{c.Places[cost.From].Label, c.Places[cost.On].Label, cost.Variant.Text(), cost.Partition.Text()})
	}
	writeLines(text, align(cells, -1))
	fmt.Fprintf(text, "%s\n%s\n%s\n", k.Partition.Text("partition"), k.Variant.Text("variant"), k.Variant.ScoreText())
}

// ScoreText says how portable the speed of one variant is at best, and that of the original.
func (p Portability) ScoreText() string {
	if p.Scored == "" {
		return "Portability score (Pennycook): no variant is known in all places"
	}
	if p.Scored == store.Original {
		return fmt.Sprintf("Portability score (Pennycook): %.2f of 1 for the original", p.Score)
	}
	text := fmt.Sprintf("Portability score (Pennycook): %.2f of 1 for %s", p.Score, p.Scored)
	if p.Original != nil {
		text += fmt.Sprintf(", %.2g for the original", *p.Original)
	}
	return text
}

// Text is the ratio for people.
func (r Ratio) Text() string {
	switch {
	case r.Known && !r.Bounded && r.Median == 1:
		return "not slower than the best there, in too few rounds"
	case r.Known && !r.Bounded:
		return fmt.Sprintf("about %.2f times the best there", r.Median)
	case r.Known && r.Median == 1 && r.Low == 1 && r.High == 1:
		return "is the best there too"
	case r.Known && r.Differs:
		return fmt.Sprintf("%.2f times the best there [%.2f, %.2f]", r.Median, r.Low, r.High)
	case r.Known:
		return fmt.Sprintf("%.2f times the best there [%.2f, %.2f], no clear difference", r.Median, r.Low, r.High)
	case r.Status != "":
		return "it failed there: " + string(r.Status)
	}
	return "not tried there"
}

// Text says whether one candidate is good in all places; what is "partition" or "variant".
func (p Portability) Text(what string) string {
	switch p.Answer {
	case Yes:
		return fmt.Sprintf("One %s is within %.0f%% of the best everywhere: %s, at most %.2f times the best", what, 100*Portable, p.Candidate, p.Worst)
	case No:
		return fmt.Sprintf("No %s is within %.0f%% of the best everywhere%s", what, 100*Portable, p.nearest())
	}
	return fmt.Sprintf("Whether one %s is within %.0f%% of the best everywhere is not known: %d of %d were tried in all places%s",
		what, 100*Portable, p.Everywhere, p.All, p.nearest())
}

func (p Portability) nearest() string {
	if p.Candidate == "" {
		return ""
	}
	return fmt.Sprintf("; the nearest is %s, at most %.2f times the best", p.Candidate, p.Worst)
}

func (c *Comparison) writeSummary(text *strings.Builder) {
	fmt.Fprintln(text)
	if c.Compared == 0 {
		fmt.Fprintln(text, "No kernel has results in more than one place: tune the same source and size on another\nmachine, and compare both databases.")
		return
	}
	for _, line := range c.MeanLines() {
		fmt.Fprintln(text, line)
	}
	fmt.Fprintln(text, c.VariabilityText())
	if c.missing() {
		fmt.Fprintln(text, "What was not tried in a place is found out by tuning there for longer: tune --bench NAME --size SIZE --effort full;\n"+
			"tune compare --transfer this says what to expect there.")
	}
}

// missing says whether some best was not tried elsewhere.
func (c *Comparison) missing() bool {
	for _, k := range c.Kernels {
		for _, cost := range k.Costs {
			if !cost.Variant.Known && cost.Variant.Status == "" {
				return true
			}
		}
	}
	return false
}

// MeanLines are the geometric means, in a sentence each.
func (c *Comparison) MeanLines() []string {
	var lines []string
	for _, m := range c.Means {
		lines = append(lines, fmt.Sprintf("In the geometric mean of %d %s the best partitions of %s take %.2f times the best time on %s.",
			m.Kernels, Plural(m.Kernels, "kernel"), c.Places[m.From].Label, m.Ratio, c.Places[m.On].Label))
	}
	return lines
}

// VariabilityText sums up in how many kernels no partition is good everywhere.
func (c *Comparison) VariabilityText() string {
	text := fmt.Sprintf("Variability (no partition within %.0f%% of the best everywhere): %d of %d %s", 100*Portable, c.Variable, c.Compared, Plural(c.Compared, "kernel"))
	if c.Unsettled > 0 {
		text += fmt.Sprintf(", not known of %d", c.Unsettled)
	}
	return text + "."
}

// WriteTransfer writes the order in which to try variants, at most so many of each
// kernel; 0 means all.
func WriteTransfer(w io.Writer, machine string, list []Transfer, places []Place, most int) error {
	var text strings.Builder
	for i, t := range list {
		if i > 0 {
			fmt.Fprintln(&text)
		}
		fmt.Fprintf(&text, "%s, size %s: what to try first on %s\n", t.Name, t.Size, machine)
		for _, s := range t.Sources {
			fmt.Fprintf(&text, "from %s, at distance %.2f, weight %.2f\n", places[s.Place].Label, s.Distance, s.Weight)
		}
		cells := [][]string{{"", "variant", "partition", "expected", ""}}
		shown := t.Variants
		if most > 0 && len(shown) > most {
			shown = shown[:most]
		}
		for k, a := range shown {
			cells = append(cells, []string{fmt.Sprint(k + 1), a.Variant, Partition(a.Partition), fmt.Sprintf("%.2f", a.Expected), a.Text(len(t.Sources))})
		}
		writeLines(&text, align(cells, 0))
		if len(shown) < len(t.Variants) {
			fmt.Fprintf(&text, "… and %d more\n", len(t.Variants)-len(shown))
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}
