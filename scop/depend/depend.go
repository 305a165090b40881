package depend

import (
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/scop"
)

// Kind is the kind of a dependence.
type Kind int

// The kinds: read after write (flow), write after read (anti), and write
// after write (output).
const (
	RAW Kind = iota
	WAR
	WAW
)

func (k Kind) String() string { return [...]string{"RAW", "WAR", "WAW"}[k] }

// Dependence is the set of dependent pairs of instances of two references.
type Dependence struct {
	// Source and Target are indices of statements; a source instance must
	// run before its targets.
	Source, Target int
	Kind           Kind
	// SourceAccess and TargetAccess are indices in Statement.Accesses.
	SourceAccess, TargetAccess int
	// Depth is the loop, from 1, whose iterations order the pairs; 0 when the
	// statements share no loop. At the deepest common loop of two different
	// statements in textual order, pairs of one iteration are included.
	Depth int
	// Relation maps source instances to target instances.
	Relation *isl.Map
	// Relaxed says that it relates updates of a reduction that may run in any
	// order, and under which clause a loop may carry it; nil for a dependence
	// that constrains the order.
	Relaxed *scop.Clause

	// cones are those of the dependence as it is, symbolic those with large numbers as parameters.
	cones, symbolic cones
}

// Graph is the dependence graph of a program.
type Graph struct {
	Model       *scop.Model
	Dependences []*Dependence
	// Relaxed are the dependences that do not constrain the order, because the
	// program's reductions may be done in any.
	Relaxed []*Dependence
	reaches [][]bool
	// pairs are all dependences from one statement to another in one: what a
	// schedule must respect, without the references it comes from.
	pairs []*Dependence
	// expanded says that the dependences are those of a schedule's instances with the coordinates
	// of their tiles.
	expanded bool
	// common are times that both instances of all dependences have in common.
	common common
}

// Analyze computes all dependences of the program.
func Analyze(m *scop.Model) (*Graph, error) {
	g := &Graph{Model: m}
	if err := m.Context.Sound(g.analyze); err != nil {
		return nil, err
	}
	return g, nil
}

// analyze finds all dependences.
func (g *Graph) analyze() error {
	m := g.Model
	for r := range m.Statements {
		for s := range m.Statements {
			if err := g.analyzePair(r, s); err != nil {
				return fmt.Errorf("dependences of %s on %s: %w", m.Statements[s].Name, m.Statements[r].Name, err)
			}
		}
	}
	g.reaches = closure(withLinks(g.Successors(), m.Program.Privates()))
	g.pairs = merged(g.Dependences)
	return nil
}

// withLinks connects, in both directions, the statements that access a private
// variable: they run in one class, because its object lives for one iteration.
func withLinks(successors [][]int, privates []scop.Private) [][]int {
	linked := slices.Clone(successors)
	for _, private := range privates {
		for k, s := range private.Statements[1:] {
			previous := private.Statements[k]
			linked[previous] = append(slices.Clip(linked[previous]), s)
			linked[s] = append(slices.Clip(linked[s]), previous)
		}
	}
	return linked
}

// merged are the unions of the dependences that follow each other and have the
// same source and target.
func merged(dependences []*Dependence) []*Dependence {
	var list []*Dependence
	for _, d := range Distinct(dependences) {
		last := len(list) - 1
		if last < 0 || list[last].Source != d.Source || list[last].Target != d.Target {
			list = append(list, &Dependence{Source: d.Source, Target: d.Target, Relation: d.Relation})
			continue
		}
		list[last].Relation = list[last].Relation.Union(d.Relation)
	}
	for _, d := range list {
		d.Relation = d.Relation.Coalesce()
	}
	return list
}

// analyzePair adds the dependences from instances of r to instances of s.
func (g *Graph) analyzePair(r, s int) error {
	source, target := &g.Model.Statements[r], &g.Model.Statements[s]
	for i, a := range source.Statement.Accesses {
		for j, b := range target.Statement.Accesses {
			kinds := kindsOf(a, b)
			if len(kinds) == 0 {
				continue
			}
			same := source.Accesses[i].ApplyRange(target.Accesses[j].Reverse())
			for k := range g.Model.Program.PrivateLoops(a.Array) {
				same = same.Equate(isl.DimIn, k, isl.DimOut, k)
			}
			for _, order := range orders(source.Statement, target.Statement) {
				relation := order.restrict(same, source.Loops)
				empty, err := relation.IsEmpty()
				if err != nil {
					return err
				}
				if empty {
					continue
				}
				for _, kind := range kinds {
					g.add(&Dependence{
						Source: r, Target: s, Kind: kind, SourceAccess: i, TargetAccess: j,
						Depth: order.depth, Relation: relation,
						Relaxed: relaxation(g.Model.Program, source.Statement, target.Statement, i, j),
					})
				}
			}
		}
	}
	return nil
}

// kindsOf are the kinds of dependence between two references when the first
// runs before the second.
func kindsOf(a, b scop.Access) []Kind {
	if a.Array != b.Array {
		return nil
	}
	var kinds []Kind
	if a.Write && b.Read {
		kinds = append(kinds, RAW)
	}
	if a.Read && b.Write {
		kinds = append(kinds, WAR)
	}
	if a.Write && b.Write {
		kinds = append(kinds, WAW)
	}
	return kinds
}

// order is one way in which the original program runs an instance of a first
// statement before one of a second: equal iterations of the loops outside
// depth, and an earlier one (or, with orEqual, the same) at depth.
type order struct {
	depth   int
	orEqual bool
}

// orders are all the ways in which an instance of r can run before one of s,
// by Candl's rule: one per common loop, the deepest including its own
// iteration when r precedes s in the text.
func orders(r, s *scop.Statement) []order {
	common := r.CommonLoops(s)
	if common == 0 {
		if r.Before(s) {
			return []order{{}}
		}
		return nil
	}
	list := make([]order, common)
	for k := range list {
		list[k] = order{depth: k + 1, orEqual: k+1 == common && r.Before(s)}
	}
	return list
}

// restrict keeps the pairs of the relation that are in the order.
func (o order) restrict(relation *isl.Map, loops []scop.Loop) *isl.Map {
	for k := range o.depth - 1 {
		relation = relation.Equate(isl.DimIn, k, isl.DimOut, k)
	}
	if o.depth == 0 {
		return relation.Coalesce()
	}
	k := o.depth - 1
	first, second := isl.DimIn, isl.DimOut
	if loops[k].Descending {
		first, second = second, first
	}
	if o.orEqual {
		return relation.OrderLe(first, k, second, k).Coalesce()
	}
	return relation.OrderLt(first, k, second, k).Coalesce()
}

// Where is the part of the dependence in which the one-dimensional times of
// source and target compare as the operator, such as "=" or "<", says.
func (d *Dependence) Where(source *isl.Map, operator string, target *isl.Map) *Dependence {
	part := *d
	part.cones, part.symbolic = cones{}, cones{}
	part.Relation = d.Relation.Intersect(compare(source, target, operator)).Coalesce()
	return &part
}

// IsEmpty says whether no pair is left.
func (d *Dependence) IsEmpty() (bool, error) { return d.Relation.IsEmpty() }
