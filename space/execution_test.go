package space

import (
	"fmt"
	"slices"
	"testing"

	"polytune/isl"
	"polytune/scop"
)

// instance is one execution of a statement with the program's parameters
// fixed. time is its place in the original order: positions and the times of
// its loops in turn.
type instance struct {
	statement int
	time      []int64
}

// execution is everything a program does at one size, found without any
// dependence analysis: the instances that access an element, and whether
// they write it, by the element's name.
type execution map[string][]touch

type touch struct {
	instance instance
	write    bool
}

// execute enumerates the instances of a program and the elements they touch.
// Iterators run from -1 to span.
func execute(t *testing.T, p *scop.Program, parameters []int, span int64) execution {
	t.Helper()
	ctx := isl.NewContext()
	defer ctx.Close()
	model, err := p.Model(ctx)
	if err != nil {
		t.Fatal(err)
	}
	e := execution{}
	for i := range model.Statements {
		s := &model.Statements[i]
		domain := fixParameters(ctx.ReadSet(p.Statements[i].Domain), p, parameters)
		var relations []*isl.Set
		for _, a := range p.Statements[i].Accesses {
			relations = append(relations, fixParameters(ctx.ReadMap(a.Relation).Wrap(), p, parameters))
		}
		for _, point := range pointsOf(t, domain, s.Depth(), span) {
			x := instance{i, originalTime(s, point, parameters)}
			for k, a := range p.Statements[i].Accesses {
				element := fmt.Sprint(a.Array, elementOf(t, relations[k], point))
				e[element] = append(e[element], touch{x, a.Write})
			}
		}
	}
	if err := ctx.Err(); err != nil {
		t.Fatal(err)
	}
	return e
}

// fixParameters gives the program's parameters values, by name, and removes
// them.
func fixParameters(set *isl.Set, p *scop.Program, values []int) *isl.Set {
	for k := range set.Dim(isl.DimParam) {
		if i := slices.Index(p.Parameters, set.DimName(isl.DimParam, k)); i >= 0 {
			set = set.FixSi(isl.DimParam, k, values[i%len(values)])
		}
	}
	return set.ProjectOut(isl.DimParam, 0, set.Dim(isl.DimParam))
}

// pointsOf tries every point of a box.
func pointsOf(t *testing.T, set *isl.Set, depth int, span int64) [][]int64 {
	t.Helper()
	var list [][]int64
	var fill func(prefix []int64, rest *isl.Set)
	fill = func(prefix []int64, rest *isl.Set) {
		empty, err := rest.IsEmpty()
		if err != nil {
			t.Fatal(err)
		}
		if empty {
			return
		}
		if len(prefix) == depth {
			list = append(list, slices.Clone(prefix))
			return
		}
		for value := int64(-1); value <= span; value++ {
			fill(append(prefix, value), rest.FixSi(isl.DimSet, len(prefix), int(value)))
		}
	}
	fill(nil, set)
	return list
}

func elementOf(t *testing.T, relation *isl.Set, iterators []int64) []int64 {
	t.Helper()
	for k, value := range iterators {
		relation = relation.FixSi(isl.DimSet, k, int(value))
	}
	point, ok := relation.Point()
	if !ok {
		t.Fatal("an access has no element")
	}
	return point[len(iterators):]
}

func originalTime(s *scop.StatementModel, iterators []int64, parameters []int) []int64 {
	time := []int64{int64(s.Position[0])}
	for k, row := range s.Times {
		size := make([]int64, len(row.Parameters))
		for p := range size {
			size[p] = int64(parameters[p%len(parameters)])
		}
		time = append(time, row.At(iterators, size), int64(s.Position[k+1]))
	}
	return time
}
