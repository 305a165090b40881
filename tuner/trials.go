package tuner

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"golang.org/x/sync/errgroup"

	"polytune/runner"
	"polytune/store"
)

// batchFactor is the number of candidates per job that are prepared before the
// next ones are timed: many, so that no processor waits for the last compiler.
const batchFactor = 4

// tryAll gives every candidate its first trial, unless it has one: those of the
// request, and then, one batch after the other, what the search proposes.
func (s *session) tryAll(ctx context.Context) error {
	s.tryingSince, s.doneBefore = time.Now(), s.ledger.done()
	size := s.request.jobs()
	for batch := s.request.Candidates; ; s.batch++ {
		var err error
		if size, err = s.tryBatch(ctx, batch, size); err != nil || s.exhausted {
			return err
		}
		if err = s.awaitOthers(ctx); err != nil || s.exhausted {
			return err
		}
		if batch, err = s.propose(ctx, batch); err != nil || len(batch) == 0 {
			return err
		}
	}
}

// tryBatch gives the candidates of a batch their trials, size at a time, and
// gives the size for the next batch. The first parts with new ones are small, so that
// a session that is interrupted soon, again and again, gets ahead all the same. The very
// first part is tried whatever the budget: the models' own choice is in it, and
// a slow original must not take all the time and win for want of others.
func (s *session) tryBatch(ctx context.Context, batch []Candidate, size int) (int, error) {
	for first, last := 0, 0; first < len(batch); first = last {
		last = min(first+size, len(batch))
		if s.ledger.done() > 0 && s.outOfBudget(s.raceEstimate()) {
			s.exhausted = true
			return size, nil
		}
		s.report(Building, "")
		ready, err := s.prepare(ctx, batch[first:last])
		if err != nil {
			return size, err
		}
		if err := s.screen(ctx, ready); err != nil || s.exhausted {
			return size, err
		}
		if len(ready) > 0 {
			size = min(2*size, batchFactor*s.request.jobs())
			s.discardOthers(s.ledger.entrants(s.out(), s.policy))
		}
	}
	return size, nil
}

// prepare generates, verifies and builds candidates in parallel, while nobody
// times on this machine, and gives those that are ready to be timed, in order; none
// where the budget ends while others time, and those that are ready by then where it
// ends meanwhile: the others are left for the next call.
func (s *session) prepare(ctx context.Context, batch []Candidate) ([]*record, error) {
	if len(batch) == 0 {
		return nil, nil
	}
	lock, err := s.await(ctx, runner.LockBuilding)
	if err != nil || lock == nil {
		return nil, err
	}
	defer lock.Unlock()
	records, made := make([]*record, len(batch)), make([]bool, len(batch))
	err = s.until(ctx, s.makingEnd(), func(ctx context.Context) error {
		group, inner := errgroup.WithContext(ctx)
		group.SetLimit(s.request.jobs())
		for i := range records {
			group.Go(func() (err error) {
				records[i], err = s.prepareOne(inner, batch[i])
				made[i] = err == nil
				s.report(Building, "")
				return err
			})
		}
		return group.Wait()
	})
	if err != nil {
		return nil, err
	}
	if err := s.checkCompilers(ctx); err != nil {
		return nil, err
	}
	var ready []*record
	var done []Candidate
	for i, r := range records {
		if r != nil {
			ready = append(ready, r)
		}
		if made[i] {
			done = append(done, batch[i])
		}
	}
	return ready, s.remember(ctx, done)
}

// prepareOne makes the program of one candidate. The record is nil when there
// is nothing to time: the variant is known already, another tuner tries it, or
// it failed and that was recorded.
func (s *session) prepareOne(ctx context.Context, candidate Candidate) (*record, error) {
	if ctx.Err() != nil {
		return nil, ErrInterrupted
	}
	if s.ledger.recall(candidate) {
		return nil, nil
	}
	generated, err := s.generate(ctx, candidate)
	if ctx.Err() != nil {
		return nil, ErrInterrupted
	}
	recipe, identity := generated.Recipe, generated.Recipe
	if err != nil {
		recipe = recipeOf(err)
		identity = recipe
		if recipe == "" {
			identity = "axis " + candidate.Axis
		}
	}
	id := store.Original
	if !candidate.isOriginal() {
		id = VariantID(candidate.Partition, identity)
	}
	r, fresh := s.ledger.claim(candidate, store.BuiltBy(id, s.request.compilerOf(candidate)), recipe)
	slog.InfoContext(ctx, "candidate", "partition", PartitionText(candidate.Partition), "setting", candidate.Axis, "variant", r.id, "new", fresh, "recipe", recipe)
	if !fresh {
		return nil, nil
	}
	if granted, failed := s.take(ctx, r); failed != nil || !granted {
		return nil, failed
	}
	bench, missing := s.benches.of(r.id)
	if missing != nil {
		return nil, missing
	}
	if err == nil {
		err = bench.verify(ctx, candidate, generated.checked())
	}
	var binary *runner.Binary
	if err == nil {
		binary, err = bench.build(ctx, generated)
	}
	if err == nil {
		if err = bench.confirm(ctx, *binary, candidate, generated); err != nil {
			err = errors.Join(err, bench.builder.Discard(*binary))
		}
	}
	if err != nil {
		return nil, s.fail(ctx, r, err, generated.Source)
	}
	s.ledger.mutex.Lock()
	r.binary = binary
	s.ledger.mutex.Unlock()
	return r, nil
}

