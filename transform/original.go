package transform

import (
	"fmt"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform/facts"
)

// Original is the program as it is written: the partition whose classes are the
// statements inside the same outermost loop of the source, in the order of the
// text, and the recipe of the source's loops, none of them tiled, parallel or
// vectorised. It is always legal, and therefore needs no dependences.
func Original(m *scop.Model) (space.Partition, schedule.Recipe, error) {
	p := &planner{graph: &depend.Graph{Model: m}, recipe: command.Beginning(m.Program)}
	all := make([]int, len(m.Statements))
	for i := range all {
		all[i] = i
	}
	classes := scop.ByPosition(m.Program.Statements, all, 0)
	p.emit(command.Classes{Groups: classes})
	for k, statements := range classes {
		plan := &nodePlan{name: className(k), statements: statements}
		if err := p.original(plan, map[int][][]int64{}, nil, 0, 0); err != nil {
			return nil, nil, fmt.Errorf("class %s of %s: %w", plan.name, p.graph.Model.Names(statements), err)
		}
	}
	return vector(classes, len(all)), p.recipe, nil
}

// original completes a node in the order of the source: from source depth
// level on, a loop for each source loop and parts for textual positions.
func (p *planner) original(plan *nodePlan, found map[int][][]int64, active []*depend.Dependence, depth, level int) error {
	model := p.graph.Model
	if groups := scop.ByPosition(model.Program.Statements, plan.statements, level); len(groups) > 1 {
		p.emit(command.Split{Node: plan.name, Groups: groups})
		for k, group := range groups {
			part := &nodePlan{name: partName(plan.name, k), statements: group}
			plan.parts = append(plan.parts, part)
			if err := p.original(part, found, facts.Within(active, group), depth, level); err != nil {
				return err
			}
		}
		return nil
	}
	first := &model.Statements[plan.statements[0]]
	if level == first.Depth() {
		return nil
	}
	band := &facts.Band{Active: active}
	if err := addLoop(p.graph, &p.options, band, facts.SourceLoop(p.graph, plan.statements, level), found); err != nil {
		return err
	}
	rest, err := p.appendBand(plan, band, found, depth)
	if err != nil {
		return err
	}
	return p.original(plan, found, rest, depth+1, level+1)
}
