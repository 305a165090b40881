// Package storetest fills databases with sessions of known results, for the tests of
// those who read them.
package storetest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"testing"
	"time"

	"polytune/store"
	"polytune/tuner/stat"
)

// Session is a session with its trials.
type Session struct {
	// Kernel is the name, KernelID the hash; "" makes one of the name.
	Kernel, KernelID string
	Size             string
	// Machine is the name and the ID; About is the fingerprint's JSON, or nil.
	Machine string
	About   json.RawMessage
	// Compiler is the toolchain's name and ID; "" is gcc.
	Compiler string
	// On is what ran, the zero value for processors.
	On store.On
	// Settings tell sessions of the same kernel apart; nil is {}.
	Settings json.RawMessage
	// Details is what the tuner keeps with the session, or nil.
	Details json.RawMessage
	// Original is the time of the baseline in seconds; 0 is 1 second.
	Original float64
	Variants []Variant
	// Open leaves the session unfinished.
	Open bool
}

// Variant is a variant with its trial.
type Variant struct {
	ID, Partition, Recipe string
	// Compiler is the name and ID of the toolchain where the session's own has not built
	// it.
	Compiler string
	// Status is ok where it is "".
	Status store.Status
	Detail string
	// Seconds is the time, Rounds the number of rounds; 0 rounds is a complete race, 1 a
	// screening alone.
	Seconds float64
	Rounds  int
}

// raceRounds is the number of rounds of a complete race; in each the original is timed twice, and
// takes controlRatio as long the second time.
const (
	raceRounds   = 10
	controlRatio = 1.002
)

// Open makes an empty database in a folder of its own.
func Open(t testing.TB) *store.Store {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "tune.db"))
	must(t, err)
	t.Cleanup(func() { db.Close() })
	return db
}

// Record stores the session and gives its UUID.
func (s Session) Record(t testing.TB, db *store.Store) string {
	t.Helper()
	ctx := t.Context()
	key := store.SessionKey{Kernel: cmp.Or(s.KernelID, "id of "+s.Kernel), Machine: "id of " + s.Machine,
		Toolchain: "id of " + cmp.Or(s.Compiler, "gcc"), Size: s.Size, On: s.On, Settings: s.Settings}
	must(t, db.RegisterMachine(ctx, store.Machine{ID: key.Machine, Name: s.Machine, Description: s.About}))
	must(t, db.RegisterToolchain(ctx, store.Toolchain{ID: key.Toolchain, Name: cmp.Or(s.Compiler, "gcc"), Version: "12.2.0"}))
	must(t, db.RegisterKernel(ctx, store.Kernel{ID: key.Kernel, Name: s.Kernel}))
	session, err := db.BeginSession(ctx, key, s.Details)
	must(t, err)
	original := cmp.Or(s.Original, 1)
	for _, v := range append([]Variant{{ID: store.Original, Seconds: original}}, s.Variants...) {
		must(t, db.RegisterVariants(ctx, store.Variant{Kernel: key.Kernel, ID: v.ID, Partition: v.Partition, Recipe: v.Recipe}))
		trial := v.trial(t, session.UUID, original)
		if v.Compiler != "" {
			trial.Toolchain = "id of " + v.Compiler
			must(t, db.RegisterToolchain(ctx, store.Toolchain{ID: trial.Toolchain, Name: v.Compiler, Version: "19.1.7"}))
		}
		_, err := db.RecordTrial(ctx, trial)
		must(t, err)
	}
	for round := 1; round <= raceRounds; round++ {
		must(t, db.AddControl(ctx, store.Control{Session: session.UUID, Variant: store.Original,
			Sample: store.Sample{Round: round, Position: len(s.Variants) + 1, Seconds: original * noise(round, 0) * controlRatio}}))
	}
	if !s.Open {
		must(t, db.ConcludeSession(ctx, session.UUID))
	}
	return session.UUID
}

// trial is the variant's, finished now.
func (v Variant) trial(t testing.TB, session string, original float64) store.Trial {
	t.Helper()
	trial := store.Trial{Session: session, Variant: v.ID, Started: time.Now(), Outcome: store.Outcome{Status: cmp.Or(v.Status, store.OK), Detail: v.Detail, Finished: time.Now()}}
	if trial.Status != store.OK {
		return trial
	}
	trial.Samples = []store.Sample{{Round: 0, Seconds: v.Seconds}}
	trial.Verified = true
	if v.Rounds == 1 {
		trial.Summary = summary(t, []float64{original}, []float64{v.Seconds})
		trial.Summary.Certainty = store.Screened
		return trial
	}
	var baseline, times []float64
	for round := 1; round <= cmp.Or(v.Rounds, raceRounds); round++ {
		baseline = append(baseline, original*noise(round, 0))
		times = append(times, v.Seconds*noise(round, len(v.ID)))
		if v.ID == store.Original {
			times[round-1] = baseline[round-1]
		}
		trial.Samples = append(trial.Samples, store.Sample{Round: round, Seconds: times[round-1]})
	}
	trial.Summary = summary(t, baseline, times)
	return trial
}

// noise is a factor within half a percent of 1, always the same for a round and a variant.
func noise(round, variant int) float64 {
	return 1 + 0.005*math.Sin(float64(37*round+101*variant))
}

// summary is what the tuner computes.
func summary(t testing.TB, baseline, times []float64) *store.Summary {
	t.Helper()
	seconds, err := stat.MedianInterval(times, store.FullCoverage)
	must(t, err)
	speedup, err := stat.Speedup(baseline, times, store.FullCoverage)
	must(t, err)
	certainty := store.Raced
	switch {
	case speedup.Coverage >= store.FullCoverage && speedup.Low > 1:
		certainty = store.Faster
	case speedup.Coverage >= store.FullCoverage:
		certainty = store.Bounded
	}
	return &store.Summary{Rounds: len(times), Coverage: speedup.Coverage, Certainty: certainty,
		Seconds: store.Estimate{Median: seconds.Median, Low: seconds.Low, High: seconds.High},
		Speedup: store.Estimate{Median: speedup.Median, Low: speedup.Low, High: speedup.High}}
}

// About is the fingerprint of a machine for Session.About.
func About(cpu string, cores, vectorBits int, cacheKiB ...int) json.RawMessage {
	caches := ""
	for i, size := range cacheKiB {
		if i > 0 {
			caches += ","
		}
		caches += fmt.Sprintf(`{"level":%d,"kind":"Unified","size":%d}`, i+1, size<<10)
	}
	return json.RawMessage(fmt.Sprintf(`{"cpu":%q,"cores":%d,"vector":{"set":"AVX","bits":%d},"caches":[%s]}`, cpu, cores, vectorBits, caches))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
