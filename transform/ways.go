package transform

import (
	"errors"
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform/facts"
)

// Loops that statements share may cost their vector code: the step of a game of life and the copy
// after it share rows in tiles over the steps, but a count of the living in the same nest must see
// the points one by one. Then the loops of the source, of which some are permutable and tiled as
// any, are often worth more, as most programs are written for compilers that make vector code of
// their innermost loops: 24 steps on 1024 x 1024 bytes take 83 ms so on two threads of an AMD EPYC
// with AVX-512, and 8 as they are written.

// emitClass emits the commands of one class. Where the model's loops leave some of the statements
// with the most work without vectors, those of the source, if the statements share one, are taken
// if they are faster by an estimate.
func (p *planner) emitClass(plan *nodePlan, inside space.Nest) error {
	commands, said, err := p.collect(func() error { return p.modelClass(plan, inside) })
	if err != nil {
		return err
	}
	source, err := p.choose(AtLoops, plan.name, View{node: plan, asked: len(inside) > 0, model: commands})
	if source != nil || err != nil {
		return err
	}
	p.keep(commands, said)
	return nil
}

// source gives a class that has the model's loops those of the source.
func (v View) source() (*Plan, Reason, error) {
	p, plan := v.planner, v.node
	switch {
	case v.asked:
		return nil, "a structure is asked for", nil
	case !mayTakeSource(p.graph, &p.options, plan):
		return nil, "no one loop of the source is around all of it, or other loops are asked for", nil
	}
	working, loops, err := p.mostWork(plan.statements)
	if err != nil {
		return nil, "", err
	}
	model, err := p.estimate(v.model, working)
	if err != nil || model.isGood(loops) {
		return nil, "the statements with the most work have vectors or register blocks already", err
	}
	begin := len(p.recipe)
	if err := p.sourceClass(&nodePlan{name: plan.name, statements: plan.statements}); err != nil {
		return nil, "", err
	}
	source, err := p.estimate(p.recipe[begin:], working)
	var refused *schedule.CommandError
	switch {
	case errors.As(err, &refused): // the model's loops are there all the same
		return nil, Reason("its commands are refused: " + refused.Error()), nil
	case err != nil:
		return nil, "", err
	case source.time >= model.time:
		return nil, Reason(fmt.Sprintf("they are not estimated to be faster: %.3g accesses, the model's %.3g", source.time, model.time)), nil
	case model.lanes > 1 && source.lanes != facts.LanesOfBlocks:
		return nil, "the model's loops have vectors, and those of the source have no register blocks", nil
	}
	return &Plan{Estimate: &Estimate{Cost: source.time, Without: model.time}}, "", nil
}

// modelClass emits the commands of a class with the model's loops.
func (p *planner) modelClass(plan *nodePlan, inside space.Nest) error {
	if err := p.class(plan, inside); err != nil {
		return err
	}
	return p.decide(plan, !p.options.Uses(parallelAxis))
}

// sourceClass emits the commands of a class with the loops of the source.
func (p *planner) sourceClass(plan *nodePlan) error {
	s := setting{found: map[int][][]int64{}, active: facts.DependencesOf(p.graph, plan.statements)}
	if err := p.inSource(plan, s, 0); err != nil {
		return err
	}
	return p.decide(plan, !p.options.Uses(parallelAxis))
}

// mayChoose says whether it is left to the models which loops a class has.
func mayChoose(o *Options) bool {
	vectors := o.Uses(vectorAxis) && o.Vector.Bits > 0
	return vectors && o.Fusion == FuseSmart && !o.Original && o.Diamond == DiamondOff
}

// mayTakeSource says whether a class may have the loops of the source: one of them is around all of
// it. A statement that waits with another for its sum is not to be taken away from it.
func mayTakeSource(g *depend.Graph, o *Options, plan *nodePlan) bool {
	return mayChoose(o) && !plan.hasDelay() && len(scop.ByPosition(g.Model.Program.Statements, plan.statements, 0)) == 1
}

// hasDelay says whether a statement of a node runs later than another one, in the loop of a sum.
func (n *nodePlan) hasDelay() bool {
	return n.delay != nil || slices.ContainsFunc(n.parts, (*nodePlan).hasDelay)
}

// inSource completes a node in the order of the source, from its loop of that level on: bands of as
// many loops as are permutable, and parts where the source has several loops or statements behind
// each other.
func (p *planner) inSource(plan *nodePlan, s setting, level int) error {
	statements := p.graph.Model.Program.Statements
	if groups := scop.ByPosition(statements, plan.statements, level); len(groups) > 1 {
		p.emit(command.Split{Node: plan.name, Groups: groups})
		for k, group := range groups {
			part := &nodePlan{name: partName(plan.name, k), statements: group}
			plan.parts = append(plan.parts, part)
			if err := p.inSource(part, s.within(group), level); err != nil {
				return err
			}
		}
		return nil
	}
	depth := statements[plan.statements[0]].Depth()
	if level == depth {
		return nil
	}
	band := &facts.Band{Active: s.active, Permutable: true}
	for level < depth && len(scop.ByPosition(statements, plan.statements, level)) == 1 {
		rows := facts.SourceLoop(p.graph, plan.statements, level)
		permutable, err := facts.Forward(facts.Constraining(s.active), rows)
		if err != nil {
			return err
		}
		if len(band.Rows) > 0 && !permutable {
			break
		}
		if err := addLoop(p.graph, &p.options, band, rows, s.found); err != nil {
			return err
		}
		level++
	}
	after, err := p.append(plan, band, s)
	if err != nil {
		return err
	}
	return p.inSource(plan, after, level)
}

