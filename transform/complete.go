package transform

import (
	"fmt"
	"maps"
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/transform/facts"
	"polytune/transform/hyperplane"
)

// Complete are commands behind those of a recipe, by which the models finish what it leaves open,
// for each class apart: tiles, threads, lanes and register blocks of loops of which no command says
// how they run. They change nothing that the recipe says. The result is to be proven, as everything
// is.
func Complete(g *depend.Graph, recipe schedule.Recipe, options Options) (made []schedule.Recipe, err error) {
	err = g.Model.Context.Sound(func() error {
		said, tree, err := saidBy(recipe, g.Model.Program)
		if err != nil {
			return err
		}
		for _, n := range tree.Classes {
			own, err := completeClass(g, recipe, options, said, n.Name)
			if err != nil {
				return err
			}
			made = append(made, own)
		}
		return nil
	})
	return made, err
}

// completeClass are the commands for one class: those of the models, or threads alone where these
// would change what is said.
func completeClass(g *depend.Graph, recipe schedule.Recipe, options Options, said *said, class string) (schedule.Recipe, error) {
	for _, threadsAlone := range []bool{false, true} {
		tree, err := recipe.Replay(g.Model.Program)
		if err != nil {
			return nil, err
		}
		n, err := tree.Node(class)
		if err != nil {
			return nil, err
		}
		c := &completion{planner: newPlanner(g, options), tree: tree, said: said, threadsAlone: threadsAlone}
		if options.Device != nil {
			err := c.onDevice(n)
			return c.recipe, err
		}
		start := setting{found: map[int][][]int64{}, active: facts.DependencesOf(c.graph, n.Statements)}
		if err := c.node(n, start, !options.Uses(parallelAxis)); err != nil {
			return nil, err
		}
		after, err := slices.Concat(recipe, c.recipe).Replay(g.Model.Program)
		if err == nil && said.holdsIn(after, tree) {
			return c.recipe, nil
		}
	}
	return nil, nil
}

// completion finishes a class of a tree.
type completion struct {
	*planner
	tree *schedule.Tree
	said *said
	// threadsAlone leaves loops as they are, and has threads share some.
	threadsAlone bool
}

// node finishes a node inside the loops of a setting. parallel says that no more threads are needed.
func (c *completion) node(n *schedule.Node, s setting, parallel bool) error {
	if !c.said.isOf(n) && !c.threadsAlone {
		plan, err := c.planOf(n, s)
		if err != nil {
			return err
		}
		return c.decide(plan, parallel)
	}
	commands := len(c.recipe)
	parallel = parallel || hasThreads(n)
	inside, parallel, err := c.runs(n, s, parallel)
	if err != nil {
		return err
	}
	for _, part := range n.Parts {
		if err := c.node(part, inside.within(part.Statements), parallel); err != nil {
			return err
		}
	}
	if parallel || len(c.recipe) > commands {
		return nil
	}
	_, err = c.outermostFree(n.Loops)
	return err
}

// runs finishes the loops of a node of which something is said, or of whose parts, run by run, and
// says what is around the parts, and whether they need no threads.
func (c *completion) runs(n *schedule.Node, s setting, parallel bool) (inside setting, _ bool, err error) {
	inside = s
	for _, run := range c.said.runsOf(n) {
		if !run.isOpen && !parallel {
			if parallel, err = c.outermostFree(run.loops); err != nil {
				return s, parallel, err
			}
		}
		plan := &nodePlan{name: n.Name, statements: n.Statements}
		around := inside
		if inside, err = c.bandsOf(run.loops, around, plan); err != nil {
			return s, parallel, err
		}
		if run.isOpen && !c.threadsAlone {
			if parallel, err = c.run(n, run, plan, inside, parallel); err != nil {
				return s, parallel, err
			}
		}
	}
	return inside, parallel, nil
}

