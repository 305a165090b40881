// Package randomprogram makes random C functions with one region of affine
// loops, executes them instance by instance, and makes them smaller: what the
// tests of all stages are fed with.
//
// A Program is a syntax tree, not text: it is printed as C (Source), run
// without any isl (Execute), and cut down to the smallest one that still
// fails (Shrink). Arrays are declared as large as the subscripts need at the
// sizes the program will be run at (NewLayout), so that every program stays
// inside its arrays. The method is that of Csmith (Yang, Chen, Eide, Regehr:
// Finding and understanding bugs in C compilers, PLDI 2011).
//
// # Where to find what
//
//   - drawing: random.go; executing: execute.go; made smaller: shrink.go
//   - who runs them: cmd/fuzz/check.go, structures.go, oracle.go, compare.go, bytes.go
package randomprogram

import "encoding/json"

// Program is a C function with one region. Its integer parameters are N and M.
type Program struct {
	// Seed is the number the program was made from.
	Seed uint64
	// Arrays are those the statements name, scalars of the function included;
	// unused ones are not printed.
	Arrays []Array
	Body   []Node
	// IteratorsOutside declares the iterators in front of the region.
	IteratorsOutside bool `json:",omitempty"`
	// Bare leaves out braces that C does not ask for.
	Bare bool `json:",omitempty"`
	// Reassociate says that the program's reductions are of integers alone, and
	// may be done in any order.
	Reassociate bool `json:",omitempty"`
	// Named gives the constants 2 and 3 names: constants of the file and of the function.
	Named bool `json:",omitempty"`
	// Long gives the iterators the type long instead of int.
	Long bool `json:",omitempty"`
}

// Array is an argument of the function or, without dimensions, a scalar that
// lives before and after the region.
type Array struct {
	Name, Type string
	Dimensions int
	// Parametric gives the array extents that depend on N and M.
	Parametric bool `json:",omitempty"`
	// Temporary declares the array or scalar in the function; its contents are
	// not looked at in the end.
	Temporary bool `json:",omitempty"`
	// Global declares the array, with constant extents, or the scalar in front of the function.
	Global bool `json:",omitempty"`
}

// Node is one of its members; a node without any is an empty statement.
type Node struct {
	Loop       *Loop       `json:",omitempty"`
	If         *If         `json:",omitempty"`
	Assignment *Assignment `json:",omitempty"`
	Copy       *Copy       `json:",omitempty"`
	Set        *Set        `json:",omitempty"`
	Exit       *Exit       `json:",omitempty"`
	Guarded    *Guarded    `json:",omitempty"`
	Block      []Node      `json:",omitempty"`
}

// Copy declares a variable of the block that has an affine value; it is no
// statement of the model.
type Copy struct {
	Name  string
	Value Integer
}

// Set gives such a variable another value, by "=", "+=" or "-=".
type Set struct {
	Name, Operator string
	Value          Integer
}

// Exit ends an iteration of the innermost loop around, or the loop.
type Exit struct{ Break bool }

// Guarded is an if on the value of an element; the whole of it is one
// statement. Its branches hold nothing but assignments.
type Guarded struct {
	Element    Reference
	Then, Else []Assignment `json:",omitempty"`
	// Style is how it is written: "" for an if, "for" and "do" for a loop that is left, "switch"
	// for one.
	Style string `json:",omitempty"`
}

// Loop is a for: it goes on while all tests hold.
type Loop struct {
	Iterator string
	Start    Integer
	Tests    []Condition
	Step     int
	// Also are what is set besides at the end of each iteration.
	Also []Set `json:",omitempty"`
	Body []Node
}

// If is a conditional with an affine condition.
type If struct {
	Condition  Condition
	Then, Else []Node `json:",omitempty"`
}

// Assignment is one statement; with a type it declares its target, a scalar
// of the block. Its value is the sum of the terms, in the type of the target.
// Besides those of C there are the operators "min" and "max" for integers.
type Assignment struct {
	Declare  string `json:",omitempty"`
	Target   Reference
	Operator string
	Values   []Value
}

// Value is one term of the right-hand side: a factor times an element, an
// integer, or one of two elements. Without a factor it is the element alone.
type Value struct {
	Factor string
	// Function is applied to the element: "fabs" or "".
	Function  string     `json:",omitempty"`
	Element   *Reference `json:",omitempty"`
	Integer   *Integer   `json:",omitempty"`
	Condition *Condition `json:",omitempty"`
	// Otherwise is the element where the condition does not hold.
	Otherwise *Reference `json:",omitempty"`
}

// Reference is an element of an array, or a scalar.
type Reference struct {
	Array      string
	Subscripts []Integer `json:",omitempty"`
}

// Integer is a sum of terms and a constant.
type Integer struct {
	Terms    []Term `json:",omitempty"`
	Constant int
}

// Term is a factor times one of its members.
type Term struct {
	Factor   int
	Variable string    `json:",omitempty"`
	Quotient *Quotient `json:",omitempty"`
	Choice   *Choice   `json:",omitempty"`
	// Masked is an element of an integer array, masked to 0 … 7.
	Masked *Reference `json:",omitempty"`
}

// Quotient is dividend / divisor or dividend % divisor as C rounds them.
type Quotient struct {
	Dividend Integer
	Operator string
	Divisor  int
}

// Choice is condition ? then : else or, with a macro's name, the smaller or
// larger of the two: MIN(then, else), MAX(then, else).
type Choice struct {
	Macro      string    `json:",omitempty"`
	Condition  Condition `json:",omitempty"`
	Then, Else Integer
}

// Condition is a comparison or a combination of conditions by &&, || or !.
type Condition struct {
	Operator    string      `json:",omitempty"`
	Parts       []Condition `json:",omitempty"`
	Left, Right Integer
}

// clone is a deep copy.
func (p *Program) clone() *Program {
	q, err := Decode(p.Encode())
	if err != nil {
		panic(err) // Encode wrote it, so that it can be read
	}
	return q
}

// Encode is the program in a form that Decode reads.
func (p *Program) Encode() []byte {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // the type has nothing that cannot be written
	}
	return text
}

// Decode reads what Encode wrote.
func Decode(text []byte) (*Program, error) {
	p := &Program{}
	return p, json.Unmarshal(text, p)
}

// Array returns the array of that name, or nil for a local variable.
func (p *Program) Array(name string) *Array {
	for i := range p.Arrays {
		if p.Arrays[i].Name == name {
			return &p.Arrays[i]
		}
	}
	return nil
}

func variable(name string) Integer { return Integer{Terms: []Term{{Factor: 1, Variable: name}}} }
func constant(value int) Integer   { return Integer{Constant: value} }

// plus is n + value.
func (n Integer) plus(value int) Integer {
	n.Constant += value
	return n
}

// add is n + factor·m.
func (n Integer) add(m Integer, factor int) Integer {
	sum := Integer{append([]Term{}, n.Terms...), n.Constant + factor*m.Constant}
	for _, t := range m.Terms {
		t.Factor *= factor
		sum.Terms = append(sum.Terms, t)
	}
	return sum
}
