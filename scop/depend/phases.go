package depend

import (
	"fmt"
	"strings"

	"polytune/isl"
	"polytune/scop/mark"
)

// Where tiles run in phases, an instance's place follows from one of several sets of conditions
// with the coordinates of its tile. What has to be proven is much easier to decide of the expanded
// instances, S0[T, S0, S1, t, i, j], than of the program's, S0[t, i, j], of which each condition
// would ask whether there are such coordinates: the values of all loops are sums of coordinates,
// and each phase is one convex set. Since each instance has exactly one place (checkDomain),
// dependences of the ones are those of the others.

// ProvesInPhases says whether the proof for tiles in phases, and it alone, finds a schedule legal: by
// the convex hull of what is there or not. Check goes on to other proofs.
func (g *Graph) ProvesInPhases(marked mark.Schedule, hull bool) bool {
	return g.runsInPhases(marked) && g.checkInPhases(marked, hull)
}

// checkInPhases tries to prove of expanded instances what check has to prove of a schedule. hull
// says that the dependences of two statements are taken to be all pairs of a convex set around
// theirs, which are more. False says that nothing is known: where a dependence is not kept the
// exact proof has to find which one.
func (g *Graph) checkInPhases(marked mark.Schedule, hull bool) (isProven bool) {
	start := g.Model.Context.Mark()
	defer g.Model.Context.Release(start)
	e := g.expandedTo(marked.Tree, marked.Marks, hull)
	if e == nil || e.inOrder(marked.Tree.Root(), e.among(marked.Tree.Domain()).pairs) != nil {
		return false
	}
	c := &marksCheck{Graph: e, exact: g, marks: marked.Marks, complete: true}
	return c.below(marked.Tree.Root(), nil) == nil && g.Model.Context.Err() == nil
}

// runsInPhases says whether a schedule has tiles whose phases part the instances of a statement, and
// nothing whose proof asks more of expanded instances than their order.
func (g *Graph) runsInPhases(marked mark.Schedule) bool {
	return len(g.Relaxed) == 0 && len(g.Model.Program.Privates()) == 0 && hasPhases(marked.Tree.Root())
}

// hasPhases says whether a part of a sequence below a node has other instances of a statement than
// another part.
func hasPhases(node *isl.ScheduleNode) bool {
	seen := map[string]bool{}
	for _, child := range node.Children() {
		if hasPhases(child) {
			return true
		}
		if node.Type() != isl.NodeSequence {
			continue
		}
		for name := range setsOf(instancesIn(child)) {
			if seen[name] {
				return true
			}
			seen[name] = true
		}
	}
	return false
}

// expandedTo is a graph whose dependences are those of expanded instances, nil where their tuples
// make no sense. Only what checkInPhases proves may be asked of it.
func (g *Graph) expandedTo(schedule *isl.Schedule, marks *mark.Table, hull bool) *Graph {
	lifts := map[int]*isl.Map{}
	for _, set := range schedule.Domain().Sets() {
		name := set.TupleName()
		extra, err := g.extraDimensions(name, set.Dim(isl.DimSet))
		if err != nil {
			return nil
		}
		lifts[g.Model.Statement(name).Index] = g.lift(name, extra, set.Dim(isl.DimSet)-extra)
	}
	lifted := map[*isl.Map]*isl.Map{}
	lift := func(dependences []*Dependence) (list []*Dependence) {
		for _, d := range dependences {
			if lifts[d.Source] == nil || lifts[d.Target] == nil {
				continue
			}
			if lifted[d.Relation] == nil {
				lifted[d.Relation] = lifts[d.Source].ApplyRange(hulled(d.Relation, hull)).ApplyRange(lifts[d.Target].Reverse())
			}
			made := *d
			made.Relation, made.cones, made.symbolic = lifted[d.Relation], cones{}, cones{}
			list = append(list, &made)
		}
		return list
	}
	return &Graph{Model: g.Model, Dependences: lift(unionsOf(g.alikeOf(g.Dependences, marks))), pairs: lift(g.pairs), expanded: true}
}

// unionsOf are the first ones of groups.
func unionsOf(groups [][]*Dependence) (list []*Dependence) {
	for _, group := range groups {
		list = append(list, group[0])
	}
	return list
}

// hulled is a relation, or a convex one around it.
func hulled(relation *isl.Map, hull bool) *isl.Map {
	if !hull {
		return relation
	}
	return relation.Wrap().SimpleHull().ToSet().Unwrap()
}

