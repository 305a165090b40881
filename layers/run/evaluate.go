package run

import (
	"fmt"
	"strconv"
	"strings"

	"polytune/scop"
)

// evaluation is that of one instance.
type evaluation struct {
	*machine
	of *statement
	at []int64
}

// assignment is what an assignment stores, before it is converted.
func (e *evaluation) assignment(a *scop.Binary) (value, error) {
	right, err := e.value(a.Y)
	operator := strings.TrimSuffix(a.Operator, "=")
	switch {
	case err != nil || a.Operator == "=":
		return right, err
	case operator == a.Operator || strings.Contains("= ! < >", operator):
		return value{}, beyond("it is no assignment")
	}
	left, err := e.value(a.X)
	if err != nil {
		return value{}, err
	}
	return binary(operator, left, right)
}

// value is that of an expression.
func (e *evaluation) value(x scop.Expr) (value, error) {
	switch x := x.(type) {
	case *scop.Number:
		return constant(x.Text)
	case *scop.Ref:
		return e.reference(x)
	case *scop.Unary:
		return e.unary(x)
	case *scop.Binary:
		return e.binary(x)
	case *scop.Select:
		return e.choice(x)
	case *scop.Call:
		arguments := make([]value, len(x.Arguments))
		for k, a := range x.Arguments {
			var err error
			if arguments[k], err = e.value(a); err != nil {
				return value{}, err
			}
		}
		return called(x.Function, arguments)
	}
	return value{}, beyond("its text has more than an expression")
}

// choice is the value of one of two expressions, in their common type.
func (e *evaluation) choice(x *scop.Select) (value, error) {
	condition, err := e.value(x.If)
	if err != nil {
		return value{}, err
	}
	chosen, other := x.Then, x.Else
	if !condition.isTrue() {
		chosen, other = other, chosen
	}
	v, err := e.value(chosen)
	if err != nil {
		return value{}, err
	}
	k, err := e.kindOf(other)
	if err != nil {
		return value{}, err
	}
	return v.to(common(v.kind, k)), nil
}

// kindOf is the type of an expression that is not evaluated.
func (e *evaluation) kindOf(x scop.Expr) (kind, error) {
	switch x := x.(type) {
	case *scop.Number:
		v, err := constant(x.Text)
		return v.kind, err
	case *scop.Ref:
		if k, is := e.of.reads[x]; is {
			return e.kinds[e.of.Statement.Accesses[k].Array], nil
		}
		v, err := e.reference(x)
		return v.kind, err
	case *scop.Unary:
		if k, is := castOf(x.Operator); is {
			return k, nil
		}
		if x.Operator == "()" {
			return e.kindOf(x.X)
		}
		k, err := e.kindOf(x.X)
		if x.Operator == "!" {
			k = int32Kind
		}
		return common(k, int32Kind), err
	case *scop.Binary:
		if strings.Contains("< <= > >= == != && ||", x.Operator) {
			return int32Kind, nil
		}
		left, err := e.kindOf(x.X)
		if err != nil || x.Operator == "<<" || x.Operator == ">>" {
			return common(left, int32Kind), err
		}
		right, err := e.kindOf(x.Y)
		return common(left, right), err
	case *scop.Select:
		left, err := e.kindOf(x.Then)
		if err != nil {
			return 0, err
		}
		right, err := e.kindOf(x.Else)
		return common(left, right), err
	case *scop.Call:
		switch {
		case x.Function == "abs":
			return int32Kind, nil
		case strings.HasSuffix(x.Function, "f"):
			return floatKind, nil
		}
		return doubleKind, nil
	}
	return 0, beyond("its text has more than an expression")
}

// castOf is the type of a cast, "(unsigned char)".
func castOf(operator string) (kind, bool) {
	name, is := strings.CutPrefix(operator, "(")
	name = strings.TrimSpace(strings.TrimSuffix(name, ")"))
	if !is || name == "" {
		return 0, false
	}
	size := map[string]int{
		"char": 1, "signed char": 1, "unsigned char": 1, "_Bool": 1, "bool": 1, "short": 2, "unsigned short": 2, "int": 4, "unsigned": 4, "unsigned int": 4,
		"long": 8, "unsigned long": 8, "long long": 8, "unsigned long long": 8, "float": 4, "double": 8,
		"int8_t": 1, "uint8_t": 1, "int16_t": 2, "uint16_t": 2, "int32_t": 4, "uint32_t": 4, "int64_t": 8, "uint64_t": 8,
	}[name]
	k, err := kindOf(name, size)
	return k, size > 0 && err == nil
}

