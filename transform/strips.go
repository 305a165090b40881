package transform

import (
	"cmp"
	"maps"
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// Strips are blocks of rows of a matrix through which statements of both kinds of sweeps
// walk, one after the other while the block is in a cache: first one sums up the rows of a
// strip, say, and then another one adds them up. In loops of their own each would bring the
// matrix from the memory once more, and in one loop over rows neither could work on several
// rows at a time.

// strips are those of a matrix.
type strips struct {
	// matrix is the name of the matrix, rows and columns are its rows and columns by statement.
	matrix        string
	rows, columns map[int]schedule.Row
	kinds         map[int]facts.SweepKind
	// between are statements that use sums of rows, each of which is complete, for what is added
	// up: they have rows alone.
	between []int
	// mayCut says that strips may be cut along the columns, too, into blocks of which each runs
	// behind those to its left and above it.
	mayCut bool
}

// stripsOf are the strips of the matrix that all of some statements walk through,
// where there are statements of both kinds and strips may run one after the
// other; nil where that is not so.
func stripsOf(g *depend.Graph, statements []int) (*strips, error) {
	found := &strips{rows: map[int]schedule.Row{}, columns: map[int]schedule.Row{}, kinds: map[int]facts.SweepKind{}}
	for _, s := range statements {
		if g.Model.Statements[s].Depth() == 1 {
			found.between, found.rows[s] = append(found.between, s), facts.IteratorRow(g, 0, 1)
			continue
		}
		w := facts.WalkOf(g.Model, s)
		if w.Kind == facts.NoSweep || found.matrix != "" && w.Matrix != found.matrix {
			return nil, nil
		}
		found.matrix, found.kinds[s] = w.Matrix, w.Kind
		found.rows[s], found.columns[s] = facts.IteratorRow(g, w.Rows, 2), facts.IteratorRow(g, 1-w.Rows, 2)
	}
	if !found.has(facts.SumsOfRows) || !found.has(facts.SumOfRows) || len(g.Model.Program.Privates()) > 0 {
		return nil, nil
	}
	within := g.Within(statements)
	ok, err := facts.Forward(within, found.rows)
	if !ok || err != nil {
		return nil, err
	}
	if len(found.between) == 0 {
		found.mayCut, err = facts.Forward(within, found.columns)
	}
	return found, err
}

// ofMatrix are the rows of the statements that walk through the matrix.
func (found *strips) ofMatrix() map[int]schedule.Row {
	rows := maps.Clone(found.rows)
	for _, s := range found.between {
		delete(rows, s)
	}
	return rows
}

func (found *strips) has(kind facts.SweepKind) bool {
	return slices.Contains(slices.Collect(maps.Values(found.kinds)), kind)
}

// memoryFirst sorts statements so that those which sum up rows come first, where no other one has
// to be before them. The first statement of a strip waits for the memory, and the next ones find it
// in a cache: sums of rows, each of which is a chain of additions, take longest to compute, and do
// so while they wait.
//
// Measured on an Intel Xeon (Cascade Lake, 1 MiB, 36 MiB), gcc 12, bicg, 8000 x 8000: 87 ms with
// the sums of rows behind the sum of rows, and 58 with them in front, on one thread; 52 and 36 on
// two.
func (found *strips) memoryFirst(g *depend.Graph, groups [][]int) {
	reaches := g.Reaches()
	for s, kind := range found.kinds {
		for t, other := range found.kinds {
			if kind != facts.SumsOfRows && other == facts.SumsOfRows && reaches[s][t] {
				return
			}
		}
	}
	slices.SortStableFunc(groups, func(a, b []int) int {
		return cmp.Compare(found.rank(a[0]), found.rank(b[0]))
	})
}

// rank is less for statements that come first.
func (found *strips) rank(statement int) int {
	if found.kinds[statement] == facts.SumsOfRows {
		return 0
	}
	return 1
}

// strips plans a class of statements that walk through one matrix: a loop over strips of
// its rows, and parts with loops of their own inside. It says whether the class is one.
func (v View) strips() (*Plan, Reason, error) {
	p, plan, s := v.planner, v.node, v.start
	if o := p.options; !o.hasModelBlocks() || o.Original {
		return nil, "other loops or blocks are asked for, or the target has no vectors", nil
	}
	found, err := stripsOf(p.graph, plan.statements)
	if found == nil || err != nil {
		return nil, "its statements do not walk through one matrix, some summing up rows and others adding them up", err
	}
	groups := facts.ComponentsOf(p.graph, plan.statements, s.active, nil)
	if slices.ContainsFunc(groups, func(group []int) bool { return len(group) > 1 }) {
		return nil, "some statements wait for each other", nil
	}
	found.memoryFirst(p.graph, groups)
	relay, err := mayRelay(p.graph, &p.options, found, groups)
	if err != nil {
		return nil, "", err
	}
	loops, err := p.stripBlocks(plan.name, found, relay)
	if err != nil {
		return nil, "", err
	}
	if len(found.between) > 0 && !loops.relay {
		return nil, "what is between the sums and what is added up keeps threads from handing on sums", nil
	}
	plan.inside = loops.decide
	for _, blocks := range []*command.Blocks{loops.shared, loops.pieces} {
		if blocks != nil {
			p.emit(*blocks)
			s.depth += len(blocks.Rows)
		}
	}
	p.emit(command.Split{Node: plan.name, Groups: groups})
	return &Plan{}, "", p.planParts(plan, groups, s)
}

// decide emits the commands of the parts of a class that is strip mined, and those that run them on
// threads.
func (l *stripLoops) decide(p *planner, plan *nodePlan, parallel bool) error {
	if l.inWaves() {
		if err := p.wavesOf(plan.statements, l.shared); err != nil {
			return err
		}
	}
	if l.pieces != nil {
		return p.decideParts(plan, true)
	}
	p.inStrips = true
	defer func() { p.inStrips = false }()
	if l.relay {
		if emitted, err := p.emitRelay(plan, l); emitted || err != nil {
			return err
		}
	}
	commands := len(p.recipe)
	if err := p.decideParts(plan, parallel); err != nil {
		return err
	}
	p.emitTeam(l.shared, p.recipe[commands:])
	return nil
}

// emitTeam starts the threads of the parallel loops among the last commands of the recipe once for
// all strips, if a strip has work for several: of the accesses those to the matrix count, which no
// register or first cache has.
func (p *planner) emitTeam(strips *command.Blocks, commands []schedule.Command) {
	lanes, shared := int64(1), ""
	for _, c := range commands {
		switch c := c.(type) {
		case command.Registers:
			lanes = c.Sizes[len(c.Sizes)-1]
		case command.Parallel:
			shared = c.Loop
		case command.Region:
			p.emit(command.Threads{Loop: shared, From: max(1, facts.MinimumAccesses/(int64(len(strips.Rows[0]))*strips.Sizes[0]*lanes))})
		}
	}
	if shared != "" {
		p.emit(command.Team{Loop: strips.Loop(1)})
	}
}
