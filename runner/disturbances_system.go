package runner

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// throttled warns when processors have been slowed down because of heat.
func (m Machine) throttled(root fs.FS) *Warning {
	for _, cpu := range m.CPUs {
		folder := fmt.Sprintf("sys/devices/system/cpu/cpu%d/thermal_throttle/", cpu)
		for _, counter := range []string{"core_throttle_count", "package_throttle_count"} {
			if n, err := strconv.ParseUint(readText(root, folder+counter), 10, 64); err == nil && n > 0 {
				return &Warning{"throttled", fmt.Sprintf("processor %d was slowed down by heat %d times since the start of the system", cpu, n),
					fmt.Sprintf("grep . /%s*   (see whether it goes on), sensors, sudo cpupower frequency-set -u 2GHz   (a clock that it can keep)", folder)}
			}
		}
	}
	return nil
}

// cpuset warns when the system has processors that this process may not use:
// they are somebody else's.
func (m Machine) cpuset(root fs.FS) *Warning {
	online := parseList(readText(root, "sys/devices/system/cpu/online"))
	if len(m.CPUs) == 0 || len(online) <= len(m.CPUs) {
		return nil
	}
	return &Warning{"cpuset", fmt.Sprintf("this process may use processors %s, which is what is used, of %s: others on the rest share caches and memory", formatList(m.CPUs), formatList(online)),
		"ask for a node of your own: sbatch --exclusive   (or see the set: taskset -cp $$)"}
}

// formatList writes ascending numbers as the kernel does: "0-3,8".
func formatList(numbers []int) string {
	var parts []string
	for first := 0; first < len(numbers); {
		last := first
		for last+1 < len(numbers) && numbers[last+1] == numbers[last]+1 {
			last++
		}
		part := strconv.Itoa(numbers[first])
		if last > first {
			part += "-" + strconv.Itoa(numbers[last])
		}
		parts = append(parts, part)
		first = last + 1
	}
	return strings.Join(parts, ",")
}

// memoryNodes warns when the processors of timings lie in several NUMA nodes.
func (m Machine) memoryNodes(root fs.FS) *Warning {
	files, err := fs.Glob(root, "sys/devices/system/node/node[0-9]*/cpulist")
	if err != nil {
		return nil
	}
	used := map[int]int{}
	for _, file := range files {
		node, err := strconv.Atoi(strings.TrimPrefix(strings.Split(file, "/")[4], "node"))
		if err != nil {
			continue
		}
		processors := parseList(readText(root, file))
		for _, cpu := range m.TimingCPUs(0) {
			if slices.Contains(processors, cpu) {
				used[node]++
			}
		}
	}
	if len(used) < 2 {
		return nil
	}
	nodes := slices.Sorted(maps.Keys(used))
	return &Warning{"numa", fmt.Sprintf("the processors of the timings lie in %d memory nodes (%s): memory is near to some threads and far from others", len(nodes), formatList(nodes)),
		fmt.Sprintf("numactl --cpunodebind=%d --membind=%d tune --threads %d …   (one node), or leave it, if programs will run on all", nodes[0], nodes[0], used[nodes[0]])}
}

// containerWords are in the control groups' names of containers.
var containerWords = []string{"docker", "kubepods", "libpod", "containerd", "lxc"}

// container warns that other containers cannot be seen.
func (m Machine) container(root fs.FS) *Warning {
	inside := false
	for _, mark := range []string{".dockerenv", "run/.containerenv"} {
		if _, err := fs.Stat(root, mark); err == nil {
			inside = true
		}
	}
	groups := readText(root, "proc/self/cgroup")
	if !inside && !slices.ContainsFunc(containerWords, func(word string) bool { return strings.Contains(groups, word) }) {
		return nil
	}
	return &Warning{"container", "this is a container: what others do on the same processors cannot be seen from here",
		fmt.Sprintf("docker run --cpuset-cpus=%s …   (processors that nobody else gets)", formatList(m.CPUs))}
}

// swapped warns when more than a hundredth of the memory is swapped out.
func (m Machine) swapped(root fs.FS) *Warning {
	kibibytes := map[string]uint64{}
	for line := range strings.Lines(readText(root, "proc/meminfo")) {
		if fields := strings.Fields(line); len(fields) >= 2 {
			kibibytes[fields[0]], _ = strconv.ParseUint(fields[1], 10, 64)
		}
	}
	total, free := kibibytes["SwapTotal:"], kibibytes["SwapFree:"]
	if m.Memory == 0 || total <= free || (total-free)<<10 < m.Memory/100 {
		return nil
	}
	return &Warning{"swap", fmt.Sprintf("%.1f GiB of memory are swapped out: bringing them back disturbs timings", float64(total-free)/(1<<20)),
		"sudo swapoff -a && sudo swapon -a   (brings all back; needs that much free memory)"}
}

// fixedAddresses is ADDR_NO_RANDOMIZE of personality(2).
const fixedAddresses = 0x0040000

// randomAddresses warns when every process gets other addresses.
func (m Machine) randomAddresses(root fs.FS) *Warning {
	random := readText(root, "proc/sys/kernel/randomize_va_space")
	personality, err := strconv.ParseUint(readText(root, "proc/self/personality"), 16, 64)
	if random == "" || random == "0" || err == nil && personality&fixedAddresses != 0 {
		return nil
	}
	return &Warning{"aslr", "every process gets other addresses, which some programs' times depend on: medians even that out, over more rounds",
		"setarch -R tune …"}
}
