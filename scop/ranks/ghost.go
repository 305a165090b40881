package ranks

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// longestChain bounds the instances that need each other, one after the other, in one execution of
// the code in which values of other ranks are computed again.
const longestChain = 96

// joined is the mark that all loops inside of ghost zones have together.
func joined(m *scop.Model, s mark.Schedule, ghost mark.Ghost, below *isl.ScheduleNode) (*mark.Ranks,
	error) {
	var found []mark.Ranks
	var walk func(node *isl.ScheduleNode)
	walk = func(node *isl.ScheduleNode) {
		if ranks, is := s.Marks.Of(node).(mark.Ranks); is {
			found = append(found, ranks)
			return
		}
		for _, child := range node.Children() {
			walk(child)
		}
	}
	walk(below)
	made := &mark.Ranks{Loop: ghost.Loop, Group: found[0].Group, Dims: found[0].Dims}
	rows := m.Context.ReadUnionMap("{ }")
	for _, own := range found {
		switch {
		case len(own.Ways)+len(own.Hands) > 0:
			return nil, refused("nothing is told in front of %q, which is inside of %q, where "+
				"values of other ranks are computed again: leave one of them out", own.Loop,
				ghost.Loop)
		case len(own.Reductions) > 0:
			return nil, refused("ranks would have to put together what they add up in %q, which "+
				"is inside of %q, where they tell each other nothing: leave one of them out",
				own.Loop, ghost.Loop)
		case own.Group != made.Group:
			return nil, refused("the loops inside of %q have several blocks; values of other "+
				"ranks are computed again where all loops are named by one command %q", ghost.Loop,
				"ranks")
		}
		rows = rows.Union(m.Context.ReadUnionMap(own.Rows))
	}
	made.Rows = rows.String()
	return made, nil
}

// fillZones finds what a rank runs in each piece with ghost zones: the instances of its block, and
// all that these need, however indirectly, of those that run in the same execution of the piece
// (tiles that compute values of their neighbours again: Krishnamoorthy et al., PLDI'07, section 4;
// Zhou et al., CGO'12). What is needed of earlier executions is told.
func (p *planner) fillZones() error {
	for _, part := range p.parts {
		if part.ghost == "" {
			continue
		}
		needs := p.needsIn(part)
		zones := map[string]*isl.Map{}
		for name := range part.times {
			zones[name] = p.responsible(part, name)
		}
		if err := closeZones(zones, needs, part); err != nil {
			return err
		}
		for name, zone := range zones {
			simple, err := simpler(zone, part.times[name].Domain())
			if err != nil {
				return err
			}
			zones[name] = simple
		}
		part.zones = zones
		if err := p.fillAgain(part); err != nil {
			return err
		}
	}
	return p.Context.Err()
}

// fillAgain says which instances a rank computes again in a piece.
func (p *planner) fillAgain(part *part) error {
	if p.plan.Again == nil {
		p.plan.Again = map[string][]*isl.Set{}
	}
	own := p.plan.Groups[part.mark.Group].Own
	for _, name := range slices.Sorted(maps.Keys(part.zones)) {
		if part.rows[name] == nil {
			continue
		}
		again := p.runs(part, name, own).Subtract(part.rows[name].ApplyRange(p.within(own)).
			Domain()).Coalesce()
		if none, err := again.IsEmpty(); err != nil {
			return err
		} else if !none {
			p.plan.Again[part.ghost] = append(p.plan.Again[part.ghost], again)
		}
	}
	return nil
}

// responsible relate the first and the last rows of a block, in each dimension, to the instances of
// a statement that a rank with the block runs in any case.
func (p *planner) responsible(part *part, name string) *isl.Map {
	dims := len(p.plan.Groups[part.mark.Group].Own)
	bounds := tupleOf("b", 2*dims)
	rows := part.rows[name]
	if rows == nil {
		return p.Context.ReadSet("{ " + bounds + " }").MapTo(part.times[name].Domain())
	}
	var inside []string
	for d := range dims {
		inside = append(inside, fmt.Sprintf("b%d <= r%d <= b%d", 2*d, d, 2*d+1))
	}
	within := p.Context.ReadMap(fmt.Sprintf("{ %s -> %s : %s }", bounds, tupleOf("r", dims),
		strings.Join(inside, " and ")))
	return within.ApplyRange(rows.Reverse()).Coalesce()
}

// need says that instances of one statement read what those of another one compute, in the same
// execution of a piece.
type need struct {
	reader, writer string
	of             *isl.Map
}

// needsIn are those of a piece, by names.
func (p *planner) needsIn(part *part) (list []need) {
	for _, v := range p.values {
		writers := part.times[v.writer]
		for _, reader := range slices.Sorted(maps.Keys(v.readers)) {
			readers := part.times[reader]
			if writers == nil || readers == nil {
				continue
			}
			together := readers.ApplyRange(writers.Reverse())
			of := v.readers[reader].Reverse().ApplyRange(v.writers).Intersect(together).Coalesce()
			list = append(list, need{reader, v.writer, of})
		}
	}
	return list
}

// closeZones adds to zones what they need until they need no more.
func closeZones(zones map[string]*isl.Map, needs []need, part *part) error {
	added := maps.Clone(zones)
	for range longestChain {
		next := map[string]*isl.Map{}
		for _, n := range needs {
			if added[n.reader] == nil {
				continue
			}
			more := added[n.reader].ApplyRange(n.of).Subtract(zones[n.writer]).Coalesce()
			none, err := more.IsEmpty()
			if err != nil {
				return err
			}
			if none {
				continue
			}
			if next[n.writer] != nil {
				more = more.Union(next[n.writer]).Coalesce()
			}
			next[n.writer] = more
		}
		if len(next) == 0 {
			return nil
		}
		for name, more := range next {
			zones[name] = zones[name].Union(more).Coalesce()
		}
		added = next
	}
	return refused("more than %d instances need each other one after the other in one iteration "+
		"of %q, so that nobody knows what a rank would compute again: name a loop over tiles of "+
		"fewer iterations", longestChain, part.ghost)
}

// simpler is the same relation with one set of conditions, where there is such a one.
func simpler(zone *isl.Map, domain *isl.Set) (*isl.Map, error) {
	hull := zone.Wrap().SimpleHull().ToSet().Unwrap().Reverse().IntersectDomain(domain).Reverse().
		Coalesce()
	same, err := hull.IsEqual(zone)
	if err == nil && same {
		return hull, nil
	}
	return zone, err
}

// runs are the instances of a statement that a rank with a block runs in a piece, nil for all.
func (p *planner) runs(part *part, name string, b Block) *isl.Set {
	switch {
	case part.zones != nil:
		block := p.Context.ReadSet(fmt.Sprintf("[%s] -> { [%[1]s] }",
			strings.Join(b.names(), ", ")))
		return block.Apply(part.zones[name]).Coalesce()
	case part.rows[name] != nil:
		return part.rows[name].ApplyRange(p.within(b)).Domain()
	}
	return nil
}

// computedAgain are the values that a rank with the block To computes for itself in ghost zones,
// nil for none.
func (p *planner) computedAgain(v *values) (all *isl.Set) {
	for _, part := range p.parts {
		if part.zones == nil || part.zones[v.writer] == nil {
			continue
		}
		own := p.runs(part, v.writer, p.plan.Groups[part.mark.Group].To)
		values := v.writers.Reverse().IntersectDomain(own).Range()
		if all != nil {
			values = values.Union(all)
		}
		all = values.Coalesce()
	}
	return all
}
