package scop

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Row is an affine expression over the iterators of one statement and the
// program's parameters: Iterators · x + Parameters · n + Constant.
type Row struct {
	Iterators  []int64
	Parameters []int64
	Constant   int64
}

// IsConstant says whether the row does not depend on the iterators.
func (r Row) IsConstant() bool {
	for _, c := range r.Iterators {
		if c != 0 {
			return false
		}
	}
	return true
}

// Plus is the row and a multiple of another one of the same statement.
func (r Row) Plus(o Row, factor int64) Row {
	sum := Row{Iterators: slices.Clone(r.Iterators), Parameters: slices.Clone(r.Parameters), Constant: r.Constant + factor*o.Constant}
	for k, c := range o.Iterators {
		sum.Iterators[k] += factor * c
	}
	for k, c := range o.Parameters {
		sum.Parameters[k] += factor * c
	}
	return sum
}

// Equal says whether two rows over as many iterators and parameters are the same.
func (r Row) Equal(o Row) bool {
	return slices.Equal(r.Iterators, o.Iterators) && slices.Equal(r.Parameters, o.Parameters) && r.Constant == o.Constant
}

// At is the value for some iterators and parameters.
func (r Row) At(iterators, parameters []int64) int64 {
	value := r.Constant
	for k, c := range r.Iterators {
		value += c * iterators[k]
	}
	for k, c := range r.Parameters {
		value += c * parameters[k]
	}
	return value
}

// Text prints the row over the given names of iterators and parameters.
func (r Row) Text(iterators, parameters []string) string {
	var b strings.Builder
	term := func(c int64, name string) {
		if c == 0 {
			return
		}
		switch {
		case b.Len() > 0 && c > 0:
			b.WriteString(" + ")
		case b.Len() > 0:
			b.WriteString(" - ")
			c = -c
		case c < 0:
			b.WriteString("-")
			c = -c
		}
		switch {
		case name == "":
			fmt.Fprint(&b, c)
		case c == 1:
			b.WriteString(name)
		default:
			fmt.Fprintf(&b, "%d%s", c, name)
		}
	}
	for k, c := range r.Iterators {
		term(c, iterators[k])
	}
	for k, c := range r.Parameters {
		term(c, parameters[k])
	}
	term(r.Constant, "")
	if b.Len() == 0 {
		return "0"
	}
	return b.String()
}

// ParseRow reads what Text prints: a sum of integers and of names with an
// optional integer factor in front, such as "2i - j + N + 1" or "2*i".
func ParseRow(text string, iterators, parameters []string) (Row, error) {
	row := Row{Iterators: make([]int64, len(iterators)), Parameters: make([]int64, len(parameters))}
	rest := strings.ReplaceAll(strings.ReplaceAll(text, " ", ""), "\t", "")
	if rest == "" {
		return row, fmt.Errorf("an empty expression")
	}
	for rest != "" {
		sign := int64(1)
		for rest != "" && (rest[0] == '+' || rest[0] == '-') {
			if rest[0] == '-' {
				sign = -sign
			}
			rest = rest[1:]
		}
		end := strings.IndexAny(rest, "+-")
		if end < 0 {
			end = len(rest)
		}
		if err := row.add(sign, rest[:end], iterators, parameters); err != nil {
			return row, fmt.Errorf("in %q: %w", text, err)
		}
		rest = rest[end:]
	}
	return row, nil
}

// add adds one term, a number, a name, or a number and a name, to the row.
func (r *Row) add(sign int64, term string, iterators, parameters []string) error {
	digits := len(term) - len(strings.TrimLeft(term, "0123456789"))
	factor, name := int64(1), strings.TrimPrefix(term[digits:], "*")
	if digits > 0 {
		var err error
		if factor, err = strconv.ParseInt(term[:digits], 10, 64); err != nil {
			return err
		}
	}
	factor *= sign
	if name == "" {
		if digits == 0 {
			return fmt.Errorf("a term is missing")
		}
		r.Constant += factor
		return nil
	}
	for k, iterator := range iterators {
		if iterator == name {
			r.Iterators[k] += factor
			return nil
		}
	}
	for k, parameter := range parameters {
		if parameter == name {
			r.Parameters[k] += factor
			return nil
		}
	}
	return fmt.Errorf("%q is neither an iterator nor a parameter", name)
}
