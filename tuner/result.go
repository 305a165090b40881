package tuner

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"polytune/runner"
	"polytune/store"
)

// Result is what a session found out.
type Result struct {
	Kernel, Size string
	Machine      runner.Machine
	// On is what variants are code for, on which device they ran, and what was compared.
	On store.On
	// Toolchain has built the baseline; Compilers are the further ones of the session.
	Toolchain runner.Toolchain
	Compilers []runner.Toolchain
	// Threads is the number of OpenMP threads of the measured programs.
	Threads int
	// Baseline is the time of the original, BaselineCertainty what that is worth.
	Baseline          store.Estimate
	BaselineCertainty store.Certainty
	// First is the row of the variant that is the fastest as far as is known. Best is the
	// same where it is known to be faster than the original, or else the first that is, or
	// the original. Recipe is that of Best. The variants and Recipe are "" before anything
	// was timed.
	First Row
	Best  Row
	// BestCPU is the best variant for processors that the database knows, for who asks after
	// that; Tune leaves it nil.
	BestCPU *store.Best
	Recipe  string
	// Tolerance is that of the comparison with the original before timing: zero
	// where bits were compared.
	Tolerance runner.Tolerance
	// Verdict says how sure Best is. Rivals are the variants tied with it or
	// not separated from it, fastest first, and Further the rounds that would
	// separate them, 0 where no sensible number would. Behind counts the variants that
	// had too few timings for a claim, and lost in these. Claims says how sure what the
	// verdict claims is.
	Verdict Verdict
	Rivals  []string
	Further int
	Behind  int
	Claims  Claims
	// Race says how the race went, and what its timings are worth; Warnings is
	// what was known to disturb timings on this machine when it began.
	Race     Race
	Warnings []runner.Warning
	// Busy says which other programs used the processors meanwhile, so that the times are
	// to be confirmed; "" where none is known to have.
	Busy string
	// Legal counts the legal partitions, Candidates what was to be tried, at
	// most while a search goes on, and Tried what was. Candidates may outnumber
	// the variants, because equal recipes are one variant.
	Legal, Candidates, Tried int
	// Rows are the variants, the original first, then by partition and id.
	Rows []Row
	// Complete says that the session is finished: neither was it interrupted
	// nor did it run out of budget.
	Complete bool
	// Early says that the budget ended before all was done that the effort asks for: a
	// search without a limit goes on until the budget's end, so that it has to be followed
	// by the whole race.
	Early bool
	// Recalled says that a finished session was answered from the store.
	Recalled bool
	// Elapsed is the duration of this call, Overhead the part of it in which
	// neither a compiler nor a program ran, and Waited that in which others had the machine.
	Elapsed, Overhead, Waited time.Duration
}

// Row is what a session found out about one variant.
type Row struct {
	// Variant is the id, Partition the class vector.
	Variant   string
	Partition []int
	// Setting is the point of the space that the variant is, beside the partition, in as few words as
	// there are: "" where the models decide.
	Setting string
	Status  store.Status
	// Detail says more about a failure.
	Detail string
	// Twin is the variant with the same machine code whose timings these are,
	// or "".
	Twin string
	// Rounds, Seconds, Speedup, Coverage and Certainty are as in store.Summary; Rounds is
	// 0 without a timing.
	Rounds           int
	Seconds, Speedup store.Estimate
	Coverage         float64
	Certainty        store.Certainty
	// Device is what the driver of a device told; nil without one.
	Device *DeviceSeconds
	// Joules is the median energy that its timings took; 0 where nothing told it.
	Joules float64
}

// Builder is the toolchain that has built a variant.
func (r *Result) Builder(variant string) runner.Toolchain {
	_, name := store.SplitVariant(variant)
	for _, t := range r.Compilers {
		if t.Name == name {
			return t
		}
	}
	return r.Toolchain
}

// Counts are the variants other than the original by status.
func (r *Result) Counts() map[store.Status]int {
	counts := map[store.Status]int{}
	for _, row := range r.Rows {
		if row.Variant != store.Original {
			counts[row.Status]++
		}
	}
	return counts
}

