package codegen

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/loopir"
)

// isAllowed says whether a copy reads only elements that may be read there. Of an
// array that the region only reads, these are all elements that the region reads;
// of others, only those that the instances inside the mark read in the same execution,
// because another thread may write the rest.
func (c *copyWriter) isAllowed(loops []copyLoop) bool {
	array, context := c.operand.array, c.nodes.model.Context
	access := c.statement.model.Accesses[c.Reference]
	if !c.nodes.model.Program.Writes(array) {
		outside, ok := c.conditionsOutside()
		if !ok {
			return false
		}
		copied := context.ReadSet(c.elementsText(access, "", outside, loops)).IntersectParams(c.nodes.model.Parameters)
		inside, err := copied.IsSubset(c.elementsRead(array, copied))
		return err == nil && inside
	}
	var all []copyLoop
	for _, node := range c.loopsInside() {
		loop, ok := copyLoopOf(node, func(*loopir.Expr) bool { return true })
		if !ok {
			return false
		}
		all = append(all, loop)
	}
	if slices.ContainsFunc(c.inside(c.nodes), func(o openLoop) bool { return o.variable == "" }) {
		return false
	}
	var guards []string
	for _, guard := range c.statement.guards {
		condition := c.block.tile.expressionOf(guard)
		if !isReadable(condition) {
			return false
		}
		guards = append(guards, islText(condition)+" >= 0")
	}
	outer := "[" + strings.Join(c.variablesOutside(), ", ") + "]"
	copied := context.ReadMap(c.elementsText(access, outer, nil, loops))
	inside, err := copied.IsSubset(context.ReadMap(c.elementsOf(access, outer, guards, all)))
	return err == nil && inside
}

// isAllowedWhereUsed is isAllowed for a copy that is made only where the loops that
// do not move the operand have an iteration, as far as that is known outside.
func (c *copyWriter) isAllowedWhereUsed(loops []copyLoop) bool {
	inside := map[string]interval{}
	for _, variable := range c.pointLoops() {
		inside[variable] = interval{}
	}
	isKnown := func(e *loopir.Expr) bool { return !loopir.Mentions(e, inside) }
	for _, node := range c.loopsInside() {
		loop, ok := copyLoopOf(node, isKnown)
		isCopied := slices.ContainsFunc(loops, func(l copyLoop) bool { return l.variable == node.Var })
		if ok && loop.isExact() && !isCopied {
			c.guards = append(c.guards, loop)
		}
	}
	return len(c.guards) > 0 && c.isAllowed(loops)
}

// isOfBlock says whether the copied elements are those that the full block reads, the same ones
// wherever the loops around it inside the mark are: a copy may be made then by the first such block
// that runs.
func (c *copyWriter) isOfBlock(loops []copyLoop) bool {
	c.guards = nil
	if c.Shared || len(c.block.lowers)+len(c.block.uppers) > 0 {
		return false
	}
	own := c.block.variables()
	return !slices.ContainsFunc(loops, func(l copyLoop) bool { _, inside := own[l.variable]; return !inside || !l.isExact() })
}

// guarded is a copy under the condition that the guards have an iteration.
func (c *copyWriter) guarded(copied loopir.Code) loopir.Code {
	for _, g := range c.guards {
		runs := loopir.Operation(isl.OpLe, extremum(isl.OpMax, g.lowers), extremum(isl.OpMin, g.uppers))
		c.nodes.needs(runs)
		copied = loopir.Code{&loopir.If{Cond: runs, Then: copied}}
	}
	return copied
}

// elementsRead are the elements of an array that the region is sure to read, in the
// space of the given set of elements.
func (c *copyWriter) elementsRead(array string, like *isl.Set) *isl.Set {
	all := like.Subtract(like)
	for i := range c.nodes.model.Statements {
		s := c.nodes.model.Statements[i]
		for k, a := range s.Statement.Accesses {
			if a.Array == array && !a.May {
				all = all.Union(s.Accesses[k].Range())
			}
		}
	}
	return all
}

// variablesOutside are those of the loops around the mark.
func (c *copyWriter) variablesOutside() []string {
	var names []string
	for _, open := range c.nodes.open[:c.outside] {
		if open.variable != "" {
			names = append(names, open.variable)
		}
	}
	return names
}

