package variant

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"polytune/internal/pattern"
)

// Value is a value of an axis: a word, an integer, or On or Off. Values may be
// compared with ==. The zero Value is none of these.
type Value struct {
	text   string
	number int64
}

// On and Off are the values of a Switch.
var (
	On  = Value{"on", 1}
	Off = Value{"off", 0}
)

// Word is a value of an axis of Words.
func Word(text string) Value { return Value{text: text} }

// Integer is a value of a Ladder.
func Integer(n int64) Value { return Value{strconv.FormatInt(n, 10), n} }

// String is the value as it stands in the text of a point.
func (v Value) String() string { return v.text }

// Integer is the number of a Ladder's value, 1 for On and 0 for Off and for
// words.
func (v Value) Integer() int64 { return v.number }

// Values are the values that an axis may have, of one type. They come from
// Words, Ladder or Switch.
type Values struct {
	list []Value
	kind kind
}

type kind int

const (
	words kind = iota
	ladder
	onOff
)

// Words are values without an order: each is a step away from every other.
func Words(list ...string) Values {
	v := Values{kind: words}
	for _, word := range list {
		v.list = append(v.list, Word(word))
	}
	return v
}

// Ladder are integers in ascending order: each is a step away from the next
// greater and the next smaller one.
func Ladder(list ...int64) Values {
	v := Values{kind: ladder}
	for _, n := range list {
		v.list = append(v.list, Integer(n))
	}
	return v
}

// With are the values of a Ladder and one more.
func (v Values) With(n int64) Values {
	list := slices.Insert(slices.Clone(v.list), 0, Integer(n))
	slices.SortFunc(list, func(a, b Value) int { return cmp.Compare(a.number, b.number) })
	return Values{slices.Compact(list), ladder}
}

// Switch are the values Off and On.
func Switch() Values { return Values{[]Value{Off, On}, onOff} }

// numbers says whether the values stand for integers, so that they may be
// added and multiplied.
func (v Values) numbers() bool { return v.kind != words }

// span is the range of the values' integers.
func (v Values) span() (low, high int64) {
	low, high = v.list[0].number, v.list[0].number
	for _, value := range v.list {
		low, high = min(low, value.number), max(high, value.number)
	}
	return low, high
}

// find is the value with the text.
func (v Values) find(text string) (Value, bool) {
	k := slices.IndexFunc(v.list, func(value Value) bool { return value.text == text })
	if k < 0 {
		return Value{}, false
	}
	return v.list[k], true
}

// safe are the values that may stand in a text.
var safe = pattern.New(`^[A-Za-z0-9_.+:/-]+$`)

// validate says what is wrong with the values.
func (v Values) validate() error {
	if len(v.list) == 0 {
		return fmt.Errorf("it has no values; make them with Words, Ladder or Switch")
	}
	for i, value := range v.list {
		switch {
		case !safe.MatchString(value.text):
			return fmt.Errorf("the value %q may have letters, digits and _ . + - : / alone", value.text)
		case slices.Contains(v.list[:i], value):
			return fmt.Errorf("the value %s is there twice", value)
		case v.kind == ladder && i > 0 && value.number < v.list[i-1].number:
			return fmt.Errorf("%s comes after %s; a ladder ascends", value, v.list[i-1])
		}
	}
	return nil
}
