package schedule

import (
	"slices"

	"polytune/scop/mark"
)

// Request is what a command asks for at a loop whose marks have tile coordinates, depths or names
// in them, which are known only while the tree is lowered. What is known before stands in
// Loop.Marks.
type Request interface {
	// Stands is where its marks stand.
	Stands() Standing
	// Marks are those that it has at a place, outermost first.
	Marks(*Place) []mark.Mark
}

// Standing is where the marks of a request stand. Where several have marks, they follow each other
// from the outside in the order of these constants, then in that in which they were asked for.
type Standing int

const (
	// AroundLoop is above the loop, for what lasts as long as it runs.
	AroundLoop Standing = iota
	// InEachIteration is above the loops right inside, for what each of its iterations has.
	InEachIteration
	// InFrontOfLoop is above the loop, for what is made once in front of it.
	InFrontOfLoop
	// AroundPoints is above the loops right inside, which run over the points of one of its tiles.
	AroundPoints
	// AboveBlock is above the loop, the first one inside a register block.
	AboveBlock
	// AboveThreads is above the loop, for the threads that run it.
	AboveThreads
	// AheadOfLoop is below the loop and above what its iterations have memory for, for what is asked
	// for in each iteration.
	AheadOfLoop
	// WithMemory is below the loop, for arrays that have elements for one of its iterations.
	WithMemory
	// WithCopies is below the loop and those arrays, for what is copied in each iteration.
	WithCopies
)

// isRightInside says whether the marks stand above the loops right inside.
func (s Standing) isRightInside() bool { return s == InEachIteration || s == AroundPoints }

// isBelow says whether the marks stand below the loop, whatever is inside.
func (s Standing) isBelow() bool { return s >= AheadOfLoop }

// StartsThreads is a request for threads that all run the loop.
type StartsThreads interface {
	Request
	// StartsThreads says that it is one.
	StartsThreads()
}

// OfStatement is a request about one statement.
type OfStatement interface {
	Request
	// Of is that statement.
	Of() int
	// For is the same about another one, of whose accesses the places are the same.
	For(statement int) Request
}

// Divides is a request at the first of the loops inside a register block that what is full of one
// statement runs apart from all else.
type Divides interface {
	Request
	// Divides says whether it is, and how many of the innermost loops full blocks unroll.
	Divides() (unrolled int, is bool)
	// InStretch is what it asks for in a stretch, nil for nothing.
	InStretch(isFull bool) Request
}

// Ask asks for something at the loop.
func (l *Loop) Ask(r Request) { l.Requests = append(slices.Clip(l.Requests), r) }

// Requested are the requests of a kind at the loop.
func Requested[R Request](l *Loop) (some []R) {
	for _, r := range l.Requests {
		if own, is := r.(R); is {
			some = append(some, own)
		}
	}
	return some
}

// RequestOf is the first request of a kind at a loop, if it has one.
func RequestOf[R Request](l *Loop) (r R, is bool) {
	if some := Requested[R](l); len(some) > 0 {
		return some[0], true
	}
	return r, false
}

// IsDivided says whether what is full of one statement runs apart from all else inside the loop.
func (l *Loop) IsDivided() bool {
	d, is := RequestOf[Divides](l)
	if is {
		_, is = d.Divides()
	}
	return is
}

// Place is where in a tree the marks of a request are to stand.
type Place struct {
	Tree *Tree
	// Loop is the one at which something is asked for, of Node or of a node around.
	Loop *Loop
	Node *Node
	// Around are the loops around the marks, outermost first, and Inside those of Node inside of
	// them.
	Around, Inside []*Loop
	tiles          map[int][]tileTerm
}

// Coordinate is the place of a tile of the loop among the tile coordinates that stand in front of a
// statement's iterators.
func (p *Place) Coordinate(tile *Loop, s int) int {
	return p.Tree.coordinate(p.tiles[s], tileTerm{row: tile.Terms[0].Rows[s], size: tile.Terms[0].Size}, s)
}

