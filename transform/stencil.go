package transform

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// stencil is the canonical form of statements inside of one loop over time (RR-8339, section 3.2):
// each has the rows [k t + i, s0, s1, …], of which the first one carries all dependences.
type stencil struct {
	statements []int
	time       map[int]schedule.Row
	space      []map[int]schedule.Row
	// steps is k, the number of values of the first row for an iteration of the loop over time.
	steps int64
	// slopes are those of hexagons: delta0 and delta1 of the first dimension of space, and delta1
	// of the others.
	slopes []schedule.Slope
	// around are the slopes of overlapped tiles: along each dimension of space, the largest in both
	// directions.
	around []schedule.Slope
	// touches are the accesses of the statements.
	touches []touch
	// turned says that some statements run backwards through space.
	turned bool
	// meetings are the pairs of statements that run in one step at one place.
	meetings [][2]int
	// repeats are those of the statements, nil where nobody has asked for them yet, and noRepeats is
	// why there are none.
	repeats   *repeats
	noRepeats error
}

// NoStencil says why statements have no tiles in time and space.
type NoStencil struct{ Reason string }

func (e *NoStencil) Error() string { return e.Reason }

func noStencil(format string, args ...any) error {
	return &NoStencil{Reason: fmt.Sprintf(format, args...)}
}

// stencilOf is the canonical form of statements with the dependences between them.
func stencilOf(g *depend.Graph, statements []int, active []*depend.Dependence) (*stencil, error) {
	f := &stencil{statements: statements}
	active = facts.Constraining(active)
	if len(active) == 0 {
		return nil, noStencil("nothing depends on anything in %s, which needs no tiles in time", g.Model.Names(statements))
	}
	if err := cmp.Or(checkOneLoop(g, statements), checkPrivates(g, statements)); err != nil {
		return nil, err
	}
	if err := numberSteps(g, f, active); err != nil {
		return nil, err
	}
	if err := layOut(g, f); err != nil {
		return nil, err
	}
	if err := findSlopesTurned(g, f, active); err != nil {
		return nil, err
	}
	if err := findMeetings(g, f); err != nil {
		return nil, err
	}
	return f, findTouches(g, f)
}

// checkOneLoop says whether statements are inside of one loop of the source, and some of two, and
// have no updates that may run in any order.
func checkOneLoop(g *depend.Graph, statements []int) error {
	first := g.Model.Program.Statements[statements[0]].Position[0]
	for _, s := range statements {
		if statement := &g.Model.Program.Statements[s]; statement.Depth() == 0 || statement.Position[0] != first {
			return noStencil("no one loop is around all of %s", g.Model.Names(statements))
		}
	}
	if depthAround(g, statements) < 2 {
		return noStencil("there is no loop over space inside of that around %s", g.Model.Names(statements))
	}
	if relaxed := facts.Within(depend.Distinct(g.Relaxed), statements); len(relaxed) > 0 {
		return noStencil("%s adds up in any order", g.Model.Names([]int{relaxed[0].Source}))
	}
	return nil
}

// checkPrivates says whether some of the statements have a variable of which each iteration has one
// of its own: tiles have them in different steps.
func checkPrivates(g *depend.Graph, statements []int) error {
	for _, private := range g.Model.Program.Privates() {
		own := slices.DeleteFunc(slices.Clone(private.Statements), func(s int) bool { return !slices.Contains(statements, s) })
		if len(own) > 0 {
			return noStencil("each iteration has a variable %s of its own, and tiles have the statements with it, %s, in different steps; write its value in its place, or give it elements by --expand",
				private.Name, g.Model.Names(own))
		}
	}
	return nil
}

// depthAround is the largest number of loops around one of some statements.
func depthAround(g *depend.Graph, statements []int) (depth int) {
	for _, s := range statements {
		depth = max(depth, g.Model.Statements[s].Depth())
	}
	return depth
}

