package report

import (
	"cmp"
	"strings"

	"polytune/device"
	"polytune/isl/points"
	"polytune/runner"
	"polytune/runner/counters"
	"polytune/schedule/profile"
	"polytune/scop"
	"polytune/scop/mark"
	"polytune/transform"
)

// Variant is what an explanation is made of.
type Variant struct {
	Program *scop.Program
	Profile *profile.Profile
	// Loops are facts about the loops without their tiles, by name.
	Loops map[string]transform.LoopFacts
	// Obstacles are what keeps loops in order, by name, and Source where references stand. FreedBy
	// are flags that take an obstacle away; nil where none was tried.
	Obstacles map[string][]transform.Obstacle
	Source    CSource
	FreedBy   func(transform.Obstacle) []string
	// Declined is what the code lacks of the schedule.
	Declined []mark.Declined
	// ConcurrentStart says that the tiles of a wavefront start together.
	ConcurrentStart bool
	// TileSizes says in a few words who has chosen the sizes of tiles.
	TileSizes string
	Machine   runner.Machine
	// Threads is the number of threads of parallel loops.
	Threads int
	// Peaks are what the machine can do at most; nil where that is not known.
	Peaks *runner.Peaks
	// Seconds is the time of the variant; 0 where it has not been measured.
	Seconds float64
}

// Explanation says what a variant does, why, and how fast that can be.
type Explanation struct {
	Threads int                `json:"threads"`
	Classes []ClassExplanation `json:"classes"`
	// Operations are floating-point ones, of all classes.
	Operations points.Count `json:"operations"`
	// Traffic is the sum of the classes' compulsory traffic in bytes.
	Traffic points.Count `json:"traffic"`
	// Memory is what the code makes for arrays that are none of the source's.
	Memory []MemoryExplanation `json:"memory"`
	// Seconds is the sum of the classes' bounds, the least time there is; 0
	// where the machine's peaks are not known.
	Seconds float64 `json:"seconds"`
	// Peak is the machine's floating-point rate with so many threads, in
	// operations a second; 0 where it is not known.
	Peak float64 `json:"peak"`
	// Decisions are the answers of the models' strategies, those that are not taken, too; none where
	// a recipe says what is done.
	Decisions []transform.Decision `json:"decisions"`
	// Measured is nil where the variant has not been timed.
	Measured *Measured `json:"measured"`
	// Counted is what the processor's counters said of one execution; nil where nobody asked, or
	// where NotCounted says why they could not be read.
	Counted    *counters.Counts `json:"counters,omitempty"`
	NotCounted string           `json:"no_counters,omitempty"`
	// Declined is what the code lacks of the schedule.
	Declined []DeclinedExplanation `json:"declined"`
	// Hints say what is in the way of classes that do not run in parallel.
	Hints []Hint `json:"hints"`
	// IdleBarriers are the commands of barriers of a device that nothing needs.
	IdleBarriers []string `json:"idle_barriers,omitempty"`
	// Kernels are those of a device, with the estimate of how many of their blocks run at once.
	Kernels []device.KernelReport `json:"kernels,omitempty"`
}

// MemoryExplanation is about memory that the code makes.
type MemoryExplanation struct {
	Array string `json:"array"`
	// Of is what of the source is in it, "" for values of a temporary.
	Of string `json:"of,omitempty"`
	// Extents are those of the dimensions, none of a variable; Bytes is the size of all.
	Extents []int64 `json:"extents"`
	Bytes   int64   `json:"bytes"`
	// Loop is the one in each of whose iterations it is made, "" for memory that is made once in front
	// of all loops; OfThreads says that each thread has its own.
	Loop      string `json:"loop,omitempty"`
	OfThreads bool   `json:"of_threads"`
}

// memoryExplanations are those of a profile.
func memoryExplanations(p *profile.Profile) []MemoryExplanation {
	list := []MemoryExplanation{}
	for _, m := range p.Memories {
		list = append(list, MemoryExplanation{Array: m.Array, Of: m.Of, Extents: append([]int64{}, m.Extents...), Bytes: m.Bytes, Loop: m.Loop, OfThreads: m.Own})
	}
	return list
}

// Measured compares a time with what the machine can do.
type Measured struct {
	Seconds float64 `json:"seconds"`
	// Rate is in floating-point operations a second.
	Rate float64 `json:"rate"`
	// OfPeak is the fraction that Rate is of the peak, OfBound the fraction
	// that the bound is of the time; 0 where the peaks are not known.
	OfPeak  float64 `json:"of_peak"`
	OfBound float64 `json:"of_bound"`
}

// ClassExplanation is about one class of statements.
type ClassExplanation struct {
	Statements []string     `json:"statements"`
	Instances  points.Count `json:"instances"`
	// Operations are floating-point ones; Integer are those of statements that
	// compute integers.
	Operations points.Count `json:"operations"`
	Integer    points.Count `json:"integer_operations"`
	// Data is the size of the different elements, Traffic that of those that
	// have to be loaded or stored, in bytes.
	Data    points.Count       `json:"data"`
	Traffic points.Count       `json:"traffic"`
	Arrays  []ArrayExplanation `json:"arrays"`
	// Intensity is in floating-point operations for each byte of Traffic; 0
	// without traffic.
	Intensity float64         `json:"intensity"`
	Bound     *Bound          `json:"bound"`
	Nest      NodeExplanation `json:"nest"`
}

