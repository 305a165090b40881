package codegen

import (
	"strings"

	"polytune/scop"
)

// addend is a part of an assignment's value with the operator by which the target gets it.
type addend struct {
	operator string
	place    scop.Place
}

// addends are the parts of an assignment: where sums may be computed in any order the terms that
// are added, each one operation with its product, otherwise the value.
func (w *blockWriter) addends(s *blockStatement) []addend {
	a, program := s.assignment, w.nodes.model.Program
	if !program.Reassociate && !program.InAnyOrder(s.model.Statement) || a.Operator != "+=" && a.Operator != "-=" {
		return []addend{{a.Operator, a.Value}}
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

// assignment is an assignment at some offsets, or that of one of its terms, with the
// declarations of vectors that it is the first to load.
func (w *blockWriter) assignment(s *blockStatement, term addend, values []text, offsets []int64, loaded map[string]string) (declarations []line, code string) {
	target, _ := w.operand(s, &s.operands[0], values, offsets, loaded, false)
	declarations, code = w.valueOf(s, term, values, offsets, loaded)
	return declarations, target + " " + term.operator + " " + code + ";"
}

// valueOf is what an assignment, or one of its terms, gives the target, as a vector where
// these have them.
func (w *blockWriter) valueOf(s *blockStatement, term addend, values []text, offsets []int64, loaded map[string]string) (declarations []line, code string) {
	names, hasVector := make([]string, len(s.operands)), false
	for k := range s.operands {
		o := &s.operands[k]
		if k == 0 || s.isPackedWithAnother(k) || o.place.Start < term.place.Start || o.place.End > term.place.End {
			continue
		}
		name, declaration := w.operand(s, o, values, offsets, loaded, true)
		names[k] = name
		declarations = append(declarations, declaration...)
		hasVector = hasVector || o.step != uniform
	}
	code = s.value(values, names, term.place)
	if w.vector != "" && term.operator == "=" && !hasVector {
		code = "(" + code + ") - (" + w.vector + "){0}"
	}
	return declarations, code
}

// value is the text at a place of the assignment's value, with the names of operands.
func (s *blockStatement) value(values []text, names []string, place scop.Place) string {
	var value strings.Builder
	start := place.Start
	for k := 1; k < len(s.operands); k++ {
		at := s.operands[k].place
		if s.operands[k].packed != nil {
			at = s.operands[k].packed.place
		}
		if names[k] == "" {
			continue
		}
		value.WriteString(textBetween(s.model.Statement, values, start, at.Start) + names[k])
		start = at.End
	}
	value.WriteString(textBetween(s.model.Statement, values, start, place.End))
	return oneLine(value.String())
}
