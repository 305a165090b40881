package depend

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
)

// RelayMark is what a mark says of a loop through which threads run as in a relay: each has a share of the blocks of two loops, one in each leg, and the first
// thread has the first blocks. In each iteration of the loop a thread begins the first leg when the thread before it has ended that, and the second leg when all have;
// in the meantime it goes on with first legs of later iterations.
type RelayMark struct {
	Loop string
	// Handed and Shared are the depths of the loop that threads hand on in the first leg and of the one that they share in the second, in members of bands
	// around. A block is one iteration of Shared, and Size values of Handed from a multiple of that on.
	Handed, Shared int
	Size           int64
	// From is the least number of blocks for which there are several threads.
	From int64
	// Ahead says that second legs ask for what the thread's next first leg reads.
	Ahead bool
}

// String is the mark's name.
func (m RelayMark) String() string {
	name := fmt.Sprintf("%s %s %d %d by %d from %d", MarkRelay, m.Loop, m.Handed, m.Shared, m.Size, m.From)
	if m.Ahead {
		name += aheadSuffix
	}
	return name
}

// aheadSuffix ends the name of a mark that says Ahead.
const aheadSuffix = " ahead"

// RelayMarkOf reads a mark's name.
func RelayMarkOf(name string) (m RelayMark, err error) {
	name, m.Ahead = strings.CutSuffix(name, aheadSuffix)
	if _, err = fmt.Sscanf(name, MarkRelay+" %s %d %d by %d from %d", &m.Loop, &m.Handed, &m.Shared, &m.Size, &m.From); err != nil {
		return m, fmt.Errorf("the mark %q says of no loop how threads run through it: %w", name, err)
	}
	return m, nil
}

// insideLegs are the marks that may stand inside of a relay's legs: what others say of memory or threads holds for one iteration at a time.
// The last two are hints for compilers.
var insideLegs = []string{MarkRegisters, MarkVector, "ivdep", "simdlen"}

// Legs are what stands below the filters of the parts of a loop below a mark of a relay, two or more: the first leg, what the last thread does between, and the second leg; nil where the
// tree is of another form.
func Legs(mark *isl.ScheduleNode) []*isl.ScheduleNode {
	band := mark.Children()[0]
	if band.Type() != isl.NodeBand || band.BandMembers() != 1 {
		return nil
	}
	sequence := band.Children()[0]
	if sequence.Type() != isl.NodeSequence || len(sequence.Children()) < 2 {
		return nil
	}
	var legs []*isl.ScheduleNode
	for _, filter := range sequence.Children() {
		legs = append(legs, filter.Children()[0])
	}
	return legs
}

// checkRelay proves that what threads do of a relay at the same time is independent: with the blocks in which instances run,
//
//	first leg  -> first leg   leads to no earlier block: its thread has had the turn before,
//	first leg  -> second leg  is free, because that begins when all threads have ended the first one,
//	second leg -> second leg  stays in a block, which one thread has all the time,
//	second leg -> first leg   does not exist, because first legs of later iterations may have run.
//
// What comes between is the last thread's, when the first leg has ended and before the second one begins: nothing of it may lead to a first leg, nor to it from a second one.
//
// That the order of each thread's own instances is right is what the check of the schedule as it stands proves. Updates that may run in any order must not run at
// once: they are in one block, or are both of the first leg in one iteration.
func (g *Graph) checkRelay(mark *isl.ScheduleNode) error {
	m, err := RelayMarkOf(mark.MarkName())
	if err != nil {
		return fmt.Errorf("illegal schedule: %w", err)
	}
	legs := Legs(mark)
	if legs == nil || m.Size < 1 {
		return fmt.Errorf("illegal schedule: below the mark %q are not two legs in one loop", m)
	}
	outer, err := g.timesOf(mark.PrefixScheduleUnionMap().IntersectDomain(mark.Domain()))
	if err != nil {
		return err
	}
	r := &relay{graph: g, mark: m, outer: outer}
	if r.legs, err = g.legsOf(legs, m); err != nil {
		return err
	}
	band := mark.Children()[0]
	if r.iterations, err = g.timesOf(band.BandPartialSchedule().IntersectDomain(band.Domain())); err != nil {
		return err
	}
	first, err := g.blocksOf(legs[0], m.Handed, m.Size, m)
	if err != nil {
		return err
	}
	second, err := g.blocksOf(legs[len(legs)-1], m.Shared, 1, m)
	if err != nil {
		return err
	}
	r.blocks = [...]map[int][]*isl.Map{firstLeg: first, secondLeg: second}
	if err := g.all(r.checkHandedOn); err != nil {
		return err
	}
	for _, d := range Distinct(g.Relaxed) {
		if err := r.checkAtOnce(d); err != nil {
			return err
		}
	}
	return nil
}

// A leg is a part of what is done in an iteration of a relay's loop.
type leg int

