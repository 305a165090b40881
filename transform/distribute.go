package transform

import (
	"fmt"
	"maps"
	"slices"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
)

// distribute orders the statements of a node for which no further common loop
// exists or is needed: the strongly connected components of the remaining
// dependences become parts, and those that can share a parallel loop share one
// part, as the fusion asks. One component that cannot be split keeps its
// original order, which is always legal.
func (p *planner) distribute(plan *nodePlan, found map[int][][]int64, active []*depend.Dependence, depth int) error {
	groups := p.componentsOf(plan.statements, active, p.undetermined(plan.statements, found))
	if len(groups) == 1 {
		p.explanation.Original = true
		return p.original(plan, found, active, depth, 0)
	}
	groups, err := p.joined(groups, found, active)
	if err != nil {
		return err
	}
	p.emit(schedule.Split{Node: plan.name, Groups: groups})
	for k, group := range groups {
		part := &nodePlan{name: partName(plan.name, k), statements: group}
		if err := p.nest(part, found, within(active, group), depth); err != nil {
			return err
		}
		plan.parts = append(plan.parts, part)
	}
	return nil
}

func partName(node string, part int) string { return fmt.Sprintf("%s_%d", node, part) }

// within are the dependences with both ends in the group.
func within(active []*depend.Dependence, group []int) []*depend.Dependence {
	var inside []*depend.Dependence
	for _, d := range active {
		if slices.Contains(group, d.Source) && slices.Contains(group, d.Target) {
			inside = append(inside, d)
		}
	}
	return inside
}

// componentsOf are the strongly connected components of the statements under
// the given dependences and private variables, in topological order.
func (p *planner) componentsOf(statements []int, active []*depend.Dependence, privates []scop.Private) [][]int {
	return depend.ComponentsOf(len(p.graph.Model.Statements), statements, constraining(active), privates)
}

// original completes a node in the order of the source: from source depth
// level on, a loop for each source loop and parts for textual positions.
func (p *planner) original(plan *nodePlan, found map[int][][]int64, active []*depend.Dependence, depth, level int) error {
	model := p.graph.Model
	if groups := byPosition(model.Program.Statements, plan.statements, level); len(groups) > 1 {
		p.emit(schedule.Split{Node: plan.name, Groups: groups})
		for k, group := range groups {
			part := &nodePlan{name: partName(plan.name, k), statements: group}
			plan.parts = append(plan.parts, part)
			if err := p.original(part, found, within(active, group), depth, level); err != nil {
				return err
			}
		}
		return nil
	}
	first := &model.Statements[plan.statements[0]]
	if level == first.Depth() {
		return nil
	}
	band := &bandPlan{active: active}
	if err := p.addLoop(band, p.sourceLoop(plan.statements, level), found); err != nil {
		return err
	}
	rest, err := p.appendBand(plan, band, found, depth)
	if err != nil {
		return err
	}
	return p.original(plan, found, rest, depth+1, level+1)
}

// sourceLoop is the row of the source loop at a level: its time.
func (p *planner) sourceLoop(statements []int, level int) map[int]schedule.Row {
	rows := map[int]schedule.Row{}
	for _, s := range statements {
		rows[s] = p.graph.Model.Statements[s].Times[level]
	}
	return rows
}

// byPosition groups statements by their textual position at a level.
func byPosition(all []scop.Statement, statements []int, level int) [][]int {
	positions := map[int][]int{}
	for _, s := range statements {
		position := all[s].Position[level]
		positions[position] = append(positions[position], s)
	}
	var groups [][]int
	for _, position := range slices.Sorted(maps.Keys(positions)) {
		groups = append(groups, positions[position])
	}
	return groups
}
