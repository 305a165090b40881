package transform

import (
	"errors"
	"fmt"
	"slices"

	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform/facts"
)

// SmartOnDevice fuses components that have data in common where each statement has as many free
// loops then as it has without the others: fewer kernels start, and what one writes the next one
// finds in registers.
func SmartOnDevice(s *space.Space, g *depend.Graph) (space.Partition, error) {
	loops := &gridLoops{graph: g, known: map[string]int{}}
	join := func(class, component []int) (bool, error) {
		if !shareData(g, class, component) {
			return false, nil
		}
		joined := slices.Concat(class, component)
		slices.Sort(joined)
		together, err := loops.of(joined)
		if err != nil || together == noneInCommon {
			return false, err
		}
		for _, alone := range [][]int{class, component} {
			if apart, err := loops.of(alone); err != nil || apart > together {
				return false, err
			}
		}
		return s.Fusible(joined)
	}
	var best [][]int
	components := s.None().Classes()
	for _, order := range [][][]int{components, initialLast(g, components, s.Ordered)} {
		classes, err := gather(order, s.Ordered, join)
		if err != nil {
			return nil, err
		}
		if best == nil || len(classes) < len(best) {
			best = classes
		}
	}
	return vector(best, len(g.Model.Statements)), nil
}

// initialLast are components in a legal order in which those of one loop at most that need no
// others, such as zeros for sums, come right in front of the first one that needs them: a class
// comes as early as its first statement may, and they do not begin one of their own.
func initialLast(g *depend.Graph, components [][]int, ordered func(i, j int) bool) (order [][]int) {
	needs := func(component, other []int) bool {
		return slices.ContainsFunc(other, func(i int) bool {
			return slices.ContainsFunc(component, func(j int) bool { return ordered(i, j) })
		})
	}
	placed := make([]bool, len(components))
	var place func(k int)
	place = func(k int) {
		if placed[k] {
			return
		}
		placed[k] = true
		for earlier := range k {
			if needs(components[k], components[earlier]) {
				place(earlier)
			}
		}
		order = append(order, components[k])
	}
	for k, component := range components {
		isInitial := facts.Deepest(g, component) <= 1 && !slices.ContainsFunc(components[:k], func(earlier []int) bool { return needs(component, earlier) })
		if !isInitial {
			place(k)
		}
	}
	for k := range components {
		place(k)
	}
	return order
}

// noneInCommon is the number of loops of statements that cannot share any.
const noneInCommon = -1

// gridLoops finds the least numbers of loops that blocks share of kernels of classes, once for each.
type gridLoops struct {
	graph *depend.Graph
	known map[string]int
	// space is what planners of classes ask for rows, nil until the first one does.
	space *space.Levels
}

// of is the number for a class: 0 where it is several kernels, noneInCommon where its statements
// share no loop.
func (l *gridLoops) of(class []int) (int, error) {
	key := fmt.Sprint(class)
	if count, is := l.known[key]; is {
		return count, nil
	}
	count, err := l.find(class)
	if refusal := unshared(""); errors.As(err, &refusal) {
		count, err = noneInCommon, nil
	}
	if err == nil {
		l.known[key] = count
	}
	return count, err
}

// find plans a class as far as its outermost band.
func (l *gridLoops) find(class []int) (int, error) {
	p := newPlanner(l.graph, Options{Tile: Tiling{None: true}, Off: []string{parallelAxis, vectorAxis}})
	p.oneBand, p.space = true, l.space
	classes := [][]int{class}
	for k := range l.graph.Model.Statements {
		if !slices.Contains(class, k) {
			classes = append(classes, []int{k})
		}
	}
	p.begin(classes)
	err := p.class(&nodePlan{name: className(0), statements: class}, nil)
	if l.space = p.space; err != nil {
		return 0, err
	}
	tree, err := p.recipe.Replay(l.graph.Model.Program)
	if err != nil {
		return 0, err
	}
	plan := planOf(tree.Classes[0])
	switch {
	case len(plan.bands) > 0:
		m := &deviceMapper{planner: p, device: &Device{}}
		free, err := m.freeOf(plan.bands[0], facts.DependencesOf(p.graph, class))
		return min(len(free), facts.MaxShared), err
	case facts.Deepest(l.graph, class) > 0:
		return noneInCommon, nil
	}
	return 0, nil
}
