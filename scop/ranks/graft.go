package ranks

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop/mark"
)

// graft makes the schedule tree of a rank: below each mark the instances of its block alone, and
// exchanges in front. What is outside of marks runs in all iterations of loops in which some rank
// does something, so that all ranks take part in each exchange.
func (p *planner) graft() error {
	p.plan.Known = p.blocks()
	root := p.schedule.Tree.AlignParams(p.plan.Known).Root()
	meetings, err := meetings(p.Model, p.schedule)
	if err != nil {
		return err
	}
	for _, part := range slices.SortedStableFunc(slices.Values(append(meetings, p.parts...)),
		lastFirst) {
		node := root
		for _, child := range part.path {
			node = node.Child(child)
		}
		if part.meets {
			node = p.meet(node, part)
		} else {
			node = p.around(node, part)
		}
		root = node.Schedule().Root()
	}
	p.plan.Tree = root.Schedule()
	return p.Context.Err()
}

// around is the node of a piece with the exchanges in front of it. Where there are messages under
// way, the instances that need none of their elements run first.
func (p *planner) around(node *isl.ScheduleNode, part *part) *isl.ScheduleNode {
	own := p.Context.ReadUnionSet("{ }")
	if part.mark != nil {
		own = p.ownInstances(part)
	}
	isAsync := func(x *Exchange) bool { return x.Async }
	if slices.ContainsFunc(part.exchanges, isAsync) {
		rim := p.rim(part).Intersect(own)
		if none, err := rim.IsEmpty(); err == nil && none { // no part of a sequence
			return p.end(p.behind(p.inFront(node.InsertFilter(own), part), part), part)
		}
		sequence := node.InsertSequence([]*isl.UnionSet{own.Subtract(rim), rim})
		first := p.inFront(sequence.Child(0).Child(0), part)
		second := first.Ancestor(first.TreeDepth() - sequence.TreeDepth()).Child(1).Child(0)
		for _, x := range part.exchanges {
			if x.Async {
				second = second.GraftBefore(p.extension(part, x.Name+End))
			}
		}
		return p.end(second, part)
	}
	if part.mark != nil {
		node = node.InsertFilter(own)
	}
	return p.end(p.inFront(node, part), part)
}

// inFront puts exchanges in front of a node, and then the beginnings of sums; the node is the
// result.
func (p *planner) inFront(node *isl.ScheduleNode, part *part) *isl.ScheduleNode {
	for _, x := range part.exchanges {
		node = node.GraftBefore(p.extension(part, x.Name))
	}
	return p.begin(node, part)
}

// behind waits behind a node for messages that are under way; the node is the result.
func (p *planner) behind(node *isl.ScheduleNode, part *part) *isl.ScheduleNode {
	for _, x := range part.exchanges {
		if x.Async {
			node = node.GraftAfter(p.extension(part, x.Name+End))
		}
	}
	return node
}

// End stands behind the name of an exchange in that of the instances that wait for its messages.
const End = "_end"

// rim are the instances of a piece in whose rows one reads elements of messages that are under way,
// with the coordinates of their tiles: what depends on such an instance is in its row.
func (p *planner) rim(part *part) *isl.UnionSet {
	var rows *isl.Set
	places := map[string]*isl.Map{}
	for name, times := range part.times {
		places[name] = times.FlatRangeProduct(part.rows[name])
	}
	for _, v := range p.values {
		if !part.isAsync(v.array) {
			continue
		}
		others := p.ofOthers(v)
		for name, place := range places {
			by := v.readers[name]
			if by == nil || others == nil {
				continue
			}
			more := by.IntersectDomain(others).Range().Apply(place)
			if rows != nil {
				more = more.Union(rows)
			}
			rows = more.Coalesce()
		}
	}
	all := p.Context.ReadUnionSet("{ }")
	if rows == nil {
		return all
	}
	for _, set := range part.node.Domain().Sets() {
		name := set.TupleName()
		instance := set.Contraction(set.Dim(isl.DimSet)-p.Statement(name).Depth()).
			SetTupleName(isl.DimOut, name)
		all = all.Union(rows.Apply(places[name].Reverse()).Apply(instance.Reverse()).
			SetTupleName(name).Coalesce().ToUnionSet())
	}
	return all
}

// isAsync says whether what reads no elements of an array runs while messages with them are under
// way.
func (p *part) isAsync(array string) bool {
	if slices.ContainsFunc(p.mark.Hands,
		func(h mark.Hand) bool { return h.Async && h.Array == array }) {
		return true
	}
	return slices.ContainsFunc(p.mark.Ways,
		func(w mark.Told) bool { return w.Async && slices.Contains(w.Arrays, array) })
}

// ofOthers are the values that other ranks compute alone, nil for none.
func (p *planner) ofOthers(v *values) (others *isl.Set) {
	for _, part := range p.parts {
		rows := part.rows[v.writer]
		if part.mark == nil || rows == nil || part.summed(v.array) {
			continue
		}
		more := v.writers.ApplyRange(rows).
			ApplyRange(p.outside(p.plan.Groups[part.mark.Group].Own)).Domain()
		if others != nil {
			more = more.Union(others)
		}
		others = more
	}
	return others
}

// ownInstances are those of a piece that a rank runs, with the coordinates of their tiles.
func (p *planner) ownInstances(part *part) *isl.UnionSet {
	own := p.Context.ReadUnionSet("{ }")
	for _, set := range part.node.Domain().Sets() {
		name := set.TupleName()
		extra := set.Dim(isl.DimSet) - p.Statement(name).Depth()
		if runs := p.runs(part, name, p.plan.Groups[part.mark.Group].Own); runs != nil {
			instance := set.Contraction(extra).SetTupleName(isl.DimOut, name)
			set = instance.Reverse().IntersectDomain(runs).Range().SetTupleName(name)
		}
		own = own.Union(set.ToUnionSet())
	}
	return own
}

// extension has an instance of an exchange for each value of the loops around a piece.
func (p *planner) extension(part *part, name string) *isl.UnionMap {
	tuple := strings.Join(listed("t", part.depth), ", ")
	return p.Context.ReadMap(fmt.Sprintf("{ [%s] -> %s[%[1]s] }", tuple, name)).
		IntersectDomain(p.timesOf(part)).ToUnionMap()
}

// timesOf are the values of the loops around a piece.
func (p *planner) timesOf(part *part) (times *isl.Set) {
	for _, own := range part.times {
		all := own.Range()
		if times != nil {
			all = all.Union(times)
		}
		times = all
	}
	return times.Coalesce()
}

// blocks are the conditions of the bounds of a rank's blocks, which may be empty.
func (p *planner) blocks() *isl.Set {
	names, conditions := []string{}, []string{"true"}
	for _, g := range p.plan.Groups {
		names = append(names, g.Own.names()...)
		for _, own := range g.Own {
			conditions = append(conditions, own.First+" <= "+own.Last+" + 1")
		}
	}
	return p.Context.ReadSet(fmt.Sprintf("[%s] -> { : %s }", strings.Join(names, ", "),
		strings.Join(conditions, " and ")))
}