// run finishes a run of loops of which nothing is said but where they are, or that they have tiles,
// and says whether no threads are needed inside.
func (c *completion) run(n *schedule.Node, run openRun, plan *nodePlan, inside setting, parallel bool) (bool, error) {
	defer func(all Options) { c.options = all }(c.options)
	c.options = c.options.WithOff(phasesAxis)
	c.options.Diamond = DiamondOff
	if run.inOrder || run.isInside {
		c.options.Registers, c.options.Interleave = RegisterShape{Off: true}, 1
	}
	isInnermost := run.isLast && !n.PartsHaveLoops()
	if isInnermost {
		if err := c.addParts(n, inside, plan); err != nil {
			return parallel, err
		}
	}
	for k, band := range plan.bands {
		last := k == len(plan.bands)-1
		band.InOrder = run.inOrder
		place := placing{innermost: isInnermost && last, last: run.isLast && last, parallel: parallel, parts: plan.parts}
		if run.isTiled {
			if err := c.lanesInTiles(n, band, place); err != nil {
				return parallel, err
			}
			continue
		}
		done, err := c.decideBand(band, place)
		if err != nil {
			return parallel, err
		}
		parallel = parallel || done
	}
	return parallel, nil
}

// lanesInTiles runs a loop over the points of tiles in lanes, in the innermost place.
func (c *completion) lanesInTiles(n *schedule.Node, band *facts.Band, place placing) error {
	if !place.innermost {
		return nil
	}
	place.tiled = true
	d, err := c.newDecision(band, place)
	if err != nil {
		return err
	}
	for k, name := range band.Loops {
		for _, l := range n.Loops {
			if l.Name == name+"t" && len(l.Terms) == 1 {
				d.lengths[k] = min(d.lengths[k], l.Terms[0].Size)
			}
		}
	}
	inner, err := c.innermostLoop(band, d.moves, d.lengths, place)
	if err == nil {
		c.sink(band, inner, place.parts)
	}
	return err
}

// hasThreads says whether threads share a loop of the node or of its parts.
func hasThreads(n *schedule.Node) bool {
	return slices.ContainsFunc(n.Loops, func(l *schedule.Loop) bool { return l.IsParallel() || l.StartsThreads() }) ||
		slices.ContainsFunc(n.Parts, hasThreads)
}

// outermostFree has threads share the outermost of some loops that carries nothing, and says whether
// there is one.
func (c *completion) outermostFree(loops []*schedule.Loop) (bool, error) {
	for _, l := range loops {
		free, err := c.isFree(l)
		if err != nil {
			return false, err
		}
		if free {
			c.emit(command.Parallel{Loop: l.Name})
			return true, nil
		}
	}
	return false, nil
}

// isFree says whether a loop is proven to carry no dependence.
func (c *completion) isFree(l *schedule.Loop) (bool, error) {
	try := command.Parallel{Loop: l.Name}
	before := *l
	defer func() { *l = before }()
	if err := try.Apply(c.tree); err != nil {
		return false, nil
	}
	err := c.graph.Check(c.tree.Schedule(c.graph.Model))
	if err != nil && !depend.IsIllegal(err) {
		return false, c.graph.Model.Context.Err()
	}
	return err == nil, nil
}

// planOf is a node with its loops as they are, as the models know it.
func (c *completion) planOf(n *schedule.Node, s setting) (*nodePlan, error) {
	plan := &nodePlan{name: n.Name, statements: n.Statements}
	inside, err := c.bandsOf(n.Loops, s, plan)
	if err != nil {
		return nil, err
	}
	return plan, c.addParts(n, inside, plan)
}

// addParts adds the parts of a node to its plan.
func (c *completion) addParts(n *schedule.Node, inside setting, plan *nodePlan) error {
	for _, part := range n.Parts {
		p, err := c.planOf(part, inside.within(part.Statements))
		if err != nil {
			return err
		}
		plan.parts = append(plan.parts, p)
	}
	return nil
}