// recipeOf is the recipe that an error of the generator names, or "".
func recipeOf(err error) string {
	var illegal *IllegalError
	var codegen *CodegenError
	switch {
	case errors.As(err, &illegal):
		return illegal.Recipe
	case errors.As(err, &codegen):
		return codegen.Recipe
	}
	return ""
}

// fail records that a variant failed, if it is the variant's fault; otherwise
// it returns the error, which ends the session. The source of a wrong variant
// is kept.
func (s *session) fail(ctx context.Context, r *record, err error, source []byte) error {
	if lost := s.isLost(ctx, err); lost != nil {
		return lost
	}
	err = settle(ctx, err)
	var failed *failure
	if !errors.As(err, &failed) {
		return err
	}
	if failed.status == store.CompileFailed {
		if err := s.checkCompilers(ctx); err != nil {
			return err
		}
	}
	var message string
	if failed.status == store.WrongResult {
		failed.detail += s.sourceNote(r.id, source)
		message = fmt.Sprintf("WRONG RESULT of variant %s: %s", r.id, failed.detail)
	}
	if err := s.finish(ctx, r, store.Outcome{Status: failed.status, Detail: failed.detail}); err != nil {
		return err
	}
	if message != "" {
		s.report(Screening, message)
	}
	return nil
}

// sourceNote keeps the source of a wrong variant and says where.
func (s *session) sourceNote(id string, source []byte) string {
	path, err := s.benches.own().keepSource(id, source)
	if err != nil {
		return fmt.Sprintf(" (its source could not be kept: %v)", err)
	}
	return fmt.Sprintf(" (its source is in %s)", path)
}

// finish ends the trial of a variant, or records one that never began.
func (s *session) finish(ctx context.Context, r *record, outcome store.Outcome) error {
	ctx = context.WithoutCancel(ctx)
	outcome.Finished = time.Now()
	trial := r.trial
	var err error
	if trial != "" {
		err = s.request.Store.FinishTrial(ctx, trial, outcome)
	} else if err = s.register(ctx, r); err == nil {
		trial, err = s.recordTrial(ctx, r, store.Trial{Outcome: outcome})
	}
	if err != nil || trial == "" {
		return err
	}
	slog.InfoContext(ctx, "trial", "kernel", s.request.Kernel, "variant", r.id, "status", outcome.Status, "verified", outcome.Verified, "detail", outcome.Detail)
	s.ledger.end(r, outcome)
	return nil
}

// register makes a variant known to the store, which has its recipe from then on.
func (s *session) register(ctx context.Context, r *record) error {
	if r.registered {
		return nil
	}
	partition := PartitionText(partitionOf(r.id))
	err := s.request.Store.RegisterVariants(ctx, store.Variant{
		Kernel: s.request.KernelID, ID: r.id, Partition: partition, Recipe: r.recipe,
	})
	if err != nil {
		return err
	}
	s.ledger.mutex.Lock()
	defer s.ledger.mutex.Unlock()
	r.recipe, r.registered = "", true
	return nil
}

// keep commits a timing, in the variant's open trial or a new one.
func (s *session) keep(ctx context.Context, r *record, timing store.Sample) error {
	ctx = context.WithoutCancel(ctx)
	var err error
	trial := r.trial
	if trial != "" {
		timing.Trial = trial
		err = s.request.Store.AddSamples(ctx, timing)
	} else if err = s.register(ctx, r); err == nil {
		trial, err = s.recordTrial(ctx, r, store.Trial{Samples: []store.Sample{timing}})
	}
	if err != nil || trial == "" {
		return err
	}
	slog.InfoContext(ctx, "sample", "variant", r.id, "round", timing.Round, "position", timing.Position, "seconds", timing.Seconds, "joules", timing.Joules)
	s.ledger.measure(r.id, false, timing)
	s.ledger.mutex.Lock()
	defer s.ledger.mutex.Unlock()
	r.trial, r.status = trial, store.Interrupted
	return nil
}

// keepControl commits a second timing of a variant in a round.
func (s *session) keepControl(ctx context.Context, r *record, timing store.Sample) error {
	err := s.request.Store.AddControl(context.WithoutCancel(ctx), store.Control{Session: s.uuid, Variant: r.id, Sample: timing})
	if err != nil {
		return err
	}
	s.ledger.measure(r.id, true, timing)
	return nil
}

// sourceOf reads the source that a binary was compiled from.
func sourceOf(binary *runner.Binary) []byte {
	source, err := os.ReadFile(binary.Source)
	if err != nil {
		return nil
	}
	return source
}
