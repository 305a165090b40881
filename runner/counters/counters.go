// Package counters counts what a processor does while a region runs, by perf stat of Linux:
// instructions, cycles, misses of caches, and floating-point operations by the width of vectors.
//
// Source: Linux, tools/perf/Documentation/perf-stat.txt.
package counters

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// event is one that perf counts.
type event struct {
	name string
	// lanes is how many floating-point operations it stands for, 0 for events of another kind.
	lanes float64
}

// The events, by what they count. Names behind the first are those of processors whose makers have
// no common one; each is asked for once.
var (
	instructions = []event{{name: "instructions"}}
	cycles       = []event{{name: "cycles"}}
	misses       = map[string][]event{
		"L1": {{name: "L1-dcache-load-misses"}},
		"L2": {{name: "l2_rqsts.miss"}, {name: "l2_cache_misses_from_dc_misses"}, {name: "l2d_cache_refill"}},
		"L3": {{name: "LLC-load-misses"}, {name: "cache-misses"}},
	}
	scalars = []event{{"fp_arith_inst_retired.scalar_double", 1}, {"fp_arith_inst_retired.scalar_single", 1}}
	vectors = []event{{"fp_arith_inst_retired.128b_packed_double", 2}, {"fp_arith_inst_retired.128b_packed_single", 4},
		{"fp_arith_inst_retired.256b_packed_double", 4}, {"fp_arith_inst_retired.256b_packed_single", 8},
		{"fp_arith_inst_retired.512b_packed_double", 8}, {"fp_arith_inst_retired.512b_packed_single", 16}}
)

// Levels are the caches whose misses are counted, in the order of their distance.
var Levels = []string{"L1", "L2", "L3"}

// Counts are what one execution of a region does, of all its threads. What is not known is nil.
type Counts struct {
	Instructions *float64 `json:"instructions,omitempty"`
	Cycles       *float64 `json:"cycles,omitempty"`
	// Misses are those of loads, by the level of the cache: L1, L2, L3.
	Misses map[string]float64 `json:"misses"`
	// Operations are those on floating-point numbers, a fused multiply-add being two, and VectorShare
	// is the part of them that vectors do.
	Operations  *float64 `json:"operations,omitempty"`
	VectorShare *float64 `json:"vector_share,omitempty"`
	// Missing are the words for what this processor, or its perf, does not count.
	Missing []string `json:"missing"`
}

// UnavailableError says why nothing can be counted, and what to do.
type UnavailableError struct{ Problem, Advice string }

// Error says both.
func (e *UnavailableError) Error() string {
	return "hardware counters cannot be read: " + e.Problem + "; " + e.Advice
}

// Perf counts by perf stat.
type Perf struct {
	path   string
	events []string
	folder string
}

// Find finds perf and asks it for each of the events. The caller closes the Perf. The error is an
// *UnavailableError where nothing can be counted.
func Find(ctx context.Context) (*Perf, error) {
	path, err := exec.LookPath("perf")
	if err != nil {
		return nil, &UnavailableError{"perf is not on PATH", "install it: linux-perf on Debian, linux-tools-common on Ubuntu, perf elsewhere"}
	}
	p := &Perf{path: path}
	if said, err := p.answers(ctx, instructions[0].name); err != nil {
		return nil, whyNot(said, err)
	}
	for _, list := range slices.Concat([][]event{instructions, cycles, misses["L1"], misses["L2"], misses["L3"]}, each(scalars), each(vectors)) {
		for _, e := range list {
			if _, err := p.answers(ctx, e.name); err == nil {
				p.events = append(p.events, e.name)
				break
			}
		}
	}
	if p.folder, err = os.MkdirTemp("", "tune-perf-"); err != nil {
		return nil, err
	}
	for _, name := range []string{p.control(), p.answer()} {
		if err := unix.Mkfifo(name, 0o600); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", name, err), p.Close())
		}
	}
	return p, nil
}

// each are lists of one event.
func each(events []event) (lists [][]event) {
	for _, e := range events {
		lists = append(lists, []event{e})
	}
	return lists
}

// errNotCounted says that perf knows an event and the processor does not count it.
var errNotCounted = errors.New("not counted")

