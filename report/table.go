package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"polytune/store"
	"polytune/tuner"
)

const (
	// longest is the number of rows that a table shows at most, besides the
	// original's, and mostOnce that of those which were timed once.
	longest, mostOnce = 20, 5
	// narrowest is the least width that a table is made for.
	narrowest = 60
	// gap is the number of blanks between two columns.
	gap = 2
)

// Table writes the final table of a session: the variants by time, with a word for what may make a
// result wrong, what failed, what was compared, and the machine. verbose adds what the timings are
// worth: the verdict, and why. It is at most width characters wide where the texts allow it; 0 means
// any width.
func Table(w io.Writer, r tuner.Result, width int, verbose bool) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%s, size %s\n\n", r.Kernel, r.Size)
	writeVariants(&text, r, width)
	writeFailures(&text, r)
	fmt.Fprintln(&text)
	for _, line := range slices.Concat(worthLines(r, verbose), comparedLines(r), []string{machineText(r, verbose)}) {
		fmt.Fprintln(&text, line)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// worthLines say what the timings of a session are worth, or without verbose only that there are none.
func worthLines(r tuner.Result, verbose bool) []string {
	switch {
	case verbose:
		return slices.Concat([]string{VerdictText(r)}, busyLines(r), raceLines(r))
	case r.Best.Variant == "":
		return []string{VerdictText(r)}
	}
	return nil
}

// The names of the columns that are shortened where lines are too long.
const howColumn, partitionColumn = "how", "partition"

// writeVariants writes the table proper: those that were raced, the original among them, and then
// those that were timed once.
func writeVariants(text *strings.Builder, r tuner.Result, width int) {
	raced, once, hidden := blocks(r)
	cells := [][]string{{"variant", partitionColumn, howColumn, "time", "speed-up", "note"}}
	for _, row := range slices.Concat(raced, once) {
		cells = append(cells, []string{row.Variant, VariantPartition(row.Variant, row.Partition), howText(row),
			Seconds(row.Seconds.Median), Speedup(row.Speedup, row.Certainty), note(row, r)})
	}
	withEnergy(cells, slices.Concat(raced, once), r.On)
	withoutIdle(cells)
	fit(cells, width)
	lines := align(cells, slices.Index(cells[0], "time"))
	for k, line := range lines {
		if k == 1+len(raced) {
			fmt.Fprintf(text, "\ntimed once, and not raced:\n")
		}
		fmt.Fprintln(text, line)
	}
	if len(hidden) > 0 {
		slowest := slices.MaxFunc(hidden, func(a, b tuner.Row) int { return cmp.Compare(a.Seconds.Median, b.Seconds.Median) })
		fmt.Fprintf(text, "… and %d more, up to %s\n", len(hidden), Seconds(slowest.Seconds.Median))
	}
}

// howText says what differs from the models' choice; nothing differs of the original.
func howText(row tuner.Row) string {
	if store.IsOriginal(row.Variant) {
		return ""
	}
	return How(row.Setting)
}

// blocks are the rows with a time, the fastest first: those that were raced with the original, or
// all where there was no race, those that were timed once, and those for which there is no room.
// Variants with the machine code of another one are only counted, in its note.
func blocks(r tuner.Result) (raced, once, hidden []tuner.Row) {
	rows := slices.DeleteFunc(timedRows(r), func(row tuner.Row) bool { return row.Twin != "" && row.Variant != r.Best.Variant })
	isRace, room := slices.ContainsFunc(rows, wasRaced), longest
	for _, row := range rows {
		if isRace && !wasRaced(row) && row.Variant != store.Original {
			room = max(room-1, longest-mostOnce)
		}
	}
	for _, row := range rows {
		switch {
		case row.Variant == store.Original:
			raced = append(raced, row)
		case isRace && !wasRaced(row) && len(once) < mostOnce:
			once = append(once, row)
		case (!isRace || wasRaced(row)) && len(raced) < room:
			raced = append(raced, row)
		default:
			hidden = append(hidden, row)
		}
	}
	return raced, once, hidden
}

// wasRaced says that a variant was timed in rounds with the original.
func wasRaced(row tuner.Row) bool {
	return row.Certainty > store.Screened && row.Variant != store.Original
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

// twins counts the variants with the machine code of another one.
func twins(variant string, r tuner.Result) (n int) {
	for _, row := range r.Rows {
		if row.Twin == variant {
			n++
		}
	}
	return n
}

// note is what is to be said about a timed variant, with the number of further ones that have the
// same machine code. "= ID" means that the times are those of such another one.
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
	case !wasRaced(row) && row.Variant != store.Original && !slices.ContainsFunc(r.Rows, wasRaced):
		notes = append(notes, "timed once")
	}
	if n := twins(row.Variant, r); n > 0 {
		notes = append(notes, fmt.Sprintf("+%d of equal code", n))
	}
	return strings.Join(notes, ", ")
}

// withoutIdle takes the column of what differs from the models' choice away where nothing does.
func withoutIdle(cells [][]string) {
	column := slices.Index(cells[0], howColumn)
	if slices.ContainsFunc(cells[1:], func(row []string) bool { return row[column] != "" && row[column] != ModelsChoice }) {
		return
	}
	for k := range cells {
		cells[k] = slices.Delete(cells[k], column, column+1)
	}
}

// fit shortens what differs, and then the partitions, until the lines are no wider than width.
func fit(cells [][]string, width int) {
	const least = 12
	for _, name := range []string{howColumn, partitionColumn} {
		column := slices.Index(cells[0], name)
		if width <= 0 || column < 0 {
			continue
		}
		widths := columnWidths(cells)
		total := gap * (len(widths) - 1)
		for _, w := range widths {
			total += w
		}
		room := max(widths[column]-max(total-max(width, narrowest), 0), least)
		for _, row := range cells {
			row[column] = cut(row[column], room)
		}
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
			widths[k] = max(widths[k], columns.StringWidth(cell))
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
