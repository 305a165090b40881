package device

import (
	"fmt"
	"strings"

	"polytune/loopir"
	"polytune/scop"
)

// residue is the remainder of a sum at an instance where it is the same number for all values of
// the variables: nil where it is not known to be. A remainder of C is that of mathematics for
// operands that no instance has negative.
func (n *instances) residue(e *scop.Binary, x, y *loopir.Expr, s *scop.StatementModel) *loopir.Expr {
	sum, by := linearOf(x), linearOf(y)
	if !by.isConstant() || by.constant < 1 {
		return nil
	}
	for _, factor := range sum.factors {
		if factor%by.constant != 0 {
			return nil
		}
	}
	if !n.isPositive(e, s) {
		return nil
	}
	return loopir.Int((sum.constant%by.constant + by.constant) % by.constant)
}

// isPositive says whether no instance of a statement has a negative first operand of a remainder.
func (n *instances) isPositive(e *scop.Binary, s *scop.StatementModel) bool {
	if is, known := n.positive[e]; known {
		return is
	}
	names, symbols := n.program.IteratorNames(s.Index), &loopir.Run{Statement: s}
	for _, name := range names {
		symbols.At = append(symbols.At, loopir.Named(name))
	}
	var terms []string
	if x := n.indexOf(e.X, symbols); x != nil {
		sum := linearOf(x)
		for key, factor := range sum.factors {
			terms = append(terms, fmt.Sprintf("%d %s", factor, sum.of[key].Name))
		}
		terms = append(terms, fmt.Sprint(sum.constant))
	}
	is := false
	if len(terms) > 0 {
		negative := s.Domain.Context().ReadSet(fmt.Sprintf("%s{ %s : %s < 0 }", n.program.ParametersText(), n.program.InstanceText(s.Index), strings.Join(terms, " + ")))
		none, err := s.Domain.Intersect(negative).IsEmpty()
		is = none && err == nil
	}
	if n.positive == nil {
		n.positive = map[*scop.Binary]bool{}
	}
	n.positive[e] = is
	return is
}
