package codegen

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/mark"
)

// asking has each iteration of the loop around a mark ask for what a later one reads. Elements in a
// copy are asked for there.
func (n *copier) asking(marked *loopir.Marked, m mark.Prefetch) loopir.Stmt {
	asks, reason := n.asks(m)
	if reason != "" {
		n.env.Decline(m, reason)
		n.code(marked.Body)
		return marked
	}
	n.env.Honour(m)
	n.code(marked.Body)
	marked.Spent, marked.Body = true, loopir.Code{&loopir.Packed{Fill: asks, Body: marked.Body}}
	return marked
}

// asks is the code that asks for lines of an array, or why there is none.
func (n *copier) asks(m mark.Prefetch) (code loopir.Code, reason string) {
	step := stepAround(n.open)
	if _, contracted := n.contractions[m.Array]; contracted || step == 0 || n.lanes != nil || n.inStages {
		return nil, "the loop has no constant step there, or its iterations run in lanes, or have elements of their own"
	}
	in := n.copyOf(m.Array)
	if in != nil && in.layout != nil {
		return nil, "the elements are tiles of a layout there, which stay in the caches"
	}
	local := mark.Local{Array: m.Array}
	if in != nil {
		local = in.Local
	}
	reads, times := n.readBelow(m, local)
	if reads == nil {
		return nil, "which elements of " + m.Array + " are read there is not known"
	}
	now, single := n.presentTime(times)
	if !single {
		return nil, "isl leaves open in which iteration of the loop the code is"
	}
	asked := newLines(reads, m.By*step, max(1, cacheLine/int64(max(1, n.model.Program.Array(m.Array).Size)))).IntersectDomain(now)
	code = n.overElements(asked, len(tiledSides(local)), overElements{each: func(arguments []*loopir.Expr) loopir.Stmt {
		if in != nil {
			return &loopir.Prefetch{Element: n.copiedElement(in, arguments).Text}
		}
		return &loopir.Prefetch{Element: n.arrayElement(m.Array, arguments).Text}
	}})
	if len(code) == 0 {
		return nil, "no iteration reads a line that another one has not asked for, or has read before"
	}
	return code, ""
}

// stepAround is the step of the innermost of the loops around, 0 where that is no number.
func stepAround(loops []openLoop) int64 {
	for _, open := range slices.Backward(loops) {
		if open.variable == "" {
			continue
		}
		if step := open.loop.Step; step != nil && step.Kind == isl.AstInt && !open.loop.Once {
			return step.Value
		}
		break
	}
	return 0
}

// copyOf is the innermost copy of an array around, nil for none.
func (n *copies) copyOf(array string) *copying {
	for _, c := range slices.Backward(n.copyings) {
		if c.Array == array {
			return c
		}
	}
	return nil
}

// readBelow are the elements of an array that the code below a mark certainly may read, by its
// times, with the coordinates of their tiles in front; nil where nobody knows of some.
func (n *copies) readBelow(m mark.Mark, local mark.Local) (reads *isl.Map, times *isl.Set) {
	times = n.usesBelow(m, local.Array, func(u useBelow) {
		access := u.statement.Statement.Accesses[u.access]
		if single, err := u.statement.Accesses[u.access].IsSingleValued(); !access.Read || err != nil || !single {
			return
		}
		elements := n.inTiles(u.statement, u.times.Domain(), u.access, local)
		if access.May || scop.Chooses(u.statement.Statement.Value) {
			declared, known := n.model.Declared(local.Array)
			if !known {
				return
			}
			all := freshNames("e", elements.Dim(isl.DimOut), nil)
			last := all[len(all)-declared.Dim(isl.DimSet):]
			inside := n.model.Context.ReadMap(fmt.Sprintf("{ %s[%s] -> [%s] }", local.Array, strings.Join(last, ", "), strings.Join(all, ", ")))
			elements = elements.Reverse().IntersectDomain(declared.Apply(inside).SetTupleName("")).Reverse()
		}
		elements = u.times.Reverse().ApplyRange(elements)
		if reads != nil {
			elements = reads.Union(elements)
		}
		reads = elements
	})
	if reads != nil {
		reads = reads.Coalesce()
	}
	return reads, times
}

// newLines relate the times of a loop's iterations to elements that the iteration so many values
// later reads: one, the first, of each line of memory of which no iteration before that reads an
// element. A line has so many elements behind each other, counted from the beginning of the row. The
// last coordinate of a time is the loop's value.
func newLines(reads *isl.Map, later, perLine int64) *isl.Map {
	context := reads.Context()
	depth, count := reads.Dim(isl.DimIn), reads.Dim(isl.DimOut)
	around, row := freshNames("t", depth-1, nil), freshNames("e", count-1, nil)
	time := func(value string) string { return "[" + strings.Join(append(slices.Clip(around), value), ", ") + "]" }
	element := func(last string) string { return "[" + strings.Join(append(slices.Clip(row), last), ", ") + "]" }
	relation := func(from, to, where string) *isl.Map {
		return context.ReadMap(fmt.Sprintf("{ %s -> %s : %s }", from, to, where))
	}
	ahead := relation(time("l"), time("m"), fmt.Sprintf("m = l + %d", later)).ApplyRange(reads)
	before := relation(time("l"), time("m"), fmt.Sprintf("m < l + %d", later)).ApplyRange(reads)
	sameLine := fmt.Sprintf("floor(s/%d) = floor(r/%[1]d)", perLine)
	elements := func(where string) *isl.Map {
		return relation(element("s"), element("r"), where).SetTupleName(isl.DimIn, "").SetTupleName(isl.DimOut, "")
	}
	inLine, behind := elements(sameLine), elements("s < r and "+sameLine)
	return ahead.Subtract(before.ApplyRange(inLine)).Subtract(ahead.ApplyRange(behind)).Coalesce()
}
