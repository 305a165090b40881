// Package scop holds the polyhedral description of one static control part
// (SCoP): statements with their iteration domains, accesses and original
// schedule, and the arrays they touch.
//
// A Program is plain data. Sets and relations are kept in isl's text form,
// so that a program belongs to no isl context, can be shared by goroutines,
// printed and parsed; Program.Model turns the text into isl objects of one
// context.
//
// # Where to find what
//
//   - a program: program.go, statement.go, array.go; how it prints: text.go; what a front end
//     gives: unit.go
//   - what a statement says: expr.go; read from text: frontend/tree.go; written as text:
//     scop/write.go
//   - programs that are made of others: privatize.go, place.go, expand.go, storage.go, inline.go,
//     compute.go
//   - reductions: reduction.go
//   - why so: docs/decisions/0003-units.md
package scop

import (
	"fmt"
	"strings"
)

// Program is one SCoP of a C function.
type Program struct {
	// Name is the kernel's name as the user knows it, such as "polybench/2mm"
	// or the name of the file without its suffix.
	Name string
	// Function is the C function around the region.
	Function Function
	// Parameters are the symbolic integer constants of the affine
	// expressions, in the order of their first use. They are names that isl
	// can read; Spelling gives the C expression.
	Parameters []string
	// Spellings are the C expressions of the parameters whose name is not
	// that already: "s_n" may stand for s->n, "max_1" for max.
	Spellings map[string]string
	// ParameterTypes are the C types of the parameters that are no int.
	ParameterTypes map[string]string
	// Context is an isl set over the parameters alone: what is known about
	// their values, such as "[N] -> { : N >= 0 }".
	Context string
	// Assumed is an isl set over the parameters that holds all of the context: what is not known
	// about their values and has to be checked when the code runs, which runs the region as it
	// is written with others. "" means all values.
	Assumed string
	// Promised is an isl set over the parameters: for values outside of it the program says that it
	// has no meaning. "" means that it says nothing. Schedules do not depend on it.
	Promised string
	// Arrays are the arrays and scalars the statements access, in the order
	// of their first use.
	Arrays []Array
	// Locals are the variables that the region declares.
	Locals []Local
	// Expansions are the arrays that code which replaces the region allocates;
	// none in a program as the front end makes it.
	Expansions []Expansion
	// Room is what these arrays may have. With parameters for which they need more bytes, the code
	// runs the region as it is written.
	Room Room
	// Placements are the temporaries whose values are in elements of other arrays; none in a
	// program as the front end makes it.
	Placements []Placement
	// Storages are the arrays whose elements are at other places; none in a program as the front end
	// makes it.
	Storages []Storage
	// Untiled are the iterators of loops over tiles in the source that the program has not, as
	// other loops determine them; none in a program as the front end makes it.
	Untiled []string
	// Statements are in textual order and named S0, S1, …, of which a program with
	// placements may lack some; pieces of a
	// statement, in the order of their numbers, take its place in a cut
	// program.
	Statements []Statement
	// Cuts are the hyperplanes at which statements have been divided; none in
	// a program as the front end makes it.
	Cuts []Cut
	// Computed are the arrays of what is computed in iterations of loops for these alone; none in a
	// program as the front end makes it.
	Computed []Computed
	// Origin is the program of which a command of a recipe has made this one, with statements of the
	// same names in their places; nil for one that no recipe has changed.
	Origin *Program
	// Reassociate says that the order in which reductions update an element
	// does not matter: somebody has allowed to round in another way.
	Reassociate bool
}

// Function is the C function that contains a region: what a driver has to
// know in order to call it.
type Function struct {
	Name string
	// Static says that the function has internal linkage.
	Static bool
	// Arguments are the function's parameters in order.
	Arguments []Argument
	// Variables are the file-scope and static variables it uses, but for
	// constants, in the order of their declarations.
	Variables []Variable
	// Held are the pointers and parameters in the data of Arguments and Variables, pointers first,
	// those that others lead to behind them.
	Held []Held
	// Derived are parameters that it makes of its sizes.
	Derived []Derived
	// Result is the type of the function's value, "" for void.
	Result string
	// Views are pointers of the function's own that lead into the memory of its Pointer arguments.
	Views []View
	// Own are the arrays of variable length that the function declares for itself: they take room
	// on the stack.
	Own []OwnArray
}

