package schedule

import (
	"fmt"
	"slices"
	"strings"

	"polytune/scop"
	"polytune/scop/mark"
)

// Tree is the schedule of a program.
type Tree struct {
	Program *scop.Program
	// Classes are the classes of the fusion partition in execution order.
	Classes []*Node

	// Constants are the arrays in a device's memory for constants.
	Constants []string

	// Shared is the number of bytes of shared memory that a block of a device may have, 0 for those
	// that all devices give it.
	Shared int64

	// Cuts counts the cuts of the program that the recipe has named.
	Cuts int

	// Unclaimed says that nobody claims of loops that they may be interchanged: commands take all
	// that stand right inside each other, and the proof decides.
	Unclaimed bool
}

// Node is a set of statements that share a chain of loops, and the order of
// its parts inside them.
type Node struct {
	// Name is "c" and the number of the class, followed by "_" and the
	// number of the part for every split: c0, c0_1, c0_1_0.
	Name string
	// Statements are indices into the program's statements.
	Statements []int
	// Loops is the chain of loops, outermost first.
	Loops []*Loop
	// Parts run one after the other inside the loops; none at a leaf.
	Parts []*Node
	// Phase says which instances of the statements run here, nil for all of those of the node
	// that it is a part of.
	Phase Phase
	// Marks stand above the node's loops, or above what it runs where it has none. They have no
	// names of loops.
	Marks mark.Set

	// Bands is the number of bands that the node has been given, Depth that of loops around its
	// parts, which the names of further ones go on from.
	Bands, Depth int
}

// Loop is one loop of a node's chain.
type Loop struct {
	// Name is the node's name, ".", and the loop's depth from 1; the tile
	// loop of a loop has "t" appended for every level of tiling.
	Name string
	// Of are, by statement, the places of the loops of the source that the loop is named after, and
	// Given is the name that a recipe has given it, "" for none.
	Of    map[int]int
	Given string
	// Terms sum up to the loop's value; a loop that is not a wavefront has
	// one, and one over hexagonal or overlapped tiles, or with Mapped, none.
	Terms []Term
	// Hexagon is the coordinate of hexagonal tiles that is the loop's value, nil for none.
	Hexagon *HexagonPlace
	// Overlapped is the coordinate of overlapped tiles that is the loop's value, nil for none.
	Overlapped *OverlappedPlace
	// Mapped is the loop's value where isl's maps say it, nil for none.
	Mapped *MappedLoop
	// Band numbers the bands of a node: loops of one band and level may be
	// interchanged when Permutable.
	Band       int
	Permutable bool
	// Level is 0 for a point loop and counts the levels of tiling.
	Level int
	// TileRows are the rows of the loop's tiles where they are not its own.
	TileRows map[int]Row
	// Marks say how the loop runs: on threads, in lanes, and what code of it is like. They have no
	// names of loops.
	Marks mark.Set
	// Collapsed says that threads share the iterations with those of the loop outside together.
	Collapsed bool
	// Block says that the loop runs over register blocks, Unrolled that it is
	// unrolled inside of full ones.
	Block, Unrolled bool
	// Shifted says that statements have been shifted along a loop.
	Shifted bool
	// Requests are what commands ask for whose marks are made while the tree is lowered.
	Requests []Request
	// Boxes are the copies in a device's memories, made in each iteration.
	Boxes []mark.Box
}

// StartsThreads says whether threads start at the loop that all run it.
func (l *Loop) StartsThreads() bool {
	return mark.Has[mark.Region](l.Marks) || mark.Has[mark.Team](l.Marks) || len(Requested[StartsThreads](l)) > 0
}

// IsParallel says whether the iterations run on several threads.
func (l *Loop) IsParallel() bool { return mark.Has[mark.Parallel](l.Marks) }

// IsOnDevice says whether blocks of a grid, or threads of a block, share the iterations.
func (l *Loop) IsOnDevice() bool {
	return mark.Has[mark.Block](l.Marks) || mark.Has[mark.Thread](l.Marks)
}

// IsVector says whether the iterations run in SIMD lanes.
func (l *Loop) IsVector() bool { return mark.Has[mark.Vector](l.Marks) }

