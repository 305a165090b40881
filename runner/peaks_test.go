package runner

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/target/openmp/omp"
)

// TestMeasurePeaks measures with whatever compilers there are, and compares
// what must be so on any machine. Nothing is compared with a second timing, two
// threads with one or floats with doubles: the machine may be busy.
// TestPeaksWork shows that the loops are what they are taken for.
func TestMeasurePeaks(t *testing.T) {
	m, err := Detect("")
	if err != nil {
		t.Fatal(err)
	}
	small := m
	small.Caches, small.Memory = m.Caches[:min(1, len(m.Caches))], 256<<20
	for _, compiler := range []string{"gcc", "clang", "clang-16"} {
		if _, err := exec.LookPath(compiler); err != nil {
			continue
		}
		if _, err := exec.LookPath("clang"); compiler == "clang-16" && err == nil && !kerneltest.Long() {
			continue // one clang is enough
		}
		t.Run(compiler, func(t *testing.T) {
			spec := ToolchainSpec{Runtime: omp.Runtime{}, Name: compiler, Command: compiler, Flags: []string{"-O3", "-march=native", "-fopenmp"}, Libraries: []string{"-lm"}}
			toolchain, err := FindToolchain(t.Context(), spec)
			if err != nil {
				spec.Flags = spec.Flags[:2]
				if toolchain, err = FindToolchain(t.Context(), spec); err != nil {
					t.Skip(err)
				}
			}
			peaks, err := MeasurePeaks(t.Context(), small, toolchain, 1)
			if err != nil {
				t.Fatal(err)
			}
			checkPeaks(t, peaks)
			t.Logf("%+v", peaks)
		})
	}
}

func checkPeaks(t *testing.T, peaks Peaks) {
	t.Helper()
	one, ok := peaks.At(1)
	if !ok || one.Threads != 1 || len(one.Bandwidths) < 1 {
		t.Fatalf("%+v", peaks)
	}
	memory := one.Bandwidths[len(one.Bandwidths)-1]
	switch {
	case one.Double < 1e8 || one.Double > 1e13 || one.Single < 1e8 || one.Single > 1e13:
		t.Errorf("%g operations a second on doubles, %g on floats", one.Double, one.Single)
	case memory.Level != 0 || memory.Rate < 1e8 || memory.Rate > 1e13:
		t.Errorf("memory %+v", memory)
	}
}

