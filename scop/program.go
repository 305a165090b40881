// Package scop holds the polyhedral description of one static control part
// (SCoP): statements with their iteration domains, accesses and original
// schedule, and the arrays they touch.
//
// A Program is plain data. Sets and relations are kept in isl's text form,
// so that a program belongs to no isl context, can be shared by goroutines,
// printed and parsed; Program.Model turns the text into isl objects of one
// context.
package scop

import (
	"fmt"
	"slices"
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
	// Context is an isl set over the parameters alone: what is known about
	// their values, such as "[N] -> { : N >= 0 }".
	Context string
	// Assumed is an isl set over the parameters that holds all of the context: what is not known
	// about their values and has to be checked when the code runs, which runs the region as it
	// is written with others. "" means all values.
	Assumed string
	// Arrays are the arrays and scalars the statements access, in the order
	// of their first use.
	Arrays []Array
	// Locals are the variables that the region declares.
	Locals []Local
	// Expansions are the arrays that code which replaces the region allocates;
	// none in a program as the front end makes it.
	Expansions []Expansion
	// Room is what these arrays may have. With parameters for which they need more bytes, the code runs the region as it is
	// written.
	Room Room
	// Placements are the temporaries whose values are in elements of other arrays; none in a program as
	// the front end makes it.
	Placements []Placement
	// Untiled are the iterators of loops over tiles in the source that the program has not, as other loops determine them; none in a
	// program as the front end makes it.
	Untiled []string
	// Statements are in textual order and named S0, S1, …, of which a program with
	// placements may lack some; pieces of a
	// statement, in the order of their numbers, take its place in a cut
	// program.
	Statements []Statement
	// Cuts are the hyperplanes at which statements have been divided; none in
	// a program as the front end makes it.
	Cuts []Cut
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
	// Result is the type of the function's value, "" for void.
	Result string
	// Views are pointers of the function's own that lead into the memory of its Pointer arguments.
	Views []View
	// Own are the arrays of variable length that the function declares for itself: they take room on the stack.
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
	// Size is the number of bytes of a Pointer's elements, 0 where they have none.
	Size int
	// Pointers is how many of the first dimensions are arrays of pointers to what the next dimension has: 1 for double **a.
	Pointers int
	// Alignment is the number of bytes of which the function takes a Pointer to be a multiple; 0 where that is what the type asks.
	Alignment int
	// ByValue says that the argument is a struct, of which the function gets a copy: a Pointer without extents to a caller.
	ByValue bool
}

