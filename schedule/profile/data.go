package profile

import (
	"errors"
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/isl/points"
	"polytune/scop"
	"polytune/scop/flow"
	"polytune/scop/mark"
)

// elements is the number of elements of a set. References whose subscripts
// depend on data may lead anywhere: then it is about one for each instance.
func (p *profiler) elements(set *isl.Set, instances points.Count) (points.Count, error) {
	count, err := p.count(set)
	if errors.Is(err, points.ErrUnbounded) {
		return points.Count{Value: instances.Value}, nil
	}
	return count, err
}

// kept is the number of elements that an array has memory for of a set: those for one iteration
// where it is contracted.
func (p *profiler) kept(array string, set *isl.Set, instances points.Count) (points.Count, error) {
	all, err := p.elements(set, instances)
	contraction, contracted := p.contractions[array]
	if err != nil || !contracted {
		return all, err
	}
	sides, size := slices.Clone(contraction.Sides), 1.0
	slices.SortFunc(sides, func(a, b mark.LocalSide) int { return b.Dimension - a.Dimension })
	for _, side := range sides {
		set, size = set.ProjectOut(isl.DimSet, side.Dimension, 1), size*float64(side.Size)
	}
	once, err := p.elements(set, instances)
	if once = once.Times(size); once.Value < all.Value {
		return once, err
	}
	return all, err
}

// maxOperations bounds isl's work on where the values come from that a class
// reads.
const maxOperations = 1_000_000

// loaded are the elements by array whose values the statements read from
// outside. Where isl does not get through, they are all that are read, and
// exact is false.
func (p *profiler) loaded(statements []int) (sets map[string]*isl.Set, exact bool, err error) {
	var liveIn *isl.UnionMap
	exceeded := p.model.Context.Within(maxOperations, func() { liveIn, err = flow.LiveIn(p.model, statements) })
	if !exceeded {
		sets = map[string]*isl.Set{}
		if err == nil {
			for _, relation := range liveIn.Maps() {
				addTo(sets, relation.TupleName(isl.DimOut), relation.Range())
			}
		}
		return sets, true, err
	}
	return p.touched(statements, func(a scop.Access) bool { return a.Read }), false, nil
}

// touched are the elements by array of the chosen references.
func (p *profiler) touched(statements []int, chosen func(scop.Access) bool) map[string]*isl.Set {
	sets := map[string]*isl.Set{}
	for _, s := range statements {
		for k, a := range p.model.Statements[s].Statement.Accesses {
			if chosen(a) {
				addTo(sets, a.Array, p.model.Statements[s].Accesses[k].Range())
			}
		}
	}
	return sets
}

// arrays counts the elements that statements with so many instances touch.
func (p *profiler) arrays(statements []int, instances points.Count) ([]Array, error) {
	loaded, exact, err := p.loaded(statements)
	if err != nil {
		return nil, err
	}
	touched := p.touched(statements, func(scop.Access) bool { return true })
	stored := p.touched(statements, func(a scop.Access) bool { return a.Write })
	var arrays []Array
	for _, declared := range p.model.Program.Arrays {
		if touched[declared.Name] == nil {
			continue
		}
		array := Array{Name: declared.Spelling(), ElementBytes: declared.Size}
		for _, what := range []struct {
			sets  map[string]*isl.Set
			count *points.Count
		}{{touched, &array.Elements}, {loaded, &array.Loaded}, {stored, &array.Stored}} {
			*what.count = points.Count{Exact: true}
			if set := what.sets[declared.Name]; set != nil {
				if *what.count, err = p.kept(declared.Name, set, instances); err != nil {
					return nil, fmt.Errorf("the elements of %s: %w", array.Name, err)
				}
			}
		}
		array.Loaded.Exact = array.Loaded.Exact && exact
		arrays = append(arrays, array)
	}
	return arrays, nil
}

func addTo(sets map[string]*isl.Set, name string, set *isl.Set) {
	if sets[name] != nil {
		set = sets[name].Union(set)
	}
	sets[name] = set
}
