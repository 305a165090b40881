package runner

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"time"
)

// Peaks are the most that programs of a toolchain get out of a machine.
type Peaks struct {
	// Vector is what the programs use.
	Vector Vector `json:"vector"`
	// Rates are those of 1, 2, 4, … threads and of all, in this order.
	Rates []Rate `json:"rates"`
}

// Rate is what so many threads do together, each on a core of its own as far as
// there are some.
type Rate struct {
	Threads int `json:"threads"`
	// Double and Single are floating-point operations a second, a sum and a
	// product each counting one, on elements of 8 and of 4 bytes.
	Double float64 `json:"double"`
	Single float64 `json:"single"`
	// Bandwidths are those of the caches that can be told apart, innermost
	// first, and then that of the memory.
	Bandwidths []Bandwidth `json:"bandwidths"`
}

// Bandwidth is how fast data streams through a level of the memory hierarchy.
type Bandwidth struct {
	// Level is that of a cache; 0 is the memory.
	Level int `json:"level"`
	// Bytes is the size of the data that each thread streamed.
	Bytes int64 `json:"bytes"`
	// Rate is in bytes a second of all threads, counted as STREAM does
	// (McCalpin, 1995): two elements read and one written for each triad
	// a = b + s·c; what a cache reads before it writes does not count.
	Rate float64 `json:"rate"`
}

// At is the rate of so many threads, or of the next smaller number that was
// measured; ok is false where none was.
func (p Peaks) At(threads int) (rate Rate, ok bool) {
	for _, r := range p.Rates {
		if !ok || r.Threads <= threads {
			rate, ok = r, true
		}
	}
	return rate, ok
}

// Operations is the rate for elements of so many bytes.
func (r Rate) Operations(bytes int) float64 {
	if bytes <= 4 {
		return r.Single
	}
	return r.Double
}

//go:embed peaks.c.tmpl
var peaksTemplate string

// peaksProgram is the template's instance for vectors of so many bytes and
// a number of registers: three quarters of them accumulate, which is more than
// latency times throughput of any processor's units.
func peaksProgram(v Vector) (string, error) {
	parsed, err := template.New("peaks.c").Parse(peaksTemplate)
	if err != nil {
		return "", err
	}
	data := struct {
		Bytes        int
		Accumulators []int
		Types        []string
	}{Bytes: 16, Types: []string{"double", "float"}}
	if v.Bits > 0 {
		data.Bytes = v.Bits / 8
	}
	for k := range min(max(v.Registers*3/4, 6), 24) {
		data.Accumulators = append(data.Accumulators, k)
	}
	var text strings.Builder
	err = parsed.Execute(&text, data)
	return text.String(), err
}

// peaksLimit bounds the measurement with one number of threads.
const peaksLimit = 60 * time.Second

// MeasurePeaks builds the benchmark program with the toolchain's flags and runs
// it with 1, 2, 4, … and all of so many threads; 0 means one for each core. It takes about a
// second for each. The caller has the timing lock. Failures of the compiler
// are a *CompileError, those of the program a *RunError.
func MeasurePeaks(ctx context.Context, m Machine, t Toolchain, threads int) (Peaks, error) {
	work, err := os.MkdirTemp("", "tune-")
	if err != nil {
		return Peaks{}, fmt.Errorf("no working directory (set TMPDIR to a writable one): %w", err)
	}
	defer os.RemoveAll(work)
	program, err := t.buildPeaks(ctx, work)
	if err != nil {
		return Peaks{}, err
	}
	peaks := Peaks{Rates: []Rate{}}
	if t.Vector != nil {
		peaks.Vector = *t.Vector
	}
	for _, n := range threadCounts(len(m.TimingCPUs(threads))) {
		rate, err := t.measureRate(ctx, m, program, m.TimingCPUs(n))
		if err != nil {
			return Peaks{}, fmt.Errorf("the peaks of %d threads: %w", n, err)
		}
		if n > 1 && rate.Threads == 1 {
			break // the flags are without OpenMP
		}
		peaks.Rates = append(peaks.Rates, rate)
	}
	return peaks, nil
}

