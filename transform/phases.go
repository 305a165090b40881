package transform

import (
	"maps"
	"slices"

	"polytune/internal/integer"
	"polytune/isl"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// phasing are the tiles of a factorization's band in phases: in each iteration of the loop over
// tiles along the stream, first the tile in which all loops stand at the same tile, then the panels
// beside and below it, then the update of all that is left, by tiles that do not wait
// for each other and whose operands are all there before (the right-looking blocked
// form; Golub and Van Loan, Matrix Computations, section 3.2.11).
type phasing struct {
	*registerPlan
	band    *facts.Band
	moves   []facts.Movement
	command command.Phases
	// size is that of the tiles along all loops, and wide the number of tiles along the
	// lanes whose operand is packed at a time.
	size, wide int64
	// dependences are those of the band.
	dependences []*depend.Dependence
	// uneven says that tiles of the last phase along the rows differ in their work.
	uneven bool
	// sets are the instances by phase and statement.
	sets []map[int]*isl.Set
}

// The phases by their numbers: those whose tiles stand elsewhere along the rows, the lanes, or
// both.
const (
	rowsElsewhere = 1 + iota
	lanesElsewhere
	trailing
	phaseCount
)

// phaseSizes chooses the size of tiles, in whole register blocks along all loops.
func (p *planner) phaseSizes(f *phasing, d *decision) error {
	lengths, err := p.lengthsOfRun(f.band)
	if err != nil {
		return err
	}
	width := f.shape.Vectors * f.elements
	block := f.shape.Rows / integer.GCD(f.shape.Rows, width) * width
	bytes := p.options.Vector.lanesOf(f.elements)
	most := rowsInCache(&p.options, facts.RowsOfWaves, facts.RowsOfWaves*bytes)
	f.size = evenly(lengths[f.rows], int64(float64(most)*orOne(p.options.Tile.Scale)), block, 1)
	_, lanes := mostInCaches(&p.options, d, f.registerPlan, f.size*bytes, map[int]bool{})
	f.wide = max(1, min(lanes, facts.MostLanes)/f.size)
	return nil
}

// updateIsShort says whether what one step of the stream updates is never longer than a tile, as in
// a matrix of few diagonals: hardly anything is left for the last phase.
func (p *planner) updateIsShort(f *phasing) (bool, error) {
	outer := maps.Clone(f.band.Outer)
	facts.AppendRows(outer, f.band.Rows[f.stream])
	lengths, err := p.lengths(&facts.Band{Rows: f.band.Rows[f.rows : f.rows+1], Outer: outer})
	return err == nil && lengths[0] <= f.size, err
}

// findPhases finds the instances of each phase.
func findPhases(g *depend.Graph, f *phasing) {
	for number := range phaseCount {
		sets := map[int]*isl.Set{}
		for s := range f.band.Rows[0] {
			set := g.Model.Statements[s].Domain
			for _, along := range []struct{ loop, bit int }{{f.lanes, lanesElsewhere}, {f.rows, rowsElsewhere}} {
				at := schedule.InOneTile(g.Model, s, f.band.Rows[along.loop][s], f.band.Rows[f.stream][s], f.size)
				if number&along.bit == 0 {
					set = set.Intersect(at)
				} else {
					set = set.Subtract(at)
				}
			}
			if empty, err := set.IsEmpty(); err != nil || !empty {
				sets[s] = set.Coalesce()
			}
		}
		f.sets = append(f.sets, sets)
	}
}

// isUpdate says whether the last phase is one update: its statements do what the first of them
// does, have no gaps, and carry nothing along the lanes.
func isUpdate(g *depend.Graph, f *phasing) (bool, error) {
	first, whole, model := -1, (*isl.Set)(nil), g.Model
	for _, m := range f.moves {
		s := m.Statement
		if f.sets[trailing][s] == nil {
			continue
		}
		if first < 0 {
			if len(m.Loops) < len(f.band.Loops) {
				return false, nil
			}
			first, whole = s, model.Statements[s].Domain
			continue
		}
		twin, ok := schedule.TwinOf(model, first, s)
		if !ok {
			return false, nil
		}
		whole = whole.Union(model.Statements[s].Domain.Apply(model.Context.ReadMap(twin.Relation(model.Program, first, s))))
	}
	if first < 0 {
		return false, nil
	}
	parts := whole.Coalesce().BasicSets()
	if len(parts) != 1 {
		return false, nil
	}
	var err error
	if f.uneven, err = f.relatesRowsAndLanes(parts[0], first); err != nil {
		return false, err
	}
	point := map[int]int64{f.stream: 1, f.rows: 1}
	return f.none(func(d *depend.Dependence) *isl.Map {
		inside := between(g, f, d, trailing, trailing).Intersect(facts.SameTile(g, f.band, d.Source, d.Target, point))
		return inside.Subtract(facts.SameTile(g, f.band, d.Source, d.Target, map[int]int64{f.lanes: 1}))
	})
}

// relatesRowsAndLanes says whether a condition of the update's instances, those of a statement, is
// about the rows and the lanes: tiles of some rows have more lanes then than those of others.
func (f *phasing) relatesRowsAndLanes(update *isl.BasicSet, s int) (bool, error) {
	rows, lanes := facts.UnitOf(f.band.Rows[f.rows][s]), facts.UnitOf(f.band.Rows[f.lanes][s])
	equalities, inequalities, err := update.Constraints()
	return rows >= 0 && lanes >= 0 && slices.ContainsFunc(slices.Concat(equalities, inequalities), func(condition []int64) bool {
		return condition[rows] != 0 && condition[lanes] != 0
	}), err
}

// followEachOther says whether no phase waits for a later one of the same iteration, and no
// tile of a phase for another one.
func followEachOther(g *depend.Graph, f *phasing) (bool, error) {
	for from := range phaseCount {
		for to := range from {
			if ok, err := f.none(func(d *depend.Dependence) *isl.Map { return between(g, f, d, from, to) }); !ok || err != nil {
				return false, err
			}
		}
		fixed := map[int]int64{f.parallelIn(from): f.size}
		if ok, err := f.none(func(d *depend.Dependence) *isl.Map {
			if from == 0 {
				return d.Relation.Subtract(d.Relation)
			}
			return between(g, f, d, from, from).Subtract(facts.SameTile(g, f.band, d.Source, d.Target, fixed))
		}); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// parallelIn is the loop whose tiles run on several threads in a phase other than the first.
func (f *phasing) parallelIn(number int) int {
	if number == lanesElsewhere {
		return f.lanes
	}
	return f.rows
}

// none says whether no dependence of the band has some pairs.
func (f *phasing) none(pairs func(*depend.Dependence) *isl.Map) (bool, error) {
	for _, d := range f.dependences {
		if empty, err := pairs(d).IsEmpty(); !empty || err != nil {
			return false, err
		}
	}
	return true, nil
}

// between are the pairs of a dependence from one phase to another in the same iteration over
// tiles along the stream.
func between(g *depend.Graph, f *phasing, d *depend.Dependence, from, to int) *isl.Map {
	source, target := f.sets[from][d.Source], f.sets[to][d.Target]
	if source == nil || target == nil {
		return d.Relation.Subtract(d.Relation)
	}
	return d.Relation.IntersectDomain(source).Reverse().IntersectDomain(target).Reverse().Intersect(facts.SameTile(g, f.band, d.Source, d.Target, map[int]int64{f.stream: f.size}))
}

// emitPhases emits the commands.
func (p *planner) emitPhases(f *phasing) error {
	tiles := p.tile(f.band.Loops, []int64{f.size, f.size, f.size})
	for _, k := range []int{f.lanes, f.rows} {
		p.emit(command.Sink{Loop: tiles[k]})
	}
	p.emit(f.command)
	for number, sets := range f.sets {
		if len(sets) == 0 {
			continue
		}
		own := *f.band
		own.Loops = nil
		for _, loop := range f.band.Loops {
			own.Loops = append(own.Loops, f.command.In(number, loop))
		}
		if number == trailing {
			if err := p.emitUpdate(f, &own); err != nil {
				return err
			}
			continue
		}
		if number > 0 {
			if err := p.emitPhaseParallel(own.Loops[f.parallelIn(number)]+"t", false, own.Statements(), own.Outer); err != nil {
				return err
			}
		}
		p.emitRegisters(&own, panelBlocks(&p.options, f))
	}
	return nil
}

// panelBlocks are the register blocks of the phases in front of the last one, which has copies of
// its operands: one vector wide where lanes gather elements from as many rows, as those of cholesky
// do, of which the triangle at the diagonal reads columns again and again. On one thread of an AMD
// Zen 4 cholesky takes 0.91 to 0.95 of the time that it takes with three vectors (500, 1000 and
// 2000 rows), and 0.6 with 1024, whose rows share sets of the caches; lu, whose lanes lie behind
// each other, 1.2.
func panelBlocks(o *Options, f *phasing) *registerPlan {
	plan := *f.registerPlan
	gathers := slices.ContainsFunc(f.moves, func(m facts.Movement) bool {
		k := m.PlaceOf(f.lanes)
		return len(m.Loops) == len(f.band.Loops) && slices.ContainsFunc(m.Steps, func(steps []facts.Step) bool { return steps[k].Distance() > 1 })
	})
	if gathers && o.Registers.Rows == 0 {
		plan.shape.Vectors = 1
	}
	return &plan
}

// emitPhaseParallel runs the tiles of a phase, which differ in their work or not, on several
// threads, unless the statements of all phases, inside loops whose rows are given, have too few
// instances.
func (p *planner) emitPhaseParallel(tile string, uneven bool, statements []int, outer map[int][][]int64) error {
	if !p.options.Uses(parallelAxis) {
		return nil
	}
	p.emit(command.Parallel{Loop: tile})
	p.emitSharing(tile, uneven)
	return p.emitGrain(tile, statements, outer)
}

// emitUpdate emits the last phase as a matrix product is: threads share out the tiles along the
// rows, for each of which they have a copy of one operand, and all have one copy of the other.
func (p *planner) emitUpdate(f *phasing, band *facts.Band) error {
	lanes, rows := band.Loops[f.lanes]+"t", band.Loops[f.rows]+"t"
	p.emit(command.Tile{Loops: []string{lanes}, Sizes: []int64{f.wide}})
	p.emit(command.Sink{Loop: lanes})
	if err := p.emitPhaseParallel(rows, f.uneven, band.Statements(), band.Outer); err != nil {
		return err
	}
	plan := *f.registerPlan
	plan.apart = false
	p.emitRegisters(band, &plan)
	for _, m := range f.moves {
		if f.sets[trailing][m.Statement] == nil || len(m.Loops) < len(band.Loops) {
			continue
		}
		if err := p.emitUpdatePacks(f, m, rows, lanes+"t"); err != nil {
			return err
		}
	}
	return nil
}

// emitUpdatePacks emits the copies of the operands of a statement in the last phase, which nothing
// there writes: at one loop those that move along the rows, at another those that move along the
// lanes.
func (p *planner) emitUpdatePacks(f *phasing, m facts.Movement, atRows, atLanes string) error {
	for a, steps := range m.Steps {
		alongRows, alongLanes := steps[m.PlaceOf(f.rows)].Distance() != 0, steps[m.PlaceOf(f.lanes)].Distance() != 0
		if a == 0 || alongRows == alongLanes || steps[m.PlaceOf(f.stream)].Distance() == 0 {
			continue
		}
		pack := command.Pack{Statement: m.Statement, Reference: a, Loop: atRows}
		if alongLanes {
			pack.Loop = atLanes
		}
		free, err := f.none(func(d *depend.Dependence) *isl.Map {
			if d.Target != m.Statement || d.TargetAccess != a || d.Kind != depend.RAW {
				return d.Relation.Subtract(d.Relation)
			}
			return between(p.graph, f, d, trailing, trailing)
		})
		if err != nil {
			return err
		}
		if free {
			p.emit(pack)
		}
	}
	return nil
}