// estimate is what some commands are worth.
type estimate struct {
	// time counts what statements use in an iteration, divided by the lanes and threads that share
	// the iterations.
	time float64
	// times are the statements' parts of that.
	times map[int]float64
	// lanes is the least number of lanes of the statements.
	lanes float64
	// overheads are those of the statements where their code is known, nil elsewhere.
	overheads map[int]Overhead
}

// isGood says whether statements inside so many loops have the best that they can have: register
// blocks, or vectors where loops are too few for these.
func (e estimate) isGood(loops int) bool {
	return e.lanes == facts.LanesOfBlocks || e.lanes > 1 && loops < facts.BlockLoops
}

// estimate is that of some commands behind the beginning, for some of the statements.
func (p *planner) estimate(commands []schedule.Command, statements []int) (estimate, error) {
	recipe := slices.Concat(p.recipe[:p.beginning], commands)
	tree, err := recipe.Replay(p.graph.Model.Program)
	if err != nil {
		return estimate{}, fmt.Errorf("the commands of a class: %w", err)
	}
	e := estimate{lanes: facts.LanesOfBlocks, times: map[int]float64{}}
	for _, class := range tree.Classes {
		p.addTo(&e, class, statements, shares{lanes: 1, threads: 1})
	}
	return e, nil
}

// shares says what shares the iterations of the loops outside, which are around: so many lanes and
// threads.
type shares struct {
	lanes, threads float64
	around         []*schedule.Loop
}

// inner is the innermost one of the loops outside, nil for none.
func (s shares) inner() *schedule.Loop {
	if len(s.around) == 0 {
		return nil
	}
	return s.around[len(s.around)-1]
}

// addTo adds a node's share to an estimate.
func (p *planner) addTo(e *estimate, n *schedule.Node, statements []int, outside shares) {
	outside.lanes, outside.around = max(outside.lanes, lanesIn(n)), append(slices.Clip(outside.around), n.Loops...)
	for k, l := range n.Loops {
		if l.IsParallel() {
			outside.threads = max(outside.threads, threadsOf(&p.options, k > 0 && len(n.Loops[k-1].Terms) > 1))
		}
	}
	for _, part := range mainParts(n.Parts) {
		p.addTo(e, part, statements, outside)
	}
	if len(n.Parts) > 0 {
		return
	}
	for _, s := range n.Statements {
		if slices.Contains(statements, s) {
			lanes, cost := outside.lanes, costOfAccesses(p.graph, outside.inner(), s)
			if p.isRolled(s, outside.around) {
				lanes, cost = 1, facts.CostOfRolled*cost
			}
			lanes, cost = e.overheads[s].addTo(lanes, cost)
			e.times[s] += cost / (lanes * outside.threads)
			e.time += cost / (lanes * outside.threads)
			e.lanes = min(e.lanes, lanes)
		}
	}
}

// lanesIn is the number of lanes that the loops of a node count as: rows of single elements that
// stay in registers are no more than vectors.
func lanesIn(n *schedule.Node) float64 {
	hasBlocks := slices.ContainsFunc(n.Loops, func(l *schedule.Loop) bool {
		blocks, is := command.BlockAt(l)
		return is && blocks.Lanes > 0
	})
	switch beside := besideIn(n); {
	case beside == 0:
		return 0
	case hasBlocks:
		return facts.LanesOfVectors * float64(beside)
	}
	return facts.LanesOfVectors
}

// isRolled says whether one of some loops skews a statement's tiny nest in the source along the
// loops around that.
func (p *planner) isRolled(s int, around []*schedule.Loop) bool {
	tiny := p.tinyNest(s)
	return slices.ContainsFunc(around, func(l *schedule.Loop) bool {
		return slices.ContainsFunc(l.Terms, func(t schedule.Term) bool { return facts.Mixes(t.Rows[s].Iterators, tiny) })
	})
}

// tinyNest is the number of loops in front of a statement's tiny nest in the source.
func (p *planner) tinyNest(s int) (first int) {
	depth := p.graph.Model.Statements[s].Depth()
	var outer [][]int64
	for first = range depth {
		if tiny, err := p.isTiny(s, map[int][][]int64{s: outer}); tiny && err == nil {
			return first
		}
		outer = append(outer, facts.IteratorRows(p.graph, []int{s}, first)[s].Iterators)
	}
	return depth
}

// costOfAccesses is what the accesses of a statement count inside an innermost loop.
func costOfAccesses(g *depend.Graph, inner *schedule.Loop, s int) (cost float64) {
	moving := -1
	if inner != nil && len(inner.Terms) == 1 {
		moving = facts.LastIterator(inner.Terms[0].Rows[s])
	}
	for _, a := range g.Model.Statements[s].Accesses {
		if goesToOtherLines(a, moving) {
			cost += facts.CostOfLine
		} else {
			cost++
		}
	}
	return cost
}

// goesToOtherLines says whether an iterator moves an access along another subscript than the last.
func goesToOtherLines(access *isl.Map, iterator int) bool {
	subscripts, err := scop.Subscripts(access)
	if err != nil || iterator < 0 || len(subscripts) == 0 {
		return false
	}
	return slices.ContainsFunc(subscripts[:len(subscripts)-1], func(row scop.Row) bool { return row.Iterators[iterator] != 0 })
}

// mainParts are a node's parts, but of phases the last one alone, which has most instances.
func mainParts(parts []*schedule.Node) []*schedule.Node {
	if len(parts) > 0 && parts[0].Phase != nil {
		return parts[len(parts)-1:]
	}
	return parts
}

// threadsOf is the number of threads that a parallel loop, perhaps over the tiles of a wave, counts
// as.
func threadsOf(o *Options, inWaves bool) float64 {
	threads := float64(max(1, o.Run.Threads))
	if inWaves {
		return max(1, threads/2)
	}
	return threads
}
