package transform

import (
	"polytune/scop/depend"
	"polytune/transform/facts"
	"polytune/transform/hyperplane"
)

// question asks for a hyperplane of statements behind those found for them.
func (p *planner) question(statements []int, found map[int][][]int64, active []*depend.Dependence) hyperplane.Question {
	return hyperplane.Question{Purpose: p.purpose, Statements: statements, Found: found, Active: active, Privates: facts.Undetermined(p.graph, statements, found)}
}

// finder finds hyperplanes with the planner's options; what it solves is part of the explanation.
func (p *planner) finder() *hyperplane.Finder {
	return &hyperplane.Finder{Program: p.graph.Model, Model: p.options.Model, CoefficientBound: p.options.CoefficientBound,
		Record: func(program hyperplane.Program) {
			p.explanation.Programs = append(p.explanation.Programs, program)
		}}
}
