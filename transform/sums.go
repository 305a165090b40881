package transform

import (
	"slices"

	"polytune/isl"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// Sums over several loops, such as convolutions and contractions of tensors,
//
//	out[n][f][y][x] += in[n][g][y + ky][x + kx] * w[f][g][ky][kx],
//
// keep the order of the source along the loops that they add up over: these are no band that could
// be tiled, unless they are skewed, and a skewed loop updates no element in one iteration after the
// other. All other loops carry nothing. Two of these become the rows and lanes of register blocks,
// inside of the others, and stream along the loops of the sum; short ones of constant length, such
// as those over the points of a filter, are unrolled with the block, which then keeps its elements
// in registers along the next loop outside.
type sumPlan struct {
	*registerPlan
	statement int
	// all are the loops of the nest's iterators that are not fixed outside, in the order of the
	// source, and lengths theirs in the run that is meant: rows, lanes and stream are among them.
	all     *facts.Band
	lengths []int64
	// outside are those that carry nothing and stay outside of the blocks, carried those that
	// carry the sum.
	outside, carried []int
	// unrolled are the last of carried that are unrolled.
	unrolled []unrolledSum
	// outer and inner are the bands, once they are in the tree; outer has no loops where
	// none stays outside.
	outer, inner *facts.Band
}

// unrolledSum is a loop of a sum with a constant number of iterations, from first on.
type unrolledSum struct {
	loop          int
	first, length int64
}

// sum plans a single statement that adds up over several of the loops that are left.
func (v View) sum() (*Plan, Reason, error) {
	sum, reason, err := v.sumOf(v.node.statements, v.start.found, v.start.active)
	if sum == nil || err != nil {
		return nil, reason, err
	}
	return &Plan{}, "", v.nestSum(v.node, sum, v.start)
}

// sumOf is what is known of a single statement that adds up over several of the loops that are
// left; nil for others, and where the user wants other tiles, with the reason.
func (p *planner) sumOf(statements []int, found map[int][][]int64, active []*depend.Dependence) (*sumPlan, Reason, error) {
	switch o := p.options; {
	case len(statements) != 1:
		return nil, "it is several statements", nil
	case !o.hasModelBlocks():
		return nil, "other blocks or tiles are asked for, or the target has no vectors", nil
	}
	sum := &sumPlan{statement: statements[0]}
	if err := loopsOfSum(p.graph, &p.options, sum, found, active); err != nil || len(sum.carried) < 2 || len(sum.outside) < 2 || addsDown(p.graph, sum) {
		return nil, "it does not add up over two loops or more, counting up, inside of two that carry nothing", err
	}
	moves, err := facts.Movements(p.graph, sum.all)
	if err != nil || len(moves) != 1 || slices.ContainsFunc(sum.carried, func(k int) bool { return !facts.IsStream(moves, k) }) {
		return nil, "along some of the loops that it adds up over its result moves", err
	}
	if sum.lengths, err = p.lengthsOfRun(sum.all); err != nil || !placeBlocks(p.graph, &p.options, sum, moves) {
		return nil, "along no loop that carries nothing its elements lie behind each other for vectors", err
	}
	sum.outside = slices.DeleteFunc(sum.outside, func(k int) bool { return k == sum.rows || k == sum.lanes })
	return sum, "", unrollSum(p.graph, sum)
}

// addsDown says whether a loop that carries the sum counts down in the source: the sum's loops
// count up.
func addsDown(g *depend.Graph, sum *sumPlan) bool {
	loops := g.Model.Program.Statements[sum.statement].Loops
	return slices.ContainsFunc(sum.carried, func(k int) bool {
		iterators := sum.all.Rows[k][sum.statement].Iterators
		return loops[slices.Index(iterators, 1)].Descending
	})
}

// loopsOfSum tells the loops of a statement's iterators that carry a sum from those that carry
// nothing.
func loopsOfSum(g *depend.Graph, o *Options, sum *sumPlan, found map[int][][]int64, active []*depend.Dependence) error {
	sum.all = &facts.Band{Active: active, Outer: found}
	for iterator := range g.Model.Statements[sum.statement].Depth() {
		rows := facts.IteratorRows(g, []int{sum.statement}, iterator)
		if slices.ContainsFunc(found[sum.statement], func(row []int64) bool { return row[iterator] != 0 }) {
			continue
		}
		k := len(sum.all.Rows)
		if err := addLoop(g, o, sum.all, rows, found); err != nil {
			return err
		}
		if sum.all.Coincident[k] && len(sum.all.Reductions[k]) == 0 {
			sum.outside = append(sum.outside, k)
		} else {
			sum.carried = append(sum.carried, k)
		}
	}
	sum.all.Loops = make([]string, len(sum.all.Rows))
	return nil
}

// placeBlocks chooses the rows and lanes of the register blocks, and their shape.
func placeBlocks(g *depend.Graph, o *Options, sum *sumPlan, moves []facts.Movement) bool {
	size := facts.ElementSize(g, moves)
	if size == 0 {
		return false
	}
	elements := o.Vector.lanesOf(size)
	for _, lanes := range slices.Backward(sum.outside) {
		for _, rows := range slices.Backward(sum.outside) {
			plan := &registerPlan{rows: rows, lanes: lanes, stream: sum.carried[0], elements: elements}
			if rows != lanes && sum.lengths[lanes] >= elements && fitsLanes(moves, plan) {
				plan.shape = shapeFor(o, sum.lengths[rows], sum.lengths[lanes], elements)
				sum.registerPlan = plan
				return true
			}
		}
	}
	return false
}

// shapeFor is the shape of register blocks for so many rows and lanes: that of the axis, or
// the fastest by a count of what blocks compute and load, and of what is left beside full ones.
func shapeFor(o *Options, rows, lanes, elements int64) RegisterShape {
	u := o.Vector
	if o.Registers.Rows > 0 {
		return o.Registers
	}
	best := u.modelShape()
	if rows == facts.Unlimited || lanes == facts.Unlimited {
		return best
	}
	time := func(s RegisterShape) float64 {
		width := s.Vectors * elements
		full := float64(rows-rows%s.Rows) / float64(rows) * float64(lanes-lanes%width) / float64(lanes)
		block := float64(s.Rows * s.Vectors)
		return full*(max(1, facts.ChainsOfBlock/block)+float64(s.Rows+s.Vectors)/(2*block)) + (1-full)*facts.OutOfBlock
	}
	for vectors := int64(1); vectors <= facts.WidestRow; vectors++ {
		for count := int64(1); count*vectors+vectors+1+facts.SpareRegisters <= int64(u.Registers); count++ {
			if s := (RegisterShape{Rows: count, Vectors: vectors}); time(s) < time(best) {
				best = s
			}
		}
	}
	return best
}

// unrollSum finds the last loops of the sum that are to be unrolled.
func unrollSum(g *depend.Graph, sum *sumPlan) error {
	block := sum.shape.Rows * sum.shape.Vectors
	for _, k := range slices.Backward(sum.carried) {
		first, length, err := constantRange(g, sum.statement, sum.all.Rows[k][sum.statement])
		if err != nil {
			return err
		}
		if length == 0 || length > facts.LongestUnrolled || block*length > facts.MostInBlock {
			return nil
		}
		block *= length
		sum.unrolled = slices.Insert(sum.unrolled, 0, unrolledSum{k, first, length})
	}
	return nil
}

// constantRange is the range of a row's values over all instances of a statement; length is 0 where
// it depends on parameters.
func constantRange(g *depend.Graph, s int, row schedule.Row) (first, length int64, err error) {
	values := g.Model.Statements[s].Domain.Apply(g.Time(s, row))
	values = values.ProjectOut(isl.DimParam, 0, values.Dim(isl.DimParam)).RemoveDivs()
	for _, has := range []func(int) (bool, error){values.HasLowerBound, values.HasUpperBound} {
		if bounded, err := has(0); !bounded || err != nil {
			return 0, 0, err
		}
	}
	least, ok := values.Lexmin().Point()
	greatest, ok2 := values.Lexmax().Point()
	if !ok || !ok2 {
		return 0, 0, nil
	}
	return least[0], greatest[0] - least[0] + 1, nil
}

// nestSum gives the bands of a sum their places in the node's chain.
func (p *planner) nestSum(plan *nodePlan, sum *sumPlan, s setting) error {
	found, active, depth := s.found, s.active, s.depth
	sum.outer, sum.inner = &facts.Band{Active: active, Permutable: true}, &facts.Band{}
	if place := sum.outermost(int64(p.options.Run.Threads)); place > 0 {
		first := sum.outside[place]
		sum.outside = slices.Insert(slices.Delete(sum.outside, place, place+1), 0, first)
	}
	for _, k := range sum.outside {
		if err := addLoop(p.graph, &p.options, sum.outer, sum.all.Rows[k], found); err != nil {
			return err
		}
	}
	var err error
	if len(sum.outside) > 0 {
		if active, err = p.appendBand(plan, sum.outer, found, depth); err != nil {
			return err
		}
	}
	sum.inner.Active = active
	for _, k := range append([]int{sum.rows, sum.lanes}, sum.carried...) {
		rows := sum.all.Rows[k]
		if u := sum.unrolledAt(k); u != nil {
			row := rows[sum.statement]
			row.Constant = -u.first
			rows = map[int]schedule.Row{sum.statement: row}
		}
		if err := addLoop(p.graph, &p.options, sum.inner, rows, found); err != nil {
			return err
		}
	}
	plan.whole = sum.decide
	_, err = p.appendBand(plan, sum.inner, found, depth+len(sum.outside))
	return err
}

// outermost is the place of the loop outside that threads are to share: the first one that they can
// share out evenly, or else the longest.
func (s *sumPlan) outermost(threads int64) int {
	longest := 0
	for place, k := range s.outside {
		if threads > 0 && s.lengths[k]%threads == 0 || s.lengths[k] >= facts.ManyIterations*max(1, threads) {
			return place
		}
		if s.lengths[k] > s.lengths[s.outside[longest]] {
			longest = place
		}
	}
	return longest
}

// unrolledAt is what is known of a loop that is unrolled, nil for others.
func (s *sumPlan) unrolledAt(loop int) *unrolledSum {
	if k := slices.IndexFunc(s.unrolled, func(u unrolledSum) bool { return u.loop == loop }); k >= 0 {
		return &s.unrolled[k]
	}
	return nil
}

// decide emits the commands of a sum: threads share the outermost loop, or where there is none
// outside of the blocks, blocks of rows or lanes.
func (sum *sumPlan) decide(p *planner, _ *nodePlan, parallel bool) error {
	blocks := command.Registers{Lanes: sum.elements, Ahead: p.options.Uses(aheadAxis)}
	first := 2 + len(sum.carried) - len(sum.unrolled)
	for k, u := range sum.unrolled {
		blocks.Loops, blocks.Sizes = append(blocks.Loops, sum.inner.Loops[first+k]), append(blocks.Sizes, u.length)
	}
	blocks.Loops = append(blocks.Loops, sum.inner.Loops[:2]...)
	blocks.Sizes = append(blocks.Sizes, sum.shape.Rows, sum.shape.Vectors*sum.elements)
	p.emit(blocks)
	outermost := sum.inner
	if len(sum.outer.Loops) > 0 {
		outermost = sum.outer
	}
	little, err := isLittleWork(p.graph, outermost)
	rowsInside := len(sum.outer.Loops) > 0 || sum.lengths[sum.lanes]/blocks.Sizes[len(blocks.Sizes)-1] > sum.lengths[sum.rows]/sum.shape.Rows
	if rowsInside {
		p.emit(command.Sink{Loop: sum.inner.Loops[0] + "r"})
	}
	k, loop := 0, sum.inner.Loops[0]+"r"
	switch {
	case err != nil || parallel || little:
		return err
	case len(sum.outer.Loops) > 0:
		loop = sum.outer.Loops[0]
	case rowsInside:
		k, loop = 1, sum.inner.Loops[1]+"r"
	}
	if err := p.emitParallel(outermost, k, loop); err != nil {
		return err
	}
	return p.emitGrain(loop, outermost.Statements(), outermost.Outer)
}
