// Package openscop reads and writes programs in the OpenScop format 1.0, by which Clan, Pluto, PoCC,
// Candl, Clay and CLooG exchange them (Bastoul, "OpenScop: A Specification and a Library for Data
// Exchange in Polyhedral Compilation Tools", 2011).
//
// A relation there is a list of parts, each a matrix. The first column of a row is 0 for an
// equality and 1 for an inequality, whose value is at least 0. The other columns are factors of the
// output dimensions, the input dimensions, further dimensions that exist, the parameters, and 1.
package openscop

import (
	"fmt"
	"slices"
	"strings"
)

// File is a program.
type File struct {
	Language string
	// Context are the values that the parameters may have.
	Context Relation
	// Parameters are their names; nil where the file does not give them.
	Parameters []string
	Statements []Statement
	// Arrays are names by the numbers that accesses have, from 1.
	Arrays map[int]string
	// Times are names of the dimensions of scatterings, none where the file does not give them.
	Times []string
	// Loops are those for which a tool asks how they run.
	Loops []Loop
	// Source is the C file, "" where nobody says, and FirstLine and LastLine are those of the first
	// and the last statement there, from 1.
	Source              string
	FirstLine, LastLine int
}

// Statement is a statement.
type Statement struct {
	// Line is that in the file at which the statement begins.
	Line int
	// Domain has the iterators as output dimensions.
	Domain Relation
	// Scattering has times as output dimensions, and iterators as input dimensions.
	Scattering Relation
	// Accesses have an array's number and subscripts as output dimensions.
	Accesses []Relation
	// Iterators are the names that the body has for them, and Body is C text.
	Iterators []string
	Body      string
}

// Kind says what a relation is.
type Kind string

// The kinds of relations.
const (
	Context    Kind = "CONTEXT"
	Domain     Kind = "DOMAIN"
	Scattering Kind = "SCATTERING"
	Read       Kind = "READ"
	Write      Kind = "WRITE"
	MayWrite   Kind = "MAY_WRITE"
)

// Relation is a union of parts.
type Relation struct {
	Kind Kind
	// Line is that in the file at which the relation begins.
	Line  int
	Parts []Part
}

// Part is one conjunction of constraints.
type Part struct {
	// Outputs, Inputs, Locals and Parameters count dimensions.
	Outputs, Inputs, Locals, Parameters int
	Rows                                [][]int64
}

// Loop asks how a loop runs.
type Loop struct {
	// Time is the name of the scattering's dimension.
	Time string
	// Statements are their places in the file, from 1.
	Statements []int
	Directive  Directive
}

// Directive is a sum of the numbers below.
type Directive int

// Parallel loops run on threads, vector loops in lanes.
const (
	Parallel Directive = 1
	Vector   Directive = 4
	// user is text that somebody has written.
	user Directive = 8
)

// columns is how many a row of the part has.
func (p *Part) columns() int { return 2 + p.Outputs + p.Inputs + p.Locals + p.Parameters }

// Outputs is the number of output dimensions of all parts.
func (r *Relation) Outputs() int { return r.Parts[0].Outputs }

// Inputs is the number of input dimensions of all parts.
func (r *Relation) Inputs() int { return r.Parts[0].Inputs }

// Text is the relation in isl's notation, with a name for the tuple of iterators: a set where the
// relation has no input dimensions. The tuple of a context has no name.
func (r *Relation) Text(tuple string, parameters []string) string {
	parts := make([]string, len(r.Parts))
	for k := range r.Parts {
		parts[k] = r.Parts[k].text(r.Kind, tuple, parameters)
	}
	return fmt.Sprintf("[%s] -> { %s }", strings.Join(parameters, ", "), strings.Join(parts, "; "))
}

func (p *Part) text(kind Kind, tuple string, parameters []string) string {
	outputs, inputs, locals := numbered("o", p.Outputs, parameters), numbered("i", p.Inputs, parameters), numbered("l", p.Locals, parameters)
	all := slices.Concat(outputs, inputs, locals, parameters)
	conditions := make([]string, len(p.Rows))
	for k, row := range p.Rows {
		conditions[k] = condition(row, all)
	}
	where := strings.Join(conditions, " and ")
	if len(conditions) == 0 {
		where = "true"
	}
	if p.Locals > 0 {
		where = fmt.Sprintf("exists (%s : %s)", strings.Join(locals, ", "), where)
	}
	space := "[" + strings.Join(outputs, ", ") + "]"
	switch kind {
	case Context:
		space = ""
	case Domain:
		space = tuple + space
	default:
		space = fmt.Sprintf("%s[%s] -> %s", tuple, strings.Join(inputs, ", "), space)
	}
	return space + " : " + where
}

// numbered are names of dimensions that no parameter has.
func numbered(prefix string, count int, parameters []string) []string {
	for slices.ContainsFunc(parameters, func(name string) bool { return strings.HasPrefix(name, prefix) }) {
		prefix += "_"
	}
	names := make([]string, count)
	for k := range names {
		names[k] = fmt.Sprint(prefix, k)
	}
	return names
}

// condition is the constraint of a row.
func condition(row []int64, names []string) string {
	var b strings.Builder
	fmt.Fprint(&b, row[len(row)-1])
	for k, factor := range row[1 : len(row)-1] {
		switch {
		case factor > 0:
			fmt.Fprintf(&b, " + %d%s", factor, names[k])
		case factor < 0:
			fmt.Fprintf(&b, " - %d%s", -factor, names[k])
		}
	}
	if row[0] == 0 {
		return b.String() + " = 0"
	}
	return b.String() + " >= 0"
}
