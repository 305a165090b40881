package split

import (
	"cmp"
	"maps"
	"slices"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
)

// axis is a set of loops that run over one dimension of the data: at most one
// around each statement, unless tied.
type axis struct {
	// loops are the loops' places, from 0, by statement.
	loops map[int]int
	// tied says that two loops around one statement belong to it.
	tied bool
}

// place is a loop around a statement.
type place struct{ statement, loop int }

// axesOf groups the loops of all statements: those that statements share in the
// source belong together, and those whose iterations dependences tie to each
// other within a short distance, as where one nest writes a[i] and another reads
// a[i+1]. They are in the order of their loops, outermost first.
func axesOf(g *depend.Graph) ([]*axis, error) {
	sets := newUnion(g.Model)
	for _, d := range depend.Distinct(g.Dependences) {
		source, target := &g.Model.Statements[d.Source], &g.Model.Statements[d.Target]
		common := source.CommonLoops(target.Statement)
		for k := common; k < source.Depth(); k++ {
			for l := common; l < target.Depth(); l++ {
				a, b := place{d.Source, k}, place{d.Target, l}
				if sets.find(a) == sets.find(b) {
					continue
				}
				aligned, err := areAligned(g, d, k, l)
				if err != nil {
					return nil, err
				}
				if aligned {
					sets.join(a, b)
				}
			}
		}
	}
	return sets.axes(), nil
}

// areAligned says whether loop k of the dependence's sources and loop l of its
// targets are always in nearly the same iteration, though not in one and the
// same.
func areAligned(g *depend.Graph, d *depend.Dependence, k, l int) (bool, error) {
	cone, err := d.Cone()
	if err != nil {
		return false, err
	}
	source, target := g.Iterator(d.Source, k), g.Iterator(d.Target, l)
	if !cone.Contains(d.Distance(source, target, 1, shortDistance)) || !cone.Contains(d.Distance(source, target, -1, shortDistance)) {
		return false, nil
	}
	mark := g.Model.Context.Mark()
	defer g.Model.Context.Release(mark)
	iterations := d.Relation.Domain().ProjectOut(isl.DimSet, k+1, g.Model.Statements[d.Source].Depth()-k-1).ProjectOut(isl.DimSet, 0, k)
	single, err := iterations.Lexmin().IsEqual(iterations.Lexmax())
	return !single, err
}

// union holds disjoint sets of loops.
type union struct {
	places []place
	parent map[place]place
}

// newUnion has the loops that statements share in the source together.
func newUnion(m *scop.Model) *union {
	u := &union{parent: map[place]place{}}
	for s := range m.Statements {
		for k := range m.Statements[s].Loops {
			at := place{s, k}
			u.places, u.parent[at] = append(u.places, at), at
			for r := range s {
				if m.Statements[r].CommonLoops(m.Statements[s].Statement) > k {
					u.join(place{r, k}, at)
				}
			}
		}
	}
	return u
}

func (u *union) find(p place) place {
	for u.parent[p] != p {
		p = u.parent[p]
	}
	return p
}

func (u *union) join(a, b place) { u.parent[u.find(b)] = u.find(a) }

// axes are the sets, by the depth and the statement of their first loops.
func (u *union) axes() []*axis {
	byRoot := map[place]*axis{}
	first := map[*axis]place{}
	for _, p := range u.places {
		root := u.find(p)
		a := byRoot[root]
		if a == nil {
			a = &axis{loops: map[int]int{}}
			byRoot[root], first[a] = a, p
		}
		_, twice := a.loops[p.statement]
		a.tied = a.tied || twice
		if !twice {
			a.loops[p.statement] = p.loop
		}
	}
	return slices.SortedFunc(maps.Values(byRoot), func(a, b *axis) int {
		return cmp.Or(cmp.Compare(first[a].loop, first[b].loop), cmp.Compare(first[a].statement, first[b].statement))
	})
}

// name is the axis for people: the loop around its first statement.
func (a *axis) name(g *depend.Graph) string {
	s := slices.Min(slices.Collect(maps.Keys(a.loops)))
	statement := &g.Model.Statements[s]
	return "loop " + statement.Loops[a.loops[s]].Iterator + " of " + statement.Name
}

// private is the name of a variable that the region declares inside one of the
// axis' loops, or "".
func (a *axis) private(p *scop.Program) string {
	for _, private := range p.Privates() {
		for _, s := range private.Statements {
			if loop, ok := a.loops[s]; ok && loop < private.Loops {
				return private.Name
			}
		}
	}
	return ""
}
