package transform

import (
	"polytune/scop/depend"
	"polytune/transform/hyperplane"
)

// newPlanner is a planner that has the driver of this package, and nothing in its recipe.
func newPlanner(g *depend.Graph, options Options) *planner {
	return &planner{graph: g, options: options, purpose: hyperplane.ForHyperplane,
		driver: driver{strategies: Strategies, rest: (*planner).planRest, decide: (*planner).decideNode, class: (*planner).emitClass}}
}
