package hyperplane

import (
	"fmt"
	"strings"

	"polytune/isl/ilp"
	"polytune/scop"
)

// Purpose is what the answer of an integer program is for.
type Purpose string

const (
	// ForHyperplane asks for rows of a loop.
	ForHyperplane Purpose = "hyperplanes"
	// ForJoining asks whether statements inside a sequential loop have a loop
	// in common that they had better share.
	ForJoining Purpose = "joining"
	// ForStart asks for hyperplanes of tiles that start together.
	ForStart Purpose = "concurrent start"
)

// Program is one integer program and its outcome.
type Program struct {
	Purpose Purpose
	// Statements are those whose rows it is about.
	Statements []int
	// Unknowns and Constraints are its size, bounds of unknowns included.
	Unknowns, Constraints int
	// Stage says how it treats the distances of dependences: none, short,
	// bounded, or any; for tiles that start together, positive or legal.
	Stage string
	// Seconds is the time it took to write and to solve it.
	Seconds float64
	// Lazy says that it asked for a new row of one statement at least, not of
	// all; Exceeded that it was given up after too many operations.
	Lazy, Exceeded bool
	// Solver is the name of the solver that solved it, or gave it up.
	Solver string

	program *program
	values  []int64
}

// Problem is the program as it was given to the solver.
func (p *Program) Problem() *ilp.Problem { return p.program.problem() }

// Found says whether the program has a solution that was found.
func (p *Program) Found() bool { return p.values != nil }

// Text prints the program over the names of its unknowns: c1_S0 is the
// coefficient of the time of the outermost loop of S0, d_N_S0 and c0_S0 its
// shifts, csum_S0 and delta_S0 those of (18) and of (14), (15), (17), and u_N
// and w bound the distances; lambda0 is the multiple of the face of a diamond,
// with the shifts c0_S0. Each row stands behind the equation of the Pluto+
// paper that it comes from.
func (p *Program) Text(program *scop.Program) string {
	names := make([]string, len(p.Statements))
	for i, s := range p.Statements {
		names[i] = program.Statements[s].Name
	}
	mode := "eager, "
	switch {
	case p.Lazy:
		mode = "lazy, "
	case p.Purpose == ForStart:
		mode = ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s of {%s}, %s%s distances: %d unknowns, %d constraints\n%s", p.Purpose, strings.Join(names, " "), mode, p.Stage, p.Unknowns, p.Constraints, p.program.text())
	switch {
	case p.Exceeded:
		b.WriteString("  given up: too many operations\n")
	case !p.Found():
		b.WriteString("  no solution\n")
	default:
		var values []string
		for k, u := range p.program.unknowns {
			if p.values[k] != 0 {
				values = append(values, fmt.Sprintf("%s = %d", u.name, p.values[k]))
			}
		}
		fmt.Fprintf(&b, "  solution: %s; all others 0\n", strings.Join(values, ", "))
	}
	return b.String()
}
