package codegen

import (
	"slices"

	"polytune/internal/ctext"
)

// line is a line of the generated code, indented by depth levels.
type line struct {
	depth int
	code  string
}

// fragment is the code of a node of the syntax tree.
type fragment struct {
	lines []line
	// bare says that the fragment is one statement of C that can be the body
	// of a loop without braces.
	bare bool
	// conditional says that the fragment is one if statement, which can follow
	// an else on its line.
	conditional bool
	// declares are the private variables and the threads' own arrays that the code around has to declare.
	declares []string
	// opens says that the lines declare a copy, or an array's name for one, which code beside them may declare, too.
	opens bool
}

// beside are the fragment's lines for a block of C that has others as well.
func (f fragment) beside() []line {
	if f.opens {
		return braces(f.lines)
	}
	return f.lines
}

// enclose puts the body under a header, in braces when it needs them.
func enclose(header string, body fragment) []line {
	if body.bare {
		return append([]line{{0, header}}, indent(body.lines)...)
	}
	lines := append([]line{{0, header + " {"}}, indent(body.lines)...)
	return append(lines, line{0, "}"})
}

// indent puts lines one level deeper.
func indent(lines []line) []line {
	deeper := make([]line, len(lines))
	for i, l := range lines {
		deeper[i] = line{l.depth + 1, l.code}
	}
	return deeper
}

// mentions says whether the name stands in the lines as a word.
func mentions(lines []line, name string) bool {
	for _, l := range lines {
		for _, word := range ctext.Words(l.code) {
			if word == name {
				return true
			}
		}
	}
	return false
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
