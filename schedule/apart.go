package schedule

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// BlockSuffix is what the name of a loop over blocks has behind that of its point loop.
const BlockSuffix = "r"

// stretch is a part of the instances inside register blocks. The stretches of a
// block run one after the other.
type stretch struct {
	// instances are those with their tile coordinates.
	instances *isl.UnionSet
	// statements are those that have any.
	statements []int
	// isFull says that in every iteration of the stream all points of the block
	// are instances of the only statement.
	isFull bool
}

// blockSpace is the space in which stretches are looked for: the values of the
// loops around the register blocks, of the loops over blocks, of the stream, and of
// the unrolled loops.
type blockSpace struct {
	lowering   *lowering
	node       *Node
	loops      []*Loop
	unrolled   int
	statements []int
	// instances and points are those of each statement, the latter as values of
	// the loops, and time relates the former to the latter.
	instances, points map[int]*isl.Set
	time              map[int]*isl.Map
}

// stretches divides the instances inside the register blocks of a node, whose
// loops inside a block are the last ones: the stream and those that are unrolled.
// Full stretches hold a single statement's points alone. The others' instances,
// and those of blocks that are not full, are in a stretch before them or in one
// behind them. It is nil where no block can be full.
func (l *lowering) stretches(n *Node, inside []*Loop) []stretch {
	if !l.isWholeBlock(inside) {
		return nil
	}
	b := &blockSpace{lowering: l, node: n, loops: append(slices.Clip(l.around), inside...), unrolled: unrolledIn(inside), statements: n.Statements,
		instances: map[int]*isl.Set{}, points: map[int]*isl.Set{}, time: map[int]*isl.Map{}}
	for _, s := range n.Statements {
		b.place(s)
	}
	full := b.full()
	if len(full) == 0 {
		return nil
	}
	before := b.beside(full, "<")
	behind := b.beside(full, ">")
	var list []stretch
	if before.hasAny() && behind.hasAny() {
		list = append(list, before.stretch())
	} else {
		before.sets = nil
	}
	var all []stretch
	for _, s := range b.statements {
		if part := full[s]; part != nil {
			own := b.instances[s].Intersect(part.Apply(b.time[s].Reverse()))
			all = append(all, stretch{own.ToUnionSet(), []int{s}, true})
		}
	}
	rest := b.rest(full, before)
	switch {
	case !rest.hasAny():
		list = append(list, all...)
	case behind.hasAny():
		list = append(append(list, all...), rest.stretch())
	default:
		list = append(append(list, rest.stretch()), all...)
	}
	return list
}

// isWholeBlock says whether some loops inside a register block are still those that it was made
// with: one stream, and the unrolled ones behind it, each with its loop over blocks around. Later
// commands may have moved some, or added others.
func (l *lowering) isWholeBlock(inside []*Loop) bool {
	isBlocked := func(unrolled *Loop) bool {
		return unrolled.Unrolled && slices.ContainsFunc(l.around, func(o *Loop) bool { return o.Name == unrolled.Name+BlockSuffix })
	}
	return len(inside) == 1+unrolledIn(inside) &&
		!slices.ContainsFunc(inside[1:], func(o *Loop) bool { return !isBlocked(o) })
}

// unrolledIn is the number of innermost loops among those inside a register block that full blocks
// unroll.
func unrolledIn(inside []*Loop) int {
	d, _ := RequestOf[Divides](inside[0])
	unrolled, _ := d.Divides()
	return unrolled
}

// place finds the points of a statement.
func (b *blockSpace) place(s int) {
	l := b.lowering
	values := make([]string, len(b.loops))
	for k, loop := range b.loops {
		values[k] = l.value(s, loop)
	}
	context := l.model.Context
	expanded := l.instances(s)
	b.time[s] = context.ReadMap(fmt.Sprintf("%s{ %s -> [%s] }", l.tree.Program.ParametersText(), l.expanded(s), strings.Join(values, ", ")))
	b.instances[s], b.points[s] = expanded, expanded.Apply(b.time[s])
}

// full are, by statement, the points of the blocks and iterations of the stream
// that are full of it.
func (b *blockSpace) full() map[int]*isl.Set {
	full := map[int]*isl.Set{}
	blocks := map[int]*isl.Set{}
	stream := len(b.loops) - b.unrolled - 1
	for _, s := range b.statements {
		set := b.fullOf(s)
		if set == nil {
			continue
		}
		own := set.ProjectOut(isl.DimSet, stream, 1+b.unrolled)
		alone := true
		for _, other := range blocks {
			apart, err := own.Intersect(other).IsEmpty()
			alone = alone && err == nil && apart
		}
		if alone {
			full[s], blocks[s] = set, own
		}
	}
	return full
}

// fullOf is the set of full points of one statement that all loops inside a block
// move: those of its blocks all of whose corners are points, without iterations in
// which another statement runs; nil when there are none, or when they have gaps.
func (b *blockSpace) fullOf(s int) *isl.Set {
	first := len(b.loops) - b.unrolled
	var rows [][]int64
	for _, loop := range b.loops[first-1:] {
		rows = append(rows, loop.Terms[0].Rows[s].Iterators)
	}
	if scop.Rank(rows, b.lowering.tree.Program.Statements[s].Depth()) < len(rows) || len(b.points[s].BasicSets()) != 1 {
		return nil
	}
	set := b.points[s]
	for corner := range 1 << b.unrolled {
		set = set.Intersect(b.corner(b.points[s], corner).Eliminate(first, b.unrolled))
	}
	for _, other := range b.statements {
		if other != s {
			set = set.Subtract(b.points[other].Eliminate(first, b.unrolled))
		}
	}
	set = set.Coalesce()
	if len(set.BasicSets()) != 1 {
		return nil
	}
	return set
}

