package transform

import (
	"maps"
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// A sum whose order is kept waits in each iteration for the addition before, four cycles on most
// processors, in which they could do much else. Where a loop around it ends with a statement that
// writes the elements which its next iteration adds up, as a step of Levinson's recursion does,
// that statement may as well run one iteration later, in the loop of the sum: it hardly takes time
// there, and the elements are passed over once. durbin with 2000 elements, whose statement is a
// copy, takes 0.90 of the time (Intel Xeon at 2.5 GHz, gcc 12, medians of 300 calls in turns), not
// much more than its additions alone.

// delay is such a pair of statements.
type delay struct {
	// late is the statement that runs one iteration later, sum the one that adds up what it writes.
	late, sum int
	// rows are those of the loop that they share.
	rows map[int]schedule.Row
}

// later looks for a pair of statements inside a loop that carries dependences, and has the one run
// an iteration later.
func (v View) later() (*Plan, Reason, error) {
	band := v.shared
	switch {
	case !v.options.Uses(delayAxis) || v.options.Original:
		return nil, "other loops are asked for", nil
	case len(band.Rows) != 1 || band.Coincident[0] || len(v.node.statements) == 1:
		return nil, "it is not one loop of several statements that carries dependences", nil
	}
	inside := maps.Clone(v.start.found)
	facts.AppendRows(inside, band.Rows[0])
	active, err := facts.Unsatisfied(v.graph, band.Active, band.Rows)
	if err != nil {
		return nil, "", err
	}
	for _, sum := range v.node.statements {
		if !isOrderedSum(v.graph, sum, inside, active) {
			continue
		}
		for _, late := range v.node.statements {
			if late == sum || !mayBeBeside(v.graph, late, inside, active) {
				continue
			}
			d := &delay{late, sum, map[int]schedule.Row{late: lastRow(v.graph, late, inside), sum: lastRow(v.graph, sum, inside)}}
			rows := maps.Clone(band.Rows[0])
			row := rows[late]
			row.Constant++
			rows[late] = row
			if pays, err := paysToDelay(v.graph, d, v.node.statements, rows, band.Active, inside); err != nil {
				return nil, "", err
			} else if pays {
				shifted := *band
				shifted.Rows, v.node.delay = []map[int]schedule.Row{rows}, d
				return &Plan{Band: &shifted}, "", nil
			}
		}
	}
	return nil, "no sum in order adds up what a statement writes that could run in its loop", nil
}

// isOrderedSum says whether a statement adds to a variable in all iterations of the single loop
// that it has left, in their order. An element of an array is loaded again behind each store of the
// other statement, for all that a compiler knows of the arrays.
func isOrderedSum(g *depend.Graph, s int, inside map[int][][]int64, active []*depend.Dependence) bool {
	model := &g.Model.Statements[s]
	assignment := g.Model.Program.Assignment(model.Statement)
	if most, _ := facts.LoopsLeft(g, []int{s}, inside); most != 1 || assignment == nil || !slices.Contains([]string{"+=", "-="}, assignment.Operator) {
		return false
	}
	subscripts, err := scop.Subscripts(model.Accesses[0])
	return err == nil && len(subscripts) == 0 && len(facts.Constraining(facts.Within(active, []int{s}))) > 0
}

// mayBeBeside says whether a statement has one loop left, whose iterations have nothing to do with
// each other, and little to do in each.
func mayBeBeside(g *depend.Graph, s int, inside map[int][][]int64, active []*depend.Dependence) bool {
	model := &g.Model.Statements[s]
	assignment := g.Model.Program.Assignment(model.Statement)
	if most, _ := facts.LoopsLeft(g, []int{s}, inside); most != 1 || assignment == nil || facts.UsePrivates(g, []int{s}) {
		return false
	}
	divides := scop.Has(assignment.Sum, func(e scop.Expr) bool {
		quotient, ok := e.(*scop.Binary)
		return ok && quotient.Operator == "/"
	})
	return len(assignment.Operands) <= facts.MostBesideSum && assignment.Operator != "/=" && !divides && len(facts.Within(active, []int{s})) == 0
}

// lastRow is the row of the innermost iterator that the loops around do not determine, of a
// statement with one loop left.
func lastRow(g *depend.Graph, s int, inside map[int][][]int64) schedule.Row {
	depth := g.Model.Statements[s].Depth()
	for loop := depth - 1; ; loop-- {
		row := facts.IteratorRows(g, []int{s}, loop)[s]
		if scop.Rank(append(slices.Clip(inside[s]), row.Iterators), depth) == depth {
			return row
		}
	}
}

// paysToDelay says whether a statement can run in the loop of a sum with these rows of the loop
// outside, right after it has written what the sum adds.
func paysToDelay(g *depend.Graph, d *delay, statements []int, rows map[int]schedule.Row, active []*depend.Dependence, inside map[int][][]int64) (bool, error) {
	if legal, err := facts.Forward(facts.Constraining(active), rows); !legal || err != nil {
		return false, err
	}
	active, err := facts.Unsatisfied(g, active, []map[int]schedule.Row{rows})
	if err != nil {
		return false, err
	}
	groups := facts.ComponentsOf(g, statements, active, append(facts.Undetermined(g, statements, inside), d.together()))
	if !slices.ContainsFunc(groups, d.is) {
		return false, nil
	}
	active = facts.Within(active, []int{d.late, d.sum})
	if legal, err := facts.Forward(facts.Constraining(active), d.rows); !legal || err != nil {
		return false, err
	}
	if active, err = facts.Unsatisfied(g, active, []map[int]schedule.Row{d.rows}); err != nil {
		return false, err
	}
	return feeds(g, d, active, inside)
}

// together has both statements in one part, as those of a private variable are.
func (d *delay) together() scop.Private { return scop.Private{Statements: []int{d.late, d.sum}} }

// is says whether the pair, if there is one, are these statements.
func (d *delay) is(statements []int) bool {
	return d != nil && len(statements) == 2 && slices.Contains(statements, d.late) && slices.Contains(statements, d.sum)
}

// feeds says whether the dependences inside one iteration of the loop lead from the late statement
// to the sum, which adds up what the other one writes, all but few elements, in all iterations in
// which both run.
func feeds(g *depend.Graph, d *delay, active []*depend.Dependence, inside map[int][][]int64) (bool, error) {
	domain := g.Model.Statements[d.sum].Domain
	unfed := domain
	for _, a := range active {
		switch {
		case a.Source == d.sum && a.Target == d.late:
			return false, nil
		case a.Source == d.late && a.Target == d.sum && a.Kind == depend.RAW:
			unfed = unfed.Subtract(a.Relation.Range())
		}
	}
	if none, err := unfed.IsEqual(domain); none || err != nil {
		return false, err
	}
	outer, time := facts.Outside(g, inside[d.sum], d.sum), g.Time(d.sum, d.rows[d.sum])
	outer = outer.IntersectDomain(unfed.Intersect(domain.Subtract(unfed).Apply(outer.ApplyRange(outer.Reverse()))))
	distance, bounded, err := time.Reverse().ApplyRange(outer).ApplyRange(outer.Reverse()).ApplyRange(time).Deltas().Greatest()
	return bounded && distance < facts.MostUnfed, err
}

// nestDelayed plans the part of such a pair: their loop, in which the sum comes last.
func (p *planner) nestDelayed(part *nodePlan, d *delay, found map[int][][]int64, active []*depend.Dependence, depth int) error {
	band := &facts.Band{Active: active, Permutable: true}
	if err := addLoop(p.graph, &p.options, band, d.rows, found); err != nil {
		return err
	}
	if _, err := p.appendBand(part, band, found, depth); err != nil {
		return err
	}
	groups := [][]int{{d.late}, {d.sum}}
	p.emit(command.Split{Node: part.name, Groups: groups})
	for k, group := range groups {
		part.parts = append(part.parts, &nodePlan{name: partName(part.name, k), statements: group})
	}
	return nil
}
