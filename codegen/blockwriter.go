package codegen

import (
	"fmt"
	"slices"

	"polytune/loopir"
	"polytune/scop"
)

// blockFacts are the statements of a register block, and what is known of them.
type blockFacts struct {
	nodes *copies
	block *registerBlock
	// statements are those of the block's instances, in order.
	statements []blockStatement
	// vector is the vector type, without lanes for single elements, element the C type of elements
	// that are kept.
	vector  loopir.Vector
	element string
}

// blockWriter writes the unrolled code of a full register block.
type blockWriter struct {
	*blockRegisters
	// squares are those that are transposed for windows of the stream, inSquares the names of their
	// vectors by the elements in them. inWindow says that one is being written.
	squares   []*square
	inSquares map[string]loopir.Register
	inWindow  bool
	// late is the code that fills buffers which no block has needed before.
	late loopir.Code
	// general are the block's loops, isGeneral says that the code has them.
	general   loopir.Code
	isGeneral bool
}

// blockStatement is the statement of one instance.
type blockStatement struct {
	run   *loopir.Run
	model *scop.StatementModel
	// assignment is nil for a statement that is printed as it is.
	assignment *scop.Assignment
	operands   []blockOperand
	// guards are what is at least zero where the statement runs, besides the loops.
	guards []linear
}

// blockOperand says how an operand of an assignment is read and written.
type blockOperand struct {
	place scop.Place
	array string
	// access is the number of the operand among the statement's accesses.
	access int
	// subscripts are affine expressions over the variables of the code.
	subscripts []linear
	// kept says that the element stays in a register during the stream.
	kept bool
	// step is how the element moves from one lane to the next.
	step laneStep
	// packed is the buffer that the element is read from, or nil.
	packed *packedOperand
}

type laneStep int

const (
	// uniform is the same element in all lanes, consecutive one behind the
	// other, scattered any.
	uniform laneStep = iota
	consecutive
	scattered
)

func writerOf(facts *blockFacts) *blockWriter {
	return &blockWriter{blockRegisters: &blockRegisters{blockFacts: facts}}
}

// newBlockWriter looks at the block's statements; nil when they cannot be written
// with vectors that the block asks for, or nothing would be gained.
func newBlockWriter(n *copies, b *registerBlock) *blockWriter {
	w := writerOf(&blockFacts{nodes: n, block: b})
	for k, run := range b.runs {
		s := w.statementOf(run)
		s.guards = b.guards[k]
		w.statements = append(w.statements, s)
	}
	if b.lanes > 0 && !w.useVectors() {
		return nil
	}
	w.keep()
	w.pack()
	w.keepReads()
	if !w.findSquares() {
		return nil
	}
	return w
}

// pack finds the buffers that operands are read from.
func (w *blockWriter) pack() {
	for i := range w.statements {
		s := &w.statements[i]
		for k := 1; k < len(s.operands); k++ {
			if !s.operands[k].kept {
				s.operands[k].packed = w.packedOf(s, k)
			}
		}
	}
}

// statementOf looks at an instance.
func (w *blockFacts) statementOf(run *loopir.Run) blockStatement {
	model := run.Statement
	s := blockStatement{run: run, model: model, assignment: w.nodes.model.Program.Assignment(model.Statement)}
	if s.assignment == nil {
		return s
	}
	for access, operand := range s.assignment.Operands {
		subscripts, err := w.subscripts(s, access)
		if err != nil || subscripts == nil {
			s.assignment = nil
			return s
		}
		o := blockOperand{place: operand.Place, array: model.Statement.Accesses[access].Array, access: access, subscripts: subscripts}
		o.step = w.stepOf(subscripts)
		s.operands = append(s.operands, o)
	}
	return s
}

