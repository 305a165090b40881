package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"polytune/runner"
)

// track is a machine on which programs take the time that they are said to, and
// which notes in which order they run.
type track struct {
	order []string
	locks int
}

// contestant is one whose calls take so many seconds, with a sum as its result.
func (k *track) contestant(name string, seconds, sum float64) *contestant {
	return &contestant{result: &result{Peer: name, Status: ok}, time: func(_ context.Context, p plan) (runner.Timing, error) {
		k.order = append(k.order, name)
		return runner.Timing{
			Seconds: []float64{seconds}, Wall: time.Duration(float64(p.repetitions+p.warmups) * seconds * float64(time.Second)),
			Fingerprints: []runner.Fingerprint{{Name: "A", Kind: "f", Element: 8, Count: 1, Hash: fmt.Sprint(sum), Absolute: sum, Weighted: sum}},
		}, nil
	}}
}

func (k *track) race() *race {
	return &race{
		rounds: 4, minimum: 4, slow: 10, sample: 0.05, limit: time.Hour, tolerance: runner.Tolerance{Double: 1e-6}, random: rand.New(rand.NewPCG(1, 1)),
		lock: func(context.Context) (func(), error) { k.locks++; return func() { k.locks-- }, nil },
	}
}

// Every round has everyone once, in an order of its own; who is slow has two
// samples. First calls count where they are long.
func TestRounds(t *testing.T) {
	k := &track{}
	all := []*contestant{k.contestant("gcc", 1, 5), k.contestant("fast", 0.001, 5), k.contestant("even", 0.002, 5), k.contestant("good", 0.003, 5)}
	if err := k.race().run(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	var counts []int
	for _, c := range all {
		counts = append(counts, len(c.result.Seconds))
	}
	if want := []int{2, 4, 4, 4}; !reflect.DeepEqual(counts, want) {
		t.Errorf("the numbers of samples are %v, want %v", counts, want)
	}
	if all[1].plan.repetitions != 50 || all[0].plan.repetitions != 1 {
		t.Errorf("%d and %d calls make a sample of one second and of one millisecond", all[0].plan.repetitions, all[1].plan.repetitions)
	}
	if k.locks != 0 {
		t.Errorf("%d locks are left", k.locks)
	}
	if k.order[0] != "gcc" {
		t.Errorf("the reference is not the first in %v", k.order)
	}
	// Those that remain after everyone's first run and first round.
	rounds := slices.Collect(slices.Chunk(k.order[8:], 3))
	different := map[string]bool{}
	for _, round := range rounds {
		different[strings.Join(round, " ")] = true
		slices.Sort(round)
		if !reflect.DeepEqual(round, []string{"even", "fast", "good"}) {
			t.Errorf("a round has %v", round)
		}
	}
	if len(rounds) != 3 || len(different) == 1 {
		t.Errorf("the order is %v", k.order)
	}
}

// No round begins once the budget is spent and everyone has enough.
func TestBudget(t *testing.T) {
	for minimum := 1; minimum <= 3; minimum++ {
		k := &track{}
		r := k.race()
		r.minimum = minimum
		all := []*contestant{k.contestant("gcc", 0.1, 5), k.contestant("long", 0.6, 5)}
		if err := r.run(t.Context(), all); err != nil {
			t.Fatal(err)
		}
		if got := len(all[0].result.Seconds); got != minimum {
			t.Errorf("%d samples with a minimum of %d", got, minimum)
		}
	}
}

// The budget is for those who are not slow: a round of fast takes 0.4 seconds.
func TestBudgetBesideSlow(t *testing.T) {
	k := &track{}
	r := k.race()
	r.rounds, r.minimum, r.budget = 9, 1, time.Second
	all := []*contestant{k.contestant("gcc", 10, 5), k.contestant("fast", 0.2, 5)}
	if err := r.run(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	if slow, fast := len(all[0].result.Seconds), len(all[1].result.Seconds); slow != 2 || fast != 3 {
		t.Errorf("%d samples of the slow one and %d of the fast one, want 2 and 3", slow, fast)
	}
}

// What differs is wrong, and what crashes has failed; neither has samples, and
// both end there.
func TestFailures(t *testing.T) {
	k := &track{}
	broken := k.contestant("broken", 0.1, 5)
	broken.time = func(context.Context, plan) (runner.Timing, error) {
		return runner.Timing{}, &runner.RunError{Kind: runner.Crashed, ExitCode: 7}
	}
	all := []*contestant{k.contestant("gcc", 0.1, 5), k.contestant("near", 0.1, 5.000001), k.contestant("off", 0.1, 5.1), broken}
	if err := k.race().run(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	for i, want := range []status{ok, ok, wrong, failed} {
		r := all[i].result
		if r.Status != want || (want == ok) != (len(r.Seconds) > 0) || (want == ok) != (r.Detail == "") {
			t.Errorf("%s: %+v, want status %s", r.Peer, r, want)
		}
	}
	if count := len(slices.DeleteFunc(k.order, func(n string) bool { return n != "off" })); count != 1 {
		t.Errorf("the wrong program ran %d times", count)
	}
}

// Without a reference there is nothing to compare with, and an end of the
// context ends everything.
func TestEndOfRace(t *testing.T) {
	k := &track{}
	broken := k.contestant("gcc", 0.1, 5)
	broken.time = func(context.Context, plan) (runner.Timing, error) {
		return runner.Timing{}, &runner.RunError{Kind: runner.Timeout, Limit: time.Second}
	}
	if err := k.race().run(t.Context(), []*contestant{broken}); err == nil || !strings.Contains(err.Error(), "took more than") {
		t.Errorf("the error is %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := k.race().run(ctx, []*contestant{k.contestant("gcc", 0.1, 5)}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// A run goes on with the results of one that ended early, but not with those of another machine,
// version or size.
func TestResume(t *testing.T) {
	begun := func() *data {
		return &data{Date: "2026-01-02", Size: "large", Threads: 2, Machine: machine{CPU: "one", Caches: []string{"L1 32 KiB"}}, Source: "abc",
			Peers: []entry{{Name: "gcc", Environment: []string{"A=1"}}, {Name: "pluto", Missing: "not here"}}}
	}
	before := begun()
	before.Kernels = []kernel{{Name: "polybench/gemm", Results: []result{{Peer: "gcc", Status: ok, Seconds: []float64{0.5}}}}}
	path := t.TempDir() + "/peers.json"
	if err := before.save(path); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		about  string
		change func(*data)
		want   bool
	}{
		{"the next day", func(d *data) { d.Date = "2026-01-03" }, true},
		{"another version", func(d *data) { d.Source = "abd" }, false},
		{"another machine", func(d *data) { d.Machine.CPU = "two" }, false},
		{"another size", func(d *data) { d.Size = "extralarge" }, false},
		{"a peer has come", func(d *data) { d.Peers[1].Missing = "" }, false},
	} {
		kept, err := load(path)
		if err != nil {
			t.Fatal(err)
		}
		d := begun()
		test.change(d)
		if err := d.resume(kept); (err == nil) != test.want || (len(d.Kernels) == 1) != test.want {
			t.Errorf("%s: %v, %d kernels", test.about, err, len(d.Kernels))
		}
	}
}
