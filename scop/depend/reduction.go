package depend

import (
	"errors"
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// Relaxed dependences are those between updates of one element by the same
// operator, in a program whose reductions may be done in any order: each update
// is x = x ∘ e with a value e of its own, and ∘ is associative and commutative.
// They are no constraint on the order in which updates run. All other
// dependences stay: since they relate all pairs of instances that touch an
// element, not only the next ones, x = 0 still comes before every update and not
// just before the first, and every update before each read of the result. What e
// reads is not an update: where it is the accumulator of another instance, as in
// the lengths of shortest paths, the order stays.
//
// Two updates of one element must still not run at the same time. A loop marked
// parallel or vector may carry relaxed dependences only if its mark has a clause
// for them, scop.Clause, and the code below it does nothing else with the array:
// each thread or lane then has an accumulator of its own.

// relaxation is the clause under which a dependence between two references is
// relaxed, or nil.
func relaxation(p *scop.Program, r, s *scop.Statement, source, target int) *scop.Clause {
	if !p.AnyOrderAt(r, source) || !p.AnyOrderAt(s, target) || !areUpdates(r, s, source, target) {
		return nil
	}
	clause := r.Reduction.At(source).Clause()
	return &clause
}

// areUpdates says whether two references are accumulators of reductions by the same operator.
func areUpdates(r, s *scop.Statement, source, target int) bool {
	from, to := r.Reduction.At(source), s.Reduction.At(target)
	return from != nil && to != nil && from.Operator == to.Operator
}

// IsUpdate says whether a dependence is between updates of a reduction, so that it would be
// relaxed in a program whose reductions may be done in any order.
func IsUpdate(p *scop.Program, d *Dependence) bool {
	return areUpdates(&p.Statements[d.Source], &p.Statements[d.Target], d.SourceAccess, d.TargetAccess)
}

// add adds a dependence to those that constrain the order or to the relaxed ones.
func (g *Graph) add(d *Dependence) {
	if d.Relaxed != nil {
		g.Relaxed = append(g.Relaxed, d)
		return
	}
	g.Dependences = append(g.Dependences, d)
}

// checkApart checks that two updates of one element do not run at the same time.
func (g *Graph) checkApart(d *Dependence, times map[int][]*isl.Map) error {
	start := g.Model.Context.Mark()
	defer g.Model.Context.Release(start)
	together := g.together(d, times, times)
	return faultOf(g.mustBeEmpty(d, together, "both instances run at the same time"), Together, nil)
}

// together are the pairs of the dependence with equal times; sources and targets have those
// of the instances that count.
func (g *Graph) together(d *Dependence, sources, targets map[int][]*isl.Map) *isl.Map {
	pairs := d.Relation
	for k := range sources[d.Source] {
		pairs = pairs.Intersect(compare(sources[d.Source][k], targets[d.Target][k], "="))
	}
	return pairs
}

// checkClauses checks the clauses of a mark: relaxed dependences that the loop
// carries have one, nothing else below the mark touches their arrays, and the
// lanes of a vector share one element.
func (g *Graph) checkClauses(m mark.Mark, clauses []scop.Clause, outer, own map[int][]*isl.Map) error {
	for _, clause := range clauses {
		if err := g.checkAlone(clause, m, own); err != nil {
			return err
		}
	}
	for _, d := range Distinct(g.Relaxed) {
		if outer[d.Source] == nil || outer[d.Target] == nil || slices.Contains(clauses, *d.Relaxed) {
			continue
		}
		if err := g.checkCarried(d, outer, own, m); err != nil {
			return fmt.Errorf("%w; the loop needs %s", err, *d.Relaxed)
		}
	}
	if _, isVector := m.(mark.Vector); !isVector {
		return nil
	}
	for _, clause := range clauses {
		if err := g.checkOneElement(clause, m, outer); err != nil {
			return err
		}
	}
	return nil
}

// checkAlone checks that the statements below a mark do nothing with the array
// of a clause but update it by the clause's operator.
func (g *Graph) checkAlone(clause scop.Clause, m mark.Mark, below map[int][]*isl.Map) error {
	for s := range below {
		if statement := g.Model.Statements[s].Statement; !statement.OnlyUpdates(clause) {
			return fmt.Errorf("illegal schedule: the loop marked %q has accumulators of its own for %s, but %s does something else with it",
				m, clause, statement.Spelling())
		}
	}
	return nil
}

// checkOneElement checks that all updates in one iteration of the loops around a
// mark are of one element.
func (g *Graph) checkOneElement(clause scop.Clause, m mark.Mark, outer map[int][]*isl.Map) error {
	for s := range outer {
		for t := range outer {
			if err := g.checkSameElement(clause, m, outer, s, t); err != nil {
				return err
			}
		}
	}
	return nil
}

func (g *Graph) checkSameElement(clause scop.Clause, m mark.Mark, outer map[int][]*isl.Map, s, t int) error {
	source, target := &g.Model.Statements[s], &g.Model.Statements[t]
	first, second := source.Reduction.Under(clause), target.Reduction.Under(clause)
	if first == nil || second == nil {
		return nil
	}
	if first.Several || second.Several {
		return g.differentElements(clause, m)
	}
	start := g.Model.Context.Mark()
	defer g.Model.Context.Release(start)
	all := &Dependence{Source: s, Target: t, Relation: source.Domain.MapTo(target.Domain)}
	from, to := source.Accesses[first.Accesses[0]], target.Accesses[second.Accesses[0]]
	known, err := from.Reverse().IsInjective()
	if err != nil {
		return err
	}
	one, err := g.together(all, outer, outer).IsSubset(from.ApplyRange(to.Reverse()))
	if err != nil || known && one {
		return err
	}
	return errors.Join(g.Model.Context.Err(), g.differentElements(clause, m))
}

func (g *Graph) differentElements(clause scop.Clause, m mark.Mark) error {
	if _, isOfThreads := m.(mark.Reduce); isOfThreads {
		return fmt.Errorf("illegal schedule: the mark %q: the loop updates different elements of %s each time it runs, and each thread has one accumulator for %s", m, clause.Array, clause)
	}
	return fmt.Errorf("illegal schedule: the lanes of the loop marked %q update different elements of %s, which needs one for %s", m, clause.Array, clause)
}
