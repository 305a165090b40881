package isl

// #include "bridge.h"
import "C"

import "unsafe"

// AstBuild generates abstract syntax trees from schedules.
type AstBuild struct {
	ctx *Context
	ptr *C.isl_ast_build
}

// AstNode is a node of a generated syntax tree.
type AstNode struct {
	ctx *Context
	ptr *C.isl_ast_node
}

// AstExpr is an expression of a generated syntax tree.
type AstExpr struct {
	ctx *Context
	ptr *C.isl_ast_expr
}

// AstNodeType is the type of a syntax tree node.
type AstNodeType int

// The types of syntax tree nodes.
const (
	AstFor   AstNodeType = C.isl_ast_node_for
	AstIf    AstNodeType = C.isl_ast_node_if
	AstBlock AstNodeType = C.isl_ast_node_block
	AstMark  AstNodeType = C.isl_ast_node_mark
	AstUser  AstNodeType = C.isl_ast_node_user
)

// AstExprType is the type of an expression.
type AstExprType int

// The types of expressions: an operation with arguments, an identifier, or an
// integer.
const (
	AstOp  AstExprType = C.isl_ast_expr_op
	AstID  AstExprType = C.isl_ast_expr_id
	AstInt AstExprType = C.isl_ast_expr_int
)

// AstOpType is the operator of an operation.
type AstOpType int

// The operators of isl's expressions, with isl's names and meanings.
const (
	OpAnd     AstOpType = C.isl_ast_expr_op_and
	OpAndThen AstOpType = C.isl_ast_expr_op_and_then
	OpOr      AstOpType = C.isl_ast_expr_op_or
	OpOrElse  AstOpType = C.isl_ast_expr_op_or_else
	OpMax     AstOpType = C.isl_ast_expr_op_max
	OpMin     AstOpType = C.isl_ast_expr_op_min
	OpMinus   AstOpType = C.isl_ast_expr_op_minus
	OpAdd     AstOpType = C.isl_ast_expr_op_add
	OpSub     AstOpType = C.isl_ast_expr_op_sub
	OpMul     AstOpType = C.isl_ast_expr_op_mul
	OpDiv     AstOpType = C.isl_ast_expr_op_div
	OpFdivQ   AstOpType = C.isl_ast_expr_op_fdiv_q
	OpPdivQ   AstOpType = C.isl_ast_expr_op_pdiv_q
	OpPdivR   AstOpType = C.isl_ast_expr_op_pdiv_r
	OpZdivR   AstOpType = C.isl_ast_expr_op_zdiv_r
	OpCond    AstOpType = C.isl_ast_expr_op_cond
	OpSelect  AstOpType = C.isl_ast_expr_op_select
	OpEq      AstOpType = C.isl_ast_expr_op_eq
	OpLe      AstOpType = C.isl_ast_expr_op_le
	OpLt      AstOpType = C.isl_ast_expr_op_lt
	OpGe      AstOpType = C.isl_ast_expr_op_ge
	OpGt      AstOpType = C.isl_ast_expr_op_gt
	OpCall    AstOpType = C.isl_ast_expr_op_call
)

func (c *Context) astNode(p *C.isl_ast_node) *AstNode {
	c.own(C.OBJECT_AST_NODE, unsafe.Pointer(p))
	return &AstNode{c, p}
}

func (c *Context) astExpr(p *C.isl_ast_expr) *AstExpr {
	c.own(C.OBJECT_AST_EXPR, unsafe.Pointer(p))
	return &AstExpr{c, p}
}

// KeepIterationsTogether says whether the code that generators print next has all
// that is done in one iteration of a loop in one place. Otherwise what a few
// statements do in an iteration, in the first one for instance, may stand in front
// of a loop that has the rest of it, in the same order.
func (c *Context) KeepIterationsTogether(together bool) {
	value := C.int(0)
	if together {
		value = 1
	}
	C.isl_options_set_ast_build_group_coscheduled(c.ptr, value)
}

// NewAstBuild returns a generator that may rely on the constraints of context,
// a set over the parameters.
func NewAstBuild(context *Set) *AstBuild {
	c := context.ctx
	p := C.isl_ast_build_from_context(context.take())
	c.own(C.OBJECT_AST_BUILD, unsafe.Pointer(p))
	return &AstBuild{c, p}
}

// SetIterators gives the names of the generated loops' variables by depth,
// outermost first.
func (b *AstBuild) SetIterators(names []string) *AstBuild {
	list := C.isl_id_list_alloc(b.ctx.ptr, C.int(len(names)))
	for _, name := range names {
		id := read(name, func(s *C.char) *C.isl_id { return C.isl_id_alloc(b.ctx.ptr, s, nil) })
		list = C.isl_id_list_add(list, id)
	}
	p := C.isl_ast_build_set_iterators(C.isl_ast_build_copy(b.ptr), list)
	b.ctx.own(C.OBJECT_AST_BUILD, unsafe.Pointer(p))
	return &AstBuild{b.ctx, p}
}