// lift relates expanded instances of a statement to the program's, which have so many iterators
// behind so many coordinates.
func (g *Graph) lift(statement string, coordinates, iterators int) *isl.Map {
	var names []string
	for k := range coordinates + iterators {
		names = append(names, fmt.Sprint("x", k))
	}
	return g.Model.Context.ReadMap(fmt.Sprintf("{ %[1]s[%[2]s] -> %[1]s[%[3]s] }", statement, strings.Join(names, ", "), strings.Join(names[coordinates:], ", ")))
}

// among is a graph of the dependences between some expanded instances.
func (g *Graph) among(instances *isl.UnionSet) *Graph {
	return &Graph{Model: g.Model, pairs: pairsBetween(g.pairs, instances, instances), expanded: true}
}

// pairsBetween are those pairs of dependences whose instances are in two sets, without empty ones.
func pairsBetween(dependences []*Dependence, sources, targets *isl.UnionSet) (list []*Dependence) {
	from, to := setsOf(sources), setsOf(targets)
	for _, d := range dependences {
		source, target := from[d.Relation.TupleName(isl.DimIn)], to[d.Relation.TupleName(isl.DimOut)]
		if source == nil || target == nil {
			continue
		}
		if made := d.with(d.Relation.Intersect(source.MapTo(target))); !made.hasNone() {
			list = append(list, made)
		}
	}
	return list
}

// setsOf are the sets of a union, by the names of their tuples.
func setsOf(union *isl.UnionSet) map[string]*isl.Set {
	sets := map[string]*isl.Set{}
	for _, set := range union.Sets() {
		sets[set.TupleName()] = set
	}
	return sets
}

// with is a dependence of some of the pairs.
func (d *Dependence) with(relation *isl.Map) *Dependence {
	return &Dependence{Source: d.Source, Target: d.Target, Kind: d.Kind, SourceAccess: d.SourceAccess, TargetAccess: d.TargetAccess, Depth: d.Depth, Relation: relation, Relaxed: d.Relaxed}
}

// hasNone says that a dependence is known to have no pair.
func (d *Dependence) hasNone() bool {
	none, err := d.Relation.IsEmpty()
	return err == nil && none
}

// inOrder proves that what is below a node runs the sources of some pairs, all of which are below,
// in front of their targets.
func (g *Graph) inOrder(node *isl.ScheduleNode, pairs []*Dependence) error {
	children := node.Children()
	switch {
	case len(pairs) == 0:
		return nil
	case len(children) == 0:
		return g.mustBeEmpty(pairs[0], pairs[0].Relation, "both instances run at the same time")
	case node.Type() == isl.NodeBand:
		left, err := g.afterBand(node, pairs)
		if err != nil {
			return err
		}
		return g.inOrder(children[0], left)
	case node.Type() == isl.NodeSequence:
		return g.inSequence(children, pairs)
	case len(children) > 1:
		return fmt.Errorf("nobody knows the order of the parts of %v", node.Type())
	}
	return g.inOrder(children[0], pairs)
}

// afterBand are the pairs that a band leaves in one iteration of all its loops; it proves that it
// reverses none.
func (g *Graph) afterBand(band *isl.ScheduleNode, pairs []*Dependence) (left []*Dependence, err error) {
	times, err := g.timesOf(band.BandPartialSchedule().IntersectDomain(band.Domain()))
	if err != nil {
		return nil, err
	}
	for _, d := range pairs {
		for k := range times[d.Source] {
			reversed := d.Relation.Intersect(compare(times[d.Source][k], times[d.Target][k], ">"))
			if err := g.mustBeEmpty(d, reversed, "a band reverses it"); err != nil {
				return nil, err
			}
			d = d.with(d.Relation.Intersect(compare(times[d.Source][k], times[d.Target][k], "=")))
		}
		if !d.hasNone() {
			left = append(left, d)
		}
	}
	return left, nil
}

// instancesIn are those that a part of a sequence has, which is a filter.
func instancesIn(part *isl.ScheduleNode) *isl.UnionSet { return part.Children()[0].Domain() }

// inSequence proves the order of pairs whose instances are in the parts of a sequence.
func (g *Graph) inSequence(parts []*isl.ScheduleNode, pairs []*Dependence) error {
	for from, source := range parts {
		for to, target := range parts[:from+1] {
			some := pairsBetween(pairs, instancesIn(source), instancesIn(target))
			if from == to {
				if err := g.inOrder(source, some); err != nil {
					return err
				}
			} else if len(some) > 0 {
				return g.mustBeEmpty(some[0], some[0].Relation, "a sequence reverses it")
			}
		}
	}
	return nil
}
