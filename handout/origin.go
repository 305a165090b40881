package handout

import (
	"encoding/json"
	"fmt"
	"strings"

	"polytune/internal/pattern"
	"polytune/internal/shellwords"
	"polytune/pipeline"
	"polytune/report"
	"polytune/runner"
	"polytune/schedule/command"
	"polytune/store"
	"polytune/target/registry"
	"polytune/tuner"
)

// Origin is what the database knows about where a result comes from.
type Origin struct {
	machine   runner.Machine
	Toolchain runner.Toolchain
	// baseline has built the original that speedups are over.
	baseline runner.Toolchain
	threads  int
	// environment is what the timed programs found in theirs about threads.
	environment []string
	// busy says which other programs used the processors meanwhile, "" for none.
	busy string
}

// BaselineText says who has built the original that a speedup is over, where that is another
// compiler than the variant's.
func (o *Origin) BaselineText() string {
	if o.baseline.ID == o.Toolchain.ID {
		return ""
	}
	return " built by " + strings.TrimSpace(o.baseline.Name+" "+o.baseline.Version)
}

// OriginOf reads the descriptions that a tuner has stored.
func OriginOf(p store.Provenance) (o Origin, err error) {
	var settings struct {
		Threads int `json:"threads"`
	}
	for _, part := range []struct {
		text json.RawMessage
		into any
	}{{p.Machine, &o.machine}, {p.Toolchain, &o.Toolchain}, {p.Baseline, &o.baseline}, {p.Settings, &settings}} {
		if err := json.Unmarshal(part.text, part.into); err != nil {
			return o, fmt.Errorf("the database's description of session %s cannot be read: %w", p.Session, err)
		}
	}
	o.threads, o.busy = settings.Threads, tuner.StoredBusy(p.Details)
	var details struct {
		Environment []string `json:"environment"`
	}
	if json.Unmarshal(p.Details, &details) == nil {
		o.environment = details.Environment
	}
	if o.environment == nil {
		o.environment = runner.ThreadEnvironment(registry.Default().Runtime(), o.threads, o.machine.TimingCPUs(o.threads))
	}
	return o, nil
}

// Command is a line to type that runs a program as it was timed.
func (o *Origin) Command(program string) string {
	if ranks := o.Toolchain.Ranks; ranks.Number > 0 {
		return fmt.Sprintf("OMP_NUM_THREADS=%d %s %s", o.threadsPerRank(), ranks.Command(), program)
	}
	words := make([]string, len(o.environment))
	for i, entry := range o.environment {
		name, value, _ := strings.Cut(entry, "=")
		words[i] = name + "=" + shellwords.Quoted(value)
	}
	return strings.Join(append(words, program), " ")
}

// ThreadsText is how many threads a program had, of which those with no parallel loop use one.
func (o *Origin) ThreadsText(usesThreads bool) string {
	if number := o.Toolchain.Ranks.Number; number > 0 {
		return fmt.Sprintf("%d ranks, threads of each %d", number, o.threadsPerRank())
	}
	if !usesThreads || o.threads == 1 {
		return "1 thread"
	}
	return fmt.Sprintf("%d threads", o.threads)
}

// threadsPerRank is how many threads each rank had of all.
func (o *Origin) threadsPerRank() int { return max(1, o.threads/o.Toolchain.Ranks.Number) }

// BusyText says what a result that was timed on a busy machine is worth, "" for others.
func (o *Origin) BusyText() string {
	if o.busy == "" {
		return ""
	}
	return "timed while " + report.BusyText + " (" + o.busy + "); tune again confirms the result"
}

// parallelDirective begins what several threads run in C code.
var parallelDirective = pattern.New(`(?m)^[ \t]*#[ \t]*pragma[ \t]+omp\b.*\bparallel\b`)

// UsesThreads says whether a variant of the target has a loop that threads share.
func UsesThreads(t *pipeline.Target, v store.Variant) bool {
	if store.IsOriginal(v.ID) {
		return parallelDirective.Match(t.File.Source[t.Region.Start:t.Region.End])
	}
	return command.UsesThreads(v.Recipe)
}

// originNote says for whoever finds a program in a year what the variant of a result is, and
// how, where and when it was timed. The target is the one with the variant in place.
func (k *Known) originNote(t *pipeline.Target, b store.Best) (string, error) {
	p := k.Origins[b.Trial]
	o, err := OriginOf(p)
	if err != nil {
		return "", err
	}
	kind := "Variant " + b.Variant.ID
	if store.IsOriginal(b.Variant.ID) {
		kind = "The original, than which nothing was faster,"
		if k.Contenders[b.Trial] != nil {
			kind = "The original, than which nothing is known to be faster,"
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s of %s, timed at size %s: %s, %s the speed of the original%s\n", kind, b.KernelName, b.Size,
		report.Seconds(b.Summary.Seconds.Median), report.Speedup(b.Summary.Speedup, b.Summary.Certainty), o.BaselineText())
	if how := k.How(b.Variant.ID); how != "" {
		fmt.Fprintf(&text, "  with  %s\n", how)
	}
	fmt.Fprintf(&text, "  on    machine %s: %s, %d cores; %s\n", b.MachineName, o.machine.CPU, o.machine.Cores, o.ThreadsText(UsesThreads(t, b.Variant)))
	fmt.Fprintf(&text, "  by    %s for %s: %s\n", b.ToolchainName, o.Toolchain.Target, strings.Join(o.Toolchain.Flags, " "))
	fmt.Fprintf(&text, "  as    %s\n", o.Command("./program"))
	if busy := o.BusyText(); busy != "" {
		fmt.Fprintf(&text, "  but   %s\n", busy)
	}
	fmt.Fprintf(&text, "  in    session %s, trial %s, %s", p.Session, b.Trial, p.Finished.Format("2006-01-02"))
	return text.String(), nil
}
