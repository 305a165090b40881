package transform

import (
	"fmt"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/transform/facts"
)

// hexagonal gives a class hexagonal tiles on threads where these are asked for and it is a stencil:
// threads share the hexagons of each phase, and the innermost loop runs in lanes.
func (p *planner) hexagonal(plan *nodePlan, shaped *shapeReport) (done bool, err error) {
	shape := p.options.Stencil.shape()
	if shape == nil {
		return false, nil
	}
	return shaped.add(p.emitHexagonsOnThreads(shape, plan, shaped))
}

func (p *planner) emitHexagonsOnThreads(shape stencilShape, plan *nodePlan, shaped *shapeReport) error {
	if shape.name() != HexagonShape {
		return noStencil("processors have no %s", shape.makes())
	}
	f, err := stencilOf(p.graph, plan.statements, facts.DependencesOf(p.graph, plan.statements))
	if err != nil {
		return err
	}
	sizes, err := p.sizesOf(shape, f, shaped)
	if err != nil {
		return err
	}
	p.emitHexagons(plan.name, f, sizes)
	for phase := range schedule.HexagonPhases {
		part := fmt.Sprintf("%sp%d", plan.name, phase)
		if p.options.Uses(parallelAxis) {
			p.emit(command.Parallel{Loop: part + ".2" + command.HexagonSuffix})
		}
		if p.options.Uses(vectorAxis) {
			p.emit(command.Vectorize{Loop: fmt.Sprintf("%s.%d", part, len(f.space)+1)})
		}
	}
	return nil
}
