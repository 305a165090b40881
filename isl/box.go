package isl

// #include "bridge.h"
import "C"

import "unsafe"

// FixedBox is a box around what a map relates to each element of its domain: its least corner, by
// that element, and its extents, which are the same for all
// (isl_map_get_range_simple_fixed_box_hull). ok is false where isl finds none.
func (m *Map) FixedBox() (corner *Map, extents []int64, ok bool, err error) {
	box := C.isl_map_get_range_simple_fixed_box_hull(m.ptr)
	if box == nil {
		return nil, nil, false, m.ctx.note()
	}
	defer C.isl_fixed_box_free(box)
	if ok, err = m.ctx.answer(C.isl_fixed_box_is_valid(box)); !ok || err != nil {
		return nil, nil, false, err
	}
	corner = m.ctx.mapOf(C.isl_map_from_multi_aff(C.isl_fixed_box_get_offset(box)))
	size := C.isl_fixed_box_get_size(box)
	defer C.isl_multi_val_free(size)
	extents = make([]int64, m.Dim(DimOut))
	for d := range extents {
		if C.take_integer(C.isl_multi_val_get_val(size, C.int(d)), (*C.int64_t)(unsafe.Pointer(&extents[d]))) != 0 {
			return nil, nil, false, m.ctx.Err()
		}
	}
	return corner, extents, true, m.ctx.Err()
}
