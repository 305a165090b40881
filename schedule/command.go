package schedule

import (
	"fmt"
	"slices"
	"strings"

	"polytune/scop"
	"polytune/scop/mark"
)

// Command is one step of a recipe.
//
// A command's own check is structural: names, permutability, sizes. That the
// result respects every dependence is proven on the lowered tree by
// depend.Graph.Check; Recipe.Replay says which command was the first to break
// one.
type Command interface {
	// Name is the command's first word.
	Name() string
	// Text is the command as one line of a recipe of the program.
	Text(p *scop.Program) string
	// Apply changes the tree, or returns an error and leaves it as it was.
	Apply(t *Tree) error
}

// Classes orders the classes of the fusion partition, each a group of
// statement indices:
//
//	classes {S0 S1} {S2}
//
//	S0 S1 S2  -->  c0: S0 S1;  c1: S2
type Classes struct{ Groups [][]int }

// Band adds loops inside a leaf node; Rows[k] are the rows of loop k by
// statement. Permutable says that no dependence inside the node that is not
// carried outside goes backwards along any of the loops.
//
//	band c0 permutable S0[i, j] -> [i, j]; S1[i] -> [i, 0]
//
//	c0: S0 S1  -->  for c0.1 { for c0.2 { S0 S1 } }
type Band struct {
	Node       string
	Permutable bool
	Rows       []map[int]Row
}

// Split orders the statements of a leaf node in groups, inside its loops:
//
//	split c0 {S0} {S1}
//
//	for c0.1 { S0 S1 }  -->  for c0.1 { c0_0: S0;  c0_1: S1 }
type Split struct {
	Node   string
	Groups [][]int
}

// Tile blocks consecutive loops of a permutable band:
//
//	tile c0.1 c0.2 by 32 64
//
//	for c0.1 for c0.2  -->  for c0.1t for c0.2t for c0.1 for c0.2
type Tile struct {
	Loops []string
	Sizes []int64
}

// Wavefront replaces the first of consecutive loops of a permutable band by
// the sum of all, after which the others carry no dependence:
//
//	wavefront c0.1t c0.2t
//
//	for c0.1t for c0.2t  -->  for w = c0.1t + c0.2t  parfor c0.2t
type Wavefront struct{ Loops []string }

// Sink moves a loop of a permutable band inwards, to the innermost place of
// its band and level:
//
//	sink c0.2
//
//	for c0.1 for c0.2 for c0.3  -->  for c0.1 for c0.3 for c0.2
type Sink struct{ Loop string }

// Parallel runs the iterations of a loop on several threads, each of which has
// accumulators of its own for the clauses:
//
//	parallel c0.1t
//	parallel c0.1t reduction(+:x)
type Parallel struct {
	Loop       string
	Reductions []scop.Clause
}

// Vectorize runs the iterations of a node's innermost loop in SIMD lanes, with
// an accumulator for each lane for the clauses:
//
//	vectorize c0.3
//	vectorize c0.3 reduction(max:x)
type Vectorize struct {
	Loop       string
	Reductions []scop.Clause
}

// Separate splits full tiles from partial ones at the innermost tile loop:
//
//	separate c0.3t
type Separate struct{ Loop string }

func (Classes) Name() string   { return "classes" }
func (Band) Name() string      { return "band" }
func (Split) Name() string     { return "split" }
func (Tile) Name() string      { return "tile" }
func (Wavefront) Name() string { return "wavefront" }
func (Sink) Name() string      { return "sink" }
func (Parallel) Name() string  { return "parallel" }
func (Vectorize) Name() string { return "vectorize" }
func (Separate) Name() string  { return "separate" }

// Apply makes one node for each class.
func (c Classes) Apply(t *Tree) error {
	if t.Classes != nil {
		return fmt.Errorf("the classes are given already")
	}
	all := make([]int, len(t.Program.Statements))
	for i := range all {
		all[i] = i
	}
	if err := t.partition(all, c.Groups); err != nil {
		return err
	}
	for k, group := range c.Groups {
		t.Classes = append(t.Classes, &Node{Name: fmt.Sprintf("c%d", k), Statements: slices.Clone(group)})
	}
	return nil
}

