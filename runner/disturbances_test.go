package runner

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// noWait is for systems on which nobody works.
func noWait() time.Duration { return watching }

// kinds are those of warnings that are complete.
func kinds(t *testing.T, warnings []Warning) string {
	t.Helper()
	var words []string
	for _, w := range warnings {
		words = append(words, w.Kind)
		if w.Message == "" || w.Advice == "" || strings.Contains(w.Message+w.Advice, "\n") {
			t.Errorf("warning %+v", w)
		}
	}
	return strings.Join(words, " ")
}

func TestSystemWarnings(t *testing.T) {
	m := Machine{CPUs: []int{0, 1}, Siblings: [][]int{{0}, {1}}, Cores: 2, Memory: 16 << 30}
	for _, c := range []struct {
		name  string
		files map[string]string
		kinds string
		words []string
	}{
		{"nothing", nil, "", nil},
		{"heat", map[string]string{"sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count": "12\n"}, "throttled", []string{"processor 1", "12 times"}},
		{"no heat", map[string]string{"sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count": "0\n"}, "", nil},
		{"part of a node", map[string]string{"sys/devices/system/cpu/online": "0-63\n"}, "cpuset", []string{"0-1", "of 0-63", "sbatch --exclusive"}},
		{"all of a node", map[string]string{"sys/devices/system/cpu/online": "0-1\n"}, "", nil},
		{"two memory nodes", map[string]string{"sys/devices/system/node/node0/cpulist": "0,2\n", "sys/devices/system/node/node1/cpulist": "1,3\n"},
			"numa", []string{"2 memory nodes (0-1)", "numactl --cpunodebind=0 --membind=0 tune --threads 1"}},
		{"one of two memory nodes", map[string]string{"sys/devices/system/node/node0/cpulist": "0-1\n", "sys/devices/system/node/node1/cpulist": "2-3\n"}, "", nil},
		{"docker", map[string]string{".dockerenv": ""}, "container", []string{"--cpuset-cpus=0-1"}},
		{"kubernetes", map[string]string{"proc/self/cgroup": "0::/kubepods.slice/pod1\n"}, "container", nil},
		{"no container", map[string]string{"proc/self/cgroup": "0::/user.slice\n"}, "", nil},
		{"swapped out", map[string]string{"proc/meminfo": "MemAvailable: 9000000 kB\nSwapTotal: 8000000 kB\nSwapFree: 6000000 kB\n"}, "swap", []string{"1.9 GiB", "swapoff"}},
		{"swap is free", map[string]string{"proc/meminfo": "MemAvailable: 9000000 kB\nSwapTotal: 8000000 kB\nSwapFree: 7999000 kB\n"}, "", nil},
		{"random addresses", map[string]string{"proc/sys/kernel/randomize_va_space": "2\n", "proc/self/personality": "00000000\n"}, "aslr", []string{"setarch -R tune"}},
		{"setarch -R", map[string]string{"proc/sys/kernel/randomize_va_space": "2\n", "proc/self/personality": "00040000\n"}, "", nil},
		{"fixed addresses", map[string]string{"proc/sys/kernel/randomize_va_space": "0\n"}, "", nil},
	} {
		root := fstest.MapFS{}
		for path, text := range c.files {
			root[path] = &fstest.MapFile{Data: []byte(text)}
		}
		found := m.disturbances(root, noWait)
		if got := kinds(t, found); got != c.kinds {
			t.Errorf("%s: warnings %q, want %q", c.name, got, c.kinds)
			continue
		}
		for _, word := range c.words {
			if text := found[0].Message + found[0].Advice; !strings.Contains(text, word) {
				t.Errorf("%s: %q is not in %q", c.name, word, text)
			}
		}
	}
}

// stat is /proc/PID/stat with these processor times in ticks.
func stat(name string, user, system int) *fstest.MapFile {
	return &fstest.MapFile{Data: fmt.Appendf(nil, "812 (%s) R 1 2 3 4 5 6 7 8 9 10 %d %d 0 0 20 0\n", name, user, system)}
}

func TestOtherProcesses(t *testing.T) {
	m := Machine{CPUs: []int{0}, Siblings: [][]int{{0}}, Cores: 1}
	idle := fstest.MapFS{
		"proc/loadavg": {Data: []byte("1.50 1.00 1.00 1/200 9\n")}, "proc/812/comm": {Data: []byte("stress ) x\n")},
		"proc/812/status": {Data: []byte("Name:\tstress\nUid:\t54321 54321 54321 54321\n")},
		"proc/812/stat":   stat("stress ) x", 100, 50), "proc/813/stat": stat("idle", 7, 7),
	}
	if found := m.disturbances(idle, noWait); kinds(t, found) != "load" {
		t.Errorf("nobody works: %+v", found)
	}
	found := m.disturbances(idle, func() time.Duration {
		idle["proc/812/stat"] = stat("stress ) x", 115, 54)
		idle["proc/814/stat"] = stat("new", 9000, 0)
		return watching
	})
	if kinds(t, found) != "processes" || !strings.Contains(found[0].Message, "stress ) x (process 812 of user 54321) uses 95% of a processor") {
		t.Errorf("one works: %+v", found)
	}
	found = m.disturbances(idle, func() time.Duration {
		idle["proc/812/stat"] = stat("stress ) x", 125, 54)
		idle["proc/813/stat"] = stat("idle", 9, 7)
		return watching
	})
	if kinds(t, found) != "processes" || !strings.Contains(found[0].Message, "2 other processes use 60% of a processor, most of it stress ) x") {
		t.Errorf("two work: %+v", found)
	}
}

func TestFormatList(t *testing.T) {
	for _, text := range []string{"", "3", "0-2", "0-2,7,9-10"} {
		if got := formatList(parseList(text)); got != text {
			t.Errorf("%q: %q", text, got)
		}
	}
}
