package device

import (
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/loopir"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
)

// streamer makes the code of overlapped tiles that are streamed.
type streamer struct {
	*mapper
	of   *schedule.Overlapped
	said *mark.Streaming
	// swapped are the arrays with a second grid.
	swapped []string
	// statements are those of the tiles, values the coordinates of the one at hand.
	statements []int
	values     []*loopir.Expr
	// known is what is known of the tile's coordinates, as parameters.
	known *isl.Set
	// reads are where steps read the values of fields.
	reads map[*loopir.StreamField][]fieldRead
}

// streamed is the code of overlapped tiles that are streamed: it has its own loops in the place of
// those below the mark, which say in which order they run.
func (m *mapper) streamed(s *loopir.Marked, c context) (loopir.Code, error) {
	said := s.Mark.(mark.Overlapped)
	n, place, err := m.env.Tree().Loop(said.Loop)
	if err != nil {
		return nil, err
	}
	if slices.Contains(m.made, said.String()) {
		return nil, fmt.Errorf("isl has made several pieces of the code of the tiles of %s", said.Loop)
	}
	m.made = append(m.made, said.String())
	loopir.Walk(s.Body, func(inside loopir.Stmt) {
		if marked, is := inside.(*loopir.Marked); is {
			m.env.Honour(marked.Mark)
		}
	})
	w := &streamer{mapper: m, of: n.Loops[place].Overlapped.Of, said: said.Streaming, swapped: said.Swapped, statements: n.Statements, reads: map[*loopir.StreamField][]fieldRead{}}
	tiles := w.of.Tiles(m.env.Model())
	if w.values, err = m.allValues(tiles, "the tiles of "+said.Loop, c.values); err != nil {
		return nil, err
	}
	if err := w.checkTime(s.Body); err != nil {
		return nil, err
	}
	w.known = asParameters(m.env.Model(), tiles, w.coordinates()).Intersect(m.env.Model().Parameters)
	columns, err := w.columns(n.Loops[place+1:])
	if err != nil {
		return nil, err
	}
	tile := &loopir.Streamed{Var: streamVar, Columns: columns}
	w.widen(tile)
	if err := w.typeOf(tile); err != nil {
		return nil, err
	}
	for step := range w.of.Sizes[0] {
		tile.Steps = append(tile.Steps, &loopir.StreamStep{Lag: step * w.said.Lag})
	}
	for step := range w.of.Sizes[0] {
		if err := w.step(tile, step); err != nil {
			return nil, err
		}
	}
	if err := w.fill(tile); err != nil {
		return nil, err
	}
	if err := w.measure(tile); err != nil {
		return nil, err
	}
	return loopir.Code{tile}, m.env.Model().Context.Err()
}

// checkTime checks that instances below the mark are in the time tile at hand: isl may have two time
// tiles in one iteration of a loop with steps, whose variable is the number of the first one.
func (w *streamer) checkTime(code loopir.Code) error {
	for _, r := range loopir.Runs(code) {
		time := quotaOf(rowAt(w.of.Time[r.Statement.Index], r, w.env.Model().Program.Parameters)).plus(quotaOf(w.values[0]), -w.of.Sizes[0])
		if step := time.factors[""]; time.isNumber() && (step < 0 || step >= w.of.Sizes[0]*time.denominator) {
			return fmt.Errorf("isl has several time tiles in one iteration, of which %s is in another one than its loop says; take more steps for a tile", r.Statement.Spelling())
		}
	}
	return nil
}

// streamVar is the name of the plane of the first step.
const streamVar = "tune_s"

// columns are the loops inside of that over time, which threads share.
func (w *streamer) columns(loops []*schedule.Loop) (columns []loopir.Column, err error) {
	place := 0
	for _, l := range loops[2:] {
		if place == w.said.Place {
			place++
		}
		thread, is := mark.Of[mark.Thread](l.Marks)
		if !is {
			return nil, fmt.Errorf("threads do not share the loop %s of tiles that are streamed; write thread %[1]s by 128", l.Name)
		}
		again, width := w.again(place, 0), w.of.Sizes[place+1]
		columns = append(columns, loopir.Column{
			Var: columnName(place), Dimension: thread.Dimension, Threads: thread.Count,
			From: w.atTile(place, -again), Count: width + 2*again,
		})
		place++
	}
	return columns, nil
}

// again is how many points a tile computes again in a step, at either end of a loop over space.
func (w *streamer) again(place int, step int64) int64 {
	return w.of.Slopes[place].Floor(w.of.Sizes[0] - 1 - step)
}

// atTile is a value of a loop over space, by its distance from the tile's first one.
func (w *streamer) atTile(place int, distance int64) *loopir.Expr {
	sum := newLinear()
	sum.constant = distance
	sum.add(w.values[place+1], w.of.Sizes[place+1])
	return sum.expression()
}

