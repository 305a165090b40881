package report

import (
	"cmp"
	"io"

	"polytune/internal/jsondoc"
	"polytune/store"
	"polytune/tuner"
)

// summary is the document that `tune TARGET --json` prints; its form is part
// of the command line's contract.
type summary struct {
	Kernel    string    `json:"kernel"`
	Size      string    `json:"size"`
	Machine   machine   `json:"machine"`
	Toolchain toolchain `json:"toolchain"`
	// Target, Device and Timing are left out for processors; Timing is "total" or "kernel".
	Target string `json:"target,omitempty"`
	Device string `json:"device,omitempty"`
	Timing string `json:"timing,omitempty"`
	// Compilers are the further ones of a session that has several.
	Compilers []toolchain `json:"compilers,omitempty"`
	Baseline  baseline    `json:"baseline"`
	Best      best        `json:"best"`
	// BestCPU is the best variant that is known for processors, where kernels were timed.
	BestCPU *bestCPU             `json:"best_cpu,omitempty"`
	Verdict tuner.Verdict        `json:"verdict"`
	Tied    []string             `json:"tied"`
	Space   space                `json:"space"`
	Trials  map[store.Status]int `json:"trials"`
	Claims  claims               `json:"claims"`
	Noise   noise                `json:"noise"`
	Race    race                 `json:"race"`
	// Warnings are the kinds of what disturbs timings on this machine.
	Warnings []string `json:"warnings"`
	// Unfinished says that the budget ended before all was done.
	Unfinished bool `json:"unfinished"`
	// Busy says which other programs used the processors meanwhile.
	Busy string `json:"busy"`
}

// claims say how sure it is that variants are slower than the best: Slower are, of those
// that were compared, and P is the probability of that at most for equally fast ones.
type claims struct {
	Compared int     `json:"compared"`
	Slower   int     `json:"slower"`
	P        float64 `json:"p"`
}

// noise is how far the two times of one program are apart: Ratio is that of the
// second to the first.
type noise struct {
	Variants []string `json:"variants"`
	Rounds   int      `json:"rounds"`
	Ratio    Interval `json:"ratio"`
}

type race struct {
	Rounds    int                 `json:"rounds"`
	Disturbed []tuner.Disturbance `json:"disturbed"`
	Drift     *tuner.Drift        `json:"drift,omitempty"`
	// RoundTrip is the time in seconds of a cache line between two processors
	// and back, Frequency that of the clock in Hz; they are not there where unknown.
	RoundTrip *Interval `json:"round_trip,omitempty"`
	Frequency *Interval `json:"frequency,omitempty"`
}

// spread is nil where nothing is known.
func spread(s tuner.Spread) *Interval {
	if s.Rounds == 0 {
		return nil
	}
	return &Interval{Median: s.Median, Low: s.Low, High: s.High}
}

type machine struct {
	ID    string `json:"id"`
	CPU   string `json:"cpu"`
	Cores int    `json:"cores"`
}

type toolchain struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Version string `json:"version"`
}

type baseline struct {
	Seconds Interval `json:"seconds"`
}

type best struct {
	Variant   string `json:"variant"`
	Partition []int  `json:"partition"`
	Recipe    string `json:"recipe"`
	// How says what differs from the models' choice, "" for the original.
	How string `json:"how"`
	// Compiler is the name of the one that has built it, where the session has several.
	Compiler string `json:"compiler,omitempty"`
	// Tolerance is that of the comparison with the original; nothing where
	// bits were compared.
	Tolerance float64  `json:"tolerance,omitempty"`
	Seconds   Interval `json:"seconds"`
	Speedup   Interval `json:"speedup"`
	// Joules is the median energy; not there where nothing told it.
	Joules float64 `json:"joules,omitempty"`
	// Kernel and Transfer are what the device's driver tells of its time.
	Kernel   *Interval `json:"kernel_seconds,omitempty"`
	Transfer *Interval `json:"transfer_seconds,omitempty"`
}

// bestCPU is a result of other sessions.
type bestCPU struct {
	Variant   string   `json:"variant"`
	Toolchain string   `json:"toolchain"`
	Seconds   Interval `json:"seconds"`
	Speedup   Interval `json:"speedup"`
}

