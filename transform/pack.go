package transform

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// blocks is the state of a tiled band whose inside are register blocks.
type blocks struct {
	*registerPlan
	band  *facts.Band
	moves []facts.Movement
	// tiles are the names of the tile loops and sizes their sizes.
	tiles []string
	sizes []int64
	// shared are the loops whose tiles run inside all others, on several threads, from the outside:
	// those that do not move the lanes' operand, and the rows as the last. There may be none.
	shared []int
}

// emitBlocks emits the commands of a tiled band with register blocks: the loop
// that runs on several threads, the blocks, and the operands that are packed. It says whether a
// loop runs on several threads.
//
// Where the rows can be shared out among threads they are, inside all other tile loops but those
// that move no operand of the lanes, as the products that one matrix has with several: the threads
// use one copy of the operand that moves along the lanes, as BLIS does ("The BLIS framework:
// experiments in portability", Van Zee et al., 2016, figure 1).
func (p *planner) emitBlocks(b *blocks, lengths []int64, parallel bool) (bool, error) {
	counts := tileCounts(lengths, b.sizes)
	if !parallel && p.options.Uses(parallelAxis) && p.options.Uses(packAxis) && !b.apart && !p.options.SecondLevel {
		b.shared = b.onThreads(counts)
	}
	outer := b.tiles
	if p.options.SecondLevel {
		outer = p.tile(b.tiles, slices.Repeat([]int64{facts.SecondLevelRatio}, len(b.tiles)))
	}
	done := false
	switch {
	case b.shared != nil:
		b.sinkShared(p)
		k := b.shared[slices.IndexFunc(b.shared, func(k int) bool { return k == b.rows || counts[k] >= facts.MinimumThreads })]
		if err := p.emitParallel(b.band, k, b.tiles[k]); err != nil {
			return false, err
		}
		if err := p.emitGrain(b.tiles[k], b.band.Statements(), b.band.Outer); err != nil {
			return false, err
		}
		done = true
	case !parallel:
		var err error
		if done, err = p.tiledParallel(b.band, outer, b.sizes, counts, nil); err != nil {
			return false, err
		}
	}
	p.emitRegisters(b.band, b.registerPlan)
	return done, p.emitPacks(b)
}

// onThreads are the loops of shared: none where threads had better share out the tiles along
// another loop, one of those that are outside.
func (b *blocks) onThreads(counts []int64) []int {
	isFree := func(k int) bool { return b.band.Coincident[k] && len(b.band.Reductions[k]) == 0 }
	if !isFree(b.rows) {
		return nil
	}
	var shared []int
	for k := range b.tiles {
		if k != b.rows && k != b.lanes && k != b.stream && isFree(k) && !b.movesLanes(k) {
			shared = append(shared, k)
		}
	}
	outermost := b.band.OutermostParallel(counts, -1)
	if outermost == b.rows || outermost == b.lanes && counts[b.rows] >= facts.MinimumThreads || slices.Contains(shared, outermost) {
		return append(shared, b.rows)
	}
	return nil
}

// movesLanes says whether an operand that moves along the lanes, and not along the rows, moves
// along another loop.
func (b *blocks) movesLanes(loop int) bool {
	return slices.ContainsFunc(b.moves, func(m facts.Movement) bool {
		rows, lanes, other := m.PlaceOf(b.rows), m.PlaceOf(b.lanes), m.PlaceOf(loop)
		return other >= 0 && slices.ContainsFunc(m.Steps, func(steps []facts.Step) bool {
			return steps[lanes].Distance() != 0 && steps[rows].Distance() == 0 && (!steps[other].Known || steps[other].Distance() != 0)
		})
	})
}

// sinkShared brings the shared loops' tiles inside all others.
func (b *blocks) sinkShared(p *planner) {
	for n, k := range b.shared {
		if k != len(b.tiles)-len(b.shared)+n {
			for _, k := range b.shared {
				p.emit(command.Sink{Loop: b.tiles[k]})
			}
			return
		}
	}
}

// emitPacks emits the copies of operands that blocks use again: those that move along
// the rows and the stream are copied for the blocks of a tile, and those that move
// along the lanes and the stream for the rows of a tile, or of all tiles when threads share
// them.
//
// Operands may be results of the same band: what a block reads must have been written before its
// tile, or before its column of blocks.
func (p *planner) emitPacks(b *blocks) error {
	if !p.options.Uses(packAxis) {
		return nil
	}
	for _, m := range b.moves {
		rows, lanes, stream := m.PlaceOf(b.rows), m.PlaceOf(b.lanes), m.PlaceOf(b.stream)
		if min(rows, lanes, stream) < 0 {
			continue
		}
		for a, steps := range m.Steps {
			if a == 0 || !steps[stream].Known || steps[stream].Distance() == 0 {
				continue
			}
			alongRows, alongLanes := steps[rows].Distance() != 0, steps[lanes].Distance() != 0
			if alongRows == alongLanes {
				continue
			}
			if err := p.emitPack(b, command.Pack{Statement: m.Statement, Reference: a}, alongLanes); err != nil {
				return err
			}
		}
	}
	return nil
}

