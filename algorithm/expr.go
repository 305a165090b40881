package algorithm

import (
	"fmt"
	"strconv"
)

// Expr is an expression over values, sizes and iterators. Texts and calls of methods make the same
// trees.
type Expr struct {
	// Op is one of the operations below, or an operator of C: "+", "-", "*", "/", "%", "<<", ">>",
	// "<", "<=", ">", ">=", "==", "!=", "&", "|", "^", "&&", "||", and with one operand "-", "!", "~".
	Op string `json:"op"`
	// Text is the number, the name, the type of a cast, or what is wrong.
	Text string `json:"text,omitempty"`
	Args []Expr `json:"args,omitempty"`
	// At is the place in the text that it was read from, in bytes from 1; 0 for values of methods.
	At int `json:"at,omitempty"`
}

// The operations that are no operators of C.
const (
	OpNumber = "number"
	OpName   = "name"
	// OpCall is a value of an input or a computation with these subscripts, or a function.
	OpCall = "call"
	OpCast = "cast"
	// OpSelect is the second operand where the first one holds, else the third.
	OpSelect = "select"
	// OpProblem is a text that is no expression; its Text says why.
	OpProblem = "problem"
)

// Values are those of an input, a constant or a computation.
type Values struct{ name string }

// At is the value with these subscripts: Expr, texts or integers.
func (v *Values) At(subscripts ...any) Expr {
	return Expr{Op: OpCall, Text: v.name, Args: expressions(subscripts)}
}

// Name is an iterator, a size, a constant, or an input without extents.
func Name(name string) Expr { return Expr{Op: OpName, Text: name} }

// Number is a constant as C writes it: "3", "0.5f".
func Number(text string) Expr { return expression(text) }

// Select is then where the condition holds, else otherwise.
func Select(condition, then, otherwise any) Expr {
	return operation(OpSelect, condition, then, otherwise)
}

// Call is a function of <math.h>, one that Extern declares, or min, max, clamp and abs.
func Call(function string, arguments ...any) Expr {
	return Expr{Op: OpCall, Text: function, Args: expressions(arguments)}
}

// Min is the lesser value.
func Min(a, b any) Expr { return Call("min", a, b) }

// Max is the greater value.
func Max(a, b any) Expr { return Call("max", a, b) }

// Clamp is low where the value is less, high where it is greater, and else the value.
func Clamp(value, low, high any) Expr { return Call("clamp", value, low, high) }

// Cast is a value converted to a type, by C's rules.
func Cast(t Type, value any) Expr {
	return Expr{Op: OpCast, Text: string(t), Args: []Expr{expression(value)}}
}

// Not holds where the condition does not.
func Not(condition any) Expr { return operation("!", condition) }

// Plus is the sum.
func (e Expr) Plus(other any) Expr { return operation("+", e, other) }

// Minus is the difference.
func (e Expr) Minus(other any) Expr { return operation("-", e, other) }

// Times is the product.
func (e Expr) Times(other any) Expr { return operation("*", e, other) }

// Over is the quotient, which C rounds towards zero for integers.
func (e Expr) Over(other any) Expr { return operation("/", e, other) }

// Modulo is the remainder of C's quotient.
func (e Expr) Modulo(other any) Expr { return operation("%", e, other) }

// Negated is the value with the other sign.
func (e Expr) Negated() Expr { return operation("-", e) }

// Left is the value shifted to the left.
func (e Expr) Left(bits any) Expr { return operation("<<", e, bits) }

// Right is the value shifted to the right.
func (e Expr) Right(bits any) Expr { return operation(">>", e, bits) }

// Less holds where the value is less.
func (e Expr) Less(other any) Expr { return operation("<", e, other) }

// AtMost holds where the value is not greater.
func (e Expr) AtMost(other any) Expr { return operation("<=", e, other) }

// Greater holds where the value is greater.
func (e Expr) Greater(other any) Expr { return operation(">", e, other) }

// AtLeast holds where the value is not less.
func (e Expr) AtLeast(other any) Expr { return operation(">=", e, other) }

// Equals holds where both values are equal.
func (e Expr) Equals(other any) Expr { return operation("==", e, other) }

// Differs holds where they are not.
func (e Expr) Differs(other any) Expr { return operation("!=", e, other) }

// And holds where both conditions hold.
func (e Expr) And(other any) Expr { return operation("&&", e, other) }

// Or holds where one of the conditions holds.
func (e Expr) Or(other any) Expr { return operation("||", e, other) }

// BitAnd, BitOr and BitXor combine the bits of integers.
func (e Expr) BitAnd(other any) Expr { return operation("&", e, other) }

// BitOr has the bits of both.
func (e Expr) BitOr(other any) Expr { return operation("|", e, other) }

// BitXor has the bits of one of them.
func (e Expr) BitXor(other any) Expr { return operation("^", e, other) }

func operation(op string, operands ...any) Expr { return Expr{Op: op, Args: expressions(operands)} }

func expressions(values []any) []Expr {
	list := make([]Expr, len(values))
	for k, v := range values {
		list[k] = expression(v)
	}
	return list
}

// expression is an Expr, an integer, a number as Go writes it, or a text, as an expression.
func expression(value any) Expr {
	switch v := value.(type) {
	case Expr:
		if v.Op == "" {
			return Expr{Op: OpProblem, Text: "an empty Expr is no expression"}
		}
		return v
	case *Values:
		return Name(v.name)
	case string:
		p := newParser(v)
		e := p.expression(0)
		if problem := p.finished(v); problem != "" {
			return Expr{Op: OpProblem, Text: problem, At: p.place()}
		}
		return e
	case int:
		if v < 0 {
			return operation("-", Expr{Op: OpNumber, Text: strconv.FormatUint(-uint64(v), 10)})
		}
		return Expr{Op: OpNumber, Text: strconv.Itoa(v)}
	case float64:
		return Expr{Op: OpProblem, Text: fmt.Sprintf("write %v as a text, \"%vf\" for float32 or \"%v\" for float64", v, v, v)}
	}
	return Expr{Op: OpProblem, Text: fmt.Sprintf("a %T is no expression; write a text, an integer or an Expr", value)}
}
