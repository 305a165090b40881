package handout

import (
	"context"
	"fmt"

	"polytune/report"
	"polytune/store"
	"polytune/tuner"
)

// Contender is the variant that would be the best if it were known to be faster than the
// original.
type Contender struct {
	store.Best
	// further are the rounds that would tell, 0 where no sensible number would.
	further int
}

// ContenderOf is the first variant where the original is the answer to a question, nil
// where that is known, or there is no other. indifference is the relative difference of
// times that does not matter.
func ContenderOf(ctx context.Context, db *store.Store, answer store.Best, indifference float64) (*Contender, error) {
	if !store.IsOriginal(answer.Variant.ID) {
		return nil, nil
	}
	first, err := db.Best(ctx, store.BestQuery{KernelID: answer.Variant.Kernel, Size: answer.Size, Machine: answer.Machine, Toolchain: answer.Toolchain, On: answer.On, Any: true})
	if err != nil || len(first) == 0 || store.IsOriginal(first[0].Variant.ID) || first[0].Summary.Speedup.Median <= 1 {
		return nil, err
	}
	session, err := db.SessionOf(ctx, first[0].Trial)
	if err != nil {
		return nil, err
	}
	stored, err := tuner.ReadStored(ctx, db, session)
	if err != nil {
		return nil, err
	}
	return &Contender{first[0], tuner.RoundsToTell(stored, first[0].Variant.ID, indifference)}, nil
}

// Text says what is not known, and what would tell.
func (c *Contender) Text() string {
	text := fmt.Sprintf("no variant is known to be faster than the original: %s is %s over it in %d %s%s; ",
		c.Variant.ID, report.Speedup(c.Summary.Speedup, c.Summary.Certainty), c.Summary.Rounds, report.Plural(c.Summary.Rounds, "round"), report.BeyondInterval(c.Summary.Speedup, c.Summary.Certainty))
	if c.further > 0 {
		return text + fmt.Sprintf("about %d more %s would tell", c.further, report.Plural(c.further, "round"))
	}
	return text + "it is too near for a number of rounds that would tell"
}
