package tuner

import "time"

// raceCosts are what a race takes time for.
type raceCosts struct {
	// contender and baseline are the times of a sample of a fast variant and of the original, with
	// what their processes do besides.
	contender, baseline time.Duration
	// budget bounds what a slow original may take; 0 for none.
	budget time.Duration
}

// raceMargin is how much longer processes take in the race than in the screening: those of fast
// variants call them more often. It was 1.02, 1.17 and 1.35 for tiramisu/baryon, ticket-2373 and nb
// at size large (a virtual Xeon with AVX-512, 2026-11-29).
const raceMargin = 1.3

// costs are guesses from the runs of the original and of the fastest variants, and from the time
// that processes took: they set their data and look at their results, too.
func (s *session) costs() raceCosts {
	_, fastest := s.ledger.fastest()
	contender := time.Duration(fastest*1.2*float64(time.Second)) + s.clock.overhead
	contender = max(contender, time.Duration(s.request.Settings.Measurement.SampleSeconds*float64(time.Second)))
	contender = max(contender, time.Duration(raceMargin*float64(s.ledger.processTime())))
	return raceCosts{contender: contender, baseline: s.baselineWall, budget: s.request.Budget}
}

// least is how long a race takes until a claim is possible, references what the original and the
// control take in a round.
func (c raceCosts) least(p policy) (least, references time.Duration) {
	leaders := min(p.leaders, p.entrants)
	half := max((p.entrants+1)/2, leaders)
	runs := halvingRounds*p.entrants + (leadersRounds-halvingRounds)*half + (p.roundsMin-leadersRounds)*leaders
	references, once := 2*c.baseline, time.Duration(0)
	switch {
	case c.baseline > slowFactor*c.contender:
		// A race that the budget ends does without the original rather than without variants.
		references, once = c.contender, time.Duration(baselineRounds())*c.baseline
		if c.budget > 0 {
			once = min(once, c.budget/4)
		}
	case c.baseline > controlFactor*time.Duration(leaders)*c.contender:
		references = c.baseline + c.contender
	}
	return once + time.Duration(runs)*c.contender + time.Duration(p.roundsMin)*references, references
}

// raceEstimate is a guess at the duration of the whole race.
func (s *session) raceEstimate() time.Duration {
	p, costs := s.policy, s.costs()
	if total := s.total(); total > 0 {
		p.entrants = min(p.entrants, total)
	}
	least, references := costs.least(p)
	if p.target > 0 {
		return max(least, p.target)
	}
	return least + time.Duration(p.roundsMax-p.roundsMin)*(references+time.Duration(min(p.leaders, p.entrants))*costs.contender)
}

// leastEntrants are those of the shortest race: the fastest variant and one that may be faster.
const leastEntrants = 2

// within is a race that some time allows a claim in, with as many entrants as that takes, or else the
// shortest one: few variants that are known are worth more than many of which nobody can say which
// is the fastest, or whether any is faster than the original.
//
// Some of the time is for rounds that are disturbed and do not count.
func (p policy) within(left time.Duration, costs raceCosts) policy {
	left = time.Duration((1 - p.disturbed) * float64(left))
	for p.entrants > leastEntrants {
		least, _ := costs.least(p)
		if least <= left {
			break
		}
		p.entrants--
		p.leaders = min(p.leaders, max(leastEntrants, p.entrants/2))
	}
	return p
}

// fitRace chooses a race that ends within what is left of the budget.
func (s *session) fitRace() {
	if s.request.Budget > 0 && !s.request.Replay {
		s.policy = s.policy.within(s.request.Budget-time.Since(s.started), s.costs())
	}
}
