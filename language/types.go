package language

import (
	"slices"
	"strings"

	"polytune/algorithm"
	"polytune/internal/pattern"
)

// ranks are the types in the order in which C converts operands, and their names in C.
var ranks = []algorithm.Type{
	algorithm.Bool, algorithm.Int8, algorithm.Uint8, algorithm.Int16, algorithm.Uint16,
	algorithm.Int32, algorithm.Uint32, algorithm.Int64, algorithm.Uint64, algorithm.Float32, algorithm.Float64,
}

var cTypes = map[algorithm.Type]string{
	algorithm.Bool: "_Bool", algorithm.Int8: "signed char", algorithm.Uint8: "unsigned char", algorithm.Int16: "short",
	algorithm.Uint16: "unsigned short", algorithm.Int32: "int", algorithm.Uint32: "unsigned int", algorithm.Int64: "long long",
	algorithm.Uint64: "unsigned long long", algorithm.Float32: "float", algorithm.Float64: "double",
}

func isType(t algorithm.Type) bool { return slices.Contains(ranks, t) }

func isFloating(t algorithm.Type) bool { return t == algorithm.Float32 || t == algorithm.Float64 }

func isInteger(t algorithm.Type) bool { return isType(t) && !isFloating(t) }

// promoted is the type in which C computes with values of a type: int for smaller integers.
func promoted(t algorithm.Type) algorithm.Type { return common(t, algorithm.Int32) }

// common is the type in which C computes with values of two types (C17 6.3.1.8).
func common(a, b algorithm.Type) algorithm.Type {
	return ranks[max(slices.Index(ranks, a), slices.Index(ranks, b), slices.Index(ranks, algorithm.Int32))]
}

// scope finds out the types of expressions, and what is wrong with them.
type scope struct {
	*function
	at        algorithm.Position
	iterators []string
	// constant says that only sizes and constants may be named, extent only sizes.
	constant, extent bool
}

// typed is the type of an expression, "" where something in it is wrong, which it notes.
func (s *scope) typed(e algorithm.Expr) algorithm.Type {
	switch e.Op {
	case algorithm.OpNumber:
		return numberType(e.Text)
	case algorithm.OpName:
		return s.nameType(e)
	case algorithm.OpProblem:
		return s.wrong(e, "%s", e.Text)
	}
	types := make([]algorithm.Type, len(e.Args))
	for k, a := range e.Args {
		types[k] = s.typed(a)
	}
	if slices.Contains(types, "") {
		return ""
	}
	switch {
	case e.Op == algorithm.OpCall:
		return s.callType(e, types)
	case e.Op == algorithm.OpCast && len(types) == 1 && isType(algorithm.Type(e.Text)):
		return algorithm.Type(e.Text)
	case e.Op == algorithm.OpSelect && len(types) == 3:
		return common(types[1], types[2])
	case len(types) == 1 || len(types) == 2:
		return s.operatorType(e, types)
	}
	return s.wrong(e, "%q is no operation", e.Op)
}

// wrong notes what is wrong with an expression.
func (s *scope) wrong(e algorithm.Expr, format string, arguments ...any) algorithm.Type {
	s.problems.add(s.place(s.at, e), format, arguments...)
	return ""
}

// integerSuffix is what stands behind the digits of an integer.
var integerSuffix = pattern.New(`[uUlL]*$`)

// numberType is the type of a constant of C.
func numberType(text string) algorithm.Type {
	lower := strings.ToLower(text)
	if strings.ContainsAny(lower, ".e") {
		if strings.HasSuffix(lower, "f") {
			return algorithm.Float32
		}
		return algorithm.Float64
	}
	suffix := integerSuffix.FindString(lower)
	digits := strings.TrimLeft(strings.TrimSuffix(lower, suffix), "0")
	isUnsigned, isLong := strings.Contains(suffix, "u"), strings.Contains(suffix, "l")
	switch {
	case isUnsigned && (isLong || exceeds(digits, "4294967295")):
		return algorithm.Uint64
	case isUnsigned:
		return algorithm.Uint32
	case isLong || exceeds(digits, "2147483647"):
		return algorithm.Int64
	}
	return algorithm.Int32
}

// exceeds compares numbers in digits without zeros in front.
func exceeds(digits, limit string) bool {
	return len(digits) > len(limit) || len(digits) == len(limit) && digits > limit
}

