package scop

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"unicode"
)

// Bytes is the memory of all array arguments of the function when its size
// arguments have the given values. Extents are integer expressions over them.
func (f Function) Bytes(p *Program, values map[string]int) (int64, error) {
	total := new(big.Int)
	for _, a := range f.Arguments {
		if a.Role != Pointer {
			continue
		}
		size := a.Size
		if array := p.Array(a.Name); array != nil && a.Members == nil {
			size = array.Size
		}
		bytes, err := bytesOf(a.Name, a.Extents, int64(size), values)
		if err != nil {
			return 0, err
		}
		total.Add(total, bytes)
	}
	if !total.IsInt64() {
		return 0, fmt.Errorf("the arrays of %s would need %s bytes", f.Name, total)
	}
	return total.Int64(), nil
}

// bytesOf is the memory of a named array with elements of a size at the values.
func bytesOf(name string, extents []string, size int64, values map[string]int) (*big.Int, error) {
	bytes := big.NewInt(size)
	for _, extent := range extents {
		n, err := evaluate(extent, values)
		if err != nil {
			return nil, fmt.Errorf("the extent %q of %s: %w", extent, name, err)
		}
		if n.Sign() < 0 {
			n.SetInt64(0)
		}
		bytes.Mul(bytes, n)
	}
	return bytes, nil
}

// ExtentsAt are an array's extents at the values of the parameters; 0 for a first one that is
// unknown.
func (a *Array) ExtentsAt(values map[string]int) ([]int64, error) {
	extents := make([]int64, len(a.Extents))
	for d, text := range a.Extents {
		if d == 0 && text == "" {
			continue
		}
		n, err := evaluate(text, values)
		if err != nil || !n.IsInt64() {
			return nil, fmt.Errorf("the extent %q of %s is unknown", text, a.Spelling())
		}
		extents[d] = n.Int64()
	}
	return extents, nil
}

// maxExtentText bounds the text of an extent, and with it the size of the
// numbers that it can make.
const maxExtentText = 1000

// evaluate is the value of an integer expression of C over named integers,
// without overflow. It knows +, -, *, / and %, which round towards zero,
// parentheses, min and max of two values, and choices by < and >.
func evaluate(expression string, values map[string]int) (*big.Int, error) {
	if len(expression) > maxExtentText {
		return nil, fmt.Errorf("it is longer than %d characters", maxExtentText)
	}
	r := &extentReader{rest: expression, values: values}
	value, err := r.choice()
	if err == nil && r.peek() != 0 {
		err = fmt.Errorf("%q is not understood there", r.rest)
	}
	return value, err
}

// extentReader reads an expression from the left, by recursive descent.
type extentReader struct {
	rest   string
	values map[string]int
}

// peek is the next character that is no white space, or 0 at the end.
func (r *extentReader) peek() byte {
	r.rest = strings.TrimLeft(r.rest, " \t\r\n")
	if r.rest == "" {
		return 0
	}
	return r.rest[0]
}

// accept takes the next character if it is one of those, or returns 0.
func (r *extentReader) accept(characters string) byte {
	c := r.peek()
	if c == 0 || strings.IndexByte(characters, c) < 0 {
		return 0
	}
	r.rest = r.rest[1:]
	return c
}

// choice is a sum, or one of two values that a comparison decides on.
func (r *extentReader) choice() (*big.Int, error) {
	left, err := r.sum()
	operator := r.accept("<>")
	if err != nil || operator == 0 {
		return left, err
	}
	right, err := r.sum()
	if err != nil || r.accept("?") == 0 {
		return nil, errors.Join(err, errors.New("a comparison decides on no value"))
	}
	yes, err := r.choice()
	if err != nil || r.accept(":") == 0 {
		return nil, errors.Join(err, errors.New("there is no second value"))
	}
	no, err := r.choice()
	if left.Cmp(right) == map[byte]int{'<': -1, '>': 1}[operator] {
		return yes, err
	}
	return no, err
}

func (r *extentReader) sum() (*big.Int, error) { return r.chain("+-", r.product) }

func (r *extentReader) product() (*big.Int, error) { return r.chain("*/%", r.factor) }

// chain reads operands with the operators between them, which bind from the
// left.
func (r *extentReader) chain(operators string, operand func() (*big.Int, error)) (*big.Int, error) {
	left, err := operand()
	for err == nil {
		operator := r.accept(operators)
		if operator == 0 {
			return left, nil
		}
		var right *big.Int
		if right, err = operand(); err == nil {
			err = apply(operator, left, right)
		}
	}
	return nil, err
}

// apply makes left the value of the operation.
func apply(operator byte, left, right *big.Int) error {
	switch operator {
	case '+':
		left.Add(left, right)
	case '-':
		left.Sub(left, right)
	case '*':
		left.Mul(left, right)
	default:
		if right.Sign() == 0 {
			return errors.New("it divides by zero")
		}
		quotient, remainder := new(big.Int).QuoRem(left, right, new(big.Int))
		left.Set(map[byte]*big.Int{'/': quotient, '%': remainder}[operator])
	}
	return nil
}

func (r *extentReader) factor() (*big.Int, error) {
	switch r.accept("-+(") {
	case '-':
		value, err := r.factor()
		if err != nil {
			return nil, err
		}
		return value.Neg(value), nil
	case '+':
		return r.factor()
	case '(':
		value, err := r.choice()
		return value, r.closing(err)
	}
	r.peek()
	end := strings.IndexFunc(r.rest, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	if end < 0 {
		end = len(r.rest)
	}
	word := r.rest[:end]
	r.rest = r.rest[end:]
	return r.word(word)
}

func (r *extentReader) closing(err error) error {
	if err == nil && r.accept(")") == 0 {
		return errors.New("a ) is missing")
	}
	return err
}

// word is the value of a name or a number, or a call of min or max.
func (r *extentReader) word(word string) (*big.Int, error) {
	if value, known := r.values[word]; known {
		return big.NewInt(int64(value)), nil
	}
	if (word == "min" || word == "max") && r.accept("(") != 0 {
		return r.extreme(word)
	}
	if word == "" {
		return nil, errors.New("a value is missing")
	}
	value, ok := new(big.Int).SetString(strings.TrimRight(word, "uUlL"), 0)
	if !ok {
		return nil, fmt.Errorf("%s has no value", word)
	}
	return value, nil
}

func (r *extentReader) extreme(which string) (*big.Int, error) {
	first, err := r.sum()
	if err != nil {
		return nil, err
	}
	if r.accept(",") == 0 {
		return nil, fmt.Errorf("%s has two arguments", which)
	}
	second, err := r.sum()
	if err := r.closing(err); err != nil {
		return nil, err
	}
	if (first.Cmp(second) < 0) == (which == "min") {
		return first, nil
	}
	return second, nil
}
