package transform

import (
	"polytune/scop/depend"
)

// Change is a change of a program that may be made before its loops are planned.
type Change struct {
	// Before and After are how the models run its statements of the largest depth without it and
	// with it.
	Before, After Concurrency
	// FromMemory says that no cache has what it adds to the program's data, whose elements no threads
	// share out.
	FromMemory bool
	// Cuts is the number of places at which it splits statements.
	Cuts int
}

// Pays asks a strategy of a program whether a change of it that is known by name pays.
func Pays(g *depend.Graph, strategy, name string, change Change, options Options) (Decision, error) {
	s, err := StrategyNamed(strategy)
	if err != nil {
		return Decision{}, err
	}
	p := newPlanner(g, options)
	if _, err := p.consider(s, name, View{planner: p, change: change}); err != nil {
		return Decision{}, err
	}
	return p.explanation.Decisions[0], nil
}

// otherMemory has values in other memory where more runs beside each other so.
func (v View) otherMemory() (*Plan, Reason, error) {
	switch c := v.change; {
	case !c.After.IsBetterThan(c.Before):
		return nil, "no more statements run in blocks, in vectors or on threads so", nil
	case c.FromMemory:
		return nil, "no cache has the arrays, and no threads share out their elements", nil
	}
	return &Plan{}, "", nil
}

// cut splits statements where a loop carries nothing in the pieces.
func (v View) cut() (*Plan, Reason, error) {
	if v.change.Cuts == 0 {
		return nil, "no loop carries nothing in the pieces that carries something in the whole", nil
	}
	return &Plan{}, "", nil
}