// Reductions are the clauses of a parallel or vector loop.
func (l *Loop) Reductions() []scop.Clause {
	if vector, is := mark.Of[mark.Vector](l.Marks); is {
		return vector.Reductions
	}
	parallel, _ := mark.Of[mark.Parallel](l.Marks)
	return parallel.Reductions
}

// Runs says whether the loop runs a statement.
func (l *Loop) Runs(s int) bool {
	var rows map[int]Row
	switch {
	case l.Mapped != nil:
		_, runs := l.Mapped.Of.Maps[s]
		return runs
	case l.Hexagon != nil:
		rows = l.Hexagon.Of.Time
	case l.Overlapped != nil:
		rows = l.Overlapped.Of.Time
	default:
		rows = l.Terms[0].Rows
	}
	_, runs := rows[s]
	return runs
}

// TilingRows are the rows that the tiles of a loop are made of, by statement;
// the loop is no wavefront.
func (l *Loop) TilingRows() map[int]Row {
	if l.TileRows != nil {
		return l.TileRows
	}
	return l.Terms[0].Rows
}

// Term is Factor * floor(row / Size), for each statement of the node its own row; a Factor of 0
// stands for 1.
type Term struct {
	Rows         map[int]Row
	Size, Factor int64
}

// NewTree returns a tree without any order, on which a recipe's "classes"
// command starts. It begins with the program that no command has rewritten.
func NewTree(p *scop.Program) *Tree { return &Tree{Program: p.Root()} }

// Walk calls visit for every node, parents first, until it returns false.
func (t *Tree) Walk(visit func(*Node) bool) {
	var down func(nodes []*Node) bool
	down = func(nodes []*Node) bool {
		for _, n := range nodes {
			if !visit(n) || !down(n.Parts) {
				return false
			}
		}
		return true
	}
	down(t.Classes)
}

// Node returns the node of that name; the error lists the names there are.
func (t *Tree) Node(name string) (*Node, error) {
	var found *Node
	var names []string
	t.Walk(func(n *Node) bool {
		names = append(names, n.Name)
		if n.Name == name {
			found = n
		}
		return found == nil
	})
	if found == nil {
		return nil, fmt.Errorf("there is no node %q; there are %s", name, strings.Join(names, " "))
	}
	return found, nil
}

// contains says whether another node is a part of this one, or of one of its parts.
func (n *Node) contains(other *Node) bool {
	return slices.ContainsFunc(n.Parts, func(part *Node) bool { return part == other || part.contains(other) })
}

// PartsHaveLoops says whether there is a loop in any of the node's parts, or their parts.
func (n *Node) PartsHaveLoops() bool {
	return slices.ContainsFunc(n.Parts, func(part *Node) bool { return len(part.Loops) > 0 || part.PartsHaveLoops() })
}

// Chain finds loops that follow each other in one node, in one permutable band and at one level
// where bands are claimed, and returns the node and the place of the first.
func (t *Tree) Chain(names []string) (*Node, int, error) {
	if len(names) == 0 {
		return nil, 0, fmt.Errorf("no loop is named")
	}
	node, first, err := t.Loop(names[0])
	if err != nil {
		return nil, 0, err
	}
	for k, name := range names {
		if _, _, err := t.Loop(name); err != nil {
			return nil, 0, err
		}
		if first+k >= len(node.Loops) || node.Loops[first+k].Name != name {
			return nil, 0, fmt.Errorf("loop %q does not come right inside %q", name, names[max(0, k-1)])
		}
		if !t.AreOfOneBand(node.Loops[first], node.Loops[first+k]) {
			return nil, 0, fmt.Errorf("loops %q and %q are not in one band", names[0], name)
		}
		if len(names) > 1 && !t.MayMove(node.Loops[first+k]) {
			return nil, 0, fmt.Errorf("loop %q is in a band that is not permutable", name)
		}
	}
	return node, first, nil
}

// MayMove says whether commands may change the place of a loop among others of its band: somebody
// claims it, or nobody claims anything.
func (t *Tree) MayMove(l *Loop) bool { return l.Permutable || t.Unclaimed }

// ShareBand says whether two loops of a node are of one band, as all are where nobody claims any.
func (t *Tree) ShareBand(a, b *Loop) bool { return t.Unclaimed || a.Band == b.Band }

