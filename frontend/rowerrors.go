package frontend

import (
	"fmt"

	"modernc.org/cc/v4"
)

// notLinear is the error of an index that is no linear form, with better advice where it would have
// rows if its type or the array were another.
func (c *collector) notLinear(array *arrayInfo, index cc.ExpressionNode, at cc.Node, err error) error {
	switch {
	case index == nil:
		return err
	case c.wrapsAround(index):
		return c.unsignedRows(array, at)
	}
	return err
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

// unsignedRowsConstruct is what errors about indices of rows that may wrap around are about.
const unsignedRowsConstruct = "unsigned rows"

// unsignedRows is the error of an index of rows that may wrap around.
func (c *collector) unsignedRows(array *arrayInfo, at cc.Node) error {
	return c.x.errorAt(at, unsignedRowsConstruct, fmt.Sprintf("the index of %s is one of rows, as in A[i * n + j], in unsigned arithmetic, which may wrap around", array.Spelling()),
		"give the sizes or the iterators the type int or size_t, as in A[(size_t) i * n + j]")
}

// notAffineIn is the error of an index that does not stay in a row of an array
// with rows.
func (c *collector) notAffineIn(array *arrayInfo, index cc.ExpressionNode, at cc.Node) error {
	if index != nil && c.wrapsAround(index) {
		return c.unsignedRows(array, at)
	}
	return c.x.errorAt(at, "non-affine expression",
		fmt.Sprintf("%s is used with rows, as in A[i * n + j], and this subscript is not known to stay in a row", array.Spelling()),
		fmt.Sprintf("add the condition that keeps it in its row, such as j < n, or declare %s as A[m][n] and index it as A[i][j]", array.Spelling()))
}

// anyElement is the warning about an index that may go through several rows.
func (c *collector) anyElement(array *arrayInfo, at cc.Node) *Error {
	return c.x.errorAt(at, "rows", fmt.Sprintf("this reference is taken for one to any element of %s, which is used with rows elsewhere, as A[i * n + j]: nothing says that it stays in one", array.Spelling()),
		"write a loop over rows and one over their elements here too, so that they can run in parallel")
}
