package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"polytune/pipeline"
	"polytune/store"
	"polytune/target/gpu"
	"polytune/tuner"
)

// TestWholeProgramOnDevice: a program with the variants of all regions in place has the kernels of
// all of them.
func TestWholeProgramOnDevice(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "p.c")
	text := "static double a[100], b[100];\nint main(void) {\n#pragma scop\n  for (int i = 0; i < 100; i++) a[i] = i;\n#pragma endscop\n" +
		"#pragma scop\n  for (int i = 0; i < 100; i++) b[i] += a[i];\n#pragma endscop\n  return b[7] != 7;\n}\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	options := pipeline.Options{On: gpu.CUDA}
	targets, err := options.All([]string{path})
	if err != nil || len(targets) != 2 {
		t.Fatalf("%d regions, error %v", len(targets), err)
	}
	result := tuner.Result{Recipe: "classes {S0}\nband c0 permutable S0[i] -> [i]\nblock c0.1\n"}
	result.Best.Variant, result.Best.Partition = "0.a", []int{0}
	whole := wholeGenerator{targets: targets, regions: []tuner.Result{result, result}}
	made, err := whole.Generate(t.Context(), tuner.Candidate{})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(made.Device), "__global__"); n != 2 || strings.Count(string(made.Source), "_begin(tune_hosts") != 2 {
		t.Errorf("%d kernels in\n%s\nof\n%s", n, made.Device, made.Source)
	}
	whole.regions[1].Best.Variant = store.Original
	if made, err = whole.Generate(t.Context(), tuner.Candidate{}); err != nil || strings.Count(string(made.Device), "__global__") != 1 {
		t.Errorf("error %v, kernels\n%s", err, made.Device)
	}
}
