package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// newStore opens a database in a new folder.
func newStore(t *testing.T) *Store {
	t.Helper()
	return openStore(t, filepath.Join(t.TempDir(), "tune.db"))
}

func openStore(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var testKey = SessionKey{
	Kernel: "kernel-1", Machine: "machine-1", Toolchain: "gcc-1", Size: "small",
	Settings: json.RawMessage(`{"threads": 2, "model": "pluto"}`),
}

// register makes known what testKey refers to, and the variants original, a, b, c.
func register(ctx context.Context, s *Store, key SessionKey) error {
	return errors.Join(
		s.RegisterMachine(ctx, Machine{ID: key.Machine, Description: json.RawMessage(`{"cpu": "test"}`)}),
		s.RegisterToolchain(ctx, Toolchain{ID: key.Toolchain, Name: "gcc", Version: "12.2.0"}),
		s.RegisterKernel(ctx, Kernel{ID: key.Kernel, Name: "polybench/2mm"}),
		s.RegisterVariants(ctx,
			Variant{Kernel: key.Kernel, ID: Original},
			Variant{Kernel: key.Kernel, ID: "a", Partition: "0-0-1-1", Recipe: "fuse"},
			Variant{Kernel: key.Kernel, ID: "b", Partition: "0-1-1-2", Recipe: "tile"},
			Variant{Kernel: key.Kernel, ID: "c", Partition: "0-1-2-3", Recipe: "tile more"}),
	)
}

// begin registers and begins.
func begin(t *testing.T, s *Store, key SessionKey) Session {
	t.Helper()
	must(t, register(t.Context(), s, key))
	session, err := s.BeginSession(t.Context(), key, nil)
	must(t, err)
	return session
}

// okay is the outcome of a verified trial with the given median speedup.
func okay(speedup float64) Outcome {
	certainty := Bounded
	if speedup > 1 {
		certainty = Faster
	}
	return Outcome{Status: OK, Verified: true, Summary: &Summary{
		Rounds: 10, Coverage: 0.978515625, Certainty: certainty,
		Seconds: Estimate{1 / speedup, 0.9 / speedup, 1.2 / speedup},
		Speedup: Estimate{speedup, speedup * 0.9, speedup * 1.1},
	}}
}

// record stores a finished trial.
func record(t *testing.T, s *Store, session Session, variant string, outcome Outcome) string {
	t.Helper()
	outcome.Finished = time.Now()
	id, err := s.RecordTrial(t.Context(), Trial{Session: session.UUID, Variant: variant, Outcome: outcome})
	must(t, err)
	return id
}

func TestRoundTrip(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	noon := time.Date(2026, 1, 2, 12, 0, 0, 5e6, time.UTC)
	counters := &Counters{VoluntarySwitches: 1, InvoluntarySwitches: 2, MinorFaults: 3, MajorFaults: 4, MaxRSS: 5 << 20, Elapsed: 0.75, Stolen: 0.125}
	opened := Trial{Session: session.UUID, Variant: "a", Started: noon, Outcome: Outcome{Status: Interrupted},
		Samples: []Sample{{Round: 0, Position: 1, Seconds: 0.25}}}
	wrong := Trial{Session: session.UUID, Variant: "b", Started: noon, Outcome: Outcome{
		Status: WrongResult, Detail: "D[0][1]: expected 1, got 2", Finished: noon.Add(time.Second)}}
	var err error
	opened.UUID, err = s.RecordTrial(t.Context(), opened)
	must(t, err)
	wrong.UUID, err = s.RecordTrial(t.Context(), wrong)
	must(t, err)

	more := Sample{Trial: opened.UUID, Round: 1, Position: 0, Seconds: 0.5, Counters: counters}
	must(t, s.AddSamples(t.Context(), more))
	outcome := okay(2)
	outcome.Finished = noon.Add(time.Minute)
	must(t, s.FinishTrial(t.Context(), opened.UUID, outcome))

	opened.Outcome = outcome
	opened.Samples[0].Trial = opened.UUID
	opened.Samples = append(opened.Samples, more)
	path := s.Path()
	must(t, s.Close())
	s = openStore(t, path)
	got, err := s.Trials(t.Context(), testKey)
	must(t, err)
	if want := []Trial{opened, wrong}; !reflect.DeepEqual(got, want) {
		t.Errorf("trials read:\n%+v\nwritten:\n%+v", got, want)
	}
}

func TestResume(t *testing.T) {
	s := newStore(t)
	first := begin(t, s, testKey)
	if first.Resumed || first.Started.IsZero() || !first.Finished.IsZero() {
		t.Errorf("a new session: %+v", first)
	}
	record(t, s, first, "a", okay(2))
	open, err := s.RecordTrial(t.Context(), Trial{Session: first.UUID, Variant: "b"})
	must(t, err)
	again := testKey
	again.Settings = json.RawMessage("{\"model\":\"pluto\",\n \"threads\":2}")
	second := begin(t, s, again)
	if !second.Resumed || second.UUID != first.UUID || !second.Finished.IsZero() || second.Started != first.Started {
		t.Errorf("resumed as %+v; begun as %+v", second, first)
	}
	trials, err := s.Trials(t.Context(), again)
	must(t, err)
	if len(trials) != 2 || trials[0].Open() || !trials[1].Open() || trials[1].UUID != open || trials[1].Status != Interrupted {
		t.Errorf("trials of the resumed session: %+v", trials)
	}

	must(t, s.ConcludeSession(t.Context(), first.UUID))
	found, ok, err := s.FindSession(t.Context(), testKey)
	if err != nil || !ok || found.UUID != first.UUID || found.Finished.IsZero() {
		t.Errorf("FindSession = %+v, %v, %v", found, ok, err)
	}
	if third := begin(t, s, testKey); third.UUID != first.UUID || third.Finished != found.Finished || third.Opened != found.Opened {
		t.Errorf("a finished session is begun as %+v, and was %+v", third, found)
	}

	for name, change := range map[string]func(*SessionKey){
		"kernel":    func(k *SessionKey) { k.Kernel = "kernel-2" },
		"machine":   func(k *SessionKey) { k.Machine = "machine-2" },
		"toolchain": func(k *SessionKey) { k.Toolchain = "gcc-2" },
		"size":      func(k *SessionKey) { k.Size = "large" },
		"settings":  func(k *SessionKey) { k.Settings = json.RawMessage(`{"threads":4}`) },
	} {
		other := testKey
		change(&other)
		if session := begin(t, s, other); session.Resumed {
			t.Errorf("another %s resumed session %s", name, session.UUID)
		}
		if trials, err := s.Trials(t.Context(), other); err != nil || len(trials) != 0 {
			t.Errorf("another %s: trials %v, %v", name, trials, err)
		}
	}
}

func TestSessionsCountTrials(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	record(t, s, session, Original, okay(1))
	record(t, s, session, "a", okay(2))
	record(t, s, session, "b", Outcome{Status: Timeout})
	_, err := s.RecordTrial(t.Context(), Trial{Session: session.UUID, Variant: "c"})
	must(t, err)
	list, err := s.Sessions(t.Context())
	must(t, err)
	want := map[Status]int{OK: 2, Timeout: 1, Interrupted: 1}
	if len(list) != 1 || list[0].KernelName != "polybench/2mm" || list[0].MachineName != "machine-1" ||
		list[0].ToolchainName != "gcc 12.2.0" || !reflect.DeepEqual(list[0].Trials, want) {
		t.Errorf("Sessions = %+v; want the counts %v", list, want)
	}
}

func TestFinishedTrialsNeverChange(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	id, err := s.RecordTrial(t.Context(), Trial{Session: session.UUID, Variant: "a", Samples: []Sample{{Seconds: 1}}})
	must(t, err)
	must(t, s.FinishTrial(t.Context(), id, okay(2)))
	for name, err := range map[string]error{
		"FinishTrial": s.FinishTrial(t.Context(), id, okay(3)),
		"AddSamples":  s.AddSamples(t.Context(), Sample{Trial: id, Round: 1, Seconds: 1}),
	} {
		if err == nil || !strings.Contains(err.Error(), "finished trial") {
			t.Errorf("%s after the end: %v", name, err)
		}
	}
	for _, statement := range []string{
		`UPDATE trial SET speedup = 9`, `DELETE FROM trial`, `UPDATE sample SET seconds = 9`, `DELETE FROM sample`,
	} {
		if _, err := s.db.Exec(statement); err == nil {
			t.Errorf("%s: no error", statement)
		}
	}
}

func TestInvalidTrialsAreRefused(t *testing.T) {
	s := newStore(t)
	session := begin(t, s, testKey)
	open, err := s.RecordTrial(t.Context(), Trial{Session: session.UUID, Variant: "a"})
	must(t, err)
	sample := func(seconds float64) error {
		return s.AddSamples(t.Context(), Sample{Trial: open, Round: 1, Seconds: seconds})
	}
	finish := func(o Outcome) error { return s.FinishTrial(t.Context(), open, o) }
	nan := okay(2)
	nan.Summary.Speedup.Median = math.NaN()
	disordered := okay(2)
	disordered.Summary.Seconds.Low = 9
	failed := okay(2)
	failed.Status = Crashed
	_, unknownVariant := s.RecordTrial(t.Context(), Trial{Session: session.UUID, Variant: "zzz"})
	_, unknownSession := s.RecordTrial(t.Context(), Trial{Session: "zzz", Variant: "a"})
	for name, err := range map[string]error{
		"zero seconds":      sample(0),
		"NaN seconds":       sample(math.NaN()),
		"infinite seconds":  sample(math.Inf(1)),
		"unknown trial":     s.AddSamples(t.Context(), Sample{Trial: "zzz", Seconds: 1}),
		"same place twice":  s.AddSamples(t.Context(), Sample{Trial: open, Seconds: 1}, Sample{Trial: open, Seconds: 1}),
		"no summary":        finish(Outcome{Status: OK, Verified: true}),
		"NaN speedup":       finish(nan),
		"disordered":        finish(disordered),
		"failure with time": finish(failed),
		"unknown status":    finish(Outcome{Status: "good"}),
		"no status":         finish(Outcome{}),
		"unknown variant":   unknownVariant,
		"unknown session":   unknownSession,
		"finish unknown":    s.FinishTrial(t.Context(), "zzz", Outcome{Status: Crashed}),
		"session unknown":   s.ConcludeSession(t.Context(), "zzz"),
		"settings no JSON": func() error {
			_, err := s.BeginSession(t.Context(), SessionKey{Settings: json.RawMessage("{")}, nil)
			return err
		}(),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	trials, err := s.Trials(t.Context(), testKey)
	if err != nil || len(trials) != 1 || len(trials[0].Samples) != 0 || !trials[0].Open() {
		t.Errorf("after the refusals: %+v, %v", trials, err)
	}
}

func TestRegisterTwice(t *testing.T) {
	s := newStore(t)
	must(t, register(t.Context(), s, testKey))
	must(t, register(t.Context(), s, testKey))
	var identity *IdentityError
	if err := s.RegisterKernel(t.Context(), Kernel{ID: testKey.Kernel, Name: "other"}); !errors.As(err, &identity) {
		t.Errorf("kernel with another name: %v", err)
	}
	if err := s.RegisterVariants(t.Context(), Variant{Kernel: testKey.Kernel, ID: "a", Recipe: "other"}); !errors.As(err, &identity) {
		t.Errorf("variant with another recipe: %v", err)
	}
}

func TestViewsKeepTheirColumns(t *testing.T) {
	s := newStore(t)
	for view, want := range map[string]string{
		"trials":   "uuid kernel size machine toolchain variant partition recipe status detail started finished target device timing",
		"samples":  "trial round position seconds kernel_seconds transfer_seconds joules",
		"best":     "kernel size machine toolchain variant partition seconds speedup low high target device timing",
		"speedups": "kernel size machine toolchain variant partition seconds speedup low high rounds verified session target device timing",
	} {
		rows, err := s.db.Query("SELECT * FROM " + view)
		must(t, err)
		got, err := rows.Columns()
		must(t, errors.Join(err, rows.Close()))
		if strings.Join(got, " ") != want {
			t.Errorf("view %s has the columns %s; want %s", view, got, want)
		}
	}
}

func TestViewsShowNames(t *testing.T) {
	s := newStore(t)
	key := testKey
	key.Machine = "machine-named"
	must(t, s.RegisterMachine(t.Context(), Machine{ID: key.Machine, Name: "alpha"}))
	for _, k := range []SessionKey{key, testKey} {
		session := begin(t, s, k)
		id, err := s.RecordTrial(t.Context(), Trial{Session: session.UUID, Variant: "b", Samples: []Sample{{Round: 3, Position: 1, Seconds: 0.5}}})
		must(t, err)
		must(t, s.FinishTrial(t.Context(), id, okay(2)))
	}
	for view, want := range map[string][]string{
		"SELECT kernel, size, machine, toolchain, variant, partition, recipe, status FROM trials": {
			"polybench/2mm small alpha gcc-1 b 0-1-1-2 tile ok", "polybench/2mm small machine-1 gcc-1 b 0-1-1-2 tile ok"},
		"SELECT round, position, seconds FROM samples": {"3 1 0.5", "3 1 0.5"},
		"SELECT * FROM best ORDER BY machine": {
			"polybench/2mm small alpha gcc-1 b 0-1-1-2 0.5 2 1.8 2.2 cpu  total", "polybench/2mm small machine-1 gcc-1 b 0-1-1-2 0.5 2 1.8 2.2 cpu  total"},
	} {
		if got := selectLines(t, s, view); !slices.Equal(got, want) {
			t.Errorf("%s:\n%q; want\n%q", view, got, want)
		}
	}
}

// selectLines gives each row as its columns with spaces between them.
func selectLines(t *testing.T, s *Store, query string) []string {
	t.Helper()
	rows, err := s.db.Query(query)
	must(t, err)
	defer rows.Close()
	columns, err := rows.Columns()
	must(t, err)
	var lines []string
	for rows.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		must(t, rows.Scan(values...))
		texts := make([]string, len(columns))
		for i, v := range values {
			texts[i] = fmt.Sprint(*v.(*any))
		}
		lines = append(lines, strings.Join(texts, " "))
	}
	must(t, rows.Err())
	return lines
}
