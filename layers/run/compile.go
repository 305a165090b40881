package run

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/layers"
	"polytune/scop"
)

// compile makes functions of numbers of the layer's sets and relations.
func (e *machine) compile() error {
	for i := range e.model.Statements {
		e.statements = append(e.statements, &statement{StatementModel: &e.model.Statements[i]})
	}
	for _, s := range e.statements {
		if err := e.compileStatement(s); err != nil {
			return fmt.Errorf("%s: %w", s.Spelling(), err)
		}
	}
	return e.model.Context.Err()
}

// isAssumed says whether the program means these sizes.
func (e *machine) isAssumed() (bool, error) {
	if e.model.Program.Assumed == "" {
		return true, nil
	}
	empty, err := e.model.Context.ReadSet(e.model.Program.Assumed).Intersect(e.fixed()).IsEmpty()
	return !empty, err
}

// fixed are the values of the parameters as a set.
func (e *machine) fixed() *isl.Set {
	text, conditions := "[", "0 = 0"
	for k, name := range e.model.Program.Parameters {
		if k > 0 {
			text += ", "
		}
		text += name
		conditions += fmt.Sprintf(" and %s = %d", name, e.parameters[name])
	}
	return e.model.Context.ReadSet(text + "] -> { : " + conditions + " }")
}

func (e *machine) compileStatement(s *statement) (err error) {
	here := s.Domain.IntersectParams(e.fixed())
	if empty, err := here.IsEmpty(); err != nil || empty {
		return err
	}
	if s.points, err = here.Points(mostInstances); err != nil {
		return err
	}
	s.box()
	if err = e.compileText(s); err != nil && e.options.Statement == nil {
		return err
	}
	s.asText = err != nil
	return e.compileAccesses(s)
}

// compileText finds the references in a statement's expression. The error says why it cannot be
// evaluated here.
func (e *machine) compileText(s *statement) error {
	assignment, is := s.Statement.Value.(*scop.Binary)
	if !is {
		return beyond("it is no assignment")
	}
	if isNested(assignment) {
		return beyond("it has an assignment inside of another one")
	}
	s.value, s.reads = assignment, map[*scop.Ref]int{}
	for k, reference := range layers.References(e.model.Program, s.Statement) {
		array := s.Statement.Accesses[k].Array
		if reference == nil {
			return beyond("its text does not name each element of %s", array)
		}
		if e.kinds[array] >= opaque {
			return beyond("%s has no numbers", array)
		}
		s.reads[reference] = k
	}
	return nil
}

// isNested says whether the value that is assigned is that of another assignment.
func isNested(assignment *scop.Binary) (is bool) {
	scop.Walk(assignment.Y, func(x scop.Expr) bool {
		b, isBinary := x.(*scop.Binary)
		is = is || isBinary && strings.HasSuffix(b.Operator, "=") && !slices.Contains(comparisons, b.Operator)
		return true
	})
	return is
}

// comparisons are operators that end like those of assignments.
var comparisons = []string{"==", "!=", "<=", ">="}

// compileAccesses finds what the statement writes, and the sources of what it reads.
func (e *machine) compileAccesses(s *statement) (err error) {
	s.sources, s.elements = make([][]source, len(s.Accesses)), make([][]*affine, len(s.Accesses))
	for k, a := range s.Statement.Accesses {
		switch {
		case a.Write && a.May:
			return beyond("data decide what it writes")
		case a.Write && s.write(a.Array) >= 0:
			return beyond("it writes several elements of %s", a.Array)
		case a.Write:
			functions, err := e.functions(s, s.Accesses[k])
			if err != nil {
				return err
			}
			s.writes = append(s.writes, written{a.Array, functions})
		}
		if a.Read {
			if s.sources[k], err = e.sourcesOf(s, k); err != nil {
				return err
			}
		}
		if e.options.Statement != nil && slices.ContainsFunc(s.sources[k], func(one source) bool { return one.of != nil }) {
			if s.elements[k], err = e.functions(s, s.Accesses[k]); err != nil {
				return err
			}
		}
	}
	if len(s.writes) == 0 {
		return beyond("it writes nothing")
	}
	return nil
}

// sourcesOf are the sources of a read.
func (e *machine) sourcesOf(s *statement, access int) (list []source, err error) {
	found, err := layers.SourcesOf(e.model, s.StatementModel, access)
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		one := source{}
		if f.Statement >= 0 {
			one.of = e.statements[f.Statement]
		}
		here := f.Relation.IntersectParams(e.fixed())
		if empty, err := here.IsEmpty(); err != nil || empty {
			if err != nil {
				return nil, err
			}
			continue
		}
		names := e.model.Program.IteratorNames(s.Index)
		relation := e.inNames(s, f.Relation)
		domain := relation.Domain().IntersectParams(e.fixed()).Gist(s.Domain.IntersectParams(e.fixed())).AsParameters()
		build := isl.NewAstBuild(e.model.Context.ReadSet("{ : }"))
		if one.when, err = affineOf(build.ExprFromSet(domain), names, e.parameters); err != nil {
			return nil, err
		}
		isOne, err := s.Accesses[access].IsSingleValued()
		if err != nil {
			return nil, err
		}
		if !isOne {
			if one.of != nil {
				return nil, beyond("data decide which of its own values it reads")
			}
		} else if one.subscript, err = e.functions(s, f.Relation); err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

// inNames is a relation whose instances have the names of the iterators.
func (e *machine) inNames(s *statement, relation *isl.Map) *isl.Map {
	instance := e.model.Program.InstanceText(s.Index)
	return e.model.Context.ReadMap(fmt.Sprintf("{ %s -> %s }", instance, instance)).ApplyRange(relation)
}

// functions are the subscripts that a relation leads to.
func (e *machine) functions(s *statement, relation *isl.Map) (list []*affine, err error) {
	relation = e.inNames(s, relation).IntersectParams(e.fixed())
	count := relation.Dim(isl.DimOut)
	build := isl.NewAstBuild(e.model.Context.ReadSet("{ : }"))
	for k := range count {
		one := relation.ProjectOut(isl.DimOut, k+1, count-k-1).ProjectOut(isl.DimOut, 0, k)
		values := one.InputAsParameters()
		expression := build.ExprFromPwAff(values.DimMax(0))
		if err := e.model.Context.Err(); err != nil {
			return nil, err
		}
		a, err := affineOf(expression, e.model.Program.IteratorNames(s.Index), e.parameters)
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}
