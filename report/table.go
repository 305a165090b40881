package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"polytune/runner"
	"polytune/store"
	"polytune/tuner"
)

const (
	// longest is the number of rows that a table shows at most, besides the
	// original's.
	longest = 20
	// narrowest is the least width that a table is made for.
	narrowest = 60
	// gap is the number of blanks between two columns.
	gap = 2
)

// Table writes the final table of a session: the variants by time, what failed,
// the verdict and the machine. It is at most width characters wide where the
// texts allow it; 0 means any width.
func Table(w io.Writer, r tuner.Result, width int) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%s, size %s\n\n", r.Kernel, r.Size)
	writeVariants(&text, r, width)
	writeFailures(&text, r)
	fmt.Fprintf(&text, "\n%s\n%s%s\n", VerdictText(r), raceText(r), machineText(r))
	_, err := io.WriteString(w, text.String())
	return err
}

// writeVariants writes the table proper.
func writeVariants(text *strings.Builder, r tuner.Result, width int) {
	rows := timedRows(r)
	shown, hidden := visible(rows, r)
	cells := [][]string{{"variant", "partition", "time", "speed-up", "note"}}
	for _, row := range shown {
		cells = append(cells, []string{row.Variant, VariantPartition(row.Variant, row.Partition), Seconds(row.Seconds.Median), Speedup(row.Speedup, row.Certainty), note(row, r)})
	}
	withEnergy(cells, shown, r.On)
	fit(cells, width)
	for _, line := range align(cells, 2) {
		fmt.Fprintln(text, line)
	}
	if len(hidden) > 0 {
		last := hidden[len(hidden)-1]
		fmt.Fprintf(text, "… and %d more, up to %s\n", len(hidden), Seconds(last.Seconds.Median))
	}
}

// timedRows are the rows with a time, the fastest first; the best leads,
// since its speed-up was the greatest round by round.
func timedRows(r tuner.Result) []tuner.Row {
	rows := slices.DeleteFunc(slices.Clone(r.Rows), func(row tuner.Row) bool { return row.Rounds == 0 })
	slices.SortStableFunc(rows, func(a, b tuner.Row) int {
		isBest := func(row tuner.Row) int {
			if row.Variant == r.Best.Variant {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(isBest(a), isBest(b)), cmp.Compare(a.Seconds.Median, b.Seconds.Median))
	})
	return rows
}

// visible keeps the first rows and the original's.
func visible(rows []tuner.Row, r tuner.Result) (shown, hidden []tuner.Row) {
	for i, row := range rows {
		if i < longest || row.Variant == store.Original {
			shown = append(shown, row)
		} else {
			hidden = append(hidden, row)
		}
	}
	return shown, hidden
}

// note is what is to be said about a timed variant. "= ID" means that it has
// the same machine code as another, whose times these are.
func note(row tuner.Row, r tuner.Result) string {
	var notes []string
	if row.Variant == store.Original {
		notes = append(notes, "baseline")
	}
	if r.Busy != "" && row.Variant == r.Best.Variant {
		notes = append(notes, BusyMark)
	}
	switch {
	case row.Variant == r.Best.Variant && r.Verdict == tuner.Best:
		notes = append(notes, "best")
	case row.Variant == r.Best.Variant && r.Verdict == tuner.Tied:
		notes = append(notes, "tied, first")
	case row.Variant == r.Best.Variant && row.Variant == store.Original:
	case row.Variant == r.Best.Variant:
		notes = append(notes, "first, not separated")
	case slices.Contains(r.Rivals, row.Variant) && r.Verdict == tuner.Tied:
		notes = append(notes, "tied")
	case slices.Contains(r.Rivals, row.Variant):
		notes = append(notes, "not separated")
	}
	switch {
	case row.Twin != "":
		notes = append(notes, "= "+row.Twin)
	case row.Certainty == store.Screened && row.Variant != store.Original:
		notes = append(notes, "timed once")
	}
	return strings.Join(notes, ", ")
}

// fit shortens the partitions until the lines are no wider than width.
func fit(cells [][]string, width int) {
	const partition, least = 1, 12
	if width <= 0 {
		return
	}
	widths := columnWidths(cells)
	total := gap * (len(widths) - 1)
	for _, w := range widths {
		total += w
	}
	room := max(widths[partition]-max(total-max(width, narrowest), 0), least)
	for _, row := range cells {
		row[partition] = cut(row[partition], room)
	}
}

// align makes lines of cells; the column with the given number is set to the
// right.
func align(cells [][]string, right int) []string {
	widths := columnWidths(cells)
	lines := make([]string, len(cells))
	for i, row := range cells {
		words := make([]string, len(row))
		for k, cell := range row {
			words[k] = pad(cell, widths[k], k == right)
		}
		lines[i] = strings.TrimRight(strings.Join(words, strings.Repeat(" ", gap)), " ")
	}
	return lines
}

func columnWidths(cells [][]string) []int {
	widths := make([]int, len(cells[0]))
	for _, row := range cells {
		for k, cell := range row {
			widths[k] = max(widths[k], utf8.RuneCountInString(cell))
		}
	}
	return widths
}

// statusOrder is the order in which failures are summed up.
var statusOrder = []store.Status{
	store.Illegal, store.CodegenFailed, store.CompileFailed, store.Crashed, store.Timeout, store.DeviceFailed, store.Interrupted,
}

// writeFailures counts the failed variants and names the wrong ones.
func writeFailures(text *strings.Builder, r tuner.Result) {
	counts := r.Counts()
	var words []string
	for _, status := range statusOrder {
		if n := counts[status]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s%s", n, statusText(status), example(r, status)))
		}
	}
	if len(words) > 0 {
		fmt.Fprintf(text, "\nnot timed to the end: %s\n", strings.Join(words, "; "))
	}
	if n := counts[store.WrongResult]; n > 0 {
		fmt.Fprintf(text, "\nWRONG RESULTS of %d %s; please report them:\n", n, Plural(n, "variant"))
		for _, row := range r.Rows {
			if row.Status == store.WrongResult {
				fmt.Fprintf(text, "  %s: %s\n", row.Variant, row.Detail)
			}
		}
	}
}

