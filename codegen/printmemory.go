package codegen

import (
	"cmp"
	"fmt"
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
// barrier of the loop, so that none reads what another writes.
func (p *printer) reduce(s *loopir.Reduce) []line {
	var outside, before, after []line
	inner := p.lines(s.Body)
	for _, c := range s.Partials {
		each := fmt.Sprintf("for (long %[1]s = 0; %[1]s < %[2]s; %[1]s++)", c.K, c.Count)
		element, own := fmt.Sprintf("%s[%s]", c.All, c.K), fmt.Sprintf("%s[%s]", c.Copy, c.K)
		first := cmp.Or(map[scop.Operator]string{scop.Sum: "0", scop.Product: "1"}[c.Operator], element)
		memory, copied := fmt.Sprintf("(%[1]s *) __builtin_malloc((unsigned long) (%[2]s + 1) * sizeof(%[1]s))", c.Type, c.Count), c.Copy
		if c.Limit != "" {
			memory, copied = fmt.Sprintf("%s ? %s : %s", s.Several, memory, c.All), fmt.Sprintf("%s ? %s : 0", s.Several, c.Copy)
			each = fmt.Sprintf("for (long %[1]s = 0; %[3]s && %[1]s < %[2]s; %[1]s++)", c.K, c.Count, s.Several)
		}
		outside = append(outside, constantOf(c.Count, "%s", c.Total), line{0, fmt.Sprintf("%s *const %s = (%s *) %s;", c.Type, c.All, c.Type, c.Name)})
		before = append(before, line{0, fmt.Sprintf("%s *const %s = %s;", c.Type, c.Copy, memory)},
			line{0, fmt.Sprintf("if (!%s)", c.Copy)}, line{1, "__builtin_abort();"},
			line{0, each}, line{1, fmt.Sprintf("%s = %s;", own, first)})
		after = append(after, line{0, "#pragma omp critical"}, line{0, each}, line{1, merged(c.Operator, element, own)},
			line{0, fmt.Sprintf("__builtin_free(%s);", copied)})
		inner = append([]line{copyPointer(c)}, inner...)
	}
	threads := s.Threads
	if s.Several != "" {
		outside = append(outside, line{0, fmt.Sprintf("const int %s = %s;", s.Several, threads)})
		threads = s.Several
	}
	team := braces(append(append(before, braces(inner)...), after...))
	return braces(append(append(outside, line{0, "#pragma omp parallel" + ifClause(threads)}), team...))
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
