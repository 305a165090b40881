package codegen

import (
	"fmt"
	"maps"
	"polytune/loopir"
	"slices"
)

// blockRegisters are the elements of a block in registers.
type blockRegisters struct {
	*blockFacts
	// kept are the elements in registers during the stream, in the order in which
	// they are met.
	kept []keptElement
	// rows are pointers that stand for elements, or nil.
	rows *rowPointers
}

// keptElement is an element, or a vector of them, in a register.
type keptElement struct {
	// array and subscripts are the first element's, over the variables around the block,
	// place is where it is, and name the register.
	array      string
	subscripts []linear
	place      *loopir.Element
	name       string
	// offsets are those of the first point at which the element was met.
	offsets []int64
}

// register is the name of the register of an element, or of the vector that
// begins there. Texts may differ where elements are the same.
func (w *blockRegisters) register(o *blockOperand, element *loopir.Element, offsets []int64) loopir.Register {
	subscripts := w.block.subscriptsAt(o, offsets)
	for _, k := range w.kept {
		if k.array == o.array && slices.EqualFunc(k.subscripts, subscripts, maps.Equal) {
			return loopir.Register(k.name)
		}
	}
	name := w.nodes.fresh(fmt.Sprintf("tune_r%d", len(w.kept)))
	w.kept = append(w.kept, keptElement{o.array, subscripts, w.placed(o, offsets, element.Text), name, offsets})
	return loopir.Register(name)
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
func (w *blockRegisters) loads() (code loopir.Code) {
	for _, k := range w.kept {
		code = append(code, &loopir.Move{To: loopir.Register(k.name), From: k.place, Vector: w.registerType(), Declares: true})
	}
	return code
}

// fills fills the registers, which are declared.
func (w *blockRegisters) fills() (code loopir.Code) {
	for _, k := range w.kept {
		code = append(code, &loopir.Move{To: loopir.Register(k.name), From: k.place, Vector: w.registerType()})
	}
	return code
}

// stores writes the registers back.
func (w *blockRegisters) stores() (code loopir.Code) {
	for _, k := range w.kept {
		if w.isWritten(k) {
			code = append(code, &loopir.Move{To: k.place, From: loopir.Register(k.name), Vector: w.registerType()})
		}
	}
	return code
}

// registerType is the type of registers.
func (w *blockRegisters) registerType() loopir.Vector {
	if w.vector.Lanes == 0 {
		return loopir.Vector{Element: w.element}
	}
	return w.vector
}

// registerNames are the registers' names.
func (w *blockRegisters) registerNames() []string {
	names := make([]string, len(w.kept))
	for k := range w.kept {
		names[k] = w.kept[k].name
	}
	return names
}