// TestPeaksWork looks into the machine code: the accumulators are in registers
// and their operations vector instructions, as many as the program counts.
func TestPeaksWork(t *testing.T) {
	if _, err := exec.LookPath("objdump"); err != nil {
		t.Skip("no objdump")
	}
	toolchain := gcc(t)
	toolchain.Flags = append(slices.Clone(toolchain.Flags), "-O3")
	if toolchain.Vector == nil || !strings.HasPrefix(toolchain.Vector.Set, "AVX") || !toolchain.Vector.Fused {
		t.Skip("not an x86 processor with fused operations")
	}
	program, err := toolchain.buildPeaks(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	code, err := exec.Command("objdump", "-d", "--no-show-raw-insn", program).Output()
	if err != nil {
		t.Skip(err)
	}
	_, function, _ := strings.Cut(string(code), "<steps_double>:")
	function, _, _ = strings.Cut(function, "\n\n")
	fused := strings.Count(function, "vfmadd")
	if want := min(toolchain.Vector.Registers*3/4, 24); fused < want || fused%want != 0 {
		t.Errorf("%d fused operations, want %d or a multiple\n%s", fused, want, function)
	}
}

func TestWorkingSets(t *testing.T) {
	level := func(level int, size int64, sharing int) Cache {
		c := Cache{Level: level, Kind: "Unified", Size: size}
		for cpu := range sharing {
			c.SharedBy = append(c.SharedBy, cpu)
		}
		return c
	}
	for name, c := range map[string]struct {
		caches  []Cache
		memory  uint64
		threads int
		want    []Bandwidth
	}{
		"EPYC, one":     {[]Cache{level(1, 32<<10, 1), level(2, 512<<10, 1), level(3, 32<<20, 2)}, 24 << 30, 1, []Bandwidth{{1, 16 << 10, 0}, {2, 256 << 10, 0}, {3, 16 << 20, 0}, {0, 128 << 20, 0}}},
		"EPYC, two":     {[]Cache{level(1, 32<<10, 1), level(2, 512<<10, 1), level(3, 32<<20, 2)}, 24 << 30, 2, []Bandwidth{{1, 16 << 10, 0}, {2, 256 << 10, 0}, {3, 8 << 20, 0}, {0, 64 << 20, 0}}},
		"L3 is small":   {[]Cache{level(1, 32<<10, 1), level(2, 2<<20, 1), level(3, 16<<20, 8)}, 24 << 30, 8, []Bandwidth{{1, 16 << 10, 0}, {2, 1 << 20, 0}, {0, 8 << 20, 0}}},
		"L3 is twice":   {[]Cache{level(2, 1<<20, 1), level(3, 16<<20, 8)}, 24 << 30, 8, []Bandwidth{{1, 16 << 10, 0}, {2, 512 << 10, 0}, {3, 3 << 19, 0}, {0, 8 << 20, 0}}},
		"little memory": {[]Cache{level(1, 32<<10, 1)}, 100 << 20, 1, []Bandwidth{{1, 16 << 10, 0}, {0, 25 << 20, 0}}},
		"no caches":     {nil, 1 << 30, 1, []Bandwidth{{1, 16 << 10, 0}, {2, 128 << 10, 0}, {0, 64 << 20, 0}}},
	} {
		m := Machine{Caches: c.caches, Memory: c.memory}
		var cpus []int
		for cpu := range c.threads {
			cpus = append(cpus, cpu)
		}
		if got := m.workingSets(cpus); !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestThreadCounts(t *testing.T) {
	for all, want := range map[int][]int{0: {1}, 1: {1}, 2: {1, 2}, 6: {1, 2, 4, 6}, 8: {1, 2, 4, 8}} {
		if got := threadCounts(all); !slices.Equal(got, want) {
			t.Errorf("%d: %v", all, got)
		}
	}
}

func TestReadRate(t *testing.T) {
	sets := []Bandwidth{{Level: 1, Bytes: 16384}, {Bytes: 1 << 20}}
	const good = "threads 2\ndouble 0 2e9\nfloat 0 4e9\ntriad 16384 1e11\ntriad 1048576 1e10\n"
	rate, err := readRate(good, sets)
	if err != nil || rate.Threads != 2 || rate.Operations(8) != 2e9 || rate.Operations(4) != 4e9 || rate.Bandwidths[1] != (Bandwidth{0, 1 << 20, 1e10}) {
		t.Errorf("%+v, %v", rate, err)
	}
	for _, bad := range []string{"", "threads 2\n", strings.Replace(good, "2e9", "-1", 1), strings.Replace(good, "2e9", "inf", 1), strings.Replace(good, "1e10", "nan", 1),
		strings.Replace(good, "triad 16384 1e11\n", "", 1), good + "triad 1 1\n", "threads 2\nSegmentation fault\n"} {
		if rate, err := readRate(bad, sets); err == nil {
			t.Errorf("%q read as %+v", bad, rate)
		}
	}
}

func TestPeaksAt(t *testing.T) {
	peaks := Peaks{Rates: []Rate{{Threads: 1}, {Threads: 2}, {Threads: 6}}}
	for threads, want := range map[int]int{1: 1, 2: 2, 5: 2, 6: 6, 99: 6, 0: 1} {
		if rate, ok := peaks.At(threads); !ok || rate.Threads != want {
			t.Errorf("%d threads: %d", threads, rate.Threads)
		}
	}
	if _, ok := (Peaks{}).At(1); ok {
		t.Error("rates of nothing")
	}
}
