package transform

import "polytune/transform/hyperplane"

// Explanation says how the rows of a recipe were found.
type Explanation struct {
	// Programs are the integer programs in the order in which they were solved.
	Programs []hyperplane.Program
	// Lazy says that some rows were found only in the lazy mode of Algorithm 1
	// of the Pluto+ paper.
	Lazy bool
	// Original says that the model found no rows for some statements, which
	// have kept the order of the source: the last resort, which theorem 4.4 of
	// the paper rules out where no search is given up.
	Original bool
	// Decisions are the strategies' answers, of all places, outermost first.
	Decisions []Decision
}
