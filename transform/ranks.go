package transform

import (
	"errors"
	"math"
	"polytune/transform/facts"
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/scop/ranks"
	"polytune/space"
)

// RankChoice says how loops are shared out over ranks.
type RankChoice struct {
	// AsWritten has the loops of the source with all that they have around, whatever a partition says
	// about classes.
	AsWritten bool
	// Loop says which of the loops that carry no dependence are shared.
	Loop RankLoop
	// Async has what reads nothing of other ranks run while messages are under way.
	Async bool
	// Steps is the number of iterations of the loop around after which ranks tell each other values,
	// which compute those of others between again; 0 or 1 for all.
	Steps int
	// Ranks is the number for which messages are counted, 0 for the model's.
	Ranks int
}

// RankLoop says which loop of a nest ranks share.
type RankLoop int

// The loops: the one with the least to send, the outermost and the innermost that carry nothing, and the
// two outermost right inside each other, as a grid.
const (
	RankLeast RankLoop = iota
	RankOuter
	RankInner
	RankGrid
)

// OnRanks is a nest with the loops of the source, of which ranks share the outermost ones that carry
// no dependence and have the least to send, with threads in each rank. Loops whose statements write
// what data decide run on all ranks.
func OnRanks(g *depend.Graph, nest space.Nest, o Options) (schedule.Recipe, error) {
	base, err := rankBase(g, nest, o)
	if err != nil {
		return nil, err
	}
	loops, err := rankLoops(g, base)
	if err != nil {
		return nil, err
	}
	var choices []schedule.Recipe
	if grid := sharedAsGrid(base, loops); o.Ranks.Loop == RankGrid && grid.Check(g) == nil {
		return withMessages(g, grid, o), nil
	}
	for k := range facts.MostRankChoices {
		recipe := sharedAt(g, base, loops, k, o.Ranks.Loop == RankInner)
		if !slices.ContainsFunc(choices, func(other schedule.Recipe) bool { return other.Text(g.Model.Program) == recipe.Text(g.Model.Program) }) {
			choices = append(choices, recipe)
		}
		if o.Ranks.Loop != RankLeast {
			break
		}
	}
	return withMessages(g, leastSent(g, choices, o), o), nil
}

// withMessages is a recipe whose ranks wait for messages or not, or have some once in several
// iterations, with threads in each rank.
func withMessages(g *depend.Graph, recipe schedule.Recipe, o Options) schedule.Recipe {
	switch again := withGhosts(g, recipe, o.Ranks.Steps); {
	case again != nil:
		recipe = again
	case o.Ranks.Async:
		recipe = overlapped(g, recipe)
	}
	return withThreads(g, recipe)
}

// sharedAsGrid is the recipe in which ranks share the outermost loops of each nest as a grid, legal or
// not.
func sharedAsGrid(base schedule.Recipe, nests [][]string) schedule.Recipe {
	var shared []string
	for _, own := range nests {
		shared = append(shared, own[:min(facts.LoopsOfGrid, len(own))]...)
	}
	return append(slices.Clip(base), command.Ranks{Loops: shared})
}

// rankBase are the loops before they are shared.
func rankBase(g *depend.Graph, nest space.Nest, o Options) (schedule.Recipe, error) {
	if o.Ranks.AsWritten || len(nest) == 0 {
		return append(command.Beginning(g.Model.Program), command.Original{}), nil
	}
	o = o.WithOff(parallelAxis, vectorAxis)
	return explainPlain(g, nest, o)
}

// rankLoops are the names of loops that carry no dependence, outer ones first, for each nest that has
// some and whose statements certainly write what they write.
func rankLoops(g *depend.Graph, base schedule.Recipe) (nests [][]string, err error) {
	p := g.Model.Program
	tree, err := base.Replay(p)
	if err != nil {
		return nil, err
	}
	facts, err := FactsOf(g, tree)
	if err != nil {
		return nil, err
	}
	var walk func(nodes []*schedule.Node)
	walk = func(nodes []*schedule.Node) {
		for _, n := range nodes {
			var own []string
			for _, l := range n.Loops {
				if facts[l.Name].Parallel && !slices.ContainsFunc(n.Statements, func(s int) bool { return p.Statements[s].WritesPerhaps() }) {
					own = append(own, l.Name)
				}
			}
			if len(own) == 0 {
				walk(n.Parts)
				continue
			}
			nests = append(nests, own)
		}
	}
	walk(tree.Classes)
	return nests, nil
}

