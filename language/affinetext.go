package language

import (
	"fmt"
	"strings"

	"polytune/isl"
)

// operators are those of isl that are operators of C, with how much they bind.
var operators = map[isl.AstOpType]struct {
	text  string
	binds int
}{
	isl.OpOr: {"||", 1}, isl.OpOrElse: {"||", 1}, isl.OpAnd: {"&&", 2}, isl.OpAndThen: {"&&", 2},
	isl.OpEq: {"==", 3}, isl.OpLe: {"<=", 4}, isl.OpLt: {"<", 4}, isl.OpGe: {">=", 4}, isl.OpGt: {">", 4},
	isl.OpAdd: {"+", 5}, isl.OpSub: {"-", 5}, isl.OpMul: {"*", 6}, isl.OpDiv: {"/", 6}, isl.OpPdivQ: {"/", 6}, isl.OpPdivR: {"%", 6}, isl.OpZdivR: {"%", 6},
}

// cText is an expression of isl's as C, where operators bind so much.
func cText(e *isl.AstExpr, binds int) string {
	switch e.Type() {
	case isl.AstID:
		return e.ID()
	case isl.AstInt:
		return fmt.Sprint(e.Int())
	}
	arguments := e.Args()
	part := func(k int) string { return cText(arguments[k], 7) }
	text, own := "", 0
	switch op := e.OpType(); op {
	case isl.OpMinus:
		text, own = "-"+part(0), 6
	case isl.OpMax, isl.OpMin:
		sign := map[isl.AstOpType]string{isl.OpMax: ">", isl.OpMin: "<"}[op]
		text = cText(arguments[0], 0)
		for k := range arguments[1:] {
			one, other := text, cText(arguments[k+1], 0)
			text = fmt.Sprintf("(%s) %s (%s) ? %s : %s", one, sign, other, one, other)
			if k+2 < len(arguments) {
				text = "(" + text + ")"
			}
		}
	case isl.OpFdivQ:
		text = fmt.Sprintf("%s < 0 ? -((-%s + %s - 1) / %s) : %s / %s", part(0), part(0), part(1), part(1), part(0), part(1))
	case isl.OpCond, isl.OpSelect:
		text = fmt.Sprintf("%s ? %s : %s", part(0), part(1), part(2))
	default:
		o, is := operators[op]
		if !is {
			return e.String()
		}
		texts := []string{cText(arguments[0], o.binds)}
		for k := range arguments[1:] {
			texts = append(texts, cText(arguments[k+1], o.binds+1))
		}
		text, own = strings.Join(texts, " "+o.text+" "), o.binds
	}
	if own < binds || own == 0 && binds > 0 {
		return "(" + text + ")"
	}
	return text
}
