package isl

// #include "bridge.h"
import "C"

import "unsafe"

// UnionSet is a union of sets in different spaces.
type UnionSet struct {
	ctx *Context
	ptr *C.isl_union_set
}

// UnionMap is a union of maps between different spaces.
type UnionMap struct {
	ctx *Context
	ptr *C.isl_union_map
}

func (c *Context) unionSet(p *C.isl_union_set) *UnionSet {
	c.own(C.OBJECT_UNION_SET, unsafe.Pointer(p))
	return &UnionSet{c, p}
}

func (c *Context) unionMap(p *C.isl_union_map) *UnionMap {
	c.own(C.OBJECT_UNION_MAP, unsafe.Pointer(p))
	return &UnionMap{c, p}
}

func (s *UnionSet) take() *C.isl_union_set { return C.isl_union_set_copy(s.ptr) }
func (m *UnionMap) take() *C.isl_union_map { return C.isl_union_map_copy(m.ptr) }

// Kept is the map as an object that lives as long as its context, whatever is released.
func (m *UnionMap) Kept() *UnionMap {
	p := m.take()
	if p == nil {
		return m
	}
	m.ctx.kept = append(m.ctx.kept, C.struct_object{kind: C.OBJECT_UNION_MAP, pointer: unsafe.Pointer(p)})
	return &UnionMap{m.ctx, p}
}

// ReadUnionSet parses a union set, such as "{ S0[i] : i >= 0; S1[] }".
func (c *Context) ReadUnionSet(text string) *UnionSet {
	return c.unionSet(read(text, func(s *C.char) *C.isl_union_set { return C.isl_union_set_read_from_str(c.ptr, s) }))
}

// String is the union set in isl's notation.
func (s *UnionSet) String() string { return s.ctx.text(C.isl_union_set_to_str(s.ptr)) }

// String is the union map in isl's notation.
func (m *UnionMap) String() string { return m.ctx.text(C.isl_union_map_to_str(m.ptr)) }

func (s *UnionSet) Union(t *UnionSet) *UnionSet {
	return s.ctx.unionSet(C.isl_union_set_union(s.take(), t.take()))
}
func (s *UnionSet) Intersect(t *UnionSet) *UnionSet {
	return s.ctx.unionSet(C.isl_union_set_intersect(s.take(), t.take()))
}
func (s *UnionSet) Subtract(t *UnionSet) *UnionSet {
	return s.ctx.unionSet(C.isl_union_set_subtract(s.take(), t.take()))
}
func (s *UnionSet) IsSubset(t *UnionSet) (bool, error) {
	return s.ctx.answer(C.isl_union_set_is_subset(s.ptr, t.ptr))
}
func (s *UnionSet) IsEqual(t *UnionSet) (bool, error) {
	return s.ctx.answer(C.isl_union_set_is_equal(s.ptr, t.ptr))
}
func (s *UnionSet) IsEmpty() (bool, error) { return s.ctx.answer(C.isl_union_set_is_empty(s.ptr)) }
func (m *UnionMap) IsEmpty() (bool, error) { return m.ctx.answer(C.isl_union_map_is_empty(m.ptr)) }
func (m *UnionMap) IsEqual(o *UnionMap) (bool, error) {
	return m.ctx.answer(C.isl_union_map_is_equal(m.ptr, o.ptr))
}
func (m *UnionMap) Union(o *UnionMap) *UnionMap {
	return m.ctx.unionMap(C.isl_union_map_union(m.take(), o.take()))
}
func (m *UnionMap) IntersectDomain(s *UnionSet) *UnionMap {
	return m.ctx.unionMap(C.isl_union_map_intersect_domain(m.take(), s.take()))
}
func (m *UnionMap) IntersectRange(s *UnionSet) *UnionMap {
	return m.ctx.unionMap(C.isl_union_map_intersect_range(m.take(), s.take()))
}

// ApplyRange relates what m relates to something with what o relates that to.
func (m *UnionMap) ApplyRange(o *UnionMap) *UnionMap {
	return m.ctx.unionMap(C.isl_union_map_apply_range(m.take(), o.take()))
}
func (m *UnionMap) Subtract(o *UnionMap) *UnionMap {
	return m.ctx.unionMap(C.isl_union_map_subtract(m.take(), o.take()))
}
func (m *UnionMap) Domain() *UnionSet { return m.ctx.unionSet(C.isl_union_map_domain(m.take())) }

// ReadUnionMap parses a union map, such as "{ S0[i] -> A[i]; S1[] -> x[] }".
func (c *Context) ReadUnionMap(text string) *UnionMap {
	return c.unionMap(read(text, func(s *C.char) *C.isl_union_map { return C.isl_union_map_read_from_str(c.ptr, s) }))
}

// ToUnionMap is the map as a union of one.
func (m *Map) ToUnionMap() *UnionMap { return m.ctx.unionMap(C.isl_union_map_from_map(m.take())) }

// Sets are the sets whose union s is, one for each space.
func (s *UnionSet) Sets() []*Set {
	list := C.isl_union_set_get_set_list(s.ptr)
	if list == nil {
		s.ctx.note()
		return nil
	}
	defer C.isl_set_list_free(list)
	sets := make([]*Set, s.ctx.size(C.isl_set_list_n_set(list)))
	for i := range sets {
		sets[i] = s.ctx.set(C.isl_set_list_get_set(list, C.int(i)))
	}
	return sets
}

// Maps are the maps whose union m is, one for each pair of spaces.
func (m *UnionMap) Maps() []*Map {
	list := C.isl_union_map_get_map_list(m.ptr)
	if list == nil {
		m.ctx.note()
		return nil
	}
	defer C.isl_map_list_free(list)
	maps := make([]*Map, m.ctx.size(C.isl_map_list_n_map(list)))
	for i := range maps {
		maps[i] = m.ctx.mapOf(C.isl_map_list_get_map(list, C.int(i)))
	}
	return maps
}
