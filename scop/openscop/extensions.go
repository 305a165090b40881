package openscop

import (
	"fmt"
	"strconv"
	"strings"
)

// readExtensions reads what follows the statements: names of arrays and times, loops, and what
// nobody here needs.
func (f *File) readExtensions(l *lines) error {
	for l.peek() != closing {
		name, inside, err := readTagged(l)
		if err != nil {
			return err
		}
		e := &extension{name: name, rest: inside, line: l.last}
		switch name {
		case "scatnames":
			for _, line := range inside {
				f.Times = append(f.Times, strings.Fields(line.text)...)
			}
		case "arrays":
			f.readArrays(e)
		case "loop":
			f.readLoops(e)
		}
		if e.err != nil {
			return e.err
		}
	}
	_, err := l.next(closing)
	return err
}

// extension reads the lines of one, up to the first that is not what it has to be.
type extension struct {
	name string
	rest []line
	// line is the number of the line that was read last.
	line int
	err  error
}

func (e *extension) next(what string) string {
	if e.err == nil && len(e.rest) == 0 {
		e.failed("<%s> ends where %s is expected", e.name, what)
	}
	if e.err != nil {
		return ""
	}
	read := e.rest[0]
	e.rest, e.line = e.rest[1:], read.number
	return read.text
}

func (e *extension) number(what string) int {
	text := e.next(what)
	number, err := strconv.Atoi(text)
	if e.err == nil && (err != nil || number < 0 || number > mostStatements) {
		e.failed("%q is not %s, a number from 0 to %d", shortened(text), what, mostStatements)
	}
	return number
}

func (e *extension) failed(format string, args ...any) {
	e.err = &Error{e.line, fmt.Sprintf(format, args...)}
}

// readArrays reads the names of arrays.
func (f *File) readArrays(e *extension) {
	count := e.number("the number of arrays")
	for k := 0; k < count && e.err == nil; k++ {
		text := e.next("an array's number and name")
		words := strings.Fields(text)
		if e.err != nil {
			return
		}
		if len(words) != 2 {
			e.failed("%q is not an array's number and name", shortened(text))
			return
		}
		number, err := strconv.Atoi(words[0])
		if err != nil {
			e.failed("%q is not an array's number", shortened(words[0]))
		}
		f.Arrays[number] = words[1]
	}
}

// readLoops reads how loops are to run.
func (f *File) readLoops(e *extension) {
	count := e.number("the number of loops")
	for k := 0; k < count && e.err == nil; k++ {
		loop := Loop{Time: e.next("the name of a loop's iterator")}
		for range e.number("the number of a loop's statements") {
			if s := e.number("a statement's number"); e.err == nil && (s < 1 || s > len(f.Statements)) {
				e.failed("there is no statement %d; there are %d", s, len(f.Statements))
			} else {
				loop.Statements = append(loop.Statements, s)
			}
			if e.err != nil {
				return
			}
		}
		private := e.next("the private variables of a loop, or (null)")
		if directive, err := strconv.Atoi(private); err == nil {
			loop.Directive = Directive(directive)
		} else {
			loop.Directive = Directive(e.number("a loop's directive"))
		}
		if loop.Directive&user != 0 {
			e.next("a loop's own directive")
		}
		f.Loops = append(f.Loops, loop)
	}
}