// conditionsOutside are the bounds of the loops around the mark.
func (c *copyWriter) conditionsOutside() ([]string, bool) {
	var conditions []string
	for _, open := range c.nodes.open[:c.outside] {
		if open.variable == "" {
			continue
		}
		loop, ok := copyLoopOf(open.loop, func(*loopir.Expr) bool { return true })
		if !ok {
			return nil, false
		}
		conditions = append(conditions, loop.conditions()...)
	}
	return conditions, true
}

// conditions are the bounds of a loop for isl.
func (l copyLoop) conditions() []string {
	var conditions []string
	for _, e := range l.lowers {
		conditions = append(conditions, islText(e)+" <= "+l.variable)
	}
	for _, e := range l.uppers {
		conditions = append(conditions, l.variable+" <= "+islText(e))
	}
	return conditions
}

// elementsText are the elements that are copied in some loops, as a set, or, with
// the tuple of the variables outside, as a relation from these.
func (c *copyWriter) elementsText(access *isl.Map, outer string, conditions []string, loops []copyLoop) string {
	return c.elementsOf(access, outer, conditions, slices.Concat(c.guards, loops))
}

// elementsOf are the elements that the operand is in some loops.
func (c *copyWriter) elementsOf(access *isl.Map, outer string, conditions []string, loops []copyLoop) string {
	var inner, elements []string
	if outer == "" {
		inner = c.variablesOutside()
	}
	for _, l := range loops {
		inner = append(inner, l.variable)
		conditions = append(conditions, l.conditions()...)
	}
	for k, subscript := range c.operand.subscripts {
		elements = append(elements, fmt.Sprintf("tune_e%d", k))
		conditions = append(conditions, elements[k]+" = "+islText(c.block.tile.expressionOf(subscript)))
	}
	tuple := access.TupleName(isl.DimOut) + "[" + strings.Join(elements, ", ") + "]"
	if outer != "" {
		tuple = outer + " -> " + tuple
	}
	where := strings.Join(conditions, " and ")
	if len(inner) > 0 {
		where = "exists (" + strings.Join(inner, ", ") + " : " + where + ")"
	}
	return "[" + strings.Join(c.nodes.model.Program.Parameters, ", ") + "] -> { " + tuple + " : " + where + " }"
}

// islText is an expression in isl's notation, in which the constant factor of a product
// stands in front, without parentheses.
func islText(e *loopir.Expr) string {
	switch e.Kind {
	case isl.AstID:
		return e.Name
	case isl.AstInt:
		return fmt.Sprint(e.Value)
	}
	arguments := make([]string, len(e.Args))
	for k, a := range e.Args {
		arguments[k] = islText(a)
		if a.Kind == isl.AstOp || a.Kind == isl.AstInt && a.Value < 0 {
			arguments[k] = "(" + arguments[k] + ")"
		}
	}
	switch e.Op {
	case isl.OpAdd:
		return strings.Join(arguments, " + ")
	case isl.OpSub:
		return strings.Join(arguments, " - ")
	case isl.OpMul:
		constant, factor := e.Args[0], arguments[1]
		if constant.Kind != isl.AstInt {
			constant, factor = e.Args[1], arguments[0]
		}
		return islText(constant) + " * " + factor
	case isl.OpMinus:
		return "-" + arguments[0]
	case isl.OpMin:
		return "min(" + strings.Join(arguments, ", ") + ")"
	case isl.OpMax:
		return "max(" + strings.Join(arguments, ", ") + ")"
	case isl.OpFdivQ, isl.OpPdivQ, isl.OpDiv:
		return "floor(" + arguments[0] + " / " + arguments[1] + ")"
	}
	return ""
}

// isReadable says whether islText can write an expression.
func isReadable(e *loopir.Expr) bool {
	operators := []isl.AstOpType{isl.OpAdd, isl.OpSub, isl.OpMul, isl.OpMinus, isl.OpMin, isl.OpMax, isl.OpFdivQ, isl.OpPdivQ, isl.OpDiv}
	return (e.Kind != isl.AstOp || slices.Contains(operators, e.Op)) && !slices.ContainsFunc(e.Args, func(a *loopir.Expr) bool { return !isReadable(a) })
}
