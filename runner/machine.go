package runner

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Machine is what this process may use of the machine it runs on.
type Machine struct {
	// ID is a short hash of CPU, Cores, Caches, Memory in whole GiB and
	// Name: machines of equal IDs share their results.
	ID string `json:"id"`
	// Name is the setting machine.name; Host is the host's name, which is no
	// part of the identity.
	Name string `json:"name"`
	Host string `json:"host"`
	// CPU is the processor's model, Vendor its maker, Architecture the
	// instruction set in Go's words, such as "amd64".
	CPU          string `json:"cpu"`
	Vendor       string `json:"vendor"`
	Architecture string `json:"architecture"`
	// Cores is the number of cores that can work for this process at the
	// same time: those of CPUs, two threads of one core counted once, and
	// not more than a quota of the control group grants.
	Cores int `json:"cores"`
	// CPUs are the logical processors that this process may use.
	CPUs []int `json:"cpus"`
	// Siblings are the groups of CPUs that share one core, in the order of
	// their first members.
	Siblings [][]int `json:"siblings"`
	// SMT says that some core has more than one thread in CPUs.
	SMT bool `json:"smt"`
	// Quota is the control group's limit in processors; 0 for none.
	Quota float64 `json:"quota"`
	// Caches are those of the first of CPUs, innermost first.
	Caches []Cache `json:"caches"`
	// Vector is what the processor has, whatever a compiler makes of it; it is
	// no part of the identity.
	Vector Vector `json:"vector"`
	// Memory is the machine's memory in bytes.
	Memory uint64 `json:"memory"`
	// Kernel is the release of the operating system's kernel.
	Kernel string `json:"kernel"`
	// Virtual says that this is a virtual machine.
	Virtual bool `json:"virtual"`
}

// Detect finds out what this machine is; name is the setting machine.name.
func Detect(name string) (Machine, error) {
	cpus, err := usableCPUs()
	if err != nil {
		return Machine{}, fmt.Errorf("cannot find out which processors this process may use: %w", err)
	}
	var system unix.Utsname
	if err := unix.Uname(&system); err != nil {
		return Machine{}, fmt.Errorf("cannot find out what this system is: %w", err)
	}
	machine := describe(os.DirFS("/"), askConfiguration, name, cpus)
	machine.Kernel = unix.ByteSliceToString(system.Release[:])
	machine.Host = unix.ByteSliceToString(system.Nodename[:])
	return machine, nil
}

// describe reads what the files of /proc and /sys below root say, and what getconf
// says of the caches where those files do not.
func describe(root fs.FS, getconf func() string, name string, cpus []int) Machine {
	m := Machine{Name: name, CPUs: cpus, Architecture: runtime.GOARCH}
	info := readProcessorInfo(root)
	m.CPU, m.Vendor, m.Virtual = info.model, info.vendor, info.virtual
	if m.CPU == "" {
		m.CPU = m.Architecture
	}
	m.Siblings = siblings(root, cpus)
	m.SMT = len(m.Siblings) < len(cpus)
	m.Quota = cpuQuota(root)
	m.Cores = max(len(m.Siblings), 1)
	if m.Quota > 0 {
		m.Cores = min(m.Cores, max(int(math.Ceil(m.Quota-0.01)), 1))
	}
	if len(cpus) > 0 {
		if m.Caches = readCaches(root, cpus[0]); m.Caches == nil {
			m.Caches = configuredCaches(getconf(), m.Siblings[0], cpus)
		}
	}
	m.Vector = readVector(root)
	m.Memory = memory(root)
	m.ID = m.identity()
	return m
}

func (m Machine) identity() string {
	parts := []string{m.CPU, strconv.Itoa(m.Cores), strconv.FormatUint((m.Memory+1<<29)>>30, 10), m.Name}
	for _, c := range m.Caches {
		parts = append(parts, fmt.Sprintf("L%d %s %d %d-way %d shared by %d", c.Level, c.Kind, c.Size, c.Associativity, c.Line, len(c.SharedBy)))
	}
	return shortHash(parts...)
}

// TimingCPUs are the processors for a run of so many threads: one of each
// core first, then their siblings. With threads <= 0 it is one for each of
// Cores. There are never more than CPUs has.
func (m Machine) TimingCPUs(threads int) []int {
	if threads <= 0 {
		threads = m.Cores
	}
	var chosen []int
	for rank := 0; len(chosen) < min(threads, len(m.CPUs)); rank++ {
		for _, group := range m.Siblings {
			if rank < len(group) && len(chosen) < threads {
				chosen = append(chosen, group[rank])
			}
		}
	}
	return chosen
}

// usableCPUs are the processors of the affinity mask.
func usableCPUs() ([]int, error) {
	var mask unix.CPUSet
	if err := unix.SchedGetaffinity(0, &mask); err != nil {
		return nil, err
	}
	var cpus []int
	for cpu := 0; len(cpus) < mask.Count(); cpu++ {
		if mask.IsSet(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	return cpus, nil
}

// siblings groups the usable processors by core.
func siblings(root fs.FS, cpus []int) [][]int {
	var groups [][]int
	seen := map[int]bool{}
	for _, cpu := range cpus {
		if seen[cpu] {
			continue
		}
		group := []int{cpu}
		seen[cpu] = true
		for _, other := range parseList(readText(root, fmt.Sprintf("sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu))) {
			if !seen[other] && slices.Contains(cpus, other) {
				group = append(group, other)
				seen[other] = true
			}
		}
		groups = append(groups, group)
	}
	return groups
}

type processorInfo struct {
	model, vendor string
	virtual       bool
}

// readProcessorInfo reads /proc/cpuinfo: "model name" and "vendor_id" on x86,
// "CPU implementer" and "CPU part" on ARM, "cpu" on POWER.
func readProcessorInfo(root fs.FS) processorInfo {
	values := map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader([]byte(readText(root, "proc/cpuinfo"))))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		key, value, found := strings.Cut(lines.Text(), ":")
		key = strings.TrimSpace(key)
		if _, known := values[key]; found && !known {
			values[key] = strings.TrimSpace(value)
		}
	}
	info := processorInfo{model: values["model name"], vendor: values["vendor_id"]}
	info.virtual = slices.Contains(strings.Fields(values["flags"]), "hypervisor")
	if info.model == "" {
		info.model = values["cpu"]
	}
	if info.model == "" && values["CPU part"] != "" {
		info.model = "implementer " + values["CPU implementer"] + " part " + values["CPU part"]
	}
	if info.vendor == "" {
		info.vendor = values["CPU implementer"]
	}
	info.model = strings.Join(strings.Fields(info.model), " ")
	return info
}

// memory is MemTotal of /proc/meminfo in bytes.
func memory(root fs.FS) uint64 {
	for line := range strings.Lines(readText(root, "proc/meminfo")) {
		if fields := strings.Fields(line); len(fields) >= 2 && fields[0] == "MemTotal:" {
			kibibytes, _ := strconv.ParseUint(fields[1], 10, 64)
			return kibibytes << 10
		}
	}
	return 0
}

// readText is the content of a file without surrounding space; "" where it
// cannot be read.
func readText(root fs.FS, path string) string {
	text, err := fs.ReadFile(root, path)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// parseList reads the kernel's lists of numbers, such as "0-3,8".
func parseList(text string) []int {
	var list []int
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			high = low
		}
		first, err1 := strconv.Atoi(low)
		last, err2 := strconv.Atoi(high)
		if err1 != nil || err2 != nil || last-first > 1<<16 {
			continue
		}
		for n := first; n <= last; n++ {
			list = append(list, n)
		}
	}
	return list
}