// numberSteps gives each statement the time k t + i: i is the number of statements of one iteration
// of the loop over time that have to run before it, along the longest chain.
func numberSteps(g *depend.Graph, f *stencil, active []*depend.Dependence) error {
	at := map[int]int64{}
	var together []*depend.Dependence
	for _, d := range active {
		same, err := g.Unsatisfied(d, outermost(g, d.Source), outermost(g, d.Target))
		switch {
		case err != nil:
			return err
		case same == nil:
		case d.Source == d.Target:
			return noStencil("in one iteration of the outermost loop, which has to carry all dependences, there is %s", inWords(g, d))
		default:
			together = append(together, d)
		}
	}
	for round := range len(f.statements) + 1 {
		var changed *depend.Dependence
		for _, d := range together {
			if at[d.Target] <= at[d.Source] {
				at[d.Target], changed = at[d.Source]+1, d
			}
		}
		if changed == nil {
			break
		}
		if round == len(f.statements) {
			return noStencil("%s depends on itself, by other statements, in one iteration of the outermost loop, which has to carry all dependences: there is %s", g.Model.Names([]int{changed.Target}), inWords(g, changed))
		}
	}
	f.steps = 1
	for _, i := range at {
		f.steps = max(f.steps, i+1)
	}
	f.time = map[int]schedule.Row{}
	for _, s := range f.statements {
		row := outermost(g, s)
		row = row.Plus(row, f.steps-1)
		row.Constant += at[s]
		f.time[s] = row
	}
	return nil
}

// outermost is the row of the outermost loop of the source around a statement.
func outermost(g *depend.Graph, s int) schedule.Row { return g.Model.Statements[s].Times[0] }

// layOut gives all statements the same number of dimensions of space: those of statements in fewer
// loops follow from what they and others access.
func layOut(g *depend.Graph, f *stencil) error {
	dimensions := depthAround(g, f.statements) - 1
	var whole []int
	for _, s := range f.statements {
		if g.Model.Statements[s].Depth() == dimensions+1 {
			whole = append(whole, s)
		}
	}
	for d := range dimensions {
		rows := map[int]schedule.Row{}
		for _, s := range f.statements {
			if slices.Contains(whole, s) {
				rows[s] = g.Model.Statements[s].Times[d+1]
				continue
			}
			row, err := alignedRow(g, s, whole, d)
			if err != nil {
				return err
			}
			rows[s] = row
		}
		f.space = append(f.space, rows)
	}
	return nil
}

// alignedRow is the row of a dimension of space for a statement in fewer loops than others have:
// the subscript of an array where that of one of the others is the dimension. What others write
// counts before what they read: an edge is beside the points of its own array.
func alignedRow(g *depend.Graph, s int, whole []int, dimension int) (schedule.Row, error) {
	own := &g.Model.Statements[s]
	for a, access := range own.Statement.Accesses {
		subscripts, err := own.EachSubscript(a)
		if err != nil {
			return schedule.Row{}, err
		}
		for _, written := range []bool{true, false} {
			for _, w := range whole {
				at, is, err := subscriptOf(g, w, access.Array, written, dimension)
				if err != nil {
					return schedule.Row{}, err
				}
				if is && at.place < len(subscripts) && subscripts[at.place] != nil {
					return at.rowOf(*subscripts[at.place]), nil
				}
			}
		}
	}
	return schedule.Row{}, noStencil("%s is in fewer loops than others, and no array that it shares with them says where in space it is", g.Model.Names([]int{s}))
}

// follower is a subscript of an array that is a dimension of space, times 1 or -1, plus an offset.
type follower struct {
	place  int
	sign   int64
	offset schedule.Row
}

// rowOf is the row of the dimension where the subscript is a row.
func (f follower) rowOf(subscript schedule.Row) schedule.Row {
	none := schedule.Row{Iterators: make([]int64, len(subscript.Iterators)), Parameters: make([]int64, len(subscript.Parameters))}
	offset := schedule.Row{Iterators: none.Iterators, Parameters: f.offset.Parameters, Constant: f.offset.Constant}
	return none.Plus(subscript.Plus(offset, -1), f.sign)
}

