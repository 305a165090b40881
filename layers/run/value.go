package run

import (
	"fmt"
	"math"
	"strings"
)

// kind is an arithmetic type of C, in the order in which operands are converted (C17 6.3.1.8).
type kind int

const (
	boolean kind = iota
	int8Kind
	uint8Kind
	int16Kind
	uint16Kind
	int32Kind
	uint32Kind
	int64Kind
	uint64Kind
	floatKind
	doubleKind
	// opaque and what is above it are types that are no numbers, of as many bytes as it is above.
	opaque
)

// sizes are those of the types, in bytes.
var sizes = [...]int{boolean: 1, int8Kind: 1, uint8Kind: 1, int16Kind: 2, uint16Kind: 2, int32Kind: 4, uint32Kind: 4, int64Kind: 8, uint64Kind: 8, floatKind: 4, doubleKind: 8}

// size is that of a type in bytes.
func (k kind) size() int {
	if k >= opaque {
		return int(k - opaque)
	}
	return sizes[k]
}

// kindOf is the type with a name in C whose values have so many bytes.
func kindOf(name string, size int) (kind, error) {
	words := strings.Fields(name)
	has := func(word string) bool {
		for _, w := range words {
			if w == word {
				return true
			}
		}
		return false
	}
	switch {
	case has("float"):
		return floatKind, nil
	case has("double") && size == 8:
		return doubleKind, nil
	case has("_Bool") || has("bool"):
		return boolean, nil
	}
	isUnsigned := has("unsigned") || strings.HasPrefix(name, "uint") || name == "size_t"
	for k := int8Kind; k <= uint64Kind; k++ {
		if k.size() == size && (k == uint8Kind || k == uint16Kind || k == uint32Kind || k == uint64Kind) == isUnsigned && !has("double") {
			return k, nil
		}
	}
	return 0, beyond("values of type %s cannot be evaluated", name)
}

// value is a number of C: integers in bits, extended by their sign, and floating-point numbers in
// number. Values of opaque types have bytes.
type value struct {
	kind   kind
	bits   int64
	number float64
	bytes  []byte
}

func (k kind) isFloating() bool { return k == floatKind || k == doubleKind }

func (k kind) isUnsigned() bool {
	return k == boolean || k == uint8Kind || k == uint16Kind || k == uint32Kind || k == uint64Kind
}

// integer is an integer of a type.
func integer(k kind, bits int64) value {
	switch k {
	case boolean:
		if bits != 0 {
			bits = 1
		}
	case int8Kind:
		bits = int64(int8(bits))
	case uint8Kind:
		bits = int64(uint8(bits))
	case int16Kind:
		bits = int64(int16(bits))
	case uint16Kind:
		bits = int64(uint16(bits))
	case int32Kind:
		bits = int64(int32(bits))
	case uint32Kind:
		bits = int64(uint32(bits))
	}
	return value{kind: k, bits: bits}
}

// floating is a floating-point number, rounded to a type.
func floating(k kind, number float64) value {
	if k == floatKind {
		number = float64(float32(number))
	}
	return value{kind: k, number: number}
}

// to is the value converted to a type, as C does.
func (v value) to(k kind) value {
	switch {
	case v.kind == k:
		return v
	case k.isFloating() && v.kind.isFloating():
		return floating(k, v.number)
	case k == floatKind && v.kind == uint64Kind:
		return value{kind: k, number: float64(float32(uint64(v.bits)))}
	case k == floatKind:
		return value{kind: k, number: float64(float32(v.bits))}
	case k == doubleKind && v.kind == uint64Kind:
		return floating(k, float64(uint64(v.bits)))
	case k == doubleKind:
		return floating(k, float64(v.bits))
	case k == boolean && v.kind.isFloating():
		return truth(v.number != 0).to(boolean)
	case v.kind.isFloating() && k == uint64Kind && v.number >= math.MaxInt64:
		return integer(k, int64(uint64(v.number)))
	case v.kind.isFloating():
		return integer(k, int64(v.number))
	}
	return integer(k, v.bits)
}

// truth is 1 or 0.
func truth(is bool) value {
	if is {
		return integer(int32Kind, 1)
	}
	return integer(int32Kind, 0)
}

func (v value) isTrue() bool {
	return v.kind.isFloating() && v.number != 0 || !v.kind.isFloating() && v.bits != 0
}

// common is the type in which C computes with two types.
func common(a, b kind) kind { return max(a, b, int32Kind) }

