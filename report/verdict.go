package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"polytune/runner"
	"polytune/store"
	"polytune/tuner"
)

// BusyMark marks a result that was timed while other programs used the processors, and
// BusyText says so in words.
const (
	BusyMark = "busy machine"
	BusyText = "other programs used the processors"
)

// VerdictText says in one sentence what a session found.
func VerdictText(r tuner.Result) string {
	if r.Best.Variant == "" {
		return "nothing was timed yet" + waitedText(r, ": ", "")
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
	case isUnknown(r):
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
	return sentence
}

// busyLines say that the best was timed while others used the processors, and what to do.
func busyLines(r tuner.Result) []string {
	if r.Busy == "" {
		return nil
	}
	return []string{"timed while " + BusyText + " (" + r.Busy + "); confirm the result: tune again times it anew"}
}

// comparedLines say what was compared where that is not the time on processors, and that a session
// is not finished.
func comparedLines(r tuner.Result) (lines []string) {
	if r.Best.Variant == "" {
		return nil
	}
	if r.On.Target != "" {
		lines = append(lines, deviceText(r))
	}
	if r.On.IsObjective() {
		lines = append(lines, "compared by "+r.On.ComparedText()+": a speed-up of 2 is half of it")
	}
	if !r.Complete {
		lines = append(lines, "not finished; the same command again goes on from here")
	}
	return lines
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

// isUnknown says that the original is the answer, and that the first variant may be faster.
func isUnknown(r tuner.Result) bool {
	return r.Best.Variant == store.Original && r.Verdict == tuner.NotSeparated && slices.Contains(r.Rivals, r.First.Variant)
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

// waitedText says for how long the session waited for others, between two words, where that is a
// part of its time that one should know of.
func waitedText(r tuner.Result, before, behind string) string {
	const part = 20
	if r.Recalled || r.Waited < time.Second || r.Waited < r.Elapsed/part {
		return ""
	}
	return fmt.Sprintf("%s%s%s waiting for other tuners on this machine", before, Duration(r.Waited), behind)
}

// machineText says where and from what the result is; verbose adds how much of the time no timing and
// no build took.
func machineText(r tuner.Result, verbose bool) string {
	source := Duration(r.Elapsed)
	switch {
	case r.Recalled:
		source = "from the database"
	case verbose && r.Overhead > 0:
		source += fmt.Sprintf(", %.0f%% of it without a compiler or program at work", 100*r.Overhead.Seconds()/r.Elapsed.Seconds())
	}
	source += waitedText(r, ", ", " of it")
	m, legal := r.Machine, ""
	if r.Legal > 0 {
		legal = fmt.Sprintf("%d legal %s, ", r.Legal, Plural(r.Legal, "partition"))
	}
	return fmt.Sprintf("%s, %d %s, %d %s; %s; %s%d of %d candidates tried; %s",
		m.CPU, m.Cores, Plural(m.Cores, "core"), r.Threads, Plural(r.Threads, "thread"),
		compilersText(r), legal, r.Tried, r.Candidates, source)
}
