package runner

import (
	"context"
	"errors"
	"os"
	"strconv"
	"testing"
	"testing/fstest"
)

func TestLook(t *testing.T) {
	cpus, err := usableCPUs()
	if err != nil {
		t.Fatal(err)
	}
	state, err := Look(t.Context(), cpus)
	if err != nil || state.RoundTrip < 0 || state.RoundTrip > roundTripLimit.Seconds() || state.Frequency < 0 {
		t.Errorf("%+v, %v", state, err)
	}
	t.Logf("a round trip takes %.0f ns; the clock has %.2f GHz", 1e9*state.RoundTrip, 1e-9*state.Frequency)
	for name, pair := range map[string][]int{"no processor": nil, "one processor": cpus[:1], "a processor that is not there": {cpus[0], 1000}, "none that is there": {999, 1000}} {
		if state, err := Look(t.Context(), pair); err != nil || state.RoundTrip != 0 {
			t.Errorf("%s: %+v, %v", name, state, err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Look(ended, cpus); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// A look leaves the threads of this program where they may run.
func TestLookKeepsAffinity(t *testing.T) {
	before, err := usableCPUs()
	if err != nil || len(before) < 2 {
		t.Skip("fewer than two processors")
	}
	for range 3 {
		if _, err := Look(t.Context(), before); err != nil {
			t.Fatal(err)
		}
	}
	for range 20 {
		done := make(chan []int)
		go func() {
			now, _ := usableCPUs()
			done <- now
		}()
		if now := <-done; len(now) != len(before) {
			t.Fatalf("a thread has processors %v instead of %v", now, before)
		}
	}
}

func TestFrequency(t *testing.T) {
	const file = "sys/devices/system/cpu/cpu3/cpufreq/scaling_cur_freq"
	for text, want := range map[string]float64{"2100000\n": 2.1e9, "": 0, "<unknown>": 0, "-1": 0, "inf": 0} {
		root := fstest.MapFS{file: &fstest.MapFile{Data: []byte(text)}}
		if got := Frequency(root, 3); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	if got := Frequency(fstest.MapFS{}, 3); got != 0 {
		t.Errorf("without the file: %v", got)
	}
	cpus, err := usableCPUs()
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range [][]int{cpus, cpus[:1]} {
		name := "sys/devices/system/cpu/cpu" + strconv.Itoa(cpus[0]) + "/cpufreq/scaling_cur_freq"
		state, err := look(t.Context(), fstest.MapFS{name: &fstest.MapFile{Data: []byte("1500000")}}, set)
		if err != nil || state.Frequency != 1.5e9 {
			t.Errorf("processors %v: %+v, %v", set, state, err)
		}
	}
}

// BenchmarkLook says what one look takes.
func BenchmarkLook(b *testing.B) {
	cpus, err := usableCPUs()
	if err != nil || len(cpus) < 2 {
		b.Skip("fewer than two processors")
	}
	for b.Loop() {
		if _, err := look(b.Context(), os.DirFS("/"), cpus); err != nil {
			b.Fatal(err)
		}
	}
}
