package transform

import (
	"fmt"
	"maps"
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
)

// Complete are commands behind those of a recipe, by which the models finish what it leaves open:
// tiles, threads, lanes and register blocks of nodes that no command has touched, threads of the
// others. They change nothing that the recipe says. The result is to be proven, as everything is.
func Complete(g *depend.Graph, recipe schedule.Recipe, options Options) (schedule.Recipe, error) {
	var made schedule.Recipe
	err := g.Model.Context.Sound(func() error {
		tree, err := recipe.Replay(g.Model.Program)
		if err != nil {
			return err
		}
		touched, err := touchedNodes(recipe, g)
		if err != nil {
			return err
		}
		c := &completion{planner: &planner{graph: g, options: options, purpose: ForHyperplane}, tree: tree, touched: touched}
		for _, n := range tree.Classes {
			if err := c.node(n, setting{found: map[int][][]int64{}, active: c.dependencesOf(n.Statements)}, false); err != nil {
				return err
			}
		}
		made = c.recipe
		return nil
	})
	return made, err
}

// completion finishes a tree.
type completion struct {
	*planner
	tree *schedule.Tree
	// touched are the names of nodes about whose loops some command says something.
	touched map[string]bool
}

// shapes of the tree are given by these commands, which say nothing of how loops run.
func givesShape(c schedule.Command) bool {
	switch c.(type) {
	case command.Classes, command.Original, command.Schedule, command.Band, command.Split, command.Distribute, command.Fuse, command.After, command.Before, command.Name:
		return true
	}
	return false
}

// touchedNodes are those whose loops some command has changed that gives no shape.
func touchedNodes(recipe schedule.Recipe, g *depend.Graph) (map[string]bool, error) {
	touched, before := map[string]bool{}, map[string]string{}
	tree := schedule.NewTree(g.Model.Program)
	for _, c := range recipe {
		if err := tree.Do(c); err != nil {
			return nil, err
		}
		after := map[string]string{}
		tree.Walk(func(n *schedule.Node) bool {
			after[n.Name] = chainText(n)
			if was, had := before[n.Name]; had && was != after[n.Name] && !givesShape(c) {
				touched[n.Name] = true
			}
			return true
		})
		before = after
	}
	return touched, nil
}

// chainText tells the loops of a node from others.
func chainText(n *schedule.Node) (text string) {
	for _, l := range n.Loops {
		text += fmt.Sprintf("%+v;", *l)
	}
	return text
}

// node finishes a node inside the loops of a setting, of which threads share some or not.
func (c *completion) node(n *schedule.Node, s setting, parallel bool) error {
	if !c.isTouched(n) {
		plan, err := c.planOf(n, s)
		if err != nil {
			return err
		}
		return c.decide(plan, parallel || c.options.NoParallel)
	}
	shared := slices.ContainsFunc(n.Loops, func(l *schedule.Loop) bool { return l.IsParallel() || l.StartsThreads() || l.IsVector() })
	inside := s
	if len(n.Parts) > 0 {
		plan, err := c.bandsOf(n, s, &nodePlan{})
		if err != nil {
			return err
		}
		inside = plan
	}
	commands := len(c.recipe)
	for _, part := range n.Parts {
		if err := c.node(part, inside.within(part.Statements), parallel || shared); err != nil {
			return err
		}
	}
	if parallel || shared || c.options.NoParallel || hasThreads(n) || len(c.recipe) > commands {
		return nil
	}
	return c.outermostFree(n)
}

// isTouched says whether a command has said something of the node's loops, or of those of a part.
func (c *completion) isTouched(n *schedule.Node) bool {
	return c.touched[n.Name] || slices.ContainsFunc(n.Parts, c.isTouched)
}

