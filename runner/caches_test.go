package runner

import (
	"fmt"
	"reflect"
	"testing"
	"testing/fstest"
)

// sysCache is one cache of processor 0 as files.
type sysCache struct{ level, kind, size, line, ways, shared string }

func sysTree(caches ...sysCache) fstest.MapFS {
	root := fstest.MapFS{}
	for k, c := range caches {
		for name, text := range map[string]string{"level": c.level, "type": c.kind, "size": c.size,
			"coherency_line_size": c.line, "ways_of_associativity": c.ways, "shared_cpu_list": c.shared} {
			if text != "" {
				root[fmt.Sprintf("sys/devices/system/cpu/cpu0/cache/index%d/%s", k, name)] = &fstest.MapFile{Data: []byte(text + "\n")}
			}
		}
	}
	return root
}

// silent is a system without getconf.
func silent() string { return "" }

// TestConfiguredCaches has what glibc prints on a virtual AMD Zen 5 whose kernel lists no
// caches: the third is that of all chiplets.
func TestConfiguredCaches(t *testing.T) {
	const text = `PATH                               /bin:/usr/bin
LEVEL1_ICACHE_SIZE                 32768
LEVEL1_ICACHE_ASSOC
LEVEL1_ICACHE_LINESIZE             64
LEVEL1_DCACHE_SIZE                 49152
LEVEL1_DCACHE_ASSOC                12
LEVEL1_DCACHE_LINESIZE             64
LEVEL2_CACHE_SIZE                  1048576
LEVEL2_CACHE_ASSOC                 8
LEVEL2_CACHE_LINESIZE              64
LEVEL3_CACHE_SIZE                  532676608
LEVEL3_CACHE_ASSOC                 0
LEVEL3_CACHE_LINESIZE              64
LEVEL4_CACHE_SIZE
`
	want := []Cache{{1, "Data", 48 << 10, 64, 12, []int{0}}, {2, "Unified", 1 << 20, 64, 8, []int{0}}, {3, "Unified", 32 << 20, 64, 8, []int{0, 1}}}
	of := func(root fstest.MapFS) Machine {
		return describe(root, func() string { return text }, "", []int{0, 1})
	}
	if got, known := of(fstest.MapFS{}).DataCaches(); !known || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, known %v", got, known)
	}
	kernels := sysTree(sysCache{"1", "Data", "32K", "64", "8", "0"})
	if got := of(kernels).Caches; len(got) != 1 || got[0].Size != 32<<10 {
		t.Errorf("where the kernel lists caches these are taken, not %+v", got)
	}
}

func TestDataCaches(t *testing.T) {
	assumed := []Cache{{1, "Data", 32 << 10, 64, 8, []int{0}}, {2, "Unified", 256 << 10, 64, 8, []int{0}}}
	for name, c := range map[string]struct {
		root  fstest.MapFS
		want  []Cache
		known bool
	}{
		"EPYC": {sysTree(sysCache{"1", "Data", "32K", "64", "8", "0"}, sysCache{"1", "Instruction", "32K", "64", "8", "0"},
			sysCache{"2", "Unified", "512K", "64", "8", "0"}, sysCache{"3", "Unified", "32768K", "64", "16", "0-1"}),
			[]Cache{{1, "Data", 32 << 10, 64, 8, []int{0}}, {2, "Unified", 512 << 10, 64, 8, []int{0}}, {3, "Unified", 32 << 20, 64, 16, []int{0, 1}}}, true},
		"A64FX, lines of 256 bytes, two levels": {sysTree(sysCache{"1", "Data", "64K", "256", "4", "0"}, sysCache{"2", "Unified", "8192K", "256", "16", "0-11"}),
			[]Cache{{1, "Data", 64 << 10, 256, 4, []int{0}}, {2, "Unified", 8 << 20, 256, 16, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}}, true},
		"no lines, no associativities": {sysTree(sysCache{"1", "Data", "48K", "", "", "0"}), []Cache{{1, "Data", 48 << 10, 64, 8, []int{0}}}, true},
		"only the last level": {sysTree(sysCache{"3", "Unified", "16M", "64", "16", "0-3"}),
			append(append([]Cache{}, assumed...), Cache{3, "Unified", 16 << 20, 64, 16, []int{0, 1, 2, 3}}), true},
		"only the second level": {sysTree(sysCache{"2", "Unified", "1M", "64", "16", "0"}),
			[]Cache{assumed[0], {2, "Unified", 1 << 20, 64, 16, []int{0}}}, true},
		"none":                           {fstest.MapFS{}, assumed, false},
		"sizes the kernel does not know": {sysTree(sysCache{"1", "Data", "", "64", "", "0"}), assumed, false},
	} {
		got, known := describe(c.root, silent, "", []int{0}).DataCaches()
		if known != c.known || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, known %v", name, got, known)
		}
	}
}

func TestShare(t *testing.T) {
	c := Cache{Size: 1200, SharedBy: []int{0, 1, 2, 3}}
	for _, test := range []struct {
		cpus []int
		want int64
	}{{nil, 1200}, {[]int{2}, 1200}, {[]int{0, 3}, 600}, {[]int{0, 1, 2, 3, 4, 5, 6, 7}, 300}, {[]int{9}, 1200}} {
		if got := c.Share(test.cpus); got != test.want {
			t.Errorf("share of %v is %d, want %d", test.cpus, got, test.want)
		}
	}
}