// Apply appends the band to the node's chain.
func (c Band) Apply(t *Tree) error {
	n, err := t.Node(c.Node)
	if err != nil {
		return err
	}
	if n.Parts != nil {
		return fmt.Errorf("node %q is split; loops can be added to its parts", n.Name)
	}
	if err := t.checkRows(n, c.Rows); err != nil {
		return err
	}
	for _, rows := range c.Rows {
		n.depth++
		n.Loops = append(n.Loops, &Loop{
			Name:       fmt.Sprintf("%s.%d", n.Name, n.depth),
			Terms:      []Term{{Rows: rows, Size: 1}},
			Band:       n.bands,
			Permutable: c.Permutable,
		})
	}
	n.bands++
	return nil
}

// Apply gives the node its parts.
func (c Split) Apply(t *Tree) error {
	n, err := t.Node(c.Node)
	if err != nil {
		return err
	}
	if n.Parts != nil {
		return fmt.Errorf("node %q is split already", n.Name)
	}
	if err := t.partition(n.Statements, c.Groups); err != nil {
		return err
	}
	for k, group := range c.Groups {
		n.Parts = append(n.Parts, &Node{Name: fmt.Sprintf("%s_%d", n.Name, k), Statements: slices.Clone(group), depth: n.depth})
	}
	return nil
}

// Apply puts the tile loops in front of the loops.
func (c Tile) Apply(t *Tree) error {
	n, first, err := t.chain(c.Loops)
	if err != nil {
		return err
	}
	if len(c.Sizes) != len(c.Loops) {
		return fmt.Errorf("%d sizes for %d loops", len(c.Sizes), len(c.Loops))
	}
	tiles := make([]*Loop, len(c.Loops))
	for k, size := range c.Sizes {
		point := n.Loops[first+k]
		if size < 1 {
			return fmt.Errorf("the tile size of %q is %d; it must be positive", point.Name, size)
		}
		if len(point.Terms) != 1 || point.IsParallel() || point.IsVector() || point.Collapsed {
			return fmt.Errorf("loop %q is a wavefront, parallel or vector loop already; tile it before", point.Name)
		}
		tiles[k] = &Loop{
			Name:       point.Name + "t",
			Terms:      []Term{{Rows: point.TilingRows(), Size: point.Terms[0].Size * size}},
			Band:       point.Band,
			Permutable: true,
			Level:      point.Level + 1,
		}
		if _, _, err := t.loop(tiles[k].Name); err == nil {
			return fmt.Errorf("loop %q is tiled already; tile %q for a further level", point.Name, tiles[k].Name)
		}
	}
	n.Loops = slices.Insert(n.Loops, first, tiles...)
	return nil
}

// Apply replaces the first loop's value by the sum.
func (c Wavefront) Apply(t *Tree) error {
	n, first, err := t.chain(c.Loops)
	if err != nil {
		return err
	}
	if len(c.Loops) < 2 {
		return fmt.Errorf("a wavefront needs two loops or more")
	}
	var sum []Term
	for k := range c.Loops {
		l := n.Loops[first+k]
		if len(l.Terms) != 1 {
			return fmt.Errorf("loop %q is a wavefront already", l.Name)
		}
		sum = append(sum, l.Terms[0])
	}
	n.Loops[first].Terms = sum
	n.Loops[first].Permutable = false
	return nil
}

// Apply moves the loop.
func (c Sink) Apply(t *Tree) error {
	n, place, err := t.loop(c.Loop)
	if err != nil {
		return err
	}
	l := n.Loops[place]
	end := place + 1
	for end < len(n.Loops) && n.Loops[end].Band == l.Band && n.Loops[end].Level == l.Level && n.Loops[end].Block == l.Block {
		end++
	}
	if end > place+1 && !l.Permutable {
		return fmt.Errorf("loop %q is in a band that is not permutable", l.Name)
	}
	n.Loops = slices.Delete(n.Loops, place, place+1)
	n.Loops = slices.Insert(n.Loops, end-1, l)
	return nil
}

// Apply marks the loop.
func (c Parallel) Apply(t *Tree) error {
	n, place, err := t.loop(c.Loop)
	if err != nil {
		return err
	}
	if err := t.checkClauses(c.Reductions); err != nil {
		return err
	}
	l := n.Loops[place]
	if mark.Has[mark.Beside](l.Marks) || mark.Has[mark.Overlap](l.Marks) {
		return fmt.Errorf("iterations of %q run beside each other in vectors that overlap; threads can share another loop", c.Loop)
	}
	if slices.ContainsFunc(t.outside(n), func(outer *Loop) bool { return outer.IsVector() }) {
		return fmt.Errorf("loop %q is inside of a vector loop, whose lanes cannot start threads", c.Loop)
	}
	l.Marks = l.Marks.With(mark.Parallel{Reductions: c.Reductions})
	if l.IsVector() {
		l.Marks = l.Marks.With(mark.Vector{Reductions: c.Reductions})
	}
	return nil
}

