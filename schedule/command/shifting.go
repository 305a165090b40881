package command

import (
	"fmt"

	"polytune/isl"
	"polytune/schedule"
	"polytune/scop/depend"
)

// Found are the least shifts along the loops that nodes are to share which make it legal that they
// do, and the fusion without any; nil where nothing has to be found. Along each loop, from the
// outside in, a later node runs so many iterations later that what it needs of the earlier ones in
// one iteration of the loops around is there: the largest distance of a dependence, if that is
// positive (Darte and Huard, "Loop shifting for loop compaction", 2000). Those that a loop outside
// carries then, nothing is asked of.
func (c Fuse) Found(t *schedule.Tree, g *depend.Graph) ([]schedule.Command, error) {
	if !c.Shifting {
		return nil, nil
	}
	f, err := c.parts(t)
	if err != nil {
		return nil, err
	}
	var commands []schedule.Command
	found := &shifts{fusion: f, graph: g, of: map[int][]int64{}}
	for _, l := range t.Around(f.nodes[0].Statements[0]) {
		if l.Name == f.nodes[0].Loops[0].Name {
			break
		}
		found.around = append(found.around, l)
	}
	for k, n := range f.nodes {
		shifted, err := found.next(k)
		if err != nil {
			return nil, err
		}
		for level, by := range shifted {
			if by != 0 {
				commands = append(commands, Shift{Loop: n.Loops[level].Name, Statements: n.Statements, By: by})
			}
		}
	}
	return append(commands, Fuse{Nodes: c.Nodes}), nil
}

// shifts are those of the nodes of a fusion, by statement one for each loop that they are to share.
type shifts struct {
	*fusion
	graph  *depend.Graph
	around []*schedule.Loop
	of     map[int][]int64
}

// next finds the shifts of the k-th node, and notes them.
func (f *shifts) next(k int) ([]int64, error) {
	pairs := f.pairs(k)
	own := make([]int64, f.loops)
	for level := range f.loops {
		for _, d := range pairs {
			by, err := f.least(d, level)
			if err != nil {
				return nil, err
			}
			own[level] = max(own[level], by)
		}
		for i := range pairs {
			pairs[i].left = f.together(pairs[i], level, own[level])
		}
	}
	for _, s := range f.nodes[k].Statements {
		f.of[s] = own
	}
	return own, f.graph.Model.Context.Err()
}

// needed are the instances of a dependence between an earlier node and a later one that run in one
// iteration of all loops so far.
type needed struct {
	*depend.Dependence
	left *isl.Map
	// from is the place of the earlier node, to that of the later one.
	from, to int
}

// pairs are what the k-th node needs of earlier ones in one iteration of the loops around.
func (f *shifts) pairs(k int) (pairs []needed) {
	placeOf := map[int]int{}
	for place, n := range f.nodes {
		for _, s := range n.Statements {
			placeOf[s] = place
		}
	}
	for _, d := range f.graph.Dependences {
		from, isHere := placeOf[d.Source]
		to, isToo := placeOf[d.Target]
		if !isHere || !isToo || to != k || from >= k {
			continue
		}
		left := d.Relation
		for _, l := range f.around {
			left = left.Intersect(f.value(l, d.Source, 0).ApplyRange(f.value(l, d.Target, 0).Reverse()))
		}
		pairs = append(pairs, needed{d, left, from, to})
	}
	return pairs
}

// value relates the instances of a statement to what a loop's value is, later by a shift.
func (f *shifts) value(l *schedule.Loop, s int, by int64) *isl.Map {
	m := f.graph.Model
	row := l.Terms[0].Rows[s]
	row.Constant += by
	value := m.Context.ReadMap(m.Program.RowsText(s, row))
	if size := l.Terms[0].Size; size > 1 {
		value = value.ApplyRange(m.Context.ReadMap(fmt.Sprintf("{ [a] -> [b] : %d b <= a < %d b + %d }", size, size, size)))
	}
	return value
}

// least is the least number of iterations of a loop, from 0 on, by which the later instances of a
// dependence have to run later.
func (f *shifts) least(d needed, level int) (int64, error) {
	from, to := f.nodes[d.from].Loops[level], f.nodes[d.to].Loops[level]
	if empty, err := d.left.IsEmpty(); err != nil || empty {
		return 0, err
	}
	distances := f.value(from, d.Source, f.by(d.Source, level)).Reverse().ApplyRange(d.left).ApplyRange(f.value(to, d.Target, 0)).Deltas()
	least, isBounded, err := distances.Least()
	switch p := f.graph.Model.Program; {
	case err != nil:
		return 0, err
	case !isBounded:
		return 0, fmt.Errorf("no shift is enough: what %s needs of %s is further away with larger sizes", p.Statements[d.Target].Spelling(), p.Statements[d.Source].Spelling())
	}
	return max(0, -least), nil
}

// by is the shift of a statement along a loop that they are to share.
func (f *shifts) by(s, level int) int64 {
	if own := f.of[s]; own != nil {
		return own[level]
	}
	return 0
}

// together are the instances of a dependence that are left in one iteration of a loop which they
// are to share, where the later ones are shifted.
func (f *shifts) together(d needed, level int, by int64) *isl.Map {
	from := f.value(f.nodes[d.from].Loops[level], d.Source, f.by(d.Source, level))
	return d.left.Intersect(from.ApplyRange(f.value(f.nodes[d.to].Loops[level], d.Target, by).Reverse()))
}
