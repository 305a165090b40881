package tuner

import (
	"context"
	"encoding/json"
	"math"
	"slices"

	"polytune/runner"
	"polytune/store"
)

// Judgement is a verdict on the trials of a session.
type Judgement struct {
	Verdict Verdict
	// Winner is the variant that is best, "" where nothing was timed.
	Winner string
	// Rivals are the variants that are tied with the winner or not separated from it,
	// fastest first; Further is as in Result.
	Rivals  []string
	Further int
	// Claims says how sure what the verdict claims is.
	Claims Claims
	// Race says how the race went.
	Race Race
}

// Stored is what the store has of a session's race.
type Stored struct {
	// Settings are those of the session's key.
	Settings json.RawMessage
	// Trials have their samples. Those that store.Store.Raced gives are enough: who
	// was timed once has lost in the screening.
	Trials   []store.Trial
	Controls []store.Control
	States   []store.RoundState
	// On is that of the session's key.
	On store.On
}

// ReadStored reads all that the store has of a session's timings.
func ReadStored(ctx context.Context, db *store.Store, session store.Session) (Stored, error) {
	stored := Stored{Settings: session.Settings, On: session.On}
	trials, err := db.Trials(ctx, session.SessionKey)
	if err != nil {
		return stored, err
	}
	for _, trial := range trials {
		if trial.Session == session.UUID {
			stored.Trials = append(stored.Trials, trial)
		}
	}
	if stored.Controls, err = db.Controls(ctx, session.UUID); err != nil {
		return stored, err
	}
	stored.States, err = db.RoundStates(ctx, session.UUID)
	return stored, err
}

// facts are what a stored session shows: its records, its timings, and the policy by which
// they are judged. indifference is the relative difference that does not matter.
func (s Stored) facts(indifference float64) (*ledger, history, policy) {
	var settings struct {
		Threads int `json:"threads"`
	}
	if json.Unmarshal(s.Settings, &settings) != nil {
		settings.Threads = 1
	}
	p := policy{claim: claimConfidence, disturbed: disturbedShare, indifference: indifference, processors: settings.Threads, apart: s.On.Target != ""}
	l := newLedger(s.On.Timing)
	l.load(s.Trials, s.Controls, s.States, nil)
	return l, l.history(), p
}

// Judge gives the verdict on a stored session, as Tune does at its end.
// indifference is the relative difference that does not matter.
func Judge(stored Stored, indifference float64) Judgement {
	l, h, p := stored.facts(indifference)
	j := judge(h.evidence(math.MaxInt, p), judged(l.verified(), p.apart))
	return Judgement{j.verdict, j.winner, j.rivals, j.further, j.claims, h.course(p)}
}

// RoundsToTell estimates how many more rounds of a stored session would tell whether a
// variant is faster than the original; 0 where no sensible number would.
func RoundsToTell(stored Stored, variant string, indifference float64) int {
	_, h, p := stored.facts(indifference)
	return h.evidence(math.MaxInt, p).furtherRounds(variant, store.Original)
}

// StoredWarnings are what was known to disturb timings whenever a session was begun or
// resumed, from the details that the store keeps with it; known is false where these do
// not tell.
func StoredWarnings(details json.RawMessage) (warnings []runner.Warning, known bool) {
	type call struct {
		Disturbances *[]runner.Warning `json:"disturbances"`
	}
	var kept struct {
		call
		Resumed []call `json:"resumed"`
	}
	if json.Unmarshal(details, &kept) != nil || kept.Disturbances == nil {
		return nil, false
	}
	for _, c := range append([]call{kept.call}, kept.Resumed...) {
		if c.Disturbances == nil {
			continue
		}
		for _, w := range *c.Disturbances {
			if !slices.Contains(warnings, w) {
				warnings = append(warnings, w)
			}
		}
	}
	return warnings, true
}
