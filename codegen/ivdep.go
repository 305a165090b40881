package codegen

import (
	"slices"
	"strings"

	"polytune/internal/ctext"
	"polytune/loopir"
)

// ivdepMacro is a name for what GCC is told of a loop that carries no dependence. Clang, which has no such pragma, is told to use lanes, with
// a clause.
func (p *printer) ivdepMacro(clause string) string {
	simd := strings.TrimSpace(OpenMP[ofLanes] + " " + clause)
	return p.macro(simd, ivdepName, func(name string) []string {
		return []string{
			"#if defined(__clang__)",
			"#define " + name + ` _Pragma("` + simd + `")`,
			"#else",
			"#define " + name + ` _Pragma("GCC ivdep")`,
			"#endif",
		}
	})
}

// ivdepName begins the macro's name, which has more where the program has that one.
const ivdepName = "tune_ivdep"

// isIvdep says whether a loop's pragma is that macro.
func isIvdep(pragma string) bool { return strings.HasPrefix(pragma, ivdepName) }

// pragmaLine is the line of a pragma, or of the macro that stands for one.
func pragmaLine(pragma string) line {
	if isIvdep(pragma) {
		return line{0, pragma}
	}
	return line{0, "#pragma " + pragma}
}

// boundInFront gives the last value of a loop's variable a name in front of the loop where it is the smaller of several: gcc takes such a condition apart, and
// what it is told of the loop is lost then.
func (n *nodes) boundInFront(header *loopHeader) *loopir.Let {
	arguments := header.condition.Args
	code := n.expression(arguments[1]).code
	if !slices.ContainsFunc(ctext.Words(code), func(word string) bool { return slices.Contains(n.helpers[:], word) }) && !strings.Contains(code, "?") {
		return nil
	}
	last := n.fresh("tune_last")
	header.condition = loopir.Operation(header.condition.Op, arguments[0], loopir.Named(last))
	return &loopir.Let{Var: last, Value: arguments[1]}
}
