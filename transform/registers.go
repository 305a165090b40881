package transform

import (
	"maps"
	"slices"

	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// VectorUnit is what the target has for vectors.
type VectorUnit struct {
	// Bits is the width of a register, Registers their number; zero means no
	// vectors that the models would use.
	Bits, Registers int
}

// lanesOf is the number of elements of so many bytes that fill a register.
func (u VectorUnit) lanesOf(bytes int64) int64 { return int64(u.Bits) / 8 / bytes }

// RegisterShape is the size of register blocks in the axis "registers": rows of so many
// vectors each.
type RegisterShape struct {
	// Rows and Vectors are zero where the model decides.
	Rows, Vectors int64
	// Off leaves registers to the compiler.
	Off bool
}

// shapes are the values of the axis "registers", in this order. The first is the
// default. Those for 16 registers come before those for 32.
var shapes = choices[RegisterShape]{
	{"model", RegisterShape{}},
	{"off", RegisterShape{Off: true}},
	{"2x2", RegisterShape{Rows: 2, Vectors: 2}},
	{"4x1", RegisterShape{Rows: 4, Vectors: 1}},
	{"4x2", RegisterShape{Rows: 4, Vectors: 2}},
	{"4x3", RegisterShape{Rows: 4, Vectors: 3}},
	{"6x2", RegisterShape{Rows: 6, Vectors: 2}},
	{"8x1", RegisterShape{Rows: 8, Vectors: 1}},
	{"8x2", RegisterShape{Rows: 8, Vectors: 2}},
	{"8x3", RegisterShape{Rows: 8, Vectors: 3}},
	{"6x4", RegisterShape{Rows: 6, Vectors: 4}},
	{"12x2", RegisterShape{Rows: 12, Vectors: 2}},
}

// modelShape is the block of the largest number of multiplications for each
// vector that is loaded, among those whose elements, with a row of another operand and
// one broadcast, fit in the registers.
func (u VectorUnit) modelShape() RegisterShape {
	best := RegisterShape{Off: true}
	quality := 0.0
	for vectors := int64(1); vectors <= facts.WidestRow; vectors++ {
		rows := (int64(u.Registers) - facts.SpareRegisters - vectors - 1) / vectors
		if rows < 1 {
			continue
		}
		if rows > 1 {
			rows -= rows % 2
		}
		if q := float64(rows*vectors) / float64(rows+vectors); q > quality {
			best, quality = RegisterShape{Rows: rows, Vectors: vectors}, q
		}
	}
	return best
}

// blockShape is the shape of blocks that the user wants, or the model's.
func (o Options) blockShape() RegisterShape {
	if o.Registers.Rows == 0 {
		return o.Vector.modelShape()
	}
	return o.Registers
}

// within is the shape for loops of so many rows and vectors: larger blocks would never be full.
func (s RegisterShape) within(rows, vectors int64) RegisterShape {
	s.Rows, s.Vectors = min(s.Rows, rows), min(s.Vectors, vectors)
	return s
}

// hasBlocks says whether bands may have register blocks.
func (o Options) hasBlocks() bool {
	return !o.Registers.Off && o.Uses(vectorAxis) && o.Vector.Bits != 0
}

// hasModelBlocks says whether they may, in tiles of the model's sizes.
func (o Options) hasModelBlocks() bool {
	return o.hasBlocks() && !o.Tile.None && len(o.Tile.Sizes) == 0
}

// registerPlan are the loops of a band in their roles for register blocks.
type registerPlan struct {
	// rows and lanes are the loops that are unrolled, the latter by vectors, and
	// stream is the one along which blocks stay in registers.
	rows, lanes, stream int
	shape               RegisterShape
	// elements is the number of elements of a vector.
	elements int64
	// apart says that full stretches run apart from everything else.
	apart bool
	// aside says that parts with fewer loops run in front of the stream of a block, or behind it.
	aside bool
}

// registersOf finds the roles of a band's loops: all its statements update elements that stay the
// same along one of them, lie behind each other along another, and use something again along a
// third, the innermost that there is. Where some statements have fewer loops than the band, that
// holds for those that have all, and stretches in which only one of these runs are apart from
// everything else; so they are where the statements together carry dependences along the lanes, but
// each alone does not. It is nil when there are no such roles.
//
// Statements with fewer loops that do nothing between the others' instances run in front of the
// stream of a block instead, or behind it.
func registersOf(g *depend.Graph, o *Options, band *facts.Band, moves []facts.Movement, lengths []int64, parts []*nodePlan) (*registerPlan, error) {
	u := o.Vector
	if !o.hasBlocks() || !band.Permutable {
		return nil, nil
	}
	deep := slices.DeleteFunc(slices.Clone(moves), func(m facts.Movement) bool { return len(m.Loops) < len(band.Loops) })
	size, shape := facts.ElementSize(g, deep), o.blockShape()
	if size == 0 || shape.Off {
		return nil, nil
	}
	all := len(deep) == len(band.Rows[0])
	aside := !all && mayRunAside(band, deep, parts) && !facts.UsePrivates(g, slices.Collect(maps.Keys(band.Rows[0])))
	for lanes := range slices.Backward(band.Loops) {
		apart := !all && !aside || !band.Coincident[lanes]
		if len(band.Reductions[lanes]) > 0 || apart && !mayBeApart(g, band) {
			continue
		}
		for stream := range band.Loops {
			for rows := range slices.Backward(band.Loops) {
				elements := u.lanesOf(size)
				plan := &registerPlan{rows, lanes, stream, shape.within(lengths[rows], lengths[lanes]/elements), elements, apart, aside && !apart}
				if plan.shape.Vectors == 0 || lanes == stream || rows == lanes || rows == stream || !facts.IsStream(deep, stream) || !fitsLanes(deep, plan) || plan.aside && !facts.MoveAlong(moves, rows, lanes) {
					continue
				}
				if free, err := facts.FreeAlone(g, band, deep, lanes); free || err != nil {
					return plan, err
				}
			}
		}
	}
	return nil, nil
}

// mayRunAside says whether one part has all the statements of most loops and no others, and all
// parts can run one after the other in each block: no dependence leads from a part to one in front
// of it.
func mayRunAside(band *facts.Band, deep []facts.Movement, parts []*nodePlan) bool {
	place, streams := map[int]int{}, 0
	for k, part := range parts {
		for _, s := range part.statements {
			place[s] = k
		}
		count := len(slices.DeleteFunc(slices.Clone(deep), func(m facts.Movement) bool { return !slices.Contains(part.statements, m.Statement) }))
		if count > 0 && count < len(part.statements) {
			return false
		}
		streams += min(count, 1)
	}
	return streams == 1 && !slices.ContainsFunc(band.Active, func(d *depend.Dependence) bool { return place[d.Source] > place[d.Target] })
}

// mayBeApart says whether full stretches of a band's blocks can run apart: one loop
// is left to follow each other along, and no two of them share a variable.
func mayBeApart(g *depend.Graph, band *facts.Band) bool {
	return len(band.Loops) == 3 && !slices.ContainsFunc(g.Model.Program.Privates(), func(private scop.Private) bool {
		return slices.ContainsFunc(private.Statements, func(s int) bool { _, inside := band.Rows[0][s]; return inside })
	})
}

// fitsLanes says whether all targets move along both unrolled loops, by one
// element along the lanes, and some vector is used again along the rows. Vectors of elements
// that do not lie behind each other are gathered only where they are used again.
func fitsLanes(moves []facts.Movement, plan *registerPlan) bool {
	again := false
	for _, m := range moves {
		lanes, rows := m.PlaceOf(plan.lanes), m.PlaceOf(plan.rows)
		if lanes < 0 || rows < 0 {
			return false
		}
		for a, steps := range m.Steps {
			isTarget := a == 0
			along, across := steps[lanes].Distance(), steps[rows].Distance()
			if isTarget && (along != 1 || across == 0) || along > 1 && across != 0 {
				return false
			}
			again = again || !isTarget && along > 0 && across == 0
		}
	}
	return again
}

// emitRegisters emits the command, with the loop over blocks of rows inside that over
// blocks of lanes: the operand that moves along the lanes stays in the first cache
// while the rows pass by.
func (p *planner) emitRegisters(band *facts.Band, plan *registerPlan) {
	p.emit(command.Registers{
		Loops: []string{band.Loops[plan.rows], band.Loops[plan.lanes]},
		Sizes: []int64{plan.shape.Rows, plan.shape.Vectors * plan.elements},
		Lanes: plan.elements,
		Apart: plan.apart,
		Ahead: p.options.Uses(aheadAxis),
	})
	p.emit(command.Sink{Loop: band.Loops[plan.rows] + "r"})
	if plan.aside {
		p.emitAside(band, plan)
	}
}

// emitAside gives each part loops of its own inside the blocks.
func (p *planner) emitAside(band *facts.Band, plan *registerPlan) {
	var inside []string
	for k, loop := range band.Loops {
		if k != plan.rows && k != plan.lanes {
			inside = append(inside, loop)
		}
	}
	p.emit(command.Distribute{Loops: append(inside, band.Loops[plan.rows], band.Loops[plan.lanes])})
}
