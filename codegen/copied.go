package codegen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/scop/flow"
	"polytune/scop/mark"
)

// copying is a mark below which statements use a copy of an array's elements. The copy has the
// array's name there, in a block of its own, so that all texts stay as they are but for the
// subscripts that count from the first iteration of a tile.
type copying struct {
	mark.Local
	array *scop.Array
	// name is the copy's outside of that block, extents are its dimensions.
	name    string
	extents []text
	// layout is the layout of which the copy is a tile, nil for none.
	layout *blockLayout
}

// copied is the code below a mark of a copied array, with copies around it where they can be
// written.
func (n *copier) copied(marked *loopir.Marked) loopir.Stmt {
	switch m := marked.Mark.(type) {
	case mark.Prefetch:
		return n.asking(marked, m)
	case mark.Allocate:
		return n.allocating(marked, m)
	}
	m, is := marked.Mark.(mark.Local)
	if !is || m.Loop == "" {
		n.code(marked.Body)
		return marked
	}
	layout, c, relation := n.layouts[m.Array], n.copyingOf(m), n.touchedNow(m)
	made := &loopir.Copies{Body: marked.Body, IsTile: layout != nil}
	switch {
	case c != nil && relation != nil && layout != nil:
		n.putIn(layout, c, relation.all.IntersectDomain(relation.times))
	case c != nil && relation != nil && n.measure(c, relation):
		made.Out = n.copyLoops(c, relation.written.IntersectDomain(relation.times), true)
		if n.places[m.String()] != 1 || !n.writesFirst(m) {
			made.In = n.copyLoops(c, relation.all.IntersectDomain(relation.times), false)
		}
	default:
		n.note(m, false, "the elements that an iteration touches are no part of "+m.Array+" that code can copy there")
		n.code(marked.Body)
		return marked
	}
	isUsed := namesIn(marked.Body, c.array.InTexts())
	if n.note(m, isUsed, "the code does not use "+m.Array+" there"); !isUsed {
		n.code(marked.Body)
		return marked
	}
	n.copyings = append(n.copyings, c)
	n.code(marked.Body)
	n.copyings = n.copyings[:len(n.copyings)-1]
	if made.Alias = c.shadow(); layout != nil {
		made.Alias.Copy = layout.whole.name
	} else {
		made.Memory = n.memoryFor(c)
	}
	return made
}

// writesFirst says whether the code below a mark of a copied array writes all elements that it reads
// before, each time that it runs: nothing is to be copied in front of it where it is in one place.
func (n *copies) writesFirst(m mark.Local) bool {
	inside := flow.Inside{Executions: map[string]*isl.Map{}, Writes: func(string) bool { return true }}
	var readings []flow.Reading
	n.usesBelow(m, m.Array, func(u useBelow) {
		name, runs := u.statement.Name, u.runs()
		if known := inside.Executions[name]; known != nil {
			runs = runs.Union(known)
		}
		inside.Executions[name] = runs
		if u.statement.Statement.Accesses[u.access].Read {
			readings = append(readings, flow.Reading{Statement: u.statement, Elements: u.statement.Accesses[u.access]})
		}
	})
	first, err := inside.WritesFirst(n.model, m.Array, readings)
	return first && err == nil
}

// touchedNow are the elements that the code below a mark touches, with the present one of its times
// alone; nil where there are none, or nobody knows when that is.
func (n *copies) touchedNow(m mark.Local) *touched {
	t := n.touchedBelow(m, m)
	if t == nil {
		return nil
	}
	now, single := n.presentTime(t.times)
	if !single {
		return nil
	}
	return &touched{t.all, t.written, now}
}

// copyingOf is the copy that a mark asks for; nil where code cannot have one.
func (n *copier) copyingOf(mark mark.Local) *copying {
	array := n.model.Program.Array(mark.Array)
	if array == nil || array.InTexts() == "" || n.lanes != nil || n.inStages {
		return nil
	}
	return &copying{Local: mark, array: array}
}

// element is the C type of the copy's elements.
func (c *copying) element() string {
	return strings.TrimSpace(strings.TrimPrefix(c.array.Type, "const "))
}

// bytes is the size of the copy; ok is false where it depends on parameters.
func (c *copying) bytes() (size int, ok bool) {
	size = c.array.Size
	for _, extent := range c.extents {
		elements, err := strconv.Atoi(extent.code)
		if err != nil || elements > depend.MaxPrivateBytes || size > depend.MaxPrivateBytes {
			return 0, false
		}
		size *= max(1, elements)
	}
	return size, true
}

// isOnStack says whether the copy is a variable of the block, as private arrays are.
func (c *copying) isOnStack() bool {
	if c.layout != nil {
		return false
	}
	size, known := c.bytes()
	return known && size <= depend.MaxPrivateBytes
}

// rows are the extents of the copy but for the first one.
func (c *copying) rows() (rows []string) {
	for _, extent := range c.extents[1:] {
		rows = append(rows, extent.code)
	}
	return rows
}

// shadow gives the copy the array's name.
func (c *copying) shadow() *loopir.Alias {
	return &loopir.Alias{Array: c.Array, Copy: c.name, Name: c.array.InTexts(), Type: c.element(), Of: c.name, Rows: c.rows()}
}

// copyMemory gives the copy memory where the code below its mark begins; none where it has some
// already.
func (n *copies) copyMemory(c *copying) loopir.Code {
	a := &loopir.Alloc{Name: c.name, Type: c.element(), Extents: append([]string{c.extents[0].code}, c.rows()...), Constant: true}
	if c.isOnStack() {
		return loopir.Code{a}
	}
	n.putOnHeap(c)
	if !c.Own {
		return nil
	}
	n.inOwnMemory(a)
	return loopir.Code{a}
}