// emitPack emits the copy of one operand where nothing writes its elements in the
// meantime.
func (p *planner) emitPack(b *blocks, pack command.Pack, alongLanes bool) error {
	fixed := map[int]int64{}
	for k, size := range b.sizes {
		fixed[k] = size
	}
	switch {
	case !alongLanes:
		pack.Loop = b.innermostTile()
	case b.shared != nil:
		pack.Loop = b.innermostOutside()
		for _, k := range b.shared {
			delete(fixed, k)
		}
	default:
		pack.Loop = b.band.Loops[b.lanes] + "r"
		fixed[b.lanes] = b.shape.Vectors * b.elements
	}
	if written, err := isWrittenBefore(p.graph, b, pack, fixed); written || err != nil {
		return err
	}
	p.emit(pack)
	return nil
}

// innermostTile is the innermost tile loop, and innermostOutside the one around the
// shared ones.
func (b *blocks) innermostTile() string {
	if b.shared != nil {
		return b.tiles[b.rows]
	}
	return b.tiles[len(b.tiles)-1]
}

func (b *blocks) innermostOutside() string {
	last := len(b.tiles) - 1
	for slices.Contains(b.shared, last) {
		last--
	}
	return b.tiles[last]
}

// isWrittenBefore says whether some element that is to be packed is written in the
// same execution of the loop, before a register block reads it: whether a dependence has both its
// instances in one tile of the fixed loops, given with their sizes.
func isWrittenBefore(g *depend.Graph, b *blocks, pack command.Pack, fixed map[int]int64) (bool, error) {
	for _, d := range slices.Concat(g.Dependences, g.Relaxed) {
		_, inside := b.band.Rows[0][d.Source]
		if d.Kind != depend.RAW || d.Target != pack.Statement || d.TargetAccess != pack.Reference || !inside {
			continue
		}
		pairs := d.Relation.Intersect(facts.SameTile(g, b.band, d.Source, d.Target, fixed))
		if b.apart {
			pairs = pairs.Reverse().IntersectDomain(inFullBlocks(g, b, d.Target))
		}
		empty, err := pairs.IsEmpty()
		if err != nil || !empty {
			return true, err
		}
	}
	return false, nil
}

// inFullBlocks are the instances of a statement in blocks whose corners are instances.
func inFullBlocks(g *depend.Graph, b *blocks, s int) *isl.Set {
	domain := g.Model.Statements[s].Domain
	all := domain
	for corner := range 4 {
		rows, lanes := int64(corner&1)*(b.shape.Rows-1), int64(corner>>1)*(b.shape.Vectors*b.elements-1)
		all = all.Intersect(domain.Apply(cornerOf(g, b, s, rows, lanes).Reverse()))
	}
	return all
}

// cornerOf relates the instances of a statement to those at some offsets in the same block, and in
// the same iterations of the band's other loops.
func cornerOf(g *depend.Graph, b *blocks, s int, rows, lanes int64) *isl.Map {
	program := g.Model.Program
	from, fromText := facts.Tuple(g, s, "tune_a")
	to, toText := facts.Tuple(g, s, "tune_b")
	var conditions []string
	for k := range b.band.Rows {
		row := b.band.Rows[k][s]
		point, corner := row.Text(from, program.Parameters), row.Text(to, program.Parameters)
		switch k {
		case b.rows:
			conditions = append(conditions, inBlock(point, corner, b.shape.Rows, rows))
		case b.lanes:
			conditions = append(conditions, inBlock(point, corner, b.shape.Vectors*b.elements, lanes))
		default:
			conditions = append(conditions, point+" = "+corner)
		}
	}
	text := fmt.Sprintf("%s{ %s -> %s : %s }", program.ParametersText(), fromText, toText, strings.Join(conditions, " and "))
	return g.Model.Context.ReadMap(text)
}

// inBlock says that a point is in the block of a size in which a corner has an offset.
func inBlock(point, corner string, size, offset int64) string {
	return fmt.Sprintf("%[1]d*floor((%[2]s)/%[1]d) + %[4]d = %[3]s", size, point, corner, offset)
}
