package depend

import (
	"fmt"

	"polytune/isl"
	"polytune/scop/mark"
)

// A Leg is a part of what is done in an iteration of a relay's loop.
type Leg int

const (
	// FirstLeg is what threads hand on, BetweenLegs what the last one does when it has ended its
	// own, and SecondLeg what they share.
	FirstLeg Leg = iota
	BetweenLegs
	SecondLeg
)

// partsOf are what stands below the filters of the parts of a loop below a mark of a relay, two or
// more, and the loop's band; none where the tree is of another form.
func partsOf(relay *isl.ScheduleNode) (band *isl.ScheduleNode, parts []*isl.ScheduleNode) {
	band = relay.Children()[0]
	if band.Type() != isl.NodeBand || band.BandMembers() != 1 {
		return nil, nil
	}
	sequence := band.Children()[0]
	if sequence.Type() != isl.NodeSequence || len(sequence.Children()) < 2 {
		return nil, nil
	}
	for _, filter := range sequence.Children() {
		parts = append(parts, filter.Children()[0])
	}
	return band, parts
}

// LegsOf are the legs of the statements below a mark of a relay, by name; the error is that one is
// in several.
func LegsOf(relay *isl.ScheduleNode) (map[string]Leg, error) {
	legs := map[string]Leg{}
	_, parts := partsOf(relay)
	for k, part := range parts {
		own := BetweenLegs
		switch k {
		case 0:
			own = FirstLeg
		case len(parts) - 1:
			own = SecondLeg
		}
		for _, set := range part.Domain().Sets() {
			name := set.TupleName()
			if other, is := legs[name]; is && other != own {
				return nil, fmt.Errorf("illegal schedule: %s is in several parts of a loop through which threads run as in a relay", name)
			}
			legs[name] = own
		}
	}
	return legs, nil
}

// checkRelay proves that what threads do of a relay at the same time is independent: with the
// blocks in which instances run,
//
//	first leg  -> first leg   leads to no earlier block: its thread has had the turn before,
//	first leg  -> second leg  is free, because that begins when all threads have ended the first one,
//	second leg -> second leg  stays in a block, which one thread has all the time,
//	second leg -> first leg   does not exist, because first legs of later iterations may have run.
//
// What comes between is the last thread's, when the first leg has ended and before the second one
// begins: nothing of it may lead to a first leg, nor to it from a second one.
//
// That the order of each thread's own instances is right is what the check of the schedule as it
// stands proves. Updates that may run in any order must not run at once: they are in one block, or
// are both of the first leg in one iteration.
func (g *marksCheck) checkRelay(m mark.Relay, node *isl.ScheduleNode) error {
	band, parts := partsOf(node)
	if band == nil || m.Size < 1 {
		return fmt.Errorf("illegal schedule: below the mark %q are not two legs in one loop", m)
	}
	outer, err := g.timesOf(node.PrefixScheduleUnionMap().IntersectDomain(node.Domain()))
	if err != nil {
		return err
	}
	r := &relay{graph: g.Graph, mark: m, outer: outer}
	if err := g.checkLeg(band, m); err != nil {
		return err
	}
	if r.legs, err = LegsOf(node); err != nil {
		return err
	}
	if r.iterations, err = g.timesOf(band.BandPartialSchedule().IntersectDomain(band.Domain())); err != nil {
		return err
	}
	first, err := g.blocksOf(parts[0], m.Handed, m.Size, m)
	if err != nil {
		return err
	}
	second, err := g.blocksOf(parts[len(parts)-1], m.Shared, 1, m)
	if err != nil {
		return err
	}
	r.blocks = [...]map[int][]*isl.Map{FirstLeg: first, SecondLeg: second}
	err = g.all(func(d *Dependence) error {
		return r.inLoop(d, func(pairs *isl.Map) error { return r.checkHandedOn(d, pairs) })
	})
	if err != nil {
		return err
	}
	for _, d := range Distinct(g.Relaxed) {
		if err := r.inLoop(d, func(pairs *isl.Map) error { return r.checkAtOnce(d, pairs) }); err != nil {
			return err
		}
	}
	return nil
}

// relay is what is known of one.
type relay struct {
	graph *Graph
	mark  mark.Relay
	// outer are the times of instances outside of the loop, iterations its own.
	outer, iterations map[int][]*isl.Map
	// legs are those of statements by name, blocks the ones in which instances of the first and of
	// the second leg run.
	legs   map[string]Leg
	blocks [SecondLeg + 1]map[int][]*isl.Map
}

