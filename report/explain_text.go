package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"polytune/device"
	"polytune/isl/points"
	"polytune/transform"
)

// Text prints the explanation: for each class its loops as a nest, what was
// done to them and why, and what bounds it; then the whole program.
func (e *Explanation) Text(w io.Writer) {
	for _, c := range e.Classes {
		c.text(w)
	}
	fmt.Fprintf(w, "all classes: %s, %s to move\n", operations(e.Operations, "FLOP"), sizeOf(e.Traffic))
	for _, m := range e.Memory {
		m.text(w)
	}
	if e.Seconds > 0 {
		fmt.Fprintf(w, "  no faster than %s on %s\n", Seconds(e.Seconds), threadsText(e.Threads))
	} else {
		fmt.Fprintln(w, "  no bound: the peaks of this machine are not known; tune machine --peaks measures them")
	}
	if e.Measured != nil {
		fmt.Fprintf(w, "  measured %s%s\n", Seconds(e.Measured.Seconds), e.fractions())
	}
	e.countersText(w)
	for _, k := range e.Kernels {
		fmt.Fprintf(w, "  kernel %s: %s%s\n", k.Name, occupancyText(k), vectorsText(k.VectorLoads))
	}
	for _, barrier := range e.IdleBarriers {
		fmt.Fprintf(w, "  %s: nothing needs it; leave it out\n", barrier)
	}
	writeDecisions(w, e.Decisions)
	WriteHints(w, e.Hints)
}

// writeDecisions says which strategies were asked, at each place in turn, and what came of it.
func writeDecisions(w io.Writer, decisions []transform.Decision) {
	if len(decisions) > 0 {
		fmt.Fprintln(w, "strategies, in the order in which they were asked:")
	}
	for _, d := range decisions {
		fmt.Fprintf(w, "  %s\n", d)
	}
}

// text says how large memory is, where it is made, and what is in it.
func (m *MemoryExplanation) text(w io.Writer) {
	fmt.Fprintf(w, "  memory for %s", m.Array)
	for _, extent := range m.Extents {
		fmt.Fprintf(w, "[%d]", extent)
	}
	fmt.Fprintf(w, ": %s, ", size(float64(m.Bytes)))
	switch {
	case m.Loop != "" && m.OfThreads:
		fmt.Fprintf(w, "in each iteration of %s, for each thread its own", m.Loop)
	case m.Loop != "":
		fmt.Fprintf(w, "in each iteration of %s", m.Loop)
	case m.OfThreads:
		fmt.Fprint(w, "in each iteration of the loops around")
	default:
		fmt.Fprint(w, "made once, in front of all loops")
	}
	if m.Of != "" {
		fmt.Fprintf(w, ", with %s", m.Of)
	}
	fmt.Fprintln(w)
}

// occupancyText says what a block of a kernel needs, and how many a multiprocessor has at once.
func occupancyText(k device.KernelReport) string {
	o := k.Estimate
	return fmt.Sprintf("%d x %d x %d threads, about %d registers each, %d bytes of shared memory; a multiprocessor has about %d %s at once, %s of its warps, limited by %s",
		k.Block[0], k.Block[1], k.Block[2], o.Registers, k.Shared, o.Blocks, Plural(int(o.Blocks), "block"), percent(o.Part), o.LimitedBy)
}

// vectorsText says which copies of a kernel are loaded in vectors, and where they are; "" for none.
func vectorsText(loads []device.VectorReport) string {
	var texts []string
	for _, l := range loads {
		text := fmt.Sprintf("%s is loaded %d bytes at once", l.Array, l.Bytes)
		if l.If != "" {
			text += " if " + l.If
		}
		if !slices.Contains(texts, "; "+text) {
			texts = append(texts, "; "+text)
		}
	}
	return strings.Join(texts, "")
}

// fractions compares what was measured with the peak and the bound.
func (e *Explanation) fractions() string {
	text, m := "", e.Measured
	if e.Operations.Value > 0 {
		text = ": " + Operations(m.Rate)
		if e.Peak > 0 {
			text += fmt.Sprintf(", %s of the peak of %s", percent(m.OfPeak), Operations(e.Peak))
		}
	}
	if e.Seconds > 0 {
		text += fmt.Sprintf("; the bound is %s of the time", percent(m.OfBound))
	}
	return text
}