// nameType is the type of a name.
func (s *scope) nameType(e algorithm.Expr) algorithm.Type {
	v := s.values[e.Text]
	switch {
	case slices.Contains(s.Sizes, e.Text), slices.Contains(s.iterators, e.Text):
		return algorithm.Int32
	case s.extent:
		return s.wrong(e, "an extent names %s; it is an expression over the sizes %s", e.Text, strings.Join(s.Sizes, " "))
	case v == nil:
		return s.wrong(e, "there is nothing of the name %s%s", e.Text, s.known())
	case s.constant && v.Kind != algorithm.KindConstant:
		return s.wrong(e, "a constant names %s; it is an expression over sizes and constants", e.Text)
	case v.dimensions() > 0:
		return s.wrong(e, "%s has %d subscripts; write %s(…)", e.Text, v.dimensions(), e.Text)
	}
	return v.Type
}

// known lists what can be named.
func (s *scope) known() string {
	names := slices.Concat(s.iterators, s.Sizes, s.names())
	if len(names) == 0 {
		return ""
	}
	return "; there are " + strings.Join(names, " ")
}

// callType is the type of a value with subscripts, or of what a function returns.
func (s *scope) callType(e algorithm.Expr, types []algorithm.Type) algorithm.Type {
	if v := s.values[e.Text]; v != nil {
		return s.valueType(e, v, types)
	}
	count, result := -1, algorithm.Type("")
	switch e.Text {
	case "min", "max":
		if count = 2; len(types) == 2 {
			result = common(types[0], types[1])
		}
	case "clamp":
		if count = 3; len(types) == 3 {
			result = common(common(types[0], types[1]), types[2])
		}
	case "abs":
		if count = 1; len(types) == 1 {
			result = promoted(types[0])
		}
	default:
		if n, t, is := mathFunction(e.Text); is {
			count, result = n, t
		} else if d := s.externs[e.Text]; d != nil {
			count, result = len(d.Arguments), d.Type
		}
	}
	switch {
	case count < 0:
		return s.wrong(e, "there is no value and no function of the name %s%s; functions of C are declared by Extern", e.Text, s.known())
	case count != len(types):
		return s.wrong(e, "%s takes %d arguments, and %v has %d", e.Text, count, e, len(types))
	}
	return result
}

func (s *scope) valueType(e algorithm.Expr, v *value, types []algorithm.Type) algorithm.Type {
	switch {
	case s.extent || s.constant:
		return s.wrong(e, "%v is a value that is there only when the function runs", e)
	case len(types) != v.dimensions():
		return s.wrong(e, "%s has %d subscripts, and %v has %d", v.Name, v.dimensions(), e, len(types))
	}
	for k, t := range types {
		if !isInteger(t) {
			return s.wrong(e, "the subscript %v of %v is %s, no integer; convert it by int32(…)", e.Args[k], e, t)
		}
	}
	return v.Type
}

// operatorType is the type of an operation of C.
func (s *scope) operatorType(e algorithm.Expr, types []algorithm.Type) algorithm.Type {
	integers := !slices.ContainsFunc(types, isFloating)
	last := types[len(types)-1]
	switch e.Op {
	case "!", "&&", "||", "<", "<=", ">", ">=", "==", "!=":
		if (e.Op == "!") == (len(types) == 1) {
			return algorithm.Int32
		}
	case "~", "<<", ">>":
		if !integers {
			return s.wrong(e, "%s takes integers, and %v has a floating-point operand", e.Op, e)
		}
		return promoted(types[0])
	case "%", "&", "|", "^":
		if !integers {
			return s.wrong(e, "%s takes integers, and %v has a floating-point operand", e.Op, e)
		}
		return common(types[0], last)
	case "-", "+", "*", "/":
		return common(types[0], last)
	}
	return s.wrong(e, "%q is no operation with %d operands", e.Op, len(types))
}

// assignable notes that a value of one type would lose its fraction where it is stored.
func (s *scope) assignable(e algorithm.Expr, from, to algorithm.Type, name string) {
	if isFloating(from) && isInteger(to) {
		s.wrong(e, "%s is %s, and its value %s: convert it by %s(…), which leaves out the fraction", name, to, from, to)
	}
}
