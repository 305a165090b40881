package transform

import (
	"slices"

	"polytune/schedule"
	"polytune/scop/depend"
)

// Strips are blocks of rows of a matrix through which statements of both kinds of sweeps
// walk, one after the other while the block is in a cache: first one sums up the rows of a
// strip, say, and then another one adds them up. In loops of their own each would bring the
// matrix from the memory once more, and in one loop over rows neither could work on several
// rows at a time.
//
// stripRows is the number of rows of a strip: four blocks of sweptRows. Measured on an AMD EPYC
// (Zen 3), gcc 12, one thread, atax with a matrix of 1800 x 2200 doubles: 2.7 ms one statement after the other,
// 1.8 with strips of 8 rows, 1.75 with 16, 2.0 with 32, 2.2 with 64, of which a
// quarter no longer fits in the second cache. Several threads wait for each other once or twice a strip,
// and share out its blocks of rows.
const stripRows = 4 * sweptRows

// stripsOf are the rows of a matrix that all of some statements walk through, by statement,
// where there are statements of both kinds and strips of those rows may run one after the
// other; nil where that is not so.
func stripsOf(g *depend.Graph, statements []int) (map[int]schedule.Row, error) {
	rows := map[int]schedule.Row{}
	kinds := map[sweepKind]bool{}
	matrix := ""
	for _, s := range statements {
		w := walkOf(g.Model, s)
		if w.kind == noSweep || matrix != "" && w.matrix != matrix {
			return nil, nil
		}
		matrix, kinds[w.kind] = w.matrix, true
		row := schedule.Row{Iterators: make([]int64, 2), Parameters: make([]int64, len(g.Model.Program.Parameters))}
		row.Iterators[w.rows] = 1
		rows[s] = row
	}
	if len(kinds) < 2 || len(g.Model.Program.Privates()) > 0 {
		return nil, nil
	}
	for _, d := range g.Within(statements) {
		cone, err := d.Cone()
		if err != nil || !cone.Contains(d.Distance(rows[d.Source], rows[d.Target], 1, 0)) {
			return nil, err
		}
	}
	return rows, nil
}

// stripMined plans a class of statements that walk through one matrix: a loop over strips of
// its rows, and parts with loops of their own inside. It says whether the class is one.
func (p *planner) stripMined(plan *nodePlan, s setting) (bool, error) {
	o := p.options
	if o.Registers.Off || o.NoVector || o.Vector.Bits == 0 || o.Original || o.Tile.None || len(o.Tile.Sizes) > 0 {
		return false, nil
	}
	rows, err := stripsOf(p.graph, plan.statements)
	if rows == nil || err != nil {
		return false, err
	}
	groups := p.componentsOf(plan.statements, s.active, nil)
	if slices.ContainsFunc(groups, func(group []int) bool { return len(group) > 1 }) {
		return false, nil
	}
	plan.strips = &schedule.Blocks{Node: plan.name, Rows: rows, Size: max(2, int64(stripRows*orOne(o.Tile.Scale)))}
	p.emit(*plan.strips)
	p.emit(schedule.Split{Node: plan.name, Groups: groups})
	s.depth++
	for k, group := range groups {
		part := &nodePlan{name: partName(plan.name, k), statements: group}
		if err := p.rest(part, s.within(group)); err != nil {
			return true, err
		}
		plan.parts = append(plan.parts, part)
	}
	return true, nil
}

// emitTeam starts the threads of the parallel loops among the last commands of the recipe once for
// all strips, if a strip has work for several: of the accesses those to the matrix count, which no
// register or first cache has.
func (p *planner) emitTeam(strips *schedule.Blocks, commands []schedule.Command) {
	lanes, shared := int64(1), ""
	for _, c := range commands {
		switch c := c.(type) {
		case schedule.Registers:
			lanes = c.Sizes[len(c.Sizes)-1]
		case schedule.Parallel:
			shared = c.Loop
		case schedule.Region:
			p.emit(schedule.Threads{Loop: shared, From: max(1, minimumAccesses/(int64(len(strips.Rows))*strips.Size*lanes))})
		}
	}
	if shared != "" {
		p.emit(schedule.Team{Loop: strips.Loop(1)})
	}
}
