package language

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"polytune/algorithm"
	"polytune/isl"
)

// loopsOf are the lines that begin the loops over the iterations of a computation, outermost first,
// in the order of its iterators, and conditions among them, for parameters of a context.
func (f *function) loopsOf(c *isl.Context, of *computation, context *isl.Set) (lines []string, err error) {
	hull := c.ReadSet(of.domain.SimpleHull().String())
	schedule := c.ReadSchedule(identity(f, of, hull))
	node := isl.NewAstBuild(context).SetIterators(of.Iterators).NodeFromSchedule(schedule)
	for err = c.Err(); err == nil; err = c.Err() {
		switch node.Type() {
		case isl.AstFor:
			lines = append(lines, forText(node))
			node = node.ForBody()
			continue
		case isl.AstIf:
			if node.IfElse() != nil {
				return nil, fmt.Errorf("the domain of %s is too complicated to be written as loops", of.statement)
			}
			lines = append(lines, "if ("+cText(node.IfCond(), 0)+")")
			node = node.IfThen()
			continue
		case isl.AstUser:
			if equal, err := hull.IsEqual(of.domain); err != nil || equal {
				return lines, err
			}
			lines = append(lines, "if ("+f.conditionText(c, of, hull)+")")
			return lines, c.Err()
		}
		return nil, fmt.Errorf("the domain of %s is too complicated to be written as loops; divide it into a computation and updates", of.statement)
	}
	return nil, err
}

// identity is the schedule in the order of the iterators, as isl reads it.
func identity(f *function, of *computation, domain *isl.Set) string {
	var partial []string
	for k := range of.Iterators {
		partial = append(partial, fmt.Sprintf("{ %s[%s] -> [(%s)] }", of.statement, strings.Join(of.Iterators, ", "), of.Iterators[k]))
	}
	if len(partial) == 0 {
		return fmt.Sprintf("{ domain: %q }", domain)
	}
	return fmt.Sprintf("{ domain: %q, child: { schedule: \"[%s]\" } }", domain, strings.Join(partial, ", "))
}

// forText begins a loop.
func forText(node *isl.AstNode) string {
	name, step := node.ForIterator().ID(), cText(node.ForInc(), 0)
	if step = name + " += " + step; strings.HasSuffix(step, " += 1") {
		step = name + "++"
	}
	return fmt.Sprintf("for (int %s = %s; %s; %s)", name, cText(node.ForInit(), 0), boundText(node.ForCond()), step)
}

// boundText is the condition of a loop: one for each upper bound, and i < N for i <= N - 1, i < 3 for
// i <= 2, i < N + 2 for i <= N + 1.
func boundText(e *isl.AstExpr) string {
	if e.Type() != isl.AstOp || e.OpType() != isl.OpLe && e.OpType() != isl.OpLt {
		return cText(e, 0)
	}
	name, bound := e.Args()[0], e.Args()[1]
	bounds := []*isl.AstExpr{bound}
	if bound.Type() == isl.AstOp && bound.OpType() == isl.OpMin {
		bounds = bound.Args()
	}
	var texts []string
	for _, b := range bounds {
		sign, text := operators[e.OpType()].text, cText(b, 5)
		if without, is := strings.CutSuffix(text, " - 1"); is && e.OpType() == isl.OpLe && !strings.Contains(without, "?") {
			sign, text = "<", without
		} else if e.OpType() == isl.OpLe && b.Type() == isl.AstInt {
			sign, text = "<", fmt.Sprint(b.Int()+1)
		} else if sum, constant, is := cutConstant(text); is && e.OpType() == isl.OpLe {
			sign, text = "<", fmt.Sprintf("%s + %d", sum, constant+1)
		}
		texts = append(texts, cText(name, 0)+" "+sign+" "+text)
	}
	return strings.Join(texts, " && ")
}

// cutConstant cuts the number off a sum, as in 2 * N + 1.
func cutConstant(text string) (sum string, constant int64, is bool) {
	at := strings.LastIndex(text, " + ")
	if at < 0 || strings.Contains(text, "?") {
		return "", 0, false
	}
	constant, err := strconv.ParseInt(text[at+len(" + "):], 10, 32)
	return text[:at], constant, err == nil
}

// conditionText says, for the iterations of the hull of a domain, which are in the domain.
func (f *function) conditionText(c *isl.Context, of *computation, hull *isl.Set) string {
	inside := of.domain.Gist(hull).AsParameters()
	return cText(isl.NewAstBuild(c.ReadSet("{ : }")).ExprFromSet(inside), 0)
}

// sharedLoops begins the loops that computations share, over all iterations that one of them has.
func (f *function) sharedLoops(c *isl.Context, members []*computation) (outer *computation, lines []string, err error) {
	first := members[0]
	names := first.Iterators[:first.shared]
	outer = &computation{Declaration: &algorithm.Declaration{Iterators: names}, statement: first.statement}
	for _, of := range members {
		set := of.domain.ProjectOut(isl.DimSet, first.shared, of.domain.Dim(isl.DimSet)-first.shared).SetTupleName(first.statement)
		if outer.domain == nil {
			outer.domain = set
		} else {
			outer.domain = outer.domain.Union(set)
		}
	}
	outer.domain = outer.domain.Coalesce()
	lines, err = f.loopsOf(c, outer, f.context)
	return outer, lines, err
}

// innerLoops begins the loops of a computation inside of those that it shares.
func (f *function) innerLoops(c *isl.Context, of, outer *computation) (lines []string, err error) {
	names := of.Iterators[of.shared:]
	inner := &computation{Declaration: &algorithm.Declaration{Iterators: names}, statement: of.statement}
	values, equal := make([]string, len(names)), []string{"0 = 0"}
	for k, name := range names {
		values[k] = fmt.Sprintf("tune_%d", k)
		equal = append(equal, values[k]+" = "+name)
	}
	points := of.domain.AsParameters()
	inner.domain = c.ReadSet(fmt.Sprintf("[%s] -> { %s[%s] : %s }", strings.Join(append(names, "tune_none"), ", "), of.statement, strings.Join(values, ", "), strings.Join(equal, " and "))).IntersectParams(points)
	for k := inner.domain.Dim(isl.DimParam) - 1; k >= 0; k-- {
		if name := inner.domain.DimName(isl.DimParam, k); name == "tune_none" || slices.Contains(names, name) {
			inner.domain = inner.domain.ProjectOut(isl.DimParam, k, 1)
		}
	}
	return f.loopsOf(c, inner, f.context.Intersect(outer.domain.AsParameters()))
}
