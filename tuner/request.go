package tuner

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"polytune/configs"
	"polytune/runner"
	"polytune/runner/energy"
	"polytune/store"
	"polytune/tuner/search"
)

// Request says what to tune, where and how thoroughly. Requests that differ
// only in Region, Budget, Briefly, Seed, Checked, Checks, Legal, Original, Warnings,
// Strict, Command, Folder, Version and Progress are the same piece of work.
type Request struct {
	// Kernel is the kernel's name, KernelID the hash of the name, the region
	// and what it depends on.
	Kernel, KernelID string
	// Region is the hash of what the region computes, whatever is around it, or "".
	Region string
	// Source is the text of the user's C file, Subject what makes a program
	// of it.
	Source []byte
	// Reference is the text whose results variants are compared with before they are timed: Source,
	// but for directives that let its results differ from run to run; nil means Source.
	Reference []byte
	Subject   runner.Subject
	// Checked, if not nil, is the program as it is compared with the original
	// bit for bit, such as with less data; nil means the one that is timed.
	Checked *Checked
	// Size names the problem size, Params and Scalars are its values.
	Size    string
	Params  map[string]int
	Scalars map[string]float64
	// Checks are the parameter values at which variants are compared with
	// the original bit for bit; at least one.
	Checks []map[string]int

	// On is what variants are code for and what of their time is compared, Device what their
	// kernels run on; both are zero for processors.
	On     store.On
	Device runner.Device
	// Energy is what the machine tells of the energy that a timing takes.
	Energy energy.Meter
	// CUDA is the compiler of kernels for NVIDIA's.
	CUDA runner.ToolchainSpec

	Machine runner.Machine
	// Toolchain builds the original that is the baseline, and every candidate that does
	// not name another one. Compilers are those that candidates may name (see
	// CompilerAxis); the names of all differ.
	Toolchain runner.Toolchain
	Compilers []runner.Toolchain
	Settings  configs.Settings

	// Original is the original as a point of the space, for the Result.
	Original Original
	// Candidates are tried in this order; the original is not among them.
	Candidates []Candidate
	// Replay says that the candidates are variants that somebody has named, no points of a
	// space: all of them take part in the race, however slow they are, and no search
	// learns from them.
	Replay bool
	// Aside are settings of candidates that the search knows nothing of: what is tried next
	// does not start from them.
	Aside []string
	// Space has further candidates, which are tried as Plan says; nil for none.
	Space     search.Space
	Plan      search.Plan
	Generator Generator
	// Command is what the user types to get this request again, Folder where;
	// both are kept for people. They may be "".
	Command, Folder string
	// Version is that of the program, for people; it may be "".
	Version string
	// Revision is the version of the Generator, or "": results of different
	// revisions are different pieces of work.
	Revision string
	// Legal is the number of legal partitions, for the report.
	Legal int

	Effort Effort
	// Budget is the time this call may take; 0 for no limit. What is being made then is left
	// for the next call; the first candidates and the last round of the race may take some
	// seconds more.
	Budget time.Duration
	// Briefly ends the call as soon as the original and the first candidates are timed.
	Briefly bool
	// Seed determines the order within the rounds.
	Seed uint64

	Store *store.Store
	// Reassociated says that variants may do reductions in another order, or round functions
	// otherwise, than the original: floating-point numbers are compared within the tolerance of the
	// settings also where bits are compared otherwise.
	Reassociated bool
	// Reordered are the variables whose values may depend on that order, Terms those that such sums
	// and their terms are made of; nil for all.
	Reordered, Terms *runner.Arrays
	// Warnings are what is known to disturb timings on this machine; they are
	// kept with the session. Strict refuses to time while there are some that can be helped.
	Warnings []runner.Warning
	Strict   bool
	// Progress, if not nil, is told what happens, one call at a time.
	Progress func(Event)
}

// Tolerance is what the settings allow for rounding.
func Tolerance(v configs.Verification) runner.Tolerance {
	return runner.Tolerance{Double: v.Tolerance, Single: v.ToleranceSingle}
}

// sums are the arrays that have to do with sums in another order.
func (r *Request) sums() runner.Sums { return runner.Sums{Of: r.Reordered, Terms: r.Terms} }

// checkTolerance is that of the comparison in front of all timing: zero, bit for
// bit, unless the variants may do reductions in another order.
func (r *Request) checkTolerance() runner.Tolerance {
	if !r.Reassociated {
		return runner.Tolerance{}
	}
	tolerance := Tolerance(r.Settings.Verification)
	tolerance.Of = r.Reordered
	return tolerance
}

// Checked is a program that is only compared: its text, and what makes a
// program of it.
type Checked struct {
	Source  []byte
	Subject runner.Subject
	// isTimed says that it is the one that is timed, too.
	isTimed bool
}

// Original is the original program as a point of the space of variants.
type Original struct {
	// Partition is the class vector in which its statements are as they are
	// written, and Recipe the text of commands that give its loops.
	Partition []int
	Recipe    string
}

// Effort is how thoroughly a session measures.
type Effort string

// The efforts: Quick settles for the least number of rounds, Full takes all
// the rounds that the settings allow.
const (
	Quick  Effort = "quick"
	Normal Effort = "normal"
	Full   Effort = "full"
)

// ParseEffort reads the name of an effort.
func ParseEffort(name string) (Effort, error) {
	switch e := Effort(name); e {
	case Quick, Normal, Full:
		return e, nil
	}
	return "", fmt.Errorf("no effort %q; choose quick, normal or full", name)
}

