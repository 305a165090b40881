package codegen

import (
	"fmt"
	"slices"

	"polytune/loopir"
	"polytune/scop"
)

// neutral are the numbers that change nothing, by operators: minima and maxima of an element with
// itself are the element.
var neutral = map[scop.Operator]string{scop.Sum: "0", scop.Product: "1"}

// declareSums declares what puts sums together.
func (p ranksPrinter) declareSums(count int) (lines []line) {
	if count == 0 {
		return nil
	}
	lines = []line{{0, fmt.Sprintf("extern char *%s_room(void *, long);", p.runtime)}}
	for k := range count {
		lines = append(lines, line{0, fmt.Sprintf("extern void %s_sum%d(void *, long);", p.runtime, k)})
	}
	return lines
}

// sum prints what is in front of code in which each rank adds up by itself, or behind it.
func (p ranksPrinter) sum(s *loopir.RankSum) []line {
	lines := p.times(s.Times, s.At)
	if number := neutral[s.Clause.Operator]; !s.Behind && number == "" {
		return nil
	} else if !s.Behind {
		lines = append(lines, enclose("if ("+rankName+" > 0)", chunk{lines: told{p, clearPiece, number}.over(s.Loops)})...)
		return append([]line{{0, "/* ranks add up by themselves: " + s.Clause.String() + " */"}}, braces(lines)...)
	}
	room := fmt.Sprintf("%s = %s_room(%s, %s);", placeName, p.runtime, runtimeName, bytesName)
	over := func(what string) []line { return told{p, what, ""}.over(s.Loops) }
	lines = slices.Concat(lines,
		[]line{{0, "long " + bytesName + " = 0;"}}, over(countBytes),
		[]line{{0, "char *" + room}}, over(packPieces),
		[]line{{0, fmt.Sprintf("%s_sum%d(%s, %s);", p.runtime, s.Number, runtimeName, bytesName)}, {0, room}}, over(unpackPieces))
	return append([]line{{0, "/* what all ranks have added up: " + s.Clause.String() + " */"}}, braces(lines)...)
}

// times declares the values of the loops around.
func (p ranksPrinter) times(names []string, at []*loopir.Expr) (lines []line) {
	for k, name := range names {
		lines = append(lines, line{0, fmt.Sprintf("const long %s = %s;", name, p.expression(at[k]).code)}, line{0, "(void) " + name + ";"})
	}
	return lines
}

// settle gives elements that lie behind each other a number.
func settle(element, count, number string) []line {
	if count == "1" {
		return []line{{0, element + " = " + number + ";"}}
	}
	return []line{{0, fmt.Sprintf("for (long tune_k = 0; tune_k < %s; tune_k++)", count)}, {1, fmt.Sprintf("(&%s)[tune_k] = %s;", element, number)}}
}
