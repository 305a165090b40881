package openscop

import (
	"fmt"
	"slices"
	"strings"
)

// What files may have at most.
const (
	mostStatements = 10000
	mostRelations  = 10000
	mostParts      = 1000
	mostDimensions = 200
	mostRows       = 10000
)

const (
	opening = "<OpenScop>"
	closing = "</OpenScop>"
)

// Parse reads the first program of a file. An error is an *Error.
func Parse(text string) (*File, error) {
	l := newLines(text)
	for l.peek() != opening {
		if read, err := l.next(opening); err != nil {
			return nil, err
		} else if read == "SCoP" {
			return nil, l.failed("this is a file of ScopLib, the format before OpenScop, which begins with %s", opening)
		}
	}
	if _, err := l.next(opening); err != nil {
		return nil, err
	}
	f := &File{Arrays: map[int]string{}}
	for _, read := range []func(*lines) error{f.readGlobal, f.readStatements, f.readExtensions} {
		if err := read(l); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// readGlobal reads the language, the context and the parameters.
func (f *File) readGlobal(l *lines) (err error) {
	if f.Language, err = l.next("the language"); err != nil {
		return err
	}
	if f.Context, err = readRelation(l); err != nil {
		return err
	}
	if f.Context.Kind != Context {
		return l.failed("the first relation is %s, not %s", f.Context.Kind, Context)
	}
	given, err := l.number("1 where names of parameters follow, or else 0,", 1)
	if err != nil || given == 0 {
		return err
	}
	if f.Parameters, err = l.names("names of parameters"); err != nil {
		return err
	}
	if count := f.Context.Parts[0].Parameters; len(f.Parameters) != count {
		return l.failed("there are %d names of parameters, and %d parameters in the context", len(f.Parameters), count)
	}
	return nil
}

func (f *File) readStatements(l *lines) error {
	count, err := l.number("the number of statements", mostStatements)
	for k := 0; err == nil && k < count; k++ {
		var s Statement
		if s, err = f.readStatement(l); err == nil {
			f.Statements = append(f.Statements, s)
		}
	}
	return err
}

// readStatement reads a statement, and checks that its relations fit each other.
func (f *File) readStatement(l *lines) (s Statement, err error) {
	count, err := l.number("the number of a statement's relations", mostRelations)
	s.Line = l.last
	for k := 0; err == nil && k < count; k++ {
		var r Relation
		if r, err = readRelation(l); err == nil {
			err = s.add(l, r)
		}
	}
	if err != nil {
		return s, err
	}
	switch l.last = s.Line; {
	case s.Domain.Parts == nil:
		return s, l.failed("the statement has no %s", Domain)
	case s.Scattering.Parts == nil:
		return s, l.failed("the statement has no %s", Scattering)
	}
	for _, r := range append([]Relation{s.Domain, s.Scattering}, s.Accesses...) {
		l.last = r.Line
		if have, want := r.Parts[0].Parameters, f.Context.Parts[0].Parameters; have != want {
			return s, l.failed("%s has %d parameters, and the context %d", r.Kind, have, want)
		}
		if r.Kind == Scattering && r.Inputs() != s.Domain.Outputs() {
			return s, l.failed("%s has %d input dimensions, and %s %d iterators", r.Kind, r.Inputs(), Domain, s.Domain.Outputs())
		}
	}
	return s, s.readExtensions(l)
}

// add adds a relation to a statement.
func (s *Statement) add(l *lines, r Relation) error {
	of := map[Kind]*Relation{Domain: &s.Domain, Scattering: &s.Scattering}[r.Kind]
	l.last = r.Line
	switch {
	case r.Kind == Context:
		return l.failed("a statement has no %s", Context)
	case of == nil:
		s.Accesses = append(s.Accesses, r)
	case of.Parts != nil:
		return l.failed("a second %s of one statement; parts of one stand behind their number", r.Kind)
	case r.Kind == Domain && r.Inputs() > 0:
		return l.failed("%s has %d input dimensions; iterators are output dimensions", Domain, r.Inputs())
	default:
		*of = r
	}
	return nil
}

// readExtensions reads what follows a statement's relations.
func (s *Statement) readExtensions(l *lines) (err error) {
	count := 1
	if !strings.HasPrefix(l.peek(), "<") {
		if count, err = l.number("the number of a statement's extensions", mostRelations); err != nil {
			return err
		}
	}
	for range count {
		name, inside, err := readTagged(l)
		if err != nil {
			return err
		}
		if name != "body" || len(inside) == 0 {
			continue
		}
		rest := inside[1:]
		if inside[0].text != "0" && len(rest) > 0 {
			s.Iterators, rest = strings.Fields(rest[0].text), rest[1:]
		}
		for _, line := range rest {
			s.Body = strings.TrimSpace(s.Body + " " + line.text)
		}
	}
	return nil
}

// readTagged reads <name> … </name>.
func readTagged(l *lines) (name string, inside []line, err error) {
	text, err := l.next("an extension")
	if err != nil {
		return "", nil, err
	}
	name, opened := strings.CutPrefix(text, "<")
	name, closed := strings.CutSuffix(name, ">")
	if !opened || !closed || name == "" {
		return "", nil, l.failed("%q is no extension, which is written <body> … </body>", shortened(text))
	}
	for l.peek() != "</"+name+">" {
		if len(l.rest) == 0 {
			break
		}
		inside, l.rest = append(inside, l.rest[0]), l.rest[1:]
	}
	_, err = l.next("</" + name + ">")
	return name, inside, err
}

// readRelation reads a relation of any kind.
func readRelation(l *lines) (r Relation, err error) {
	text, err := l.next("a relation")
	if err != nil {
		return r, err
	}
	r.Kind, r.Line = Kind(text), l.last
	if text == "MAYWRITE" {
		r.Kind = MayWrite
	}
	if !slices.Contains([]Kind{Context, Domain, Scattering, Read, Write, MayWrite}, r.Kind) {
		return r, l.failed("%q is no kind of relation; there are CONTEXT, DOMAIN, SCATTERING, READ, WRITE and MAY_WRITE", shortened(text))
	}
	count := 1
	if len(strings.Fields(l.peek())) == 1 {
		if count, err = l.number("the number of the relation's parts", mostParts); err != nil {
			return r, err
		}
		if count == 0 {
			return r, l.failed("%s has no part", r.Kind)
		}
	}
	for range count {
		p, err := readPart(l, r.Kind)
		if err != nil {
			return r, err
		}
		if first := append(r.Parts, p)[0]; first.Outputs != p.Outputs || first.Inputs != p.Inputs || first.Parameters != p.Parameters {
			return r, l.failed("the parts of %s have different dimensions", r.Kind)
		}
		r.Parts = append(r.Parts, p)
	}
	return r, nil
}

// properties are what the six numbers in front of a matrix say.
const properties = "rows, columns, output, input and local dimensions, and parameters"

func readPart(l *lines, kind Kind) (p Part, err error) {
	numbers, err := l.numbers("a relation's line with "+properties, 6)
	if err != nil {
		return p, err
	}
	for k, number := range numbers {
		if most := []int64{mostRows, 4 * mostDimensions, mostDimensions, mostDimensions, mostDimensions, mostDimensions}[k]; number < 0 || number > most {
			return p, l.failed("%d is not from 0 to %d; the numbers are those of %s", number, most, properties)
		}
	}
	p = Part{int(numbers[2]), int(numbers[3]), int(numbers[4]), int(numbers[5]), nil}
	if p.columns() != int(numbers[1]) {
		return p, l.failed("%d columns are not the %d of %d output, %d input and %d local dimensions, %d parameters, and 2", numbers[1], p.columns(), p.Outputs, p.Inputs, p.Locals, p.Parameters)
	}
	for range numbers[0] {
		row, err := l.numbers(fmt.Sprintf("a row of %s", kind), p.columns())
		if err != nil {
			return p, err
		}
		if row[0] != 0 && row[0] != 1 {
			return p, l.failed("a row begins with 0, for an equality, or 1, for an inequality, not %d", row[0])
		}
		p.Rows = append(p.Rows, row)
	}
	return p, nil
}
