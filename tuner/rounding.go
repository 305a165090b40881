package tuner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"polytune/runner"
	"polytune/store"
)

// exactly is the original at full size, optimised as the programs that are timed, but rounded
// as the source says.
type exactly struct {
	results []runner.Fingerprint
	// spread is how far these are from the results of the original that is timed.
	spread runner.Spread
	// sensitivity is how far rounding in other directions moves them, for variants that may do sums
	// in another order.
	sensitivity runner.Sensitivity
}

// exactFactor multiplies the limit of a run that is only compared: without fused operations it
// takes longer than the one that was timed.
const exactFactor = 4

// sameResult compares the results of a timed run with the original's. Where they differ by more
// than the tolerance, builds that round as the source says decide.
func (s *session) sameResult(ctx context.Context, r *record, timing runner.Timing) error {
	if r.isExcused(timing.Fingerprints) {
		return nil
	}
	err := runner.CompareFingerprints(s.fingerprints, timing.Fingerprints, s.tolerance())
	if mismatch := (*runner.FingerprintError)(nil); errors.As(err, &mismatch) && r.id != store.Original {
		err = s.judgeRounding(ctx, r, timing, mismatch)
	}
	if err != nil {
		return at(s.request.Params, err)
	}
	return nil
}

// tolerance is that of the comparison at full size.
func (s *session) tolerance() runner.Tolerance { return Tolerance(s.request.Settings.Verification) }

// judgeRounding says whether a difference at full size is rounding. A variant is right if its
// results are the original's where both are built without fused operations, and if those that
// were timed are no further apart than such builds of the original allow in the same array. Sums
// in another order may differ as far as the original's sensitivity allows.
func (s *session) judgeRounding(ctx context.Context, r *record, timing runner.Timing, mismatch *runner.FingerprintError) error {
	original, err := s.exactOriginal(ctx)
	if err != nil {
		return unjudged(ctx, mismatch, err)
	}
	results, err := s.exactResults(ctx, r, timing)
	if err != nil {
		return unjudged(ctx, mismatch, err)
	}
	var wrong *runner.FingerprintError
	switch err := runner.CompareRounded(original.results, results, s.tolerance(), make(runner.Spread, len(results)), original.sensitivity); {
	case errors.As(err, &wrong):
		return s.reallyWrong(original, wrong)
	case err != nil:
		return err
	}
	switch err := runner.CompareRounded(s.fingerprints, timing.Fingerprints, s.tolerance(), original.spread, original.sensitivity); {
	case errors.As(err, &wrong):
		wrong.Detail += fmt.Sprintf("; it is right where neither is built with %s, but the original itself differs by no more than %.2g "+
			"between these builds, so that rounding does not explain it: the optimised program is wrong", s.fused(r.id), original.spread.Of(s.fingerprints, wrong.Array))
		return wrong
	case err != nil:
		return err
	}
	r.excuse(timing.Fingerprints)
	s.tellRounding(r, mismatch, original)
	return nil
}

// reallyWrong is the error of a variant that is wrong without fused operations, too.
func (s *session) reallyWrong(original exactly, wrong *runner.FingerprintError) error {
	wrong.Detail += "; so it is where neither is built with " + s.fused("") + ", which is no rounding of the compiler's"
	if spread := original.spread.Of(s.fingerprints, wrong.Array); s.request.Reassociated && spread > s.tolerance().Double {
		wrong.Detail += fmt.Sprintf("; the original's own builds differ by %.2g of the magnitudes there%s", spread, illConditioned)
	}
	return wrong
}

// illConditioned ends a message about results that depend on the order of sums.
const illConditioned = ": the data is ill-conditioned, and sums in another order cannot be told from wrong ones; leave out --reassociate, or the clauses for reductions in the source"

// tellNotes says of which arrays rounding explains differences at the sizes of checks.
func (s *session) tellNotes() {
	for _, bench := range s.benches {
		for _, note := range bench.orders.Notes() {
			s.report(Screening, "note: "+note)
		}
	}
}

// tellRounding says once for each array that results differ by rounding.
func (s *session) tellRounding(r *record, mismatch *runner.FingerprintError, original exactly) {
	if s.told["rounding of "+mismatch.Array] {
		return
	}
	s.told["rounding of "+mismatch.Array] = true
	s.report(Screening, fmt.Sprintf("note: variant %s differs from the original in array %s by rounding alone (%s). The data is ill-conditioned: the original's own "+
		"results differ by %.2g of the magnitudes there between builds with and without %s, and without these the variant computes the same. "+
		"With -ffp-contract=off in --build-flags both are built so",
		r.id, mismatch.Array, mismatch.Detail, original.spread.Of(s.fingerprints, mismatch.Array), s.fused(r.id)))
}