// policy is what an effort and the settings mean for the race.
type policy struct {
	// entrants is the greatest number of variants in the race, leaders that
	// after the halving.
	entrants, leaders int
	// roundsMin is enough for a claim; after roundsMax the race ends. Rounds
	// that were disturbed do not count.
	roundsMin, roundsMax int
	// roundsKnown is up to how many rounds a race goes on that would end, but does not know yet
	// whether the leader is faster than the original.
	roundsKnown int
	// target is the time after which a race with roundsMin rounds ends; 0
	// for no limit.
	target time.Duration
	// screeningFactor bounds an entrant's time relative to the best.
	screeningFactor float64
	// indifference is the relative difference that does not matter.
	indifference float64
	// claim is the confidence that is asked for before one variant is called
	// faster than another, be it to send that one out of the race or in the
	// verdict: these questions are asked again after every round, and each time
	// there is a chance of a wrong answer.
	claim float64
	// disturbed is the greatest share of the rounds that may be left out.
	disturbed float64
	// processors is the number of processors of a run.
	processors int
	// apart says that the original is the baseline alone, as where variants run on a device:
	// the race is among these, however much faster than they it is.
	apart bool
}

const (
	claimConfidence = 0.995
	disturbedShare  = 1.0 / 3
)

func (r *Request) policy() policy {
	m := r.Settings.Measurement
	p := policy{
		entrants: 16, leaders: 8, target: 45 * time.Second,
		roundsMin: max(m.RoundsMin, claimRounds(claimConfidence)), roundsMax: m.RoundsMax,
		screeningFactor: m.ScreeningFactor, indifference: m.Indifference,
		claim: claimConfidence, disturbed: disturbedShare, processors: r.threads(), apart: r.On.Target != "",
	}
	switch r.Effort {
	case Quick:
		p.entrants, p.leaders, p.target, p.roundsMax = 8, 4, 10*time.Second, min(m.RoundsMax, 8)
	case Full:
		p.entrants, p.target = 64, 0
	}
	p.roundsMax = max(p.roundsMax, p.roundsMin)
	p.roundsKnown = max(p.roundsMax, min(m.RoundsMax, 2*p.roundsMin))
	if r.Replay {
		n := len(r.Candidates) * len(r.toolchains())
		p.entrants, p.leaders, p.screeningFactor = n, n, math.MaxFloat64
	}
	return p
}

// RaceTarget is about how long the race takes at least, 0 where its rounds decide.
func (r *Request) RaceTarget() time.Duration { return r.policy().target }

func (r *Request) validate() error {
	switch {
	case r.Kernel == "" || r.KernelID == "":
		return errors.New("a tuning session needs the kernel's name and hash")
	case r.Store == nil || r.Generator == nil:
		return errors.New("a tuning session needs a store and a generator")
	case r.Subject.Harness == nil:
		return errors.New("a tuning session needs a harness that runs its programs")
	case len(r.Checks) == 0:
		return errors.New("a tuning session needs at least one size at which variants are checked")
	case len(r.Original.Partition) == 0 || r.Original.Recipe == "":
		return errors.New("a tuning session needs the partition and the recipe of the original")
	}
	if r.Checked == nil {
		reference := r.Reference
		if reference == nil {
			reference = r.Source
		}
		r.Checked = &Checked{Source: reference, Subject: r.Subject, isTimed: true}
	}
	if err := r.validateCandidates(); err != nil {
		return err
	}
	if r.Effort == "" {
		r.Effort = Normal
	}
	_, err := ParseEffort(string(r.Effort))
	return err
}

// threads is the number of OpenMP threads of the measured programs.
func (r *Request) threads() int {
	if r.Settings.Threads > 0 {
		return r.Settings.Threads
	}
	return max(r.Machine.Cores, 1)
}

// jobs is the number of candidates that are prepared at the same time.
func (r *Request) jobs() int { return r.Settings.JobsOn(r.Machine.Cores) }

// key identifies the piece of work. Which candidates a search will propose
// nobody knows at its beginning: its identity and the first ones stand for them.
func (r *Request) key(search string) (store.SessionKey, error) {
	parts := map[string]any{
		"threads": r.threads(), "effort": r.Effort, "params": r.Params, "scalars": r.Scalars,
		"arguments": slices.Concat(r.Subject.Preprocessor, r.Subject.Arguments, r.Subject.Sources, r.Subject.Objects),
		"harness":   textHash(r.Subject.Harness.Companion().Text), "sample_seconds": r.Settings.Measurement.SampleSeconds,
		"candidates": r.candidatesHash(), "search": search, "revision": r.Revision,
		"verification": r.Settings.Verification, "limits": r.Settings.Limits,
	}
	if len(r.Compilers) > 0 {
		parts["compilers"] = r.compilerIDs()
	}
	settings, err := json.Marshal(parts)
	if err != nil {
		return store.SessionKey{}, fmt.Errorf("settings of the session: %w", err)
	}
	return store.SessionKey{
		Kernel: r.KernelID, Machine: r.Machine.ID, Toolchain: r.Toolchain.ID, Size: r.Size, On: r.On, Settings: settings,
	}, nil
}

func textHash(text string) string {
	hash := sha256.Sum256([]byte(text))
	return hex.EncodeToString(hash[:8])
}

func (r *Request) candidatesHash() string {
	hash := sha256.New()
	for _, c := range r.Candidates {
		fmt.Fprintf(hash, "%s %q\n", PartitionText(c.Partition), c.Axis)
	}
	return hex.EncodeToString(hash.Sum(nil)[:8])
}

// helpable are the warnings about what somebody can change.
func (r *Request) helpable() []runner.Warning {
	return slices.DeleteFunc(slices.Clone(r.Warnings), func(w runner.Warning) bool { return !w.CanBeHelped() })
}
