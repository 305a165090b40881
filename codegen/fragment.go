package codegen

import (
	"slices"

	"polytune/internal/ctext"
	"polytune/loopir"
)

// line is a line of the generated code, indented by depth levels.
type line struct {
	depth int
	code  string
}

// fragment is the code of a node of the syntax tree.
type fragment struct {
	code loopir.Code
	// declares are the private variables and the threads' own arrays that the code around has to
	// declare.
	declares []string
	// opens says that the code declares a copy, or an array's name for one, which code beside it
	// may declare, too.
	opens bool
}

// of is a fragment that declares nothing.
func of(code ...loopir.Stmt) fragment { return fragment{code: code} }

// beside is the fragment's code in a block of C that has other code as well.
func (f fragment) beside() loopir.Code {
	if f.opens {
		return loopir.Code{&loopir.Block{Body: f.code}}
	}
	return f.code
}

// chunk is printed code.
type chunk struct {
	lines []line
	// bare says that it is one statement of C that can be the body of a loop without braces.
	bare bool
}

// enclose puts the body under a header, in braces when it needs them.
func enclose(header string, body chunk) []line {
	if body.bare {
		return append([]line{{0, header}}, indent(body.lines)...)
	}
	lines := append([]line{{0, header + " {"}}, indent(body.lines)...)
	return append(lines, line{0, "}"})
}

// asLines are texts that all begin where the others do.
func asLines(texts []string) (lines []line) {
	for _, text := range texts {
		lines = append(lines, line{0, text})
	}
	return lines
}

// orElse is the code of a condition, in braces, with other code where it does not hold.
func orElse(lines []line, other chunk) []line {
	return append(lines[:len(lines)-1], enclose("} else", other)...)
}

// indent puts lines one level deeper.
func indent(lines []line) []line {
	deeper := make([]line, len(lines))
	for i, l := range lines {
		deeper[i] = line{l.depth + 1, l.code}
	}
	return deeper
}

// mentions says whether the name stands in the code as a word.
func (p *printer) mentions(code loopir.Code, name string) bool {
	return slices.ContainsFunc(p.lines(code), func(l line) bool { return slices.Contains(ctext.Words(l.code), name) })
}

// union are the names of both lists, each once.
func union(a, b []string) []string {
	all := slices.Clip(a)
	for _, name := range b {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}
