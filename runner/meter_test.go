package runner

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"polytune/runner/energy"
)

// ticking is the original with a counter in a file: each call writes the next of some texts, again and
// again.
func ticking(path string, texts ...string) string {
	head := "#include <stdio.h>\n#include <stdlib.h>\nstatic void tick(void)\n{\n  static int k;\n  static const char *const texts[] = {\"" + strings.Join(texts, `", "`) +
		fmt.Sprintf("\"};\n  FILE *file = fopen(%q, \"w\");\n  if (!file || fprintf(file, \"%%s\\n\", texts[k++ %% %d]) < 0 || fclose(file))\n    exit(99);\n}\n", path, len(texts))
	source, body, _ := strings.Cut(multiplyOriginal, "{")
	return head + source + "{\n  tick();\n" + body
}

// The energy of each call is counted, beyond the value behind which a counter begins anew; where a counter
// answers nonsense or does not move, it is not known.
func TestJoules(t *testing.T) {
	t.Parallel()
	builder := newBuilder(t, gcc(t), multiply, DriverOptions{Seed: 1})
	for name, c := range map[string]struct {
		texts []string
		most  uint64
		want  float64
	}{
		"counts":       {[]string{"1000000", "3000000", "5000000", "7000000", "9000000"}, 1 << 40, 2},
		"begins anew":  {[]string{"9000000", "1000000", "3000000", "5000000", "7000000"}, 10_000_000, 2},
		"stands still": {[]string{"12"}, 1 << 40, 0},
		"no number":    {[]string{"1000000", "3000000", "plenty", "7000000", "9000000"}, 1 << 40, 0},
		"goes back":    {[]string{"9000000", "1000000", "500000", "200000", "100000"}, 0, 0},
	} {
		path := filepath.Join(t.TempDir(), "energy_uj")
		if err := os.WriteFile(path, []byte("0\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		request := TimeRequest{RunRequest: multiplyRequest, Samples: 2, Repetitions: 2, Warmups: 1}
		request.Energy = energy.Meter{Counters: []energy.Counter{{Name: "package-0", Path: path, Range: c.most}}}
		timing, err := Time(t.Context(), build(t, builder, ticking(path, c.texts...), false), request)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(timing.Joules) != 2 || math.Abs(timing.Joules[0]-c.want) > 1e-9 || math.Abs(timing.Joules[1]-c.want) > 1e-9 {
			t.Errorf("%s: %v joules, want %v", name, timing.Joules, c.want)
		}
	}
	request := TimeRequest{RunRequest: multiplyRequest}
	request.Energy = energy.Meter{Counters: []energy.Counter{{Path: filepath.Join(t.TempDir(), "none"), Range: 1}}}
	timing, err := Time(t.Context(), build(t, builder, multiplyOriginal, false), request)
	if err != nil || len(timing.Joules) != 1 || timing.Joules[0] != 0 {
		t.Errorf("without a file: %v, %v", timing.Joules, err)
	}
}

// nvml is a library like NVIDIA's with two devices, each of which takes 3 joules between any two
// questions.
const nvml = `
#include <string.h>
static unsigned long long taken;
int nvmlInit_v2(void) { return 0; }
int nvmlDeviceGetCount_v2(unsigned *count) { *count = 2; return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned k, void **device) { static int devices[2]; *device = &devices[k]; devices[k] = (int) k; return 0; }
int nvmlDeviceGetName(void *device, char *name, unsigned length) { (void) length; strcpy(name, *(int *) device ? "Other" : "Wanted"); return 0; }
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *energy) { (void) device; *energy = taken += 3000; return 0; }
`

// The energy of the devices of one name is added; without the library, or such a device, it is not known.
func TestJoulesOfGPU(t *testing.T) {
	folder := t.TempDir()
	source := filepath.Join(folder, "nvml.c")
	if err := os.WriteFile(source, []byte(nvml), 0o666); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.CommandContext(t.Context(), "gcc", "-shared", "-fPIC", "-o", filepath.Join(folder, "libnvidia-ml.so.1"), source).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	builder := newBuilder(t, gcc(t), multiply, DriverOptions{Seed: 1})
	binary := build(t, builder, multiplyOriginal, false)
	for _, c := range []struct {
		folder, name string
		want         float64
	}{{folder, "Wanted", 3}, {folder, "Third", 0}, {t.TempDir(), "Wanted", 0}} {
		t.Setenv("LD_LIBRARY_PATH", c.folder)
		request := TimeRequest{RunRequest: multiplyRequest, Repetitions: 2}
		request.Energy = energy.Meter{GPU: c.name}
		timing, err := Time(t.Context(), binary, request)
		if err != nil || len(timing.Joules) != 1 || math.Abs(timing.Joules[0]-c.want) > 1e-9 {
			t.Errorf("%s: %v joules, want %v (%v)", c.name, timing.Joules, c.want, err)
		}
	}
}
