package isl

// #include "bridge.h"
import "C"

import "unsafe"

// PwAff is a piecewise quasi-affine expression. Those that this package makes
// are over the parameters alone.
type PwAff struct {
	ctx *Context
	ptr *C.isl_pw_aff
}

func (c *Context) pwAff(p *C.isl_pw_aff) *PwAff {
	c.own(C.OBJECT_PW_AFF, unsafe.Pointer(p))
	return &PwAff{c, p}
}

// ReadPwAff parses an expression over the parameters in isl's notation:
// "[N] -> { [(N + 1)] : N >= 0 }".
func (c *Context) ReadPwAff(text string) *PwAff {
	return c.pwAff(read(text, func(s *C.char) *C.isl_pw_aff { return C.isl_pw_aff_read_from_str(c.ptr, s) }))
}

// HasUpperBound says whether the dimension is bounded from above for all values of the parameters,
// whatever the other dimensions are. isl_set_dim_has_upper_bound would take another dimension for a
// bound, as in { [i, j] : i < j }. Remainders go first: isl takes a number that is three times
// another one to be bounded.
func (s *Set) HasUpperBound(position int) (bool, error) {
	return s.ctx.answer(C.isl_set_dim_has_upper_bound(s.onto(position).ptr, C.isl_dim_set, 0))
}

// HasLowerBound says whether the dimension is bounded from below for all
// values of the parameters, whatever the other dimensions are.
func (s *Set) HasLowerBound(position int) (bool, error) {
	return s.ctx.answer(C.isl_set_dim_has_lower_bound(s.onto(position).ptr, C.isl_dim_set, 0))
}

// onto are the values of one dimension, and those between them where remainders leave some out.
func (s *Set) onto(position int) *Set {
	behind := position + 1
	return s.ProjectOut(DimSet, behind, s.Dim(DimSet)-behind).ProjectOut(DimSet, 0, position).RemoveDivs()
}

// DimMax is the greatest value of one dimension, over the parameters. Its
// domain are the parameter values for which the set has a point.
func (s *Set) DimMax(position int) *PwAff {
	return s.ctx.pwAff(C.isl_set_dim_max(s.take(), C.int(position)))
}

// DimMin is the least value of one dimension, over the parameters.
func (s *Set) DimMin(position int) *PwAff {
	return s.ctx.pwAff(C.isl_set_dim_min(s.take(), C.int(position)))
}

// AddConstant is the expression plus a number.
func (p *PwAff) AddConstant(value int64) *PwAff {
	number := C.isl_val_int_from_si(p.ctx.ptr, C.long(value))
	return p.ctx.pwAff(C.isl_pw_aff_add_constant_val(C.isl_pw_aff_copy(p.ptr), number))
}

// Extended is a simple expression with the same values in the expression's
// domain, and any or none outside of it: isl_pw_aff_gist for that domain.
func (p *PwAff) Extended() *PwAff {
	domain := C.isl_pw_aff_domain(C.isl_pw_aff_copy(p.ptr))
	return p.ctx.pwAff(C.isl_pw_aff_gist(C.isl_pw_aff_copy(p.ptr), domain))
}

// AtLeastZero is the greater of the expression and zero, and zero outside of
// the expression's domain.
func (p *PwAff) AtLeastZero() *PwAff {
	domain := C.isl_space_domain(C.isl_pw_aff_get_space(p.ptr))
	zero := C.isl_pw_aff_zero_on_domain(C.isl_local_space_from_space(domain))
	return p.ctx.pwAff(C.isl_pw_aff_union_max(C.isl_pw_aff_copy(p.ptr), zero))
}

// InvolvesParameter says whether the value depends on the numbered parameter.
func (p *PwAff) InvolvesParameter(position int) (bool, error) {
	return p.ctx.answer(C.isl_pw_aff_involves_dims(p.ptr, C.isl_dim_param, C.uint(position), 1))
}

// Dim is the number of dimensions of type t.
func (p *PwAff) Dim(t DimType) int {
	return p.ctx.size(C.isl_pw_aff_dim(p.ptr, C.enum_isl_dim_type(t)))
}

// DimName is the name of a dimension.
func (p *PwAff) DimName(t DimType, position int) string {
	return C.GoString(C.isl_pw_aff_get_dim_name(p.ptr, C.enum_isl_dim_type(t), C.uint(position)))
}

// String is the expression in isl's notation.
func (p *PwAff) String() string { return p.ctx.text(C.isl_pw_aff_to_str(p.ptr)) }

// ExprFromPwAff is the expression as a syntax tree. Its text is C with the
// macros min, max and floord.
func (b *AstBuild) ExprFromPwAff(p *PwAff) *AstExpr {
	return b.ctx.astExpr(C.isl_ast_build_expr_from_pw_aff(b.ptr, C.isl_pw_aff_copy(p.ptr)))
}

// ExprFromSet is the condition that the parameters are in a set without dimensions, as
// a syntax tree.
func (b *AstBuild) ExprFromSet(s *Set) *AstExpr {
	return b.ctx.astExpr(C.isl_ast_build_expr_from_set(b.ptr, s.take()))
}

// Greatest is an upper bound of the absolute values in a set of numbers over all
// values of the parameters; ok is false when there is none.
func (s *Set) Greatest() (value int64, ok bool, err error) {
	all := s.withoutParameters()
	if empty, err := all.IsEmpty(); err != nil || empty {
		return 0, empty, err
	}
	above, err := all.HasUpperBound(0)
	if err != nil || !above {
		return 0, false, err
	}
	below, err := all.HasLowerBound(0)
	if err != nil || !below {
		return 0, false, err
	}
	for _, end := range []*Set{all.Lexmin(), all.Lexmax()} {
		point, single := end.Point()
		if !single {
			return 0, false, s.ctx.Err()
		}
		value = max(value, point[0], -point[0])
	}
	return value, true, nil
}

// Least is the smallest number in a set of numbers over all values of the parameters; ok is false
// when there is none.
func (s *Set) Least() (value int64, ok bool, err error) {
	if empty, err := s.IsEmpty(); err != nil || empty {
		return 0, false, err
	}
	if below, err := s.withoutParameters().HasLowerBound(0); err != nil || !below {
		return 0, false, err
	}
	point, single := s.ProjectOut(DimParam, 0, s.Dim(DimParam)).Lexmin().Point()
	if !single {
		return 0, false, s.ctx.Err()
	}
	return point[0], true, nil
}

// withoutParameters are the elements for all values of the parameters, without regard to
// remainders.
func (s *Set) withoutParameters() *Set {
	return s.ProjectOut(DimParam, 0, s.Dim(DimParam)).RemoveDivs()
}
