package transform

import (
	"slices"

	"polytune/isl"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// Statements that pass values on through an expanded array, such as the rows of doitgen's sums,
// share the outermost loop of those along which the array was expanded: what one iteration writes
// is in a cache when another statement reads it, and threads share out one loop. Inside it the
// statements are apart, as they are in a matrix product.

// webLoops are the rows of the loops that the statements of expanded arrays are to share, outermost
// first; nil where there are none, because they carry something, or because register blocks need
// all loops.
func webLoops(g *depend.Graph, statements []int) ([]map[int]schedule.Row, error) {
	if len(statements) < 2 {
		return nil, nil
	}
	shared := 1
	if facts.Deepest(g, statements) <= facts.BlockLoops || !passOnValues(g, statements) {
		var err error
		if shared, err = loopsOfRows(g, statements); err != nil {
			return nil, err
		}
		if shared == 0 {
			batch, err := isBatch(g, statements)
			if err != nil || !batch {
				return nil, err
			}
			shared = 1
		}
	}
	var loops []map[int]schedule.Row
	for k := range shared {
		rows := facts.IteratorRows(g, statements, k)
		if free, err := facts.CarriesNothing(g, statements, rows); !free || err != nil {
			return loops, err
		}
		loops = append(loops, rows)
	}
	return loops, nil
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

// loopsOfRows is the number of outermost loops for each iteration of which all expanded arrays of
// some statements have a row, or something larger, that these alone use, and that leave blocks of
// registers their loops. It is 0 where they have no such array, or do not share their outermost
// loop in the source.
func loopsOfRows(g *depend.Graph, statements []int) (int, error) {
	loops := loopsWithRows(g.Model.Program, statements)
	if loops == 0 || !shareOutermostLoop(g.Model.Program, statements) {
		return 0, nil
	}
	for _, s := range statements {
		var err error
		if loops, err = loopsOutside(g, s, loops); err != nil {
			return 0, err
		}
	}
	return loops, nil
}

// loopsWithRows is the least number of loops that have values of their own in expanded arrays of
// some statements with other dimensions too; 0 where there are no such arrays, or where other
// statements use one.
func loopsWithRows(program *scop.Program, statements []int) (loops int) {
	isInside := func(s int) bool { return slices.Contains(statements, s) }
	for _, e := range program.Expansions {
		switch {
		case e.Shared > 0 || len(e.Extents) == e.Loops || !slices.ContainsFunc(program.Users(e), isInside):
		case !areAllUsers(program, e, statements):
			return 0
		case loops == 0 || e.Loops < loops:
			loops = e.Loops
		}
	}
	return loops
}

// shareOutermostLoop says whether all of some statements that do not bring values back are in one
// outermost loop of the source.
func shareOutermostLoop(program *scop.Program, statements []int) bool {
	loops := map[int]bool{}
	for _, s := range statements {
		if !program.BringsBack(s) {
			loops[program.Statements[s].Position[0]] = true
		}
	}
	return len(loops) == 1
}

// loopsOutside is how many of so many outermost loops a statement can share with others: those that
// are around it, without those along which a sum of products reads a matrix again, where register
// blocks need them.
func loopsOutside(g *depend.Graph, s, loops int) (int, error) {
	depth := g.Model.Statements[s].Depth()
	loops = min(loops, depth)
	if depth < facts.BlockLoops || !updatesItself(g, s) && !mayUpdateInAnyOrder(g, s) {
		return loops, nil
	}
	for ; loops > depth-facts.BlockLoops; loops-- {
		if again, err := readsMatrixAgain(g, s, loops-1); !again || err != nil {
			return loops, err
		}
	}
	return loops, nil
}

// readsMatrixAgain says whether a statement reads the same elements of an array with several
// subscripts in all iterations of one of its loops, or elements that nobody knows.
func readsMatrixAgain(g *depend.Graph, s, loop int) (bool, error) {
	model := &g.Model.Statements[s]
	for k, access := range model.Statement.Accesses {
		if !access.Read {
			continue
		}
		rows, err := scop.Subscripts(model.Accesses[k])
		if err != nil {
			return false, err
		}
		usesLoop := func(row scop.Row) bool { return row.Iterators[loop] != 0 }
		if rows == nil && model.Accesses[k].Dim(isl.DimOut) > 0 || len(rows) > 1 && !slices.ContainsFunc(rows, usesLoop) {
			return true, nil
		}
	}
	return false, nil
}

// updatesItself says whether instances of a statement depend on other ones.
func updatesItself(g *depend.Graph, s int) bool {
	return len(facts.Constraining(g.Within([]int{s}))) > 0
}

// mayUpdateInAnyOrder says whether updates of an element by a statement may run in any order.
func mayUpdateInAnyOrder(g *depend.Graph, s int) bool {
	return slices.ContainsFunc(g.Relaxed, func(d *depend.Dependence) bool { return d.Source == s && d.Target == s })
}

// sharesWebLoops says whether a class and a component are statements of one outermost loop of the
// source that all statements in it can share, where iterations have rows of expanded arrays each.
func sharesWebLoops(g *depend.Graph, fusible func([]int) (bool, error), class, component []int) (bool, error) {
	all := inSourceLoop(g, class[0])
	if slices.ContainsFunc(slices.Concat(class, component), func(s int) bool { return !slices.Contains(all, s) }) {
		return false, nil
	}
	if loops, err := webLoops(g, all); loops == nil || err != nil {
		return false, err
	}
	return fusible(all)
}

// inSourceLoop are the statements of a statement's outermost loop in the source, and those that
// bring last values of their expanded arrays back.
func inSourceLoop(g *depend.Graph, s int) []int {
	program := g.Model.Program
	var all []int
	for k := range program.Statements {
		if !program.BringsBack(k) && program.Statements[k].Position[0] == program.Statements[s].Position[0] {
			all = append(all, k)
		}
	}
	for _, e := range program.Expansions {
		if slices.Contains(all, e.Statements[0]) {
			all = append(all, program.Users(e)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// web plans a class of such statements. It says whether the class is one.
func (v View) web() (*Plan, Reason, error) {
	p, plan, s := v.planner, v.node, v.start
	o := p.options
	if o.Original || !o.hasBlocks() && facts.Deepest(p.graph, plan.statements) > facts.BlockLoops {
		return nil, "other loops are asked for, or there are to be no register blocks inside", nil
	}
	loops, err := webLoops(p.graph, plan.statements)
	if len(loops) == 0 || err != nil {
		return nil, "no outer loop of the source that carries nothing is around all that they pass on", err
	}
	if few, err := p.hasFewIterations(&facts.Band{Rows: loops}); few || err != nil {
		return nil, "the loops that they could share have few iterations", err
	}
	size, err := p.webTile(plan.statements, loops)
	if err != nil {
		return nil, "", err
	}
	bands := loops
	if size > 1 {
		bands = loops[:len(loops)-1]
	}
	for _, rows := range bands {
		band := &facts.Band{Active: s.active, Permutable: true}
		if err := addLoop(p.graph, &p.options, band, rows, s.found); err != nil {
			return nil, "", err
		}
		if s, err = p.append(plan, band, s); err != nil {
			return nil, "", err
		}
	}
	groups := facts.ComponentsOf(p.graph, plan.statements, s.active, facts.Undetermined(p.graph, plan.statements, s.found))
	if facts.Deepest(p.graph, plan.statements)-len(loops) >= facts.BlockLoops {
		groups = withStarts(p.graph, groups, s.active)
	}
	if size > 1 {
		tiles := &tiledParts{rows: loops[len(loops)-1], size: size, onThreads: o.Uses(parallelAxis), contracts: contractible(p.graph, plan.statements)}
		return &Plan{}, "", p.inTiles(plan, tiles, groups, s)
	}
	if groups, err = p.chained(groups, s); err != nil {
		return nil, "", err
	}
	p.emit(command.Split{Node: plan.name, Groups: groups})
	return &Plan{}, "", p.planParts(plan, groups, s)
}

// contractible are the expanded arrays that some statements alone use, and whose loops have
// elements each.
func contractible(g *depend.Graph, statements []int) (arrays []string) {
	program := g.Model.Program
	for _, e := range program.Expansions {
		if e.Shared == 0 && areAllUsers(program, e, statements) {
			arrays = append(arrays, e.Name)
		}
	}
	return arrays
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
