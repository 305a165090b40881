package codegen

import (
	"slices"

	"polytune/isl"
	"polytune/loopir"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/scop/mark"
)

// Overhead is what the code computes for each instance of a statement beside the statement: what
// stands inside the innermost loop around it and differs from one iteration of that to the next.
type Overhead struct {
	// Conditions are comparisons, Quotients divisions and remainders, in these and in the
	// statement's subscripts.
	Conditions, Quotients int
}

// Overheads are those of statements by their indices: of the code inside the most loops, and there
// of the cheapest, which full tiles have.
type Overheads map[int]Overhead

// overheads notes them while code is printed.
type overheads struct {
	least  Overheads
	depths map[int]int
}

func (o Overhead) sum() int { return o.Conditions + o.Quotients }

// note notes the overhead of an instance inside so many loops.
func (o *overheads) note(statement, depth int, cost Overhead) {
	least, known := o.least[statement]
	if known && (depth < o.depths[statement] || depth == o.depths[statement] && cost.sum() >= least.sum()) {
		return
	}
	o.least[statement], o.depths[statement] = cost, depth
}

// noteOverhead notes what is computed for the present instance.
func (n *place) noteOverhead(statement int, arguments []*loopir.Expr) {
	isLoop := func(open openLoop) bool {
		return open.loop != nil && !open.loop.Once
	}
	depth, innermost := 0, -1
	for k, open := range n.open {
		if isLoop(open) {
			depth, innermost = depth+1, k
		}
	}
	if innermost < 0 {
		return
	}
	cost, moving := Overhead{}, map[string]interval{n.open[innermost].variable: {}}
	for _, open := range n.open[innermost+1:] {
		switch {
		case open.loop != nil:
			if start := open.loop.From; loopir.Mentions(start, moving) {
				moving[open.variable] = interval{}
				cost.Quotients += quotientsIn(start, moving)
			}
		case !open.assumed:
			cost.Conditions += comparisonsIn(open.choice.Cond, moving)
			cost.Quotients += quotientsIn(open.choice.Cond, moving)
		}
	}
	for _, argument := range arguments {
		cost.Quotients += quotientsIn(argument, moving)
	}
	n.overheads.note(statement, depth, cost)
}

// comparisons is the number of parts of a condition that mention a variable.
func comparisonsIn(e *loopir.Expr, variables map[string]interval) (count int) {
	if !e.Is(isl.OpAnd) && !e.Is(isl.OpOr) {
		if loopir.Mentions(e, variables) {
			return 1
		}
		return 0
	}
	for _, argument := range e.Args {
		count += comparisonsIn(argument, variables)
	}
	return count
}

// quotients is the number of divisions and remainders that mention a variable.
func quotientsIn(e *loopir.Expr, variables map[string]interval) (count int) {
	divides := []isl.AstOpType{isl.OpDiv, isl.OpFdivQ, isl.OpPdivQ, isl.OpPdivR, isl.OpZdivR}
	if e.Kind == isl.AstOp && slices.Contains(divides, e.Op) && loopir.Mentions(e, variables) {
		count++
	}
	for _, argument := range e.Args {
		count += quotientsIn(argument, variables)
	}
	return count
}

// Notes are what is noted while code is printed.
type Notes struct {
	Overheads Overheads
	// Declined are the marks that the code does not have.
	Declined []mark.Declined
	// Warnings are of messages between ranks that somebody has written by hand.
	Warnings []string
}

// ProgramWithNotes is Program with given passes that also says what the code computes beside the
// statements, and what it does not have of the schedule.
func ProgramWithNotes(g *depend.Graph, recipe schedule.Recipe, unit scop.Unit, passes []Pass) ([]byte, Notes, error) {
	notes, honours := Notes{Overheads: Overheads{}}, mark.NewHonours()
	source, err := program(g, recipe, unit, passes, notes.Overheads, honours)
	notes.Declined = honours.Declined()
	return source, notes, err
}