// subscripts are those of an access over the variables of the code; nil when
// they are not affine.
func (w *blockFacts) subscripts(s blockStatement, access int) ([]linear, error) {
	list, err := w.nodes.subscriptsOf(s.run, access, w.block.tile)
	inside := w.block.variables()
	if slices.ContainsFunc(list, func(l linear) bool { return w.block.tile.isOpaqueIn(l, inside) }) {
		return nil, err
	}
	return list, err
}

// variables are those of the loops inside the block.
func (b *registerBlock) variables() map[string]interval {
	inside := map[string]interval{}
	for _, u := range b.unrolled {
		inside[u.variable] = interval{}
	}
	if b.stream != nil {
		inside[b.stream.Var] = interval{}
	}
	return inside
}

// stepOf is how an element moves along the lanes.
func (w *blockFacts) stepOf(subscripts []linear) laneStep {
	variable := w.block.unrolled[len(w.block.unrolled)-1].variable
	for k, l := range subscripts {
		switch c := l[variable]; {
		case c == 0:
		case c == 1 && k == len(subscripts)-1:
			return consecutive
		default:
			return scattered
		}
	}
	return uniform
}

// useVectors chooses the vector type, and says whether all statements can be
// written with it.
func (w *blockFacts) useVectors() bool {
	element := ""
	for _, s := range w.statements {
		if s.assignment == nil || s.operands[0].step != consecutive && !w.areResultsInRows(&s.operands[0]) || element != "" && element != s.assignment.Element {
			return false
		}
		element = s.assignment.Element
	}
	if element == "" || w.block.unrolled[len(w.block.unrolled)-1].count%w.block.lanes != 0 {
		return false
	}
	w.vector = loopir.Vector{Element: element, Lanes: w.block.lanes}
	w.nodes.vectorType(w.vector)
	return true
}

// writes says whether a statement of the block writes the array.
func (w *blockFacts) writes(array string) bool {
	return slices.ContainsFunc(w.statements, func(s blockStatement) bool {
		return slices.ContainsFunc(s.model.Statement.Accesses, func(a scop.Access) bool { return a.Write && a.Array == array })
	})
}

// body are the statements of all points of the block.
func (w *blockWriter) body() loopir.Code { return w.bodyAt(w.block.offsets()) }

// bodyAt are the statements of some points of the block.
func (w *blockWriter) bodyAt(points [][]int64) (code loopir.Code) {
	loaded := map[string]loopir.Register{}
	for _, offsets := range points {
		for k := range w.statements {
			i := w.instanceOf(&w.statements[k], offsets, loaded)
			if i.assignment == nil {
				code = append(code, &loopir.Run{Statement: i.model, At: i.at, Values: w.block.uses(w.nodes, i.blockStatement, i.offsets)})
				continue
			}
			terms := w.addends(i.blockStatement)
			for t, term := range terms {
				code = append(code, w.assignment(i, term, t < len(terms)-1)...)
			}
		}
	}
	return code
}

// instance is a statement at a point of the block, or at the first one of a vector.
type instance struct {
	*blockStatement
	offsets []int64
	// values are those of the uses of iterators, at those of the iterators in each lane.
	values []text
	at     []*loopir.Expr
	// loaded are the vectors that have been loaded, by what they are in C, and places those of the
	// references so far that are not in memory.
	loaded map[string]loopir.Register
	places map[int]loopir.Place
}

func (w *blockRegisters) instanceOf(s *blockStatement, offsets []int64, loaded map[string]loopir.Register) *instance {
	return &instance{s, offsets, w.block.values(w.nodes, s, offsets), w.iteratorsAt(s, offsets), loaded, map[int]loopir.Place{}}
}

// iteratorsAt are their values at a point of the block, in each lane.
func (w *blockRegisters) iteratorsAt(s *blockStatement, offsets []int64) []*loopir.Expr {
	defer w.inLanes()()
	at := slices.Clone(s.run.At)
	for k, e := range at {
		at[k] = w.block.at(e, offsets)
	}
	return at
}

