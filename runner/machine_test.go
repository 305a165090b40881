package runner

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// node is a machine of two cores with two threads each, as files.
func node() fstest.MapFS {
	files := map[string]string{
		"proc/cpuinfo": "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Intel(R)  Xeon(R) CPU\nflags\t\t: fpu hypervisor\n",
		"proc/meminfo": "MemTotal:       16316060 kB\nMemFree: 1 kB\nMemAvailable:   1000000 kB\n",
		"proc/loadavg": "1.50 0.10 0.10 1/100 4242\n",
		"sys/devices/system/cpu/intel_pstate/no_turbo":                   "0\n",
		"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor":           "powersave\n",
		"sys/devices/system/cpu/cpu0/cache/index0/level":                 "1\n",
		"sys/devices/system/cpu/cpu0/cache/index0/type":                  "Data\n",
		"sys/devices/system/cpu/cpu0/cache/index0/size":                  "48K\n",
		"sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_list":       "0,2\n",
		"sys/devices/system/cpu/cpu0/cache/index0/coherency_line_size":   "64\n",
		"sys/devices/system/cpu/cpu0/cache/index0/ways_of_associativity": "12\n",
		"sys/devices/system/cpu/cpu0/cache/index1/level":                 "1\n",
		"sys/devices/system/cpu/cpu0/cache/index1/type":                  "Instruction\n",
		"sys/devices/system/cpu/cpu0/cache/index1/size":                  "32K\n",
		"sys/devices/system/cpu/cpu0/cache/index3/level":                 "3\n",
		"sys/devices/system/cpu/cpu0/cache/index3/type":                  "Unified\n",
		"sys/devices/system/cpu/cpu0/cache/index3/size":                  "32M\n",
		"sys/devices/system/cpu/cpu0/cache/index3/shared_cpu_list":       "0-3\n",
	}
	root := fstest.MapFS{}
	for path, text := range files {
		root[path] = &fstest.MapFile{Data: []byte(text)}
	}
	for cpu, list := range []string{"0,2", "1,3", "0,2", "1,3"} {
		root[fmt.Sprintf("sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu)] = &fstest.MapFile{Data: []byte(list + "\n")}
	}
	return root
}

func TestDescribe(t *testing.T) {
	m := describe(node(), silent, "n1", []int{0, 1, 2, 3})
	if m.CPU != "Intel(R) Xeon(R) CPU" || m.Vendor != "GenuineIntel" || !m.Virtual || !m.SMT || m.Cores != 2 || m.Memory != 16316060<<10 {
		t.Errorf("machine %+v", m)
	}
	if want := [][]int{{0, 2}, {1, 3}}; !reflect.DeepEqual(m.Siblings, want) {
		t.Errorf("siblings %v", m.Siblings)
	}
	want := Cache{Level: 1, Kind: "Data", Size: 48 << 10, Line: 64, Associativity: 12, SharedBy: []int{0, 2}}
	if m.Vector.Set != "" {
		t.Errorf("vectors %+v", m.Vector)
	}
	if c, known := m.DataCaches(); !known || len(c) != 2 || !reflect.DeepEqual(c[0], want) || c[1].Size != 32<<20 || len(c[1].SharedBy) != 4 {
		t.Errorf("caches %+v", c)
	}
	for threads, want := range map[int][]int{0: {0, 1}, 1: {0}, 3: {0, 1, 2}, 9: {0, 1, 2, 3}} {
		if got := m.TimingCPUs(threads); !slices.Equal(got, want) {
			t.Errorf("%d threads on %v, want %v", threads, got, want)
		}
	}
	var kinds []string
	for _, w := range m.disturbances(node(), noWait) {
		kinds = append(kinds, w.Kind)
		if w.Message == "" || w.Advice == "" {
			t.Errorf("warning %+v", w)
		}
	}
	if want := "governor turbo load smt virtual memory"; strings.Join(kinds, " ") != want {
		t.Errorf("warnings %v, want %s", kinds, want)
	}
}

func TestIdentity(t *testing.T) {
	all := []int{0, 1, 2, 3}
	base := describe(node(), silent, "", all).ID
	rebooted := node()
	rebooted["proc/meminfo"] = &fstest.MapFile{Data: []byte("MemTotal: 16316900 kB\n")}
	if describe(rebooted, silent, "", all).ID != base {
		t.Error("a few pages of memory change the identity")
	}
	changed := map[string]Machine{"name": describe(node(), silent, "x", all), "cores": describe(node(), silent, "", []int{0, 2})}
	for file, text := range map[string]string{
		"proc/cpuinfo": "model name: other\n", "proc/meminfo": "MemTotal: 33000000 kB\n",
		"sys/devices/system/cpu/cpu0/cache/index3/size": "16M\n",
	} {
		other := node()
		other[file] = &fstest.MapFile{Data: []byte(text)}
		changed[file] = describe(other, silent, "", all)
	}
	for what, m := range changed {
		if m.ID == base {
			t.Errorf("another %s has the same identity", what)
		}
	}
}

func TestQuota(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		quota float64
		cores int
	}{
		{"none", map[string]string{"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/cpu.max": "max 100000\n"}, 0, 2},
		{"v2 of the parent", map[string]string{"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/cpu.max": "max 100000\n", "sys/fs/cgroup/a/cpu.max": "150000 100000\n"}, 1.5, 2},
		{"v1", map[string]string{"proc/self/cgroup": "4:memory:/x\n1:cpu,cpuacct:/j\n", "sys/fs/cgroup/cpu,cpuacct/j/cpu.cfs_quota_us": "50000\n", "sys/fs/cgroup/cpu,cpuacct/j/cpu.cfs_period_us": "100000\n"}, 0.5, 1},
		{"v1 unlimited", map[string]string{"proc/self/cgroup": "1:cpu:/\n", "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n", "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n"}, 0, 2},
	} {
		root := node()
		for path, text := range c.files {
			root[path] = &fstest.MapFile{Data: []byte(text)}
		}
		m := describe(root, silent, "", []int{0, 1, 2, 3})
		if m.Quota != c.quota || m.Cores != c.cores {
			t.Errorf("%s: quota %v cores %d, want %v and %d", c.name, m.Quota, m.Cores, c.quota, c.cores)
		}
		if warned := slices.ContainsFunc(m.disturbances(root, noWait), func(w Warning) bool { return w.Kind == "quota" }); warned != (c.quota > 0) {
			t.Errorf("%s: warned %v", c.name, warned)
		}
	}
}

// TestBareSystem describes a system that reveals nothing.
func TestBareSystem(t *testing.T) {
	m := describe(fstest.MapFS{}, silent, "", []int{5})
	if m.Cores != 1 || m.CPU == "" || m.ID == "" || len(m.disturbances(fstest.MapFS{}, noWait)) != 0 {
		t.Errorf("machine %+v", m)
	}
}

func TestDetect(t *testing.T) {
	m, err := Detect("here")
	if err != nil {
		t.Fatal(err)
	}
	again, _ := Detect("here")
	if m.ID != again.ID || m.Cores < 1 || m.Memory == 0 || m.Kernel == "" || m.Name != "here" {
		t.Errorf("machine %+v", m)
	}
	m.Disturbances()
	text, err := json.Marshal(m)
	var back Machine
	if err != nil || json.Unmarshal(text, &back) != nil || !reflect.DeepEqual(m, back) {
		t.Errorf("JSON %s", text)
	}
}

func TestParseList(t *testing.T) {
	for text, want := range map[string][]int{"": nil, "3": {3}, "0-2,7": {0, 1, 2, 7}, "x,1": {1}, "5-3": nil} {
		if got := parseList(text); !slices.Equal(got, want) {
			t.Errorf("%q: %v", text, got)
		}
	}
}