// Role says what an argument of a function is for.
type Role int

const (
	// Size is an integer passed by value; it may be a parameter of the SCoP.
	Size Role = iota
	// Scalar is a floating-point number passed by value.
	Scalar
	// Pointer is an array or pointer argument: data that lives in the caller.
	Pointer
)

// Argument is one parameter of a C function.
type Argument struct {
	Name string
	// Type is the C type of the argument or, for a Pointer, of its element,
	// without qualifiers: "int", "double".
	Type string
	Role Role
	// Extents are C expressions over the Size arguments, outermost dimension
	// first, for a Pointer: {"NI", "NK"} for double A[NI][NK]. The outermost
	// is "" when the declaration does not give it.
	Extents []string
	// Const says that the function must not write to the data.
	Const bool
	// Members are the arithmetic members of a Pointer's elements that are
	// structs. Opaque says why they are not all of the data, or is "".
	Members []Member
	Opaque  string
	// Followed says that all pointers in the elements that the function follows are among what it
	// holds, so that Opaque is no obstacle for a caller who sets these.
	Followed bool
	// Hidden says that there are numbers in the elements beside Members.
	Hidden bool
	// Size is the number of bytes of a Pointer's elements, 0 where they have none.
	Size int
	// Pointers is how many of the first dimensions are arrays of pointers to what the next
	// dimension has: 1 for double **a.
	Pointers int
	// Alignment is the number of bytes of which the function takes a Pointer to be a multiple; 0
	// where that is what the type asks.
	Alignment int
	// ByValue says that the argument is a struct, of which the function gets a copy: a Pointer
	// without extents to a caller.
	ByValue bool
}

// Local is a variable that the region declares. Code that replaces the region
// declares it again: in front of everything, or, when it is private, inside
// the loops that have an object of it for each iteration.
type Local struct {
	// Name is the variable's name in the generated code; no other local has
	// it.
	Name string
	// Declaration is C text without the semicolon, such as "double t[4]".
	Declaration string
	// Loops is the number of loops around the declaration: each iteration of
	// them has an object of its own.
	Loops int
}

// Private is a local variable with an object for each iteration of loops, and
// the statements that access it. They share these loops.
type Private struct {
	Local
	Statements []int
}

// LoopCount is the number of loops in the source of the region.
func (p *Program) LoopCount() int {
	seen := map[string]bool{}
	for i := range p.Statements {
		s := &p.Statements[i]
		for k := range s.Loops {
			seen[positionKey(s.Position[:k+1])] = true
		}
	}
	return len(seen)
}

// ReferenceCount is the number of array and scalar references of the region,
// with the left side of a compound assignment counted once.
func (p *Program) ReferenceCount() int {
	n := 0
	for i := range p.Statements {
		n += len(p.Statements[i].Accesses)
	}
	return n
}

// Array returns the array of that name, or nil.
func (p *Program) Array(name string) *Array {
	for i := range p.Arrays {
		if p.Arrays[i].Name == name {
			return &p.Arrays[i]
		}
	}
	return nil
}

// Spelling is the C expression of a parameter.
func (p *Program) Spelling(parameter string) string {
	if text := p.Spellings[parameter]; text != "" {
		return text
	}
	return parameter
}

// ArraysOf are the arrays whose elements lie in that C variable, or behind it when it is a pointer:
// one for each member of a struct. Of a pointer that is held in one, such as m.data, they are those
// behind it.
func (p *Program) ArraysOf(variable string) []*Array {
	var found []*Array
	for i := range p.Arrays {
		a := &p.Arrays[i]
		isHeld := strings.Contains(variable, ".") && strings.HasPrefix(a.Spelling()+".", withoutNumbers(variable)+".")
		if a.Variable == variable || a.Variable == "" && a.Name == variable || isHeld {
			found = append(found, a)
		}
	}
	return found
}

// StatementNames are the statements' names for people, in textual order.
func (p *Program) StatementNames() []string {
	names := make([]string, len(p.Statements))
	for i := range p.Statements {
		names[i] = p.Statements[i].Spelling()
	}
	return names
}

func positionKey(position []int) string { return fmt.Sprint(position) }
