package tuner

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"polytune/runner"
	"polytune/store"
)

// onDevice makes variants that say how long kernels and transfers took, in microseconds, by
// their axes: "kernel 30 10". All take longer than the original, "late" ones the longest.
type onDevice struct{}

func (onDevice) Generate(_ context.Context, c Candidate) (Generated, error) {
	var kind string
	var kernel, transfer int
	if _, err := fmt.Sscan(c.Axis, &kind, &kernel, &transfer); err != nil {
		return Generated{}, err
	}
	passes := map[string]int{"early": 2, "late": 8}[kind]
	text := fmt.Sprintf(`double tune_gpu_seconds[2] __attribute__((weak));
static void work(int n, double a[n], double b[n])
{
  for (int r = 0; r < 20; r++)
    for (int i = 0; i < n; i++)
      b[i] = b[i] * 0.5 + a[i] / (b[i] + r + 1.0);
}
void sweep(int n, double a[n], double b[n])
{
  static double copy[1 << 20];
  for (int k = 1; k < %d; k++) {
    for (int i = 0; i < n; i++)
      copy[i] = b[i];
    work(n, a, copy);
  }
  work(n, a, b);
  tune_gpu_seconds[0] += %de-6;
  tune_gpu_seconds[1] += %de-6;
}
`, passes, kernel, transfer)
	if kind == "crash" {
		text = "void sweep(int n, double a[n], double b[n]) { (void) n; (void) a; (void) b; __builtin_trap(); }\n"
	}
	return Generated{Recipe: "block " + c.Axis, Source: []byte(text)}, nil
}

// deviceRequest is a request for a device that nobody has: drivers are asked for it only when a
// run fails.
func deviceRequest(t *testing.T, timing string, axes ...string) Request {
	t.Helper()
	r := request(t, &generator{}, axes...)
	r.Generator = onDevice{}
	r.Device = runner.Device{Kind: runner.OpenCLDevice, Name: "no such device"}
	r.On = store.On{Target: "opencl", Device: r.Device.Name, Timing: timing}
	return r
}

// The best is a variant of the device, also where the original is faster than all of them, and
// what is compared decides which.
func TestRaceOnDevice(t *testing.T) {
	for timing, want := range map[string]string{"": "block early 200 50", store.KernelTiming: "block late 20 10"} {
		r := deviceRequest(t, timing, "early 200 50", "late 20 10")
		result, err := Tune(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if result.Recipe != want {
			t.Errorf("timing %q: %s is best; want %s; %+v", timing, result.Recipe, want, result.Rows)
		}
		kernel := map[string]float64{"block early 200 50": 200e-6, "block late 20 10": 20e-6}[want]
		if d := result.Best.Device; d == nil || math.Abs(d.Kernel.Median-kernel) > 1e-9 || !(d.Transfer.Median > 0) || d.Certainty < store.Bounded {
			t.Errorf("timing %q: times of the device %+v; want kernels of %v s", timing, d, kernel)
		}
		if timing == store.KernelTiming && math.Abs(result.Best.Seconds.Median-kernel) > 1e-9 {
			t.Errorf("%v s are compared; want those of kernels, %v", result.Best.Seconds.Median, kernel)
		}
		list, err := r.Store.Best(t.Context(), store.BestQuery{KernelID: r.KernelID, On: r.On})
		if err != nil || len(list) != 1 || list[0].Variant.Recipe != want {
			t.Errorf("timing %q: the store has %+v, %v", timing, list, err)
		}
		if list, err := r.Store.Best(t.Context(), store.BestQuery{KernelID: r.KernelID}); err != nil || len(list) > 0 {
			t.Errorf("processors have %+v, %v, where nothing of theirs was timed", list, err)
		}
		again, err := Tune(t.Context(), r)
		if err != nil || !again.Recalled || again.Recipe != want || again.Best.Device == nil || again.Best.Device.Kernel != result.Best.Device.Kernel {
			t.Errorf("timing %q: recalled %+v, %v", timing, again.Best, err)
		}
	}
}

// A failure on a device that is gone is none of the variant's, and ends the session, which goes
// on later.
func TestLostDevice(t *testing.T) {
	r := deviceRequest(t, "", "crash 0 0")
	_, err := Tune(t.Context(), r)
	var lost *runner.DeviceLostError
	if !errors.As(err, &lost) {
		t.Fatalf("%v; want a lost device", err)
	}
	sessions, err := r.Store.Sessions(t.Context())
	if err != nil || len(sessions) != 1 || !sessions[0].Finished.IsZero() || sessions[0].Trials[store.Crashed] > 0 {
		t.Errorf("the session is %+v, %v; want it open, and nobody blamed", sessions, err)
	}
}
