package codegen

import (
	"fmt"
	"slices"

	"polytune/loopir"
)

// followed is how many instances, and iterations of loops, are followed at most for each choice of
// parameters.
const followed = 10_000

// smallValues are values of the parameters for which loops are followed, the first one's in front.
// Tiles of a few steps and points have neighbours there, and ends that are no multiples.
var smallValues = [][]int64{{7, 23, 19, 17}, {23, 7, 19, 17}, {13}}

// inOrder makes sure that isl's loops run instances in the order of the schedule where isl is known
// to have moved some: it follows them for small values of the parameters. isl 0.25 shifts statements
// in loops with steps against each other, and takes the shift from instances which two of them do
// not have together.
func inOrder(e *Env, code loopir.Code) error {
	tree := e.nodes.tree
	if tree == nil || e.ranks.plan != nil || !tree.IsStepped() {
		return nil
	}
	for _, values := range smallValues {
		if err := inOrderFor(e, code, values); err != nil {
			return err
		}
	}
	return nil
}

// inOrderFor is inOrder for some values of the parameters, of which the last one is that of all
// further ones.
func inOrderFor(e *Env, code loopir.Code, list []int64) error {
	names := e.model.Program.Parameters
	values, named := make([]int64, len(names)), map[string]int64{}
	for k, name := range names {
		values[k] = list[min(k, len(list)-1)]
		named[name] = values[k]
	}
	if empty, err := e.model.Parameters.Intersect(e.model.With(values)).IsEmpty(); err != nil || empty {
		return err
	}
	order := e.nodes.tree.Order(e.model, values)
	var before []int64
	var last string
	var wrong error
	err := loopir.Follow(code, named, followed, func(run *loopir.Run, at []int64) bool {
		position := order.Position(run.Statement.Index, at)
		if slices.Compare(before, position) > 0 && !startsWith(before, position) {
			wrong = fmt.Errorf("isl has put %s%v in front of %s%v, which the schedule has later, for %s",
				last, before, run.Statement.Name, position, e.model.With(values))
		}
		before, last = position, run.Statement.Name
		return wrong == nil
	})
	if wrong != nil {
		return wrong
	}
	return err
}

// startsWith says whether one of two positions is the beginning of the other.
func startsWith(a, b []int64) bool {
	n := min(len(a), len(b))
	return slices.Equal(a[:n], b[:n])
}