// elementOf is what an operand is at a point of the block.
func (w *blockRegisters) elementOf(i *instance, o *blockOperand) *loopir.Element {
	text := oneLine(textBetween(i.model.Statement, i.values, o.place.Start, o.place.End))
	return &loopir.Element{Array: o.array, Text: text, Single: w.vector.Lanes == 0 || o.step == uniform}
}

// present is the element of an operand where the block's loops are as they are.
func (w *blockFacts) present(o *blockOperand, text string) *loopir.Element {
	return &loopir.Element{Array: o.array, Subscripts: w.expressionsOf(o.subscripts), Text: text}
}

// placed is the element of an operand at a point of the block, and in each lane.
func (w *blockRegisters) placed(o *blockOperand, offsets []int64, text string) *loopir.Element {
	defer w.inLanes()()
	return &loopir.Element{Array: o.array, Subscripts: w.expressionsOf(w.block.subscriptsAt(o, offsets)), Text: text}
}

func (w *blockFacts) expressionsOf(list []linear) []*loopir.Expr {
	expressions := make([]*loopir.Expr, len(list))
	for k, l := range list {
		expressions[k] = w.block.tile.expressionOf(l)
	}
	return expressions
}

// inLanes makes expressions those of each lane, until done is called.
func (w *blockRegisters) inLanes() (done func()) {
	w.block.lane = linear{}
	if w.block.lanes > 0 {
		w.block.lane[loopir.Lane] = 1
	}
	if w.rows != nil {
		w.block.lane[w.rows.at] = 1
	}
	return func() { w.block.lane = nil }
}

// isPackedWithAnother says whether an operand, a scalar, is a factor of a packed
// value.
func (s *blockStatement) isPackedWithAnother(k int) bool {
	return slices.ContainsFunc(s.operands, func(o blockOperand) bool {
		place := s.operands[k].place
		return o.packed != nil && o.place != place && o.packed.place.Start <= place.Start && place.End <= o.packed.place.End
	})
}

// operand is where an operand is. Vectors of arrays that the block does not write are loaded once.
func (w *blockWriter) operand(i *instance, o *blockOperand, read bool) (place loopir.Place, loads loopir.Code) {
	element := w.elementOf(i, o)
	place = element
	if o.packed != nil {
		place = o.packed.element(w, i.offsets, element.Single)
	}
	switch {
	case o.kept:
		return w.register(o, element, i.offsets), nil
	case w.inWindow && o.step == scattered && w.inSquares[w.elementKey(o, i.offsets)] != "":
		return w.inSquares[w.elementKey(o, i.offsets)], nil
	case w.rows != nil && o.step == consecutive:
		element.Text = w.rows.of(w, o, element.Text, i.offsets, read)
	case element.Single:
		return place, nil
	}
	if o.step == scattered && o.packed == nil {
		element.Apart = w.elements(i.blockStatement, o, i.offsets)
	}
	if o.packed == nil && w.writes(o.array) || !read {
		return place, nil
	}
	code := w.nodes.value(place, w.vector)
	if i.loaded[code] == "" {
		element.Subscripts = w.placed(o, i.offsets, "").Subscripts
		i.loaded[code] = loopir.Register(w.nodes.fresh(fmt.Sprintf("tune_v%d", len(i.loaded))))
		loads = append(loopir.Code{&loopir.Move{To: i.loaded[code], From: place, Vector: w.vector, Declares: true, Constant: true}}, w.aheadInRelay(i.blockStatement, o, w.nodes.address(place))...)
	}
	return i.loaded[code], loads
}

// elements are those of an operand in the lanes of a vector.
func (w *blockRegisters) elements(s *blockStatement, o *blockOperand, offsets []int64) []string {
	elements := make([]string, w.block.lanes)
	for lane := range elements {
		at := slices.Clone(offsets)
		at[len(at)-1] += int64(lane)
		values := w.block.values(w.nodes, s, at)
		elements[lane] = oneLine(textBetween(s.model.Statement, values, o.place.Start, o.place.End))
	}
	return elements
}