// Apply marks the loop, which must be the innermost of its node. Loops of parts inside are for the compiler to unroll.
func (c Vectorize) Apply(t *Tree) error {
	n, place, err := t.loop(c.Loop)
	if err != nil {
		return err
	}
	if place != len(n.Loops)-1 {
		return fmt.Errorf("loop %q is not innermost; sink it before", c.Loop)
	}
	if len(c.Reductions) > 0 && anyLoops(n.Parts) {
		return fmt.Errorf("loop %q has loops inside, and lanes have accumulators in innermost loops alone", c.Loop)
	}
	if n.Loops[place].Collapsed {
		return fmt.Errorf("threads share the iterations of %q together with those of the loop outside", c.Loop)
	}
	if anyParallel(nil, n.Parts) {
		return fmt.Errorf("loop %q has a parallel loop inside, whose threads lanes cannot start", c.Loop)
	}
	if err := t.checkClauses(c.Reductions); err != nil {
		return err
	}
	n.Loops[place].Marks = n.Loops[place].Marks.With(mark.Vector{Reductions: c.Reductions})
	return nil
}

// anyLoops says whether there is a loop in any of the nodes or their parts.
func anyLoops(nodes []*Node) bool {
	return slices.ContainsFunc(nodes, func(n *Node) bool { return len(n.Loops) > 0 || anyLoops(n.Parts) })
}

// Apply marks the loop, which must be the innermost tile loop of its band.
func (c Separate) Apply(t *Tree) error {
	n, place, err := t.loop(c.Loop)
	if err != nil {
		return err
	}
	l := n.Loops[place]
	if l.Level == 0 {
		return fmt.Errorf("loop %q is not a tile loop", c.Loop)
	}
	if place+1 < len(n.Loops) && n.Loops[place+1].Level == l.Level {
		return fmt.Errorf("loop %q is not the innermost tile loop", c.Loop)
	}
	l.Separate = true
	return nil
}

// Text is the command's line.
func (c Classes) Text(p *scop.Program) string {
	return "classes " + (&Tree{Program: p}).drawing(c.Groups)
}

// Text is the command's line.
func (c Split) Text(p *scop.Program) string {
	return "split " + c.Node + " " + (&Tree{Program: p}).drawing(c.Groups)
}

// Text is the command's line.
func (c Band) Text(p *scop.Program) string {
	return fmt.Sprintf("band %s %s%s", c.Node, permutableText(c.Permutable), rowsText(p, c.Rows))
}

// permutableText is the word for loops that may be interchanged.
func permutableText(permutable bool) string {
	if permutable {
		return "permutable "
	}
	return ""
}

// rowsText prints the rows of loops by statement, S0[i] -> [i, 0]; S1[i] -> [i, 1].
func rowsText(p *scop.Program, loops []map[int]Row) string {
	var parts []string
	for i := range p.Statements {
		if _, ok := loops[0][i]; !ok {
			continue
		}
		iterators := p.IteratorNames(i)
		rows := make([]string, len(loops))
		for k := range loops {
			rows[k] = loops[k][i].Text(iterators, p.Parameters)
		}
		parts = append(parts, fmt.Sprintf("%s[%s] -> [%s]", p.Statements[i].Spelling(), strings.Join(iterators, ", "), strings.Join(rows, ", ")))
	}
	return strings.Join(parts, "; ")
}

// Text is the command's line.
func (c Tile) Text(*scop.Program) string {
	return "tile " + strings.Join(c.Loops, " ") + " by " + strings.Trim(fmt.Sprint(c.Sizes), "[]")
}

// Text is the command's line.
func (c Wavefront) Text(*scop.Program) string { return "wavefront " + strings.Join(c.Loops, " ") }

// Text is the command's line.
func (c Sink) Text(*scop.Program) string { return "sink " + c.Loop }

// Text is the command's line.
func (c Parallel) Text(*scop.Program) string {
	return "parallel " + c.Loop + scop.ClausesText(c.Reductions)
}

// Text is the command's line.
func (c Vectorize) Text(*scop.Program) string {
	return "vectorize " + c.Loop + scop.ClausesText(c.Reductions)
}

// Text is the command's line.
func (c Separate) Text(*scop.Program) string { return "separate " + c.Loop }