// IsOnThreads says whether a loop around is parallel.
func (p *Place) IsOnThreads() bool {
	return slices.ContainsFunc(p.Around, func(around *Loop) bool { return around.IsParallel() || around.Collapsed })
}

// standing is a request with where it stands, and the loop at which it was asked for.
type standing struct {
	Request
	at *Loop
}

// standingAt are some requests at a loop, in the order of their marks.
func standingAt(l *Loop, isWanted func(Standing) bool) (some []standing) {
	for _, r := range l.Requests {
		if isWanted(r.Stands()) {
			some = append(some, standing{r, l})
		}
	}
	return inOrder(some)
}

func inOrder(requests []standing) []standing {
	slices.SortStableFunc(requests, func(a, b standing) int { return int(a.Stands()) - int(b.Stands()) })
	return requests
}

// requestsAbove are those whose marks stand above the first of some loops.
func (l *lowering) requestsAbove(loops []*Loop) []standing {
	above := standingAt(loops[0], func(s Standing) bool { return !s.isRightInside() && !s.isBelow() })
	if last := len(l.around) - 1; last >= 0 {
		above = append(above, standingAt(l.around[last], Standing.isRightInside)...)
	}
	return inOrder(above)
}

// requestsBelow are those whose marks stand below the innermost loop around the present place.
func (l *lowering) requestsBelow() []standing {
	if len(l.around) == 0 {
		return nil
	}
	return standingAt(l.around[len(l.around)-1], Standing.isBelow)
}

// marksOf are the marks of requests at the present place of a node, above some of its loops.
func (l *lowering) marksOf(requests []standing, n *Node, inside []*Loop) (marks []mark.Mark) {
	for _, r := range requests {
		marks = append(marks, r.Marks(&Place{Tree: l.tree, Loop: r.at, Node: n, Around: l.around, Inside: inside, tiles: l.tiles})...)
	}
	return marks
}

// Asked are the marks that commands ask for at the place-th loop of a node: those of the loop
// itself, and those of requests.
func (t *Tree) Asked(n *Node, place int) []mark.Mark {
	l := n.Loops[place]
	marks := l.Marks.On(l.Name)
	if len(l.Requests) == 0 {
		return marks
	}
	outside := append(t.Outside(n), n.Loops[:place]...)
	above := lowering{tree: t, tiles: t.tileTerms(), around: outside}
	inside := lowering{tree: t, tiles: above.tiles, around: append(slices.Clip(outside), l)}
	isInside := func(s Standing) bool { return s.isRightInside() || s.isBelow() }
	marks = append(marks, above.marksOf(standingAt(l, func(s Standing) bool { return !isInside(s) }), n, n.Loops[place:])...)
	return append(marks, inside.marksOf(standingAt(l, isInside), n, n.Loops[place+1:])...)
}

// HasCopies says whether elements of some array are copied in a loop's iterations; none are without
// a tree.
func (t *Tree) HasCopies() bool {
	return t != nil && t.anyLoop(func(l *Loop) bool {
		return len(l.Boxes) > 0 || slices.ContainsFunc(l.Requests, func(r Request) bool { return r.Stands() == WithCopies })
	})
}

// anyLoop says whether a loop of the tree is so.
func (t *Tree) anyLoop(is func(*Loop) bool) bool {
	has := false
	t.Walk(func(n *Node) bool {
		has = has || slices.ContainsFunc(n.Loops, is)
		return !has
	})
	return has
}

// Contractions are the expanded arrays that have elements for one iteration alone, with their
// marks.
func (t *Tree) Contractions() map[string]mark.Local {
	marks := map[string]mark.Local{}
	t.Walk(func(n *Node) bool {
		for place := range n.Loops {
			for _, m := range t.Asked(n, place) {
				local, is := m.(mark.Local)
				if held, isHeld := m.(mark.Held); isHeld {
					local, is = mark.Local{Array: held.Array, Own: true}, true
				}
				if _, known := marks[local.Array]; is && !known && local.Loop == "" {
					marks[local.Array] = local
				}
			}
		}
		return true
	})
	return marks
}
