package isl

// #include "bridge.h"
import "C"

import "unsafe"

// BasicSet is a conjunction of affine constraints: the integer points of one
// polyhedron, possibly with existentially quantified dimensions.
type BasicSet struct {
	ctx *Context
	ptr *C.isl_basic_set
}

// Set is a union of basic sets in one space.
type Set struct {
	ctx *Context
	ptr *C.isl_set
}

func (c *Context) basicSet(p *C.isl_basic_set) *BasicSet {
	c.own(C.OBJECT_BASIC_SET, unsafe.Pointer(p))
	return &BasicSet{c, p}
}

func (c *Context) set(p *C.isl_set) *Set {
	c.own(C.OBJECT_SET, unsafe.Pointer(p))
	return &Set{c, p}
}

func (s *Set) take() *C.isl_set            { return C.isl_set_copy(s.ptr) }
func (s *BasicSet) take() *C.isl_basic_set { return C.isl_basic_set_copy(s.ptr) }

// ReadSet parses a set, such as "[N] -> { S[i] : 0 <= i < N }", as ReadMap does.
func (c *Context) ReadSet(text string) *Set {
	known := c.sets[text]
	if known == nil {
		known = read(text, func(s *C.char) *C.isl_set { return C.isl_set_read_from_str(c.ptr, s) })
		if known == nil || len(c.sets) >= mostRead {
			return c.set(known)
		}
		c.sets[text] = known
	}
	return c.set(C.isl_set_copy(known))
}

// String is the set in isl's notation.
func (s *Set) String() string { return s.ctx.text(C.isl_set_to_str(s.ptr)) }

// String is the basic set in isl's notation.
func (s *BasicSet) String() string { return s.ctx.text(C.isl_basic_set_to_str(s.ptr)) }

// Context is the context the set belongs to.
func (s *Set) Context() *Context { return s.ctx }

func (s *Set) Intersect(t *Set) *Set { return s.ctx.set(C.isl_set_intersect(s.take(), t.take())) }
func (s *Set) IntersectParams(p *Set) *Set {
	return s.ctx.set(C.isl_set_intersect_params(s.take(), p.take()))
}
func (s *Set) Union(t *Set) *Set    { return s.ctx.set(C.isl_set_union(s.take(), t.take())) }
func (s *Set) Subtract(t *Set) *Set { return s.ctx.set(C.isl_set_subtract(s.take(), t.take())) }

// InputAsParameters is the range of the map as a set that has the input's dimensions among its
// parameters, by their names.
func (m *Map) InputAsParameters() *Set {
	count := C.uint(m.Dim(DimIn))
	return m.ctx.set(C.isl_map_range(C.isl_map_move_dims(m.take(), C.isl_dim_param, C.uint(m.Dim(DimParam)), C.isl_dim_in, 0, count)))
}

// AsParameters is the set of values of parameters that has the set's dimensions among these, by
// their names.
func (s *Set) AsParameters() *Set {
	count := C.uint(s.Dim(DimSet))
	return s.ctx.set(C.isl_set_params(C.isl_set_move_dims(s.take(), C.isl_dim_param, C.uint(s.Dim(DimParam)), C.isl_dim_set, 0, count)))
}

func (s *Set) Apply(m *Map) *Set { return s.ctx.set(C.isl_set_apply(s.take(), m.take())) }
func (s *Set) Coalesce() *Set    { return s.ctx.set(C.isl_set_coalesce(s.take())) }
func (s *Set) Params() *Set      { return s.ctx.set(C.isl_set_params(s.take())) }
func (s *Set) Lexmin() *Set      { return s.ctx.set(C.isl_set_lexmin(s.take())) }
func (s *Set) Lexmax() *Set      { return s.ctx.set(C.isl_set_lexmax(s.take())) }

// Gist is a simple set that has the same points within the known ones.
func (s *Set) Gist(known *Set) *Set { return s.ctx.set(C.isl_set_gist(s.take(), known.take())) }

// RemoveDivs is the set, or a larger one, without conditions on remainders
// (isl_set_remove_divs).
func (s *Set) RemoveDivs() *Set { return s.ctx.set(C.isl_set_remove_divs(s.take())) }

func (s *Set) RemoveRedundancies() *Set {
	return s.ctx.set(C.isl_set_remove_redundancies(s.take()))
}
func (s *Set) Unwrap() *Map           { return s.ctx.mapOf(C.isl_set_unwrap(s.take())) }
func (s *Set) ToUnionSet() *UnionSet  { return s.ctx.unionSet(C.isl_union_set_from_set(s.take())) }
func (s *Set) IsEmpty() (bool, error) { return s.ctx.answer(C.isl_set_is_empty(s.ptr)) }
func (s *Set) IsSubset(t *Set) (bool, error) {
	return s.ctx.answer(C.isl_set_is_subset(s.ptr, t.ptr))
}
func (s *Set) IsEqual(t *Set) (bool, error) { return s.ctx.answer(C.isl_set_is_equal(s.ptr, t.ptr)) }
func (s *Set) Dim(t DimType) int {
	return s.ctx.size(C.isl_set_dim(s.ptr, C.enum_isl_dim_type(t)))
}

// ProjectOut removes count dimensions of type t from first on.
func (s *Set) ProjectOut(t DimType, first, count int) *Set {
	return s.ctx.set(C.isl_set_project_out(s.take(), C.enum_isl_dim_type(t), C.uint(first), C.uint(count)))
}

// Eliminate drops what the set says about count dimensions from first on. What
// it says about the others stays, and the set gets larger where that is so for
// rational values only (isl_set_eliminate, by Fourier-Motzkin elimination).
func (s *Set) Eliminate(first, count int) *Set {
	return s.ctx.set(C.isl_set_eliminate(s.take(), C.isl_dim_set, C.uint(first), C.uint(count)))
}