// sharedAt is the recipe in which ranks share loop k of each nest, counted from the outermost one or
// from the innermost, or the last one where there are fewer, as far as that is legal.
func sharedAt(g *depend.Graph, base schedule.Recipe, nests [][]string, k int, inner bool) schedule.Recipe {
	var shared []string
	for _, own := range nests {
		own = slices.Clone(own)
		if inner {
			slices.Reverse(own)
		}
		loop := own[min(k, len(own)-1)]
		if append(slices.Clip(base), command.Ranks{Loops: []string{loop}}).Check(g) == nil {
			shared = append(shared, loop)
		}
	}
	if len(shared) == 0 {
		return base
	}
	return append(slices.Clip(base), command.Ranks{Loops: shared})
}

// leastSent is the choice with the least to send: the first one of those that send as much, or of
// which nobody knows.
func leastSent(g *depend.Graph, choices []schedule.Recipe, o Options) schedule.Recipe {
	best, least := 0, math.Inf(1)
	for k, recipe := range choices {
		if len(choices) == 1 {
			break
		}
		if sent, known := sentBy(g, recipe, o); known && sent < least {
			best, least = k, sent
		}
	}
	return choices[best]
}

// sentBy is what ranks send with a recipe, in bytes, of which a message counts for some; known is
// false where isl needs too long to tell, and where ranks cannot run it.
func sentBy(g *depend.Graph, recipe schedule.Recipe, o Options) (sent float64, known bool) {
	start := g.Model.Context.Mark()
	defer g.Model.Context.Release(start)
	exceeded := g.Model.Context.Within(facts.RankOperations, func() {
		plan, err := rankPlan(g, recipe)
		if err != nil || len(plan.Groups) == 0 {
			return
		}
		sizes := map[string]int{}
		for _, name := range g.Model.Program.Parameters {
			sizes[name] = facts.ModelSize
		}
		number := o.Ranks.Ranks
		if number < 2 {
			number = facts.ModelRanks
		}
		volume, err := plan.Volume(g.Model, sizes, number, ranks.OnNone)
		sent, known = float64(volume.Bytes+facts.MessageBytes*volume.Messages), err == nil
	})
	return sent, known && !exceeded
}

// rankPlan is what ranks do with a recipe.
func rankPlan(g *depend.Graph, recipe schedule.Recipe) (*ranks.Plan, error) {
	tree, proven, err := recipe.Prove(g)
	if err != nil {
		return nil, err
	}
	m, err := tree.Model(g.Model)
	if err != nil {
		return nil, err
	}
	if m != g.Model {
		return nil, errors.New("the recipe changes the program's statements")
	}
	return ranks.Of(m, proven, ranks.Options{Gather: ranks.OnNone, Reordered: command.Reassociates(recipe.Text(g.Model.Program))})
}

// overlapped has what reads nothing of other ranks run while messages are under way, as far as that
// is legal.
func overlapped(g *depend.Graph, recipe schedule.Recipe) schedule.Recipe {
	var commands []schedule.Command
	start := g.Model.Context.Mark()
	defer g.Model.Context.Release(start)
	exceeded := g.Model.Context.Within(facts.RankOperations, func() {
		plan, err := rankPlan(g, recipe)
		if err != nil {
			return
		}
		for _, x := range plan.Exchanges {
			if x.Before == "" {
				continue
			}
			exchange := command.Exchange{Loop: x.Before, Async: true}
			for _, a := range x.Arrays {
				exchange.Arrays = append(exchange.Arrays, a.Array.Name)
			}
			commands = append(commands, exchange)
		}
	})
	if with := append(slices.Clip(recipe), commands...); !exceeded && with.Check(g) == nil {
		return with
	}
	return recipe
}

// withThreads has threads share the loops that ranks share, as far as that is legal.
func withThreads(g *depend.Graph, recipe schedule.Recipe) schedule.Recipe {
	for _, c := range slices.Clone(recipe) {
		shared, is := c.(command.Ranks)
		if !is {
			continue
		}
		for _, l := range shared.Loops {
			if threads := append(slices.Clip(recipe), command.Parallel{Loop: l}); threads.Check(g) == nil {
				recipe = threads
			}
		}
	}
	return recipe
}