// hasThreads says whether threads share a loop in the node's parts.
func hasThreads(n *schedule.Node) bool {
	return slices.ContainsFunc(n.Parts, func(part *schedule.Node) bool {
		return slices.ContainsFunc(part.Loops, func(l *schedule.Loop) bool { return l.IsParallel() || l.StartsThreads() }) || hasThreads(part)
	})
}

// outermostFree has threads share the outermost loop of a node that carries nothing.
func (c *completion) outermostFree(n *schedule.Node) error {
	for place, l := range n.Loops {
		free, err := c.isFree(n, place)
		if err != nil {
			return err
		}
		if free {
			c.emit(command.Parallel{Loop: l.Name})
			return nil
		}
	}
	return nil
}

// isFree says whether the loop of a node is proven to carry no dependence.
func (c *completion) isFree(n *schedule.Node, place int) (bool, error) {
	try := command.Parallel{Loop: n.Loops[place].Name}
	before := *n.Loops[place]
	defer func() { *n.Loops[place] = before }()
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
	inside, err := c.bandsOf(n, s, plan)
	if err != nil {
		return nil, err
	}
	for _, part := range n.Parts {
		p, err := c.planOf(part, inside.within(part.Statements))
		if err != nil {
			return nil, err
		}
		plan.parts = append(plan.parts, p)
	}
	return plan, nil
}

// bandsOf adds the loops of a node to its plan, in bands as long as they may be interchanged, and
// says what is around its parts.
func (c *completion) bandsOf(n *schedule.Node, s setting, plan *nodePlan) (setting, error) {
	s.found = maps.Clone(s.found)
	var band *bandPlan
	for _, l := range n.Loops {
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
				if s.active, err = c.unsatisfied(band.active, band.rows); err != nil {
					return s, err
				}
			}
			band = &bandPlan{active: s.active, outer: maps.Clone(s.found), permutable: true}
			plan.bands = append(plan.bands, band)
		}
		if err := c.addLoop(band, rows, s.found); err != nil {
			return s, err
		}
		band.loops = append(band.loops, l.Name)
		appendRows(s.found, rows)
		s.depth++
	}
	if band == nil {
		return s, nil
	}
	var err error
	s.active, err = c.unsatisfied(band.active, band.rows)
	return s, err
}

// joins says whether a loop with these rows may be interchanged with those of a band: no dependence
// that is active outside runs backwards along any of them.
func (c *completion) joins(band *bandPlan, rows map[int]schedule.Row) (bool, error) {
	if band == nil {
		return false, nil
	}
	for _, all := range append(slices.Clip(band.rows), rows) {
		for _, d := range constraining(band.active) {
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
		p := &planner{graph: g, options: options, purpose: ForHyperplane}
		n, first, err := tree.Loop(names[0])
		if err != nil {
			return err
		}
		if first+len(names) > len(n.Loops) {
			return fmt.Errorf("loop %q does not come right inside %q", names[len(names)-1], names[0])
		}
		band := &bandPlan{active: p.dependencesOf(n.Statements), outer: map[int][][]int64{}, permutable: true}
		for _, l := range slices.Concat(tree.Outside(n), n.Loops[:first]) {
			if len(l.Terms) == 1 {
				appendRows(band.outer, rowsOfSome(l.Terms[0].Rows, n.Statements))
			}
		}
		for k, l := range n.Loops[first : first+len(names)] {
			if l.Name != names[k] || len(l.Terms) != 1 {
				return fmt.Errorf("loop %q does not come right inside %q", names[k], names[max(0, k-1)])
			}
			if err := p.addLoop(band, l.Terms[0].Rows, band.outer); err != nil {
				return err
			}
			band.loops = append(band.loops, l.Name)
		}
		d, err := p.newDecision(band, placing{innermost: len(n.Parts) == 0, last: true, parallel: true})
		if err != nil {
			return err
		}
		if d.inner, err = p.innermostLoop(d.band, d.moves, d.lengths, d.placing); err != nil {
			return err
		}
		sizes = p.sizes(band, d.moves, d.inner)
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
