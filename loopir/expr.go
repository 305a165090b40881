package loopir

import (
	"fmt"
	"slices"

	"polytune/isl"
)

// Expr is an integer expression of a generated program: an operation of isl
// with its arguments, a name, or an integer.
type Expr struct {
	Kind  isl.AstExprType
	Op    isl.AstOpType
	Name  string
	Value int64
	Args  []*Expr
}

// FromISL copies an isl expression.
func FromISL(e *isl.AstExpr) *Expr {
	switch e.Type() {
	case isl.AstID:
		return Named(e.ID())
	case isl.AstInt:
		return Int(e.Int())
	}
	operation := &Expr{Kind: isl.AstOp, Op: e.OpType()}
	for _, argument := range e.Args() {
		operation.Args = append(operation.Args, FromISL(argument))
	}
	return operation
}

// Operation applies an operator of isl's.
func Operation(operator isl.AstOpType, arguments ...*Expr) *Expr {
	return &Expr{Kind: isl.AstOp, Op: operator, Args: arguments}
}

// Named is the variable of that name.
func Named(name string) *Expr { return &Expr{Kind: isl.AstID, Name: name} }

// OpMisaligned is the operation of Misaligned, which isl has not.
const OpMisaligned isl.AstOpType = -1

// Misaligned says whether the address of an element, as C names it, is no multiple of so many
// bytes. A variable says which element of its row it is.
func Misaligned(element string, bytes int64, variable string) *Expr {
	return &Expr{Kind: isl.AstOp, Op: OpMisaligned, Name: element, Value: bytes, Args: []*Expr{Named(variable)}}
}

// Int is a number.
func Int(value int64) *Expr { return &Expr{Kind: isl.AstInt, Value: value} }

// Is says whether the expression is such an operation.
func (e *Expr) Is(operator isl.AstOpType) bool { return e.Kind == isl.AstOp && e.Op == operator }

// IsInt says whether the expression is that number.
func (e *Expr) IsInt(value int64) bool { return e.Kind == isl.AstInt && e.Value == value }

// Key is a text that only equal expressions share, and no variable has.
func (e *Expr) Key() string {
	key := fmt.Sprintf("(%d %d %s %d", e.Kind, e.Op, e.Name, e.Value)
	for _, argument := range e.Args {
		key += argument.Key()
	}
	return key + ")"
}

// Substituted is the expression with others in the place of some variables.
func (e *Expr) Substituted(variables map[string]*Expr) *Expr {
	if value := variables[e.Name]; e.Kind == isl.AstID && value != nil {
		return value
	}
	if len(e.Args) == 0 {
		return e
	}
	changed := *e
	changed.Args = make([]*Expr, len(e.Args))
	for k, argument := range e.Args {
		changed.Args[k] = argument.Substituted(variables)
	}
	return &changed
}

// Mentions says whether the expression names one of the variables.
func Mentions[V any](e *Expr, variables map[string]V) bool {
	_, named := variables[e.Name]
	return named && e.Kind == isl.AstID || slices.ContainsFunc(e.Args, func(a *Expr) bool { return Mentions(a, variables) })
}