const (
	firstLeg leg = iota
	betweenLegs
	secondLeg
)

// legsOf are the legs of the statements below the parts of a loop, each of which has instances in one of them alone.
func (g *Graph) legsOf(parts []*isl.ScheduleNode, m RelayMark) (map[int]leg, error) {
	found := map[int]leg{}
	for k, part := range parts {
		own := betweenLegs
		switch k {
		case 0:
			own = firstLeg
		case len(parts) - 1:
			own = secondLeg
		}
		if err := checkLeg(part, m); err != nil {
			return nil, err
		}
		for _, set := range part.Domain().Sets() {
			s := g.Model.Statement(set.TupleName())
			if s == nil {
				continue
			}
			if other, is := found[s.Index]; is && other != own {
				return nil, fmt.Errorf("illegal schedule: %s is in several parts of the loop marked %q", s.Spelling(), m)
			}
			found[s.Index] = own
		}
	}
	return found, nil
}

// relay is what is known of one.
type relay struct {
	graph *Graph
	mark  RelayMark
	// outer are the times of instances outside of the loop, iterations its own.
	outer, iterations map[int][]*isl.Map
	// legs are those of statements, blocks the ones in which instances of the first and of the second leg run.
	legs   map[int]leg
	blocks [secondLeg + 1]map[int][]*isl.Map
}

// pairs are those of a dependence that run in one execution of the loop; ok is false where there are none.
func (r *relay) pairs(d *Dependence) (pairs *isl.Map, ok bool) {
	if r.outer[d.Source] == nil || r.outer[d.Target] == nil {
		return nil, false
	}
	return r.graph.together(d, r.outer, r.outer), true
}

// ofBlocks are pairs of instances of one leg whose blocks compare so.
func (r *relay) ofBlocks(d *Dependence, operator string) *isl.Map {
	blocks := r.blocks[r.legs[d.Source]]
	return compare(blocks[d.Source][0], blocks[d.Target][0], operator)
}

// checkAtOnce checks that no pair of a relaxed dependence runs at the same time.
func (r *relay) checkAtOnce(d *Dependence) error {
	pairs, ok := r.pairs(d)
	if !ok {
		return nil
	}
	context := r.graph.Model.Context
	start := context.Mark()
	defer context.Release(start)
	switch own, other := r.legs[d.Source], r.legs[d.Target]; {
	case own != other:
	case own == betweenLegs:
		return nil
	case own == firstLeg:
		pairs = pairs.Subtract(compare(r.iterations[d.Source][0], r.iterations[d.Target][0], "=")).Subtract(r.ofBlocks(d, "="))
	default:
		pairs = pairs.Subtract(r.ofBlocks(d, "="))
	}
	return r.graph.mustBeEmpty(d, pairs, fmt.Sprintf("threads that run through the loop marked %q update one element at once", r.mark))
}

// checkHandedOn checks a dependence.
func (r *relay) checkHandedOn(d *Dependence) error {
	pairs, ok := r.pairs(d)
	if !ok {
		return nil
	}
	context := r.graph.Model.Context
	start := context.Mark()
	defer context.Release(start)
	mustBeEmpty := func(pairs *isl.Map, what string) error {
		return r.graph.mustBeEmpty(d, pairs, fmt.Sprintf("threads that run through the loop marked %q do not wait for %s", r.mark, what))
	}
	switch from, to := r.legs[d.Source], r.legs[d.Target]; {
	case from == secondLeg && to == secondLeg:
		if err := mustBeEmpty(pairs.Intersect(r.ofBlocks(d, "<")), "each other in second legs"); err != nil {
			return err
		}
		return mustBeEmpty(pairs.Intersect(r.ofBlocks(d, ">")), "each other in second legs")
	case from == secondLeg:
		return mustBeEmpty(pairs, "second legs")
	case from == betweenLegs && to == firstLeg:
		return mustBeEmpty(pairs, "what the last one does between legs")
	case from == firstLeg && to == firstLeg:
		return mustBeEmpty(pairs.Intersect(r.ofBlocks(d, ">")), "the ones behind")
	}
	return nil
}

// blocksOf are the blocks of a leg's instances: values of the loop at that depth, so many in each.
func (g *Graph) blocksOf(leg *isl.ScheduleNode, depth int, size int64, m RelayMark) (map[int][]*isl.Map, error) {
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

// checkLeg checks the marks below a node of a leg.
func checkLeg(node *isl.ScheduleNode, m RelayMark) error {
	if node.Type() == isl.NodeMark {
		if kind, _, _ := cutMark(node.MarkName()); !slices.Contains(insideLegs, kind) {
			return fmt.Errorf("illegal schedule: inside of the loop marked %q, of which threads run several iterations at once, is %q", m, node.MarkName())
		}
	}
	for _, child := range node.Children() {
		if err := checkLeg(child, m); err != nil {
			return err
		}
	}
	return nil
}