// Array is an array or, with no extents, a scalar. Each member of a struct
// that the region accesses by itself is an array of its own: p[i].v is the
// element i of an array p_v.
type Array struct {
	// Name is unique in the program and one that isl can read. It is the name
	// of the C variable unless isl cannot hold that, or the array is a member.
	Name string
	// Variable is the C variable that holds the elements; "" means Name.
	Variable string
	// Path is how C writes an element, with [] in the place of each
	// subscript, such as "p[].pos.x" or "s[].u[][]" for s->u[i][j]; ""
	// means the variable with its subscripts behind it.
	Path string
	// Linear says that in C the array has one subscript, which counts rows: the
	// element [i][j] of extents "" and "m" is p[i * m + j]. All references stay in their rows.
	Linear bool
	// Rows is the name that the statements' texts have for a linear array's rows, so that they write
	// p_rows[i][j] for that element; code with these texts defines it. References whose subscripts the model does not know
	// name the variable. It is "" where all do.
	Rows string
	// Type is the C type of one element.
	Type string
	// Size is the number of bytes of one element.
	Size int
	// Extents are C expressions, outermost first; "" where unknown.
	Extents []string
	// Span is a C expression for the number of elements, or rows, up to the last one that updates which data decide touch, where the outermost
	// extent is unknown; "" where nothing says it.
	Span string
	// Local says that the array is declared inside the region, so that its
	// contents are dead before and after it.
	Local bool
	// Argument says that the array is an argument of the function.
	Argument bool
	// Elsewhere says that the elements may be parts of another variable, to which a pointer leads.
	Elsewhere bool
	// Renamable says that the mentions of the statements are all places of their texts
	// that name the array, and that nothing else in the region leads to its elements.
	Renamable bool
	// Temporary says that the array is renamable, and that nothing looks at its contents
	// after the region or leads to its elements.
	Temporary bool
	// Members are the numbers in an element whose type is a struct; nil for
	// other types, and where they cannot be told apart.
	Members []Member
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

// Statement is one textual statement; its instances are the integer points
// of its domain.
type Statement struct {
	Name string
	// Piece says what part of a statement this is; nil for a whole one.
	Piece *Piece
	// Source is the statement's C text as the user wrote it, with its
	// semicolon.
	Source string
	// Value is what the text says, with places in it: the assignment, or Opaque for what is more than
	// an expression. A statement that is made without a text gets it by Write. nil says nothing.
	Value Expr
	// Uses are the places in Source that name a loop iterator, in order.
	Uses []Use
	// Mentions are the places in Source that name a renamable array, or its rows, in order.
	Mentions []Mention
	// Loops are the loops around the statement, outermost first.
	Loops []Loop
	// Position holds the statement's textual position among its siblings
	// at each depth, outermost first: len(Loops)+1 numbers. Two statements
	// share their first k loops exactly when the first k positions agree.
	Position []int
	// Domain is the iteration domain, an isl set whose tuple has the
	// statement's name: "[N] -> { S0[i, j] : 0 <= i < N and 0 <= j < N }".
	Domain string
	// Accesses are in the order of the text, the written one of an
	// assignment first.
	Accesses []Access
	// Reduction says that the statement is a reduction; nil for others.
	Reduction *Reduction
	// UnknownWork says that the statement calls a function, or has a loop of its own, so that its accesses do not tell how long it takes.
	UnknownWork bool
	// Serial says what of the statement keeps clang from running several instances at once in the lanes of vectors.
	Serial Serial
	// Line and Column are the place of the statement in the file, from 1.
	Line, Column int
}

// Loop is one loop around a statement.
type Loop struct {
	// Iterator is the name the loop variable has in the source.
	Iterator string
	// Type is the iterator's C type; "" means int.
	Type string
	// Descending says that the loop counts down: later instances have
	// smaller values of the iterator.
	Descending bool
}

// Use is one place in the source of a statement that names an iterator.
type Use struct {
	// Offset is the place in bytes; the text there is the iterator's name.
	Offset int
	// Loop is the index of the iterator in Statement.Loops.
	Loop int
	// Subscript says that the use stands in a subscript whose value the model
	// knows: an iterator of any wider integer type gives the same element.
	Subscript bool
	// Argument says that the use stands in an argument that a macro puts into sums in brackets alone, which are the same
	// numbers with any wider type.
	Argument bool
}

// Mention is one place in the source of a statement that names a renamable array.
type Mention struct {
	// Offset is the place in bytes; the text there is the array's name, or that of its rows.
	Offset int
	Array  string
}

// Access is one reference of a statement to an array.
type Access struct {
	Array string
	// Read and Write say what the reference does; both for the left side of
	// a compound assignment such as +=, which is one reference.
	Read, Write bool
	// May says that the relation is an over-approximation: a write that
	// may not happen, or may touch less. It never kills an earlier value.
	May bool
	// Relation is an isl map from instances to elements:
	// "[N] -> { S0[i, j] -> A[i, j] }"; a scalar's tuple has no dimension.
	Relation string
	// Line and Column are the place of the reference in the file, from 1.
	Line, Column int
}

// Depth is the number of loops around the statement.
func (s *Statement) Depth() int { return len(s.Loops) }

// WritesPerhaps says whether data decide what the statement writes, or whether it writes at all.
func (s *Statement) WritesPerhaps() bool {
	return slices.ContainsFunc(s.Accesses, func(a Access) bool { return a.Write && a.May })
}

// CommonLoops is the number of loops that s and t share in the source.
func (s *Statement) CommonLoops(t *Statement) int {
	n := min(s.Depth(), t.Depth())
	for k := range n {
		if s.Position[k] != t.Position[k] {
			return k
		}
	}
	return n
}

// Before says whether s precedes t in the text. A statement does not precede
// itself.
func (s *Statement) Before(t *Statement) bool {
	for k := range min(len(s.Position), len(t.Position)) {
		if s.Position[k] != t.Position[k] {
			return s.Position[k] < t.Position[k]
		}
	}
	return false
}

// Iterators are the source names of the loops around s, outermost first.
func (s *Statement) Iterators() []string {
	names := make([]string, len(s.Loops))
	for k, l := range s.Loops {
		names[k] = l.Iterator
	}
	return names
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

// Spelling is the array as people who know the C source would name it:
// "p.v" for the elements p[i].v.
func (a *Array) Spelling() string { return strings.ReplaceAll(a.path(), "[]", "") }

// Element is the C text of the element with these subscripts. With fewer
// subscripts than extents it is the array that the next one belongs to.
func (a *Array) Element(subscripts []string) string {
	text := a.path()
	for _, s := range subscripts {
		text = strings.Replace(text, "[]", "["+s+"]", 1)
	}
	text, _, _ = strings.Cut(text, "[]")
	return text
}

// Reference is Element in C: the one subscript of a linear array is computed.
func (a *Array) Reference(subscripts []string) string {
	if !a.Linear || len(subscripts) < len(a.Extents) {
		return a.Element(subscripts)
	}
	at := a.LinearAt()
	index := subscripts[at]
	for d, extent := range a.Extents[at+1:] {
		index = fmt.Sprintf("(%s) * (%s) + %s", index, extent, subscripts[at+1+d])
	}
	if a.Path != "" {
		return a.Element(append(slices.Clone(subscripts[:at]), index))
	}
	return fmt.Sprintf("%s[%s]", a.Variable, index)
}

// LinearAt is the dimension of a linear array whose one subscript in C counts rows: the last one there.
func (a *Array) LinearAt() int { return max(0, strings.Count(a.Path, "[]")-1) }

func (a *Array) path() string {
	if a.Path != "" {
		return a.Path
	}
	name := a.Variable
	if name == "" {
		name = a.Name
	}
	return name + strings.Repeat("[]", len(a.Extents))
}

// InTexts is the word by which the statements' texts name the array where all of its subscripts follow; "" where
// nothing is known of that.
func (a *Array) InTexts() string {
	switch {
	case a.Linear:
		return a.Rows
	case a.Variable == "":
		return a.Name
	}
	return a.Variable
}

// ArraysOf are the arrays whose elements lie in that C variable, or behind it
// when it is a pointer: one for each member of a struct.
func (p *Program) ArraysOf(variable string) []*Array {
	var found []*Array
	for i := range p.Arrays {
		a := &p.Arrays[i]
		if a.Variable == variable || a.Variable == "" && a.Name == variable {
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
