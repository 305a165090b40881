package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"polytune/runner"
	"polytune/store"
	"polytune/tuner"
)

// raceLines say how the race of a session went.
func raceLines(r tuner.Result) []string {
	lines := slices.Concat(ClaimLines(r.Claims), RaceLines(r.Race))
	if n := len(r.Warnings); n > 0 {
		them := "it"
		if n > 1 {
			them = "them"
		}
		lines = append(lines, fmt.Sprintf("%d %s about this machine; tune machine shows %s", n, Plural(n, "warning"), them))
	}
	return lines
}

// ClaimLines say how sure it is that those are slower which the verdict says are; none where
// it says so of nobody.
func ClaimLines(c tuner.Claims) []string {
	if c.Slower == 0 {
		return nil
	}
	verb := "are"
	if c.Slower == 1 {
		verb = "is"
	}
	return []string{fmt.Sprintf("claims: %d of %d compared %s slower, p = %.2g (sign test, Holm)", c.Slower, c.Compared, verb, c.P)}
}

// RaceLines say how a race went: its noise, the rounds that were disturbed, and how the machine
// changed, as far as there is something to say.
func RaceLines(r tuner.Race) []string {
	var lines []string
	if n := r.Noise; n.Rounds > 0 {
		lines = append(lines, fmt.Sprintf("noise: %s against itself differs by %s in %d %s", twiceTimed(n.Variants), percentages(n.Ratio, n.Certainty), n.Rounds, Plural(n.Rounds, "round")))
	}
	if n := len(r.Disturbances); n > 0 {
		verb := "was"
		if n > 1 {
			verb = "were"
		}
		lines = append(lines, fmt.Sprintf("%d of %d rounds %s disturbed and repeated (%s)", n, r.Rounds, verb, causes(r.Disturbances)))
	}
	if r.Drift.Ratio > 0 {
		lines = append(lines, driftText(r.Drift))
	}
	return append(lines, stateLines(r)...)
}

// stateLines say what was found out about the processors in front of the rounds.
func stateLines(r tuner.Race) []string {
	trip, clock := "", ""
	if s := r.RoundTrip; s.Rounds > 0 {
		trip = fmt.Sprintf("%.0f ns [%.0f, %.0f]", 1e9*s.Median, 1e9*s.Low, 1e9*s.High)
	}
	if s := r.Frequency; s.Rounds > 0 {
		clock = fmt.Sprintf("%.2f GHz [%.2f, %.2f]", 1e-9*s.Median, 1e-9*s.Low, 1e-9*s.High)
	}
	if text := stateText(trip, clock); text != "" {
		return []string{"processors: " + text}
	}
	return nil
}

// ProcessorsText says what a look at the processors has shown, "" for nothing.
func ProcessorsText(s runner.State) string {
	trip, clock := "", ""
	if s.RoundTrip > 0 {
		trip = fmt.Sprintf("%.0f ns", 1e9*s.RoundTrip)
	}
	if s.Frequency > 0 {
		clock = fmt.Sprintf("%.2f GHz", 1e-9*s.Frequency)
	}
	return stateText(trip, clock)
}

// stateText puts the round trip of a cache line and the clock's frequency into words,
// either of which may be "".
func stateText(trip, clock string) string {
	var parts []string
	if trip != "" {
		parts = append(parts, "a cache line takes "+trip+" between processors and back")
	}
	switch {
	case clock != "":
		parts = append(parts, "the clock runs at "+clock)
	case trip != "":
		parts = append(parts, "the system does not tell the clock's frequency")
	}
	return strings.Join(parts, "; ")
}

// twiceTimed names the programs of the control.
func twiceTimed(variants []string) string {
	if len(variants) == 1 && variants[0] == store.Original {
		return "the original"
	}
	return strings.Join(variants, ", ")
}

// percentages writes a ratio near to 1 as its difference from 1, such as
// "0.3% [-0.1, 0.8]", or "about 0.3%" without an interval; the median without its sign,
// which says nothing.
func percentages(ratio store.Estimate, certainty store.Certainty) string {
	median, low, high := 100*(ratio.Median-1), 100*(ratio.Low-1), 100*(ratio.High-1)
	if median < 0 {
		median, low, high = -median, -high, -low
	}
	if certainty < store.Bounded {
		return fmt.Sprintf("about %.1f%%", tenths(median))
	}
	return fmt.Sprintf("%.1f%% [%.1f, %.1f]", tenths(median), tenths(low), tenths(high))
}

// tenths rounds to tenths, and to 0 where that would be written as -0.
func tenths(x float64) float64 { return math.Round(10*x)/10 + 0 }

// causes counts the disturbed rounds by cause.
func causes(disturbances []tuner.Disturbance) string {
	names := []struct {
		cause tuner.Cause
		text  string
	}{
		{tuner.Level, "the original slower or faster than in the others"},
		{tuner.Preempted, "other programs on its processors"},
		{tuner.Apart, "cache lines slower or faster between processors"},
		{tuner.Stolen, "processors given to others by the host"},
	}
	var words []string
	for _, name := range names {
		n := 0
		for _, d := range disturbances {
			if d.Cause == name.cause {
				n++
			}
		}
		switch {
		case n == len(disturbances):
			return name.text
		case n > 0:
			words = append(words, fmt.Sprintf("%d: %s", n, name.text))
		}
	}
	return strings.Join(words, "; ")
}

// driftText says how the machine changed during a race.
func driftText(d tuner.Drift) string {
	direction := "slower"
	if d.Ratio < 1 {
		direction = "faster"
	}
	since := "in the course of the race"
	if d.Step > 0 {
		since = fmt.Sprintf("from round %d on", d.Step)
	}
	change := 100 * math.Abs(d.Ratio-1)
	return fmt.Sprintf("the machine became %.0f%% %s %s; speed-ups are taken within rounds and stand", change, direction, since)
}
