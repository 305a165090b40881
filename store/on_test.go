package store

import (
	"slices"
	"testing"
)

// Results of targets, devices and parts of the time are never mixed: each has its own best,
// and a question that names no target is about processors.
func TestResultsOfDevicesAreApart(t *testing.T) {
	s := newStore(t)
	gpu, cpu := On{Target: "opencl", Device: "gpu"}, On{}
	kernels := On{Target: "opencl", Device: "gpu", Timing: KernelTiming}
	other := On{Target: "opencl", Device: "pocl"}
	best := func(q BestQuery) (found []string) {
		t.Helper()
		list, err := s.Best(t.Context(), q)
		must(t, err)
		for _, b := range list {
			found = append(found, b.Variant.ID+" "+b.On.Text())
		}
		return found
	}
	for _, of := range []struct {
		on      On
		variant string
		speedup float64
	}{{gpu, "a", 3}, {kernels, "b", 9}, {other, "b", 2}} {
		key := testKey
		key.On = of.on
		session := begin(t, s, key)
		times := DeviceTimes{Kernel: 0.25, Transfer: 0.125}
		id, err := s.RecordTrial(t.Context(), Trial{Session: session.UUID, Variant: of.variant, Samples: []Sample{{Seconds: 0.5, Device: &times}}})
		must(t, err)
		must(t, s.FinishTrial(t.Context(), id, okay(of.speedup)))
		trials, err := s.Trials(t.Context(), key)
		must(t, err)
		if len(trials) != 1 || *trials[0].Samples[0].Device != times {
			t.Fatalf("%s: %+v", of.on.Text(), trials)
		}
	}
	key := testKey
	key.On = kernels
	session := begin(t, s, key)
	id, err := s.RecordTrial(t.Context(), Trial{Session: session.UUID, Variant: Original})
	must(t, err)
	must(t, s.FinishTrial(t.Context(), id, okay(20)))
	if found := best(BestQuery{KernelID: testKey.Kernel}); found != nil {
		t.Errorf("processors: %q where nothing was timed", found)
	}
	session = begin(t, s, testKey)
	id, err = s.RecordTrial(t.Context(), Trial{Session: session.UUID, Variant: "b"})
	must(t, err)
	must(t, s.FinishTrial(t.Context(), id, okay(1.5)))
	for _, c := range []struct {
		q    BestQuery
		want []string
	}{
		{BestQuery{On: cpu}, []string{"b "}},
		{BestQuery{On: kernels, Any: true}, []string{"b opencl on gpu, kernel time"}},
		{BestQuery{On: gpu}, []string{"a opencl on gpu"}},
		{BestQuery{On: kernels}, []string{"b opencl on gpu, kernel time"}},
		{BestQuery{On: On{Target: "opencl"}}, []string{"a opencl on gpu", "b opencl on pocl"}},
		{BestQuery{On: On{Target: "cuda"}}, nil},
		{BestQuery{Anywhere: true}, []string{"b ", "a opencl on gpu", "b opencl on gpu, kernel time", "b opencl on pocl"}},
	} {
		found := best(c.q)
		slices.Sort(found)
		slices.Sort(c.want)
		if !slices.Equal(found, c.want) {
			t.Errorf("%+v: %q; want %q", c.q, found, c.want)
		}
	}
	for on, want := range map[On]string{cpu: "b", gpu: "a", kernels: "b"} {
		leading, err := s.Leading(t.Context(), LeadingQuery{KernelID: testKey.Kernel, Size: testKey.Size, Machine: testKey.Machine, On: on})
		must(t, err)
		if len(leading) != 1 || leading[0].Variant.ID != want {
			t.Errorf("leading on %q: %+v; want %s alone", on.Text(), leading, want)
		}
	}
	merged := openStore(t, united(t, s.Path()))
	list, err := merged.Best(t.Context(), BestQuery{KernelID: testKey.Kernel, On: gpu})
	must(t, err)
	if len(list) != 1 || list[0].Variant.ID != "a" {
		t.Errorf("a union has %+v on the device", list)
	}
}
