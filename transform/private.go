package transform

import (
	"slices"

	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform/hyperplane"
)

// undetermined are the private variables of a node's statements whose objects
// the loops found do not tell apart yet: until they do, the statements that
// access one stay together.
func (p *planner) undetermined(statements []int, found map[int][][]int64) []scop.Private {
	program := p.graph.Model.Program
	return slices.DeleteFunc(program.Privates(), func(private scop.Private) bool {
		return !slices.Contains(statements, private.Statements[0]) ||
			!slices.ContainsFunc(private.Statements, func(s int) bool {
				return !scop.Determines(found[s], program.Statements[s].Depth(), private.Loops)
			})
	})
}

// question asks for a hyperplane of statements behind those found for them.
func (p *planner) question(statements []int, found map[int][][]int64, active []*depend.Dependence) hyperplane.Question {
	return hyperplane.Question{Purpose: p.purpose, Statements: statements, Found: found, Active: active, Privates: p.undetermined(statements, found)}
}

// finder finds hyperplanes with the planner's options; what it solves is part of the explanation.
func (p *planner) finder() *hyperplane.Finder {
	return &hyperplane.Finder{Program: p.graph.Model, Model: p.options.Model, CoefficientBound: p.options.CoefficientBound,
		Record: func(program hyperplane.Program) {
			p.explanation.Programs = append(p.explanation.Programs, program)
		}}
}
