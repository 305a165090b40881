package isl

// #include "bridge.h"
import "C"

import "unsafe"

// BasicMap is a relation given by one conjunction of affine constraints.
type BasicMap struct {
	ctx *Context
	ptr *C.isl_basic_map
}

// Map is a union of basic maps in one space: a relation between tuples.
type Map struct {
	ctx *Context
	ptr *C.isl_map
}

func (c *Context) basicMap(p *C.isl_basic_map) *BasicMap {
	c.own(C.OBJECT_BASIC_MAP, unsafe.Pointer(p))
	return &BasicMap{c, p}
}

func (c *Context) mapOf(p *C.isl_map) *Map {
	c.own(C.OBJECT_MAP, unsafe.Pointer(p))
	return &Map{c, p}
}

func (m *Map) take() *C.isl_map            { return C.isl_map_copy(m.ptr) }
func (m *BasicMap) take() *C.isl_basic_map { return C.isl_basic_map_copy(m.ptr) }

// ReadMap parses a map, such as "{ S[i] -> A[i + 1] }"; each text once, as long as there are not
// too many.
func (c *Context) ReadMap(text string) *Map {
	known := c.maps[text]
	if known == nil {
		known = read(text, func(s *C.char) *C.isl_map { return C.isl_map_read_from_str(c.ptr, s) })
		if known == nil || len(c.maps) >= mostRead {
			return c.mapOf(known)
		}
		c.maps[text] = known
	}
	return c.mapOf(C.isl_map_copy(known))
}

// String is the map in isl's notation.
func (m *Map) String() string { return m.ctx.text(C.isl_map_to_str(m.ptr)) }

// String is the basic map in isl's notation.
func (m *BasicMap) String() string { return m.ctx.text(C.isl_basic_map_to_str(m.ptr)) }

// Sample is one pair of the map, with one value of the parameters; none of an empty map.
func (m *Map) Sample() *Map {
	return m.ctx.mapOf(C.isl_map_from_basic_map(C.isl_map_sample(m.take())))
}

// Context is the context the map belongs to.
func (m *Map) Context() *Context { return m.ctx }

func (s *Set) MapTo(o *Set) *Map {
	return s.ctx.mapOf(C.isl_map_from_domain_and_range(s.take(), o.take()))
}
func (m *Map) Intersect(o *Map) *Map { return m.ctx.mapOf(C.isl_map_intersect(m.take(), o.take())) }
func (m *Map) IntersectDomain(s *Set) *Map {
	return m.ctx.mapOf(C.isl_map_intersect_domain(m.take(), s.take()))
}

// GistDomain is a simple map that relates what is in a known domain to the same.
func (m *Map) GistDomain(known *Set) *Map {
	return m.ctx.mapOf(C.isl_map_gist_domain(m.take(), known.take()))
}

func (m *Map) IntersectParams(s *Set) *Map {
	return m.ctx.mapOf(C.isl_map_intersect_params(m.take(), s.take()))
}
func (m *Map) Union(o *Map) *Map            { return m.ctx.mapOf(C.isl_map_union(m.take(), o.take())) }
func (m *Map) Subtract(o *Map) *Map         { return m.ctx.mapOf(C.isl_map_subtract(m.take(), o.take())) }
func (m *Map) Reverse() *Map                { return m.ctx.mapOf(C.isl_map_reverse(m.take())) }
func (m *Map) ApplyRange(o *Map) *Map       { return m.ctx.mapOf(C.isl_map_apply_range(m.take(), o.take())) }
func (m *Map) Domain() *Set                 { return m.ctx.set(C.isl_map_domain(m.take())) }
func (m *Map) Range() *Set                  { return m.ctx.set(C.isl_map_range(m.take())) }
func (m *Map) Wrap() *Set                   { return m.ctx.set(C.isl_map_wrap(m.take())) }
func (m *Map) Deltas() *Set                 { return m.ctx.set(C.isl_map_deltas(m.take())) }
func (m *Map) Coalesce() *Map               { return m.ctx.mapOf(C.isl_map_coalesce(m.take())) }
func (m *Map) DetectEqualities() *Map       { return m.ctx.mapOf(C.isl_map_detect_equalities(m.take())) }
func (m *Map) IsEmpty() (bool, error)       { return m.ctx.answer(C.isl_map_is_empty(m.ptr)) }
func (m *Map) IsEqual(o *Map) (bool, error) { return m.ctx.answer(C.isl_map_is_equal(m.ptr, o.ptr)) }

// PlainIsEqual says whether two maps are obviously the same; else they may be so, or not.
func (m *Map) PlainIsEqual(o *Map) bool {
	return C.isl_map_plain_is_equal(m.ptr, o.ptr) == C.isl_bool_true
}

