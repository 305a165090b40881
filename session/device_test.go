package session

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"polytune/configs"
	"polytune/internal/exit"
	"polytune/internal/pipelinetest"
	"polytune/internal/storetest"
	"polytune/pipeline"
	"polytune/runner"
	"polytune/store"
	"polytune/target/gpu"
)

// TestLostDeviceEnds: a session whose device is lost is interrupted, which status 75 says, and says
// how it goes on; other errors stay what they are.
func TestLostDeviceEnds(t *testing.T) {
	t.Parallel()
	lost := &runner.DeviceLostError{Device: runner.Device{Name: "card"}, Err: errors.New("no driver knows it")}
	if err := ended(lost); exit.Status(err) != 75 || !strings.Contains(err.Error(), "device card is lost") || !strings.Contains(err.Error(), "resumes") {
		t.Errorf("%v, status %d", err, exit.Status(err))
	}
	if other := errors.New("other"); ended(other) != other || ended(nil) != nil {
		t.Error("errors of other kinds are changed")
	}
}

// TestRequestForDevice: what the tuner is asked for names the target and the device from the
// beginning, so that what it learns from is theirs, and says that functions of a device may be
// rounded otherwise.
func TestRequestForDevice(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.c")
	text := "#include <math.h>\nvoid f(int n, double a[restrict n], double b[restrict n]) {\n#pragma scop\n  for (int i = 0; i < n; i++) a[i] = exp(b[i]);\n#pragma endscop\n}\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	card := running{On: store.On{Target: "opencl", Device: "card"}, Device: runner.Device{Kind: runner.OpenCLDevice, Name: "card"}, verification: configs.Verification{Tolerance: 0.5}}
	for _, on := range []running{{}, card} {
		var told strings.Builder
		options := Options{Target: pipeline.Options{Notes: &told}, Params: "n=50"}
		if on.On.Target != "" {
			options.Target.On = gpu.OpenCL
		}
		targets, err := options.Target.All([]string{path})
		if err != nil {
			t.Fatal(err)
		}
		request, _, err := options.measuring(t.Context(), storetest.Open(t), targets[0], on, pipelinetest.Somewhere().Machine, []runner.Toolchain{{Name: "gcc"}})
		if err != nil {
			t.Fatal(err)
		}
		isCard := on.On.Target != ""
		if request.On != on.On || request.Device != on.Device || request.Reassociated != isCard || strings.Contains(told.String(), "exp of the device") != isCard {
			t.Errorf("%+v: %+v, %+v, within a tolerance %v; told %q", on, request.On, request.Device, request.Reassociated, told.String())
		}
	}
}
