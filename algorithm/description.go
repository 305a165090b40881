package algorithm

import (
	"encoding/json"
	"fmt"
	"os"
)

// Version is that of the form in which programs are described.
const Version = 1

// Description is a program as tune reads it: what Main prints.
type Description struct {
	// Version is Version; a document without it is none of Main's.
	Version      int           `json:"polytune_algorithm"`
	Name         string        `json:"name"`
	Sizes        []string      `json:"sizes"`
	At           Position      `json:"at"`
	Declarations []Declaration `json:"declarations"`
}

// Position is a line of the Go program.
type Position struct {
	File string `json:"file"`
	Line int    `json:"line"`
	// Column is that of a place in a line, in bytes from 1; 0 for the line.
	Column int `json:"column,omitempty"`
}

// String is file:line, or file:line:column, as compilers write it.
func (p Position) String() string {
	if p.Column > 0 {
		return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// Kind says which method of Function made a declaration.
type Kind string

// The kinds of declarations.
const (
	KindInput       Kind = "input"
	KindConstant    Kind = "constant"
	KindComputation Kind = "computation"
	KindUpdate      Kind = "update"
	KindWhere       Kind = "where"
	KindInPlace     Kind = "in place"
	KindOutput      Kind = "output"
	KindExtern      Kind = "extern"
	KindTogether    Kind = "together"
	KindSchedule    Kind = "schedule"
)

// Declaration is one call of a method of Function.
type Declaration struct {
	Kind Kind     `json:"kind"`
	Name string   `json:"name,omitempty"`
	At   Position `json:"at"`
	Type Type     `json:"type,omitempty"`
	// Extents are those of an array, Iterators and Domain the set of a computation, Value what it
	// computes, and Written the subscripts of what an update writes where they are not its first
	// iterators.
	Extents   []Expr   `json:"extents,omitempty"`
	Iterators []string `json:"iterators,omitempty"`
	Domain    string   `json:"domain,omitempty"`
	Value     Expr     `json:"value,omitzero"`
	Written   []Expr   `json:"written,omitempty"`
	// Of is the input of InPlace, Names the computations of Together, Header and Arguments are those
	// of Extern, and Text is that of Schedule.
	Of        string   `json:"of,omitempty"`
	Names     []string `json:"names,omitempty"`
	Header    string   `json:"header,omitempty"`
	Arguments []Type   `json:"arguments,omitempty"`
	Text      string   `json:"text,omitempty"`
	// Problem says what is wrong with the head of the declaration, or is "".
	Problem string `json:"problem,omitempty"`
}

// Description is what has been declared so far.
func (f *Function) Description() *Description { return &f.description }

// Main prints the function's description on standard output, for tune. It is the last thing that a
// program does.
func Main(f *Function) {
	if err := json.NewEncoder(os.Stdout).Encode(f.Description()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
