package isl

// #include "bridge.h"
import "C"

import (
	"errors"
	"unsafe"
)

// ErrTooLarge says that a coefficient does not fit in 64 bits.
var ErrTooLarge = errors.New("isl: a coefficient does not fit in 64 bits")

// Constraints are the equalities and inequalities of s: rows of coefficients
// of the set dimensions, the parameters, the existentially quantified
// dimensions, and the constant, in this order. A row r stands for
// r · (x, p, e, 1) = 0 or >= 0.
func (s *BasicSet) Constraints() (equalities, inequalities [][]int64, err error) {
	if s.ptr == nil {
		return nil, nil, s.ctx.note()
	}
	eq := C.isl_basic_set_equalities_matrix(s.ptr, C.isl_dim_set, C.isl_dim_param, C.isl_dim_div, C.isl_dim_cst)
	in := C.isl_basic_set_inequalities_matrix(s.ptr, C.isl_dim_set, C.isl_dim_param, C.isl_dim_div, C.isl_dim_cst)
	if equalities, err = s.ctx.rows(eq); err != nil {
		C.isl_mat_free(in)
		return nil, nil, err
	}
	inequalities, err = s.ctx.rows(in)
	return equalities, inequalities, err
}

// rows takes an isl matrix apart.
func (c *Context) rows(m *C.isl_mat) ([][]int64, error) {
	if m == nil {
		return nil, c.note()
	}
	n, columns := c.size(C.isl_mat_rows(m)), c.size(C.isl_mat_cols(m))
	values := make([]int64, n*columns+1)
	if C.take_matrix(m, (*C.int64_t)(unsafe.Pointer(&values[0]))) != 0 {
		return nil, c.tooLarge()
	}
	rows := make([][]int64, n)
	for i := range rows {
		rows[i] = values[i*columns : (i+1)*columns : (i+1)*columns]
	}
	return rows, nil
}

// BasicSetFromConstraints is the set of points of Z^dimensions that satisfy
// the rows: coefficients of the dimensions, then the constant.
func (c *Context) BasicSetFromConstraints(dimensions int, equalities, inequalities [][]int64) *BasicSet {
	space := C.isl_space_set_alloc(c.ptr, 0, C.uint(dimensions))
	return c.basicSet(C.isl_basic_set_from_constraint_matrices(space,
		c.matrix(dimensions+1, equalities), c.matrix(dimensions+1, inequalities),
		C.isl_dim_set, C.isl_dim_param, C.isl_dim_div, C.isl_dim_cst))
}

func (c *Context) matrix(columns int, rows [][]int64) *C.isl_mat {
	values := make([]int64, 0, len(rows)*columns+1)
	for _, row := range rows {
		values = append(values, row[:columns]...)
	}
	return C.make_matrix(c.ptr, C.int(len(rows)), C.int(columns), (*C.int64_t)(unsafe.Pointer(unsafe.SliceData(values))))
}

// Lexmin is the lexicographically smallest integer point of s; ok is false
// when s is empty. s must be bounded below in every dimension.
func (s *BasicSet) Lexmin() (point []int64, ok bool, err error) {
	set := s.ctx.set(C.isl_basic_set_lexmin(s.take()))
	empty, err := set.IsEmpty()
	if err != nil || empty {
		return nil, false, err
	}
	point, ok = set.Point()
	if !ok {
		return nil, false, s.ctx.tooLarge()
	}
	return point, true, nil
}

// tooLarge records and returns ErrTooLarge, or the limit on operations when
// that is why a number could not be read.
func (c *Context) tooLarge() error {
	if c.exhausted() {
		return c.note()
	}
	c.Fail(ErrTooLarge)
	return ErrTooLarge
}
