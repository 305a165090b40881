package transform

import (
	"fmt"
	"maps"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// nodePlan is what the planner knows of a node of the schedule tree: its
// bands, outermost first, and its parts.
type nodePlan struct {
	name       string
	statements []int
	bands      []*facts.Band
	parts      []*nodePlan
	// delay are two of the statements in the parts, of which one runs later, or nil.
	delay *delay
	// whole emits the commands of all bands and parts, inside those of the parts alone, where the
	// strategy that has planned the node has ways of its own for them; nil for the usual ones.
	whole, inside decider
}

// decider emits the commands of a node. parallel says that no loop is to run on several threads any
// more.
type decider func(p *planner, plan *nodePlan, parallel bool) error

// nest finds the further loops of a node, band after band, and its parts, and
// emits the band and split commands. found holds the rows of the loops so far,
// by statement; active the dependences they do not carry; depth their number.
func (p *planner) nest(plan *nodePlan, found map[int][][]int64, active []*depend.Dependence, depth int) error {
	names := p.graph.Model.Names(plan.statements)
	whole, err := p.choose(AtNest, names, View{node: plan, start: setting{found: found, active: active, depth: depth}})
	if whole != nil || err != nil {
		return err
	}
	for plan.delay == nil {
		band, err := p.nextBand(plan.statements, found, active)
		if err != nil {
			return err
		}
		if band == nil {
			break
		}
		band, done, err := p.refined(plan, band, setting{found: found, active: active, depth: depth}, false)
		if done || err != nil {
			return err
		}
		if active, err = p.appendBand(plan, band, found, depth); err != nil {
			return err
		}
		depth += len(band.Rows)
		if band.HadWindow && len(plan.statements) == 1 {
			return p.window(plan, found, active, depth)
		}
	}
	if facts.Complete(p.graph, plan.statements, found) && len(facts.Constraining(active)) == 0 && len(plan.statements) == 1 {
		return nil
	}
	return p.distribute(plan, found, active, depth)
}

// refined is a band that has been found as the strategies for that change it; done says that one of
// them has planned the nest in its place. outermost says that a class of several statements shares
// the band.
func (p *planner) refined(plan *nodePlan, band *facts.Band, s setting, outermost bool) (changed *facts.Band, done bool, err error) {
	taken, err := p.choose(AtRows, p.graph.Model.Names(plan.statements), View{node: plan, start: s, shared: band, outermost: outermost})
	switch {
	case taken == nil || err != nil:
		return band, false, err
	case taken.Band == nil:
		return band, true, nil
	}
	return taken.Band, false, nil
}

// window plans the loops that are left of one statement as a part, around which there can be
// vectors.
func (p *planner) window(plan *nodePlan, found map[int][][]int64, active []*depend.Dependence, depth int) error {
	groups := [][]int{plan.statements}
	p.emit(command.Split{Node: plan.name, Groups: groups})
	return p.planParts(plan, groups, setting{found: found, active: active, depth: depth})
}

// nextBand finds the next band of a node as Algorithm 1 of the Pluto+ paper does
// (lines 11 to 26), in the eager mode first. When there is none for statements
// that cannot be parted either, because they are one strongly connected
// component, the lazy mode asks for less; the next band is eager again, which the
// paper leaves open. Inside loops that they share, statements that a band would
// fuse in name only are parted instead.
func (p *planner) nextBand(statements []int, found map[int][][]int64, active []*depend.Dependence) (*facts.Band, error) {
	components := facts.ComponentsOf(p.graph, statements, active, facts.Undetermined(p.graph, statements, found))
	band, err := p.findBand(statements, found, active, facts.Unlimited)
	if band != nil && len(components) > 1 && len(found[statements[0]]) > 0 {
		apart, err := p.choose(AtParting, p.graph.Model.Names(statements), View{shared: band, components: components, found: found})
		if apart != nil || err != nil {
			return nil, err
		}
	}
	if band != nil || err != nil || facts.Complete(p.graph, statements, found) || len(components) > 1 {
		return band, err
	}
	band, err = p.findBandIn(true, statements, found, active, facts.Unlimited)
	p.explanation.Lazy = p.explanation.Lazy || band != nil
	return band, err
}

// appendBand gives the band its place at the end of the node's chain and
// returns the dependences that it leaves unsatisfied.
func (p *planner) appendBand(plan *nodePlan, band *facts.Band, found map[int][][]int64, depth int) ([]*depend.Dependence, error) {
	band.Outer = maps.Clone(found)
	for k, rows := range band.Rows {
		band.Loops = append(band.Loops, fmt.Sprintf("%s.%d", plan.name, depth+k+1))
		facts.AppendRows(found, rows)
	}
	plan.bands = append(plan.bands, band)
	p.emit(command.Band{Node: plan.name, Permutable: band.Permutable, Rows: schedule.Affine(band.Rows)})
	return facts.Unsatisfied(p.graph, band.Active, band.Rows)
}

// findBand finds as many linearly independent hyperplanes as there are, at most
// limit, all legal for all active dependences, so that the loops may be
// interchanged and tiled. It returns nil when there is none or none is needed.
func (p *planner) findBand(statements []int, found map[int][][]int64, active []*depend.Dependence, limit int) (*facts.Band, error) {
	return p.findBandIn(false, statements, found, active, limit)
}

// findBandIn is findBand in the eager or the lazy mode.
func (p *planner) findBandIn(lazy bool, statements []int, found map[int][][]int64, active []*depend.Dependence, limit int) (*facts.Band, error) {
	band := &facts.Band{Active: active, Permutable: true}
	all := maps.Clone(found)
	q := p.question(statements, found, active)
	q.Found, q.Lazy = all, lazy
	for len(band.Rows) < limit && !facts.Complete(p.graph, statements, all) {
		rows, err := p.nextRows(q)
		if err != nil {
			return nil, err
		}
		if rows == nil {
			break
		}
		if err := addLoop(p.graph, &p.options, band, rows, found); err != nil {
			return nil, err
		}
		facts.AppendRows(all, rows)
	}
	if len(band.Rows) == 0 {
		return nil, nil
	}
	if lazy || !facts.Complete(p.graph, statements, all) {
		return band, nil
	}
	return alignTwins(p.graph, &p.options, band, found)
}
