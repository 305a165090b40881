package transform

import (
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// An expanded array has elements for all iterations of its loops, which makes it as large as an
// argument of the region: it comes from the memory, and its pages are new ones in each call. Where
// its statements carry nothing along one of these loops, they run one after the other inside tiles
// of that, and the array has elements for one tile.

// contraction is what a class of statements can have in common outside of their loops.
type contraction struct {
	// loop is the place of the loop over whose iterations tiles go among the loops around each
	// statement, and rows are the rows of that.
	loop int
	rows map[int]schedule.Row
	// arrays are the expanded arrays that these statements alone use.
	arrays []string
}

// contractionOf is the innermost loop of expanded scalars that carries nothing among some
// statements, with all that use them; nil where there is none. Their elements lie behind each other
// along it, so that tiles of the lanes of register blocks are the same tiles, outside of which
// nothing is copied again.
func contractionOf(g *depend.Graph, statements []int) (*contraction, error) {
	c := &contraction{loop: -1}
	for _, e := range g.Model.Program.Expansions {
		if e.Shared == 0 && e.Loops >= facts.MinimumExpanded && len(e.Extents) == e.Loops && areAllUsers(g.Model.Program, e, statements) {
			c.arrays, c.loop = append(c.arrays, e.Name), max(c.loop, e.Loops-1)
		}
	}
	for ; c.loop >= 0; c.loop-- {
		c.rows = facts.IteratorRows(g, statements, c.loop)
		if free, err := facts.CarriesNothing(g, statements, c.rows); free || err != nil {
			return c, err
		}
	}
	return nil, nil
}

// areAllUsers says whether some statements alone use an expanded array.
func areAllUsers(program *scop.Program, e scop.Expansion, statements []int) bool {
	return !slices.ContainsFunc(program.Users(e), func(s int) bool { return !slices.Contains(statements, s) })
}

// gathersContracted says whether a class and a component, or what they are a part of, use an
// expanded array that can be contracted when they are in one class; and parts whether they must not
// be in one, which can be contracted without the component.
func gathersContracted(g *depend.Graph, fusible func([]int) (bool, error), class, component []int) (gathers, parts bool, err error) {
	both := slices.Sorted(slices.Values(slices.Concat(class, component)))
	for _, e := range g.Model.Program.Expansions {
		users := g.Model.Program.Users(e)
		uses := func(s int) bool { return slices.Contains(users, s) }
		if !slices.ContainsFunc(class, uses) {
			continue
		}
		all := slices.Compact(slices.Sorted(slices.Values(slices.Concat(both, users))))
		together, err := contractionOf(g, all)
		if err != nil {
			return false, false, err
		}
		if together != nil && !slices.ContainsFunc(both, func(s int) bool { return !uses(s) }) {
			gathers, err = fusible(all)
			return gathers, false, err
		}
		alone, err := contractionOf(g, users)
		if err != nil || alone != nil && together == nil {
			return false, true, err
		}
	}
	return false, false, nil
}

// contract plans a class of statements that use an array which is to be contracted: a loop over
// tiles, and parts with loops of their own inside. It says whether the class is one.
func (v View) contract() (*Plan, Reason, error) {
	p, plan, s := v.planner, v.node, v.start
	if p.options.Original || len(p.graph.Model.Program.Privates()) > 0 {
		return nil, "other loops are asked for, or statements share a variable", nil
	}
	c, err := contractionOf(p.graph, plan.statements)
	if c == nil || err != nil {
		return nil, "no expanded array is theirs alone and has a loop that carries nothing", err
	}
	groups := facts.ComponentsOf(p.graph, plan.statements, s.active, nil)
	if len(groups) == 1 {
		return nil, "all statements wait for each other", nil
	}
	groups = withStarts(p.graph, groups, s.active)
	size, err := p.sharedOut(c)
	if err != nil {
		return nil, "", err
	}
	tiles := &tiledParts{rows: c.rows, size: size, onThreads: size > 0}
	if !tiles.onThreads {
		if tiles.size, err = p.contractedSize(c); err != nil {
			return nil, "", err
		}
		if p.options.Uses(contractAxis) {
			tiles.contracts = c.arrays
		}
	}
	return &Plan{}, "", p.inTiles(plan, tiles, groups, s)
}

// sharedOut is the number of iterations of a tile where each thread takes one, with everything
// inside: threads wait for each other once then, and copy what they read for themselves, each its
// own columns of one operand and all of the other. The arrays have elements for all tiles, as
// several are in use. It is 0 where that is not so: where nobody knows how many threads there will
// be, where tiles would be narrow or would differ, where no statement uses the arrays' elements
// again and again, which should stay in a cache, or where they take half of the memory that they
// may.
//
// symm, 1000 x 1200, takes 0.89 of the time so on two threads of a virtual AMD Zen 5 (gcc 12): one
// region instead of 42, and no copy that another thread has made.
func (p *planner) sharedOut(c *contraction) (size int64, err error) {
	o := p.options
	threads := int64(o.Run.Threads)
	if threads < 2 || !o.Uses(parallelAxis) || !o.Uses(packAxis) || !o.hasModelBlocks() || !gathersIn(p.graph, c) {
		return 0, nil
	}
	program := p.graph.Model.Program
	if bytes, err := program.ExpandedBytes(o.Run.Parameters); err != nil || bytes > program.Room.Bytes/2 {
		return 0, nil
	}
	band := &facts.Band{Rows: []map[int]schedule.Row{c.rows}}
	lengths, err := p.lengthsOfRun(band)
	if err != nil || lengths[0] == facts.Unlimited {
		return 0, err
	}
	if uneven, err := facts.IsUneven(p.graph, band, 0); uneven || err != nil {
		return 0, err
	}
	size = evenly(lengths[0], lengths[0], tileUnit(p.graph, &p.options, c), threads)
	if size < facts.LeastSharedOut {
		return 0, nil
	}
	return size, nil
}

// gathersIn says whether each of the arrays has a statement that uses its elements in a loop inside
// those that they are for.
func gathersIn(g *depend.Graph, c *contraction) bool {
	model := g.Model
	for _, e := range model.Program.Expansions {
		isDeeper := func(s int) bool { return model.Statements[s].Depth() > e.Loops }
		if slices.Contains(c.arrays, e.Name) && !slices.ContainsFunc(model.Program.Users(e), isDeeper) {
			return false
		}
	}
	return true
}

// tileUnit is what the size of a tile is a multiple of: the width of a register block.
func tileUnit(g *depend.Graph, o *Options, c *contraction) int64 {
	return max(1, o.blockShape().Vectors*o.Vector.lanesOf(int64(g.Model.Program.Array(c.arrays[0]).Size)))
}

// contractedSize is the number of iterations of a tile: as many as let the arrays take their share
// of the third cache, in vectors of a register block.
func (p *planner) contractedSize(c *contraction) (int64, error) {
	lengths, err := p.lengthsOfRun(&facts.Band{Rows: []map[int]schedule.Row{c.rows}})
	if err != nil {
		return 0, err
	}
	program := p.graph.Model.Program
	most, cache := int64(facts.ContractedLanes), int64(p.options.ThirdCacheBytes)/facts.ContractedShare
	if bytes, err := program.ExpandedBytes(p.options.Run.Parameters); err == nil && cache > 0 && bytes > 0 && lengths[0] != facts.Unlimited {
		most = cache * lengths[0] / bytes
	}
	unit := tileUnit(p.graph, &p.options, c)
	return evenly(lengths[0], int64(float64(max(most, unit))*orOne(p.options.Tile.Scale)), unit, 1), nil
}

// shorten makes the lengths of a band's loops those inside one tile of the loop around.
func (p *planner) shorten(band *facts.Band, lengths []int64) {
	if p.within == nil {
		return
	}
	program := p.graph.Model.Program
	for k, rows := range band.Rows {
		same := true
		for s, row := range rows {
			same = same && program.RowsText(s, row) == program.RowsText(s, p.within.Rows[0][s])
		}
		if same {
			lengths[k] = min(lengths[k], p.within.Sizes[0])
		}
	}
}

// decide emits the commands of the parts inside a loop over tiles, of the threads that
// share these out, and of the arrays that have elements for one of them.
func (t *tiledParts) decide(p *planner, plan *nodePlan, parallel bool) error {
	p.within = &t.blocks
	defer func() { p.within = nil }()
	if t.onThreads && !parallel {
		p.emit(command.Parallel{Loop: t.loop})
		if err := p.emitGrain(t.loop, plan.statements, nil); err != nil {
			return err
		}
		parallel = true
	}
	for _, part := range plan.parts {
		if err := p.decide(part, parallel); err != nil {
			return err
		}
	}
	for _, array := range t.contracts {
		if !p.isContracted(array) {
			p.emit(command.Contract{Array: array, Loop: t.loop})
		}
	}
	return nil
}

// isContracted says whether a part inside has contracted an array that it alone uses.
func (p *planner) isContracted(array string) bool {
	return slices.ContainsFunc(p.recipe, func(c schedule.Command) bool {
		contract, ok := c.(command.Contract)
		return ok && contract.Array == array
	})
}

// changesLoops says whether a command makes loops other than one that runs its iterations one by
// one, each of them on one thread.
func changesLoops(c schedule.Command) bool {
	switch c.(type) {
	case command.Parallel, command.Threads, command.Dynamic, command.Collapse:
		return false
	}
	return true
}

// contractInside gives expanded arrays that the parts inside a class's own loops alone use elements
// for one iteration of as many of these as the arrays have elements for, which threads have for
// themselves: what a thread needs is in a cache then, where an array with elements for all is new
// memory in each call.
//
// doitgen, whose row of sums has 27 MB so and 0.36 contracted, takes 0.98 of the time on two
// threads of a virtual AMD Zen 4 (gcc 12), and 0.92 at size extralarge, 119 MB and 0.95.
func (p *planner) contractInside(plan *nodePlan) error {
	if !p.options.Uses(contractAxis) || len(plan.bands) == 0 || len(plan.bands[0].Outer[plan.statements[0]]) > 0 || !anyLoops(plan.parts) {
		return nil
	}
	few, err := p.hasFewIterations(plan.bands[0])
	if few || err != nil {
		return err
	}
	for _, e := range p.graph.Model.Program.Expansions {
		if loop := innermostOf(p.graph, plan, e); loop != "" {
			p.emit(command.Contract{Array: e.Name, Loop: loop})
		}
	}
	return nil
}

// hasFewIterations says whether a band has fewer iterations than there are threads, which would
// have more memory than the iterations.
func (p *planner) hasFewIterations(band *facts.Band) (bool, error) {
	lengths, err := p.lengthsOfRun(band)
	if err != nil {
		return false, err
	}
	iterations := int64(1)
	for _, length := range lengths {
		if length == facts.Unlimited {
			return false, nil
		}
		iterations *= max(1, length)
	}
	return iterations < int64(p.options.Run.Threads), nil
}

// innermostOf is the innermost loop of a class of which an array has elements for each iteration,
// and for each of the loops around it; "" where there is none, where statements outside use the
// array, or where it has no other dimension.
func innermostOf(g *depend.Graph, plan *nodePlan, e scop.Expansion) (loop string) {
	users := g.Model.Program.Users(e)
	if e.Shared > 0 || !areAllUsers(g.Model.Program, e, plan.statements) {
		return ""
	}
	taken := map[int]bool{}
	for _, band := range plan.bands {
		for k, rows := range band.Rows {
			iterator := iteratorOf(g, users, rows, e.Loops)
			if iterator < 0 || taken[iterator] || len(taken)+1 == len(e.Extents) {
				return loop
			}
			taken[iterator], loop = true, band.Loops[k]
		}
	}
	return loop
}

// iteratorOf is the iterator of one of so many outermost loops of the source that the rows of all
// of some statements are, or -1.
func iteratorOf(g *depend.Graph, statements []int, rows map[int]schedule.Row, loops int) int {
	for iterator := range loops {
		if schedule.IsIterator(g.Model.Program, statements, rows, iterator) {
			return iterator
		}
	}
	return -1
}
