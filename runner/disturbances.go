package runner

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Warning is something about this machine that disturbs timings.
type Warning struct {
	// Kind is a short name: "governor", "turbo", "throttled", "processes", "load",
	// "smt", "quota", "cpuset", "numa", "container", "virtual", "memory", "swap"
	// or "aslr".
	Kind string `json:"kind"`
	// Message says what was found and how it disturbs.
	Message string `json:"message"`
	// Advice is what to type or do against it.
	Advice string `json:"advice"`
}

// CanBeHelped says that somebody who uses this machine can do something against the disturbance:
// what hosts do to virtual machines and containers is in nobody's hands there.
func (w Warning) CanBeHelped() bool { return w.Kind != "virtual" && w.Kind != "container" }

// watching is for how long Disturbances looks at what other processes do.
const watching = 200 * time.Millisecond

// Disturbances looks for what makes timings on this machine vary. It needs no
// privileges; some of its advice does. It takes a fifth of a second, in which it
// watches the other processes.
func (m Machine) Disturbances() []Warning {
	return m.disturbances(os.DirFS("/"), func() time.Duration {
		start := time.Now()
		time.Sleep(watching)
		return time.Since(start)
	})
}

// disturbances calls wait while it watches the other processes; wait gives its
// duration.
func (m Machine) disturbances(root fs.FS, wait func() time.Duration) []Warning {
	var found []Warning
	checks := []func(fs.FS) *Warning{m.governor, m.turbo, m.throttled,
		func(root fs.FS) *Warning { return m.others(root, wait) },
		m.siblingThreads, m.quota, m.cpuset, m.memoryNodes, m.container, m.virtualMachine, m.freeMemory, m.swapped, m.randomAddresses}
	for _, check := range checks {
		if warning := check(root); warning != nil {
			found = append(found, *warning)
		}
	}
	return found
}

func (m Machine) governor(root fs.FS) *Warning {
	for _, cpu := range m.CPUs {
		governor := readText(root, fmt.Sprintf("sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", cpu))
		if governor != "" && governor != "performance" {
			return &Warning{"governor", fmt.Sprintf("the frequency governor of processor %d is %q: the clock follows the load", cpu, governor),
				"sudo cpupower frequency-set -g performance   (in a Slurm job: srun --cpu-freq=performance)"}
		}
	}
	return nil
}

func (m Machine) turbo(root fs.FS) *Warning {
	message := "turbo is on: the clock depends on temperature and on the other cores"
	if readText(root, "sys/devices/system/cpu/intel_pstate/no_turbo") == "0" {
		return &Warning{"turbo", message, "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"}
	}
	if readText(root, "sys/devices/system/cpu/cpufreq/boost") == "1" {
		return &Warning{"turbo", message, "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"}
	}
	return nil
}

// others warns of processes that compute just now, or else of a load.
func (m Machine) others(root fs.FS, wait func() time.Duration) *Warning {
	if warning := busyProcesses(root, wait); warning != nil {
		return warning
	}
	return m.load(root)
}

// load warns when other programs keep more than a quarter of a core busy.
func (m Machine) load(root fs.FS) *Warning {
	first, _, _ := strings.Cut(readText(root, "proc/loadavg"), " ")
	load, err := strconv.ParseFloat(first, 64)
	if err != nil || load <= 0.25 {
		return nil
	}
	return &Warning{"load", fmt.Sprintf("the load average of the last minute is %.2f: other programs share the processors or have just done so", load),
		"top   (see who it is; wait, or ask for an exclusive node: salloc --exclusive)"}
}

func (m Machine) siblingThreads(root fs.FS) *Warning {
	if m.SMT {
		return &Warning{"smt", fmt.Sprintf("the %d usable processors are %d cores with several threads each: threads of one core slow each other down", len(m.CPUs), len(m.Siblings)),
			fmt.Sprintf("tune --threads %d   (one for each core, the default; in a Slurm job: srun --hint=nomultithread)", m.Cores)}
	}
	for _, cpu := range m.CPUs {
		all := parseList(readText(root, fmt.Sprintf("sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu)))
		if slices.ContainsFunc(all, func(other int) bool { return !slices.Contains(m.CPUs, other) }) {
			return &Warning{"smt", fmt.Sprintf("processor %d shares its core with processors that others may use (%v)", cpu, all),
				"ask for whole cores: sbatch --exclusive --hint=nomultithread"}
		}
	}
	return nil
}

func (m Machine) quota(fs.FS) *Warning {
	if m.Quota <= 0 || m.Quota >= float64(len(m.CPUs)) {
		return nil
	}
	return &Warning{"quota", fmt.Sprintf("the control group grants %.2f processors of the %d visible: runs are paused when they use more", m.Quota, len(m.CPUs)),
		fmt.Sprintf("tune --threads %d, or start the container with whole processors: docker run --cpuset-cpus=0-%d", m.Cores, max(m.Cores-1, 0))}
}

func (m Machine) virtualMachine(fs.FS) *Warning {
	if !m.Virtual {
		return nil
	}
	return &Warning{"virtual", "this is a virtual machine: the host moves its processors and shares them",
		"confirm the result on the hardware itself, or later by tune again TARGET, which times it anew"}
}

// freeMemory warns when less than a quarter of the memory is available.
func (m Machine) freeMemory(root fs.FS) *Warning {
	for line := range strings.Lines(readText(root, "proc/meminfo")) {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0] != "MemAvailable:" {
			continue
		}
		available, err := strconv.ParseUint(fields[1], 10, 64)
		if err == nil && m.Memory > 0 && available<<10 < m.Memory/4 {
			return &Warning{"memory", fmt.Sprintf("only %.1f of %.1f GiB of memory are available: large arrays may be swapped out", float64(available)/(1<<20), float64(m.Memory)/(1<<30)),
				"ps aux --sort=-rss | head   (see who holds it), or choose a smaller --size"}
		}
	}
	return nil
}
