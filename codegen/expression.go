package codegen

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"polytune/isl"
	"polytune/loopir"
)

// precedence orders C's operators by how tightly they bind.
type precedence int

const (
	conditional precedence = iota
	disjunction
	conjunction
	equality
	comparison
	additive
	multiplicative
	unary
	primary
)

// width is what is known about the C type of a printed expression.
type width int

const (
	// literal is an integer constant: it takes the width of its surroundings.
	literal width = iota
	// narrow is int or a smaller signed type.
	narrow
	// wide is long.
	wide
	// foreign is an unsigned or unknown type, to be converted before use.
	foreign
)

// text is a printed expression.
type text struct {
	code  string
	binds precedence
	width width
}

// within is the expression as an operand of an operator that needs operands
// that bind at least as tightly as binds.
func (t text) within(binds precedence) string {
	if t.binds < binds {
		return "(" + t.code + ")"
	}
	return t.code
}

// asLong is the expression converted to long.
func (t text) asLong() text {
	if t.width == wide {
		return t
	}
	return text{"(long) " + t.within(unary), unary, wide}
}

// helper is one of the macros a block may need.
type helper int

const (
	helperMin helper = iota
	helperMax
	helperFloor
	helperCount
)

// expressions prints expressions as C. All arithmetic is done in long, except
// for a parameter of type int minus a small constant: no sum or product of
// the generated code overflows where the program's own did not.
type expressions struct {
	// helpers are the names of the macros, and needed says which were used.
	helpers [helperCount]string
	needed  [helperCount]bool
	// parameters are the widths of the parameters; all other names are loop
	// variables.
	parameters map[string]width
	// spellings are the C expressions of parameters whose names differ.
	spellings map[string]string
	// namesLoops says that comments have the names of loops.
	namesLoops bool
	err        error
}

// printer prints code as C.
type printer struct {
	expressions
	// taken are the names that mean something already.
	taken map[string]bool
	// vectorTypes are the names of vector types, typedefs their definitions.
	vectorTypes map[string]string
	typedefs    []string
	// macros are those besides the helpers, by what they are for.
	macros map[string]macro
	// inside names the loop that is printed, "" for none.
	inside string
	// runtime begins the names of the functions for ranks.
	runtime string
}

// texts print expressions.
func (p *expressions) texts(list []*loopir.Expr) []text {
	texts := make([]text, len(list))
	for k, e := range list {
		texts[k] = p.expression(e)
	}
	return texts
}

// expression prints e.
func (p *expressions) expression(e *loopir.Expr) text {
	if e.Is(loopir.OpMisaligned) {
		return text{fmt.Sprintf("(__UINTPTR_TYPE__) &%s %% %d", e.Name, e.Value), multiplicative, foreign}
	}
	switch e.Kind {
	case isl.AstID:
		return p.identifier(e.Name)
	case isl.AstInt:
		return number(e.Value)
	}
	switch {
	case e.Is(isl.OpAdd) || e.Is(isl.OpSub):
		return p.sum(termsOf(e, false))
	case len(e.Args) == 1 && e.Op == isl.OpMinus:
		return p.negation(p.expression(e.Args[0]))
	case len(e.Args) == 3 && (e.Op == isl.OpCond || e.Op == isl.OpSelect):
		return p.choice(e)
	case len(e.Args) >= 2 && (e.Is(isl.OpMin) || e.Is(isl.OpMax)):
		return p.extremum(e.Op, operandsOf(e, e.Op))
	case len(e.Args) >= 2:
		result := p.expression(e.Args[0])
		for _, argument := range e.Args[1:] {
			result = p.binary(e.Op, result, p.expression(argument))
		}
		return result
	}
	return p.fail(e.Op)
}

func (p *expressions) fail(operator isl.AstOpType) text {
	p.err = errors.Join(p.err, fmt.Errorf("isl's operator %d has no form in C", operator))
	return number(0)
}

