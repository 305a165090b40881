package transform

import (
	"slices"

	"polytune/schedule"
	"polytune/scop/depend"
)

// Statements that pass values on through an expanded array, such as the rows of doitgen's
// sums, share the outermost loop of those along which the array was expanded: what one iteration writes is in a
// cache when another statement reads it, and threads share out one loop. Inside it the
// statements are apart, as they are in a matrix product.

// blockLoops is the number of loops that register blocks have: as many are to be left inside.
const blockLoops = 3

// webLoop are the rows of the loop that the statements of one expanded array are to share, by
// statement; nil where there is none, because they have something else to do with each other, or where too few loops are left.
func webLoop(g *depend.Graph, statements []int) (map[int]schedule.Row, error) {
	if len(statements) < 2 || deepest(g, statements) <= blockLoops || !passOnValues(g, statements) {
		return nil, nil
	}
	rows := iteratorRows(g, statements, 0)
	if free, err := carriesNothing(g, statements, rows); !free || err != nil {
		return nil, err
	}
	return rows, nil
}

// passOnValues says whether all the statements access one expanded array.
func passOnValues(g *depend.Graph, statements []int) bool {
	for _, e := range g.Model.Program.Expansions {
		if !slices.ContainsFunc(statements, func(s int) bool { return !g.Model.Program.Statements[s].Names(e.Name) }) {
			return true
		}
	}
	return false
}

// webTogether plans a class of such statements. It says whether the class is one.
func (p *planner) webTogether(plan *nodePlan, s setting) (bool, error) {
	o := p.options
	if !o.hasBlocks() || o.Original {
		return false, nil
	}
	rows, err := webLoop(p.graph, plan.statements)
	if rows == nil || err != nil {
		return false, err
	}
	band := &bandPlan{active: s.active, permutable: true}
	if err := p.addLoop(band, rows, s.found); err != nil {
		return false, err
	}
	if s, err = p.append(plan, band, s); err != nil {
		return false, err
	}
	groups := p.withStarts(p.componentsOf(plan.statements, s.active, nil), s.active)
	p.emit(schedule.Split{Node: plan.name, Groups: groups})
	return true, p.planParts(plan, groups, s)
}

// planParts plans what is inside the parts of a node.
func (p *planner) planParts(plan *nodePlan, groups [][]int, s setting) error {
	for k, group := range groups {
		part := &nodePlan{name: partName(plan.name, k), statements: group}
		if err := p.rest(part, s.within(group)); err != nil {
			return err
		}
		plan.parts = append(plan.parts, part)
	}
	return nil
}
