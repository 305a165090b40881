package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// notLinear is the error of an index that is no linear form, with better advice where it would have rows if its type or the array were another.
func (c *collector) notLinear(array *arrayInfo, index cc.ExpressionNode, at cc.Node, err error) error {
	switch {
	case index == nil:
		return err
	case c.wrapsAround(index):
		return c.unsignedRows(array, at)
	case array.members == "" || c.evaluator().lengthsOf(index) == nil:
		return err
	}
	return c.memberRows(array, at, "")
}

// memberRows is the error of an index of rows behind a member of a struct, or the warning, where something follows from it.
func (c *collector) memberRows(array *arrayInfo, at cc.Node, consequence string) *Error {
	name := array.Spelling()
	if indexed, ok := at.(*cc.PostfixExpression); ok && indexed.Case == cc.PostfixExpressionIndex {
		if extent, ok := spanOf(indexed.PostfixExpression); ok {
			name = strings.NewReplacer(" -> ", "->", " . ", ".").Replace(c.expressionText(extent))
		}
	}
	return c.errorAt(at, "non-affine expression", name+" is a member of a struct, where rows such as those of A[i * n + j] are not looked for"+consequence,
		fmt.Sprintf("copy the pointer to a variable in front of #pragma scop, as in %s *rows = %s, and index that", array.Type, name))
}

// warnOfMemberRows warns, once for each array, of an index that counts as one that depends on data only because the lengths of rows are members of structs,
// too.
func (c *collector) warnOfMemberRows(array *arrayInfo, index cc.ExpressionNode, at cc.Node) {
	if index == nil || array.members == "" || c.evaluator().lengthsOf(index) == nil {
		return
	}
	warning := c.memberRows(array, at, ", so that references such as this one are taken for ones to any element")
	if !slices.ContainsFunc(c.warnings, func(w *Error) bool { return w.Message == warning.Message }) {
		c.warnings = append(c.warnings, warning)
	}
}

// wrapsAround says whether an index would have rows if unsigned arithmetic did not wrap around.
func (c *collector) wrapsAround(index cc.ExpressionNode) bool {
	e := c.evaluator()
	if _, ok := e.polynomial(index); ok {
		return false
	}
	e.ignoresWrapping = true
	return e.lengthsOf(index) != nil
}

// unsignedRows is the error of an index of rows that may wrap around.
func (c *collector) unsignedRows(array *arrayInfo, at cc.Node) error {
	return c.errorAt(at, "unsigned arithmetic", fmt.Sprintf("the index of %s is one of rows, as in A[i * n + j], in unsigned arithmetic, which may wrap around", array.Spelling()),
		"give the sizes or the iterators the type int or size_t, as in A[(size_t) i * n + j]")
}

// notAffineIn is the error of an index that does not stay in a row of an array
// with rows.
func (c *collector) notAffineIn(array *arrayInfo, index cc.ExpressionNode, at cc.Node) error {
	if index != nil && c.wrapsAround(index) {
		return c.unsignedRows(array, at)
	}
	return c.errorAt(at, "non-affine expression",
		fmt.Sprintf("%s is used with rows, as in A[i * n + j], and this subscript is not known to stay in a row", array.Spelling()),
		fmt.Sprintf("add the condition that keeps it in its row, such as j < n, or declare %s as A[m][n] and index it as A[i][j]", array.Spelling()))
}

// anyElement is the warning about an index that may go through several rows.
func (c *collector) anyElement(array *arrayInfo, at cc.Node) *Error {
	return c.errorAt(at, "rows", fmt.Sprintf("this reference is taken for one to any element of %s, which is used with rows elsewhere, as A[i * n + j]: nothing says that it stays in one", array.Spelling()),
		"write a loop over rows and one over their elements here too, so that they can run in parallel")
}
