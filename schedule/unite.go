package schedule

import (
	"slices"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// United is Schedule with statements that do the same in one phase of tiles united to one: the
// instances of both, together without gaps, have the name of the first there. A factorization whose
// source has a loop for either side of the diagonal has one update in its
// trailing tiles so. What runs when is what it is in Schedule, which is the one that is proven.
func (t *Tree) United(m *scop.Model) mark.Schedule {
	return (&lowering{tree: t, model: m, marks: &mark.Table{}, unites: true}).schedule()
}

// unite gives the instances of statements of a phase to others that do the same, and
// returns the statements that are left.
func (l *lowering) unite(n *Node, statements []int, instances map[int]*isl.Set) []int {
	var left []int
	for _, t := range statements {
		if !slices.ContainsFunc(left, func(s int) bool { return n.neighbours(s, t, statements) && l.uniteTwo(n, s, t, instances) }) {
			left = append(left, t)
		}
	}
	return left
}

// uniteTwo gives the instances of statement t to s, and says whether it did: it is a twin of s, no
// two instances are the same, and they leave no gaps.
func (l *lowering) uniteTwo(n *Node, s, t int, instances map[int]*isl.Set) bool {
	isOther := func(term tileTerm) bool { return !term.isOfRow() }
	w, ok := TwinOf(l.model, s, t)
	if !ok || slices.ContainsFunc(slices.Concat(l.tiles[s], l.tiles[t]), isOther) || !l.runAlike(n, s, t, w) {
		return false
	}
	relation := l.model.Context.ReadMap(w.relation(l.tree.Program, s, t, l.tilesOfTwin(s, t, w), l.tileNames(t)))
	renamed := instances[t].Apply(relation)
	apart, err := instances[s].Intersect(renamed).IsEmpty()
	together := instances[s].Union(renamed).Coalesce()
	if err != nil || !apart || len(together.BasicSets()) != 1 {
		return false
	}
	l.gone[t], l.come[s] = append(l.gone[t], instances[t]), append(l.come[s], renamed)
	instances[s] = together
	return true
}

// tilesOfTwin are the names that the tile coordinates of statement s have for its twin t, which has
// one of those that are the same.
func (l *lowering) tilesOfTwin(s, t int, w Twin) []string {
	names := make([]string, len(l.tiles[s]))
	for k, term := range l.tiles[s] {
		names[k] = l.tileNames(t)[l.tree.coordinate(l.tiles[t], tileTerm{row: w.Row(term.row), size: term.size}, t)]
	}
	return names
}

// neighbours says whether none of some statements is in a part between those of two others, so that
// these keep their order to it where they have one name.
func (n *Node) neighbours(s, t int, statements []int) bool {
	part := func(s int) int {
		return slices.IndexFunc(n.Parts, func(p *Node) bool { return slices.Contains(p.Statements, s) })
	}
	first, last := min(part(s), part(t)), max(part(s), part(t))
	return !slices.ContainsFunc(statements, func(u int) bool { return part(u) > first && part(u) < last })
}

// runAlike says whether a statement runs in a node when its twin t would, and has at least the
// copies that it has.
func (l *lowering) runAlike(n *Node, s, t int, w Twin) bool {
	if n.PartsHaveLoops() || slices.ContainsFunc(n.Parts, func(part *Node) bool { return len(part.Marks) > 0 }) || slices.ContainsFunc(l.tiles[s], func(c tileTerm) bool {
		return c.hexagon != nil || l.tree.coordinate(l.tiles[t], tileTerm{row: w.Row(c.row), size: c.size}, t) < 0
	}) {
		return false
	}
	for _, loop := range slices.Concat(l.around, n.Loops) {
		if !loop.asksAlike(s, t) || slices.ContainsFunc(loop.Terms, func(term Term) bool { return !w.Row(term.Rows[s]).Equal(term.Rows[t]) }) {
			return false
		}
	}
	return true
}

// asksAlike says whether all that is asked for at the loop of statement t is asked for of s.
func (l *Loop) asksAlike(s, t int) bool {
	return !slices.ContainsFunc(Requested[OfStatement](l), func(r OfStatement) bool {
		return r.Of() == t && !slices.Contains(l.Requests, r.For(s))
	})
}
