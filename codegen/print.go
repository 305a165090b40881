package codegen

import (
	"fmt"
	"slices"
	"strings"

	"polytune/internal/ctext"
	"polytune/loopir"
)

// lines print code in C with OpenMP.
func (n *nodes) lines(code loopir.Code) (all []line) {
	for _, s := range code {
		all = append(all, n.linesOf(s)...)
	}
	return all
}

// chunk prints code that is to be the body of something.
func (n *nodes) chunk(code loopir.Code) chunk {
	return chunk{n.lines(code), len(code) == 1 && isBare(code[0])}
}

// inBraces prints code that is to have braces around it.
func (n *nodes) inBraces(code loopir.Code) chunk { return chunk{lines: n.lines(code)} }

// isBare says whether a statement can be the body of a loop without braces.
func isBare(s loopir.Stmt) bool {
	switch s := s.(type) {
	case *loopir.For:
		return true
	case *loopir.Run:
		return isSimple(s.Text)
	case *loopir.Copy:
		return true
	}
	return false
}

func (n *nodes) linesOf(s loopir.Stmt) []line {
	switch s := s.(type) {
	case *loopir.For:
		header := fmt.Sprintf("for (long %s = %s; %s; %s)", s.Var, n.expression(s.From).code, n.expression(s.While).code, n.increment(s.Var, s.Step))
		return enclose(header, n.chunk(s.Body))
	case *loopir.If:
		return n.condition(s)
	case *loopir.Either:
		lines, other := enclose("if ("+s.Condition+")", n.inBraces(s.Then)), n.chunk(s.Else)
		other.bare = other.bare && s.Short
		return orElse(lines, other)
	case *loopir.Let:
		return braces(append([]line{constantOf(s.Var, "%s", n.expression(s.Value).code)}, n.lines(s.Body)...))
	case *loopir.Run:
		return instanceLines(s.Text)
	case *loopir.Keep:
		return n.keeping(s)
	case *loopir.Copy:
		return []line{{0, s.To + " = " + s.From + ";"}}
	case *loopir.Alloc:
		return n.declarationOf(s.Array)
	case *loopir.Buffer:
		return []line{{0, fmt.Sprintf("%s %s[%d] __attribute__((aligned(64)));", s.Type, s.Name, s.Elements)}}
	case *loopir.Flag:
		return []line{{0, "int " + s.Name + " = 0;"}}
	case *loopir.Hint:
		return append([]line{pragmaLine(s.Pragma)}, n.lines(s.Body)...)
	case *loopir.Barrier:
		return []line{{0, "#pragma omp barrier"}}
	case *loopir.Block:
		return braces(n.lines(s.Body))
	case *loopir.Raw:
		return s.Lines.(textLines)
	case *loopir.Nothing:
		return nil
	}
	n.err = fmt.Errorf("the printer of C knows no %T", s)
	return nil
}

// condition prints a condition, and another one in its else on the same line.
func (n *nodes) condition(s *loopir.If) []line {
	header := "if (" + n.expression(s.Cond).code + ")"
	switch {
	case len(s.Else) == 0 && !s.Whole:
		return enclose(header, n.chunk(s.Then))
	case len(s.Else) == 0:
		return enclose(header, n.inBraces(s.Then))
	}
	lines := enclose(header, n.inBraces(s.Then))
	if next, ok := s.Else[0].(*loopir.If); ok && len(s.Else) == 1 && !s.Whole && !next.Whole {
		rest := n.condition(next)
		rest[0].code = "} else " + rest[0].code
		return append(lines[:len(lines)-1], rest...)
	}
	return orElse(lines, n.inBraces(s.Else))
}

// keeping prints code with variables in the place of elements.
func (n *nodes) keeping(s *loopir.Keep) []line {
	var loads, stores []line
	for _, k := range s.Kept {
		loads = append(loads, line{0, fmt.Sprintf("%s %s = %s;", k.Type, k.Name, k.Element)})
		stores = append(stores, line{0, fmt.Sprintf("%s = %s;", k.Element, k.Name)})
	}
	lines := slices.Concat(loads, n.lines(s.Body), stores)
	switch {
	case s.Runs != nil:
		return enclose("if ("+n.expression(s.Runs).code+")", chunk{lines: lines})
	case len(loads) > 0:
		return braces(lines)
	}
	return lines
}

// instanceLines are the lines of a statement's instance.
func instanceLines(code string) (lines []line) {
	for i, l := range strings.Split(code, "\n") {
		lines = append(lines, line{2 * min(i, 1), strings.Trim(l, ctext.Blank)})
	}
	return lines
}
