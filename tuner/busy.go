package tuner

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"polytune/runner"
)

// busyDetail is the entry of a session's details that says which other programs used the
// processors.
const busyDetail = "busy"

// noteBusy keeps with the session which other programs used the processors while it timed.
func (s *session) noteBusy(ctx context.Context) error {
	text := s.busy(s.ledger.history())
	if text == "" {
		return nil
	}
	return s.request.Store.NoteDetail(context.WithoutCancel(ctx), s.uuid, busyDetail, text)
}

// busy says by what one knows that other programs used the processors: they did when the
// session began, or in more of the rounds than can be left out. "" stands for none.
func (s *session) busy(h history) string {
	if text := StoredBusy(s.details); text != "" {
		return text
	}
	rounds := h.races(math.MaxInt)
	if n := h.crowded(rounds, s.policy.processors); float64(n) > s.policy.disturbed*float64(len(rounds)) {
		return fmt.Sprintf("other programs were on the processors in %d of %d rounds", n, len(rounds))
	}
	return ""
}

// crowded counts the rounds in which the system took the processors away from the runs as
// often as it does where another program computes, whatever it did in the others.
func (h history) crowded(rounds []int, processors int) (n int) {
	for _, round := range rounds {
		s := h.strain[round]
		seconds := s.elapsed.Seconds() * float64(max(processors, 1))
		if seconds > 0 && (float64(s.preempted)/seconds > preemptions || s.stolen.Seconds()/seconds > stolenShare) {
			n++
		}
	}
	return n
}

// StoredBusy is what Result.Busy says, from the details that the store keeps with a session.
func StoredBusy(details json.RawMessage) string {
	var kept struct {
		Busy string `json:"busy"`
	}
	if json.Unmarshal(details, &kept) == nil && kept.Busy != "" {
		return kept.Busy
	}
	warnings, _ := StoredWarnings(details)
	for _, w := range warnings {
		if w.Kind == runner.BusyProcesses {
			return w.Message
		}
	}
	return ""
}
