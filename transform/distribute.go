package transform

import (
	"fmt"

	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// distribute orders the statements of a node for which no further common loop
// exists or is needed: the strongly connected components of the remaining
// dependences become parts, and those that can share a parallel loop share one
// part, as the fusion asks. One component that cannot be split keeps its
// original order, which is always legal.
func (p *planner) distribute(plan *nodePlan, found map[int][][]int64, active []*depend.Dependence, depth int) error {
	together := facts.Undetermined(p.graph, plan.statements, found)
	if plan.delay != nil {
		together = append(together, plan.delay.together())
	}
	groups := facts.ComponentsOf(p.graph, plan.statements, active, together)
	if len(groups) == 1 && plan.delay.is(groups[0]) {
		return p.nestDelayed(plan, plan.delay, found, active, depth)
	}
	if len(groups) == 1 {
		p.explanation.Original = true
		return p.original(plan, found, active, depth, 0)
	}
	groups, err := p.joined(facts.WithPrivates(p.graph, plan.statements, groups, found, active), found, active)
	if err != nil {
		return err
	}
	p.emit(command.Split{Node: plan.name, Groups: groups})
	for k, group := range groups {
		part := &nodePlan{name: partName(plan.name, k), statements: group}
		if plan.delay.is(group) {
			err = p.nestDelayed(part, plan.delay, found, facts.Within(active, group), depth)
		} else {
			err = p.nest(part, found, facts.Within(active, group), depth)
		}
		if err != nil {
			return err
		}
		plan.parts = append(plan.parts, part)
	}
	return nil
}

func partName(node string, part int) string { return fmt.Sprintf("%s_%d", node, part) }
