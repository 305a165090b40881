package handout

import (
	"fmt"
	"io"
	"strings"

	"polytune/report"
	"polytune/store"
	"polytune/tuner"
)

// Print says what is known of a region: for each size and compiler what is the best, how it was
// built and run, and what may be faster.
func (k *Known) Print(w io.Writer) error {
	for _, b := range k.Results {
		if err := k.printBest(w, b); err != nil {
			return err
		}
		if err := k.printRun(w, b); err != nil {
			return err
		}
		if c := k.Contenders[b.Trial]; c != nil {
			fmt.Fprintf(w, "  %s; tune again times it anew, --any takes it\n", c.Text())
		}
	}
	return nil
}

// printBest says what a result is, and how the compiler was called that has built it.
func (k *Known) printBest(w io.Writer, b store.Best) error {
	from, err := OriginOf(k.Origins[b.Trial])
	if err != nil {
		return err
	}
	partition, err := tuner.ParsePartition(b.Variant.Partition)
	if err != nil {
		return err
	}
	over := from.BaselineText()
	if over != "" {
		over = " over the original" + over
	}
	on := b.On.Text()
	if on != "" {
		on = ", " + on
	}
	how := k.How(b.Variant.ID)
	if how != "" {
		how = " (" + how + ")"
	}
	_, err = fmt.Fprintf(w, "%s %s on %s with %s%s: %s %s%s, %s, %s%s\n  built by %s %s\n", b.KernelName, b.Size, b.MachineName, b.ToolchainName, on,
		b.Variant.ID, report.VariantPartition(b.Variant.ID, partition), how, report.Seconds(b.Summary.Seconds.Median), report.Speedup(b.Summary.Speedup, b.Summary.Certainty), over,
		from.Toolchain.Resolved, strings.Join(from.Toolchain.Flags, " "))
	return err
}

// printRun says how a result was run, in a line to type, and what is to be said against it.
func (k *Known) printRun(w io.Writer, b store.Best) error {
	from, err := OriginOf(k.Origins[b.Trial])
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "  run with %s: %s\n", from.ThreadsText(UsesThreads(k.Target, b.Variant)), from.Command("./program"))
	if busy := from.BusyText(); busy != "" {
		fmt.Fprintf(w, "  %s\n", busy)
	}
	return nil
}