// fused names what the exact builds leave out, for people.
func (s *session) fused(variant string) string {
	toolchain := s.request.Toolchain
	if bench, err := s.benches.of(variant); err == nil && bench.compiler != "" {
		toolchain, _ = s.request.compiler(bench.compiler)
	}
	flags := slices.DeleteFunc(slices.Clone(toolchain.CheckFlags), func(flag string) bool {
		return strings.HasPrefix(flag, "-O") || slices.Contains(toolchain.Flags, flag)
	})
	if len(flags) == 0 {
		return "operations that the compiler fuses"
	}
	return fmt.Sprintf("operations that the compiler fuses (%s)", strings.Join(flags, " "))
}

// unjudged is the error of a difference that could not be judged again: that of the session's
// end, or the difference itself with the reason.
func unjudged(ctx context.Context, mismatch *runner.FingerprintError, err error) error {
	if ctx.Err() != nil {
		return ErrInterrupted
	}
	if errors.As(err, new(*runner.NoSpaceError)) {
		return err
	}
	mismatch.Detail += fmt.Sprintf(" (it could not be compared without fused operations: %v)", err)
	return mismatch
}

// exactOriginal gives the original's results without fused operations; the first call makes
// them. They are those of the session's own compiler, for all others too.
func (s *session) exactOriginal(ctx context.Context) (exactly, error) {
	if s.exactly.results != nil {
		return s.exactly, nil
	}
	job := runner.Job{Source: string(s.request.Source), Check: true, Optimized: true}
	limits := s.request.Settings.Limits
	limits.RunFactor *= exactFactor
	limit := limits.Run(s.baselineWall)
	runs, err := s.exactRuns(ctx, s.benches.own(), job, limit, []runner.Direction{""})
	if err != nil {
		return exactly{}, fmt.Errorf("the original: %w", err)
	}
	if s.request.Reassociated {
		// Where these fail, nothing is known of what other rounding makes of the original.
		directed, _ := s.exactRuns(ctx, s.benches.own(), job, limit, runner.Directions)
		runs = append(runs, directed...)
	}
	results := runs[0].Fingerprints
	spread, err := runner.SpreadOf(s.fingerprints, results)
	if err != nil {
		return exactly{}, err
	}
	sensitivity, err := runner.SensitivityOfRuns(runs[0], s.request.sums(), runs[1:]...)
	if err != nil {
		return exactly{}, err
	}
	s.exactly = exactly{results, spread, sensitivity}
	return s.exactly, nil
}

// exactResults are those of a variant at full size without fused operations.
func (s *session) exactResults(ctx context.Context, r *record, timing runner.Timing) ([]runner.Fingerprint, error) {
	bench, err := s.benches.of(r.id)
	if err != nil {
		return nil, err
	}
	source := sourceOf(r.binary)
	if source == nil {
		return nil, errors.New("its source is gone")
	}
	job := runner.Job{Source: string(source), Attached: true, Check: true, Optimized: true}
	limit := s.clock.cap(timing.Seconds[0], exactFactor*s.request.Settings.Limits.RunFactor, s.clock.warm(1).calls())
	runs, err := s.exactRuns(ctx, bench, job, limit, []runner.Direction{""})
	if err != nil {
		return nil, err
	}
	return runs[0].Fingerprints, nil
}

// exactRuns builds a program and runs it once in each direction of rounding.
func (s *session) exactRuns(ctx context.Context, bench *bench, job runner.Job, limit time.Duration, directions []runner.Direction) ([]runner.Timing, error) {
	end := s.outside.begin()
	binary, err := bench.builder.Build(ctx, job)
	end()
	if err != nil {
		return nil, err
	}
	defer bench.builder.Discard(binary)
	var runs []runner.Timing
	for _, direction := range directions {
		timing, err := s.clock.directed(ctx, binary, s.clock.warm(1), limit, direction)
		if err != nil {
			return nil, err
		}
		runs = append(runs, timing)
	}
	return runs, nil
}

// excuse notes that the difference of results from the original's is rounding, isExcused says so.
func (r *record) excuse(results []runner.Fingerprint) {
	r.excused = append(r.excused, hashesOf(results))
}

func (r *record) isExcused(results []runner.Fingerprint) bool {
	return slices.Contains(r.excused, hashesOf(results))
}

// hashesOf are the hashes of all arrays.
func hashesOf(results []runner.Fingerprint) string {
	words := make([]string, len(results))
	for i, f := range results {
		words[i] = f.Hash
	}
	return strings.Join(words, " ")
}
