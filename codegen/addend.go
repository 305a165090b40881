package codegen

import (
	"polytune/loopir"
	"polytune/scop"
)

// addend is a part of an assignment's value with the operator by which the target gets it.
type addend struct {
	operator string
	place    scop.Place
}

// addends are the parts of an assignment: where sums may be computed in any order the terms that
// are added, each one operation with its product, otherwise the value.
func (w *blockFacts) addends(s *blockStatement) []addend {
	a, program := s.assignment, w.nodes.model.Program
	if !program.Reassociate && !program.InAnyOrder(s.model.Statement) || a.Operator != "+=" && a.Operator != "-=" {
		return []addend{{a.Operator, a.Sum.At()}}
	}
	terms := make([]addend, len(a.Terms))
	for k, term := range a.Terms {
		terms[k] = addend{"+=", term.At()}
		if a.Minus[k] != (a.Operator == "-=") {
			terms[k].operator = "-="
		}
	}
	return terms
}

// assignment is an assignment at a point, or that of one of its terms, behind which others follow,
// with the vectors that it is the first to load.
func (w *blockWriter) assignment(i *instance, term addend, unfinished bool) loopir.Code {
	target := w.targetOf(i)
	assign, code := w.valueOf(i, term)
	assign.Target, assign.Unfinished = target, unfinished
	return append(code, assign)
}

// targetOf is where the assignment's result is.
func (w *blockWriter) targetOf(i *instance) loopir.Place {
	target, _ := w.operand(i, &i.operands[0], false)
	if _, inRegister := target.(loopir.Register); inRegister {
		i.places[0] = target
	}
	return target
}

// valueOf is what an assignment, or one of its terms, gives the target, as a vector where these
// have them, behind the vectors that it is the first to load.
func (w *blockWriter) valueOf(i *instance, term addend) (assign *loopir.Assign, loads loopir.Code) {
	places, hasVector := make([]loopir.Place, len(i.operands)), false
	for k := range i.operands {
		o := &i.operands[k]
		if k == 0 || i.isPackedWithAnother(k) || o.place.Start < term.place.Start || o.place.End > term.place.End {
			continue
		}
		place, load := w.operand(i, o, true)
		if _, inMemory := place.(*loopir.Element); !inMemory {
			i.places[o.access] = place
		}
		places[k], loads = place, append(loads, load...)
		hasVector = hasVector || o.step != uniform
	}
	assign = &loopir.Assign{Statement: i.model, At: i.at, Vector: w.vector, Operator: term.operator, Places: i.places}
	assign.Broadcast = w.vector.Lanes > 0 && term.operator == "=" && !hasVector
	assign.Texts, assign.Operands = i.value(places, term.place)
	return assign, loads
}

// value is the text at a place of the assignment's value, and the operands in it.
func (i *instance) value(places []loopir.Place, at scop.Place) (texts []string, operands []loopir.Place) {
	start := at.Start
	for k := 1; k < len(i.operands); k++ {
		at := i.operands[k].place
		if i.operands[k].packed != nil {
			at = i.operands[k].packed.place
		}
		if places[k] == nil {
			continue
		}
		texts, operands = append(texts, textBetween(i.model.Statement, i.values, start, at.Start)), append(operands, places[k])
		start = at.End
	}
	return append(texts, textBetween(i.model.Statement, i.values, start, at.End)), operands
}