// widen gives columns those beside them whose values are read.
func (w *streamer) widen(tile *loopir.Streamed) {
	for _, r := range w.said.Reads {
		for k, d := range w.beside(r.Distance) {
			c := &tile.Columns[k]
			c.Before, c.Behind = max(c.Before, -d), max(c.Behind, d)
		}
	}
	for k := range tile.Columns {
		c := &tile.Columns[k]
		sum := newLinear()
		sum.constant = -c.Before
		sum.add(c.From, 1)
		c.From, c.Count = sum.expression(), c.Count+c.Before+c.Behind
	}
}

// measure finds which planes run, and how many of them have registers: those from the one that is
// loaded or computed to the last one that is read.
func (w *streamer) measure(tile *loopir.Streamed) error {
	tile.Planes = 1
	// before is how many planes before its first instance the tile begins, and again the same for its
	// own first instance.
	before, again := int64(0), w.again(w.said.Place, 0)
	for _, step := range tile.Steps {
		for _, f := range step.Fields {
			for _, r := range w.reads[f] {
				newest, read := f.Newest-step.Lag, r.Distance[w.said.Place]
				tile.Planes = max(tile.Planes, newest-(read-r.step*w.said.Lag)+1)
				before, again = max(before, newest-read), max(again, newest-read+w.again(w.said.Place, r.step))
			}
		}
	}
	behind, width := w.said.Lag*(w.of.Sizes[0]-1), w.of.Sizes[w.said.Place+1]
	tile.From, tile.To = w.atTile(w.said.Place, -again), w.atTile(w.said.Place, width-1+behind)
	first, last, err := w.planes()
	if err != nil {
		return err
	}
	if first != nil && last != nil {
		first.Constant, last.Constant = first.Constant-before, last.Constant+behind
		tile.From = loopir.Operation(isl.OpMax, tile.From, w.atLoops(*first, nil))
		tile.To = loopir.Operation(isl.OpMin, tile.To, w.atLoops(*last, nil))
	}
	return nil
}

// typeOf gives the tile the type of its values, which is one.
func (w *streamer) typeOf(tile *loopir.Streamed) error {
	for _, s := range w.statements {
		statement := w.env.Model().Statements[s].Statement
		array := w.env.Model().Program.Array(statement.Accesses[0].Array)
		kind := elementType(array)
		switch {
		case assignedOperands(w.env.Model().Program, statement) == nil:
			return fmt.Errorf("tiles are streamed of assignments of an element, and %s is none", statement.Spelling())
		case tile.Type != "" && tile.Type != kind:
			return fmt.Errorf("tiles that are streamed have values of one type, and not of %s and %s", tile.Type, kind)
		}
		tile.Type, tile.Bytes = kind, int64(array.Size)
	}
	return nil
}

// planes are the first and the last plane that has an instance; nil where these are no sums.
func (w *streamer) planes() (first, last *scop.Row, err error) {
	var all *isl.Set
	for _, s := range w.statements {
		planes := w.env.Model().Statements[s].Domain.Apply(w.of.Places(w.env.Model(), s))
		planes = planes.ProjectOut(isl.DimSet, w.said.Place+2, len(w.of.Space)-w.said.Place-1).ProjectOut(isl.DimSet, 0, w.said.Place+1)
		if all == nil {
			all = planes
		} else {
			all = all.Union(planes)
		}
	}
	of := func(set *isl.Set) (*scop.Row, error) {
		rows, err := scop.Subscripts(set.Coalesce().Apply(w.env.Model().Context.ReadMap("{ [p] -> [[] -> [p]] }")).Unwrap())
		if rows == nil || err != nil {
			return nil, err
		}
		return &rows[0], nil
	}
	if first, err = of(all.Lexmin()); err == nil {
		last, err = of(all.Lexmax())
	}
	return first, last, err
}

// operandsOf are the references of an assignment with =, in the order of its accesses: the target
// first; nil for a statement that is more than that.
func operandsOf(program *scop.Program, s *scop.Statement) (operands []*scop.Ref) {
	if assignment, is := s.Value.(*scop.Binary); is && assignment.Operator == "=" {
		return assignedOperands(program, s)
	}
	return nil
}

// assignedOperands are those of an assignment with any operator.
func assignedOperands(program *scop.Program, s *scop.Statement) (operands []*scop.Ref) {
	assignment, is := s.Value.(*scop.Binary)
	if !is || !isAssignment(assignment.Operator) {
		return nil
	}
	scop.Walk(assignment, func(e scop.Expr) bool {
		ref, is := e.(*scop.Ref)
		if is && slices.ContainsFunc(program.Arrays, func(a scop.Array) bool { return isNamed(&a, ref) }) {
			operands = append(operands, ref)
		}
		return true
	})
	if len(operands) != len(s.Accesses) {
		return nil
	}
	for k, operand := range operands {
		if access := s.Accesses[k]; !isNamed(program.Array(access.Array), operand) || access.Write != (k == 0) {
			return nil
		}
	}
	return operands
}

