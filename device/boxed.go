package device

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/mark"
)

// boxOf is the copy that a reference to an array uses, nil for none.
func (n *instances) boxOf(array *scop.Array, e *scop.Ref, r *loopir.Run) (*loopir.Box, error) {
	var reference string
	var err error
	for _, box := range n.boxes {
		if box.Of.Array != array.Name {
			continue
		}
		if box.Of.References != "" && reference == "" {
			if reference, err = n.referenceOf(array, e, r); err != nil {
				return nil, err
			}
		}
		if box.Of.Takes(reference) {
			return box, nil
		}
	}
	return nil, nil
}

// referenceOf is how copies call a reference to an array: as the access with the same subscripts.
func (n *instances) referenceOf(array *scop.Array, e *scop.Ref, r *loopir.Run) (string, error) {
	symbols := *r
	symbols.At = nil
	for k := range r.Statement.Depth() {
		symbols.At = append(symbols.At, loopir.Named(fmt.Sprintf("iterator.%d", k)))
	}
	for k, access := range r.Statement.Statement.Accesses {
		if access.Array != array.Name {
			continue
		}
		rows, err := scop.Subscripts(r.Statement.Accesses[k])
		if err != nil {
			return "", err
		}
		if len(rows) > 0 && n.haveSubscripts(e, rows, &symbols) {
			return n.program.Reference(r.Statement, k), nil
		}
	}
	if k := accessAt(n.program, r.Statement.Statement, array, e); k >= 0 {
		return n.program.Reference(r.Statement, k), nil
	}
	return "", fmt.Errorf("nobody knows which reference to %s this is in %s, of which there are copies of their own", array.Spelling(), r.Statement.Spelling())
}

// accessAt is the access that a statement's text has at the place of a reference, -1 for none: a
// condition in the text may leave an access other subscripts than are written, as a[0] is all of
// i > 0 ? 0 : a[i].
func accessAt(p *scop.Program, s *scop.Statement, array *scop.Array, e *scop.Ref) int {
	references, isNamed := p.Named(s, array)
	next := slices.IndexFunc(references, func(r *scop.Ref) bool { return r.Place == e.Place && e.End > e.Start })
	if !isNamed || next < 0 {
		return -1
	}
	return slices.IndexFunc(s.Accesses, func(a scop.Access) bool {
		if a.Array == array.Name {
			next--
		}
		return next < 0
	})
}

// haveSubscripts says whether the subscripts of a reference are some rows of an instance's
// iterators.
func (n *instances) haveSubscripts(e *scop.Ref, rows []scop.Row, r *loopir.Run) bool {
	if len(rows) != len(e.Subscripts) {
		return false
	}
	for d, row := range rows {
		at := n.indexOf(e.Subscripts[d], r)
		if at == nil || !linearOf(loopir.Operation(isl.OpSub, at, rowAt(row, r, n.program.Parameters))).isZero() {
			return false
		}
	}
	return true
}

// boxed is an element of an array in a copy, which has the numbers alone where the array has structs.
func (n *instances) boxed(box *loopir.Box, e *scop.Ref, r *loopir.Run) (scop.Expr, error) {
	if len(e.Subscripts) != len(box.Of.Sides) || strings.Trim(e.Selected, "[]") != "" && !isMember(n.program.Array(box.Of.Array)) {
		return nil, fmt.Errorf("a copy of %s has %d subscripts, and %s%s has others", box.Of.Array, len(box.Of.Sides), e.Name, e.Selected)
	}
	made := &scop.Ref{Name: n.memory(box.Of), Loop: -1, Selected: strings.Repeat("[]", len(box.Of.Sides))}
	for d, side := range box.Of.Sides {
		if side.Extent == 1 {
			made.Subscripts = append(made.Subscripts, number(0))
			continue
		}
		distance, err := n.distance(e.Subscripts[d], box.Origin[d], side, r)
		if err != nil {
			return nil, err
		}
		made.Subscripts = append(made.Subscripts, distance)
	}
	return made, nil
}

// distance is the place of a subscript along a side of a box.
func (n *instances) distance(subscript scop.Expr, origin *loopir.Expr, side mark.BoxSide, r *loopir.Run) (scop.Expr, error) {
	first := origin
	if side.Thread >= 0 {
		first = loopir.Operation(isl.OpAdd, origin, loopir.Index(side.Thread))
	}
	at := n.indexOf(subscript, r)
	if at == nil {
		text, err := n.subscript(subscript, r)
		return joined("/", joined("-", text, n.tree(first)), number(side.Stride)), err
	}
	for _, variables := range []map[string]*loopir.Expr{nil, n.turnsOf} {
		sum := linearOf(loopir.Operation(isl.OpSub, at.Substituted(variables), first))
		if quotient := sum.divided(side.Stride); quotient != nil {
			return n.tree(quotient.expression()), nil
		}
	}
	return &scop.Binary{Operator: "/", X: n.tree(linearOf(loopir.Operation(isl.OpSub, at, first)).expression()), Y: number(side.Stride)}, nil
}

// indexOf is a subscript at an instance as an expression, nil where it is more than sums, products
// and remainders that are numbers.
func (n *instances) indexOf(e scop.Expr, r *loopir.Run) *loopir.Expr {
	program := n.program
	switch e := e.(type) {
	case *scop.Ref:
		if e.Loop >= 0 {
			return r.At[e.Loop]
		}
		k := slices.IndexFunc(program.Parameters, func(parameter string) bool { return program.Spelling(parameter) == e.Name })
		if k >= 0 && e.Selected == "" {
			return loopir.Named(program.Parameters[k])
		}
	case *scop.Number:
		var value int64
		if count, err := fmt.Sscanf(e.Text+" ", "%d ", &value); count == 1 && err == nil && fmt.Sprint(value) == e.Text {
			return loopir.Int(value)
		}
	case *scop.Unary:
		if x := n.indexOf(e.X, r); x != nil && e.Operator == scop.Parentheses {
			return x
		} else if x != nil && e.Operator == "-" && !e.Postfix {
			return loopir.Operation(isl.OpMinus, x)
		}
	case *scop.Binary:
		x, y := n.indexOf(e.X, r), n.indexOf(e.Y, r)
		if x != nil && y != nil && e.Operator == "%" {
			return n.residue(e, x, y, r.Statement)
		}
		operator, known := map[string]isl.AstOpType{"+": isl.OpAdd, "-": isl.OpSub, "*": isl.OpMul}[e.Operator]
		if x != nil && y != nil && known {
			return loopir.Operation(operator, x, y)
		}
	}
	return nil
}
