package codegen

import (
	"fmt"
	"strings"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/mark"
)

// originsOf declares the subscripts of the first element of an array that is computed in the present
// iteration of the loops around, by which texts count; nothing for other arrays.
func (n *memories) originsOf(array string) (code loopir.Code) {
	computed := n.model.Program.ComputedNamed(array)
	if computed == nil {
		return nil
	}
	now, single := n.presentIteration(array)
	for d, origin := range computed.Origins {
		if !computed.HasOrigin(d) {
			continue
		}
		if !single {
			n.fail(fmt.Errorf("nobody knows in which iteration of the loops around %s is computed; leave the command compute out", array))
			return nil
		}
		value := n.expression(loopir.FromISL(n.originIn(now, origin)))
		code = append(code, &loopir.Private{Declaration: fmt.Sprintf("const long %s = %s", computed.OriginName(d), value.code)})
	}
	return code
}

// presentIteration are the values of the loops around the mark of a computed array at the present
// place; single says whether there is one.
func (n *memories) presentIteration(array string) (now *isl.Set, single bool) {
	var times *isl.Set
	var below func(node *isl.ScheduleNode)
	below = func(node *isl.ScheduleNode) {
		if m, is := n.schedule.Marks.Of(node).(mark.Held); is && m.Array == array {
			for _, own := range node.PrefixScheduleUnionMap().IntersectDomain(node.Domain()).Maps() {
				more := own.Range()
				if times != nil {
					more = times.Union(more)
				}
				times = more
			}
		}
		for _, child := range node.Children() {
			below(child)
		}
	}
	below(n.schedule.Tree.Root())
	if times == nil {
		return nil, false
	}
	return n.presentTime(times.Coalesce())
}

// originIn is a row of the values of loops at the present ones.
func (n *memories) originIn(now *isl.Set, origin scop.Row) *isl.AstExpr {
	names := freshNames("t", now.Dim(isl.DimSet), n.taken)
	p := n.model.Program
	value := n.model.Context.ReadMap(fmt.Sprintf("%s{ [%s] -> [%s] }", p.ParametersText(), strings.Join(names, ", "), origin.Text(names[:len(origin.Iterators)], p.Parameters)))
	known := n.model.Parameters.Intersect(n.model.Context.ReadSet(n.visible() + " -> { : " + n.conditionsAround() + " }"))
	return isl.NewAstBuild(known).ExprFromPwAff(now.Apply(value).DimMin(0).Extended())
}