func (c *ClassExplanation) text(w io.Writer) {
	fmt.Fprintf(w, "%s: %s", names(c.Statements), operations(c.Operations, "FLOP"))
	if c.Integer.Value > 0 {
		fmt.Fprintf(w, ", %s on integers, which no bound is about", operations(c.Integer, "OP"))
	}
	fmt.Fprintf(w, ", %s of data, %s to move", sizeOf(c.Data), sizeOf(c.Traffic))
	if c.Intensity > 0 {
		fmt.Fprintf(w, ", %s FLOP/B", threeDigits(c.Intensity))
	}
	fmt.Fprintln(w)
	c.Nest.text(w, 1, c.Statements, map[string]bool{})
	if b := c.Bound; b != nil {
		fmt.Fprintf(w, "  bound by %s: %s for operations, %s for data from %s, on %s\n", b.By,
			Seconds(b.Computation), Seconds(b.Memory), Level(b.Level), threadsText(b.Threads))
	}
}

// text prints a node's loops, each two columns further inside. told are the obstacles that
// stand further above already.
func (n *NodeExplanation) text(w io.Writer, depth int, outside []string, told map[string]bool) {
	if len(n.Statements) < len(outside) {
		fmt.Fprintf(w, "%s%s\n", strings.Repeat("  ", depth), names(n.Statements))
		depth++
	}
	for _, l := range n.Loops {
		indent := strings.Repeat("  ", depth)
		fmt.Fprintf(w, "%sfor %s: %s", indent, l.Name, times(l.Trips))
		for _, what := range l.What {
			fmt.Fprintf(w, ", %s", what)
		}
		fmt.Fprintln(w)
		for _, why := range l.Why {
			fmt.Fprintf(w, "%s    %s\n", indent, why)
			if why == carriesText {
				l.obstaclesText(w, indent+"      ", told)
			}
		}
		if l.Tile != nil {
			fmt.Fprintf(w, "%s    %s\n", indent, l.Tile.text())
		}
		depth++
	}
	for _, part := range n.Parts {
		part.text(w, depth, n.Statements, told)
	}
}

// obstaclesText prints the obstacles of a loop that have not been told.
func (l *LoopExplanation) obstaclesText(w io.Writer, indent string, told map[string]bool) {
	for _, line := range obstacleLines(l.Obstacles) {
		if !told[line] {
			fmt.Fprintf(w, "%s%s\n", indent, line)
		}
		told[line] = true
	}
}

func (t *TileExplanation) text() string {
	place := "more than any cache holds for a thread"
	if t.Cache > 0 {
		place = fmt.Sprintf("in %s, of which a thread has %s", Level(t.Cache), size(float64(t.Share)))
	}
	return fmt.Sprintf("a tile has %s of data: %s", sizeOf(t.Bytes), place)
}

// times writes a number of iterations.
func times(c points.Count) string {
	number := fmt.Sprintf("%.0f times", c.Value)
	if c.Value != float64(int64(c.Value)) {
		number = fmt.Sprintf("%.1f times on average", c.Value)
	}
	return about(c) + number
}

// about says that a count is none, or "".
func about(c points.Count) string {
	if c.Exact {
		return ""
	}
	return "about "
}

// operations writes a number of operations with three digits, as in
// "about 2.64 GFLOP".
func operations(c points.Count, unit string) string {
	for _, prefix := range []struct {
		factor float64
		name   string
	}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if c.Value >= prefix.factor {
			return about(c) + threeDigits(c.Value/prefix.factor) + " " + prefix.name + unit
		}
	}
	return fmt.Sprintf("%s%.0f %s", about(c), c.Value, unit)
}

// size writes bytes in powers of 1024.
func size(bytes float64) string {
	for _, unit := range []struct {
		factor float64
		name   string
	}{{1 << 40, "TiB"}, {1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if bytes >= unit.factor {
			return threeDigits(bytes/unit.factor) + " " + unit.name
		}
	}
	return fmt.Sprintf("%.0f B", bytes)
}

// sizeOf writes counted bytes.
func sizeOf(c points.Count) string { return about(c) + size(c.Value) }

func percent(fraction float64) string { return threeDigits(100*fraction) + "%" }

func threadsText(n int) string {
	if n == 1 {
		return "1 thread"
	}
	return fmt.Sprintf("%d threads", n)
}
