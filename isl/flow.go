package isl

// #include "bridge.h"
// #include <isl/flow.h>
import "C"

// Flow is where the values that references read come from.
type Flow struct {
	// From relates instances that may have written a value last to those that
	// read it. A source that only may write does not hide an earlier one.
	From *UnionMap
	// Through is From with the elements: it relates instances to pairs of those that read and what
	// they read.
	Through *UnionMap
	// Undefined are the reads, instances with their elements, that may find no
	// value that one of the sources has certainly written before.
	Undefined *UnionMap
}

// Kept is what UnionMap.Kept makes of each relation.
func (f Flow) Kept() Flow { return Flow{f.From.Kept(), f.Through.Kept(), f.Undefined.Kept()} }

// Flow computes value-based flow dependences: for each element that an
// instance reads, the last instances before it that wrote it. The relations lead from
// instances to elements; schedule, from instances to vectors of one length, is
// the order in which they run.
func (schedule *UnionMap) Flow(reads, writes, mayWrites *UnionMap) Flow {
	access := C.isl_union_access_info_from_sink(reads.take())
	access = C.isl_union_access_info_set_must_source(access, writes.take())
	access = C.isl_union_access_info_set_may_source(access, mayWrites.take())
	access = C.isl_union_access_info_set_schedule_map(access, schedule.take())
	flow := C.isl_union_access_info_compute_flow(access)
	defer C.isl_union_flow_free(flow)
	return Flow{
		From:      schedule.ctx.unionMap(C.isl_union_flow_get_may_dependence(flow)),
		Through:   schedule.ctx.unionMap(C.isl_union_flow_get_full_may_dependence(flow)),
		Undefined: schedule.ctx.unionMap(C.isl_union_flow_get_may_no_source(flow)),
	}
}
