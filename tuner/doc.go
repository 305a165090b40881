// Package tuner runs a tuning session: it asks a Generator for the code of
// every candidate, verifies and times it, and decides which variant is best on
// this machine, keeping everything in a store as it goes.
//
// # Course of a session
//
// Batches of candidates are generated, compared bit for bit with the original
// at small sizes, and built, in parallel; then each batch is screened, one
// variant at a time, with one timing each under a cap that follows the best
// time known. The fastest go into a race of rounds. A round times the original
// and every contender once, and one of them a second time, in random order;
// after three rounds the slower half leaves, after five all but the leaders. In
// the final between these every second round goes backwards through the order
// of the one before, and whoever is clearly slower than the first leaves. The
// race ends when nothing is left to decide, or when the rounds, the time or the
// budget are used up. An original that takes more than ten times as long as the
// fastest variant is in six rounds alone, and that variant takes its place in the others.
//
// # Verdict
//
// Variants are compared by the paired logarithms of their times in the same
// rounds, with the order-statistic intervals of package stat; the verdict is
// "best", "tied" or "not-separated". The original takes part like any other.
// The second times (A/A control) show how far equal programs are apart: no
// smaller difference is claimed. Rounds in which the machine was not what it was
// in the others are kept, but do not count.
//
// # Several tuners
//
// Tuners with equal requests on one database share the work of one session.
// Each claims a variant in the database before it builds it, and gives the claim
// back in the transaction that stores the variant's first trial, so that none is
// tried twice. When all are tried, one tuner claims the race; the others wait
// and answer from the store. A tuner gives a sign of life every two seconds: a
// counter that the others watch by their own clocks. The claims of one that has
// died return, at once where its process can be seen to be gone, or else after three
// quarters of a minute. Should it only have been stopped, its next trial of a variant that
// others have taken over is not stored.
//
// Tuners on one machine, whatever they tune, take turns: each builds a batch of
// variants while nobody times, and times while nobody else builds or times.
//
// # Interruption
//
// Every timing is committed when it is made, every failed trial when it fails.
// An interrupted session is found again by the same Request: finished trials
// are skipped, open ones continue with further rounds, and only the binaries
// still needed are rebuilt. Where the budget ends within the race, the trials of those
// who race stay open, with what they have shown so far. A finished session is answered
// from the store.
//
// # Where to find what
//
//   - what is tried: trials.go, propose.go, compiler.go (candidates that name a compiler), bench.go
//     (a bench for each); names of variants: store/register.go
//   - what is timed next, who leaves the race: race.go, rounds.go, reference.go (slow originals);
//     the verdict: verdict.go; the statistics: tuner/stat/
//   - what the timings say, how far equal programs are apart: history.go; which rounds do not
//     count: guard.go; for people: course.go, report/race.go; how well that works:
//     tuner/simulation_test.go, policies_test.go
//   - what becomes of what killed tuners have timed: left.go, store/rate.go; who calls it:
//     internal/opendb/opendb.go
//   - when a difference at full size is rounding: rounding.go, runner/rounding.go
//   - how several tuners share a session: share.go, crew.go, store/worker.go; which of them are
//     alive: runner/process.go; who may build or time now: lock.go
//   - when a budget ends: deadline.go
//   - why so: docs/decisions/README.md, "The race"
package tuner
