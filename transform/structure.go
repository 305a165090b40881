package transform

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform/facts"
)

// setting is what stands around a place in the schedule tree.
type setting struct {
	// found are the iterators' coefficients in the rows of the loops outside,
	// by statement, and rows these rows themselves, outermost first.
	found map[int][][]int64
	rows  []space.Rows
	// active are the dependences that those loops do not carry.
	active []*depend.Dependence
	// depth is the number of those loops.
	depth int
}

// within is the setting of some of the statements.
func (s setting) within(group []int) setting {
	s.active = facts.Within(s.active, group)
	return s
}

// append gives the band its place at the end of the node's chain.
func (p *planner) append(plan *nodePlan, band *facts.Band, s setting) (setting, error) {
	found := maps.Clone(s.found)
	active, err := p.appendBand(plan, band, found, s.depth)
	for _, rows := range band.Rows {
		s.rows = append(slices.Clip(s.rows), rows)
	}
	return setting{found, s.rows, active, s.depth + len(band.Rows)}, err
}

// loops plans a loop that all statements of a node share, inside those of the
// setting, such that the nest of them is possible inside it, and everything
// inside. The model's loops are taken where they allow that; otherwise those
// which show that the nest belongs to the space. ok is false when there are
// none.
func (p *planner) loops(plan *nodePlan, inside space.Nest, s setting) (ok bool, err error) {
	if facts.Complete(p.graph, plan.statements, s.found) {
		return p.inner(plan, inside, s)
	}
	plain := *plan
	for _, attempt := range []func(*planner, *nodePlan, space.Nest, setting) (bool, error){(*planner).modelLoops, (*planner).spaceLoop} {
		commands, said, err := p.collect(func() (err error) {
			ok, err = attempt(p, plan, inside, s)
			return err
		})
		if ok && err == nil {
			p.keep(commands, said)
		}
		if ok || err != nil {
			return ok, err
		}
		*plan = plain
	}
	return false, nil
}

// modelLoops are loops for which the model finds hyperplanes: as many as the
// nest has levels at which the node's statements stay together. The model knows
// nothing of the ranges of the loops; ok is false when the statements do not
// meet in the outermost one.
func (p *planner) modelLoops(plan *nodePlan, inside space.Nest, s setting) (ok bool, err error) {
	if p.options.Original {
		return false, nil
	}
	shared := 1
	for shared <= len(inside) && space.Partition(inside[shared-1]).Count() == 1 {
		shared++
	}
	limit := shared
	if shared > len(inside) {
		limit = facts.Unlimited
	}
	for target := s.depth + shared; s.depth < target && !facts.Complete(p.graph, plan.statements, s.found); {
		band, err := p.findBand(plan.statements, s.found, s.active, limit)
		if band == nil || err != nil {
			return false, err
		}
		if s.depth == 0 {
			if meet, err := p.meet(band.Rows[0]); !meet || err != nil {
				return false, err
			}
		}
		if len(inside) == 0 {
			if band, _, err = p.refined(plan, band, s, true); err != nil {
				return false, err
			}
		}
		if s, err = p.append(plan, band, s); err != nil {
			return false, err
		}
		limit -= len(band.Rows)
	}
	return p.inner(plan, inside[shared-1:], s)
}

// spaceLoop is a single loop with the rows that the space of nests gives for
// it.
func (p *planner) spaceLoop(plan *nodePlan, inside space.Nest, s setting) (ok bool, err error) {
	levels, err := p.levels()
	if err != nil {
		return false, err
	}
	rows, err := levels.RowsInside(plan.statements, s.rows, inside)
	if rows == nil || err != nil {
		return false, err
	}
	band := &facts.Band{Active: s.active, Permutable: true}
	if err := addLoop(p.graph, &p.options, band, rows[0], s.found); err != nil {
		return false, err
	}
	if s, err = p.append(plan, band, s); err != nil {
		return false, err
	}
	return p.inner(plan, inside, s)
}

// meet says whether statements share the outermost loop that the rows make: none
// runs through all its iterations before another begins.
func (p *planner) meet(rows map[int]schedule.Row) (bool, error) {
	if len(rows) < 2 {
		return true, nil
	}
	levels, err := p.levels()
	if err != nil {
		return false, err
	}
	return levels.Single().Meet(rows)
}

