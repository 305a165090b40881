package codegen

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/mark"
)

// touched are the elements that the code below a mark touches and writes in one execution, as
// relations from the times of its executions to elements with the coordinates of their tiles in
// front.
type touched struct {
	all, written *isl.Map
	times        *isl.Set
}

// touchedBelow are those of a copied array below a mark of the schedule tree; nil where there are
// none.
func (n *copies) touchedBelow(m mark.Mark, local mark.Local) *touched {
	var t *touched
	executions := n.usesBelow(m, local.Array, func(u useBelow) {
		elements := u.times.Reverse().ApplyRange(n.inTiles(u.statement, u.times.Domain(), u.access, local))
		if t == nil {
			none := elements.Subtract(elements)
			t = &touched{all: none, written: none}
		}
		t.all = t.all.Union(elements)
		if u.statement.Statement.Accesses[u.access].Write {
			t.written = t.written.Union(elements)
		}
	})
	if t == nil {
		return nil
	}
	return &touched{t.all.Coalesce(), t.written.Coalesce(), executions.Coalesce()}
}

// useBelow is an access of the instances below a mark, which times relate to when the code there
// runs.
type useBelow struct {
	statement *scop.StatementModel
	access    int
	times     *isl.Map
}

// runs relate the instances of the statement, as the program has them, to the times.
func (u useBelow) runs() *isl.Map {
	instances := u.times.Domain()
	contraction := instances.Contraction(instances.Dim(isl.DimSet)-u.statement.Depth()).SetTupleName(isl.DimOut, u.statement.Name)
	return contraction.Reverse().ApplyRange(u.times)
}

// usesBelow visits the accesses to an array below a mark of the schedule tree, and gives all times
// at which the code there runs.
func (n *copies) usesBelow(m mark.Mark, array string, visit func(useBelow)) (executions *isl.Set) {
	for _, node := range marked(n.schedule, m) {
		for _, times := range node.PrefixScheduleUnionMap().IntersectDomain(node.Domain()).Maps() {
			s := n.model.Statement(times.TupleName(isl.DimIn))
			if executions == nil {
				executions = times.Range()
			} else {
				executions = executions.Union(times.Range())
			}
			for a, access := range s.Statement.Accesses {
				if access.Array == array {
					visit(useBelow{s, a, times})
				}
			}
		}
	}
	return executions
}

// inTiles relates instances of a statement to the elements of one of its references, with the
// coordinates of their tiles in front.
func (n *copies) inTiles(s *scop.StatementModel, instances *isl.Set, access int, local mark.Local) *isl.Map {
	extra := instances.Dim(isl.DimSet) - s.Depth()
	elements := instances.Contraction(extra).SetTupleName(isl.DimOut, s.Name).ApplyRange(s.Accesses[access])
	names := freshNames("i", instances.Dim(isl.DimSet), n.taken)
	for _, side := range slices.Backward(local.Sides) {
		if side.Size == 1 {
			continue
		}
		tile := n.model.Context.ReadMap(fmt.Sprintf("{ %s[%s] -> [%s] }", s.Name, strings.Join(names, ", "), names[side.Tiles[s.Name]]))
		elements = tile.IntersectDomain(instances).FlatRangeProduct(elements)
	}
	return elements.SetTupleName(isl.DimOut, "")
}

// marked are the nodes of a schedule with a mark.
func marked(s mark.Schedule, m mark.Mark) []*isl.ScheduleNode {
	name := s.Marks.Name(m)
	var below func(node *isl.ScheduleNode) []*isl.ScheduleNode
	below = func(node *isl.ScheduleNode) (found []*isl.ScheduleNode) {
		if node.Type() == isl.NodeMark && node.MarkName() == name {
			found = append(found, node)
		}
		for _, child := range node.Children() {
			found = append(found, below(child)...)
		}
		return found
	}
	return below(s.Tree.Root())
}

// visible are the program's parameters, the bounds of the rank's blocks, and the variables of the loops
// around the present place, as isl writes parameters.
func (n *place) visible() string {
	names := append(slices.Clone(n.model.Program.Parameters), n.env.ranks.own()...)
	for _, open := range n.open {
		if open.variable != "" {
			names = append(names, open.variable)
		}
	}
	return "[" + strings.Join(names, ", ") + "]"
}

// presentTime is the one of some times at which the loops around the present place are. The syntax
// tree has no loop where isl knows its value; single says whether the others tell which that is.
func (n *place) presentTime(times *isl.Set) (now *isl.Set, single bool) {
	context, depth := n.model.Context, times.Dim(isl.DimSet)
	names := freshNames("t", depth, n.taken)
	for _, open := range n.open {
		if d, known := n.depths[open.variable]; known && d < depth {
			names[d] = open.variable
		}
	}
	tuple := "[" + strings.Join(names, ", ") + "]"
	now = times.Intersect(context.ReadSet(n.visible() + " -> { " + tuple + " : " + n.conditionsAround() + " }"))
	single, err := context.ReadMap("{ " + tuple + " -> [] }").IntersectDomain(now).IsInjective()
	return now, single && err == nil
}

// conditionsAround are the bounds of the loops around the present place, in isl's notation.
func (n *place) conditionsAround() string {
	conditions := []string{"true"}
	for _, open := range n.open {
		if open.variable == "" {
			continue
		}
		if loop, ok := copyLoopOf(open.loop, func(*loopir.Expr) bool { return true }); ok {
			conditions = append(conditions, loop.conditions()...)
		}
	}
	return strings.Join(conditions, " and ")
}