// constant is a number as C writes it.
func constant(text string) (value, error) {
	lower := strings.ToLower(text)
	if strings.ContainsAny(lower, ".e") && !strings.HasPrefix(lower, "0x") {
		k, bits := doubleKind, 64
		if strings.HasSuffix(lower, "f") {
			k, bits, lower = floatKind, 32, strings.TrimSuffix(lower, "f")
		}
		number, err := strconv.ParseFloat(lower, bits)
		return floating(k, number), err
	}
	digits := strings.TrimRight(lower, "ul")
	suffix := lower[len(digits):]
	bits, err := strconv.ParseUint(digits, 0, 64)
	if err != nil {
		return value{}, beyond("the constant %s cannot be evaluated", text)
	}
	isDecimal := !strings.HasPrefix(digits, "0") || digits == "0"
	for k := int32Kind; k <= uint64Kind; k++ {
		isLong, isUnsigned := k >= int64Kind, k.isUnsigned()
		most := uint64(1)<<(8*k.size()-1) - 1
		if isUnsigned {
			most = most*2 + 1
		}
		switch {
		case bits > most, strings.Contains(suffix, "l") && !isLong, strings.Contains(suffix, "u") && !isUnsigned:
		case isUnsigned && !strings.Contains(suffix, "u") && isDecimal:
		default:
			return integer(k, int64(bits)), nil
		}
	}
	return value{}, beyond("the constant %s cannot be evaluated", text)
}

func (e *evaluation) unary(x *scop.Unary) (value, error) {
	v, err := e.value(x.X)
	if err != nil {
		return value{}, err
	}
	if k, is := castOf(x.Operator); is {
		return v.to(k), nil
	}
	promoted := v.to(common(v.kind, int32Kind))
	switch {
	case x.Operator == "()":
		return v, nil
	case x.Operator == "!":
		return truth(!v.isTrue()), nil
	case x.Operator == "+":
		return promoted, nil
	case x.Operator == "-" && promoted.kind.isFloating():
		return value{kind: promoted.kind, number: -promoted.number}, nil
	case x.Operator == "-":
		return integer(promoted.kind, -promoted.bits), nil
	case x.Operator == "~" && !promoted.kind.isFloating():
		return integer(promoted.kind, ^promoted.bits), nil
	}
	return value{}, beyond("the operator %s cannot be evaluated", x.Operator)
}

func (e *evaluation) binary(x *scop.Binary) (value, error) {
	left, err := e.value(x.X)
	if err != nil {
		return value{}, err
	}
	switch {
	case x.Operator == "&&" && !left.isTrue():
		return truth(false), nil
	case x.Operator == "||" && left.isTrue():
		return truth(true), nil
	}
	right, err := e.value(x.Y)
	switch {
	case err != nil:
		return value{}, err
	case x.Operator == "&&" || x.Operator == "||":
		return truth(right.isTrue()), nil
	}
	return binary(x.Operator, left, right)
}

// reference is the value of an iterator, a parameter, or one that a source has.
func (e *evaluation) reference(x *scop.Ref) (value, error) {
	if x.Loop >= 0 && x.Loop < len(e.at) {
		return integer(int32Kind, e.at[x.Loop]), nil
	}
	access, is := e.of.reads[x]
	if !is {
		if v, is := e.parameters[x.Name]; is && len(x.Subscripts) == 0 {
			return integer(int32Kind, v), nil
		}
		return value{}, beyond("%s cannot be evaluated", x.Name)
	}
	v, found, err := e.read(access, x.Subscripts)
	if err == nil && !found {
		err = fmt.Errorf("%s has no source", x.Name)
	}
	return v, err
}

// read is the value that an access reads, of the element with these subscripts where data decide
// which one it is. It finds nothing where the instance has no source.
func (e *evaluation) read(access int, written []scop.Expr) (v value, found bool, err error) {
	array := e.of.Statement.Accesses[access].Array
	for _, s := range e.of.sources[access] {
		if s.when.at(e.at) == 0 {
			continue
		}
		where := subscripts(s.subscript, e.at)
		if s.of != nil {
			values, err := e.evaluate(s.of, where)
			if err != nil {
				return value{}, true, err
			}
			return values[s.of.write(array)], true, nil
		}
		if s.subscript == nil {
			if where, err = e.values(written); err != nil {
				return value{}, true, err
			}
		}
		v, err = e.before[array].get(e.kinds[array], where)
		if err != nil {
			err = fmt.Errorf("%s: %w", array, err)
		}
		return v, true, err
	}
	return value{}, false, nil
}

// values are integers that expressions give.
func (e *evaluation) values(list []scop.Expr) (numbers []int64, err error) {
	for _, x := range list {
		v, err := e.value(x)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, v.to(int64Kind).bits)
	}
	return numbers, nil
}
