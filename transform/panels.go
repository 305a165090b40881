package transform

import (
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// Steps of an orthogonalization make one column each, and bring the later ones up to date with it:
// the updates need sums over all rows of a column before they change any of its elements, so that
// they have only the loop over steps in common, and each step walks through the whole matrix.
// Several columns make a panel: first its own steps run, each with its updates of the panel's
// columns, and then the updates of all other columns by the whole panel, a block of columns after
// the other, which stays in a cache for all steps of the panel (the blocked right-looking form;
// Golub and Van Loan, Matrix Computations, sections 3.2.11 and 5.2.8).

// panels are the steps and columns of the statements of a class.
type panels struct {
	// steps and columns are rows by statement: which column makes an instance, or for updates,
	// changes it.
	steps, columns map[int]schedule.Row
	// updates are the statements that bring later columns up to date, single those that do
	// something about one element of such a column, as the factors of a reflection need.
	updates, single []int
	// size is the number of columns of a panel, elements that of a vector.
	size, elements int64
	command        command.Phases
	tiles          command.Blocks
}

// The phases of panels.
const (
	ofPanel = iota
	ofOthers
)

// panelsOf are the panels of some statements; nil where they have none. Updates are the deepest
// statements, several that take turns. What else there is belongs to the column of its step, no
// dependence goes back to an earlier column, and updates of different columns have nothing to do
// with each other.
func (p *planner) panelsOf(statements []int) (*panels, error) {
	depth := facts.Deepest(p.graph, statements)
	f := &panels{steps: facts.IteratorRows(p.graph, statements, 0), columns: map[int]schedule.Row{}}
	if depth != facts.BlockLoops || f.steps == nil {
		return nil, nil
	}
	for _, s := range statements {
		f.columns[s] = f.steps[s]
		lane, err := facts.LaneOf(p.graph, s)
		if err != nil {
			return nil, err
		}
		isUpdate := p.graph.Model.Statements[s].Depth() == depth
		switch {
		case lane <= 0 && isUpdate:
			return nil, nil
		case lane <= 0:
			continue
		case isUpdate:
			f.updates = append(f.updates, s)
		default:
			f.single = append(f.single, s)
		}
		f.columns[s] = facts.IteratorRows(p.graph, []int{s}, lane)[s]
	}
	if len(f.updates) < 2 || len(f.later()) == len(statements) || facts.UsePrivates(p.graph, f.later()) {
		return nil, nil
	}
	for _, holds := range []func(*planner, []int, *panels) (bool, error){(*planner).goForwards, (*planner).areColumnsApart, (*planner).areBehind} {
		if ok, err := holds(p, statements, f); !ok || err != nil {
			return nil, err
		}
	}
	var all []facts.Movement
	for _, s := range f.updates {
		all = append(all, facts.Movement{Statement: s})
	}
	bytes := facts.ElementSize(p.graph, all)
	if bytes == 0 {
		return nil, nil
	}
	f.elements = p.options.Vector.lanesOf(bytes)
	f.size = multipleOf(f.elements, facts.PanelBytes/float64(bytes)*orOne(p.options.Tile.Scale))
	return f, nil
}

// later are the statements about columns behind the step's.
func (f *panels) later() []int { return slices.Concat(f.updates, f.single) }

// goForwards says whether no dependence goes backwards along the steps or the columns.
func (p *planner) goForwards(statements []int, f *panels) (bool, error) {
	for _, rows := range []map[int]schedule.Row{f.steps, f.columns} {
		if ok, err := facts.Forward(p.graph.Within(statements), rows); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// areColumnsApart says whether updates of different columns do not depend on each other, but where
// the one is of the column that makes the other one's step: blocks of other columns have no such
// step.
func (p *planner) areColumnsApart(_ []int, f *panels) (bool, error) {
	for _, d := range p.graph.Within(f.later()) {
		source, target := p.graph.Time(d.Source, f.columns[d.Source]), p.graph.Time(d.Target, f.columns[d.Target])
		distance, bounded, err := source.Reverse().ApplyRange(notByStep(p.graph, d, f)).ApplyRange(target).Deltas().Greatest()
		if !bounded || distance > 0 || err != nil {
			return false, err
		}
	}
	return true, nil
}

// notByStep are the pairs of a dependence but for those whose first instance is of the column that
// makes the second one's step.
func notByStep(g *depend.Graph, d *depend.Dependence, f *panels) *isl.Map {
	column, step := g.Time(d.Source, f.columns[d.Source]), g.Time(d.Target, f.steps[d.Target])
	return d.Relation.Subtract(column.ApplyRange(step.Reverse()))
}

// areBehind says whether all updates are those of columns behind the step's.
func (p *planner) areBehind(_ []int, f *panels) (bool, error) {
	model := p.graph.Model
	for _, s := range f.later() {
		iterators := model.Program.IteratorNames(s)
		text := func(row schedule.Row) string { return row.Text(iterators, model.Program.Parameters) }
		before := model.Context.ReadSet(fmt.Sprintf("%s{ %s : %s < %s }", model.Program.ParametersText(), model.Program.InstanceText(s), text(f.columns[s]), text(f.steps[s])))
		if none, err := before.Intersect(model.Statements[s].Domain).IsEmpty(); !none || err != nil {
			return false, err
		}
	}
	return true, nil
}

// panels plans a class whose steps make panels.
func (v View) panels() (*Plan, Reason, error) {
	p, plan, s := v.planner, v.node, v.start
	o := p.options
	if !o.Uses(phasesAxis) || !o.Uses(packAxis) || !o.Uses(parallelAxis) || !o.hasModelBlocks() || o.Original || o.SecondLevel || len(p.graph.Relaxed) > 0 {
		return nil, "other loops, blocks or tiles are asked for, or the target has no vectors", nil
	}
	f, err := p.panelsOf(plan.statements)
	if f == nil || err != nil {
		return nil, "its statements are no steps that make one column each and bring the later ones up to date", err
	}
	f.tiles = command.Blocks{Node: plan.name, Permutable: true, Rows: []map[int]schedule.Row{f.steps, f.columns}, Sizes: []int64{f.size, f.size}}
	f.command = command.Phases{Loop: f.tiles.Loop(1)}
	p.emit(f.tiles)
	s.depth += len(f.tiles.Rows)
	if err := p.rest(plan, s); err != nil {
		return nil, "", err
	}
	if fits, err := p.fitsPanels(plan, f); !fits || err != nil {
		return nil, "its statements have other loops in common than that over steps, or updates no operand of a panel", err
	}
	plan.whole = f.decide
	return &Plan{}, "", nil
}

// fitsPanels says whether statements have the loop over steps in common and nothing else: each
// update has two loops of its own, one of which is that over columns and carries nothing. Each uses
// elements again, of the panel in all other columns, and those of the columns in all steps.
func (p *planner) fitsPanels(plan *nodePlan, f *panels) (bool, error) {
	if len(plan.bands) != 1 || len(plan.bands[0].Rows) != 1 || slices.ContainsFunc(plan.parts, func(part *nodePlan) bool { return part.whole != nil }) {
		return false, nil
	}
	for _, s := range plan.statements {
		if !facts.IsSameRow(p.graph, s, plan.bands[0].Rows[0][s], f.steps[s]) {
			return false, nil
		}
	}
	if slices.ContainsFunc(f.single, func(s int) bool { return plan.partOf(s) == nil }) {
		return false, nil
	}
	for _, s := range f.updates {
		part := plan.partOf(s)
		if part == nil {
			return false, nil
		}
		u, err := panelUpdateOf(p.graph, part, f)
		if u == nil || err != nil || !slices.Contains(u.kinds, panelOperand) || !slices.Contains(u.kinds, columnsAlone) {
			return false, err
		}
		if several, err := p.hasSeveralPanels(part.bands[0], u, f); !several || err != nil {
			return false, err
		}
	}
	return true, nil
}

// hasSeveralPanels says whether there are several in the run that is meant. Nobody knows of runs
// that are not told.
func (p *planner) hasSeveralPanels(band *facts.Band, u *panelUpdate, f *panels) (bool, error) {
	lengths, err := p.lengthsOfRun(band)
	if err != nil {
		return false, err
	}
	columns := lengths[u.columns]
	return columns == facts.Unlimited || columns >= facts.LeastPanels*f.size, nil
}

// partOf is the part that is a statement alone, nil for none.
func (n *nodePlan) partOf(s int) *nodePlan {
	k := slices.IndexFunc(n.parts, func(part *nodePlan) bool { return slices.Equal(part.statements, []int{s}) })
	if k < 0 {
		return nil
	}
	return n.parts[k]
}

// panelUpdate is an update in loops of its own.
type panelUpdate struct {
	// columns is the place of the loop over columns in the band.
	columns int
	// kinds are those of the accesses.
	kinds []panelAccess
	// sums says that the update's result is the same element along the other loop.
	sums bool
}

// panelAccess tells what an access of an update moves along.
type panelAccess int

const (
	otherAccess panelAccess = iota
	// panelOperand moves along the steps, and not along the columns, columnsAlone the other way
	// round.
	panelOperand
	columnsAlone
)

// panelUpdateOf looks at a part that is one update; nil where its loops or accesses are others than
// vectors along the columns need.
func panelUpdateOf(g *depend.Graph, part *nodePlan, f *panels) (*panelUpdate, error) {
	s := part.statements[0]
	if len(part.parts) > 0 || len(part.bands) != 1 || len(part.bands[0].Rows) != facts.BlockLoops-1 || !part.bands[0].Permutable {
		return nil, nil
	}
	band := part.bands[0]
	u := &panelUpdate{columns: slices.IndexFunc(band.Rows, func(rows map[int]schedule.Row) bool { return facts.IsSameRow(g, s, rows[s], f.columns[s]) })}
	if u.columns < 0 || !band.Coincident[u.columns] || len(band.Reductions[u.columns]) > 0 {
		return nil, nil
	}
	moves, err := facts.MovementIn(g, &facts.Band{Rows: append([]map[int]schedule.Row{f.steps}, band.Rows...)}, s)
	if err != nil || len(moves.Loops) != facts.BlockLoops {
		return nil, err
	}
	for a, steps := range moves.Steps {
		alongSteps, alongColumns := steps[0].Distance(), steps[1+u.columns].Distance()
		if alongColumns > 1 || a == 0 && alongColumns != 1 {
			return nil, nil
		}
		switch {
		case alongSteps != 0 && alongColumns == 0:
			u.kinds = append(u.kinds, panelOperand)
		case alongSteps == 0 && alongColumns != 0:
			u.kinds = append(u.kinds, columnsAlone)
		default:
			u.kinds = append(u.kinds, otherAccess)
		}
	}
	u.sums = moves.Steps[0][1+1-u.columns].Distance() == 0
	return u, nil
}

// decide emits the commands of a class with panels: threads share out the blocks of other
// columns, and have one copy of the panel.
func (f *panels) decide(p *planner, plan *nodePlan, _ bool) error {
	p.emit(f.command)
	blocks := f.command.In(ofOthers, f.tiles.Loop(2))
	if err := p.emitPhaseParallel(blocks, false, plan.statements, nil); err != nil {
		return err
	}
	pair, err := panelPairOf(p.graph, &p.options, plan, f)
	if err != nil {
		return err
	}
	for _, part := range plan.parts {
		if slices.Contains(f.updates, part.statements[0]) {
			err = p.emitPanelUpdate(part, f, blocks, pair != nil)
		} else {
			err = p.decide(part.in(f.command, ofPanel), true)
		}
		if slices.Contains(f.single, part.statements[0]) && err == nil {
			err = p.decide(part.in(f.command, ofOthers), true)
		}
		if err != nil {
			return err
		}
	}
	if pair != nil {
		if err := p.emitPanelPair(plan, pair, f); err != nil {
			return err
		}
	}
	return p.emitPanelCopies(plan, f)
}

// in is a node with the names that its loops have in a phase.
func (n *nodePlan) in(phases command.Phases, number int) *nodePlan {
	own := *n
	own.name = phases.In(number, n.name)
	own.bands, own.parts = nil, nil
	for _, band := range n.bands {
		b := *band
		b.Loops = nil
		for _, loop := range band.Loops {
			b.Loops = append(b.Loops, phases.In(number, loop))
		}
		own.bands = append(own.bands, &b)
	}
	for _, part := range n.parts {
		own.parts = append(own.parts, part.in(phases, number))
	}
	return &own
}

// emitPanelUpdate emits the commands of an update: in blocks of other columns, unless it is one of
// a pair there, with a row in registers, and in the panel, where rows begin behind the step, with
// sums in vectors of one register.
func (p *planner) emitPanelUpdate(part *nodePlan, f *panels, blocks string, isPaired bool) error {
	u, err := panelUpdateOf(p.graph, part, f)
	if err != nil {
		return err
	}
	columns := part.bands[0].Loops[u.columns]
	if inPanel := f.command.In(ofPanel, columns); u.sums {
		p.emit(command.Registers{Loops: []string{inPanel}, Sizes: []int64{f.elements}, Lanes: f.elements})
	} else {
		if u.columns == 0 {
			p.emit(command.Sink{Loop: inPanel})
		}
		p.emitVector(inPanel, nil, part.statements)
	}
	if isPaired {
		return nil
	}
	p.emit(command.Registers{Loops: []string{f.command.In(ofOthers, columns)}, Sizes: []int64{f.size}, Lanes: f.elements})
	s := part.statements[0]
	for a, kind := range u.kinds {
		if free, err := isOfPanel(p.graph, f, s, a); kind == panelOperand && free && err == nil {
			p.emit(command.Pack{Statement: s, Reference: a, Loop: blocks, Around: true})
		} else if err != nil {
			return err
		}
	}
	return nil
}

// isOfPanel says whether no update of columns behind the panel writes what an access reads there.
func isOfPanel(g *depend.Graph, f *panels, s, access int) (bool, error) {
	behind := func(s int) *isl.Set {
		at := schedule.InOneTile(g.Model, s, f.columns[s], f.steps[s], f.size)
		return g.Model.Statements[s].Domain.Subtract(at)
	}
	for _, d := range g.Within(f.updates) {
		if d.Kind != depend.RAW || d.Target != s || d.TargetAccess != access {
			continue
		}
		if none, err := notByStep(g, d, f).IntersectDomain(behind(d.Source)).Reverse().IntersectDomain(behind(s)).IsEmpty(); !none || err != nil {
			return false, err
		}
	}
	return true, nil
}