// buildPeaks compiles the program in a folder.
func (t *Toolchain) buildPeaks(ctx context.Context, folder string) (string, error) {
	var vector Vector
	if t.Vector != nil {
		vector = *t.Vector
	}
	text, err := peaksProgram(vector)
	if err != nil {
		return "", err
	}
	source, program := filepath.Join(folder, "peaks.c"), filepath.Join(folder, "peaks")
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		return "", fmt.Errorf("cannot write into %s: %w", folder, err)
	}
	arguments := append(append(slices.Clone(t.Flags), source, "-o", program), t.Libraries...)
	_, err = t.ask(ctx, arguments...)
	return program, err
}

// threadCounts are 1, 2, 4, … and all.
func threadCounts(all int) []int {
	var counts []int
	for n := 1; n < all; n *= 2 {
		counts = append(counts, n)
	}
	return append(counts, max(all, 1))
}

// measureRate runs the program with one thread on each of the processors.
func (t *Toolchain) measureRate(ctx context.Context, m Machine, program string, cpus []int) (Rate, error) {
	sets := m.workingSets(cpus)
	argv := []string{program}
	for _, s := range sets {
		argv = append(argv, strconv.FormatInt(s.Bytes, 10))
	}
	request := RunRequest{Threads: len(cpus), CPUs: cpus}
	outcome, err := Execute(ctx, Command{Argv: argv, Env: request.environment(t.Runtime, t.Environment), CPUs: cpus, Limit: peaksLimit})
	if err != nil {
		return Rate{}, err
	}
	if failure := runFailure(outcome, peaksLimit); failure != nil {
		return Rate{}, failure
	}
	rate, err := readRate(string(outcome.Stdout), sets)
	return rate, invalid(err, outcome)
}

// workingSets are the levels of the memory hierarchy and the data to stream
// through each: half of what a thread on one of the processors has of a cache,
// or three quarters where that is little more than it has of the cache inside; caches
// that are too small for that are left out. For the memory it is four times
// the last caches together, and at most a quarter of it.
func (m Machine) workingSets(cpus []int) []Bandwidth {
	caches, _ := m.DataCaches()
	var sets []Bandwidth
	inside := int64(0)
	for _, c := range caches {
		share := c.Share(cpus)
		bytes := share / 2
		if bytes < 2*inside {
			bytes = share * 3 / 4
		}
		if 2*bytes >= 3*inside {
			sets = append(sets, Bandwidth{Level: c.Level, Bytes: bytes})
			inside = share
		}
	}
	threads := int64(max(len(cpus), 1))
	last := caches[len(caches)-1]
	all := max(4*last.Share(cpus)*threads, leastStream)
	if m.Memory > 0 {
		all = min(all, int64(m.Memory/4))
	}
	return append(sets, Bandwidth{Bytes: all / threads})
}

// leastStream is the least number of bytes that are streamed from memory, for
// caches that the system does not tell of.
const leastStream = 64 << 20

// readRate reads what the program prints: lines of a word, the bytes, and the
// rate.
func readRate(text string, sets []Bandwidth) (Rate, error) {
	rate := Rate{}
	for line := range strings.Lines(text) {
		var word string
		var bytes int64
		var value float64
		if n, _ := fmt.Sscanf(line, "threads %d", &rate.Threads); n == 1 {
			continue
		}
		if _, err := fmt.Sscan(line, &word, &bytes, &value); err != nil || !(value > 0) || math.IsInf(value, 0) {
			return Rate{}, fmt.Errorf("the program says %q, which is no rate", strings.TrimSpace(line))
		}
		switch word {
		case "double":
			rate.Double = value
		case "float":
			rate.Single = value
		case "triad":
			if len(rate.Bandwidths) == len(sets) {
				return Rate{}, errors.New("the program has measured more triads than it was asked for")
			}
			level := sets[len(rate.Bandwidths)]
			rate.Bandwidths = append(rate.Bandwidths, Bandwidth{Level: level.Level, Bytes: bytes, Rate: value})
		}
	}
	if rate.Threads < 1 || rate.Double == 0 || rate.Single == 0 || len(rate.Bandwidths) != len(sets) {
		return Rate{}, errors.New("the program has not measured everything")
	}
	return rate, nil
}
