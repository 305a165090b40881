// Package algorithm is a language for algorithms over dense arrays, inside Go: a function has
// inputs, computations over sets of iterations, and outputs. It says what is computed; in which
// order, where and in which memory is said by a recipe of scheduling commands, beside it.
//
//	f := algorithm.New("blur", "N", "M")
//	f.Input("in", algorithm.Float32, "N", "M")
//	f.Computation("bx[i, j]", algorithm.Float32, "0 <= i < N and 0 <= j < M - 2", "(in(i, j) + in(i, j + 1) + in(i, j + 2)) / 3")
//	f.Computation("by[i, j]", algorithm.Float32, "0 <= i < N - 2 and 0 <= j < M - 2", "(bx(i, j) + bx(i + 1, j) + bx(i + 2, j)) / 3")
//	f.Output("by", "N", "M")
//	algorithm.Main(f)
//
// It is the algorithm language of Baghdadi et al., "Tiramisu: a polyhedral compiler for expressing
// fast and portable code", CGO'19, section III-B. A program is run by tune FILE.go, which needs
// nothing but Go itself: this package uses the standard library alone, and its text is inside tune.
package algorithm

import (
	"fmt"
	"runtime"
	"strings"
)

// Type is the type of a value.
type Type string

// The types of values. Each is C's of that size, and has C's conversions.
const (
	Int8    Type = "int8"
	Int16   Type = "int16"
	Int32   Type = "int32"
	Int64   Type = "int64"
	Uint8   Type = "uint8"
	Uint16  Type = "uint16"
	Uint32  Type = "uint32"
	Uint64  Type = "uint64"
	Float32 Type = "float32"
	Float64 Type = "float64"
	Bool    Type = "bool"
)

// Function is an algorithm: a function of C, once it is compiled.
type Function struct{ description Description }

// New begins a function with that name. Its sizes are integers that its caller gives, such as "N",
// of at least 1.
func New(name string, sizes ...string) *Function {
	return &Function{Description{Version: Version, Name: name, Sizes: sizes, At: caller()}}
}

// Input declares values that the caller gives: an array with these extents, each an expression over
// sizes, outermost first, or a number without any.
func (f *Function) Input(name string, t Type, extents ...any) *Values {
	f.add(Declaration{Kind: KindInput, Name: name, Type: t, Extents: expressions(extents), At: caller()})
	return &Values{name}
}

// Constant declares a number that sizes and other constants make.
func (f *Function) Constant(name string, t Type, value any) *Values {
	f.add(Declaration{Kind: KindConstant, Name: name, Type: t, Value: expression(value), At: caller()})
	return &Values{name}
}

// Computation declares one value for each iteration of a set: head is its name with its iterators,
// as in "bx[i, j]", domain the conditions on these in isl's notation, over sizes, as in
// "0 <= i < N and 0 <= j < M - 2", and value an expression as text, or an Expr. Computations are
// done in the order in which they are declared, the iterations of each in the order of its
// iterators.
func (f *Function) Computation(head string, t Type, domain string, value any) *Values {
	d := Declaration{Kind: KindComputation, Type: t, Domain: domain, Value: expression(value), At: caller()}
	d.takeHead(head)
	f.add(d)
	return &Values{d.Name}
}

// Update declares that a computation, or an array of the caller's, gets further values. The head of "C[i, j, k]" begins with as
// many iterators as C has dimensions: the subscripts of the value that is written. With other
// subscripts it is "C[i, j, k]: C(N - 1 - i, j)". The statement has the name C_1, the next one C_2.
func (f *Function) Update(head, domain string, value any) *Values {
	d := Declaration{Kind: KindUpdate, Domain: domain, Value: expression(value), At: caller()}
	d.takeHead(head)
	f.add(d)
	return &Values{d.Name}
}

// Where does a computation, or the update with that name, only where a condition holds, which may
// depend on data. Elsewhere the value that was there stays.
func (f *Function) Where(name string, condition any) {
	f.add(Declaration{Kind: KindWhere, Name: name, Value: expression(condition), At: caller()})
}

// InPlace has the values of a computation take the place of those of an input with the same
// subscripts: the caller finds them in the input's array.
func (f *Function) InPlace(input, result string) {
	f.add(Declaration{Kind: KindInPlace, Name: result, Of: input, At: caller()})
}

// Output says that the caller gets the values of a computation, in an array with these extents.
// Elements for which there is no value are left as they are.
func (f *Function) Output(name string, extents ...any) {
	f.add(Declaration{Kind: KindOutput, Name: name, Extents: expressions(extents), At: caller()})
}

// Extern declares a function of C without side effects, with its header: "act.h" for one beside the
// program, "<act.h>" for one of the system.
func (f *Function) Extern(name string, result Type, header string, arguments ...Type) {
	f.add(Declaration{Kind: KindExtern, Name: name, Type: result, Header: header, Arguments: arguments, At: caller()})
}

// Together has computations that are declared one behind the other share their loops down to that
// of an iterator: in each of its iterations the first is done, then the next.
func (f *Function) Together(iterator string, names ...string) {
	f.add(Declaration{Kind: KindTogether, Name: iterator, Names: names, At: caller()})
}

// Schedule gives the recipe that is followed when the command line names none: scheduling commands,
// one a line, in which statements have the names of their computations.
func (f *Function) Schedule(recipe string) {
	f.add(Declaration{Kind: KindSchedule, Text: recipe, At: caller()})
}

func (f *Function) add(d Declaration) {
	f.description.Declarations = append(f.description.Declarations, d)
}

// caller is the place in the program that calls this package.
func caller() Position {
	for skip := 2; ; skip++ {
		counter, file, line, ok := runtime.Caller(skip)
		if !ok {
			return Position{}
		}
		if name := runtime.FuncForPC(counter).Name(); !strings.HasPrefix(name, prefix) || strings.HasSuffix(file, "_test.go") {
			return Position{File: file, Line: line}
		}
	}
}

// prefix begins the names of this package's functions.
const prefix = "polytune/algorithm."

// takeHead reads "C[i, j]", with the subscripts of what is written behind a colon.
func (d *Declaration) takeHead(head string) {
	p := newParser(head)
	d.Name = p.word()
	if d.Name == "" {
		d.Problem = fmt.Sprintf("%q begins with no name; write NAME[i, j]", head)
		return
	}
	d.Iterators = []string{}
	if p.take("[") {
		for !p.take("]") {
			name := p.word()
			if name == "" || !p.take(",") && p.next() != "]" {
				d.Problem = fmt.Sprintf("%q is no name with iterators; write NAME[i, j]", head)
				return
			}
			d.Iterators = append(d.Iterators, name)
		}
	}
	if p.take(":") {
		written := p.expression(0)
		if p.problem == "" && (written.Op != OpCall || written.Text != d.Name) {
			p.problem = fmt.Sprintf("behind the colon stands no element of %s; write %s(…)", d.Name, d.Name)
		}
		d.Written = written.Args
	}
	d.Problem = p.finished(head)
}