// NodeFromSchedule generates the syntax tree that runs all instances of the
// schedule in its order.
func (b *AstBuild) NodeFromSchedule(s *Schedule) *AstNode {
	return b.ctx.astNode(C.isl_ast_build_node_from_schedule(b.ptr, C.isl_schedule_copy(s.ptr)))
}

// Type is the type of the node.
func (n *AstNode) Type() AstNodeType { return AstNodeType(C.isl_ast_node_get_type(n.ptr)) }

// String is the node as C-like text.
func (n *AstNode) String() string { return n.ctx.text(C.isl_ast_node_to_C_str(n.ptr)) }

func (n *AstNode) ForIterator() *AstExpr {
	return n.ctx.astExpr(C.isl_ast_node_for_get_iterator(n.ptr))
}
func (n *AstNode) ForInit() *AstExpr { return n.ctx.astExpr(C.isl_ast_node_for_get_init(n.ptr)) }
func (n *AstNode) ForCond() *AstExpr { return n.ctx.astExpr(C.isl_ast_node_for_get_cond(n.ptr)) }
func (n *AstNode) ForInc() *AstExpr  { return n.ctx.astExpr(C.isl_ast_node_for_get_inc(n.ptr)) }
func (n *AstNode) ForBody() *AstNode { return n.ctx.astNode(C.isl_ast_node_for_get_body(n.ptr)) }
func (n *AstNode) ForIsDegenerate() (bool, error) {
	return n.ctx.answer(C.isl_ast_node_for_is_degenerate(n.ptr))
}
func (n *AstNode) IfCond() *AstExpr { return n.ctx.astExpr(C.isl_ast_node_if_get_cond(n.ptr)) }
func (n *AstNode) IfThen() *AstNode { return n.ctx.astNode(C.isl_ast_node_if_get_then_node(n.ptr)) }

// IfElse is the else branch, or nil.
func (n *AstNode) IfElse() *AstNode {
	if has, err := n.ctx.answer(C.isl_ast_node_if_has_else_node(n.ptr)); err != nil || !has {
		return nil
	}
	return n.ctx.astNode(C.isl_ast_node_if_get_else_node(n.ptr))
}

// BlockChildren are the nodes of a block in order.
func (n *AstNode) BlockChildren() []*AstNode {
	list := C.isl_ast_node_block_get_children(n.ptr)
	if list == nil {
		n.ctx.note()
		return nil
	}
	defer C.isl_ast_node_list_free(list)
	nodes := make([]*AstNode, n.ctx.size(C.isl_ast_node_list_n_ast_node(list)))
	for i := range nodes {
		nodes[i] = n.ctx.astNode(C.isl_ast_node_list_get_ast_node(list, C.int(i)))
	}
	return nodes
}

func (n *AstNode) MarkNode() *AstNode { return n.ctx.astNode(C.isl_ast_node_mark_get_node(n.ptr)) }

// MarkName is the name of a mark node.
func (n *AstNode) MarkName() string {
	id := C.isl_ast_node_mark_get_id(n.ptr)
	if id == nil {
		n.ctx.note()
		return ""
	}
	defer C.isl_id_free(id)
	return C.GoString(C.isl_id_get_name(id))
}

// UserExpr is the call S(i, j, …) of a user node: the statement and the
// values of its original iterators.
func (n *AstNode) UserExpr() *AstExpr { return n.ctx.astExpr(C.isl_ast_node_user_get_expr(n.ptr)) }

// Type is the type of the expression.
func (e *AstExpr) Type() AstExprType { return AstExprType(C.isl_ast_expr_get_type(e.ptr)) }

// OpType is the operator of an operation.
func (e *AstExpr) OpType() AstOpType { return AstOpType(C.isl_ast_expr_op_get_type(e.ptr)) }

// Args are the arguments of an operation.
func (e *AstExpr) Args() []*AstExpr {
	args := make([]*AstExpr, e.ctx.size(C.isl_ast_expr_op_get_n_arg(e.ptr)))
	for i := range args {
		args[i] = e.ctx.astExpr(C.isl_ast_expr_op_get_arg(e.ptr, C.int(i)))
	}
	return args
}

// ID is the name of an identifier.
func (e *AstExpr) ID() string {
	id := C.isl_ast_expr_id_get_id(e.ptr)
	if id == nil {
		e.ctx.note()
		return ""
	}
	defer C.isl_id_free(id)
	return C.GoString(C.isl_id_get_name(id))
}

// Int is the value of an integer expression.
func (e *AstExpr) Int() int64 {
	var value int64
	if C.take_integer(C.isl_ast_expr_int_get_val(e.ptr), (*C.int64_t)(unsafe.Pointer(&value))) != 0 {
		e.ctx.Fail(ErrTooLarge)
	}
	return value
}

// String is the expression as C-like text.
func (e *AstExpr) String() string { return e.ctx.text(C.isl_ast_expr_to_C_str(e.ptr)) }
