//go:build glpk

package ilp

/*
#cgo LDFLAGS: -l:libglpk.a -l:libamd.a -l:libcolamd.a -l:libsuitesparseconfig.a -l:libltdl.a -l:libgmp.a -lz -ldl -lm
#include <glpk.h>

// GLPK's presolver is not used: it does not end on x >= y + 1, y >= x.
static int polytune_relax(glp_prob *problem, int milliseconds) {
	glp_smcp control;
	glp_init_smcp(&control);
	control.msg_lev = GLP_MSG_OFF;
	control.tm_lim = milliseconds;
	glp_std_basis(problem);
	return glp_simplex(problem, &control);
}

static int polytune_branch(glp_prob *problem, int milliseconds) {
	glp_iocp control;
	glp_init_iocp(&control);
	control.msg_lev = GLP_MSG_OFF;
	control.tm_lim = milliseconds;
	return glp_intopt(problem, &control);
}
*/
import "C"

import (
	"math"
	"runtime"
	"slices"
	"time"

	"polytune/internal/integer"
	"polytune/isl"
)

// GLPK is branch and bound of the GNU Linear Programming Kit, which computes
// with floating-point numbers: the unknowns are minimized one after the other,
// with the values found fixed. Values are rounded, and a point that does not
// satisfy the constraints in exact arithmetic is refused; that there is no
// smaller one rests on GLPK's tolerances. So Lexmin, which asks solvers in turn,
// asks it last; it is there to compare with. It refuses problems with numbers
// beyond 2^31. GLPK is free software under the GPL, which polytune is not built
// with unless asked to by the tag glpk.
type GLPK struct{}

func init() { solvers = append(solvers, GLPK{}) }

// Name is "glpk".
func (GLPK) Name() string { return "glpk" }

// glpkOperationsPerMillisecond is about how many operations isl does in a
// millisecond.
const glpkOperationsPerMillisecond = 500

func (GLPK) search(_ *isl.Context, operations uint64, p *Problem) (Answer, error) {
	lower, upper := p.box()
	if !p.isSmall() {
		return Answer{}, errUnsuitable
	}
	for k := range lower {
		if lower[k] == -unbounded {
			return Answer{}, errUnsuitable
		}
		if lower[k] > upper[k] {
			return Answer{}, nil
		}
	}
	if slices.ContainsFunc(p.Equalities, isIndivisible) {
		return Answer{}, nil
	}
	deadline := time.Now().Add(math.MaxInt32 * time.Millisecond)
	if operations > 0 {
		deadline = time.Now().Add(time.Duration(operations/glpkOperationsPerMillisecond+1) * time.Millisecond)
	}
	// GLPK's memory belongs to the thread that asked for it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer C.glp_free_env()
	g := &glpkProblem{problem: p, handle: C.glp_create_prob(), deadline: deadline}
	defer C.glp_delete_prob(g.handle)
	g.addUnknowns(lower, upper)
	g.addRows(p.Equalities, C.GLP_FX)
	g.addRows(p.reduced().Inequalities, C.GLP_LO)
	return g.lexmin(lower)
}

// isSmall says whether all numbers of the problem are small enough for
// floating-point numbers.
func (p *Problem) isSmall() bool {
	for _, rows := range [][][]int64{p.Equalities, p.Inequalities} {
		for _, row := range rows {
			for _, v := range row {
				if v > math.MaxInt32 || v < -math.MaxInt32 {
					return false
				}
			}
		}
	}
	return true
}

// isIndivisible says whether no integers satisfy the equality because its
// constant is no multiple of what its coefficients have in common. Branch and
// bound does not end on some of these.
func isIndivisible(row []int64) bool {
	last, divisor := len(row)-1, int64(0)
	for _, v := range row[:last] {
		divisor = integer.GCD(divisor, v)
	}
	return divisor == 0 && row[last] != 0 || divisor > 0 && row[last]%divisor != 0
}

// glpkProblem is a problem in GLPK's memory.
type glpkProblem struct {
	problem  *Problem
	handle   *C.glp_prob
	deadline time.Time
}

func (g *glpkProblem) addUnknowns(lower, upper []int64) {
	if len(lower) == 0 {
		return
	}
	C.glp_add_cols(g.handle, C.int(len(lower)))
	for k := range lower {
		C.glp_set_col_kind(g.handle, C.int(k+1), C.GLP_IV)
		g.bound(k, lower[k], upper[k])
	}
}

// bound gives an unknown its bounds.
func (g *glpkProblem) bound(k int, lower, upper int64) {
	kind := C.GLP_DB
	switch {
	case upper == unbounded:
		kind = C.GLP_LO
	case lower == upper:
		kind = C.GLP_FX
	}
	C.glp_set_col_bnds(g.handle, C.int(k+1), C.int(kind), C.double(lower), C.double(upper))
}

// addRows adds constraints: their coefficients are at least, or exactly, minus
// the constant.
func (g *glpkProblem) addRows(rows [][]int64, kind C.int) {
	for _, row := range rows {
		indices, values := []C.int{0}, []C.double{0}
		last := len(row) - 1
		for k, v := range row[:last] {
			if v != 0 {
				indices, values = append(indices, C.int(k+1)), append(values, C.double(v))
			}
		}
		number := C.glp_add_rows(g.handle, 1)
		C.glp_set_row_bnds(g.handle, number, kind, C.double(-row[last]), 0)
		C.glp_set_mat_row(g.handle, number, C.int(len(indices)-1), &indices[0], &values[0])
	}
}

// lexmin minimizes the unknowns in turn, unless the last point has the unknown
// at its lower bound already.
func (g *glpkProblem) lexmin(lower []int64) (Answer, error) {
	var point []int64
	for k := -1; k < len(lower); k++ {
		if k >= 0 && point[k] > lower[k] {
			C.glp_set_obj_coef(g.handle, C.int(k+1), 1)
		}
		if k < 0 || point[k] > lower[k] {
			answer, err := g.minimize()
			if !answer.Found || err != nil {
				return answer, err
			}
			point = answer.Solution
		}
		if k >= 0 {
			C.glp_set_obj_coef(g.handle, C.int(k+1), 0)
			g.bound(k, point[k], point[k])
		}
	}
	return Answer{Solution: point, Found: true}, nil
}

// left is the time until the deadline in milliseconds.
func (g *glpkProblem) left() C.int {
	return C.int(max(0, min(time.Until(g.deadline).Milliseconds(), math.MaxInt32)))
}

// minimize finds a point that is smallest by the objective.
func (g *glpkProblem) minimize() (Answer, error) {
	code := C.polytune_relax(g.handle, g.left())
	status := C.glp_get_status(g.handle)
	if code == 0 && status == C.GLP_OPT {
		code = C.polytune_branch(g.handle, g.left())
		status = C.glp_mip_status(g.handle)
	}
	switch {
	case code == C.GLP_ETMLIM:
		return Answer{Exceeded: true}, nil
	case code == 0 && status == C.GLP_NOFEAS:
		return Answer{}, nil
	case code != 0 || status != C.GLP_OPT:
		return Answer{}, errUnsuitable
	}
	point := make([]int64, len(g.problem.Unknowns))
	for k := range point {
		point[k] = int64(math.Round(float64(C.glp_mip_col_val(g.handle, C.int(k+1)))))
	}
	if !g.problem.satisfiedBy(point) {
		return Answer{}, errUnsuitable
	}
	return Answer{Solution: point, Found: true}, nil
}