func (p *expressions) identifier(name string) text {
	w, known := p.parameters[name]
	if spelling := p.spellings[name]; known && spelling != "" {
		name = spelling
	}
	switch {
	case !known:
		return text{name, primary, wide}
	case w == foreign:
		return text{"(long) " + name, unary, wide}
	default:
		return text{name, primary, w}
	}
}

// number prints a constant. C has no literal for the smallest value.
func number(value int64) text {
	if value >= 0 {
		return text{strconv.FormatInt(value, 10), primary, literal}
	}
	if value == -1<<63 {
		return text{fmt.Sprintf("(-%d - 1)", int64(1<<63-1)), primary, wide}
	}
	return text{strconv.FormatInt(value, 10), unary, literal}
}

func (p *expressions) negation(operand text) text {
	if operand.width == narrow {
		operand = operand.asLong()
	}
	return text{"-" + positive(operand.within(unary)), unary, operand.width}
}

func (p *expressions) choice(e *loopir.Expr) text {
	condition, yes, no := p.expression(e.Args[0]), p.expression(e.Args[1]), p.expression(e.Args[2])
	return text{condition.within(disjunction) + " ? " + yes.within(disjunction) + " : " + no.within(disjunction),
		conditional, max(yes.width, no.width)}
}

// binary prints left operator right.
func (p *expressions) binary(operator isl.AstOpType, left, right text) text {
	switch operator {
	case isl.OpFdivQ:
		return p.call(helperFloor, left, right)
	case isl.OpMul:
		return product("*", left, right)
	case isl.OpDiv, isl.OpPdivQ:
		return product("/", left, right)
	case isl.OpPdivR, isl.OpZdivR:
		return product("%", left, right)
	case isl.OpAnd, isl.OpAndThen:
		return logical("&&", conjunction, left, right)
	case isl.OpOr, isl.OpOrElse:
		return logical("||", disjunction, left, right)
	}
	if symbol, ok := comparisons[operator]; ok {
		return text{left.within(additive) + " " + symbol + " " + right.within(additive), comparison, narrow}
	}
	return p.fail(operator)
}

// operandsOf are the operands of a chain of one operator.
func operandsOf(e *loopir.Expr, operator isl.AstOpType) []*loopir.Expr {
	if !e.Is(operator) {
		return []*loopir.Expr{e}
	}
	var operands []*loopir.Expr
	for _, argument := range e.Args {
		operands = append(operands, operandsOf(argument, operator)...)
	}
	return operands
}

// extremum prints a minimum or maximum. Macros repeat their arguments, so
// that a chain of calls would double the text with each operand; a balanced
// tree keeps it small.
func (p *expressions) extremum(operator isl.AstOpType, operands []*loopir.Expr) text {
	if len(operands) == 1 {
		return p.expression(operands[0])
	}
	half := (len(operands) + 1) / 2
	left, right := p.extremum(operator, operands[:half]), p.extremum(operator, operands[half:])
	if operator == isl.OpMin {
		return p.call(helperMin, left, right)
	}
	return p.call(helperMax, left, right)
}

var comparisons = map[isl.AstOpType]string{
	isl.OpEq: "==", isl.OpLe: "<=", isl.OpLt: "<", isl.OpGe: ">=", isl.OpGt: ">",
}

// logical prints a chain of && or ||; the one inside the other is put in
// parentheses, as compilers ask for.
func logical(symbol string, binds precedence, left, right text) text {
	operand := func(t text) string {
		if t.binds != binds {
			return t.within(equality)
		}
		return t.code
	}
	return text{operand(left) + " " + symbol + " " + operand(right), binds, narrow}
}

// term is a term of a sum.
type term struct {
	negative bool
	*loopir.Expr
}

// termsOf are the terms of a sum, with one that is added and no constant in
// front where there is such a term.
func termsOf(e *loopir.Expr, negative bool) []term {
	terms := flatten(e, negative)
	front := slices.IndexFunc(terms, func(t term) bool { return !t.negative && t.Kind != isl.AstInt })
	if front < 0 {
		front = slices.IndexFunc(terms, func(t term) bool { return !t.negative })
	}
	if front <= 0 {
		return terms
	}
	return slices.Concat(terms[front:front+1], terms[:front], terms[front+1:])
}

