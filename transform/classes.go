package transform

import (
	"slices"

	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform/facts"
)

// Refine parts and joins the classes of a partition where strategies for that have a plan, and says
// which do. A partition that somebody names is not to be refined, as it says which statements share
// a loop.
func Refine(g *depend.Graph, partition space.Partition, options Options) (space.Partition, []Decision, error) {
	p := newPlanner(g, options)
	classes := partition.Classes()
	for _, place := range []Place{AtClasses, AtNeighbours} {
		for k := 0; k < len(classes); k++ {
			plan, err := p.choose(place, p.graph.Model.Names(classes[k]), View{classes: classes, class: k})
			if err != nil {
				return nil, nil, err
			}
			if plan != nil {
				classes = slices.Replace(slices.Clone(classes), k, k+plan.Replaced, plan.Classes...)
				k += len(plan.Classes) - 1
			}
		}
	}
	return vector(classes, len(partition)), p.explanation.Decisions, nil
}

// apartFrom are the components of a class, which need not share a loop.
func apartFrom(g *depend.Graph, statements []int) [][]int {
	return facts.ComponentsOf(g, statements, facts.DependencesOf(g, statements), facts.Undetermined(g, statements, nil))
}

// classesApart parts a class in whose loops some of the statements with the most work have no
// register blocks, or no vectors, if components with loops of their own are faster by an estimate,
// which knows nothing of the memory that rows of expanded arrays take then: statements that share
// the loops around these stay together. Inside two loops, where they use in the next pass what is in
// a cache in the same one, they have to be much faster.
func (v View) classesApart() (*Plan, Reason, error) {
	statements := v.classes[v.class]
	if len(statements) == 1 {
		return nil, "it is one statement", nil
	}
	groups := apartFrom(v.graph, statements)
	if len(groups) == 1 {
		return nil, "its statements wait for each other", nil
	}
	web, err := webLoops(v.graph, statements)
	if web != nil || err != nil {
		return nil, "they share the loops around rows that they pass on", err
	}
	working, loops, err := v.mostWork(statements)
	switch {
	case err != nil:
		return nil, "", err
	case loops < 2:
		return nil, "all are inside one loop", nil
	case !mayChoose(&v.options):
		return nil, "other loops are asked for, or the target has no vectors", nil
	}
	together, err := v.estimateOf(v.classes, v.class, 1, working)
	if err != nil || together.isGood(loops) {
		return nil, "the statements with the most work have vectors or register blocks already", err
	}
	apart, err := v.estimateOf(slices.Replace(slices.Clone(v.classes), v.class, v.class+1, groups...), v.class, len(groups), working)
	if err != nil {
		return nil, "", err
	}
	estimate := &Estimate{Cost: apart.time, Without: together.time}
	isFaster := apart.time < together.time
	if loops < facts.BlockLoops {
		isFaster = facts.GainApart*apart.time < together.time || apart.isFasterWhereItDiffers(together)
	}
	if !isFaster {
		return nil, "they are not estimated to be faster apart, or not by enough", nil
	}
	return &Plan{Classes: groups, Replaced: 1, Estimate: estimate}, "", nil
}

// isFasterWhereItDiffers says whether no statement takes longer than by another estimate, and those
// that take less gain more than lanes: threads, too. The others, such as a recurrence whose loops
// they had, may take most of the time. An integral image of 3000 x 3100 points and the means from
// it take 0.92 of the time of gcc's code so on two threads of a virtual AMD Zen 4, and took 1.3 in
// one class.
func (e estimate) isFasterWhereItDiffers(other estimate) bool {
	faster, before := 0.0, 0.0
	for s, time := range e.times {
		switch was := other.times[s]; {
		case time > was:
			return false
		case time < was:
			faster, before = faster+time, before+was
		}
	}
	return facts.LanesOfVectors*faster < before
}

// estimateOf plans some of the classes of a partition, count from the first one on, and estimates
// what that is worth for some of their statements.
func (v View) estimateOf(classes [][]int, first, count int, statements []int) (estimate, error) {
	p := v.anew()
	p.begin(classes)
	for k := first; k < first+count; k++ {
		if err := p.planClass(&nodePlan{name: className(k), statements: classes[k]}, nil); err != nil {
			return estimate{}, err
		}
	}
	return p.estimate(p.recipe[p.beginning:], statements)
}