// levels is the space that rows are asked for, made when it is needed first.
func (p *planner) levels() (*space.Levels, error) {
	if p.space == nil {
		var err error
		if p.space, err = space.NewLevels(p.graph, p.options.Space, 1); err != nil {
			return nil, err
		}
	}
	return p.space, nil
}

// inner plans what is inside the loops of a node: a further loop where the
// nest keeps the statements together, parts where it does not, and what the
// model makes of them where it says nothing more.
func (p *planner) inner(plan *nodePlan, inside space.Nest, s setting) (ok bool, err error) {
	if len(inside) == 0 || len(plan.statements) == 1 {
		return true, p.rest(plan, s)
	}
	partition := inside.Partition()
	if partition.Count() == 1 {
		return p.loops(plan, inside[1:], s)
	}
	if !mayRun(p.graph, plan.statements, partition, s) {
		return false, nil
	}
	var groups [][]int
	for _, class := range partition.Classes() {
		group := make([]int, len(class))
		for i, place := range class {
			group[i] = plan.statements[place]
		}
		groups = append(groups, group)
	}
	p.emit(command.Split{Node: plan.name, Groups: groups})
	for k, class := range partition.Classes() {
		part := &nodePlan{name: partName(plan.name, k), statements: groups[k]}
		if ok, err = p.loops(part, inside.Inside(class), s.within(groups[k])); !ok || err != nil {
			return ok, err
		}
		plan.parts = append(plan.parts, part)
	}
	return true, nil
}

// planRest leaves what is inside a node to the model.
func (p *planner) planRest(plan *nodePlan, s setting) error {
	if p.oneBand && len(plan.bands) > 0 {
		return nil
	}
	found := maps.Clone(s.found)
	if p.options.Original {
		return p.original(plan, found, s.active, s.depth, 0)
	}
	return p.nest(plan, found, s.active, s.depth)
}

// mayRun says whether the statements can run in the order of the partition:
// no dependence leads back to an earlier class, and no class parts statements
// that share an object of a private variable.
func mayRun(g *depend.Graph, statements []int, partition space.Partition, s setting) bool {
	number := map[int]int{}
	for i, statement := range statements {
		number[statement] = partition[i]
	}
	for _, d := range facts.Constraining(s.active) {
		if number[d.Source] > number[d.Target] {
			return false
		}
	}
	for _, private := range facts.Undetermined(g, statements, s.found) {
		if slices.ContainsFunc(private.Statements, func(other int) bool { return number[other] != number[private.Statements[0]] }) {
			return false
		}
	}
	return true
}

// notPossible is the error about a class for which there are no loops.
func (p *planner) notPossible(statements []int, inside space.Nest) error {
	names := make([]string, len(statements))
	for i, s := range statements {
		names[i] = p.graph.Model.Statements[s].Name
	}
	structure := ""
	if len(inside) > 0 {
		structure = " that allows " + inside.Drawing(names) + " inside it"
	}
	blocking, err := p.blocking(statements)
	if err != nil {
		return err
	}
	return unshared(fmt.Sprintf("{%s} cannot share a loop%s%s", strings.Join(names, " "), structure, blocking))
}

// unshared is the error that statements cannot share a loop.
type unshared string

func (e unshared) Error() string { return string(e) }

// blocking names the first of the dependences between the statements with which
// and those before it there is no common row any more; "" when there is none.
func (p *planner) blocking(statements []int) (string, error) {
	active := depend.Distinct(p.graph.Within(statements))
	for k, d := range active {
		rows, gaveUp, err := p.finder().Legal(p.question(statements, nil, active[:k+1]))
		if err != nil || gaveUp {
			return "", err
		}
		if rows == nil {
			source, target := &p.graph.Model.Statements[d.Source], &p.graph.Model.Statements[d.Target]
			return fmt.Sprintf(": the %s dependence of %s on %s through %s allows no common row", d.Kind, target.Name, source.Name,
				source.Statement.Accesses[d.SourceAccess].Array), nil
		}
	}
	return "", nil
}
