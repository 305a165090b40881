package transform

import (
	"fmt"
	"slices"

	"polytune/schedule"
	"polytune/space"
)

// Loops that statements share may cost their vector code: the step of a game of life and the copy after it share rows in tiles over the
// steps, but a count of the living in the same nest must see the points one by one. Then the loops of the source, of which some are
// permutable and tiled as any, are often worth more, as most programs are written for compilers that make vector code of their innermost loops:
// 24 steps on 1024 x 1024 bytes take 83 ms so on two threads of an AMD EPYC with AVX-512, and 8 as they are written.

// planClass emits the commands of one class. Where the model's loops leave statements with the most work without vectors that have
// them in the order of the source, that order is kept.
func (p *planner) planClass(plan *nodePlan, inside space.Nest) error {
	before := len(p.recipe)
	if err := p.modelClass(plan, inside); err != nil || !p.maySource(plan.statements, inside) {
		return err
	}
	working, err := p.mostWork(plan.statements)
	if err != nil {
		return err
	}
	model, err := p.besideSince(before, working)
	if err != nil || model >= len(working) {
		return err
	}
	commands := slices.Clone(p.recipe[before:])
	p.recipe = p.recipe[:before]
	if err := p.sourceClass(&nodePlan{name: plan.name, statements: plan.statements}); err != nil {
		return err
	}
	if source, err := p.besideSince(before, working); source > model || err != nil {
		return err
	}
	p.recipe = append(p.recipe[:before], commands...)
	return nil
}

// modelClass emits the commands of a class with the model's loops.
func (p *planner) modelClass(plan *nodePlan, inside space.Nest) error {
	if p.options.Fusion == FuseSource && len(inside) == 0 {
		return p.sourceClass(plan)
	}
	if err := p.class(plan, inside); err != nil {
		return err
	}
	return p.decide(plan, p.options.NoParallel)
}

// sourceClass emits the commands of a class with the loops of the source.
func (p *planner) sourceClass(plan *nodePlan) error {
	s := setting{found: map[int][][]int64{}, active: p.dependencesOf(plan.statements)}
	if err := p.inSource(plan, s, 0); err != nil {
		return err
	}
	return p.decide(plan, p.options.NoParallel)
}

// maySource says whether it is left to the models whether a class keeps the order of the source.
func (p *planner) maySource(statements []int, inside space.Nest) bool {
	return len(inside) == 0 && p.options.Fusion == FuseSmart && !p.options.Original && !p.options.NoVector && p.options.Vector.Bits > 0
}

// inSource completes a node in the order of the source, from its loop of that level on: bands of as many loops as
// are permutable, and parts where the source has several loops or statements behind each other.
func (p *planner) inSource(plan *nodePlan, s setting, level int) error {
	statements := p.graph.Model.Program.Statements
	if groups := byPosition(statements, plan.statements, level); len(groups) > 1 {
		p.emit(schedule.Split{Node: plan.name, Groups: groups})
		for k, group := range groups {
			part := &nodePlan{name: partName(plan.name, k), statements: group}
			plan.parts = append(plan.parts, part)
			if err := p.inSource(part, s.within(group), level); err != nil {
				return err
			}
		}
		return nil
	}
	depth := statements[plan.statements[0]].Depth()
	if level == depth {
		return nil
	}
	band := &bandPlan{active: s.active, permutable: true}
	for level < depth && len(byPosition(statements, plan.statements, level)) == 1 {
		rows := p.sourceLoop(plan.statements, level)
		permutable, err := forward(constraining(s.active), rows)
		if err != nil {
			return err
		}
		if len(band.rows) > 0 && !permutable {
			break
		}
		if err := p.addLoop(band, rows, s.found); err != nil {
			return err
		}
		level++
	}
	after, err := p.append(plan, band, s)
	if err != nil {
		return err
	}
	return p.inSource(plan, after, level)
}

// besideSince is how many of the statements the commands from that place on run beside each other, as Beside counts.
func (p *planner) besideSince(place int, statements []int) (count int, err error) {
	recipe := append(slices.Clone(p.recipe[:p.beginning]), p.recipe[place:]...)
	tree, err := recipe.Replay(p.graph.Model.Program)
	if err != nil {
		return 0, fmt.Errorf("the commands of a class: %w", err)
	}
	eachBeside(tree, func(s, value int) {
		if slices.Contains(statements, s) {
			count += value
		}
	})
	return count, nil
}

// mostWork are those of the statements inside the most loops that are not tiny, but for those that can have no vectors, as Beside
// leaves them out.
func (p *planner) mostWork(statements []int) ([]int, error) {
	var most []int
	deepest := 1
	for _, s := range statements {
		loops := 0
		for level := range p.graph.Model.Statements[s].Depth() {
			row := map[int]schedule.Row{s: iteratorRows(p.graph, []int{s}, level)[s]}
			lengths, err := p.lengths(&bandPlan{rows: []map[int]schedule.Row{row}, outer: map[int][][]int64{}})
			if err != nil {
				return nil, err
			}
			if lengths[0] > mostTiny {
				loops++
			}
		}
		if loops > deepest {
			deepest, most = loops, nil
		}
		if loops == deepest && mayRunBeside(p.graph.Model.Program, s) {
			most = append(most, s)
		}
	}
	return most, nil
}