// result puts together what the ledger has.
func (s *session) result(ctx context.Context) (Result, error) {
	r := Result{
		Kernel: s.request.Kernel, Size: s.request.Size, Machine: s.request.Machine, On: s.request.On, Toolchain: s.request.Toolchain, Compilers: s.request.Compilers,
		Threads: s.request.threads(), Warnings: s.request.Warnings, Tolerance: s.request.checkTolerance(), Legal: s.request.Legal,
		Tried: s.ledger.done(), Complete: s.complete, Elapsed: time.Since(s.started),
	}
	endless := s.search != nil && s.request.Plan.Limit == 0 && s.request.Plan.Patience == 0
	r.Early = s.exhausted && !(endless && s.batch > 0 && s.settled)
	r.Overhead, r.Waited = max(r.Elapsed-s.outside.total(), 0), s.waited.total()
	r.Candidates = r.Tried
	if !s.complete {
		r.Candidates = max(r.Tried, s.total())
	}
	h := s.ledger.history()
	t := h.evidence(math.MaxInt, s.policy)
	settings, err := s.request.Store.Settings(context.WithoutCancel(ctx), s.request.KernelID)
	if err != nil {
		return r, err
	}
	for _, id := range s.ledger.order {
		if row, known := s.row(t, id); known {
			row.Setting = settings[id]
			r.Rows = append(r.Rows, row)
		}
	}
	slices.SortFunc(r.Rows, func(a, b Row) int {
		return cmp.Or(slices.Compare(partitionOf(a.Variant), partitionOf(b.Variant)), cmp.Compare(a.Variant, b.Variant))
	})
	j := judge(t, judged(s.ledger.verified(), s.policy.apart))
	r.Verdict, r.Rivals, r.Further, r.Behind, r.Claims = j.verdict, j.rivals, j.further, j.behind, j.claims
	r.Race, r.Busy = h.course(s.policy), s.busy(h)
	if baseline, ok := t.summary(store.Original); ok {
		r.Baseline, r.BaselineCertainty = baseline.Seconds, baseline.Certainty
	}
	r.Best, r.First = r.rowOf(j.winner), r.rowOf(j.first)
	r.Recipe, err = s.recipe(ctx, j.winner)
	return r, err
}

// rowOf is the row of a variant, the zero Row where there is none.
func (r *Result) rowOf(variant string) Row {
	if at := slices.IndexFunc(r.Rows, func(row Row) bool { return row.Variant == variant }); at >= 0 {
		return r.Rows[at]
	}
	return Row{}
}

// row is the row of a variant; known is false while it has no trial.
func (s *session) row(t evidence, id string) (row Row, known bool) {
	record := s.ledger.records[id]
	row = Row{Variant: id, Partition: s.partition(id), Status: record.status, Detail: record.detail, Twin: record.twin}
	timed := id
	if record.twin != "" {
		timed = record.twin
	}
	if summary, ok := t.summary(timed); ok && !record.failed() {
		row.Rounds, row.Seconds, row.Speedup = summary.Rounds, summary.Seconds, summary.Speedup
		row.Coverage, row.Certainty = summary.Coverage, summary.Certainty
		row.Device, row.Joules = s.ledger.deviceSeconds(timed), s.ledger.joules(timed)
	}
	return row, record.status != ""
}

// partition is the class vector of a variant.
func (s *session) partition(id string) []int {
	if store.IsOriginal(id) {
		return s.request.Original.Partition
	}
	return partitionOf(id)
}

// recipe finds the recipe of a variant, in memory or in the store.
func (s *session) recipe(ctx context.Context, id string) (string, error) {
	switch {
	case id == "":
		return "", nil
	case store.IsOriginal(id):
		return s.request.Original.Recipe, nil
	}
	if record := s.ledger.records[id]; record != nil && record.recipe != "" {
		return record.recipe, nil
	}
	variant, _, err := s.request.Store.FindVariant(context.WithoutCancel(ctx), s.request.KernelID, id)
	return variant.Recipe, err
}