// bandsOf adds loops of a node to its plan, in bands as long as they may be interchanged, and says
// what is inside of them.
func (c *completion) bandsOf(loops []*schedule.Loop, s setting, plan *nodePlan) (setting, error) {
	s.found = maps.Clone(s.found)
	var band *facts.Band
	for _, l := range loops {
		if len(l.Terms) != 1 || l.Level > 0 {
			continue
		}
		rows := l.Terms[0].Rows
		joins, err := c.joins(band, rows)
		if err != nil {
			return s, err
		}
		if !joins {
			if band != nil {
				if s.active, err = facts.Unsatisfied(c.graph, band.Active, band.Rows); err != nil {
					return s, err
				}
			}
			band = &facts.Band{Active: s.active, Outer: maps.Clone(s.found), Permutable: true}
			plan.bands = append(plan.bands, band)
		}
		if err := addLoop(c.graph, &c.options, band, rows, s.found); err != nil {
			return s, err
		}
		band.Loops = append(band.Loops, l.Name)
		facts.AppendRows(s.found, rows)
		s.depth++
	}
	if band == nil {
		return s, nil
	}
	var err error
	s.active, err = facts.Unsatisfied(c.graph, band.Active, band.Rows)
	return s, err
}

// joins says whether a loop with these rows may be interchanged with those of a band: no dependence
// that is active outside runs backwards along any of them.
func (c *completion) joins(band *facts.Band, rows map[int]schedule.Row) (bool, error) {
	if band == nil {
		return false, nil
	}
	for _, all := range append(slices.Clip(band.Rows), rows) {
		for _, d := range facts.Constraining(band.Active) {
			cone, err := d.Cone()
			if err != nil {
				return false, err
			}
			if !cone.Contains(d.Distance(all[d.Source], all[d.Target], 1, 0)) {
				return false, nil
			}
		}
	}
	return true, nil
}

// TileSizes are the sizes that the models choose for tiles of some loops of a recipe's tree, which
// stand right inside each other.
func TileSizes(g *depend.Graph, tree *schedule.Tree, names []string, options Options) (sizes []int64, err error) {
	err = g.Model.Context.Sound(func() error {
		p := &planner{graph: g, options: options, purpose: hyperplane.ForHyperplane}
		n, first, err := tree.Loop(names[0])
		if err != nil {
			return err
		}
		if first+len(names) > len(n.Loops) {
			return fmt.Errorf("loop %q does not come right inside %q", names[len(names)-1], names[0])
		}
		band := &facts.Band{Active: facts.DependencesOf(p.graph, n.Statements), Outer: map[int][][]int64{}, Permutable: true}
		for _, l := range slices.Concat(tree.Outside(n), n.Loops[:first]) {
			if len(l.Terms) == 1 {
				facts.AppendRows(band.Outer, rowsOfSome(l.Terms[0].Rows, n.Statements))
			}
		}
		for k, l := range n.Loops[first : first+len(names)] {
			if l.Name != names[k] || len(l.Terms) != 1 {
				return fmt.Errorf("loop %q does not come right inside %q", names[k], names[max(0, k-1)])
			}
			if err := addLoop(p.graph, &p.options, band, l.Terms[0].Rows, band.Outer); err != nil {
				return err
			}
			band.Loops = append(band.Loops, l.Name)
		}
		d, err := p.newDecision(band, placing{innermost: len(n.Parts) == 0, last: true, parallel: true})
		if err != nil {
			return err
		}
		if d.inner, err = p.innermostLoop(d.band, d.moves, d.lengths, d.placing); err != nil {
			return err
		}
		sizes = sizesOfTiles(p.graph, &p.options, band, d.moves, d.inner)
		return nil
	})
	return sizes, err
}

// rowsOfSome are the rows of some statements.
func rowsOfSome(rows map[int]schedule.Row, statements []int) map[int]schedule.Row {
	some := map[int]schedule.Row{}
	for _, s := range statements {
		if row, has := rows[s]; has {
			some[s] = row
		}
	}
	return some
}