// putOnHeap gives the copy a piece of the region's memory, once where isl has split the code of one
// mark.
func (n *memories) putOnHeap(c *copying) {
	if !slices.ContainsFunc(n.heaped, func(o *copying) bool { return o.name == c.name }) {
		n.heaped = append(n.heaped, c)
	}
}

// measure finds the extents of a copy, those of a tile along its sides, and gives it a name; it
// says whether they are known, and there are elements and memory.
func (n *copies) measure(c *copying, t *touched) bool {
	coordinates := len(tiledSides(c.Local))
	elements := t.all.Range().ProjectOut(isl.DimSet, 0, coordinates)
	if none, err := elements.IsEmpty(); none || err != nil {
		return false
	}
	build := isl.NewAstBuild(n.model.Parameters)
	for d := range elements.Dim(isl.DimSet) {
		if side := sideOf(c.Sides, d); side != nil {
			c.extents = append(c.extents, n.expression(loopir.Int(side.Extent)))
			continue
		}
		if bounded, err := elements.HasUpperBound(d); err != nil || !bounded {
			return false
		}
		extent := loopir.FromISL(build.ExprFromPwAff(elements.DimMax(d).Extended().AddConstant(1)))
		if extent.Kind != isl.AstInt {
			extent = loopir.Operation(isl.OpMax, extent, loopir.Int(1))
		}
		c.extents = append(c.extents, n.expression(extent))
	}
	if len(c.extents) == 0 || !c.isOnStack() && !n.hasOriginal {
		return false
	}
	c.name = n.copyNames[c.String()]
	if c.name == "" {
		c.name = n.fresh(fmt.Sprintf("tune_copy%d", len(n.copyNames)))
		n.copyNames[c.String()] = c.name
	}
	return true
}

// packingsOutside is the number of marks of packed references, of those around the present place,
// that are outside of the copy of an array which statements use here: buffers filled there cannot
// have the copy's elements.
func (n *place) packingsOutside(array string) int {
	for _, c := range n.aliases {
		if c.array == array {
			return c.packings
		}
	}
	return 0
}

// copyLoops copy the elements that a relation gives in the present iterations of the loops around:
// to the copy, or back.
func (n *copies) copyLoops(c *copying, elements *isl.Map, back bool) loopir.Code {
	return n.overElements(elements, c.presentTiles(), overElements{
		each:  func(arguments []*loopir.Expr) loopir.Stmt { return n.copyElement(c, arguments, back) },
		lanes: true,
	})
}

// presentTiles is the number of tile coordinates that have one value where the copy is made: a
// layout has all tiles.
func (c *copying) presentTiles() int {
	if c.layout != nil {
		return 0
	}
	return len(tiledSides(c.Local))
}

// copyElement copies one element, at the coordinates of its tiles and its subscripts.
func (n *copies) copyElement(c *copying, arguments []*loopir.Expr, back bool) loopir.Stmt {
	element, copied := n.arrayElement(c.Array, arguments[len(tiledSides(c.Local)):]), n.copiedElement(c, arguments)
	if back {
		return &loopir.Move{To: element, From: copied}
	}
	return &loopir.Move{To: copied, From: element}
}

// arrayElement is the element of an array with these subscripts.
func (n *copies) arrayElement(array string, subscripts []*loopir.Expr) *loopir.Element {
	texts := make([]string, len(subscripts))
	for d, subscript := range subscripts {
		texts[d] = n.expression(subscript).code
	}
	return &loopir.Element{Array: array, Subscripts: subscripts, Text: n.model.Program.Array(array).Reference(texts)}
}

// copiedElement is where a copy has an element, at the coordinates of its tiles and its subscripts.
func (n *copies) copiedElement(c *copying, arguments []*loopir.Expr) *loopir.Copied {
	sides, copied := tiledSides(c.Local), &loopir.Copied{Copy: c.name, Text: c.name}
	tiles, subscripts := arguments[:len(sides)], arguments[len(sides):]
	if c.layout != nil {
		copied.Subscripts = append(copied.Subscripts, tiles[0])
	}
	for d, subscript := range subscripts {
		if side := sideOf(c.Sides, d); side != nil && side.Size == 1 {
			subscript = loopir.Int(0)
		} else if side != nil {
			tile := tiles[slices.IndexFunc(sides, func(o mark.LocalSide) bool { return o.Dimension == d })]
			subscript = n.inSide(subscript, side, func() *loopir.Expr { return tile })
		}
		place := n.expression(subscript)
		copied.Subscripts = append(copied.Subscripts, subscript)
		if d == 0 && c.layout != nil {
			place.code = c.layout.rowsBefore(c, n.expression(tiles[0])) + " + " + place.within(additive)
		}
		copied.Text += "[" + place.code + "]"
	}
	return copied
}

// withCopiesAround puts copies in front of the code that uses them, and behind it.
func (n *nodes) withCopiesAround(s *loopir.Copies) (f fragment) {
	n.insideCopies(s, func(body *loopir.Code) { f = n.fragment(*body) })
	if s.Alias == nil {
		return fragment{code: slices.Concat(s.Memory, s.In, f.beside(), s.Out), declares: f.declares, opens: len(s.Memory) > 0}
	}
	inside := append(loopir.Code{s.Alias}, f.code...)
	if s.IsTile {
		return fragment{code: inside, declares: f.declares, opens: true}
	}
	return fragment{code: slices.Concat(s.Memory, s.In, loopir.Code{&loopir.Block{Body: inside}}, s.Out), declares: f.declares, opens: len(s.Memory) > 0}
}
