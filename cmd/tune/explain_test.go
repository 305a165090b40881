package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"polytune/runner"
)

var update = flag.Bool("update", false, "write the golden files anew")

// somewhere is a machine of two cores whose peaks are known.
func somewhere() place {
	m := runner.Machine{ID: "0123456789ab", CPU: "Example CPU", CPUs: []int{0, 1}, Siblings: [][]int{{0}, {1}}, Cores: 2, Caches: []runner.Cache{
		{Level: 1, Kind: "Data", Size: 32 << 10, Line: 64, Associativity: 8, SharedBy: []int{0}},
		{Level: 2, Kind: "Unified", Size: 512 << 10, Line: 64, Associativity: 8, SharedBy: []int{0}},
		{Level: 3, Kind: "Unified", Size: 32 << 20, Line: 64, Associativity: 16, SharedBy: []int{0, 1}},
	}}
	rate := func(threads float64) runner.Rate {
		return runner.Rate{Threads: int(threads), Double: 50e9 * threads, Single: 100e9 * threads, Bandwidths: []runner.Bandwidth{
			{Level: 1, Rate: 150e9 * threads}, {Level: 2, Rate: 80e9 * threads}, {Level: 3, Rate: 40e9 * threads}, {Rate: 20e9}}}
	}
	return place{machine: m, toolchain: runner.Toolchain{Name: "gcc", Version: "12.2.0"}, threads: 2, peaks: &runner.Peaks{Rates: []runner.Rate{rate(1), rate(2)}}}
}

// TestExplain explains recipes on a machine that is always the same.
func TestExplain(t *testing.T) {
	t.Parallel()
	for kernel, seconds := range map[string]float64{"gemm": 0.077, "jacobi-2d": 0, "trmm": 0.02, "atax": 0, "nussinov": 1.5} {
		t.Run(kernel, func(t *testing.T) {
			o := &explainOptions{size: "large"}
			o.model = sessionModel
			o.target.bench, o.target.privatize = kernel, true
			o.recipe = filepath.Join("testdata", "explain", kernel+".recipe")
			targets, err := o.target.all(nil)
			if err != nil {
				t.Fatal(err)
			}
			at := somewhere()
			size, values, err := o.values(targets[0])
			if err != nil {
				t.Fatal(err)
			}
			v, err := o.chosen(t.Context(), targets[0], at, "")
			if err != nil {
				t.Fatal(err)
			}
			h, err := o.hinter(t.Context(), targets[0], v, at)
			if err != nil {
				t.Fatal(err)
			}
			r := explainReport{Kernel: targets[0].name, Size: size, Parameters: values, Machine: at.machine.ID}
			if r.Explanation, err = o.explanation(targets[0], v, at, values, seconds, h); err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			r.print(&text, at)
			golden := strings.TrimSuffix(o.recipe, ".recipe") + ".golden"
			if *update {
				if err := os.WriteFile(golden, text.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil || text.String() != string(want) {
				t.Errorf("%s says\n%s\nnow it is\n%s(%v)", golden, want, &text, err)
			}
		})
	}
}
