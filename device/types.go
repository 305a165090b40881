package device

import (
	"slices"
	"strings"

	"polytune/scop"
)

// The types of functions of math.h, and of numbers that are no integers.
const (
	double = "double"
	float  = "float"
)

// functionType is the type of a function of math.h and its arguments, "" for one that devices have
// not.
func functionType(name string) string {
	switch base, isFloat := strings.CutSuffix(name, "f"); {
	case slices.Contains(functions, name):
		return double
	case isFloat && slices.Contains(functions, base):
		return float
	}
	return ""
}

// typeOf is the type of a part of a statement as C has it, "" for all others than double and float.
func (n *instances) typeOf(e scop.Expr) string {
	switch e := e.(type) {
	case *scop.Ref:
		return n.typeOfName(e)
	case *scop.Number:
		return typeOfNumber(e.Text)
	case *scop.Unary:
		if pointed := n.pointedTo(e); pointed != nil {
			return n.typeOf(pointed)
		}
		if name := strings.Trim(e.Operator, "()"); name != e.Operator && e.Operator != scop.Parentheses {
			return floating(name)
		}
		if e.Operator == scop.Parentheses || e.Operator == "-" || e.Operator == "+" {
			return n.typeOf(e.X)
		}
	case *scop.Binary:
		if strings.Contains("+-*/", e.Operator) {
			return larger(n.typeOf(e.X), n.typeOf(e.Y))
		}
	case *scop.Select:
		return larger(n.typeOf(e.Then), n.typeOf(e.Else))
	case *scop.Call:
		return functionType(e.Function)
	}
	return ""
}

// typeOfName is the type of an element, or a variable.
func (n *instances) typeOfName(e *scop.Ref) string {
	if e.Loop >= 0 {
		return ""
	}
	if array := n.arrayOf(e); array != nil {
		return floating(array.Type)
	}
	for _, argument := range n.program.Function.Arguments {
		if argument.Name == e.Name {
			return floating(argument.Type)
		}
	}
	return ""
}

// typeOfNumber is the type of a constant.
func typeOfNumber(text string) string {
	switch isHexadecimal := strings.HasPrefix(strings.ToLower(text), "0x"); {
	case !strings.ContainsAny(text, ".pP") && (isHexadecimal || !strings.ContainsAny(text, "eE")):
		return ""
	case strings.HasSuffix(strings.ToLower(text), "f"):
		return float
	}
	return double
}

// floating is a type that is no integer's, else "".
func floating(text string) string {
	if name := unqualified(text); name == double || name == float {
		return name
	}
	return ""
}

// larger is the type of an operator with operands of two types.
func larger(x, y string) string {
	if x == double || y == double {
		return double
	}
	if x == float || y == float {
		return float
	}
	return ""
}
