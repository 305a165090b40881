package main

import (
	"fmt"
	"slices"

	"polytune/internal/ctext"
	"polytune/internal/randomprogram"
	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
)

// maxInstances bounds the instances that are compared pair by pair.
const maxInstances = 300

// maxPairs bounds the pairs of one dependence at one size.
const maxPairs = maxInstances * maxInstances

// executed is what a program does at one size, found by executing it: its
// instances, and its dependent pairs of instances by kind and statements.
type executed struct {
	instances map[int]map[string]bool
	pairs     map[edge]map[string]bool
}

// edge is a kind of dependence between two statements.
type edge struct {
	kind           depend.Kind
	source, target int
}

func (e edge) String() string { return fmt.Sprintf("%s S%d -> S%d", e.kind, e.source, e.target) }

// compareDependences compares instances and dependences of the model with
// those found by executing the program at small sizes: they are the same for
// exact accesses, and among the model's for over-approximated ones.
func (s *subject) compareDependences(g *depend.Graph) error {
	program := g.Model.Program
	exact := exactEdges(program)
	for _, size := range s.smallSizes() {
		found, ok := execute(s.program, size)
		if !ok {
			continue
		}
		for k := range program.Statements {
			want := found.instances[k]
			points, err := pointsAt(g.Model.Statements[k].Domain, size)
			if err != nil {
				return err
			}
			got := setOf(points)
			if err := compareSets(fmt.Sprintf("instances of S%d at N=%d, M=%d", k, size.N, size.M), want, got, !namesData(program, program.Statements[k].Domain)); err != nil {
				return err
			}
		}
		modelled, err := modelledPairs(g, size)
		if err != nil {
			return err
		}
		for _, e := range edgesOf(found.pairs, modelled) {
			what := fmt.Sprintf("pairs of %s at N=%d, M=%d", e, size.N, size.M)
			if err := compareSets(what, found.pairs[e], modelled[e], exact(e)); err != nil {
				return err
			}
		}
	}
	return nil
}

// exactEdges says between which statements all accesses are exact, whatever the data are.
func exactEdges(p *scop.Program) func(edge) bool {
	over := make([]bool, len(p.Statements))
	for k := range p.Statements {
		over[k] = namesData(p, p.Statements[k].Domain) ||
			slices.ContainsFunc(p.Statements[k].Accesses, func(a scop.Access) bool { return a.May || namesData(p, a.Relation) })
	}
	return func(e edge) bool { return !over[e.source] && !over[e.target] }
}

// namesData says whether a set or relation depends on a parameter that is no size: on an element
// that nothing changes, as in C[A[0] & 7], and of which an execution sees one value.
func namesData(p *scop.Program, relation string) bool {
	words := ctext.Words(relation)
	return slices.ContainsFunc(p.Parameters, func(name string) bool {
		return name != "N" && name != "M" && slices.Contains(words, name)
	})
}

func edgesOf(a, b map[edge]map[string]bool) []edge {
	var edges []edge
	for e := range a {
		edges = append(edges, e)
	}
	for e := range b {
		if _, twice := a[e]; !twice {
			edges = append(edges, e)
		}
	}
	slices.SortFunc(edges, func(x, y edge) int {
		return slices.Compare([]int{x.source, x.target, int(x.kind)}, []int{y.source, y.target, int(y.kind)})
	})
	return edges
}

// compareSets wants all that was found to be modelled and, if exact, nothing
// else.
func compareSets(what string, found, modelled map[string]bool, exact bool) error {
	for x := range found {
		if !modelled[x] {
			return fmt.Errorf("%s: %s is found by execution but not in the model", what, x)
		}
	}
	for x := range modelled {
		if exact && !found[x] {
			return fmt.Errorf("%s: %s is in the model but not found by execution", what, x)
		}
	}
	return nil
}

// execute runs the program; ok is false when it has too many instances.
func execute(p *randomprogram.Program, size randomprogram.Size) (e executed, ok bool) {
	e = executed{map[int]map[string]bool{}, map[edge]map[string]bool{}}
	earlier := map[string][]access{}
	count := 0
	err := p.Execute(size, 4*maxInstances, func(i *randomprogram.Instance) {
		name := fmt.Sprint(i.Iterators)
		count++
		if e.instances[i.Statement] == nil {
			e.instances[i.Statement] = map[string]bool{}
		}
		e.instances[i.Statement][name] = true
		e.relate(i, name, earlier)
	})
	return e, err == nil && count <= maxInstances
}

// access is one by an instance that ran before.
type access struct {
	statement   int
	instance    string
	read, write bool
}

// relate notes the dependences of an instance on earlier ones.
func (e *executed) relate(i *randomprogram.Instance, name string, earlier map[string][]access) {
	for _, t := range i.Touches {
		element := fmt.Sprint(t.Array, t.Element)
		for _, a := range earlier[element] {
			for kind, holds := range []bool{a.write && t.Read, a.read && t.Write, a.write && t.Write} {
				if holds {
					e.note(edge{depend.Kind(kind), a.statement, i.Statement}, a.instance+name)
				}
			}
		}
	}
	for _, t := range i.Touches {
		element := fmt.Sprint(t.Array, t.Element)
		earlier[element] = append(earlier[element], access{i.Statement, name, t.Read, t.Write})
	}
}

func (e *executed) note(at edge, pair string) {
	if e.pairs[at] == nil {
		e.pairs[at] = map[string]bool{}
	}
	e.pairs[at][pair] = true
}

// modelledPairs are the dependent pairs of the model at one size.
func modelledPairs(g *depend.Graph, size randomprogram.Size) (map[edge]map[string]bool, error) {
	pairs := map[edge]map[string]bool{}
	mark := g.Model.Context.Mark()
	defer g.Model.Context.Release(mark)
	for _, d := range g.Dependences {
		points, err := pointsAt(d.Relation.Wrap(), size)
		if err != nil {
			return nil, err
		}
		e := edge{d.Kind, d.Source, d.Target}
		if pairs[e] == nil {
			pairs[e] = map[string]bool{}
		}
		depth := g.Model.Statements[d.Source].Depth()
		for _, p := range points {
			pairs[e][fmt.Sprint(p[:depth])+fmt.Sprint(p[depth:])] = true
		}
	}
	return pairs, nil
}

// pointsAt are the points of a set at a size, whatever the data are that other parameters stand
// for.
func pointsAt(set *isl.Set, size randomprogram.Size) ([][]int64, error) {
	values := map[string]int{"N": size.N, "M": size.M}
	n := set.Dim(isl.DimParam)
	for k := range n {
		if value, isSize := values[set.DimName(isl.DimParam, k)]; isSize {
			set = set.FixSi(isl.DimParam, k, value)
		}
	}
	return set.ProjectOut(isl.DimParam, 0, n).Points(maxPairs)
}

func setOf(points [][]int64) map[string]bool {
	set := map[string]bool{}
	for _, p := range points {
		set[fmt.Sprint(p)] = true
	}
	return set
}