// inLoop applies a check to the pairs of a dependence that run in one execution of the loop, if
// there may be any.
func (r *relay) inLoop(d *Dependence, check func(pairs *isl.Map) error) error {
	if r.outer[d.Source] == nil || r.outer[d.Target] == nil {
		return nil
	}
	context := r.graph.Model.Context
	start := context.Mark()
	defer context.Release(start)
	return check(r.graph.together(d, r.outer, r.outer))
}

// legsOf are the legs of a dependence's source and target.
func (r *relay) legsOf(d *Dependence) (from, to Leg) {
	statements := r.graph.Model.Statements
	return r.legs[statements[d.Source].Name], r.legs[statements[d.Target].Name]
}

// ofBlocks are pairs of instances of one leg whose blocks compare so.
func (r *relay) ofBlocks(d *Dependence, operator string) *isl.Map {
	leg, _ := r.legsOf(d)
	blocks := r.blocks[leg]
	return compare(blocks[d.Source][0], blocks[d.Target][0], operator)
}

// checkAtOnce checks that no pair of a relaxed dependence runs at the same time.
func (r *relay) checkAtOnce(d *Dependence, pairs *isl.Map) error {
	switch own, other := r.legsOf(d); {
	case own != other:
	case own == BetweenLegs:
		return nil
	case own == FirstLeg:
		pairs = pairs.Subtract(compare(r.iterations[d.Source][0], r.iterations[d.Target][0], "=")).Subtract(r.ofBlocks(d, "="))
	default:
		pairs = pairs.Subtract(r.ofBlocks(d, "="))
	}
	return r.graph.mustBeEmpty(d, pairs, fmt.Sprintf("threads that run through the loop marked %q update one element at once", r.mark))
}

// checkHandedOn checks pairs of a dependence.
func (r *relay) checkHandedOn(d *Dependence, pairs *isl.Map) error {
	mustBeEmpty := func(pairs *isl.Map, what string) error {
		return r.graph.mustBeEmpty(d, pairs, fmt.Sprintf("threads that run through the loop marked %q do not wait for %s", r.mark, what))
	}
	switch from, to := r.legsOf(d); {
	case from == SecondLeg && to == SecondLeg:
		if err := mustBeEmpty(pairs.Intersect(r.ofBlocks(d, "<")), "each other in second legs"); err != nil {
			return err
		}
		return mustBeEmpty(pairs.Intersect(r.ofBlocks(d, ">")), "each other in second legs")
	case from == SecondLeg:
		return mustBeEmpty(pairs, "second legs")
	case from == BetweenLegs && to == FirstLeg:
		return mustBeEmpty(pairs, "what the last one does between legs")
	case from == FirstLeg && to == FirstLeg:
		return mustBeEmpty(pairs.Intersect(r.ofBlocks(d, ">")), "the ones behind")
	}
	return nil
}

// blocksOf are the blocks of a leg's instances: values of the loop at that depth, so many in each.
func (g *Graph) blocksOf(leg *isl.ScheduleNode, depth int, size int64, m mark.Relay) (map[int][]*isl.Map, error) {
	node := leg
	for node.Type() != isl.NodeBand || node.ScheduleDepth() != depth || node.BandMembers() != 1 {
		if len(node.Children()) != 1 {
			return nil, fmt.Errorf("illegal schedule: below the mark %q is a leg without a loop of the depth %d", m, depth)
		}
		node = node.Children()[0]
	}
	blocks, err := g.timesOf(node.BandPartialSchedule().IntersectDomain(node.Domain()))
	for _, dimensions := range blocks {
		for k, value := range dimensions {
			dimensions[k] = value.ApplyRange(g.Model.Context.ReadMap(fmt.Sprintf("{ [a] -> [b] : %[1]db <= a < %[1]db + %[1]d }", size)))
		}
	}
	return blocks, err
}

// checkLeg checks the marks below a node of a leg: what others than these say of memory or threads
// holds for one iteration at a time.
func (g *marksCheck) checkLeg(node *isl.ScheduleNode, m mark.Relay) error {
	switch inside := g.marks.Of(node).(type) {
	case nil, mark.Registers, mark.Vector, mark.Ivdep, mark.Simdlen:
	default:
		return fmt.Errorf("illegal schedule: inside of the loop marked %q, of which threads run several iterations at once, is %q", m, inside)
	}
	for _, child := range node.Children() {
		if err := g.checkLeg(child, m); err != nil {
			return err
		}
	}
	return nil
}
