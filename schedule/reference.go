package schedule

import (
	"fmt"
	"strings"

	"polytune/scop"
)

// ReferenceText is an operand of an assignment, by its place among the statement's accesses, as the
// source has it, without blanks; "" for others.
func ReferenceText(p *scop.Program, statement, reference int) string {
	s := &p.Statements[statement]
	a := p.Assignment(s)
	if a == nil || reference >= len(a.Operands) {
		return ""
	}
	return s.Compact(a.Operands[reference])
}

// referenceOf is the place among a statement's accesses of the one that reads an element with that
// text.
func referenceOf(p *scop.Program, statement int, text string) (int, error) {
	s := &p.Statements[statement]
	if p.Assignment(s) == nil {
		return 0, fmt.Errorf("%s is not an assignment of sums and products of elements of one type, whose elements could be packed", s.Spelling())
	}
	var names []string
	for k, access := range s.Accesses {
		name := ReferenceText(p, statement, k)
		if name == text && !access.Write {
			return k, nil
		}
		names = append(names, name)
	}
	return 0, fmt.Errorf("%s reads no %s; its elements are %s", s.Spelling(), text, strings.Join(names, " "))
}