// binary applies an operator of C with two operands.
func binary(operator string, a, b value) (value, error) {
	k := common(a.kind, b.kind)
	if operator == "<<" || operator == ">>" {
		k = common(a.kind, int32Kind)
		b = b.to(int64Kind)
	} else {
		b = b.to(k)
	}
	if a = a.to(k); k.isFloating() {
		return floatingOperation(operator, k, a.number, b.number)
	}
	return integerOperation(operator, k, a.bits, b.bits)
}

func floatingOperation(operator string, k kind, a, b float64) (value, error) {
	if k == floatKind {
		return floatOperation(operator, float32(a), float32(b))
	}
	switch operator {
	case "+":
		return floating(k, a+b), nil
	case "-":
		return floating(k, a-b), nil
	case "*":
		return floating(k, float64(a*b)), nil
	case "/":
		return floating(k, a/b), nil
	}
	return compared(operator, a, b)
}

// floatOperation rounds each result to float, as machines do.
func floatOperation(operator string, a, b float32) (value, error) {
	switch operator {
	case "+":
		return floating(floatKind, float64(a+b)), nil
	case "-":
		return floating(floatKind, float64(a-b)), nil
	case "*":
		return floating(floatKind, float64(float32(a*b))), nil
	case "/":
		return floating(floatKind, float64(a/b)), nil
	}
	return compared(operator, a, b)
}

func compared[T int64 | uint64 | float32 | float64](operator string, a, b T) (value, error) {
	switch operator {
	case "<":
		return truth(a < b), nil
	case "<=":
		return truth(a <= b), nil
	case ">":
		return truth(a > b), nil
	case ">=":
		return truth(a >= b), nil
	case "==":
		return truth(a == b), nil
	case "!=":
		return truth(a != b), nil
	}
	return value{}, beyond("the operator %s cannot be evaluated", operator)
}

func integerOperation(operator string, k kind, a, b int64) (value, error) {
	isUnsigned := k.isUnsigned()
	switch operator {
	case "+":
		return integer(k, a+b), nil
	case "-":
		return integer(k, a-b), nil
	case "*":
		return integer(k, a*b), nil
	case "/", "%":
		if b == 0 {
			return value{}, fmt.Errorf("division by zero")
		}
		quotient, rest := a, int64(0)
		if isUnsigned {
			quotient, rest = int64(uint64(a)/uint64(b)), int64(uint64(a)%uint64(b))
		} else {
			quotient, rest = a/b, a%b
		}
		if operator == "/" {
			return integer(k, quotient), nil
		}
		return integer(k, rest), nil
	case "<<":
		return integer(k, a<<uint64(b)), nil
	case ">>":
		if isUnsigned {
			return integer(k, int64(uint64(a)>>uint64(b))), nil
		}
		return integer(k, a>>uint64(b)), nil
	case "&":
		return integer(k, a&b), nil
	case "|":
		return integer(k, a|b), nil
	case "^":
		return integer(k, a^b), nil
	}
	if isUnsigned {
		return compared(operator, uint64(a), uint64(b))
	}
	return compared(operator, a, b)
}

// functions are those of <math.h> whose results are exact or correctly rounded, so that all
// libraries have the same.
var functions = map[string]func(a ...float64) float64{
	"sqrt": func(a ...float64) float64 { return math.Sqrt(a[0]) }, "fabs": func(a ...float64) float64 { return math.Abs(a[0]) },
	"floor": func(a ...float64) float64 { return math.Floor(a[0]) }, "ceil": func(a ...float64) float64 { return math.Ceil(a[0]) },
	"trunc": func(a ...float64) float64 { return math.Trunc(a[0]) }, "round": func(a ...float64) float64 { return math.Round(a[0]) },
}

// called applies a function of C.
func called(name string, arguments []value) (value, error) {
	if name == "abs" && len(arguments) == 1 {
		v := arguments[0].to(int32Kind)
		return integer(int32Kind, max(v.bits, -v.bits)), nil
	}
	for _, k := range []kind{doubleKind, floatKind} {
		plain := name
		if k == floatKind {
			plain = strings.TrimSuffix(name, "f")
		}
		if f, is := functions[plain]; is && len(arguments) == 1 && (k == doubleKind || plain != name) {
			return floating(k, f(arguments[0].to(k).number)), nil
		}
	}
	return value{}, beyond("the function %s cannot be evaluated", name)
}
