package isl

// #include "bridge.h"
import "C"

// Lexmin keeps the lexicographically least image of each element.
func (m *Map) Lexmin() *Map { return m.ctx.mapOf(C.isl_map_lexmin(m.take())) }

// Lexmax keeps the lexicographically greatest image of each element.
func (m *Map) Lexmax() *Map { return m.ctx.mapOf(C.isl_map_lexmax(m.take())) }

// take is a copy of the node that a function of isl's may take.
func (n *ScheduleNode) take() *C.isl_schedule_node { return C.isl_schedule_node_copy(n.ptr) }

// Schedule is the tree that the node is in.
func (n *ScheduleNode) Schedule() *Schedule {
	return n.ctx.schedule(C.isl_schedule_node_get_schedule(n.ptr))
}

// Child is the child at a position.
func (n *ScheduleNode) Child(position int) *ScheduleNode {
	return n.ctx.scheduleNode(C.isl_schedule_node_child(n.take(), C.int(position)))
}

// InsertFilter puts a filter above the node, which is the result: of what reaches it only the
// instances of the filter run.
func (n *ScheduleNode) InsertFilter(filter *UnionSet) *ScheduleNode {
	return n.ctx.scheduleNode(C.isl_schedule_node_insert_filter(n.take(), filter.take()))
}

// InsertSequence puts a sequence above the node, which is the result: copies of the node run one
// after the other, each for the instances of its filter.
func (n *ScheduleNode) InsertSequence(filters []*UnionSet) *ScheduleNode {
	list := C.isl_union_set_list_alloc(n.ctx.ptr, C.int(len(filters)))
	for _, filter := range filters {
		list = C.isl_union_set_list_add(list, filter.take())
	}
	return n.ctx.scheduleNode(C.isl_schedule_node_insert_sequence(n.take(), list))
}

// GraftBefore has further instances run right before the node, which is the result: those that the
// relation gives for the values of the bands around the node. They are no part of the domain.
func (n *ScheduleNode) GraftBefore(extension *UnionMap) *ScheduleNode {
	graft := C.isl_schedule_node_from_extension(extension.take())
	return n.ctx.scheduleNode(C.isl_schedule_node_graft_before(n.take(), graft))
}

// GraftAfter has further instances run right behind the node, see GraftBefore.
func (n *ScheduleNode) GraftAfter(extension *UnionMap) *ScheduleNode {
	graft := C.isl_schedule_node_from_extension(extension.take())
	return n.ctx.scheduleNode(C.isl_schedule_node_graft_after(n.take(), graft))
}

// AlignParams is the schedule with the parameters of a set, too.
func (s *Schedule) AlignParams(parameters *Set) *Schedule {
	return s.ctx.schedule(C.isl_schedule_align_params(C.isl_schedule_copy(s.ptr), C.isl_set_get_space(parameters.ptr)))
}

// Ancestor is the node so many generations above.
func (n *ScheduleNode) Ancestor(generations int) *ScheduleNode {
	return n.ctx.scheduleNode(C.isl_schedule_node_ancestor(n.take(), C.int(generations)))
}

// TreeDepth is how many nodes are above the node.
func (n *ScheduleNode) TreeDepth() int { return int(C.isl_schedule_node_get_tree_depth(n.ptr)) }

// IntersectRange keeps the pairs whose images are in a set.
func (m *Map) IntersectRange(images *Set) *Map {
	return m.ctx.mapOf(C.isl_map_intersect_range(m.take(), images.take()))
}
