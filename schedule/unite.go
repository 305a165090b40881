package schedule

import (
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
)

// United is Schedule with statements that do the same in one phase of tiles united to one: the
// instances of both, together without gaps, have the name of the first there. A factorization whose
// source has a loop for either side of the diagonal has one update in its
// trailing tiles so. What runs when is what it is in Schedule, which is the one that is proven.
func (t *Tree) United(m *scop.Model) *isl.Schedule {
	return (&lowering{tree: t, model: m, unites: true}).schedule()
}

// unite gives the instances of statements of a phase to others that do the same, and
// returns the statements that are left.
func (l *lowering) unite(n *Node, statements []int, instances map[int]*isl.Set) []int {
	var left []int
	for _, t := range statements {
		k := slices.IndexFunc(left, func(s int) bool { return l.areTwins(n, s, t) && n.neighbours(s, t, statements) })
		if k < 0 || !l.uniteTwo(left[k], t, instances) {
			left = append(left, t)
		}
	}
	return left
}

// uniteTwo gives the instances of statement t to s, and says whether it did: no two of them are the same, and they
// leave no gaps.
func (l *lowering) uniteTwo(s, t int, instances map[int]*isl.Set) bool {
	own := instances[t].SetTupleName(l.tree.Program.Statements[t].Name)
	renamed := instances[t].SetTupleName(l.tree.Program.Statements[s].Name)
	apart, err := instances[s].Intersect(renamed).IsEmpty()
	together := instances[s].Union(renamed).Coalesce()
	if err != nil || !apart || len(together.BasicSets()) != 1 {
		return false
	}
	l.gone[t], l.come[s] = append(l.gone[t], own), append(l.come[s], renamed)
	instances[s] = together
	return true
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

// areTwins says whether two statements of a node do the same with the same elements wherever
// their iterators have the same values, at the same times, from the same copies.
func (l *lowering) areTwins(n *Node, s, t int) bool {
	sameTile := func(x, y tileTerm) bool { return x.size == y.size && sameRow(x.row, y.row) }
	if !Twins(l.tree.Program, s, t) || anyLoops(n.Parts) || !slices.EqualFunc(l.tiles[s], l.tiles[t], sameTile) {
		return false
	}
	for _, loop := range slices.Concat(l.around, n.Loops) {
		if !loop.packedAlike(s, t) || slices.ContainsFunc(loop.Terms, func(term Term) bool { return !sameRow(term.Rows[s], term.Rows[t]) }) {
			return false
		}
	}
	return true
}

// Twins says whether two statements of a program do the same with the same elements wherever their
// iterators have the same values.
func Twins(p *scop.Program, s, t int) bool {
	a, b := &p.Statements[s], &p.Statements[t]
	same := func(x, y scop.Access) bool { return x.Array == y.Array && x.Write == y.Write && x.Read == y.Read }
	private := func(v scop.Private) bool { return slices.Contains(v.Statements, s) || slices.Contains(v.Statements, t) }
	return strings.Join(strings.Fields(a.Source), " ") == strings.Join(strings.Fields(b.Source), " ") &&
		slices.Equal(p.IteratorNames(s), p.IteratorNames(t)) && slices.EqualFunc(a.Accesses, b.Accesses, same) &&
		!slices.ContainsFunc(p.Privates(), private)
}

// sameRow says whether two rows have the same coefficients.
func sameRow(a, b Row) bool {
	return slices.Equal(a.Iterators, b.Iterators) && slices.Equal(a.Parameters, b.Parameters) && a.Constant == b.Constant
}

// packedAlike says whether the loop packs the same references of two statements.
func (l *Loop) packedAlike(s, t int) bool {
	of := func(s int) (references []int) {
		for _, p := range l.Packs {
			if p.Statement == s {
				references = append(references, p.Reference)
			}
		}
		slices.Sort(references)
		return references
	}
	return slices.Equal(of(s), of(t))
}
