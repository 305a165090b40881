package codegen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"polytune/loopir"
	"polytune/scop"
)

// privateLine declares a variable of the region's own.
func privateLine(s *loopir.Private) line {
	text := s.Declaration
	if s.Unused {
		text += " __attribute__((unused))"
	}
	if s.Value != "" {
		text += " = " + s.Value
	}
	return line{0, text + ";"}
}

// pointerTo is the declaration of a pointer to rows of an array, or its type without a name.
func pointerTo(element, qualified string, rows []string) string {
	if len(rows) > 0 {
		return fmt.Sprintf("%s (*%s)%s", element, qualified, inBrackets(rows))
	}
	return strings.TrimSpace(element + " *" + qualified)
}

func inBrackets(extents []string) (text string) {
	for _, extent := range extents {
		text += "[" + extent + "]"
	}
	return text
}

// alloc declares an array that begins with a line of the cache, or in the thread's piece of memory.
func (p *printer) alloc(a *loopir.Alloc) line {
	if a.In == loopir.Stack {
		attributes := fmt.Sprintf("aligned(%d)", cacheLine)
		if a.Unused {
			attributes += ", unused"
		}
		return line{0, fmt.Sprintf("%s %s%s __attribute__((%s));", a.Type, a.Name, inBrackets(a.Extents), attributes)}
	}
	name, rows := a.Name, a.Extents[min(1, len(a.Extents)):]
	if a.Constant {
		name = "const " + name
	}
	return line{0, fmt.Sprintf("%s = (%s) (%s + %s * %s);", pointerTo(a.Type, name, rows), pointerTo(a.Type, "", rows), a.First, a.Bytes, p.thread())}
}

// reduce prints loops whose threads add up in copies. Each copy begins with what leaves the array
// as it is: zero, one, or for a minimum or maximum what the array has. All are merged after the
// barrier of the loop, so that none reads what another writes. Where there is no memory for copies
// one thread runs the loop with the array itself.
func (p *printer) reduce(s *loopir.Reduce) []line {
	var outside, all, before, after, behind []line
	inner := p.lines(s.Body)
	for _, c := range s.Partials {
		each := fmt.Sprintf("for (long %[1]s = 0; %[3]s && %[1]s < %[2]s; %[1]s++)", c.K, c.Count, s.Several)
		element, own := fmt.Sprintf("%s[%s]", c.All, c.K), fmt.Sprintf("%s[%s]", c.Copy, c.K)
		first := cmp.Or(map[scop.Operator]string{scop.Sum: "0", scop.Product: "1"}[c.Operator], element)
		outside = append(outside, constantOf(c.Count, "%s", c.Total), line{0, fmt.Sprintf("%s *const %s = (%s *) %s;", c.Type, c.All, c.Type, c.Name)})
		all = append(all, copiesMemory(c, s))
		before = append(before, line{0, fmt.Sprintf("%s *const %s = %s ? %s + (%s + %d) * %s : %s;", c.Type, c.Copy, s.Several, c.Memory, c.Count, betweenCopies, p.thread(), c.All)},
			line{0, each}, line{1, fmt.Sprintf("%s = %s;", own, first)})
		after = append(after, line{0, "#pragma omp critical"}, line{0, each}, line{1, merged(c.Operator, element, own)})
		behind = append(behind, line{0, fmt.Sprintf("__builtin_free(%s);", c.Memory)})
		inner = append([]line{copyPointer(c)}, inner...)
	}
	all = append(all, line{0, fmt.Sprintf("const int %s = %s;", s.Several, s.Copied)}, line{0, "#pragma omp parallel" + ifClause(s.Several)})
	team := braces(append(append(before, braces(inner)...), after...))
	return braces(slices.Concat(asLines(threadsDeclaration(s.Team)), outside, all, team, behind))
}

// betweenCopies is a number of elements, none of which is used, between the copies of threads: these
// share no line of the cache.
const betweenCopies = 64

// copiesMemory allocates the copies of all threads; there are none where one thread is to run.
func copiesMemory(c loopir.Partial, s *loopir.Reduce) line {
	return line{0, fmt.Sprintf("%[1]s *const %[2]s = %[3]s ? (%[1]s *) __builtin_malloc((unsigned long) (%[4]s + %[5]d) * %[6]s * sizeof(%[1]s)) : 0;",
		c.Type, c.Memory, s.Threads, c.Count, betweenCopies, s.Team)}
}

// copyPointer gives a thread's copy the array's name.
func copyPointer(c loopir.Partial) line {
	if c.Row == "" {
		return line{0, fmt.Sprintf("%s *__restrict %s = %s;", c.Type, c.Name, c.Copy)}
	}
	return line{0, fmt.Sprintf("%[1]s (*__restrict %[2]s)%[3]s = (%[1]s (*)%[3]s) %[4]s;", c.Type, c.Name, c.Row, c.Copy)}
}

// merged is the statement that updates an element by a partial result.
func merged(operator scop.Operator, element, part string) string {
	switch operator {
	case scop.Minimum:
		return fmt.Sprintf("if (%s < %s) %s = %s;", part, element, element, part)
	case scop.Maximum:
		return fmt.Sprintf("if (%s < %s) %s = %s;", element, part, element, part)
	}
	return fmt.Sprintf("%s %s= %s;", element, operator, part)
}