// corner are the points at one corner of the blocks: bit k of its number says
// whether unrolled loop k has its last value there.
func (b *blockSpace) corner(points *isl.Set, corner int) *isl.Set {
	first := len(b.loops) - b.unrolled
	names, conditions := b.names("v"), make([]string, b.unrolled)
	for k := range b.unrolled {
		size, block := b.blockOf(b.loops[first+k])
		offset := int64(0)
		if corner>>k&1 == 1 {
			offset = size - 1
		}
		conditions[k] = fmt.Sprintf("%s = %d%s + %d", names[first+k], size, names[block], offset)
	}
	return points.Intersect(points.Context().ReadSet(fmt.Sprintf("{ [%s] : %s }", strings.Join(names, ", "), strings.Join(conditions, " and "))))
}

// blockOf is the size of the blocks along a loop, and the place of the loop over
// them.
func (b *blockSpace) blockOf(unrolled *Loop) (size int64, place int) {
	place = slices.IndexFunc(b.loops, func(l *Loop) bool { return l.Name == unrolled.Name+BlockSuffix })
	return b.loops[place].Terms[0].Size, place
}

func (b *blockSpace) names(prefix string) []string {
	names := make([]string, len(b.loops))
	for k := range names {
		names[k] = fmt.Sprint(prefix, k)
	}
	return names
}

// besides are instances of a node's statements.
type besides struct {
	space *blockSpace
	sets  map[int]*isl.Set
}

// beside are the instances in blocks with a full stretch, before it or behind it.
func (b *blockSpace) beside(full map[int]*isl.Set, order string) besides {
	stream := len(b.loops) - b.unrolled - 1
	from, to := b.names("v"), b.names("v")
	from[stream] = "s"
	for k := stream + 1; k < len(b.loops); k++ {
		from[k] = fmt.Sprint("w", k)
	}
	all := besides{b, map[int]*isl.Set{}}
	context := b.lowering.model.Context
	shift := context.ReadMap(fmt.Sprintf("{ [%s] -> [%s] : %s %s s }", strings.Join(from, ", "), strings.Join(to, ", "), to[stream], order))
	for _, set := range full {
		reached := set.Apply(shift).Subtract(set.Eliminate(stream+1, b.unrolled))
		for _, s := range b.statements {
			part := b.instances[s].Intersect(b.points[s].Intersect(reached).Apply(b.time[s].Reverse()))
			if all.sets[s] != nil {
				part = part.Union(all.sets[s])
			}
			all.sets[s] = part
		}
	}
	return all
}

// rest are the instances that are in no full stretch and not before one.
func (b *blockSpace) rest(full map[int]*isl.Set, before besides) besides {
	all := besides{b, map[int]*isl.Set{}}
	for _, s := range b.statements {
		set := b.instances[s]
		if full[s] != nil {
			set = set.Subtract(full[s].Apply(b.time[s].Reverse()))
		}
		if before.sets[s] != nil {
			set = set.Subtract(before.sets[s])
		}
		all.sets[s] = set.Coalesce()
	}
	return all
}

// hasAny says whether there are any, or nobody knows.
func (i besides) hasAny() bool {
	for _, set := range i.sets {
		if empty, err := set.IsEmpty(); err != nil || !empty {
			return true
		}
	}
	return false
}

// stretch is the stretch of the instances.
func (i besides) stretch() stretch {
	var all stretch
	for _, s := range i.space.statements {
		empty, err := i.sets[s].IsEmpty()
		if err == nil && empty {
			continue
		}
		all.statements = append(all.statements, s)
		union := i.sets[s].Coalesce().ToUnionSet()
		if all.instances != nil {
			union = union.Union(all.instances)
		}
		all.instances = union
	}
	return all
}

// apart writes the loops inside register blocks once for each stretch, or once
// where there is no full one.
func (l *lowering) apart(indent int, n *Node, inside []*Loop) {
	stretches := l.stretches(n, inside)
	if stretches == nil {
		l.chain(indent, n, stretch{}.loops(inside))
		return
	}
	l.line(indent, "child:")
	l.line(indent+1, "sequence:")
	for _, s := range stretches {
		l.line(indent+1, "- filter: %q", s.instances.String())
		l.chain(indent+2, n.with(s.statements), s.loops(inside))
	}
}

// loops are those of a stretch: the ones inside a block, as they are where all
// blocks are full, and without vectors and unrolling elsewhere.
func (s stretch) loops(inside []*Loop) []*Loop {
	loops := make([]*Loop, len(inside))
	for k, loop := range inside {
		own := *loop
		own.Requests = s.requests(loop)
		if !s.isFull {
			own.Marks, own.Unrolled = mark.Without[mark.Vector](own.Marks), false
		}
		loops[k] = &own
	}
	return loops
}

// requests are those of a loop in a stretch.
func (s stretch) requests(l *Loop) (own []Request) {
	for _, r := range l.Requests {
		if d, is := r.(Divides); is {
			r = d.InStretch(s.isFull)
		}
		if r != nil {
			own = append(own, r)
		}
	}
	return own
}

// with is the node with some of its statements only.
func (n *Node) with(statements []int) *Node {
	own := *n
	own.Statements, own.Parts = statements, nil
	for _, part := range n.Parts {
		some := slices.DeleteFunc(slices.Clone(part.Statements), func(s int) bool { return !slices.Contains(statements, s) })
		if len(some) > 0 {
			own.Parts = append(own.Parts, part.with(some))
		}
	}
	return &own
}
