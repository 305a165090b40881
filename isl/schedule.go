package isl

// #include "bridge.h"
import "C"

import "unsafe"

// Schedule is a schedule tree.
type Schedule struct {
	ctx *Context
	ptr *C.isl_schedule
}

// ScheduleNode is a place in a schedule tree.
type ScheduleNode struct {
	ctx *Context
	ptr *C.isl_schedule_node
}

// NodeType is the type of a schedule node.
type NodeType int

// The node types that polytune's schedules have.
const (
	NodeBand     NodeType = C.isl_schedule_node_band
	NodeDomain   NodeType = C.isl_schedule_node_domain
	NodeFilter   NodeType = C.isl_schedule_node_filter
	NodeGuard    NodeType = C.isl_schedule_node_guard
	NodeLeaf     NodeType = C.isl_schedule_node_leaf
	NodeMark     NodeType = C.isl_schedule_node_mark
	NodeSequence NodeType = C.isl_schedule_node_sequence
	NodeSet      NodeType = C.isl_schedule_node_set
)

func (c *Context) schedule(p *C.isl_schedule) *Schedule {
	c.own(C.OBJECT_SCHEDULE, unsafe.Pointer(p))
	return &Schedule{c, p}
}

func (c *Context) scheduleNode(p *C.isl_schedule_node) *ScheduleNode {
	c.own(C.OBJECT_SCHEDULE_NODE, unsafe.Pointer(p))
	return &ScheduleNode{c, p}
}

// ReadSchedule parses a schedule tree in isl's YAML notation.
func (c *Context) ReadSchedule(text string) *Schedule {
	return c.schedule(read(text, func(s *C.char) *C.isl_schedule { return C.isl_schedule_read_from_str(c.ptr, s) }))
}

// String is the schedule tree in isl's YAML notation, one node a line.
func (s *Schedule) String() string {
	if s.ptr == nil {
		return ""
	}
	p := C.isl_printer_to_str(s.ctx.ptr)
	p = C.isl_printer_set_yaml_style(p, C.ISL_YAML_STYLE_BLOCK)
	p = C.isl_printer_print_schedule(p, s.ptr)
	defer C.isl_printer_free(p)
	return s.ctx.text(C.isl_printer_get_str(p))
}

// Context is the context the schedule belongs to.
func (s *Schedule) Context() *Context { return s.ctx }

// Domain is the union of all instances the schedule orders.
func (s *Schedule) Domain() *UnionSet { return s.ctx.unionSet(C.isl_schedule_get_domain(s.ptr)) }

// Map is the schedule as a relation from instances to time vectors, all
// padded with zeros to the same length.
func (s *Schedule) Map() *UnionMap { return s.ctx.unionMap(C.isl_schedule_get_map(s.ptr)) }

// Root is the tree's root.
func (s *Schedule) Root() *ScheduleNode {
	return s.ctx.scheduleNode(C.isl_schedule_get_root(s.ptr))
}

// PlainIsEqual says whether two schedule trees are obviously the same.
func (s *Schedule) PlainIsEqual(t *Schedule) (bool, error) {
	return s.ctx.answer(C.isl_schedule_plain_is_equal(s.ptr, t.ptr))
}

// IsEqual says whether the nodes are at the same place of trees that are obviously the same.
func (n *ScheduleNode) IsEqual(o *ScheduleNode) (bool, error) {
	return n.ctx.answer(C.isl_schedule_node_is_equal(n.ptr, o.ptr))
}

// Type is the node's type.
func (n *ScheduleNode) Type() NodeType { return NodeType(C.isl_schedule_node_get_type(n.ptr)) }

// Children are the node's children.
func (n *ScheduleNode) Children() []*ScheduleNode {
	children := make([]*ScheduleNode, n.ctx.size(C.isl_schedule_node_n_children(n.ptr)))
	for i := range children {
		children[i] = n.ctx.scheduleNode(C.isl_schedule_node_get_child(n.ptr, C.int(i)))
	}
	return children
}

// Domain is the union of the instances that reach the node.
func (n *ScheduleNode) Domain() *UnionSet {
	return n.ctx.unionSet(C.isl_schedule_node_get_domain(n.ptr))
}

// PrefixScheduleUnionMap relates the instances that reach the node to their
// times in the bands above it.
func (n *ScheduleNode) PrefixScheduleUnionMap() *UnionMap {
	return n.ctx.unionMap(C.isl_schedule_node_get_prefix_schedule_union_map(n.ptr))
}

// SubtreeScheduleUnionMap relates instances to their times below the node.
func (n *ScheduleNode) SubtreeScheduleUnionMap() *UnionMap {
	return n.ctx.unionMap(C.isl_schedule_node_get_subtree_schedule_union_map(n.ptr))
}

// ScheduleDepth is the number of members of the bands above the node.
func (n *ScheduleNode) ScheduleDepth() int {
	return n.ctx.size(C.isl_schedule_node_get_schedule_depth(n.ptr))
}

// BandPartialSchedule is the relation of a band node from instances to the
// values of its members.
func (n *ScheduleNode) BandPartialSchedule() *UnionMap {
	return n.ctx.unionMap(C.isl_schedule_node_band_get_partial_schedule_union_map(n.ptr))
}

// BandMembers is the number of members of a band node.
func (n *ScheduleNode) BandMembers() int {
	return n.ctx.size(C.isl_schedule_node_band_n_member(n.ptr))
}

// BandMemberCoincident says whether a member of a band is marked as carrying
// no dependence.
func (n *ScheduleNode) BandMemberCoincident(member int) (bool, error) {
	return n.ctx.answer(C.isl_schedule_node_band_member_get_coincident(n.ptr, C.int(member)))
}

// IsGuardOfAll says whether a guard node holds for all values of the loops around, as its text says.
func (n *ScheduleNode) IsGuardOfAll() (bool, error) {
	guard := n.ctx.set(C.isl_schedule_node_guard_get_guard(n.ptr))
	return n.ctx.answer(C.isl_set_plain_is_universe(guard.ptr))
}

// MarkName is the name of a mark node.
func (n *ScheduleNode) MarkName() string {
	id := C.isl_schedule_node_mark_get_id(n.ptr)
	if id == nil {
		n.ctx.note()
		return ""
	}
	defer C.isl_id_free(id)
	return C.GoString(C.isl_id_get_name(id))
}
