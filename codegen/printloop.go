package codegen

import (
	"fmt"
	"strings"

	"polytune/loopir"
	"polytune/scop"
)

// told is the line above a loop that says who runs its iterations.
func (p *printer) told(l *loopir.For) []line {
	switch {
	case l.Threads != nil:
		return []line{{0, "#pragma omp " + p.sharing(l.Threads, l.Lanes)}}
	case l.Lanes == nil:
		return nil
	case l.Lanes.Independent:
		return []line{{0, p.independentMacro(l.Lanes.Serial)}}
	}
	return []line{{0, "#pragma omp " + p.simd(l.Lanes)}}
}

// sharing is what OpenMP is told of a loop that threads share, perhaps in lanes.
func (p *printer) sharing(t *loopir.Threads, lanes *loopir.Lanes) string {
	schedule := map[loopir.Schedule]string{loopir.Dynamic: " schedule(dynamic)", loopir.Static: " schedule(static)"}[t.Schedule]
	if t.NoWait {
		schedule += " nowait"
	}
	collapse := ""
	if t.Collapsed > 0 {
		collapse = fmt.Sprintf(" collapse(%d)", t.Collapsed)
	}
	if t.InTeam {
		return "for" + schedule + collapse + reductionClauses(t.Reductions)
	}
	told, several := "parallel for", ifClause(t.Several)
	if lanes != nil && !lanes.Independent {
		told += " " + p.simd(lanes)
		if lanes.Serial != scop.NotSerial {
			// Clauses for single constructs and for all of them do not go together.
			several = strings.Replace(several, "if(", "if(parallel: ", 1)
		}
	}
	return told + collapse + schedule + reductionClauses(t.Reductions) + several
}

// simd is what OpenMP is told of a loop in lanes.
func (p *printer) simd(l *loopir.Lanes) string {
	told := "simd"
	if l.Count > 0 {
		told += fmt.Sprintf(" simdlen(%d)", l.Count)
	}
	if serial := p.serialClause(l.Serial); serial != "" {
		told += " " + serial
	}
	return told + reductionClauses(l.Reductions)
}

func reductionClauses(list []loopir.Reduction) (clauses string) {
	for _, r := range list {
		if r.Atomic {
			continue
		}
		clauses += fmt.Sprintf(" reduction(%s:%s)", r.Operator, r.Variable)
	}
	return clauses
}

// ifClause is a condition for several threads as a clause of OpenMP.
func ifClause(condition string) string {
	if condition == "" {
		return ""
	}
	return " if(" + condition + ")"
}

// independentMacro is a name for what GCC is told of a loop that carries no dependence. Clang,
// which has no such pragma, is told to use lanes, with a clause.
func (p *printer) independentMacro(serial scop.Serial) string {
	simd := "omp " + p.simd(&loopir.Lanes{Serial: serial})
	return p.macro(simd, "tune_ivdep", func(name string) []string {
		return []string{
			"#if defined(__clang__)",
			"#define " + name + ` _Pragma("` + simd + `")`,
			"#else",
			"#define " + name + ` _Pragma("GCC ivdep")`,
			"#endif",
		}
	})
}

// serialClause is the name of a macro for the clause that a vector loop's pragma has for clang, or
// "".
func (p *printer) serialClause(serial scop.Serial) string {
	name, condition := "tune_serial", "defined(__clang__) && __clang_major__ >= 11"
	switch serial {
	case scop.NotSerial:
		return ""
	case scop.SerialByErrno:
		name, condition = "tune_serial_errno", condition+" && !defined(__NO_MATH_ERRNO__)"
	}
	return p.macro(name, name, func(name string) []string {
		return []string{"#if " + condition, "#define " + name + " if(simd: 0)", "#else", "#define " + name, "#endif"}
	})
}

// atomic is the line in front of an update that is one operation.
const atomic = "#pragma omp atomic\n"
