package report

import (
	"fmt"
	"io"
	"math"
	"path"
	"strconv"
	"strings"

	"polytune/store"
	"polytune/tuner"
	"polytune/tuner/stat"
)

// Ending writes the last lines of a session: in a sentence what it has found, and the commands that
// are next. There is nothing to say where nothing was timed.
func Ending(w io.Writer, r tuner.Result, next []string) error {
	if r.Best.Variant == "" {
		return nil
	}
	text := fmt.Sprintf("\n%s: %s.\n", path.Base(r.Kernel), Gain(r))
	for k, command := range next {
		lead := "Next: "
		if k > 0 {
			lead = "      "
		}
		text += lead + command + "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

// Gain says how much faster than its baseline the best variant of a session is: "62 times as fast
// as gcc -O3 (59 to 66) on this machine".
func Gain(r tuner.Result) string {
	over := baselineText(r)
	switch s := r.Best.Speedup; {
	case r.Best.Variant == "":
		return "nothing was timed yet"
	case isUnknown(r):
		return fmt.Sprintf("nothing is known yet to be faster than %s on this machine; %s may be, about %s times as fast in %d %s",
			over, r.First.Variant, factor(r.First.Speedup.Median), r.First.Rounds, Plural(r.First.Rounds, "round"))
	case store.IsOriginal(r.Best.Variant):
		return "nothing is known to be faster than " + over + " on this machine"
	case r.Best.Certainty < store.Bounded:
		return fmt.Sprintf("about %s times as fast as %s on this machine, by too few rounds for an interval", factor(s.Median), over)
	default:
		return fmt.Sprintf("%s times as fast as %s (%s to %s) on this machine", factor(s.Median), over, factor(s.Low), factor(s.High))
	}
}

// baselineText is the compiler of the baseline with its level of optimisation.
func baselineText(r tuner.Result) string {
	for _, flag := range r.Toolchain.Flags {
		if strings.HasPrefix(flag, "-O") {
			return r.Toolchain.Name + " " + flag
		}
	}
	return r.Toolchain.Name
}

// factor writes a ratio with two or three digits.
func factor(x float64) string {
	switch {
	case x >= 10:
		return strconv.FormatFloat(math.Round(x), 'f', 0, 64)
	case x >= 2:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return Times(x)
}

// Summary writes a table of the results of several sessions, and the mean of their speed-ups.
func Summary(w io.Writer, results []tuner.Result) error {
	cells := [][]string{{"kernel", "size", "original", "best", "speed-up", "variant", howColumn}}
	var ratios []float64
	for _, r := range results {
		if r.Best.Variant == "" {
			cells = append(cells, []string{r.Kernel, r.Size, "", "", "", "nothing was timed yet", ""})
			continue
		}
		ratios = append(ratios, r.Best.Speedup.Median)
		cells = append(cells, []string{r.Kernel, r.Size, Seconds(r.Baseline.Median), Seconds(r.Best.Seconds.Median),
			Speedup(r.Best.Speedup, r.Best.Certainty), r.Best.Variant, howText(r.Best)})
	}
	var text strings.Builder
	text.WriteString("\nall:\n")
	for _, line := range align(cells, -1) {
		fmt.Fprintln(&text, line)
	}
	if mean, err := stat.GeometricMean(ratios); err == nil && len(ratios) > 1 {
		fmt.Fprintf(&text, "geometric mean of %d speed-ups: %sx\n", len(ratios), Times(mean))
	}
	_, err := io.WriteString(w, text.String())
	return err
}