// subscriptOf is the subscript of an array that follows a dimension of space of a statement, where
// the statement writes the array, or reads it.
func subscriptOf(g *depend.Graph, s int, array string, written bool, dimension int) (at follower, is bool, err error) {
	statement := &g.Model.Statements[s]
	for a, access := range statement.Statement.Accesses {
		if access.Array != array || access.Write != written {
			continue
		}
		subscripts, err := statement.EachSubscript(a)
		if err != nil {
			return at, false, err
		}
		for k, row := range subscripts {
			for _, sign := range []int64{1, -1} {
				if row == nil {
					continue
				}
				if offset := row.Plus(statement.Times[dimension+1], -sign); scop.IsZero(offset.Iterators) {
					return follower{k, sign, offset}, true, nil
				}
			}
		}
	}
	return at, false, nil
}

// findSlopesTurned finds the slopes, of statements of which some run backwards through space where
// there are none otherwise.
func findSlopesTurned(g *depend.Graph, f *stencil, active []*depend.Dependence) error {
	unbounded := findSlopes(g, f, active)
	if !errors.As(unbounded, new(*NoStencil)) {
		return unbounded
	}
	if turns, err := reflectBand(g, f, active); err != nil || !turns {
		return cmp.Or(err, unbounded)
	}
	f.slopes, f.around, f.turned = nil, nil, true
	if err := findSlopes(g, f, active); !errors.As(err, new(*NoStencil)) {
		return err
	}
	return unbounded
}

// findSlopes finds how far dependences go along the dimensions of space for each step of time, at
// most: delta0 is the largest distance forwards over that in time, delta1 the largest one
// backwards. These are linear programs over the dependences (RR-8339, 3.3.2), whose optima are at
// their vertices and rays.
func findSlopes(g *depend.Graph, f *stencil, active []*depend.Dependence) error {
	for d, rows := range f.space {
		f.around = append(f.around, schedule.NewSlope(0, 1))
		for _, sign := range []int64{1, -1} {
			slope := schedule.NewSlope(0, 1)
			for _, dependence := range active {
				own, err := slopeOf(g, dependence, f.time, rows, sign)
				if err != nil {
					return err
				}
				slope = slope.Max(own)
			}
			if f.around[d] = f.around[d].Max(slope); sign < 0 || d == 0 {
				f.slopes = append(f.slopes, slope)
			}
		}
	}
	return nil
}

// slopeOf is the largest distance of a dependence along a dimension, in the direction of a sign,
// over its distance in time.
func slopeOf(g *depend.Graph, d *depend.Dependence, time, rows map[int]schedule.Row, sign int64) (schedule.Slope, error) {
	cone, err := d.Cone()
	if err != nil {
		return schedule.Slope{}, err
	}
	steps := d.Distance(time[d.Source], time[d.Target], 1, 0)
	if first := d.Distance(time[d.Source], time[d.Target], 1, -1); !cone.Contains(first) {
		return schedule.Slope{}, noStencil("the loop over time does not carry %s", inWords(g, d))
	}
	over, under, bounded := cone.Slope(steps, d.Distance(rows[d.Source], rows[d.Target], sign, 0))
	slope := schedule.NewSlope(over, under)
	if !bounded || slope.Over > schedule.MostSlope || slope.Under > schedule.MostSlope {
		return slope, noStencil("no number bounds how far this goes in space for each step of time: %s", inWords(g, d))
	}
	return slope, nil
}

// inWords says between which references a dependence is.
func inWords(g *depend.Graph, d *depend.Dependence) string {
	reference := func(statement, place int) string {
		program := g.Model.Program
		access := program.Statements[statement].Accesses[place]
		text := schedule.ReferenceText(program, statement, place)
		if text == "" {
			text = program.Written(&g.Model.Statements[statement], place)
		}
		return fmt.Sprintf("%s in %s (line %d)", text, program.Statements[statement].Spelling(), access.Line)
	}
	return fmt.Sprintf("the %s dependence of %s on %s", d.Kind, reference(d.Target, d.TargetAccess), reference(d.Source, d.SourceAccess))
}
