package tuner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"sync"
	"time"

	"polytune/runner"
	"polytune/store"
	"polytune/tuner/search"
)

// session is one call of Tune.
type session struct {
	request *Request
	policy  policy
	key     store.SessionKey
	uuid    string
	// details are those that the store had when the session was begun or resumed.
	details json.RawMessage
	ledger  *ledger
	// search proposes candidates behind those of the request, or is nil; batch
	// counts the batches before the present one. begun are candidates whose outcomes it
	// is told together with those of the next batch.
	search *search.Search
	batch  int
	begun  []Candidate
	// outside measures the time of compilers, programs and other tuners.
	outside meter
	// waited measures the time for which others had the machine.
	waited  meter
	benches benches
	clock   *clock
	// compilers notice when a toolchain is replaced.
	compilers []*runner.ToolchainWatch
	crew      *crew
	// others are the variants that other tuners have taken, version is that of
	// the data in the ledger, told are the messages given about waiting.
	others  []*record
	version int64
	told    map[string]bool
	// fingerprints are the original's results at full size; baselineWall is
	// the duration of a process that times it.
	fingerprints []runner.Fingerprint
	baselineWall time.Duration
	// exactly is the original without fused operations, once it was asked for.
	exactly exactly
	// exhausted says that the budget is used up, complete that nothing is
	// left to do, settled that the race is over.
	exhausted, complete, settled bool
	// workers may be left behind when the budget ends.
	workers workers

	reporting sync.Mutex
	// reportedPhase and reportedAt are those of the last report.
	reportedPhase Phase
	reportedAt    time.Time
	// started is the beginning of the session, tryingSince and racingSince
	// those of its two parts, with doneBefore candidates known before.
	started, tryingSince, racingSince time.Time
	doneBefore                        int
	// round is the one being timed, with so many contenders; lastRound is the
	// duration of the one before.
	round, contenders int
	lastRound         time.Duration
	// first is the first of the race when the round began, or "".
	first string
}

// Tune runs a session to its end, resumes an interrupted one, or gives the
// result of a finished one from the store. Several tuners may work on one
// session: each variant is tried by one of them, and one lets the fastest race.
// While programs are timed the tuner has the timing lock of the machine.
//
// When ctx ends, the error is ErrInterrupted and the Result holds what is known
// so far. An original that cannot be built or run is a *BaselineError, a machine
// on which a strict session does not time a *DisturbedError, where that can be helped; others
// are those of the store and of the operating system. Failures of variants are
// no errors: they are in the Result.
func Tune(ctx context.Context, request Request) (Result, error) {
	for started := time.Now(); ; {
		s, err := newSession(&request)
		if err != nil {
			return Result{}, err
		}
		s.started = started
		if result, found, err := s.recall(ctx); found || err != nil {
			return result, s.interruption(ctx, err)
		}
		if helped := request.helpable(); request.Strict && len(helped) > 0 {
			return Result{}, &DisturbedError{Warnings: helped}
		}
		result, err := s.run(ctx)
		if !errors.Is(err, errEnded) {
			return result, err
		}
	}
}

func newSession(request *Request) (*session, error) {
	if err := request.validate(); err != nil {
		return nil, err
	}
	crew, err := newCrew(request.Store)
	if err != nil {
		return nil, err
	}
	s := &session{
		request: request, policy: request.policy(), ledger: newLedger(request.On.Timing), clock: newClock(request, crew.hush),
		crew: crew, told: map[string]bool{},
	}
	s.ledger.apart = s.policy.apart
	for _, t := range request.toolchains() {
		s.compilers = append(s.compilers, runner.WatchToolchain(t))
	}
	s.clock.outside = &s.outside
	if request.Space != nil {
		if s.search, err = search.New(request.Space, request.Plan); err != nil {
			return nil, err
		}
	}
	s.key, err = request.key(s.searchText())
	return s, err
}

// interruption replaces an error by ErrInterrupted when ctx has ended.
func (s *session) interruption(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return ErrInterrupted
	}
	return err
}

func (s *session) waiting(owner int) {
	message := "another tuner is at work on this machine; waiting for its turn to end"
	if owner > 0 {
		message = fmt.Sprintf("another tuner (process %d) is timing on this machine; waiting for its turn to end", owner)
	}
	s.tell(message)
}

// recall answers from the store when the session is finished.
func (s *session) recall(ctx context.Context) (result Result, found bool, err error) {
	known, found, err := s.request.Store.FindSession(ctx, s.key)
	if err != nil || !found || known.Finished.IsZero() {
		return Result{}, false, err
	}
	s.uuid, s.details, s.complete = known.UUID, known.Details, true
	if err := s.load(ctx); err != nil {
		return Result{}, false, err
	}
	result, err = s.result(ctx)
	result.Recalled = true
	result.Warnings, _ = StoredWarnings(known.Details)
	return result, true, err
}

// load adds to the ledger what the store has of the session.
func (s *session) load(ctx context.Context) error {
	stored, err := ReadStored(ctx, s.request.Store, store.Session{UUID: s.uuid, SessionKey: s.key})
	if err != nil {
		return err
	}
	candidates, err := s.request.Store.Candidates(ctx, s.uuid)
	if err != nil {
		return err
	}
	s.ledger.load(stored.Trials, stored.Controls, stored.States, candidates)
	return nil
}

