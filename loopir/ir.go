// Package loopir is the code of a region between the schedule and the text of a language: loops,
// conditions and instances of statements, as passes change and printers print them. A node says what
// happens, and to whom: which text says so is for the printer.
package loopir

import "polytune/scop"

// Stmt is a statement of a generated program.
type Stmt interface{ statement() }

// Code are statements, one after the other.
type Code []Stmt

// For runs its body for values of a variable, from the first one on, as long as the condition holds:
//
//	for (Var = From; While; Var += Step) Body
type For struct {
	Var               string
	From, While, Step *Expr
	Body              Code
}

// If runs Then or Else.
type If struct {
	Cond       *Expr
	Then, Else Code
	// Whole says that it is one thing for the reader: no else goes on with another condition.
	Whole bool
}

// Either is the same code twice, such as for several threads and for one: Then where the condition, in
// C, holds, and Else elsewhere. Short says that Else needs no braces where it is one statement.
type Either struct {
	Condition  string
	Then, Else Code
	Short      bool
}

// Let names a value in its body.
type Let struct {
	Var   string
	Value *Expr
	Body  Code
}

// Run is an instance of a statement.
type Run struct {
	Statement *scop.StatementModel
	// At are the values of the statement's iterators.
	At []*Expr
	// Text is the instance in C.
	Text string
}

// Keep has variables in the place of elements while its body runs, which it loads in front and stores
// behind where the loop inside has an iteration.
type Keep struct {
	Kept []Kept
	// Runs is the condition that the loop inside has one, nil where it certainly has.
	Runs *Expr
	Body Code
}

// Kept is a variable of a type of C in the place of an element.
type Kept struct{ Type, Name, Element string }

// Copy brings an element, as C names it, to another place in memory, or back. Which instance computes what an
// element has is not touched by it.
type Copy struct{ To, From string }

// Alloc declares a variable of the region's own, or a piece of memory, by the name of its array.
type Alloc struct{ Array string }

// Buffer is memory for so many elements of a type of C, that begins with a line of the caches.
type Buffer struct {
	Name, Type string
	Elements   int64
}

// Flag is a variable that says that something was done; it was not.
type Flag struct{ Name string }

// Hint is code under a pragma, or a macro that stands for one: what threads or lanes do with it.
type Hint struct {
	Pragma string
	Body   Code
}

// Barrier is where threads wait for all others.
type Barrier struct{}

// Nothing is what is left of code that has no instance here.
type Nothing struct{}

// Block is code with names of its own.
type Block struct{ Body Code }

// Raw is code that is still lines of text; nothing is known of it.
type Raw struct{ Lines Lines }

// Lines are lines of text.
type Lines interface{ Len() int }

func (*For) statement()     {}
func (*If) statement()      {}
func (*Either) statement()  {}
func (*Let) statement()     {}
func (*Run) statement()     {}
func (*Keep) statement()    {}
func (*Copy) statement()    {}
func (*Alloc) statement()   {}
func (*Buffer) statement()  {}
func (*Flag) statement()    {}
func (*Hint) statement()    {}
func (*Barrier) statement() {}
func (*Block) statement()   {}
func (*Nothing) statement() {}
func (*Raw) statement()     {}

// Several is the code as more than one statement, which has braces wherever it is.
func (c Code) Several() Code {
	if len(c) == 1 {
		return append(c[:1:1], &Nothing{})
	}
	return c
}
