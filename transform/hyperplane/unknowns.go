package hyperplane

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
)

// Model is a family of hyperplanes to choose from.
type Model int

const (
	// Pluto takes rows with non-negative coefficients and constant shifts, as
	// section 2.5 of the Pluto+ paper (TOPLAS'16).
	Pluto Model = iota
	// PlutoPlus takes rows with coefficients of both signs and with parametric
	// shifts, as section 3.
	PlutoPlus
)

// models are the models' names.
var models = []string{"pluto", "pluto+"}

// Models are the models' names.
func Models() []string { return slices.Clone(models) }

func (m Model) String() string { return models[m] }

// ParseModel reads the name of a model.
func ParseModel(name string) (Model, error) {
	for m, known := range models {
		if name == known {
			return Model(m), nil
		}
	}
	return 0, fmt.Errorf("there is no model %q; there are pluto+ and pluto", name)
}

// hyperplanes is the integer program that finds one tiling hyperplane for a
// set of statements: one affine row per statement along which no dependence
// goes backwards. It is the Pluto or the Pluto+ algorithm as sections 2.5 and 3
// of the Pluto+ paper (TOPLAS'16) state them, with the times of the loops
// (scop.StatementModel.Times) in the place of the iterators: so the original
// order of a loop that counts down is among the rows with coefficients 0 and 1,
// and loops in opposite directions begin together.
//
// With signed coefficients a row is Σ c_k · time_k + d · p + c_0, where c_k < 0 runs loop k of the
// source in the opposite direction. Times start at the loop's beginning and their negation at its
// end, so that the rows of two loops in opposite directions meet only when one of them is shifted
// by the length: this is what the parametric shifts d are for, or c_0 where the length is a small
// constant. Large ones are parameters here. Only differences of shifts count, so d >= 0 and c_0 >=
// 0 lose nothing (section 3.3).
type hyperplanes struct {
	model      Model
	scop       *scop.Model
	statements []int
	program    *program
	bound      box
	// symbols are the numbers that are further parameters, behind those of the program.
	symbols depend.Symbols
	// of has the unknowns of each statement; u and w are those of the
	// bounding constraint (11).
	of map[int]*statementUnknowns
	u  []int
	w  int
	// scratch is a row of zeros between two constraints.
	scratch []int64
}

// statementUnknowns are the numbers of a statement's unknowns.
type statementUnknowns struct {
	// c[k] is the coefficient of the time of loop k, d[p] that of parameter p, of the program or a
	// symbol (none without parametric shifts), c0 the constant shift.
	c, d []int
	c0   int
	// sum is c_sum of (18); delta is the binary variable of (14), (15) while the
	// statement has no row, and δ^l of (17) then. Without signed coefficients
	// there are none.
	sum, delta int
	// first is the first of these numbers, end the one after the last.
	first, end int
}

// newHyperplanes makes the unknowns in the order of the objective.
func newHyperplanes(m *scop.Model, symbols depend.Symbols, statements []int, stage stage) *hyperplanes {
	h := &hyperplanes{model: stage.model, scop: m, symbols: symbols, statements: statements, program: &program{}, bound: stage.box, of: map[int]*statementUnknowns{}}
	u, w := stage.treatment.limits()
	for _, parameter := range h.parameters() {
		h.u = append(h.u, h.nonNegative(u, "u_%s", parameter))
	}
	h.w = h.nonNegative(w, "w")
	for _, s := range statements {
		of := &statementUnknowns{c: make([]int, m.Statements[s].Depth()), first: len(h.program.unknowns)}
		h.of[s] = of
		if stage.model == Pluto {
			h.addUnknowns(s)
		} else {
			h.addSignedUnknowns(s)
		}
		of.end = len(h.program.unknowns)
	}
	h.scratch = h.program.newRow()
	return h
}

// parameters are the names of the program's parameters and those of the symbols.
func (h *hyperplanes) parameters() []string {
	names := slices.Clone(h.scop.Program.Parameters)
	for _, base := range h.symbols.Bases {
		names = append(names, strconv.FormatInt(base, 10))
	}
	return names
}

// nonNegative makes an unknown that is at least zero.
func (h *hyperplanes) nonNegative(upper int64, format string, args ...any) int {
	return h.program.add(unknown{name: fmt.Sprintf(format, args...), upper: upper})
}

// addUnknowns makes the unknowns of a statement in the order of the objective
// (12): lexmin(u, w, …, c_i, c_0, …), with those of inner loops first, so
// that of equally good rows the one along an outer loop of the source wins.
func (h *hyperplanes) addUnknowns(s int) {
	of, name := h.of[s], h.scop.Statements[s].Name
	for k := len(of.c) - 1; k >= 0; k-- {
		of.c[k] = h.nonNegative(h.bound.coefficient, "c%d_%s", k+1, name)
	}
	of.c0 = h.nonNegative(h.bound.shift, "c0_%s", name)
}

// addSignedUnknowns makes the unknowns of a statement in the order of the
// objective (19): lexmin(u, w, …, c_sum, c_1, …, c_m, d_1, …, d_p, c_0, δ, …).
// Of rows with the same sum the one with the larger coefficients of outer
// loops wins: the smaller ones, which (19) says, would reverse every loop that
// no dependence holds.
func (h *hyperplanes) addSignedUnknowns(s int) {
	of, name := h.of[s], h.scop.Statements[s].Name
	b := h.bound.coefficient
	of.sum = h.nonNegative(unlimitedValue, "csum_%s", name)
	for k := range of.c {
		of.c[k] = h.program.add(unknown{name: fmt.Sprintf("c%d_%s", k+1, name), lower: -b, upper: b, descending: true})
	}
	for _, parameter := range h.parameters() {
		of.d = append(of.d, h.nonNegative(h.bound.parametric, "d_%s_%s", parameter, name))
	}
	of.c0 = h.nonNegative(h.bound.shift, "c0_%s", name)
	of.delta = h.nonNegative(1, "delta_%s", name)
}

// rows reads the rows of the statements from a solution. Beside reversed loops,
// those that run forwards begin at zero: (i, N - 1 - i) instead of
// (i + 1, N - i), which non-negative shifts made of it.
func (h *hyperplanes) rows(values []int64) map[int]schedule.Row {
	rows := map[int]schedule.Row{}
	surplus := h.surplus(values)
	for _, s := range h.statements {
		of := h.of[s]
		row := schedule.Row{
			Iterators:  make([]int64, len(of.c)),
			Parameters: make([]int64, len(h.scop.Program.Parameters)),
			Constant:   values[of.c0] - surplus,
		}
		for p, k := range of.d {
			if p < len(row.Parameters) {
				row.Parameters[p] = values[k]
			} else {
				row.Constant += h.symbols.Bases[p-len(row.Parameters)] * values[k]
			}
		}
		for k, c := range of.c {
			row = row.Plus(h.scop.Statements[s].Times[k], values[c])
		}
		rows[s] = row
	}
	return rows
}

// surplus is the smallest constant shift of the rows without negative
// coefficients, where there are others; else zero.
func (h *hyperplanes) surplus(values []int64) int64 {
	smallest, reversed := int64(math.MaxInt64), false
	for _, of := range h.of {
		if slices.ContainsFunc(of.c, func(unknown int) bool { return values[unknown] < 0 }) {
			reversed = true
		} else {
			smallest = min(smallest, values[of.c0])
		}
	}
	if !reversed || smallest == math.MaxInt64 {
		return 0
	}
	return smallest
}
