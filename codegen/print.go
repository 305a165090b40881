package codegen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"polytune/internal/ctext"
	"polytune/loopir"
)

// lines print code in C with OpenMP.
func (p *printer) lines(code loopir.Code) (all []line) {
	for _, s := range code {
		all = append(all, p.linesOf(s)...)
	}
	return all
}

// chunk prints code that is to be the body of something.
func (p *printer) chunk(code loopir.Code) chunk {
	return chunk{p.lines(code), len(code) == 1 && p.isBare(code[0])}
}

// inBraces prints code that is to have braces around it.
func (p *printer) inBraces(code loopir.Code) chunk { return chunk{lines: p.lines(code)} }

// isBare says whether a statement can be the body of a loop without braces.
func (p *expressions) isBare(s loopir.Stmt) bool {
	switch s := s.(type) {
	case *loopir.For:
		return s.On() == loopir.Sequential
	case *loopir.Run:
		return isSimple(p.instance(s))
	case *loopir.Move:
		return !s.Declares
	case *loopir.Assign:
		return true
	}
	return false
}

func (p *printer) linesOf(s loopir.Stmt) []line {
	switch s := s.(type) {
	case *loopir.For:
		from := ""
		if s.From != nil {
			from = "long " + s.Var + " = " + p.expression(s.From).code
		}
		defer p.within(s.Var)()
		return p.withName(s.Name, append(p.told(s), enclose("for ("+from+"; "+p.expression(s.While).code+"; "+p.increment(s.Var, s.Step)+")", p.chunk(s.Body))...))
	case *loopir.If:
		return p.condition(s)
	case *loopir.Either:
		lines, other := enclose("if ("+s.Condition+")", p.inBraces(s.Then)), p.chunk(s.Else)
		other.bare = other.bare && s.Short
		return orElse(lines, other)
	case *loopir.Let:
		lines := append([]line{constantOf(s.Var, "%s", p.expression(s.Value).code)}, p.lines(s.Body)...)
		if s.Line {
			return []line{inOne(lines)}
		}
		return braces(lines)
	case *loopir.Run:
		return instanceLines(p.instance(s))
	case *loopir.Keep:
		return p.keeping(s)
	case *loopir.Define:
		return []line{p.definition(s)}
	case *loopir.Move:
		return []line{p.move(s)}
	case *loopir.Assign:
		return []line{p.assign(s)}
	case *loopir.Registers:
		return []line{{0, p.vectorType(s.Vector) + " " + strings.Join(s.Names, ", ") + ";"}}
	case *loopir.Transpose:
		return p.transposed(s)
	case *loopir.Prefetch:
		return []line{prefetch(s)}
	case *loopir.Fence:
		return []line{{0, p.fence() + "();"}}
	case *loopir.Pointer:
		return []line{pointer(s)}
	case *loopir.Cover:
		return p.withName(s.Name, p.cover(s))
	case *loopir.Once:
		return enclose("if (!"+s.Flag+")", chunk{lines: append([]line{{0, s.Flag + " = 1;"}}, p.lines(s.Body)...)})
	case *loopir.Alloc:
		return []line{p.alloc(s)}
	case *loopir.Private:
		return []line{privateLine(s)}
	case *loopir.Alias:
		return []line{{0, pointerTo(s.Type, "__restrict "+s.Name, s.Rows) + " = " + s.Of + ";"}}
	case *loopir.Relay:
		return p.relay(s)
	case *loopir.Reduce:
		return p.reduce(s)
	case *loopir.Buffer:
		return []line{{0, fmt.Sprintf("%s %s[%d] __attribute__((aligned(64)));", s.Type, s.Name, s.Elements)}}
	case *loopir.Flag:
		return []line{{0, "int " + s.Name + " = 0;"}}
	case *loopir.Team:
		return append([]line{{0, "#pragma omp parallel" + ifClause(s.Several)}}, braces(p.lines(s.Body))...)
	case *loopir.Barrier:
		return []line{{0, "#pragma omp barrier"}}
	case *loopir.Block:
		return braces(p.lines(s.Body))
	case *loopir.OnRanks:
		return ranksPrinter{p}.onRanks(s)
	case *loopir.Exchange:
		return ranksPrinter{p}.exchange(s)
	case *loopir.RankSum:
		return ranksPrinter{p}.sum(s)
	case *loopir.Meet:
		return []line{{0, p.runtime + "_meet();"}}
	case *loopir.Nothing:
		return nil
	}
	p.err = cmp.Or(p.err, fmt.Errorf("printing C%s: there is no text for %T", p.inside, s))
	return nil
}

// within notes the loop that is printed, for errors, until what it returns is called.
func (p *printer) within(variable string) (leave func()) {
	outside := p.inside
	p.inside = ", loop " + variable
	return func() { p.inside = outside }
}

// condition prints a condition, and another one in its else on the same line.
func (p *printer) condition(s *loopir.If) []line {
	header := "if (" + p.expression(s.Cond).code + ")"
	switch {
	case len(s.Else) == 0 && !s.Whole:
		return enclose(header, p.chunk(s.Then))
	case len(s.Else) == 0:
		return enclose(header, p.inBraces(s.Then))
	}
	lines := enclose(header, p.inBraces(s.Then))
	if s.Short {
		return orElse(lines, p.chunk(s.Else))
	}
	if next, ok := s.Else[0].(*loopir.If); ok && len(s.Else) == 1 && !s.Whole && !next.Whole {
		rest := p.condition(next)
		rest[0].code = "} else " + rest[0].code
		return append(lines[:len(lines)-1], rest...)
	}
	return orElse(lines, p.inBraces(s.Else))
}

// braces are lines with braces around them.
func braces(lines []line) []line {
	return append(append([]line{{0, "{"}}, indent(lines)...), line{0, "}"})
}

// inOne are lines in braces in one line.
func inOne(lines []line) line {
	code := "{ "
	for _, l := range lines {
		code += l.code + " "
	}
	return line{0, code + "}"}
}

// keeping prints code with variables in the place of elements.
func (p *printer) keeping(s *loopir.Keep) []line {
	var loads, stores []line
	for _, k := range s.Kept {
		loads = append(loads, line{0, fmt.Sprintf("%s %s = %s;", k.Type, k.Name, k.Element)})
		stores = append(stores, line{0, fmt.Sprintf("%s = %s;", k.Element, k.Name)})
	}
	lines := slices.Concat(loads, p.lines(s.Body), stores)
	switch {
	case s.Runs != nil:
		return enclose("if ("+p.expression(s.Runs).code+")", chunk{lines: lines})
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
