// Package energy finds out what a machine tells of the energy that programs take: by the running
// average power limits (RAPL) of processors and their memory, as Linux has them in files, and by
// the counters of NVIDIA's GPUs. The drivers of timed programs read them, in front of what is timed
// and behind it; see runner/meter.c.tmpl.
//
// Source: Linux, Documentation/power/powercap/powercap.rst.
package energy

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"polytune/internal/pattern"
)

// DefaultFolder is where Linux has the files.
const DefaultFolder = "/sys/class/powercap"

// Counter is one that counts microjoules in a file.
type Counter struct {
	// Name is that of the part of the machine, such as package-0 or dram.
	Name string
	// Path is the file, and Range the value behind which it begins at 0 again.
	Path  string
	Range uint64
}

// Meter is what is read for a run. The zero Meter reads nothing.
type Meter struct {
	Counters []Counter
	// GPU is the name of the devices whose energy is added, "" for none.
	GPU string
}

// AbsentError says why a machine does not tell what energy programs take, and what to do.
type AbsentError struct{ Problem, Advice string }

// Error says both.
func (e *AbsentError) Error() string {
	return "this machine does not tell how much energy programs take: " + e.Problem + "; " + e.Advice
}

// zonePattern are the zones of whole processors; others are parts of them, the whole machine, or
// the same counters by another way (intel-rapl-mmio).
var (
	zonePattern    = pattern.New(`^intel-rapl:\d+$`)
	subzonePattern = pattern.New(`^intel-rapl:\d+:\d+$`)
)

// Find finds the counters of processors and their memory in a folder like DefaultFolder; "" is
// that. Each is read once. The error is an *AbsentError.
func Find(folder string) (Meter, error) {
	if folder == "" {
		folder = DefaultFolder
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return Meter{}, &AbsentError{fmt.Sprintf("there is no folder %s with counters (RAPL)", folder), "virtual machines have none; use a machine of your own, or --objective time"}
	}
	var meter Meter
	packages := false
	for _, entry := range entries {
		counter, counts, err := readZone(folder, entry.Name())
		if err != nil {
			return Meter{}, err
		}
		if counts {
			meter.Counters = append(meter.Counters, counter)
			packages = packages || zonePattern.MatchString(entry.Name())
		}
	}
	if !packages {
		return Meter{}, &AbsentError{fmt.Sprintf("%s has no counter of a processor (intel-rapl:0)", folder), "load the module intel_rapl_msr, or use --objective time"}
	}
	return meter, nil
}

// readZone looks at a zone, and says whether it counts: whole processors, and memory beside them.
func readZone(folder, zone string) (counter Counter, counts bool, err error) {
	whole, part := zonePattern.MatchString(zone), subzonePattern.MatchString(zone)
	if !whole && !part {
		return Counter{}, false, nil
	}
	name, err := readText(filepath.Join(folder, zone, "name"))
	if err != nil {
		return Counter{}, false, err
	}
	if whole && !strings.HasPrefix(name, "package") || part && name != "dram" {
		return Counter{}, false, nil
	}
	counter = Counter{Name: name, Path: filepath.Join(folder, zone, "energy_uj")}
	if counter.Range, err = readNumber(filepath.Join(folder, zone, "max_energy_range_uj")); err != nil {
		return Counter{}, false, err
	}
	_, err = readNumber(counter.Path)
	return counter, err == nil, err
}

// readText is the first line of a file.
func readText(path string) (string, error) {
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "", &AbsentError{path + " must not be read", "have root run chmod a+r " + path + ", which lasts until the next boot, or use --objective time"}
	case err != nil:
		return "", &AbsentError{fmt.Sprintf("%s cannot be read (%v)", path, errors.Unwrap(err)), "use --objective time"}
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(line), nil
}

// longestQuote bounds what an error quotes of a file.
const longestQuote = 40

// readNumber is the whole number that a file begins with.
func readNumber(path string) (uint64, error) {
	text, err := readText(path)
	if err != nil {
		return 0, err
	}
	word, _, _ := strings.Cut(text, " ")
	number, err := strconv.ParseUint(word, 10, 64)
	if err != nil {
		return 0, &AbsentError{fmt.Sprintf("%s has %.*q, which is no number of microjoules", path, longestQuote, text), "use --objective time"}
	}
	return number, nil
}

// Reads says whether the meter reads anything.
func (m Meter) Reads() bool { return len(m.Counters) > 0 || m.GPU != "" }

// Environment are the entries of a run's environment from which its driver takes what to read.
func (m Meter) Environment() []string {
	var list []string
	if len(m.Counters) > 0 {
		var lines []string
		for _, c := range m.Counters {
			lines = append(lines, strconv.FormatUint(c.Range, 10)+" "+c.Path)
		}
		list = append(list, "TUNE_ENERGY="+strings.Join(lines, "\n"))
	}
	if m.GPU != "" {
		list = append(list, "TUNE_ENERGY_GPU="+m.GPU)
	}
	return list
}

// Text names what is read: "package-0, dram".
func (m Meter) Text() string {
	var names []string
	for _, c := range m.Counters {
		if !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	if m.GPU != "" {
		names = append(names, m.GPU)
	}
	return strings.Join(names, ", ")
}
