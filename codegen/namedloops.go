package codegen

import (
	"slices"
	"strings"

	"polytune/internal/ctext"
	"polytune/loopir"
	"polytune/schedule"
	"polytune/scop/mark"
)

// Comments in front of a loop and behind it, in code that names its loops.
const (
	loopBegins = "/* polytune: loop "
	loopEnds   = "/* polytune: end of loop "
	nameEnds   = " */"
)

// nameOf is the name of the loop of a schedule, at a depth, that runs the instances in a loop, with
// marks in front of it, "" where that is not known.
func nameOf(loop *loopir.For, tree *schedule.Tree, depth int, before []*loopir.Marked) string {
	if tree == nil {
		return ""
	}
	var statements []int
	var about []string
	for _, m := range before {
		about = append(about, mark.LoopOf(m.Mark))
	}
	loopir.Walk(loop.Body, func(s loopir.Stmt) {
		switch s := s.(type) {
		case *loopir.Run:
			if !slices.Contains(statements, s.Statement.Index) {
				statements = append(statements, s.Statement.Index)
			}
		case *loopir.Marked:
			about = append(about, mark.LoopOf(s.Mark))
		}
	})
	return tree.NameAt(depth, statements, about)
}

// withName are the lines of a loop, where the code names its loops with comments around them that
// have its name.
func (p *expressions) withName(name string, lines []line) []line {
	if !p.namesLoops || name == "" {
		return lines
	}
	lines = append([]line{{0, loopBegins + name + nameEnds}}, lines...)
	return append(lines, line{0, loopEnds + name + nameEnds})
}

// NamedLoops takes the comments with names of loops out of code. loops are, for each line of the
// text that is left, the name of the innermost loop around it, "" for none.
func NamedLoops(code string) (text string, loops []string) {
	var kept strings.Builder
	open := []string{""}
	for line := range strings.Lines(code) {
		word := strings.Trim(line, ctext.Blank)
		name, begins := strings.CutPrefix(word, loopBegins)
		switch {
		case begins:
			open = append(open, strings.TrimSuffix(name, nameEnds))
		case strings.HasPrefix(word, loopEnds) && len(open) > 1:
			open = open[:len(open)-1]
		default:
			kept.WriteString(line)
			loops = append(loops, open[len(open)-1])
		}
	}
	return kept.String(), loops
}