// answers asks perf to count an event of a command that does nothing.
func (p *Perf) answers(ctx context.Context, name string) (said string, err error) {
	c := exec.CommandContext(ctx, p.path, "stat", "-x", separator, "-e", name, "--", "true")
	c.Env = append(os.Environ(), "LC_ALL=C")
	text, err := c.CombinedOutput()
	if err != nil {
		return string(text), err
	}
	if len(parse(text)) == 0 {
		return string(text), errNotCounted
	}
	return string(text), nil
}

// paranoidFile says what users may count.
const paranoidFile = "/proc/sys/kernel/perf_event_paranoid"

// whyNot says why perf does not even count instructions.
func whyNot(said string, err error) error {
	level, _ := os.ReadFile(paranoidFile)
	switch {
	case errors.Is(err, errNotCounted) && strings.Contains(said, "<not supported>"):
		return &UnavailableError{"this processor, or the host of this virtual machine, does not offer them", "count on the hardware itself"}
	case strings.Contains(said, "paranoid") || strings.Contains(said, "ermission"):
		return &UnavailableError{fmt.Sprintf("%s is %s", paranoidFile, bytes.TrimSpace(level)),
			"root allows it by sysctl kernel.perf_event_paranoid=2, and in a container by the capability PERFMON"}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	if first == "" {
		first = err.Error()
	}
	return &UnavailableError{"perf stat says: " + first, "see perf stat -e instructions true"}
}

// Close removes what Find has made.
func (p *Perf) Close() error { return os.RemoveAll(p.folder) }

func (p *Perf) control() string { return filepath.Join(p.folder, "control") }
func (p *Perf) answer() string  { return filepath.Join(p.folder, "answer") }
func (p *Perf) result() string  { return filepath.Join(p.folder, "result") }

// Words run a program under perf, which counts nothing until it is told to.
func (p *Perf) Words() []string {
	return []string{p.path, "stat", "-x", separator, "-o", p.result(), "-D", "-1", "--control", "fifo:" + p.control() + "," + p.answer(),
		"-e", strings.Join(p.events, ","), "--"}
}

// Environment tells the driver of a program whom to tell when its region begins and ends.
func (p *Perf) Environment() string { return "TUNE_PERF=" + p.control() + "\n" + p.answer() }

// separator stands between the values of a line of perf's.
const separator = ";"

// parse reads lines of perf stat -x: the value, its unit, the event. What was not counted is left
// out.
func parse(text []byte) map[string]float64 {
	found := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(line, separator)
		if len(fields) < 3 {
			continue
		}
		if value, err := strconv.ParseFloat(strings.TrimSpace(fields[0]), 64); err == nil && value >= 0 {
			name, _, _ := strings.Cut(strings.TrimSpace(fields[2]), ":")
			found[name] = value
		}
	}
	return found
}

// Read is what perf has counted in so many executions, the mean of one.
func (p *Perf) Read(executions int) (Counts, error) {
	text, err := os.ReadFile(p.result())
	if err != nil {
		return Counts{}, fmt.Errorf("perf left no result: %w; perf before version 5.10 cannot count regions", err)
	}
	return countsOf(parse(text), float64(max(executions, 1))), nil
}

// countsOf puts the counts together.
func countsOf(found map[string]float64, executions float64) Counts {
	counts := Counts{Misses: map[string]float64{}, Missing: []string{}}
	one := func(events []event) *float64 {
		for _, e := range events {
			if value, known := found[e.name]; known {
				value /= executions
				return &value
			}
		}
		return nil
	}
	counts.Instructions, counts.Cycles = one(instructions), one(cycles)
	for _, level := range Levels {
		if value := one(misses[level]); value != nil {
			counts.Misses[level] = *value
		} else {
			counts.Missing = append(counts.Missing, "misses of "+level)
		}
	}
	scalar, known := sum(found, scalars)
	vector, both := sum(found, vectors)
	if !known || !both {
		counts.Missing = append(counts.Missing, "floating-point operations by width")
		return counts
	}
	all := (scalar + vector) / executions
	counts.Operations = &all
	if all > 0 {
		share := vector / (scalar + vector)
		counts.VectorShare = &share
	}
	return counts
}

// sum adds up the operations of events; known says that any of them was counted.
func sum(found map[string]float64, events []event) (operations float64, known bool) {
	for _, e := range events {
		value, counted := found[e.name]
		operations += e.lanes * value
		known = known || counted
	}
	return operations, known
}
