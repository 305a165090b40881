package codegen

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"polytune/internal/ctext"
	"polytune/loopir"
	"polytune/scop"
)

// blockWriter writes the unrolled code of a full register block.
type blockWriter struct {
	nodes *nodes
	block *registerBlock
	// statements are those of the block's calls, in order.
	statements []blockStatement
	// vector is the vector type, "" for single elements.
	vector string
	// kept are the elements in registers during the stream, in the order in which
	// they are met.
	kept []keptElement
	// element is the C type of elements that are kept.
	element string
	// rows are pointers that stand for elements, or nil.
	rows *rowPointers
	// squares are those that are transposed for windows of the stream, inSquares the names of their vectors by the elements in them. inWindow
	// says that one is being written.
	squares   []*square
	inSquares map[string]string
	inWindow  bool
	// late is the code that fills buffers which no block has needed before.
	late []line
}

// keptElement is an element, or a vector of them, in a register.
type keptElement struct {
	// array and subscripts are the first element's, over the variables around the block,
	// text is it in C, and name the register.
	array      string
	subscripts []linear
	text, name string
	// offsets are those of the first point at which the element was met.
	offsets []int64
}

// blockStatement is the statement of one call.
type blockStatement struct {
	call  *loopir.Expr
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

// newBlockWriter looks at the block's statements; nil when they cannot be written
// with vectors that the block asks for, or nothing would be gained.
func (n *nodes) newBlockWriter(b *registerBlock) *blockWriter {
	w := &blockWriter{nodes: n, block: b}
	for k, call := range b.calls {
		s, ok := w.statementOf(call)
		if !ok {
			return nil
		}
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

// statementOf looks at a call; ok is false when it runs no statement.
func (w *blockWriter) statementOf(call *loopir.Expr) (s blockStatement, ok bool) {
	model := w.nodes.model.Statement(call.Args[0].Name)
	if model == nil || len(call.Args) <= model.Depth() {
		return s, false
	}
	s = blockStatement{call: call, model: model, assignment: w.nodes.model.Program.Assignment(model.Statement)}
	if s.assignment == nil {
		return s, true
	}
	for access, operand := range s.assignment.Operands {
		subscripts, err := w.subscripts(s, access)
		if err != nil || subscripts == nil {
			s.assignment = nil
			return s, true
		}
		o := blockOperand{place: operand.Place, array: model.Statement.Accesses[access].Array, access: access, subscripts: subscripts}
		o.step = w.stepOf(subscripts)
		s.operands = append(s.operands, o)
	}
	return s, true
}

// subscripts are those of an access over the variables of the code; nil when
// they are not affine.
func (w *blockWriter) subscripts(s blockStatement, access int) ([]linear, error) {
	list, err := w.nodes.subscriptsOf(s.model, access, s.call, w.block.tile)
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
		inside[b.stream.ForIterator().ID()] = interval{}
	}
	return inside
}

// stepOf is how an element moves along the lanes.
func (w *blockWriter) stepOf(subscripts []linear) laneStep {
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
func (w *blockWriter) useVectors() bool {
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
	w.vector = w.nodes.vectorType(element, w.block.lanes)
	return true
}

// vectorType is the name of the type of vectors of so many elements. Vectors
// may lie anywhere where elements may.
func (n *nodes) vectorType(element string, lanes int64) string {
	key := fmt.Sprintf("%s %d", element, lanes)
	if name := n.vectorTypes[key]; name != "" {
		return name
	}
	name := n.fresh(fmt.Sprintf("tune_%s%d", element, lanes))
	if n.vectorTypes == nil {
		n.vectorTypes = map[string]string{}
	}
	n.vectorTypes[key] = name
	size := elementSizes[element]
	n.typedefs = append(n.typedefs, fmt.Sprintf("typedef %s %s __attribute__((vector_size(%d), aligned(%d), may_alias));", element, name, lanes*size, size))
	return name
}

// writes says whether a statement of the block writes the array.
func (w *blockWriter) writes(array string) bool {
	return slices.ContainsFunc(w.statements, func(s blockStatement) bool {
		return slices.ContainsFunc(s.model.Statement.Accesses, func(a scop.Access) bool { return a.Write && a.Array == array })
	})
}

// body are the statements of all points of the block.
func (w *blockWriter) body() []line { return w.bodyAt(w.block.offsets()) }

// bodyAt are the statements of some points of the block.
func (w *blockWriter) bodyAt(points [][]int64) []line {
	var lines []line
	loaded := map[string]string{}
	for _, offsets := range points {
		for k := range w.statements {
			s := &w.statements[k]
			values := w.block.values(w.nodes, s, offsets)
			if s.assignment == nil {
				lines = append(lines, w.plain(s, values)...)
				continue
			}
			for _, term := range w.addends(s) {
				declarations, code := w.assignment(s, term, values, offsets, loaded)
				lines = append(append(lines, declarations...), line{0, code})
			}
		}
	}
	return lines
}

// plain is a statement as it is written.
func (w *blockWriter) plain(s *blockStatement, values []text) []line {
	var lines []line
	for i, l := range strings.Split(strings.ReplaceAll(statementText(s.model.Statement, values), "\r\n", "\n"), "\n") {
		lines = append(lines, line{2 * min(i, 1), strings.Trim(l, ctext.Blank)})
	}
	return lines
}

// isPackedWithAnother says whether an operand, a scalar, is a factor of a packed
// value.
func (s *blockStatement) isPackedWithAnother(k int) bool {
	return slices.ContainsFunc(s.operands, func(o blockOperand) bool {
		place := s.operands[k].place
		return o.packed != nil && o.place != place && o.packed.place.Start <= place.Start && place.End <= o.packed.place.End
	})
}

// operand is the text that stands for an operand. Vectors of arrays that the
// block does not write are loaded once.
func (w *blockWriter) operand(s *blockStatement, o *blockOperand, values []text, offsets []int64, loaded map[string]string, read bool) (name string, declaration []line) {
	element := oneLine(textBetween(s.model.Statement, values, o.place.Start, o.place.End))
	if o.packed != nil {
		element = o.packed.element(w, offsets)
	}
	switch {
	case o.kept:
		return w.register(o, element, offsets), nil
	case w.inWindow && o.step == scattered && w.inSquares[w.elementKey(o, offsets)] != "":
		return w.inSquares[w.elementKey(o, offsets)], nil
	case w.rows != nil && o.step == consecutive:
		element = w.rows.of(w, o, element, offsets, read)
	case w.vector == "" || o.step == uniform:
		return element, nil
	}
	code := "*(" + w.vector + " *) &" + element
	if o.step == scattered && o.packed == nil {
		code = w.gathered(s, o, offsets)
	}
	if o.packed == nil && w.writes(o.array) || !read {
		return "(" + code + ")", nil
	}
	if loaded[code] == "" {
		loaded[code] = w.nodes.fresh(fmt.Sprintf("tune_v%d", len(loaded)))
		declaration = append([]line{{0, "const " + w.vector + " " + loaded[code] + " = " + code + ";"}}, w.aheadInRelay(s, o, element)...)
	}
	return loaded[code], declaration
}

// gathered is a vector of elements that do not lie behind each other.
func (w *blockWriter) gathered(s *blockStatement, o *blockOperand, offsets []int64) string {
	return "(" + w.vector + "){" + strings.Join(w.elements(s, o, offsets), ", ") + "}"
}

// elements are those of an operand in the lanes of a vector.
func (w *blockWriter) elements(s *blockStatement, o *blockOperand, offsets []int64) []string {
	elements := make([]string, w.block.lanes)
	for lane := range elements {
		at := slices.Clone(offsets)
		at[len(at)-1] += int64(lane)
		values := w.block.values(w.nodes, s, at)
		elements[lane] = oneLine(textBetween(s.model.Statement, values, o.place.Start, o.place.End))
	}
	return elements
}

// register is the name of the register of an element, or of the vector that
// begins there. Texts may differ where elements are the same.
func (w *blockWriter) register(o *blockOperand, text string, offsets []int64) string {
	subscripts := w.block.subscriptsAt(o, offsets)
	for _, k := range w.kept {
		if k.array == o.array && slices.EqualFunc(k.subscripts, subscripts, maps.Equal) {
			return k.name
		}
	}
	name := w.nodes.fresh(fmt.Sprintf("tune_r%d", len(w.kept)))
	w.kept = append(w.kept, keptElement{o.array, subscripts, text, name, offsets})
	return name
}

// subscriptsAt are those of an operand at a point of the block, over the variables around it.
func (b *registerBlock) subscriptsAt(o *blockOperand, offsets []int64) []linear {
	subscripts := make([]linear, len(o.subscripts))
	for d, subscript := range o.subscripts {
		subscripts[d] = b.linearAt(b.tile.expressionOf(subscript), offsets)
	}
	return subscripts
}

// loads declares the registers and fills them.
func (w *blockWriter) loads() []line {
	lines := w.moves(false)
	for k := range lines {
		lines[k].code = w.registerType() + " " + lines[k].code
	}
	return lines
}

// moves fills the registers, or writes them back.
func (w *blockWriter) moves(back bool) []line {
	var lines []line
	for _, k := range w.kept {
		if back && !w.isWritten(k) {
			continue
		}
		code := k.name + " = " + w.asRegister(k.text) + ";"
		if back {
			code = w.asRegister(k.text) + " = " + k.name + ";"
		}
		lines = append(lines, line{0, code})
	}
	return lines
}

// registerType is the C type of registers, and asRegister an element, or the vector
// that begins there.
func (w *blockWriter) registerType() string {
	if w.vector == "" {
		return w.element
	}
	return w.vector
}

func (w *blockWriter) asRegister(element string) string {
	if w.vector == "" {
		return element
	}
	return "*(" + w.vector + " *) &" + element
}

// registerNames are the registers' names, with commas.
func (w *blockWriter) registerNames() string {
	names := make([]string, len(w.kept))
	for k := range w.kept {
		names[k] = w.kept[k].name
	}
	return strings.Join(names, ", ")
}