// AreOfOneBand says whether two loops of a node are of one band and level, as all are where nobody
// claims bands.
func (t *Tree) AreOfOneBand(a, b *Loop) bool {
	return t.ShareBand(a, b) && (t.Unclaimed || a.Level == b.Level)
}

// statementNames are the names of the node's statements.
func (t *Tree) statementNames(n *Node) []string {
	names := make([]string, len(n.Statements))
	for i, s := range n.Statements {
		names[i] = t.Program.Statements[s].Spelling()
	}
	return names
}

// drawing prints groups of statements as {S0 S2} {S1}.
func (t *Tree) drawing(groups [][]int) string {
	parts := make([]string, len(groups))
	for i, group := range groups {
		parts[i] = "{" + strings.Join(t.statementNames(&Node{Statements: group}), " ") + "}"
	}
	return strings.Join(parts, " ")
}

// Outside are the loops of the nodes around a node, outermost first.
func (t *Tree) Outside(n *Node) (loops []*Loop) {
	t.Walk(func(around *Node) bool {
		if around != n && around.contains(n) {
			loops = append(loops, around.Loops...)
		}
		return true
	})
	return loops
}

// LoopsInParts are the loops around a statement in the parts of a node, from the outside, up to
// where its instances are in several phases.
func (n *Node) LoopsInParts(s int) []*Loop {
	for _, part := range n.Parts {
		if part.Phase == nil && slices.Contains(part.Statements, s) {
			return append(slices.Clip(part.Loops), part.LoopsInParts(s)...)
		}
	}
	return nil
}

// IsIterator says whether the rows of all of some statements are one of their iterators, by its
// place among their loops.
func IsIterator(p *scop.Program, statements []int, rows map[int]Row, iterator int) bool {
	return !slices.ContainsFunc(statements, func(s int) bool {
		row, ok := rows[s]
		names := p.IteratorNames(s)
		return !ok || row.Text(names, p.Parameters) != names[iterator]
	})
}

// Advance is the iterator of a statement that a loop's iterations count alone, and by how much it
// grows from one to the next. ok is false where there is none.
func (t *Tree) Advance(loop string, s int) (iterator int, by int64, ok bool) {
	n, place, err := t.Loop(loop)
	if err != nil || len(n.Loops[place].Terms) != 1 {
		return 0, 0, false
	}
	term := n.Loops[place].Terms[0]
	for k, c := range term.Rows[s].Iterators {
		switch {
		case c == 0:
		case c != 1 || ok:
			return 0, 0, false
		default:
			iterator, ok = k, true
		}
	}
	return iterator, max(1, term.Size), ok
}

// CheckRows makes sure that each loop has one row for each of the node's
// statements.
func CheckRows[R any](t *Tree, n *Node, loops []map[int]R) error {
	for k, rows := range loops {
		for _, s := range n.Statements {
			if _, ok := rows[s]; !ok {
				return fmt.Errorf("loop %d has no row for statement %s", k+1, t.Program.Statements[s].Spelling())
			}
		}
		if len(rows) != len(n.Statements) {
			return fmt.Errorf("loop %d has rows for statements that are not in %q", k+1, n.Name)
		}
	}
	return nil
}

// CheckGroups checks that the groups hold each of the statements exactly once.
func (t *Tree) CheckGroups(statements []int, groups [][]int) error {
	var all []int
	for _, group := range groups {
		if len(group) == 0 {
			return fmt.Errorf("a group is empty")
		}
		all = append(all, group...)
	}
	slices.Sort(all)
	want := slices.Clone(statements)
	slices.Sort(want)
	if !slices.Equal(all, want) {
		return fmt.Errorf("the groups %s do not hold each of %s once",
			t.drawing(groups), strings.Join(t.statementNames(&Node{Statements: statements}), " "))
	}
	return nil
}

// CheckClauses refuses clauses that no statement of the program is a reduction
// under.
func (t *Tree) CheckClauses(clauses []scop.Clause) error {
	known := t.Program.Reductions()
	for _, c := range clauses {
		if !slices.Contains(known, c) {
			return fmt.Errorf("no statement is a reduction under %s", c)
		}
	}
	return nil
}

// Expansion is the expanded array of that name, nil for none.
func (t *Tree) Expansion(array string) *scop.Expansion {
	for k := range t.Program.Expansions {
		if e := &t.Program.Expansions[k]; e.Name == array {
			return e
		}
	}
	return nil
}
