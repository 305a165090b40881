package depend

import (
	"errors"
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// checkCopy proves that the code below a mark does what it did when the elements of an array that
// each of its executions touches are copied to memory of its own before, are used there, and those
// that it writes are copied back behind it. What runs between the two copies is that code and, at
// the same time, other iterations of parallel loops around it. These write none of the elements,
// and touch none that are written, since their loop carries no dependence: neither the copies nor
// the code see a difference, as long as the elements copied are exactly those that the code
// touches. So all references have to be known and certain, and the texts may name the array for
// these alone; and no reduction may have its updates in any order. The subscripts are checked as those of a contracted
// array are.
func (g *marksCheck) checkCopy(m mark.Local, node *isl.ScheduleNode, around []mark.Mark) error {
	if err := g.isCopyable(m.Array); err != nil {
		return fmt.Errorf("illegal schedule: the mark %q copies %w", m, err)
	}
	if err := checkMemory(m, around); err != nil {
		return err
	}
	uses, err := g.copiedUses(node, m)
	if err != nil {
		return err
	}
	if err := g.checkSubscripts(node, m, uses); err != nil {
		return err
	}
	return g.checkOthers(m, uses)
}

// checkOthers proves that no subscript along a dimension that has not the length of a tile is
// negative: the copy begins with 0 there.
func (g *Graph) checkOthers(m mark.Local, uses []localUse) error {
	atLeastZero := g.Model.Context.ReadSet("{ [subscript] : subscript >= 0 }")
	for _, u := range uses {
		for d := range u.elements.Dim(isl.DimOut) {
			if slices.ContainsFunc(m.Sides, func(side mark.LocalSide) bool { return side.Dimension == d }) {
				continue
			}
			if inside, err := u.subscripts(d).Range().IsSubset(atLeastZero); err != nil || !inside {
				return errors.Join(err, fmt.Errorf("illegal schedule: %s uses elements of %s with negative subscripts, which a copy has not", u.statement, m.Array))
			}
		}
	}
	return nil
}

// isCopyable says why the elements of an array cannot be copied; nil where they can.
func (g *Graph) isCopyable(name string) error {
	program := g.Model.Program
	array := program.Array(name)
	isExpansion := slices.ContainsFunc(program.Expansions, func(e scop.Expansion) bool { return e.Name == name })
	isPrivate := slices.ContainsFunc(program.Privates(), func(p scop.Private) bool { return p.Name == name })
	isRelaxed := slices.ContainsFunc(g.Relaxed, func(d *Dependence) bool {
		return g.Model.Statements[d.Source].Statement.Accesses[d.SourceAccess].Array == name
	})
	switch {
	case array == nil || len(array.Extents) == 0:
		return fmt.Errorf("%s, which is no array", name)
	case array.Linear:
		return fmt.Errorf("%s, whose rows are one subscript in C", name)
	case isExpansion, isPrivate:
		return fmt.Errorf("%s, of which iterations have one of their own", name)
	case isRelaxed:
		return fmt.Errorf("%s, whose updates may run in any order", name)
	}
	return nil
}

// isCertain says why what an access touches cannot be copied to memory that has the array's name in
// the statement's text; nil where it can. A statement that chooses may not touch it, where the array
// need not have it.
func (g *Graph) isCertain(s *scop.StatementModel, access int) error {
	of := s.Statement.Accesses[access]
	array := g.Model.Program.Array(of.Array)
	isOne, err := s.Accesses[access].IsSingleValued()
	_, isNamed := g.Model.Program.Named(s.Statement, array)
	if err != nil || !isOne || of.May && of.Write || !isNamed {
		return errors.Join(err, fmt.Errorf("illegal schedule: which elements of %s %s uses is not known, or its text names more than these, so that they cannot be copied", array.Spelling(), s.Spelling()))
	}
	if !of.May && !scop.Chooses(s.Statement.Value) {
		return nil
	}
	all, known := g.Model.Declared(of.Array)
	if known {
		known, err = s.Accesses[access].IntersectParams(g.Model.Parameters).Range().IsSubset(all)
	}
	if err != nil || !known {
		return errors.Join(err, fmt.Errorf("illegal schedule: %s chooses which elements of %s it uses, and others need not be in the array, so that they cannot be copied", s.Spelling(), array.Spelling()))
	}
	return nil
}

// copiedUses are the accesses to an array of the instances below a mark. It proves that they are
// certain, with subscripts that are known.
func (g *Graph) copiedUses(node *isl.ScheduleNode, m mark.Local) (uses []localUse, err error) {
	for _, instances := range node.Domain().Sets() {
		s := g.Model.Statement(instances.TupleName())
		if s == nil {
			return nil, fmt.Errorf("illegal schedule: the program has no statement %q", instances.TupleName())
		}
		for a, access := range s.Statement.Accesses {
			if access.Array != m.Array {
				continue
			}
			if err := g.isCertain(s, a); err != nil {
				return nil, err
			}
			u, _, err := g.localUse(s, a, instances)
			if err != nil {
				return nil, err
			}
			uses = append(uses, u)
		}
	}
	if len(uses) == 0 {
		return nil, fmt.Errorf("illegal schedule: nothing below the mark %q uses %s", m, m.Array)
	}
	return uses, nil
}