// Interval is an estimate with the ends of its interval of 95%, which are left out where
// too few rounds are behind it, and About is there then.
type Interval struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low,omitempty"`
	High   float64 `json:"high,omitempty"`
	About  bool    `json:"about,omitempty"`
}

// IntervalOf is an estimate of some certainty.
func IntervalOf(e store.Estimate, certainty store.Certainty) Interval {
	if certainty < store.Bounded {
		return Interval{Median: e.Median, About: true}
	}
	return Interval{Median: e.Median, Low: e.Low, High: e.High}
}

type space struct {
	Legal    int `json:"legal"`
	Variants int `json:"variants"`
	Tried    int `json:"tried"`
}

// JSON writes the document of a result.
func JSON(w io.Writer, r tuner.Result) error { return jsondoc.Write(w, Document(r)) }

// Document is the result as a document of JSON. Where the original is the best,
// its partition and recipe are those of its own loops. The list "tied" also holds
// the variants that are not separated from the best where that is the verdict.
func Document(r tuner.Result) any {
	document := summary{
		Kernel: r.Kernel, Size: r.Size,
		Machine:   machine{r.Machine.ID, r.Machine.CPU, r.Machine.Cores},
		Toolchain: toolchain{r.Toolchain.ID, r.Toolchain.Name, r.Toolchain.Version},
		Baseline:  baseline{IntervalOf(r.Baseline, r.BaselineCertainty)},
		Best: best{
			Variant: r.Best.Variant, Partition: append([]int{}, r.Best.Partition...), How: howText(r.Best), Recipe: r.Recipe, Tolerance: r.Tolerance.Double,
			Seconds: IntervalOf(r.Best.Seconds, r.Best.Certainty), Speedup: IntervalOf(r.Best.Speedup, r.Best.Certainty),
			Joules: r.Best.Joules,
		},
		Verdict: r.Verdict, Tied: append([]string{}, r.Rivals...),
		Space:  space{r.Legal, r.Candidates, r.Tried},
		Trials: trialCounts(r),
		Claims: claims(r.Claims),
		Noise:  noise{append([]string{}, r.Race.Noise.Variants...), r.Race.Noise.Rounds, IntervalOf(r.Race.Noise.Ratio, r.Race.Noise.Certainty)},
		Race: race{Rounds: r.Race.Rounds, Disturbed: append([]tuner.Disturbance{}, r.Race.Disturbances...),
			RoundTrip: spread(r.Race.RoundTrip), Frequency: spread(r.Race.Frequency)},
	}
	document.addDevice(r)
	for _, t := range r.Compilers {
		document.Compilers = append(document.Compilers, toolchain{t.ID, t.Name, t.Version})
		document.Best.Compiler = r.Builder(r.Best.Variant).Name
	}
	if r.Race.Drift != (tuner.Drift{}) {
		document.Race.Drift = &r.Race.Drift
	}
	document.Warnings, document.Unfinished, document.Busy = []string{}, r.Early, r.Busy
	for _, w := range r.Warnings {
		document.Warnings = append(document.Warnings, w.Kind)
	}
	return document
}

// addDevice adds what is to be said where kernels ran.
func (s *summary) addDevice(r tuner.Result) {
	if r.On == (store.On{}) {
		return
	}
	s.Target, s.Device, s.Timing = r.On.Target, r.On.Device, cmp.Or(r.On.Timing, "total")
	if d := r.Best.Device; d != nil {
		kernel, transfer := IntervalOf(d.Kernel, d.Certainty), IntervalOf(d.Transfer, d.Certainty)
		s.Best.Kernel, s.Best.Transfer = &kernel, &transfer
	}
	if cpu := r.BestCPU; cpu != nil {
		s.BestCPU = &bestCPU{cpu.Variant.ID, cpu.ToolchainName, IntervalOf(cpu.Summary.Seconds, cpu.Summary.Certainty), IntervalOf(cpu.Summary.Speedup, cpu.Summary.Certainty)}
	}
}

// trialCounts has the four usual statuses always, the others when they occur.
func trialCounts(r tuner.Result) map[store.Status]int {
	counts := map[store.Status]int{store.OK: 0, store.CompileFailed: 0, store.WrongResult: 0, store.Timeout: 0}
	for status, n := range r.Counts() {
		counts[status] += n
	}
	return counts
}