// SimpleHull is a convex set around s, with constraints of its parts that are
// relaxed as far as the others need it (isl_set_simple_hull).
func (s *Set) SimpleHull() *BasicSet { return s.ctx.basicSet(C.isl_set_simple_hull(s.take())) }

// FixSi gives dimension position of type t the value.
func (s *Set) FixSi(t DimType, position, value int) *Set {
	return s.ctx.set(C.isl_set_fix_si(s.take(), C.enum_isl_dim_type(t), C.uint(position), C.int(value)))
}

// TupleName is the name of the set's tuple, or "".
func (s *Set) TupleName() string {
	if s.ptr == nil || C.isl_set_has_tuple_name(s.ptr) != C.isl_bool_true {
		return ""
	}
	return C.GoString(C.isl_set_get_tuple_name(s.ptr))
}

// DimName is the name of a dimension, or "".
func (s *Set) DimName(t DimType, position int) string {
	if s.ptr == nil || C.isl_set_has_dim_name(s.ptr, C.enum_isl_dim_type(t), C.uint(position)) != C.isl_bool_true {
		return ""
	}
	return C.GoString(C.isl_set_get_dim_name(s.ptr, C.enum_isl_dim_type(t), C.uint(position)))
}

// BasicSets are the polyhedra whose union the set is.
func (s *Set) BasicSets() []*BasicSet {
	list := C.isl_set_get_basic_set_list(s.ptr)
	if list == nil {
		s.ctx.note()
		return nil
	}
	defer C.isl_basic_set_list_free(list)
	sets := make([]*BasicSet, s.ctx.size(C.isl_basic_set_list_n_basic_set(list)))
	for i := range sets {
		sets[i] = s.ctx.basicSet(C.isl_basic_set_list_get_basic_set(list, C.int(i)))
	}
	return sets
}

// Sample is one element of the set, with one value of the parameters; none of an empty set.
func (s *Set) Sample() *Set {
	return s.ctx.set(C.isl_set_from_basic_set(C.isl_set_sample(s.take())))
}

// MakeDisjoint is the same set as a union of polyhedra that have no point in
// common, with all quantified dimensions given by the others.
func (s *Set) MakeDisjoint() *Set {
	return s.ctx.set(C.isl_set_make_disjoint(C.isl_set_compute_divs(s.take())))
}

// ToSet is the basic set as a set.
func (s *BasicSet) ToSet() *Set { return s.ctx.set(C.isl_set_from_basic_set(s.take())) }

// Coefficients is the set of all affine forms that are non-negative on s, by
// Farkas' lemma: tuples [constant, parameters… -> variables…] of
// coefficients. Integrality of s is not exploited.
func (s *BasicSet) Coefficients() *BasicSet {
	return s.ctx.basicSet(C.isl_basic_set_coefficients(s.take()))
}

// Contraction relates the elements of s to themselves without their first
// count dimensions.
func (s *Set) Contraction(count int) *Map {
	n := s.Dim(DimSet)
	identity := s.ctx.mapOf(C.isl_map_from_domain_and_range(s.take(), s.take()))
	for k := range n {
		identity = identity.Equate(DimIn, k, DimOut, k)
	}
	return identity.ProjectOut(DimOut, 0, count)
}

// SetTupleName gives the set's tuple a name.
func (s *Set) SetTupleName(name string) *Set {
	return s.ctx.set(read(name, func(text *C.char) *C.isl_set { return C.isl_set_set_tuple_name(s.take(), text) }))
}

// Lift turns the existentially quantified dimensions of s into further set
// dimensions after its own.
func (s *BasicSet) Lift() *BasicSet { return s.ctx.basicSet(C.isl_basic_set_lift(s.take())) }

func (s *BasicSet) RemoveRedundancies() *BasicSet {
	return s.ctx.basicSet(C.isl_basic_set_remove_redundancies(s.take()))
}

// Dim is the number of dimensions of type t.
func (s *BasicSet) Dim(t DimType) int {
	return s.ctx.size(C.isl_basic_set_dim(s.ptr, C.enum_isl_dim_type(t)))
}

// Point returns the coordinates of a set that has exactly one point, or any
// point of another; ok is false when there is none.
func (s *Set) Point() (coordinates []int64, ok bool) {
	if s.ptr == nil {
		return nil, false
	}
	n := s.Dim(DimSet)
	values := make([]int64, n+1)
	failed := C.take_point(s.take(), C.int(n), (*C.int64_t)(unsafe.Pointer(&values[0])))
	return values[:n], failed == 0
}

// OnlyPoint is the point of a set without parameters that has one; ok is false for others.
func (s *Set) OnlyPoint() (coordinates []int64, ok bool) {
	coordinates, ok = s.Point()
	for d := 0; ok && d < len(coordinates); d++ {
		alone, err := s.Subtract(s.FixSi(DimSet, d, int(coordinates[d]))).IsEmpty()
		ok = alone && err == nil
	}
	return coordinates, ok
}

// Points are all points of a bounded set without parameters, in no order; it
// is an error when there are more than limit.
func (s *Set) Points(limit int) ([][]int64, error) {
	if s.ptr == nil {
		return nil, s.ctx.note()
	}
	var values *C.int64_t
	count, n := int(C.take_points(s.take(), C.long(limit), &values)), s.Dim(DimSet)
	defer C.free(unsafe.Pointer(values))
	if count < 0 {
		return nil, s.ctx.note()
	}
	points := make([][]int64, count)
	for i := range points {
		points[i] = make([]int64, n)
		for k := range points[i] {
			points[i][k] = int64(*(*C.int64_t)(unsafe.Add(unsafe.Pointer(values), 8*(i*n+k))))
		}
	}
	return points, nil
}
