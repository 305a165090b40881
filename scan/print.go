package scan

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"polytune/pipeline/buildflags"
	"polytune/report"
)

// Print writes a table for each file, and what to type next.
func (r *Report) Print(w io.Writer) error {
	for k, f := range r.Files {
		if f.Error != "" {
			continue
		}
		if k > 0 {
			fmt.Fprintln(w)
		}
		if err := f.print(w, r.Profile != nil, r.command); err != nil {
			return err
		}
	}
	if r.Profile != nil {
		_, err := fmt.Fprintln(w, r.Profile.text())
		return err
	}
	return nil
}

// print writes the nests of a file; command is as in Options.
func (f *File) print(w io.Writer, shares bool, command func(words ...string) string) error {
	counts := map[Status]int{}
	for _, n := range f.Nests {
		counts[n.Status]++
	}
	fmt.Fprintf(w, "%s: %d loop %s, %d can be tuned", f.Path, len(f.Nests), report.Plural(len(f.Nests), "nest"), counts[Modelled])
	if counts[Marked] > 0 {
		fmt.Fprintf(w, ", %d in regions already", counts[Marked])
	}
	if f.Database != "" {
		fmt.Fprintf(w, "; read as it is compiled by %s", buildflags.Here(f.Database))
	}
	fmt.Fprintln(w)
	totals := slices.ContainsFunc(f.Nests, func(n *Nest) bool { return n.totalText() != "-" })
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if len(f.Nests) > 0 {
		head := "PLACE\tFUNCTION\tLOOPS\tSTATEMENTS\tOPERATIONS"
		if totals {
			head += "\tTOTAL"
		}
		if shares {
			head += "\tTIME"
		}
		fmt.Fprintln(table, "  "+head)
	}
	for _, n := range f.Nests {
		statements := "-"
		if n.Status == Modelled {
			statements = fmt.Sprint(n.Statements)
		}
		fmt.Fprintf(table, "  %s%d:%d\t%s\t%d\t%s\t%s", strings.Repeat("  ", n.Inside), n.Line, n.Column, n.Function, n.Depth, statements, f.work(n))
		if totals {
			fmt.Fprintf(table, "\t%s", n.totalText())
		}
		if shares {
			fmt.Fprintf(table, "\t%s", n.shareText())
		}
		fmt.Fprintln(table)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	f.printReasons(w)
	_, err := fmt.Fprintln(w, f.next(counts, command))
	return err
}

// printReasons writes why nests cannot be tuned, with their places, each reason once.
func (f *File) printReasons(w io.Writer) {
	told := map[string]bool{}
	for _, n := range f.Nests {
		if len(n.Refusals) == 0 || told[n.Refusals[0]] {
			continue
		}
		told[n.Refusals[0]] = true
		more := ""
		if others := len(n.Refusals) - 1; others > 0 {
			more = fmt.Sprintf(" (and %d more; --json has all)", others)
		}
		fmt.Fprintf(w, "  the nest at %d:%d cannot be tuned: %s%s\n", n.Line, n.Column, n.Refusals[0], more)
	}
}

// work says what a nest computes: "2 in 3 loops, 1 in 2".
func (f *File) work(n *Nest) string {
	switch n.Status {
	case Marked:
		return "in a region"
	case Calls:
		return f.callsText(n)
	}
	var words []string
	for k, o := range n.Operations {
		text := fmt.Sprintf("%d in %d", o.Operations, o.Loops)
		if k == 0 {
			text += " " + report.Plural(o.Loops, "loop")
		}
		words = append(words, text)
	}
	if len(words) == 0 {
		return "-"
	}
	return strings.Join(words, ", ")
}

// shareText is the part of the time, as far as it is known.
func (n *Nest) shareText() string {
	switch {
	case n.Share == nil:
		return "?"
	case n.WithOthers:
		return fmt.Sprintf("≤ %.1f%%", 100**n.Share)
	}
	return fmt.Sprintf("%.1f%%", 100**n.Share)
}

// text says where shares come from.
func (p *Profile) text() string {
	text := fmt.Sprintf("time: %s of %s", p.By, p.Command)
	if p.By == "gprof" || len(p.lines) == 0 && p.By == "perf" {
		text += ", by functions (≤: with the function's other loops; built with -g, perf tells loops apart)"
	}
	if len(p.Why) > 0 {
		text += "; " + strings.Join(p.Why, "; ")
	}
	return text
}

// next is what to type next.
func (f *File) next(counts map[Status]int, command func(words ...string) string) string {
	words := []string{f.Path}
	if f.BuildFlags != "" {
		words = append(words, "--build-flags", buildflags.FromHere(f.BuildFlags))
	}
	tune := command(words...)
	switch {
	case f.Written != nil && *f.Written > 0:
		return fmt.Sprintf("%d %s marked in %s; next: %s", *f.Written, report.Plural(*f.Written, "region"), f.Path, tune)
	case counts[Modelled] > 0:
		return fmt.Sprintf("next: %s marks what can be tuned; then %s", command("scan", "--write", f.Path), tune)
	case counts[Marked] > 0:
		return "next: " + tune
	}
	return "nothing to mark; docs/regions.md says what can be modelled"
}
