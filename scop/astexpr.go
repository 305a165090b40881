package scop

import (
	"strconv"

	"polytune/isl"
)

// cOperators are those of isl's operations that C has with the same meaning: quotients and remainders
// of numbers that are not negative among them.
var cOperators = map[isl.AstOpType]string{
	isl.OpAdd: "+", isl.OpSub: "-", isl.OpMul: "*", isl.OpDiv: "/", isl.OpPdivQ: "/", isl.OpPdivR: "%",
	isl.OpEq: "==", isl.OpLe: "<=", isl.OpLt: "<", isl.OpGe: ">=", isl.OpGt: ">", isl.OpAnd: "&&", isl.OpOr: "||", isl.OpAndThen: "&&", isl.OpOrElse: "||",
}

// InStatement is an expression of isl's as one of C, with others for the names that are no parameters;
// ok is false for operations that have none.
func (p *Program) InStatement(e *isl.AstExpr, others map[string]Expr) (made Expr, ok bool) {
	switch e.Type() {
	case isl.AstID:
		if other, is := others[e.ID()]; is {
			return other, true
		}
		return p.parameterRef(e.ID()), true
	case isl.AstInt:
		if value := e.Int(); value < 0 {
			return &Unary{Operator: "-", X: &Number{Text: strconv.FormatInt(-value, 10)}}, true
		}
		return &Number{Text: strconv.FormatInt(e.Int(), 10)}, true
	}
	var args []Expr
	for _, arg := range e.Args() {
		made, ok := p.InStatement(arg, others)
		if !ok {
			return nil, false
		}
		args = append(args, made)
	}
	switch op := e.OpType(); op {
	case isl.OpMinus:
		return &Unary{Operator: "-", X: args[0]}, true
	case isl.OpCond, isl.OpSelect:
		return &Select{If: args[0], Then: args[1], Else: args[2]}, true
	case isl.OpFdivQ:
		return roundedDown(args[0], args[1]), true
	case isl.OpMin, isl.OpMax:
		made, less := args[0], map[isl.AstOpType]string{isl.OpMin: "<", isl.OpMax: ">"}[op]
		for _, arg := range args[1:] {
			made = &Select{If: &Binary{Operator: less, X: made, Y: arg}, Then: made, Else: arg}
		}
		return made, true
	default:
		operator, is := cOperators[op]
		if !is {
			return nil, false
		}
		made := args[0]
		for _, arg := range args[1:] {
			made = &Binary{Operator: operator, X: made, Y: arg}
		}
		return made, true
	}
}

// roundedDown is a quotient by a positive number, which C rounds to 0.
func roundedDown(n, d Expr) Expr {
	less := &Binary{Operator: "-", X: &Binary{Operator: "-", X: d, Y: &Number{Text: "1"}}, Y: n}
	negative := &Unary{Operator: "-", X: &Unary{Operator: Parentheses, X: &Binary{Operator: "/", X: less, Y: d}}}
	return &Select{If: &Binary{Operator: "<", X: n, Y: &Number{Text: "0"}}, Then: negative, Else: &Binary{Operator: "/", X: n, Y: d}}
}

// parameterRef names a parameter in C.
func (p *Program) parameterRef(parameter string) Expr {
	name := p.Spelling(parameter)
	if identifierText.FindString(name) != name {
		return &Unary{Operator: Parentheses, X: &Ref{Name: name, Loop: -1}}
	}
	return &Ref{Name: name, Loop: -1}
}
