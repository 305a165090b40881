package transform

import (
	"errors"
	"slices"

	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform/facts"
	"polytune/transform/hyperplane"
)

// Typed is Pluto's typed fusion (Acharya, Bondhugula and Cohen, "Polyhedral auto-transformation with
// no integer linear programming", PLDI 2018, section 5): it fuses as many components as Max does, but
// none that has a parallel loop with others where no loop is parallel then.
func Typed(s *space.Space, g *depend.Graph) (space.Partition, error) {
	classes, err := gather(s.None().Classes(), s.Ordered, func(class, component []int) (bool, error) {
		joined := slices.Concat(class, component)
		slices.Sort(joined)
		if fusible, err := s.Fusible(joined); !fusible || err != nil {
			return false, err
		}
		if together, err := hasParallelLoop(g, joined); together || err != nil {
			return together, err
		}
		for _, alone := range [][]int{class, component} {
			if is, err := hasParallelLoop(g, alone); is || err != nil {
				return false, err
			}
		}
		return true, nil
	})
	return vector(classes, len(g.Model.Statements)), err
}

// hasParallelLoop says whether statements have an outermost loop in common that carries no
// dependence.
func hasParallelLoop(g *depend.Graph, statements []int) (bool, error) {
	p := &planner{graph: g, purpose: hyperplane.ForJoining}
	rows, err := p.parallelRows(statements, map[int][][]int64{}, facts.DependencesOf(p.graph, statements))
	return rows != nil, err
}

// Hybrid is Pluto's hybrid fusion (--hybridfuse): typed fusion of the outermost loops, and inside of
// them as few classes as a greedy search finds, whatever is parallel there. Inside a class for which
// it finds none, the models decide.
func Hybrid(s *space.Space, g *depend.Graph) (space.Nest, error) {
	outer, err := Typed(s, g)
	if err != nil {
		return nil, err
	}
	levels, err := space.LevelsOf(s, g, 2)
	if err != nil {
		return nil, err
	}
	inside := make(space.Partition, len(outer))
	for _, class := range outer.Classes() {
		for k, statement := range class {
			inside[statement] = k
		}
	}
	isPossible := func() (bool, error) {
		is, reason := levels.Contains(space.Nest{outer, inside})
		if outside := (*space.OutsideError)(nil); errors.As(reason, &outside) {
			return false, nil
		}
		return is, reason
	}
	for _, class := range outer.Classes() {
		if err := fuseInside(inside, class, isPossible); err != nil {
			return nil, err
		}
	}
	if is, err := isPossible(); !is {
		return space.Nest{outer}, err
	}
	return space.Nest{outer, inside}, nil
}

// fuseInside has statements that follow each other share a loop inside their class, as many as can:
// all, or else each with those in front of it.
func fuseInside(inside space.Partition, class []int, isPossible func() (bool, error)) error {
	apart := make([]int, len(class))
	for k, statement := range class {
		apart[k], inside[statement] = inside[statement], 0
	}
	if is, err := isPossible(); is || err != nil {
		return err
	}
	for k, statement := range class {
		inside[statement] = apart[k]
	}
	for k := 1; k < len(class); k++ {
		renumber(inside, class[k:], -1)
		is, err := isPossible()
		if err != nil {
			return err
		}
		if !is {
			renumber(inside, class[k:], 1)
		}
	}
	return nil
}

// renumber adds to the classes of statements.
func renumber(inside space.Partition, statements []int, by int) {
	for _, statement := range statements {
		inside[statement] += by
	}
}
