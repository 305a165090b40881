package ranks

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
)

// graft makes the schedule tree of a rank: below each mark the instances of its block alone, and
// exchanges in front. What is outside of marks runs in all iterations of loops in which some rank
// does something, so that all ranks take part in each exchange.
func (p *planner) graft() error {
	byName := map[string]*Exchange{}
	for _, x := range p.plan.Exchanges {
		byName[x.Name] = x
	}
	p.plan.Known = p.blocks()
	root := p.schedule.Tree.AlignParams(p.plan.Known).Root()
	for k, part := range slices.Backward(p.parts) {
		node := root
		for _, child := range part.path {
			node = node.Child(child)
		}
		if part.mark != nil {
			node = node.InsertFilter(p.ownInstances(part))
		}
		if x := byName[p.name(fmt.Sprintf("tune_exchange%d", k))]; x != nil {
			node = node.GraftBefore(p.extension(part, x))
		}
		root = node.Schedule().Root()
	}
	p.plan.Tree = root.Schedule()
	return p.Context.Err()
}

// ownInstances are those of a piece that a rank runs, with the coordinates of their tiles.
func (p *planner) ownInstances(part *part) *isl.UnionSet {
	own := p.Context.ReadUnionSet("{ }")
	block := p.within(p.plan.Groups[part.mark.Group].Own)
	for _, set := range part.node.Domain().Sets() {
		name := set.TupleName()
		extra := set.Dim(isl.DimSet) - p.Statement(name).Depth()
		instance := set.Contraction(extra).SetTupleName(isl.DimOut, name)
		own = own.Union(instance.ApplyRange(part.rows[name]).ApplyRange(block).Domain().SetTupleName(name).ToUnionSet())
	}
	return own
}

// extension has an instance of the exchange for each value of the loops around a piece.
func (p *planner) extension(part *part, x *Exchange) *isl.UnionMap {
	var times *isl.Set
	for _, own := range part.times {
		if range_ := own.Range(); times == nil {
			times = range_
		} else {
			times = times.Union(range_)
		}
	}
	tuple := strings.Join(listed("t", part.depth), ", ")
	return p.Context.ReadMap(fmt.Sprintf("{ [%s] -> %s[%[1]s] }", tuple, x.Name)).IntersectDomain(times.Coalesce()).ToUnionMap()
}

// blocks are the conditions of the bounds of a rank's blocks, which may be empty.
func (p *planner) blocks() *isl.Set {
	names, conditions := []string{}, []string{"true"}
	for _, g := range p.plan.Groups {
		names = append(names, g.Own.First, g.Own.Last)
		conditions = append(conditions, g.Own.First+" <= "+g.Own.Last+" + 1")
	}
	return p.Context.ReadSet(fmt.Sprintf("[%s] -> { : %s }", strings.Join(names, ", "), strings.Join(conditions, " and ")))
}
