package tuner

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"polytune/internal/kerneltest"
	"polytune/store"
)

var sharedAxes = []string{"blocked", "wrong", "backward", "broken", "slow", "crash", "illegal", "backward/again"}

// expectOnce checks that the session has one trial of each variant, all ended: as many as
// there are candidates, besides the original.
func expectOnce(t *testing.T, r Request) {
	t.Helper()
	expectVariantsOnce(t, r, len(r.Candidates)+1)
}

// expectVariantsOnce is expectOnce for so many variants.
func expectVariantsOnce(t *testing.T, r Request, variants int) {
	t.Helper()
	trials, err := r.Store.Trials(context.Background(), mustKey(t, r))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, trial := range trials {
		if seen[trial.Variant] || trial.Open() {
			t.Errorf("trial of %s: again %v, open %v", trial.Variant, seen[trial.Variant], trial.Open())
		}
		seen[trial.Variant] = true
	}
	if len(seen) != variants {
		t.Errorf("%d variants, want %d", len(seen), variants)
	}
	workers, err := r.Store.Workers(context.Background(), "")
	if err != nil || len(workers) != 0 {
		t.Errorf("still at work: %+v, %v", workers, err)
	}
}

// sameWork is a request for the same work by another tuner, with a connection of
// its own.
func sameWork(t *testing.T, r Request) Request {
	t.Helper()
	db, err := store.Open(context.Background(), r.Store.Path())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	r.Store, r.Generator = db, &generator{}
	return r
}

// Two tuners with the same request try each variant once between them, and give
// the same answer.
func TestTwoTunersShareTheWork(t *testing.T) {
	calm := request(t, &generator{}, sharedAxes...)
	undisturbed, err := Tune(context.Background(), calm)
	if err != nil {
		t.Fatal(err)
	}
	first := request(t, &generator{}, sharedAxes...)
	second := sameWork(t, first)
	type answer struct {
		result Result
		err    error
	}
	answers := make(chan answer, 2)
	for _, r := range []Request{first, second} {
		go func() {
			result, err := Tune(context.Background(), r)
			answers <- answer{result, err}
		}()
	}
	a, b := <-answers, <-answers
	if a.err != nil || b.err != nil {
		t.Fatal(a.err, b.err)
	}
	expectOnce(t, first)
	for _, result := range []Result{a.result, b.result} {
		if !result.Complete {
			t.Error("not complete")
		}
		expectStatuses(t, result, first, statuses(undisturbed, calm))
	}
	if a.result.Best.Variant != b.result.Best.Variant || a.result.Best.Speedup != b.result.Best.Speedup {
		t.Errorf("best %+v and %+v", a.result.Best, b.result.Best)
	}
}

// A tuner takes nothing that another one has: while the other is held up in the
// middle of a variant it tries all else, and waits. It says for whom.
func TestTunerWaitsForTheOther(t *testing.T) {
	first := request(t, &generator{}, "blocked", "backward", "slow")
	second := sameWork(t, first)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	crew, err := newCrew(first.Store)
	if err != nil {
		t.Fatal(err)
	}
	var messages []string
	second.Progress = func(e Event) {
		if e.Message != "" {
			messages = append(messages, e.Message)
		}
		if strings.Contains(e.Message, "tries the rest") {
			cancel()
		}
	}
	// The session has to be there before anybody can claim a part of it; without time it
	// tries the first two variants.
	first.Budget = time.Nanosecond
	if _, err := Tune(context.Background(), first); err != nil {
		t.Fatal(err)
	}
	session, found, err := first.Store.FindSession(context.Background(), mustKey(t, first))
	if err != nil || !found {
		t.Fatal(found, err)
	}
	if err := crew.join(context.Background(), session.UUID); err != nil {
		t.Fatal(err)
	}
	held := VariantID([]int{0, 2}, "make slow")
	if answer, err := crew.claim(context.Background(), held); err != nil || !answer.Granted {
		t.Fatal(answer, err)
	}
	if _, err := Tune(ctx, second); !errors.Is(err, ErrInterrupted) {
		t.Errorf("the tuner did not wait for the other's variant: %v", err)
	}
	trials, err := first.Store.Trials(context.Background(), mustKey(t, first))
	if err != nil {
		t.Fatal(err)
	}
	tried := map[string]bool{}
	for _, trial := range trials {
		tried[trial.Variant] = true
	}
	if len(tried) != 3 || tried[held] {
		t.Errorf("tried %v, messages %q", tried, messages)
	}
	if err := crew.leave(context.Background()); err != nil {
		t.Fatal(err)
	}
	second.Progress = nil
	result, err := Tune(context.Background(), second)
	if err != nil || !result.Complete || result.Tried != 3 {
		t.Errorf("after the other has left: %+v, %v", result, err)
	}
}

// otherTuner is the environment variable by which this test's process is the
// other tuner: the path of the database, and the folder of the timing lock.
const otherTuner = "POLYTUNE_TEST_OTHER_TUNER"

func TestOtherTuner(t *testing.T) {
	path, lock, set := strings.Cut(os.Getenv(otherTuner), ":")
	if !set {
		t.Skip("the other process of TestKilledTunerIsReplaced")
	}
	r := request(t, &generator{}, sharedAxes...)
	t.Setenv("TUNE_LOCK_FOLDER", lock)
	db, err := store.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	r.Store = db
	r.Progress = func(e Event) { fmt.Println(e.Phase) }
	if _, err := Tune(context.Background(), r); err != nil {
		t.Fatal(err)
	}
}

// Whenever one of two tuners is killed, the other does its work, too. The long test kills earlier
// and later ones, too.
func TestKilledTunerIsReplaced(t *testing.T) {
	calm := request(t, &generator{}, sharedAxes...)
	undisturbed, err := Tune(context.Background(), calm)
	if err != nil {
		t.Fatal(err)
	}
	runs := []int{1}
	if kerneltest.Long() {
		runs = []int{0, 1, 2}
	}
	for _, run := range runs {
		r := request(t, &generator{}, sharedAxes...)
		other := exec.Command(os.Args[0], "-test.run=^TestOtherTuner$")
		other.Env = append(os.Environ(), otherTuner+"="+r.Store.Path()+":"+os.Getenv("TUNE_LOCK_FOLDER"))
		begun := newSignal()
		other.Stdout = begun
		if err := other.Start(); err != nil {
			t.Fatal(err)
		}
		<-begun.given
		time.AfterFunc(time.Duration(run)*400*time.Millisecond+time.Duration(rand.IntN(300))*time.Millisecond, func() { other.Process.Kill() })
		result, err := Tune(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		other.Wait()
		expectStatuses(t, result, r, statuses(undisturbed, calm))
		again, err := Tune(context.Background(), r)
		if err != nil || !again.Recalled {
			t.Errorf("run %d: recalled %v, %v", run, again.Recalled, err)
		}
		expectTriedOnce(t, r)
	}
}

// signal is given by the first thing that is written.
type signal struct {
	once  sync.Once
	given chan struct{}
}

func newSignal() *signal { return &signal{given: make(chan struct{})} }

func (s *signal) Write(text []byte) (int, error) {
	s.once.Do(func() { close(s.given) })
	return len(text), nil
}

// expectTriedOnce is expectOnce where a tuner may have been killed after it
// had finished all, and before it could say that it leaves.
func expectTriedOnce(t *testing.T, r Request) {
	t.Helper()
	workers, err := r.Store.Workers(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range workers {
		if err := r.Store.Expire(context.Background(), w); err != nil {
			t.Fatal(err)
		}
	}
	expectOnce(t, r)
}
