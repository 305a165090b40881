package device

import (
	"fmt"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
)

// words writes expressions in C.
type words struct {
	program *scop.Program
	// index is how the number of a thread, or else of a block, along a dimension is written, nil on
	// the host.
	index func(isThread bool, dimension int) string
	// measured looks at the numbers that are computed, nil on the host.
	measured func(e scop.Expr)
	// named notes a variable, or a parameter of the program, that expressions name; nil on the
	// host, where parameters have their spellings.
	named func(name string)
	err   error
}

func newWords(program *scop.Program) *words { return &words{program: program} }

// text is an expression's text.
func (w *words) text(e *loopir.Expr) string { return textOf(w.measuredTree(e)) }

// measuredTree is an expression as a tree of C, at whose numbers somebody looks.
func (w *words) measuredTree(e *loopir.Expr) scop.Expr {
	tree := w.tree(e)
	if w.measured != nil {
		w.measured(tree)
	}
	return tree
}

// textOf is the text of a tree.
func textOf(e scop.Expr) string {
	s := scop.Statement{Value: e}
	s.Write()
	return s.Source[:len(s.Source)-1]
}

// expressionOf copies an expression of isl's.
func expressionOf(e *isl.AstExpr) *loopir.Expr { return loopir.FromISL(e) }

// operators are those with two operands that C has, too.
var operators = map[isl.AstOpType]string{
	isl.OpAdd: "+", isl.OpSub: "-", isl.OpMul: "*", isl.OpDiv: "/", isl.OpPdivQ: "/", isl.OpPdivR: "%", isl.OpZdivR: "%", isl.OpEq: "==", isl.OpLe: "<=",
	isl.OpLt: "<", isl.OpGe: ">=", isl.OpGt: ">", isl.OpAnd: "&&", isl.OpAndThen: "&&", isl.OpOr: "||", isl.OpOrElse: "||",
}

// helpers are macros for operations that C has not; divisors are positive.
var helpers = map[isl.AstOpType]string{isl.OpMin: "tune_min", isl.OpMax: "tune_max", isl.OpFdivQ: "tune_floor"}

// helperMacros define them, and the first iteration from one on that is a thread's.
const helperMacros = `#define tune_min(a, b) ((a) < (b) ? (a) : (b))
#define tune_max(a, b) ((a) > (b) ? (a) : (b))
#define tune_floor(n, d) ((n) < 0 ? ((n) + 1) / (d) - 1 : (n) / (d))
#define tune_turn(from, thread, count) ((from) + (((thread) - (from)) % (count) + (count)) % (count))
`

// tree is an expression as a tree of C.
func (w *words) tree(e *loopir.Expr) scop.Expr {
	switch e.Kind {
	case isl.AstInt:
		return number(e.Value)
	case isl.AstID:
		if isThread, dimension, is := loopir.IndexOf(e); is {
			return name(w.index(isThread, dimension))
		}
		if w.named == nil {
			return name(w.program.Spelling(e.Name))
		}
		w.named(e.Name)
		return name(deviceWord(e.Name))
	}
	args := make([]scop.Expr, len(e.Args))
	for k, a := range e.Args {
		args[k] = w.tree(a)
	}
	operator, helper := operators[e.Op], helpers[e.Op]
	switch {
	case e.Is(isl.OpMinus) && len(args) == 1:
		return &scop.Unary{Operator: "-", X: args[0]}
	case len(args) == 3 && (e.Op == isl.OpCond || e.Op == isl.OpSelect):
		return &scop.Select{If: args[0], Then: args[1], Else: args[2]}
	case len(args) >= 2 && operator != "":
		all := args[0]
		for _, a := range args[1:] {
			all = joined(operator, all, a)
		}
		return all
	case len(args) >= 2 && helper != "":
		all := args[0]
		for _, a := range args[1:] {
			all = &scop.Call{Function: helper, Arguments: []scop.Expr{all, a}}
		}
		return all
	}
	w.err = fmt.Errorf("isl's operator %d has no form in C", e.Op)
	return number(0)
}

// joined is an operator with its operands, without what changes nothing.
func joined(operator string, x, y scop.Expr) scop.Expr {
	isValue := func(e scop.Expr, text string) bool {
		n, is := e.(*scop.Number)
		return is && n.Text == text
	}
	switch {
	case operator == "*" && isValue(x, "1"), operator == "+" && isValue(x, "0"):
		return y
	case (operator == "*" || operator == "/") && isValue(y, "1"), (operator == "+" || operator == "-") && isValue(y, "0"):
		return x
	}
	return &scop.Binary{Operator: operator, X: x, Y: y}
}

func number(value int64) scop.Expr {
	if value < 0 && value > -1<<63 {
		return &scop.Unary{Operator: "-", X: number(-value)}
	}
	return &scop.Number{Text: fmt.Sprint(value)}
}

func name(text string) scop.Expr { return &scop.Ref{Name: text, Loop: -1} }