func flatten(e *loopir.Expr, negative bool) []term {
	switch {
	case e.Is(isl.OpAdd), e.Is(isl.OpSub):
		terms := flatten(e.Args[0], negative)
		for _, argument := range e.Args[1:] {
			terms = append(terms, flatten(argument, negative != e.Is(isl.OpSub))...)
		}
		return terms
	case e.Is(isl.OpMinus):
		return flatten(e.Args[0], !negative)
	case e.Kind == isl.AstInt && e.Value < 0 && e.Value != -1<<63:
		return []term{{!negative, loopir.Int(-e.Value)}}
	case e.Is(isl.OpMul) && e.Args[0].Kind == isl.AstInt && e.Args[0].Value < 0 && e.Args[0].Value != -1<<63:
		return []term{{!negative, loopir.Operation(isl.OpMul, append([]*loopir.Expr{loopir.Int(-e.Args[0].Value)}, e.Args[1:]...)...)}}
	}
	return []term{{negative, e}}
}

// sum prints a sum of at least two terms.
func (p *expressions) sum(terms []term) text {
	result := p.expression(terms[0].Expr)
	switch {
	case terms[0].negative && terms[0].Is(isl.OpMul):
		result.code = "-" + result.code
	case terms[0].negative:
		result = p.negation(result)
	}
	if len(terms) == 2 && isSmallDifference(result, terms[1]) {
		return text{result.code + " - " + number(terms[1].Value).code, additive, narrow}
	}
	for _, t := range terms[1:] {
		var right text
		result, right = widen(result, p.expression(t.Expr))
		symbol, operand := " + ", right.within(additive)
		if t.negative {
			symbol, operand = " - ", right.within(multiplicative)
		}
		result = text{result.within(additive) + symbol + positive(operand), additive, max(result.width, right.width)}
	}
	return result
}

// isSmallDifference says whether left - right is a parameter of type int
// minus a constant so small that the difference cannot leave the type: the
// sizes of arrays and loops are nowhere near the least int.
func isSmallDifference(left text, right term) bool {
	return left.binds == primary && left.width == narrow &&
		right.negative && right.Kind == isl.AstInt && right.Value <= 1<<16
}

// positive keeps an operand's sign away from the operator before it.
func positive(operand string) string {
	if strings.HasPrefix(operand, "-") {
		return "(" + operand + ")"
	}
	return operand
}

// product prints a product, quotient or remainder. The divisors of isl's
// expressions are positive, so that dividing never overflows.
func product(symbol string, left, right text) text {
	if symbol == "*" || right.width != literal {
		left, right = widen(left, right)
	}
	return text{left.within(multiplicative) + " " + symbol + " " + positive(right.within(unary)),
		multiplicative, max(left.width, right.width)}
}

// widen converts one operand to long where the operation would otherwise be
// done in int.
func widen(left, right text) (text, text) {
	switch {
	case left.width == wide || right.width == wide:
	case left.width == narrow:
		left = left.asLong()
	case right.width == narrow:
		right = right.asLong()
	}
	return left, right
}

func (p *expressions) call(h helper, arguments ...text) text {
	p.needed[h] = true
	codes, w := make([]string, len(arguments)), literal
	for i, a := range arguments {
		codes[i], w = a.code, max(w, a.width)
	}
	return text{p.helpers[h] + "(" + strings.Join(codes, ", ") + ")", primary, w}
}

// definition is the macro's definition; divisors are positive.
func (h helper) definition() string {
	switch h {
	case helperMin:
		return "(a, b) ((a) < (b) ? (a) : (b))"
	case helperMax:
		return "(a, b) ((a) > (b) ? (a) : (b))"
	default:
		return "(n, d) ((n) < 0 ? ((n) + 1) / (d) - 1 : (n) / (d))"
	}
}