func statusText(status store.Status) string {
	switch status {
	case store.CodegenFailed:
		return "without code"
	case store.CompileFailed:
		return "not compiled"
	case store.Timeout:
		return "over the time limit"
	case store.Interrupted:
		return "still open"
	}
	return string(status)
}

// example is the beginning of the first detail of a failure that nobody
// expects.
func example(r tuner.Result, status store.Status) string {
	if status == store.Timeout || status == store.Interrupted {
		return ""
	}
	for _, row := range r.Rows {
		if row.Status == status && row.Detail != "" {
			return " (" + row.Variant + ": " + cut(strings.Join(strings.Fields(row.Detail), " "), 100) + ")"
		}
	}
	return ""
}

// Plural is the word for so many.
func Plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// BusyMark marks a result that was timed while other programs used the processors, and
// BusyText says so in words.
const (
	BusyMark = "busy machine"
	BusyText = "other programs used the processors"
)

// VerdictText says in one sentence what a session found.
func VerdictText(r tuner.Result) string {
	if r.Best.Variant == "" {
		return "nothing was timed yet"
	}
	subject := fmt.Sprintf("%s %s, %s over the original", r.Best.Variant, VariantPartition(r.Best.Variant, r.Best.Partition), Speedup(r.Best.Speedup, r.Best.Certainty))
	if len(r.Compilers) > 0 {
		subject += fmt.Sprintf(" by %s; built by %s", r.Toolchain.Name, compilerText(r.Builder(r.Best.Variant)))
	}
	if r.Best.Variant == store.Original {
		subject = "the original; no variant was faster"
	}
	sentence := ""
	switch {
	case r.Verdict == tuner.Best:
		sentence = "best: " + subject
	case r.Verdict == tuner.Tied:
		sentence = fmt.Sprintf("tied: %s; as fast: %s", subject, rivals(r))
	case r.Best.Variant == store.Original && slices.Contains(r.Rivals, r.First.Variant):
		sentence = unknownText(r) + furtherText(r)
	default:
		sentence = "too few rounds to tell: first is " + subject
		if len(r.Rivals) > 0 {
			sentence = "not separated: first is " + firstText(r, subject) + "; perhaps as fast or faster: " + rivals(r)
		}
		sentence += furtherText(r)
	}
	if r.Behind > 0 && r.Verdict != tuner.NotSeparated {
		sentence += fmt.Sprintf("; %d %s behind in the few timings that they had", r.Behind, Plural(r.Behind, "other"))
	}
	if r.On.Target != "" {
		sentence += "\n" + deviceText(r)
	}
	if r.On.IsObjective() {
		sentence += "\ncompared by " + r.On.ComparedText() + ": a speed-up of 2 is half of it"
	}
	if r.Busy != "" {
		sentence += "\ntimed while " + BusyText + " (" + r.Busy + "); confirm the result: tune again times it anew"
	}
	if !r.Complete {
		sentence += "\nnot finished; the same command again goes on from here"
	}
	return sentence
}

