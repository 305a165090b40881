package report

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"polytune/runner"
	"polytune/store"
	"polytune/tuner"
)

// Selection says what of databases a report is about; fields that are "" do not
// restrict.
type Selection struct {
	// Kernel is a kernel's name, with its suite or without: "polybench/2mm" or
	// "2mm".
	Kernel string
	// KernelIDs are the hashes of versions of sources; nil does not restrict.
	KernelIDs []string
	Size      string
	// Machine is the ID or the name of a machine.
	Machine string
	// On, if not nil, asks for results of one target, with one part of the time compared, on
	// whatever device.
	On *store.On
}

// All says that the selection does not restrict anything.
func (s Selection) All() bool {
	return s.Kernel == "" && s.KernelIDs == nil && s.Size == "" && s.Machine == "" && s.On == nil
}

// Has says whether a session belongs to the selection.
func (s Selection) Has(session store.SessionStatus) bool {
	name := session.KernelName
	return (s.Kernel == "" || name == s.Kernel || strings.HasSuffix(name, "/"+s.Kernel)) &&
		(s.KernelIDs == nil || slices.Contains(s.KernelIDs, session.Kernel)) &&
		(s.Size == "" || session.Size == s.Size) &&
		(s.Machine == "" || session.Machine == s.Machine || session.MachineName == s.Machine) &&
		(s.On == nil || s.On.Target == session.Target && s.On.Timing == session.Timing)
}

// Findings are what databases have of a selection.
type Findings struct {
	// Databases are the paths.
	Databases []string
	// Kernels are the names of all kernels with a session and Machines all machines, selected
	// or not, in order.
	Kernels  []string
	Machines []Machine
	// Places are the machines with their toolchains that have cells, in the order of
	// their labels.
	Places []Place
	// Cells are in the order of kernels, sizes and places.
	Cells []*Cell
}

// Place is where programs run: a machine, and the toolchain that builds them.
type Place struct {
	Machine   Machine
	Toolchain Toolchain
	// Label tells the place from the others, as short as possible: the machine's
	// name, and the compiler where a machine has several.
	Label string
	// On is what ran there.
	On store.On
}

// Machine is a machine as a database knows it.
type Machine struct {
	store.Machine
	// About is the fingerprint; fields that the database lacks are zero.
	About runner.Machine
}

// Toolchain is a toolchain as a database knows it.
type Toolchain struct {
	store.Toolchain
	// About is the description; fields that the database lacks are zero.
	About runner.Toolchain
}

// Cell is what is known of a kernel at a size in one place.
type Cell struct {
	// Kernel is one version of a source. Version is a short id that tells it from
	// others of the same name; "" where there is no other.
	Kernel  store.Kernel
	Version string
	Size    string
	// Place is an index of Findings.Places.
	Place int
	// Sessions are in the order in which they began.
	Sessions []store.SessionStatus
	// Trials are all trials, open ones and the original's too, in the order in which they
	// were recorded.
	Trials []Trial
	// Best is the best trial as the store's view ranks them, whichever of its session's
	// compilers has built it, Baseline the original's in the same session; nil where
	// there is none.
	Best, Baseline *Trial
	// Verdict is that of the session of Best; its field Verdict is "" without one. Busy says
	// which other programs used the processors in that session, "" for none.
	Verdict tuner.Judgement
	Busy    string

	// On is what ran, and what was compared.
	On store.On

	// settings are what the search chose for variants, as far as it says what they are.
	settings map[string]string

	machine, toolchain string
	// best is the UUID of Best, while cells are gathered.
	best string
}

// Trial is a trial without its samples and its recipe.
type Trial struct {
	UUID string
	// Session is the UUID of the session.
	Session, Variant string
	Partition        []int
	Status           store.Status
	Verified         bool
	// Detail is the first line of what is said of a failure, cut to a length that fits
	// a page.
	Detail            string
	Started, Finished time.Time
	// Summary is nil without a timing.
	Summary *store.Summary
	// Joules is the median energy of its timings; 0 where nothing told it.
	Joules float64
	// Tiles are the sizes of the first tiles of loops, by the loops' names; nil for none.
	Tiles map[string]int64
}

// Timed says whether the trial is one that can be compared: it passed all checks and has a
// time.
func (t *Trial) Timed() bool {
	return t.Status == store.OK && t.Verified && t.Summary != nil
}

// How says in a few words what differs of a trial's variant from the models' choice; "" of the original,
// and where no search has chosen it.
func (c *Cell) How(t *Trial) string {
	setting, known := c.settings[t.Variant]
	if !known || store.IsOriginal(t.Variant) {
		return ""
	}
	return How(setting)
}

// ByRank compares timed trials as the store's view leading_trial orders them: those with a
// complete interval first, then those of rounds, then by speed-up, then by id.
func ByRank(a, b *Trial) int {
	return cmp.Or(a.Summary.CompareTimings(*b.Summary), cmp.Compare(a.Variant, b.Variant), cmp.Compare(a.UUID, b.UUID))
}

// Counts are the trials of variants other than the original by status: those of one
// session, or of all for "".
func (c *Cell) Counts(session string) map[store.Status]int {
	counts := map[store.Status]int{}
	for i := range c.Trials {
		if t := &c.Trials[i]; t.Variant != store.Original && (session == "" || t.Session == session) {
			counts[t.Status]++
		}
	}
	return counts
}

// Name is the kernel's name, with the version where there are several, and with the target
// where that is not the processor.
func (c *Cell) Name() string {
	name := c.Kernel.Name
	if c.Version != "" {
		name += " (source " + c.Version + ")"
	}
	switch {
	case c.On.Target == "" && c.On.Timing != "":
		name += " (" + c.On.ComparedText() + ")"
	case c.On.Target != "" && c.On.Timing != "":
		name += " (" + c.On.Target + ", " + c.On.ComparedText() + ")"
	case c.On.Target != "":
		name += " (" + c.On.Target + ")"
	}
	return name
}

// compares says whether times of cells compare: those of one target, of which the same part
// was taken.
func (c *Cell) compares(other *Cell) bool {
	return c.Kernel.ID == other.Kernel.ID && c.Size == other.Size && c.On.Target == other.On.Target && c.On.Timing == other.On.Timing
}

// shortID is the beginning of a hash or of a UUID's random end that tells it from
// others on a page.
func shortID(id string) string {
	runes := []rune(id)
	return string(runes[:min(len(runes), 8)])
}
