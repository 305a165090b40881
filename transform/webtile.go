package transform

import (
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/transform/facts"
)

// webTile is the number of iterations of the innermost of the loops that the statements of a web
// share in which each statement runs before the next one: as many as have their sums in lanes,
// where one sums up along its only loop inside, and nothing but iterations of those outside can be
// its lanes. It is 1 where none does, where arrays stand for private ones, or where no cache holds
// what so many iterations keep in expanded arrays.
//
// On two threads of a virtual AMD Zen 4 (gcc 12) norms of 3,000 rows of 700 floats take 0.15 of the
// time of gcc's code so, and sums and quotients of 400 rows of 20,000 doubles, of which the third
// cache has the tiles, 0.6 of what they take row by row.
func (p *planner) webTile(statements []int, loops []map[int]schedule.Row) (int64, error) {
	o := p.options
	sumsUp := func(s int) bool {
		return p.graph.Model.Statements[s].Depth() == len(loops)+1 && updatesItself(p.graph, s)
	}
	if !o.hasModelBlocks() || !o.Uses(contractAxis) || p.graph.Model.Program.Room.Outermost || !slices.ContainsFunc(statements, sumsUp) {
		return 1, nil
	}
	lengths, err := p.lengthsOfRun(&facts.Band{Rows: loops})
	if err != nil {
		return 1, err
	}
	last := len(lengths) - 1
	if lengths[last] < facts.LaneRows || last == 0 && lengths[0]/facts.LaneRows < int64(o.Run.Threads) {
		return 1, nil
	}
	iterations := 1.0
	for _, length := range lengths {
		iterations *= float64(length)
	}
	bytes, err := p.graph.Model.Program.ExpandedBytes(o.Run.Parameters)
	if err == nil && !slices.Contains(lengths, facts.Unlimited) && float64(bytes)/iterations*facts.LaneRows > float64(rowsCache(&p.options))/2 {
		return 1, nil
	}
	return facts.LaneRows, nil
}

// rowsCache is the size of the largest cache that a thread has for itself, or its share of.
func rowsCache(o *Options) int {
	return max(o.SecondCacheBytes, o.ThirdCacheBytes/max(1, o.Run.Threads))
}

// tiledParts is a loop over tiles around parts that have loops of their own inside.
type tiledParts struct {
	// rows are those of the loop, and size is the number of its iterations in a tile.
	rows map[int]schedule.Row
	size int64
	// contracts are the expanded arrays that have elements for one tile, and onThreads says that
	// threads share out the tiles.
	contracts []string
	onThreads bool
	// blocks is the command for the loop over tiles, and loop its name, once it is in the tree.
	blocks command.Blocks
	loop   string
}

// inTiles plans parts inside a loop over tiles.
func (p *planner) inTiles(plan *nodePlan, t *tiledParts, groups [][]int, s setting) error {
	t.blocks = command.Blocks{Node: plan.name, Rows: []map[int]schedule.Row{t.rows}, Sizes: []int64{t.size}}
	t.loop, plan.inside = t.blocks.Loop(s.depth+1), t.decide
	p.emit(t.blocks)
	p.emit(command.Split{Node: plan.name, Groups: groups})
	s.depth++
	return p.planParts(plan, groups, s)
}

// isInFewRows says whether a band has the iterations of a tile as webTile makes them and one loop
// inside: all that it uses is in a cache.
func (p *planner) isInFewRows(band *facts.Band) bool {
	return p.within != nil && p.within.Sizes[0] <= facts.LaneRows && len(band.Loops) == 2
}
