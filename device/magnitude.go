package device

import (
	"fmt"
	"slices"
	"strings"

	"polytune/loopir"
	"polytune/scop"
)

// magnitudes write C, in double, that computes how large the whole numbers get that a kernel
// computes, of the sizes of those that it is given: the runtime chooses numbers of 32 or of 64 bits
// by that. Each sum is taken to be as large as the sizes of its terms together, so that what comes
// in between is not larger.
type magnitudes struct {
	// bounds are statements that compute sizes of loops' variables, which variables names, in the
	// order of the loops; numbers are those behind them for all that is computed.
	bounds, numbers, variables []string
	// given are the names of what has a size before.
	given func(name string) bool
}

// hugeText is the size of a number that nobody knows.
const hugeText = "1e300"

// sizePrefix begins the names of sizes.
const sizePrefix = "tune_size_"

// takes notes a number that a kernel computes. One that it reads it does not compute.
func (m *magnitudes) takes(e scop.Expr) {
	if ref, is := e.(*scop.Ref); is && len(ref.Subscripts) > 0 {
		return
	}
	if line := atLeast("tune_most", m.of(e)); !slices.Contains(m.numbers, line) {
		m.numbers = append(m.numbers, line)
	}
}

// loop notes the sizes of a loop's variable, which the last step may take past its end.
func (m *magnitudes) loop(variable string, from, while scop.Expr, step string) {
	m.declares(variable)
	m.names(variable, largest(m.of(from), m.of(while))+" + "+step)
}

// declares notes a variable, whose size the condition of its own loop may name.
func (m *magnitudes) declares(variable string) {
	if !slices.Contains(m.variables, variable) {
		m.variables = append(m.variables, variable)
	}
}

// names notes the size of a variable.
func (m *magnitudes) names(variable, size string) {
	m.declares(variable)
	m.bounds = append(m.bounds, atLeast(sizePrefix+variable, size))
	m.takes(name(variable))
}

// atLeast makes a variable as large as something.
func atLeast(name, size string) string {
	return fmt.Sprintf("%s = tune_larger(%s, %s);", name, name, size)
}

// has says whether the size of a name is known.
func (m *magnitudes) has(ref *scop.Ref) bool {
	return len(ref.Subscripts) == 0 && (slices.Contains(m.variables, ref.Name) || m.given(ref.Name))
}

// of is the size of an expression, in C.
func (m *magnitudes) of(e scop.Expr) string {
	switch e := e.(type) {
	case *scop.Number:
		return strings.TrimRight(e.Text, "uUlL") + ".0"
	case *scop.Ref:
		if !m.has(e) {
			return hugeText
		}
		return sizePrefix + e.Name
	case *scop.Unary:
		return m.of(e.X)
	case *scop.Binary:
		x, y := m.of(e.X), m.of(e.Y)
		switch e.Operator {
		case "+", "-":
			return "(" + x + " + " + y + ")"
		case "*":
			return x + " * " + y
		case "/":
			return m.quotient(x, e.Y)
		case "%":
			return y
		}
		return largest(x, y)
	case *scop.Select:
		return largest(m.of(e.If), largest(m.of(e.Then), m.of(e.Else)))
	case *scop.Call:
		return m.call(e)
	}
	return hugeText
}

// quotient is the size of one, whose divisor is a number.
func (m *magnitudes) quotient(x string, divisor scop.Expr) string {
	if n, is := divisor.(*scop.Number); is && n.Text != "0" {
		return "(" + x + " / " + n.Text + ".0 + 1.0)"
	}
	return x
}

// call is the size of what one of the helper macros makes of its arguments.
func (m *magnitudes) call(e *scop.Call) string {
	switch {
	case e.Function == "tune_floor":
		return m.quotient(m.of(e.Arguments[0]), e.Arguments[1])
	case strings.HasPrefix(e.Function, "tune_"):
		size := m.of(e.Arguments[0])
		for _, a := range e.Arguments[1:] {
			size = largest(size, m.of(a))
		}
		return size
	}
	return hugeText
}

// largest is the larger one of two sizes.
func largest(x, y string) string {
	if x == y {
		return x
	}
	return "tune_larger(" + x + ", " + y + ")"
}

// measured has a kernel's numbers measured as they are printed.
func (p *kernelText) measured(e scop.Expr) { p.sizes.takes(e) }

// measuresLoop measures the variable of a loop.
func (p *kernelText) measuresLoop(l *loopir.For, step string) {
	p.sizes.loop(l.Var, p.tree(l.From), p.tree(l.While), step)
}

// ThreadSizes are the names of the sizes of threads' numbers.
func (k kernelView) ThreadSizes() (names []string) {
	for _, dimension := range dimensions {
		names = append(names, sizePrefix+"tune_thread"+dimension)
	}
	return names
}

// OwnVariables are the loops' variables but for those that have sizes already.
func (m *magnitudes) OwnVariables(given []string) []string {
	return slices.DeleteFunc(slices.Clone(m.variables), func(v string) bool { return slices.Contains(given, v) })
}

// Lines are the statements that compute how large numbers get.
func (m *magnitudes) Lines() []string { return slices.Concat(m.bounds, m.numbers) }
