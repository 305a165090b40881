package tuner

import (
	"log/slog"
	"time"

	"polytune/store"
)

// Phase is what a session is doing.
type Phase string

// The phases, in their order.
const (
	// Waiting is for another tuner, on this machine or at the same work.
	Waiting Phase = "waiting"
	// Preparing builds and times the original.
	Preparing Phase = "preparing"
	// Building generates, builds and verifies variants.
	Building Phase = "building"
	// Screening times variants once.
	Screening Phase = "screening"
	// Racing times the fastest in rounds.
	Racing Phase = "racing"
	// Finished is the end.
	Finished Phase = "finished"
)

// Event says where a session is.
type Event struct {
	Phase Phase
	// Done and Total count candidates; Total is 0 where nobody knows it.
	Done, Total int
	// Round is the round of the race, Contenders who takes part in it.
	Round, Contenders int
	// Best is the fastest variant so far, Seconds its time, Speedup the
	// original's time divided by it; 0 while unknown.
	Best             string
	Seconds, Speedup float64
	// Trials counts the variants by status.
	Trials map[store.Status]int
	// Elapsed is the time since the start, Left an estimate of what remains;
	// negative while unknown.
	Elapsed, Left time.Duration
	// Message, if not "", is something that the user should read now.
	Message string
}

// unknown stands for an estimate that cannot be made yet.
const unknown = -time.Second

const (
	// manyVariants is the number of variants from which on a report, which looks at
	// all of them, is made only every reportInterval: with ten thousand it takes
	// milliseconds, several times for each candidate.
	manyVariants   = 500
	reportInterval = 250 * time.Millisecond
)

// dueReport says whether it is time for a report: always where there is something to
// read, or another phase, or few variants.
func (s *session) dueReport(phase Phase, message string) bool {
	s.reporting.Lock()
	defer s.reporting.Unlock()
	now := time.Now()
	if message != "" || phase != s.reportedPhase {
		slog.Info("phase", "kernel", s.request.Kernel, "session", s.uuid, "phase", string(phase), "message", message)
	}
	if message == "" && phase == s.reportedPhase && now.Sub(s.reportedAt) < reportInterval && s.ledger.size() > manyVariants {
		return false
	}
	s.reportedPhase, s.reportedAt = phase, now
	return true
}

// report tells the user's callback, and other processes, where the session is.
func (s *session) report(phase Phase, message string) {
	if !s.dueReport(phase, message) {
		return
	}
	e := Event{
		Phase: phase, Total: s.total(), Done: s.ledger.done(), Trials: s.ledger.counts(),
		Round: s.round, Contenders: s.contenders, Elapsed: time.Since(s.started), Left: s.left(phase), Message: message,
	}
	e.Best, e.Seconds, e.Speedup = s.front(phase)
	s.crew.note(store.Activity{
		Phase: string(phase), Done: e.Done, Total: e.Total, Round: e.Round, Best: e.Best, Seconds: e.Seconds, Speedup: e.Speedup, Left: e.Left,
	})
	if s.request.Progress == nil {
		return
	}
	s.reporting.Lock()
	defer s.reporting.Unlock()
	s.request.Progress(e)
}

// front is the best variant so far, with its time and speedup where known: the
// first of the race, when its last round began, or before it the one with the
// shortest time, and at the end the winner.
func (s *session) front(phase Phase) (variant string, seconds, speedup float64) {
	variant, seconds = s.ledger.fastest()
	switch {
	case phase == Finished:
		e := s.evidence()
		variant = judge(e, judged(s.ledger.verified(), s.policy.apart)).winner
		summary, _ := e.summary(variant)
		return variant, summary.Seconds.Median, summary.Speedup.Median
	case phase == Racing && s.first != "":
		variant = s.first
	}
	if summary, ok := s.ledger.summary(variant); ok {
		seconds, speedup = summary.Seconds.Median, summary.Speedup.Median
	}
	return variant, seconds, speedup
}

// lead finds out who is the first of the race.
func (s *session) lead() {
	if ranked, _ := s.evidence().ranked(s.ledger.verified()); len(ranked) > 0 {
		s.first = ranked[0]
	}
}

// left estimates the remaining time from the pace so far: that of the
// candidates, and then of the rounds.
func (s *session) left(phase Phase) time.Duration {
	left := unknown
	switch phase {
	case Building, Screening:
		done, total := s.ledger.done(), s.total()
		switch fresh := done - s.doneBefore; {
		case total == 0 && s.request.Budget > 0:
			left = s.request.Budget
		case total > 0 && fresh > 0:
			left = time.Since(s.tryingSince)/time.Duration(fresh)*time.Duration(total-done) + s.raceEstimate()
		}
	case Racing:
		left = s.raceLeft()
	case Finished:
		left = 0
	}
	if s.request.Budget > 0 && left > 0 {
		left = max(min(left, s.request.Budget-time.Since(s.started)), 0)
	}
	return left
}

// raceLeft estimates the rest of the race from its last round: until the least
// number of rounds, which get shorter as variants leave, and the time that the
// race should take; or else until the last round.
func (s *session) raceLeft() time.Duration {
	if s.lastRound == 0 {
		return s.raceEstimate()
	}
	if s.policy.target == 0 {
		return s.lastRound * time.Duration(max(s.policy.roundsMax-s.round+1, 1))
	}
	least := s.lastRound * time.Duration(max(s.policy.roundsMin-s.round+1, 1))
	if s.round <= leadersRounds {
		least /= 2
	}
	return max(s.policy.target-time.Since(s.racingSince), least)
}
