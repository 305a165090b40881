package transform

import (
	"errors"
	"fmt"
	"slices"

	"polytune/scop/depend"
	"polytune/space"
)

// SmartOnDevice fuses components that have data in common where each statement has as many free
// loops then as it has without the others: fewer kernels start, and what one writes the next one
// finds in registers.
func SmartOnDevice(s *space.Space, g *depend.Graph) (space.Partition, error) {
	known := map[string]int{}
	join := func(class, component []int) (bool, error) {
		if !shareData(g, class, component) {
			return false, nil
		}
		joined := slices.Concat(class, component)
		slices.Sort(joined)
		together, err := gridLoops(g, joined, known)
		if err != nil || together == noneInCommon {
			return false, err
		}
		for _, alone := range [][]int{class, component} {
			if apart, err := gridLoops(g, alone, known); err != nil || apart > together {
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
		isInitial := deepest(g, component) <= 1 && !slices.ContainsFunc(components[:k], func(earlier []int) bool { return needs(component, earlier) })
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

// gridLoops is the least number of loops that blocks share of those of a kernel of a class, 0 where
// it is several kernels; noneInCommon where its statements share no loop. known has the answers.
func gridLoops(g *depend.Graph, class []int, known map[string]int) (int, error) {
	key := fmt.Sprint(class)
	if count, is := known[key]; is {
		return count, nil
	}
	p := &planner{graph: g, options: Options{Tile: Tiling{None: true}, NoParallel: true, NoVector: true}, purpose: ForHyperplane, oneBand: true}
	classes := [][]int{class}
	for k := range g.Model.Statements {
		if !slices.Contains(class, k) {
			classes = append(classes, []int{k})
		}
	}
	p.begin(classes)
	if err := p.class(&nodePlan{name: className(0), statements: class}, nil); err != nil {
		if refusal := unshared(""); errors.As(err, &refusal) {
			known[key], err = noneInCommon, nil
		}
		return known[key], err
	}
	tree, err := p.recipe.Replay(g.Model.Program)
	if err != nil {
		return 0, err
	}
	plan := planOf(tree.Classes[0])
	m := &deviceMapper{planner: p, device: &Device{}}
	known[key] = 0
	if len(plan.bands) == 0 && deepest(g, class) > 0 {
		known[key] = noneInCommon
	}
	if len(plan.bands) > 0 {
		free, err := m.freeOf(plan.bands[0], p.dependencesOf(class))
		if err != nil {
			return 0, err
		}
		known[key] = min(len(free), maxShared)
	}
	return known[key], nil
}