func (m *Map) IsSubset(o *Map) (bool, error) {
	return m.ctx.answer(C.isl_map_is_subset(m.ptr, o.ptr))
}

// HasQuotients says whether the map is written with unknowns beside its dimensions, such as quotients.
func (m *Map) HasQuotients() bool {
	for _, part := range m.BasicMaps() {
		if C.isl_basic_map_dim(part.ptr, C.isl_dim_div) > 0 {
			return true
		}
	}
	return false
}

func (m *Map) IsInjective() (bool, error) { return m.ctx.answer(C.isl_map_is_injective(m.ptr)) }

// IsSingleValued says whether the map relates at most one element to each.
func (m *Map) IsSingleValued() (bool, error) { return m.ctx.answer(C.isl_map_is_single_valued(m.ptr)) }

// FlatRangeProduct relates what both maps do to the images of m followed by
// those of o, in a tuple without a name.
func (m *Map) FlatRangeProduct(o *Map) *Map {
	return m.ctx.mapOf(C.isl_map_flat_range_product(m.take(), o.take()))
}

// Dim is the number of dimensions of type t.
func (m *Map) Dim(t DimType) int {
	return m.ctx.size(C.isl_map_dim(m.ptr, C.enum_isl_dim_type(t)))
}

// DimName is the name of a dimension, or "".
func (m *Map) DimName(t DimType, position int) string {
	if m.ptr == nil || C.isl_map_has_dim_name(m.ptr, C.enum_isl_dim_type(t), C.uint(position)) != C.isl_bool_true {
		return ""
	}
	return C.GoString(C.isl_map_get_dim_name(m.ptr, C.enum_isl_dim_type(t), C.uint(position)))
}

// Equate keeps the pairs whose two dimensions are equal.
func (m *Map) Equate(t1 DimType, p1 int, t2 DimType, p2 int) *Map {
	return m.ctx.mapOf(C.isl_map_equate(m.take(), C.enum_isl_dim_type(t1), C.int(p1), C.enum_isl_dim_type(t2), C.int(p2)))
}

// OrderLt keeps the pairs whose first dimension is less than the second.
func (m *Map) OrderLt(t1 DimType, p1 int, t2 DimType, p2 int) *Map {
	return m.ctx.mapOf(C.isl_map_order_lt(m.take(), C.enum_isl_dim_type(t1), C.int(p1), C.enum_isl_dim_type(t2), C.int(p2)))
}

// OrderLe keeps the pairs whose first dimension is at most the second.
func (m *Map) OrderLe(t1 DimType, p1 int, t2 DimType, p2 int) *Map {
	return m.ctx.mapOf(C.isl_map_order_le(m.take(), C.enum_isl_dim_type(t1), C.int(p1), C.enum_isl_dim_type(t2), C.int(p2)))
}

// ProjectOut removes count dimensions of type t from first on.
func (m *Map) ProjectOut(t DimType, first, count int) *Map {
	return m.ctx.mapOf(C.isl_map_project_out(m.take(), C.enum_isl_dim_type(t), C.uint(first), C.uint(count)))
}

// BasicMaps are the conjunctions whose union the map is.
func (m *Map) BasicMaps() []*BasicMap {
	list := C.isl_map_get_basic_map_list(m.ptr)
	if list == nil {
		m.ctx.note()
		return nil
	}
	defer C.isl_basic_map_list_free(list)
	maps := make([]*BasicMap, m.ctx.size(C.isl_basic_map_list_n_basic_map(list)))
	for i := range maps {
		maps[i] = m.ctx.basicMap(C.isl_basic_map_list_get_basic_map(list, C.int(i)))
	}
	return maps
}

// TupleName is the name of the input (DimIn) or output (DimOut) tuple, or "".
func (m *Map) TupleName(t DimType) string {
	if m.ptr == nil || C.isl_map_has_tuple_name(m.ptr, C.enum_isl_dim_type(t)) != C.isl_bool_true {
		return ""
	}
	return C.GoString(C.isl_map_get_tuple_name(m.ptr, C.enum_isl_dim_type(t)))
}

// Wrap is the basic map as a set of pairs.
func (m *BasicMap) Wrap() *BasicSet { return m.ctx.basicSet(C.isl_basic_map_wrap(m.take())) }

// IsEmpty says whether the relation has no pair.
func (m *BasicMap) IsEmpty() (bool, error) { return m.ctx.answer(C.isl_basic_map_is_empty(m.ptr)) }

// SetTupleName gives the input (DimIn) or output (DimOut) tuple a name.
func (m *Map) SetTupleName(t DimType, name string) *Map {
	return m.ctx.mapOf(read(name, func(text *C.char) *C.isl_map {
		return C.isl_map_set_tuple_name(m.take(), C.enum_isl_dim_type(t), text)
	}))
}