// ArrayExplanation is how many elements of an array a class touches.
type ArrayExplanation struct {
	Name         string       `json:"name"`
	ElementBytes int          `json:"element_bytes"`
	Elements     points.Count `json:"elements"`
	Loaded       points.Count `json:"loaded"`
	Stored       points.Count `json:"stored"`
}

// Bound is the least time of a class on this machine: the roofline model
// (Williams, Waterman and Patterson, CACM 52(4), 2009).
type Bound struct {
	// Threads is the number of threads it runs on.
	Threads int `json:"threads"`
	// By is "computation" or "memory", whichever takes longer.
	By string `json:"by"`
	// Computation is the operations divided by their peak, Memory the traffic
	// by the bandwidth of the innermost level that holds all of the data:
	// Level, a cache's, or 0 for the memory. Seconds is the larger.
	Computation float64 `json:"computation"`
	Memory      float64 `json:"memory"`
	Level       int     `json:"level"`
	Seconds     float64 `json:"seconds"`
}

// Explain makes the explanation of a variant.
func Explain(v Variant) Explanation {
	e := Explanation{Threads: v.Threads, Classes: []ClassExplanation{}, Memory: memoryExplanations(v.Profile), Hints: []Hint{}, Declined: DeclinedExplanations(v.Declined), Operations: points.Count{Exact: true}, Traffic: points.Count{Exact: true}}
	elementBytes, most := 8, 0.0
	for _, c := range v.Profile.Classes {
		class := v.class(c)
		e.Classes = append(e.Classes, class)
		e.Operations = e.Operations.Add(class.Operations)
		e.Traffic = e.Traffic.Add(class.Traffic)
		if class.Bound != nil {
			e.Seconds += class.Bound.Seconds
		}
		if class.Operations.Value > most {
			most, elementBytes = class.Operations.Value, c.ElementBytes
		}
	}
	if rate, ok := v.rate(v.Threads); ok {
		e.Peak = rate.Operations(elementBytes)
	}
	if v.Seconds > 0 {
		e.Measured = &Measured{Seconds: v.Seconds, Rate: e.Operations.Value / v.Seconds, OfBound: e.Seconds / v.Seconds}
		if e.Peak > 0 {
			e.Measured.OfPeak = e.Measured.Rate / e.Peak
		}
	}
	return e
}

// rate is the machine's peak with so many threads.
func (v *Variant) rate(threads int) (runner.Rate, bool) {
	if v.Peaks == nil {
		return runner.Rate{}, false
	}
	return v.Peaks.At(threads)
}

func (v *Variant) class(c *profile.Class) ClassExplanation {
	e := ClassExplanation{Instances: c.Instances, Operations: c.Floating, Integer: c.Integer, Data: c.Data(), Traffic: c.Traffic(), Arrays: []ArrayExplanation{}}
	for _, s := range c.Statements {
		e.Statements = append(e.Statements, v.Program.Statements[s].Spelling())
	}
	for _, a := range c.Arrays {
		e.Arrays = append(e.Arrays, ArrayExplanation(a))
	}
	if e.Traffic.Value > 0 {
		e.Intensity = e.Operations.Value / e.Traffic.Value
	}
	threads, coded := 1, v.coded(c.Node)
	if coded.HasThreads() {
		threads = v.Threads
	}
	e.Bound = v.bound(c, threads)
	e.Nest = v.node(c.Node, coded, surroundings{threads: coded.HasThreads()})
	return e
}

// bound is the least time of a class; nil where the peaks are not known.
func (v *Variant) bound(c *profile.Class, threads int) *Bound {
	rate, ok := v.rate(threads)
	if !ok {
		return nil
	}
	b := &Bound{Threads: threads, By: "computation", Level: v.holds(c.Data().Value, threads)}
	if peak := rate.Operations(cmp.Or(c.ElementBytes, 8)); peak > 0 {
		b.Computation = c.Floating.Value / peak
	}
	if bandwidth, ok := bandwidthOf(rate, b.Level); ok {
		b.Level = bandwidth.Level
		b.Memory = c.Traffic().Value / bandwidth.Rate
	}
	b.Seconds = b.Computation
	if b.Memory > b.Computation {
		b.By, b.Seconds = "memory", b.Memory
	}
	return b
}

// holds is the level of the innermost caches that hold so many bytes together
// on the processors of so many threads; 0 for none.
func (v *Variant) holds(bytes float64, threads int) int {
	cpus := v.Machine.TimingCPUs(threads)
	caches, _ := v.Machine.DataCaches()
	for _, c := range caches {
		if bytes <= float64(c.Share(cpus)*int64(max(threads, 1))) {
			return c.Level
		}
	}
	return 0
}

// bandwidthOf is the bandwidth of a level, or of the next one outside that has
// been measured; ok is false where none has.
func bandwidthOf(rate runner.Rate, level int) (found runner.Bandwidth, ok bool) {
	for _, b := range rate.Bandwidths {
		if b.Rate > 0 && (b.Level == 0 || level > 0 && b.Level >= level) {
			return b, true
		}
	}
	return found, false
}

// names joins statements as {S0 S1}.
func names(statements []string) string { return "{" + strings.Join(statements, " ") + "}" }
