package frontend

import (
	"errors"

	"modernc.org/cc/v4"
)

// exactly are the subscripts in the model for the one of a reference in dimension k.
func (c *collector) exactly(array *arrayInfo, v lvalue, index cc.ExpressionNode, k int, n cc.Node) ([]subscript, error) {
	if array.rows != nil && k == array.LinearAt {
		inRows, err := c.subscriptsInRows(array, index, n)
		if err == nil && array.Rows != "" && len(v.members) == 0 {
			c.writeInRows(array, n, inRows)
		}
		return inRows, err
	}
	isLast := array.rows == nil && k == len(array.Extents)-1
	value, err := c.subscript(index)
	if err != nil && !c.wantRows(array, index, k, false) {
		if isLast && c.wantNames(index) {
			c.x.coarser[c.x.bounds.number] = true
			return nil, err
		}
		value, err = c.anySubscript(array, v, index, err)
	}
	if err != nil {
		return nil, c.notLinear(array, index, n, err)
	}
	isIndex := !value.known && c.isMadeOfIndices(index)
	// It may be a linear form, or an index of rows that a variable stands for.
	if !c.wantRows(array, index, k, !isIndex) && (isIndex || !value.known && c.isMadeOfParameters(index)) {
		c.warnAboutIndex(array, v, index, n)
	}
	return []subscript{value}, nil
}

// warnAboutIndex warns of a subscript that variables with known values make a product, or that is
// made of parameters and no affine form.
func (c *collector) warnAboutIndex(array *arrayInfo, v lvalue, index cc.ExpressionNode, at cc.Node) {
	_, err := c.evaluator().affine(index)
	if c.wrapsAround(index) {
		err = c.unsignedRows(array, at)
	}
	var problem *Error
	if errors.As(err, &problem) {
		c.x.warnOnce(c.anyElementOf(array, v, problem))
	}
}

// noteKnown notes that the model has the value of a subscript, if it is written.
func (c *collector) noteKnown(n cc.ExpressionNode) {
	if n == nil {
		return
	}
	if extent, ok := spanOf(n); ok {
		c.known = append(c.known, knownText{span: extent})
	}
}

// subscript evaluates a subscript; one that depends on data or is made of
// floating-point numbers stays unknown.
func (c *collector) subscript(n cc.ExpressionNode) (subscript, error) {
	if n == nil {
		return subscript{value: single(constantForm(0)), known: true}, nil
	}
	value, err := c.evaluator().affine(n)
	if err == nil {
		c.noteKnown(n)
		return subscript{value: value, known: true}, nil
	}
	if c.dependsOnData(n) || isFloating(n) {
		return subscript{}, nil
	}
	return subscript{}, err
}
