package frontend

import (
	"fmt"

	"modernc.org/cc/v4"
)

// Arrays of arrays are often used as one long row, from their first element on:
//
//	double m[9][9];
//	(&m[0][0])[i * 9 + j] = 0;
//
// C lays their elements out so, and compilers let programs count beyond the first row. Such a
// subscript is counted off in rows; where their lengths are not constant, any element is meant.

// isFirstElement says that an element of an array of arrays has subscripts that are all zero.
func (v lvalue) isFirstElement() bool {
	for _, s := range v.subscripts {
		if s == nil {
			continue
		}
		if value, ok := constantValue(s); !ok || value != 0 {
			return false
		}
	}
	return len(v.subscripts) > 1 && len(v.members) == 0
}

// countOff changes the subscripts of a reference that counts from an array's first element on.
func (c *collector) countOff(r *reference, v lvalue) {
	last := len(r.subscripts) - 1
	at := single(constantForm(0))
	for k, s := range r.subscripts {
		isRow := k == 0 || k < len(r.array.limits) && r.array.limits[k] > 0
		if !isRow || !s.known {
			c.anyOfAll(r, v)
			return
		}
		if k > 0 {
			at = at.times(r.array.limits[k])
		}
		at = at.plus(s.value, 1)
	}
	for k := last; k > 0; k-- {
		length := r.array.limits[k]
		r.subscripts[k].value = at.mapValues(func(l linear) linear { return l.modulo(length) })
		at = at.mapValues(func(l linear) linear { return l.floorDiv(length) })
	}
	r.subscripts[0].value = at
}

// anyOfAll lets a reference be to any element, with a warning.
func (c *collector) anyOfAll(r *reference, v lvalue) {
	c.x.warnOnce(c.anyElementOf(r.array, v, c.x.errorAt(v.name, "subscript", fmt.Sprintf("it counts from the first element of %s on, whose rows have no constant length", r.array.Spelling()),
		"name rows and columns, as in a[i][j]")))
	for k := range r.subscripts {
		r.subscripts[k] = subscript{}
	}
	r.may = true
}

// addressOf is the element whose address an expression takes.
func addressOf(n cc.ExpressionNode) (v lvalue, ok bool) {
	v, ok = resolve(n)
	v.flat = ok && v.isFirstElement()
	return v, ok
}