// deviceText says what was compared, where, and what the driver tells of the best variant.
func deviceText(r tuner.Result) string {
	if r.Toolchain.Ranks.Number > 0 {
		return fmt.Sprintf("compared by the time of the slowest rank between two barriers, on %s; threads are those of all ranks together", r.On.Device)
	}
	text := fmt.Sprintf("compared by total time, transfers included, on device %s", r.On.Device)
	if r.On.Timing == store.KernelTiming {
		text = fmt.Sprintf("compared by the time of kernels alone, without transfers, with all of the original's time, on device %s", r.On.Device)
	}
	if d := r.Best.Device; d != nil {
		text += fmt.Sprintf("; kernels of %s take %s, transfers %s", r.Best.Variant, Seconds(d.Kernel.Median), Seconds(d.Transfer.Median))
	}
	return text
}

// BeyondInterval says why a variant is not known to be faster although its whole interval is above
// 1; "" where that is not so.
func BeyondInterval(speedup store.Estimate, certainty store.Certainty) string {
	if speedup.Low <= 1 || certainty < store.Bounded {
		return ""
	}
	return " (an interval holds for one look at 95%; what is claimed after every round takes more)"
}

// unknownText says that the original is the answer because no variant is known to be faster.
func unknownText(r tuner.Result) string {
	text := fmt.Sprintf("no variant is known to be faster than the original: %s %s is %s over it",
		r.First.Variant, VariantPartition(r.First.Variant, r.First.Partition), Speedup(r.First.Speedup, r.First.Certainty))
	text += BeyondInterval(r.First.Speedup, r.First.Certainty)
	if n := len(r.Rivals) - 1; n > 0 {
		text += fmt.Sprintf(", and %d more may be", n)
	}
	return text
}

// firstText names the first of those that are not separated; subject is what is said of it
// where it is a variant.
func firstText(r tuner.Result, subject string) string {
	if r.Best.Variant == store.Original {
		return "the original"
	}
	return subject
}

// furtherText says how many more rounds would tell, where that is a sensible number.
func furtherText(r tuner.Result) string {
	if r.Further == 0 {
		return ""
	}
	return fmt.Sprintf("; about %d more %s would tell", r.Further, Plural(r.Further, "round"))
}

// rivals names the first few rivals.
func rivals(r tuner.Result) string {
	const few = 4
	if len(r.Rivals) <= few {
		return strings.Join(r.Rivals, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(r.Rivals[:few], ", "), len(r.Rivals)-few)
}

// compilersText names the session's compilers.
func compilersText(r tuner.Result) string {
	texts := []string{compilerText(r.Toolchain)}
	for _, t := range r.Compilers {
		texts = append(texts, compilerText(t))
	}
	return strings.Join(texts, ", ")
}

func compilerText(t runner.Toolchain) string { return strings.TrimSpace(t.Name + " " + t.Version) }

// machineText says where and from what the result is.
func machineText(r tuner.Result) string {
	source := Duration(r.Elapsed)
	switch {
	case r.Recalled:
		source = "from the database"
	case r.Overhead > 0:
		source += fmt.Sprintf(", %.0f%% of it without a compiler or program at work", 100*r.Overhead.Seconds()/r.Elapsed.Seconds())
	}
	m, legal := r.Machine, ""
	if r.Legal > 0 {
		legal = fmt.Sprintf("%d legal %s, ", r.Legal, Plural(r.Legal, "partition"))
	}
	return fmt.Sprintf("%s, %d %s, %d %s; %s; %s%d of %d candidates tried; %s",
		m.CPU, m.Cores, Plural(m.Cores, "core"), r.Threads, Plural(r.Threads, "thread"),
		compilersText(r), legal, r.Tried, r.Candidates, source)
}
