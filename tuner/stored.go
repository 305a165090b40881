package tuner

import "polytune/store"

// Judgement is a verdict on the trials of a session.
type Judgement struct {
	Verdict Verdict
	// Winner is the variant that is best, "" where nothing was timed.
	Winner string
	// Rivals are the variants that are tied with the winner or not separated from it,
	// fastest first; Further is as in Result.
	Rivals  []string
	Further int
}

// Judge gives the verdict on a session from its trials with their samples, as
// Tune does at its end. Of the trials, those that store.Store.Raced gives are enough:
// who was timed once has lost in the screening. indifference is the relative
// difference that does not matter.
func Judge(trials []store.Trial, indifference float64) Judgement {
	l := newLedger()
	l.load(trials)
	j := judge(l.timings(), l.verified(), indifference)
	return Judgement{j.verdict, j.winner, j.rivals, j.further}
}
