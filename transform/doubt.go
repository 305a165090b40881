package transform

import (
	"fmt"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// Overhead is what the code of a schedule computes for each instance of a statement beside the
// statement itself, inside the innermost loop: so many comparisons, and divisions and remainders.
type Overhead struct{ Conditions, Quotients int }

// Candidate is a schedule whose code is known.
type Candidate struct {
	Recipe schedule.Recipe
	// Overheads are those of the statements by their indices; of others there are none.
	Overheads map[int]Overhead
}

// Weight is what the statements with the most work are estimated to take, in accesses to a cache
// that do not share a vector: on one thread and on those of the run.
type Weight struct{ One, All float64 }

// Doubts says why the loops that the models have found may be slower than those of the source with
// threads and vectors, in words that follow on "because"; "" where they are not. Nothing is said
// about schedules that are the same, nor about those with register blocks, which the estimate does
// not know the worth of.
func Doubts(g *depend.Graph, model, source Candidate, options Options) (string, error) {
	options.Loops = LoopsModel
	first, err := weigh(g, model, options)
	if err != nil {
		return "", err
	}
	options.Loops = LoopsSource
	second, err := weigh(g, source, options)
	if err != nil {
		return "", err
	}
	switch {
	case first.One > facts.Clearly*second.One:
		return fmt.Sprintf("%s on one thread (about %.1f times the time)", reasonOf(model), first.One/second.One), nil
	case first.All > facts.Clearly*second.All && first.One*facts.Clearly > second.One:
		return fmt.Sprintf("fewer statements run on several threads (about %.1f times the time on %d)", first.All/second.All, max(1, options.Run.Threads)), nil
	}
	return "", nil
}

// reasonOf says what is slow about a schedule.
func reasonOf(c Candidate) string {
	conditions, quotients := 0, 0
	for _, o := range c.Overheads {
		conditions, quotients = max(conditions, o.Conditions), max(quotients, o.Quotients)
	}
	if conditions+quotients > 0 {
		return fmt.Sprintf("each instance comes with %d comparisons and %d divisions or remainders", conditions, quotients)
	}
	return "innermost loops go through memory by longer steps, or have fewer vectors,"
}

// weigh estimates what the statements with the most work take. With the loops of the source,
// threads share what is inside of a parallel loop that no other one is around: nobody knows whether
// the work between two barriers is worth them elsewhere.
func weigh(g *depend.Graph, c Candidate, options Options) (w Weight, err error) {
	all := make([]int, len(g.Model.Statements))
	for s := range all {
		all[s] = s
	}
	threads := float64(max(1, options.Run.Threads))
	options.Run.Threads = 1
	p := &planner{graph: g, options: options}
	working, _, err := p.mostWork(all)
	if err != nil {
		return w, err
	}
	tree, err := c.Recipe.Replay(g.Model.Program)
	if err != nil {
		return w, err
	}
	e := estimate{lanes: facts.LanesOfBlocks, times: map[int]float64{}, overheads: c.Overheads}
	shared := map[int]bool{}
	for _, class := range tree.Classes {
		p.addTo(&e, class, working, shares{lanes: 1, threads: 1})
		addShared(shared, class, class, options.Loops == LoopsSource)
	}
	for _, s := range working {
		w.One += e.times[s]
		if shared[s] {
			w.All += e.times[s] / threads
		} else {
			w.All += e.times[s]
		}
	}
	return w, nil
}

// addShared adds the statements of a node of a class whose instances threads share; where outermost
// says so those alone that are so in the outermost loop.
func addShared(shared map[int]bool, class, n *schedule.Node, outermost bool) {
	for k, l := range n.Loops {
		if (l.IsParallel() || command.IsRelay(l)) && (!outermost || n == class && k == 0) {
			for _, s := range n.Statements {
				shared[s] = true
			}
		}
	}
	for _, part := range n.Parts {
		addShared(shared, class, part, outermost)
	}
}

// addTo are the lanes that an instance with the overhead shares, and what its accesses count with
// it: compilers make no vectors of what comes with conditions.
func (o Overhead) addTo(lanes, cost float64) (float64, float64) {
	if o.Conditions+o.Quotients == 0 {
		return lanes, cost
	}
	return 1, cost + facts.CostOfCondition*float64(o.Conditions) + facts.CostOfQuotient*float64(o.Quotients)
}