// beside is a distance without that along which tiles are streamed.
func (w *streamer) beside(distance []int64) []int64 {
	return slices.Delete(slices.Clone(distance), w.said.Place, w.said.Place+1)
}

// step makes a step's instances, and the fields that they read.
func (w *streamer) step(tile *loopir.Streamed, number int64) error {
	made := tile.Steps[number]
	for _, s := range w.statements {
		run, err := w.instanceAt(s, number, w.planeOf(made.Lag), nil)
		if err != nil {
			return err
		}
		condition := w.condition(w.instances(s, number, schedule.Computed, nil), w.planeOf(made.Lag))
		if condition.IsInt(0) {
			continue
		}
		one := &loopir.StreamRun{If: condition, Body: loopir.Code{run}, Swapped: slices.Contains(w.swapped, w.writtenBy(s))}
		if number >= w.of.Sizes[0]-w.of.Keeping {
			one.Stores = condition
			if number < w.of.Sizes[0]-1 {
				one.Stores = w.condition(w.instances(s, number, schedule.Own, nil), w.planeOf(made.Lag))
			}
		}
		for _, r := range w.readsOf(s) {
			field := w.fieldFor(tile, fieldRead{r, s, number})
			one.Reads = append(one.Reads, loopir.StreamRead{Access: r.Access, Field: field, Along: r.Distance[w.said.Place], Beside: w.numberBeside(field, r)})
		}
		made.Body = append(made.Body, one)
	}
	return nil
}

// writtenBy is the array that a statement writes.
func (w *streamer) writtenBy(s int) string {
	return w.env.Model().Statements[s].Statement.Accesses[0].Array
}

// readsOf are the accesses of a statement to values that tiles compute.
func (w *streamer) readsOf(s int) (reads []mark.StreamRead) {
	for _, r := range w.said.Reads {
		if r.Statement == w.env.Model().Statements[s].Name {
			reads = append(reads, r)
		}
	}
	return reads
}

// planeOf is the plane of a step that is so far behind the first one.
func (w *streamer) planeOf(lag int64) *loopir.Expr {
	sum := newLinear()
	sum.add(loopir.Named(streamVar), 1)
	sum.constant = -lag
	return sum.expression()
}

// instanceAt is the instance of a statement in a step, at a plane and the columns at hand, less a
// distance.
func (w *streamer) instanceAt(s int, step int64, plane *loopir.Expr, distance []int64) (*loopir.Run, error) {
	model := &w.env.Model().Statements[s]
	run := &loopir.Run{Statement: model, At: make([]*loopir.Expr, model.Depth())}
	give := func(row schedule.Row, value *linear) error {
		k := slices.IndexFunc(row.Iterators, func(factor int64) bool { return factor != 0 })
		if k < 0 {
			return nil // the condition of the instance says where it is
		}
		if run.At[k] != nil || slices.ContainsFunc(row.Iterators[k+1:], func(factor int64) bool { return factor != 0 }) {
			return fmt.Errorf("the loops of tiles that are streamed have the values of iterators, and of %s the sums %s", model.Spelling(), row.Text(w.env.Model().Program.IteratorNames(s), w.env.Model().Program.Parameters))
		}
		value.constant -= row.Constant
		for p, factor := range row.Parameters {
			value.add(loopir.Named(w.env.Model().Program.Parameters[p]), -factor)
		}
		factor := row.Iterators[k]
		if factor < 0 { // the loop counts down
			value, factor = linearOf(loopir.Operation(isl.OpMinus, value.expression())), -factor
		}
		if quotient := value.divided(factor); quotient != nil {
			run.At[k] = quotient.expression()
		} else {
			run.At[k] = loopir.Operation(isl.OpFdivQ, value.expression(), loopir.Int(factor))
		}
		return nil
	}
	time := newLinear()
	time.constant = step
	time.add(w.values[0], w.of.Sizes[0])
	if err := give(w.of.Time[s], time); err != nil {
		return nil, err
	}
	for k, rows := range w.of.Space {
		at := newLinear()
		if k == w.said.Place {
			at.add(plane, 1)
		} else {
			at.add(loopir.Named(columnName(k)), 1)
		}
		if distance != nil {
			at.constant -= distance[k]
		}
		if err := give(rows[s], at); err != nil {
			return nil, err
		}
	}
	if k := slices.Index(run.At, nil); k >= 0 {
		return nil, fmt.Errorf("no loop of tiles that are streamed has the values of %s of %s", w.env.Model().Program.IteratorNames(s)[k], model.Spelling())
	}
	return run, nil
}

// columnName is the name of the column at hand along a loop over space.
func columnName(place int) string { return fmt.Sprintf("tune_c%d", place) }
