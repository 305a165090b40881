package session

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"polytune/configs"
	"polytune/pipeline/choices"
	"polytune/report"
	"polytune/runner"
	"polytune/tuner"
	"polytune/tuner/search"
)

// DefaultStrategies are the strategies of efforts that search.
var DefaultStrategies = map[tuner.Effort]string{tuner.Normal: "climb", tuner.Full: "surrogate"}

// checkStrategy refuses names of no strategy, and any for an effort that does not
// search.
func (o *Options) checkStrategy(effort tuner.Effort) error {
	if o.Strategy == "" {
		return nil
	}
	if effort == tuner.Quick {
		return fmt.Errorf("effort quick tries the models' defaults alone; leave out --strategy, or take --effort normal or full")
	}
	return search.Check(o.Strategy)
}

// leastBatch and mostBatch bound the number of candidates between two decisions
// of a strategy: enough for all processors to have something to build.
const leastBatch, mostBatch = 8, 64

// searchPlan says how a session searches. Nothing in it depends on what may
// differ between two calls that go on with one session.
func (o *Options) searchPlan(effort tuner.Effort, settings configs.Settings, machine runner.Machine) search.Plan {
	plan := search.Plan{
		Strategy: o.Strategy, Seed: o.Seed, Improvement: settings.Measurement.Indifference,
		Batch: min(max(2*machine.Cores, leastBatch), mostBatch),
	}
	if plan.Strategy == "" {
		plan.Strategy = DefaultStrategies[effort]
	}
	switch {
	case effort == tuner.Normal:
		plan.Limit = settings.Search.Candidates
	case o.Budget == 0:
		plan.Patience = settings.Search.Patience
	}
	return plan
}

// guessedPace is the time for a candidate where no session was recorded.
const guessedPace = 2 * time.Second

// planReport is the JSON document of --dry-run.
type planReport struct {
	Kernel   string `json:"kernel"`
	Size     string `json:"size"`
	Legal    int    `json:"legal"`
	Strategy string `json:"strategy,omitempty"`
	// Variants is the number of candidates, at most, or where AtLeast says so at
	// least.
	Variants int  `json:"variants"`
	AtLeast  bool `json:"at_least"`
	// Seconds is about how long they take, the race included; Estimate says from
	// what that is known: "recorded" timings of this machine, a "guess", or the
	// "budget".
	Seconds  float64 `json:"seconds"`
	Estimate string  `json:"estimate"`
	// Compilers are the names of the session's compilers where there are several.
	Compilers []string `json:"compilers,omitempty"`
	// Space is the number of variants of the whole space, at most, or of the fillings of recipes
	// that somebody has written; "" where it cannot be counted.
	Space string `json:"space,omitempty"`
	// byHand says that they are fillings.
	byHand bool
}

// plan says how many variants would be tried, about how long that takes, and how
// many there are at most.
func (o *Options) plan(ctx context.Context, w io.Writer, p *choices.Probe, request tuner.Request) (planReport, error) {
	r := planReport{Kernel: request.Kernel, Size: request.Size, Legal: request.Legal, Variants: len(request.Candidates) + request.Elsewhere()}
	if len(p.Compilers) > 1 {
		r.Compilers = choices.CompilerAxis(p.Compilers).Choices()
	}
	if request.Space != nil {
		r.Strategy = request.Plan.Strategy
		r.Variants += request.Plan.Limit + request.Plan.Patience
		r.AtLeast = request.Plan.Limit == 0
	}
	all, err := p.CountVariants(ctx)
	if err != nil {
		return r, err
	}
	if p.ByHand != nil {
		all, r.byHand = p.ByHand.Count(), true
		r.AtLeast = r.AtLeast && !(o.OnlyRecipes && p.ByHand.IsSmall())
	}
	if all != nil {
		r.Space = all.String()
		if request.Space != nil && p.ByHand == nil && all.IsInt64() && all.Int64() < int64(r.Variants) {
			r.Variants = max(len(request.Candidates), int(all.Int64())+len(request.Compilers))
		}
	}
	pace, known, err := request.Store.Pace(ctx, request.Machine.ID, request.Kernel, request.Size, request.On.Target)
	if err != nil {
		return r, err
	}
	r.Estimate = "recorded"
	if !known {
		r.Estimate, pace = "guess", guessedPace.Seconds()
	}
	r.Seconds = float64(r.Variants)*pace + request.RaceTarget().Seconds()
	if budget := o.Budget.Seconds(); budget > 0 && (r.AtLeast && request.Plan.Patience == 0 || r.Seconds > budget) {
		r.Estimate, r.Seconds = "budget", budget
	}
	if !o.JSON {
		r.print(w)
	}
	return r, nil
}

func (r planReport) print(w io.Writer) {
	var b strings.Builder
	bound := map[bool]string{true: "at least ", false: "up to "}[r.AtLeast]
	if r.Strategy == "" && len(r.Compilers) == 0 {
		bound = ""
	}
	fmt.Fprintf(&b, "%s: %s%d %s", r.Kernel, bound, r.Variants, report.Plural(r.Variants, "candidate"))
	if r.Legal > 0 {
		fmt.Fprintf(&b, " from %d legal partitions", r.Legal)
	}
	if r.Strategy != "" {
		fmt.Fprintf(&b, ", strategy %s", r.Strategy)
	}
	if len(r.Compilers) > 0 {
		fmt.Fprintf(&b, ", compilers %s", strings.Join(r.Compilers, ", "))
	}
	source := map[string]string{"recorded": "by the pace of sessions on this machine", "guess": "a guess: nothing was recorded on this machine", "budget": "the budget of the whole command"}[r.Estimate]
	fmt.Fprintf(&b, "; about %v (%s)", time.Duration(r.Seconds*float64(time.Second)).Round(time.Second), source)
	switch {
	case r.Space != "" && r.byHand:
		fmt.Fprintf(&b, "; the recipes have %s fillings", r.Space)
	case r.Space != "":
		fmt.Fprintf(&b, "; the whole space has up to %s variants", r.Space)
	}
	fmt.Fprintln(w, b.String())
}
