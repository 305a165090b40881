package codegen

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop/mark"
)

// blockLayout is a mark below which all copies of an array are tiles of one piece of memory, behind
// each other: a tile's first row is so many rows behind that of the one before as the copy has.
type blockLayout struct {
	// tiles is the number of tiles.
	tiles text
	// whole is all of the memory, as a copy of all tiles.
	whole *copying
	// elements are those that the code touches, with their tiles in front.
	elements *touched
}

// notLaidOut is why there is no layout.
const notLaidOut = "the code around has threads of its own, or a copy is made inside of a register block"

// laidOut is the code below the mark of a layout, around which copies inside have the array's
// elements brought there and back; without the layout where some of that code would have no copy.
func (n *copier) laidOut(marked *loopir.Marked) loopir.Stmt {
	m, is := marked.Mark.(mark.Layout)
	if !is {
		n.code(marked.Body)
		return marked
	}
	l := n.layoutOf(m)
	if l == nil {
		n.note(m, false, notLaidOut)
		n.code(marked.Body)
		return marked
	}
	fits := n.copiesAll(marked.Body, m.Array)
	n.code(marked.Body)
	if n.note(m, fits, "some of the code inside has no copy of "+m.Array); !fits {
		return marked
	}
	made := &loopir.Copies{Body: marked.Body}
	n.laid[made] = l
	return made
}

// copiesAll says whether all code of some below a mark of a copied array has a copy of it.
func (n *copier) copiesAll(code loopir.Code, array string) bool {
	isOther := func(node loopir.Stmt) bool {
		switch node := node.(type) {
		case *loopir.For:
			defer n.enter(openLoop{variable: node.Var, loop: node.InAnyTile()})()
			said := n.said(node)
			return said.isOfVectors() && len(said.clauses) > 0 && hasCopies(node.Body, array) || !n.copiesAll(node.Body, array)
		case *loopir.Marked:
			if m, is := node.Mark.(mark.Local); is && m.Loop != "" && m.Array == array && n.touchedNow(m) == nil {
				return true
			}
			return !n.copiesAll(node.Body, array)
		}
		return slices.ContainsFunc(loopir.Bodies(node), func(body *loopir.Code) bool { return !n.copiesAll(*body, array) })
	}
	return !slices.ContainsFunc(code, isOther)
}

// hasCopies says whether an array is copied in some code.
func hasCopies(code loopir.Code, array string) (has bool) {
	loopir.Walk(code, func(s loopir.Stmt) {
		if marked, is := s.(*loopir.Marked); is {
			m, ofArray := marked.Mark.(mark.Local)
			has = has || ofArray && m.Loop != "" && m.Array == array
		}
	})
	return has
}

// layoutOf is the layout that a mark asks for; nil where code cannot have it.
func (n *copier) layoutOf(m mark.Layout) *blockLayout {
	side := mark.LocalSide{Dimension: m.Dimension, Size: m.Size, Extent: m.Size}
	c := n.copyingOf(mark.Local{Loop: m.Loop, Array: m.Array, Sides: []mark.LocalSide{side}})
	t := n.touchedBelow(m, mark.Local{Array: m.Array})
	inBlocks := slices.ContainsFunc(marked(n.schedule, m), func(node *isl.ScheduleNode) bool { return hasCopyInBlock(n.schedule.Marks, node, m.Array, false) })
	if c == nil || t == nil || inBlocks || !n.hasOriginal {
		return nil
	}
	now, single := n.presentTime(t.times)
	if !single {
		return nil
	}
	withTile := n.withTile(t.all.Dim(isl.DimOut), side)
	t.all, t.written = t.all.ApplyRange(withTile), t.written.ApplyRange(withTile)
	last := t.all.Range()
	if bounded, err := last.HasUpperBound(0); err != nil || !bounded {
		return nil
	}
	l := &blockLayout{whole: c, tiles: n.expression(loopir.FromISL(isl.NewAstBuild(n.model.Parameters).ExprFromPwAff(last.DimMax(0).Extended().AddConstant(1))))}
	c.layout = l
	if !n.measure(c, t) {
		return nil
	}
	l.elements = &touched{t.all.IntersectDomain(now), t.written.IntersectDomain(now), now}
	return l
}

// hasCopyInBlock says whether a copy of an array is made inside of a register block, whose code
// sees none.
func hasCopyInBlock(marks *mark.Table, node *isl.ScheduleNode, array string, isInside bool) bool {
	switch m := marks.Of(node).(type) {
	case mark.Local:
		if isInside && m.Loop != "" && m.Array == array {
			return true
		}
	case mark.Registers:
		isInside = true
	}
	return slices.ContainsFunc(node.Children(), func(child *isl.ScheduleNode) bool { return hasCopyInBlock(marks, child, array, isInside) })
}

// withTile relates elements of an array to themselves with their tile along a side in front.
func (n *copies) withTile(dimensions int, side mark.LocalSide) *isl.Map {
	names := freshNames("i", dimensions, n.taken)
	element := strings.Join(names, ", ")
	tile := n.model.Context.ReadMap(fmt.Sprintf("{ [%s] -> [floor(%s/%d), %s] }", element, names[side.Dimension], side.Size, element))
	return tile.SetTupleName(isl.DimIn, "").SetTupleName(isl.DimOut, "")
}

// putIn makes a copy the tile of a layout at the present place, where it has the elements that a
// relation gives with their tile in front.
func (n *copies) putIn(l *blockLayout, c *copying, elements *isl.Map) {
	tile := elements.Range().DimMax(0).Extended()
	c.extents = l.whole.extents
	c.name = fmt.Sprintf("%s + %s", l.whole.name, l.rowsBefore(c, n.expression(loopir.FromISL(isl.NewAstBuild(n.model.Parameters).ExprFromPwAff(tile)))))
}

// rowsBefore is the number of rows in front of a tile.
func (l *blockLayout) rowsBefore(c *copying, tile text) string {
	return tile.asLong().within(multiplicative) + " * " + positive(c.extents[0].within(unary))
}

// layoutLoops bring elements, with their tiles in front, to a layout, or back; several threads do
// it where it is worth one large page.
func (n *copies) layoutLoops(l *blockLayout, elements *isl.Map, back bool) loopir.Code {
	code := n.copyLoops(l.whole, elements, back)
	if len(code) == 0 {
		return code
	}
	loop, isLoop := code[0].(*loopir.For)
	if !isLoop {
		return code
	}
	bytes := fmt.Sprintf("(double) %s * sizeof(%s)", l.tiles.within(unary), l.whole.element())
	for _, extent := range l.whole.extents {
		bytes += " * " + positive(extent.within(unary))
	}
	loop.Threads = &loopir.Threads{Several: fmt.Sprintf("%s >= %d", bytes, leastOnLargePages)}
	return code
}