// evidence is what the session has shown so far.
func (s *session) evidence() evidence { return s.ledger.history().evidence(math.MaxInt, s.policy) }

// run does the work from begin to conclude.
func (s *session) run(ctx context.Context) (Result, error) {
	var err error
	if s.benches, err = newBenches(s.request, &s.outside); err != nil {
		return Result{}, err
	}
	defer s.benches.close()
	if err := s.begin(ctx); err != nil {
		return Result{}, s.interruption(ctx, err)
	}
	if err := s.crew.join(ctx, s.uuid); err != nil {
		return Result{}, s.interruption(ctx, err)
	}
	err = s.work(ctx)
	if s.interruption(ctx, err) == ErrInterrupted {
		err = errors.Join(err, s.rateOpen(ctx))
	}
	err = errors.Join(err, s.crew.leave(ctx))
	err = s.interruption(ctx, err)
	if err != nil && !errors.Is(err, ErrInterrupted) {
		return Result{}, err
	}
	result, failed := s.result(ctx)
	if err != nil {
		return result, err
	}
	slog.InfoContext(ctx, "verdict", "kernel", s.request.Kernel, "session", s.uuid, "verdict", string(result.Verdict), "best", result.Best.Variant,
		"speedup", result.Best.Speedup.Median, "rivals", result.Rivals)
	s.report(Finished, "")
	return result, failed
}

// begin makes everything known to the store, finds or makes the session there,
// and loads what it has. It gives errEnded when another tuner has just finished it.
func (s *session) begin(ctx context.Context) error {
	machine, err := json.Marshal(s.request.Machine)
	if err != nil {
		return fmt.Errorf("description of the machine: %w", err)
	}
	host, _ := os.Hostname()
	details, err := json.Marshal(map[string]any{
		"seed": s.request.Seed, "host": host, "candidates": len(s.request.Candidates), "search": s.searchText(), "legal": s.request.Legal,
		"checks": s.request.Checks, "disturbances": s.request.Warnings, "environment": runner.ThreadEnvironment(s.request.Toolchain.Runtime, s.request.threads(), s.clock.cpus),
		"command": s.request.Command, "folder": s.request.Folder, "version": s.request.Version,
	})
	if err != nil {
		return fmt.Errorf("details of the session: %w", err)
	}
	db, m := s.request.Store, s.request.Machine
	err = errors.Join(
		db.RegisterMachine(ctx, store.Machine{ID: m.ID, Name: m.Name, Description: machine}),
		s.registerToolchains(ctx),
		db.RegisterKernel(ctx, store.Kernel{ID: s.request.KernelID, Name: s.request.Kernel}),
		db.RegisterVariants(ctx, store.Variant{Kernel: s.request.KernelID, ID: store.Original}),
	)
	if err != nil {
		return err
	}
	if s.request.Region != "" {
		if err := db.RegisterRegion(ctx, s.request.KernelID, s.request.Region); err != nil {
			return err
		}
	}
	begun, err := db.BeginSession(ctx, s.key, details)
	if err != nil {
		return err
	}
	if !begun.Finished.IsZero() {
		return errEnded
	}
	s.uuid, s.details = begun.UUID, begun.Details
	if err := s.learn(ctx, begun.Started); err != nil {
		return err
	}
	return s.load(ctx)
}

// registerToolchains makes the session's compilers known to the store.
func (s *session) registerToolchains(ctx context.Context) error {
	for _, t := range s.request.toolchains() {
		description, err := json.Marshal(t)
		if err != nil {
			return fmt.Errorf("description of the toolchain: %w", err)
		}
		err = s.request.Store.RegisterToolchain(ctx, store.Toolchain{ID: t.ID, Name: t.Name, Version: t.Version, Description: description})
		if err != nil {
			return err
		}
	}
	return nil
}

// work tries all candidates, then lets the fastest race.
func (s *session) work(ctx context.Context) error {
	if len(s.ledger.history().times[store.Original]) == 0 {
		err := s.timed(ctx, func() error { return s.until(ctx, s.makingEnd(), s.original) })
		if err != nil || s.exhausted {
			return err
		}
	}
	if err := s.tryAll(ctx); err != nil {
		return err
	}
	if err := s.awaitOthers(ctx); err != nil {
		return err
	}
	return s.decide(ctx)
}

// conclude ends the session with its open trials, in one step. Where only the budget
// is used up they stay open, since they go on with the next call, and the store has
// what they have shown so far. Named variants are measured in the time that there was.
func (s *session) conclude(ctx context.Context) error {
	if s.exhausted && !s.request.Replay {
		return s.rateOpen(ctx)
	}
	if err := s.noteBusy(ctx); err != nil {
		return err
	}
	if err := s.request.Store.ConcludeSession(context.WithoutCancel(ctx), s.uuid, s.rated()...); err != nil {
		return err
	}
	for _, r := range s.ledger.records {
		r.trial = ""
	}
	s.complete = true
	return nil
}

// rateOpen stores what the open trials have shown so far.
func (s *session) rateOpen(ctx context.Context) error {
	return errors.Join(s.noteBusy(ctx), s.request.Store.RateTrials(context.WithoutCancel(ctx), s.uuid, s.rated()...))
}

// rated are the open trials with what their samples say.
func (s *session) rated() []store.Rated {
	list := s.ledger.rate(s.evidence())
	for _, r := range list {
		s.ledger.records[r.variant].status = store.OK
	}
	return ratedTrials(list)
}
