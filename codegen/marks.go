package codegen

import (
	"slices"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/mark"
)

// scope is what a node has to know about the nodes around it.
type scope struct {
	// marks are the marks of the schedule tree that may come next.
	marks []*placedMark
	// said are the marks that have come and speak of the next loop, if that has their depth in the schedule tree.
	said []saidMark
}

// saidMark is a mark of the syntax tree whose loop has a depth in the schedule tree.
type saidMark struct {
	mark.Mark
	depth int
}

// mark prints the code below a mark. What it says of a loop counts only when the place
// of that in the schedule tree is certain.
func (n *nodes) mark(node *isl.AstNode, s scope) fragment {
	m, err := n.marks.At(node.MarkName())
	if err != nil {
		n.fail(err)
		return fragment{}
	}
	inner, depth := s.below(node, m)
	if depth < 0 {
		n.unplaced(m)
	}
	switch m := m.(type) {
	case mark.Tile:
		if n.full == nil {
			return n.tile(node.MarkNode(), inner, m)
		}
	case mark.Team:
		return n.crewed(node.MarkNode(), inner, m)
	case mark.Relay:
		return n.relayed(node.MarkNode(), inner, m)
	case mark.Region:
		return n.region(node.MarkNode(), inner, m)
	case mark.Registers:
		if depth >= 0 {
			return n.registers(node.MarkNode(), inner, placedBlock{m, depth + m.Streams})
		}
	case mark.Pack:
		return n.packed(node.MarkNode(), inner, m)
	case mark.Layout:
		return n.laidOut(node.MarkNode(), inner, m)
	case mark.Private:
		return n.declaring(n.fragment(node.MarkNode(), inner), m.Variable)
	case mark.Local:
		switch {
		case m.Loop != "":
			return n.copied(node.MarkNode(), inner, m)
		case m.Own:
			return n.declaring(n.fragment(node.MarkNode(), inner), m.Array)
		}
	}
	return n.fragment(node.MarkNode(), inner)
}

// below is what the node below a mark has to know, and the depth of the mark in the schedule tree, -1 where nobody knows it.
func (s scope) below(node *isl.AstNode, m mark.Mark) (inner scope, depth int) {
	found := find(s.marks, node.MarkName(), statementsBelow(node))
	depth = depthOf(found)
	inner.said = append(slices.Clip(s.said), saidMark{m, depth})
	for _, m := range found {
		inner.marks = append(inner.marks, m.inner...)
	}
	return inner, depth
}

// declaring is the fragment for whose variable of that name there has to be a declaration, where it has the name.
func (n *place) declaring(f fragment, name string) fragment {
	if n.mentions(f.code, name) {
		f.declares = union(f.declares, []string{name})
	}
	return f
}

// loopMarks is what marks say of one loop.
type loopMarks struct {
	marks mark.Set
	// on is who is to run the iterations, with the clauses for reductions; alsoThreads says that threads share those of a loop in lanes,
	// independent that compilers are told of these lanes by that alone.
	on                       loopir.Level
	alsoThreads, independent bool
	clauses                  []scop.Clause
}

// take takes what the scope says of the loop with that variable out of it, so that it
// says nothing of the loops inside.
func (n *nodes) take(s *scope, variable string) (said loopMarks) {
	depth, known := n.depths[variable]
	for _, m := range s.said {
		if known && m.depth == depth {
			said.marks = append(said.marks, m.Mark)
		}
	}
	s.said = nil
	if parallel, is := mark.Of[mark.Parallel](said.marks); is {
		said.on, said.clauses = loopir.OnThreads, parallel.Reductions
	}
	if vector, is := mark.Of[mark.Vector](said.marks); is {
		said.alsoThreads, said.on, said.clauses = said.on == loopir.OnThreads, loopir.InLanes, vector.Reductions
		if said.independent = mark.Has[mark.Ivdep](said.marks); said.independent {
			n.independentMacro(scop.NotSerial)
		}
	}
	if n.single && said.on == loopir.OnThreads {
		said.on = loopir.Sequential
	}
	return said
}

// isOfThreads says whether threads share the iterations of the loop, which has no vectors.
func (m loopMarks) isOfThreads() bool { return m.on == loopir.OnThreads }

// isOfVectors says whether the compiler is told that the loop's iterations are independent.
func (m loopMarks) isOfVectors() bool { return m.on == loopir.InLanes }

// overlap is how the vectors of the loop overlap, no lanes where they do not.
func (m loopMarks) overlap() (o mark.Overlap) {
	if m.isOfVectors() {
		o, _ = mark.Of[mark.Overlap](m.marks)
	}
	return o
}

// streamLanes is the number of lanes of vectors whose stores pass by the caches, 0 for others.
func (m loopMarks) streamLanes() int64 {
	stream, _ := mark.Of[mark.Stream](m.marks)
	if !m.isOfVectors() {
		return 0
	}
	return stream.Lanes
}

// simdlen is the number of lanes that the compiler is asked for, 0 for none.
func (m loopMarks) simdlen() int64 {
	simdlen, _ := mark.Of[mark.Simdlen](m.marks)
	if !m.isOfVectors() {
		return 0
	}
	return simdlen.Lanes
}

// isDynamic says whether threads get the iterations one by one.
func (m loopMarks) isDynamic() bool { return m.isOfThreads() && mark.Has[mark.Dynamic](m.marks) }

// isCollapsed says whether threads share the iterations together with those of the loop inside.
func (m loopMarks) isCollapsed() bool { return m.isOfThreads() && mark.Has[mark.Collapse](m.marks) }

// notOneBound and mixed are why a loop has no threads or lanes.
const (
	notOneBound = "the loop does not end at one bound of its variable, as loops of threads and lanes have to"
	mixed       = "it uses elements of an array in several rows at once, of which gcc makes wrong code in SIMD lanes: have the loop along the rows innermost"
)

// unplaced declines a mark of a loop of which nobody knows which one it is in the code.
func (n *place) unplaced(m mark.Mark) {
	switch m.(type) {
	case mark.Parallel, mark.Vector, mark.Registers:
		n.env.Decline(m, "isl has made several loops there, or left some out, so that nobody knows which one it is")
	}
}

// serial has a loop run in order, and declines the threads and lanes that its marks ask for.
func (n *nodes) serial(said *loopMarks, reason string) {
	said.on = loopir.Sequential
	noteOf[mark.Parallel](n, *said, false, reason)
	noteOf[mark.Vector](n, *said, false, reason)
}

// notPlain is why a loop is not written in vectors of our own.
const notPlain = "the loop's body is not one assignment whose elements follow each other from one iteration to the next"

// noteOf notes whether the code of a loop has its mark of a kind.
func noteOf[M mark.Mark](n *nodes, said loopMarks, honoured bool, reason string) {
	if m, is := mark.Of[M](said.marks); is {
		n.note(m, honoured, reason)
	}
}

// note notes whether code has a mark.
func (n *place) note(m mark.Mark, honoured bool, reason string) {
	if honoured {
		n.env.Honour(m)
	} else {
		n.env.Decline(m, reason)
	}
}

// marked is the loop with what marks say of it.
func (n *nodes) marked(header loopHeader, said loopMarks, s scope) fragment {
	if said.isOfVectors() && n.mixesRows(header) {
		said.on = loopir.Sequential
		if noteOf[mark.Vector](n, said, false, mixed); said.alsoThreads {
			said.on, said.alsoThreads = loopir.OnThreads, false
		}
	}
	if said.on != loopir.Sequential {
		defer n.limit(&header, said)()
	}
	if said.on != loopir.Sequential && len(said.clauses) > 0 {
		n.crew.run()
		return n.carrying(header, s, said)
	}
	if f, ok := n.inVectors(header, said, s); ok {
		return f
	}
	if outer := n.collapse; outer != nil && said.isOfThreads() {
		n.collapse = nil
		outer.take(header, n.expression(header.start), n.expression(header.condition))
		return n.around(header, n.body(header.body, s))
	}
	shares := n.team.enter(said, header, n.expression(header.start), n.expression(header.condition))
	shares = n.crew.enter(shares, said, header)
	if said.isOfThreads() {
		noteOf[mark.Threads](n, said, n.crew.heeds(header), "the team around has threads by another condition")
	}
	if said.on == loopir.Sequential {
		if f, ok := n.updating(header, s); ok {
			return f
		}
	}
	return n.onLevels(header, said, shares, s)
}

// inVectors is a loop in vectors of our own; ok is false where it is not to be, or cannot be, one.
func (n *nodes) inVectors(header loopHeader, said loopMarks, s scope) (f fragment, ok bool) {
	if lanes := said.streamLanes(); lanes > 0 && !said.alsoThreads {
		f, ok := n.streamed(header, lanes, s)
		if noteOf[mark.Stream](n, said, ok, notPlain); ok {
			noteOf[mark.Vector](n, said, true, "")
			return f, true
		}
	}
	if lanes := said.overlap().Lanes; lanes > 0 && !said.alsoThreads {
		f, ok := n.overlapped(header, lanes, s)
		if noteOf[mark.Overlap](n, said, ok, notPlain); ok {
			noteOf[mark.Vector](n, said, true, "")
			return f, true
		}
	}
	if mark.Has[mark.Beside](said.marks) {
		f, ok := n.rowsBeside(header, s)
		if noteOf[mark.Beside](n, said, ok, "the loop inside is not written in vectors that overlap"); ok {
			return f, true
		}
	}
	return f, false
}

// onLevels is the loop as threads share it, as those of a team around do it where shares says how, and as compilers are told of it.
func (n *nodes) onLevels(header loopHeader, said loopMarks, shares *loopir.Threads, s scope) fragment {
	var lanes *loopir.Lanes
	var bound *loopir.Let
	if said.isOfVectors() {
		lanes = &loopir.Lanes{Count: said.simdlen(), Serial: n.serialOf(header), Independent: said.independent}
		n.serialClause(lanes.Serial)
		if said.independent {
			if lanes.Serial != scop.NotSerial {
				n.independentMacro(lanes.Serial)
			}
			bound = n.boundInFront(&header)
		}
	}
	body, collapsed := n.sharedBody(header, said, s)
	f := n.around(header, body)
	n.team.leave(shares)
	n.crew.leave(shares)
	loop := f.code[0].(*loopir.For)
	loop.Lanes, loop.Threads = lanes, shares
	if shares == nil && (said.isOfThreads() || said.alsoThreads) && said.on != loopir.Sequential {
		loop.Threads = &loopir.Threads{Several: header.threads, Apart: header.threads != ""}
		if said.isDynamic() {
			loop.Threads.Schedule = loopir.Dynamic
		}
	}
	if loop.Threads != nil {
		loop.Threads.Collapsed = collapsed
	}
	if bound != nil {
		bound.Body = f.code
		f = of(bound)
	}
	return f
}

// placedMark is a mark of the schedule tree.
type placedMark struct {
	name string
	// depth is the depth of the loop below: the number of band members above.
	depth int
	// statements are the names of those that reach the mark.
	statements map[string]bool
	// inner are the outermost marks below.
	inner []*placedMark
}

// marksBelow are the outermost marks of the subtree of a schedule tree whose
// root lies below depth band members, and deepest the number of band members
// on its longest branch, including those above.
func marksBelow(node *isl.ScheduleNode, depth int) (marks []*placedMark, deepest int) {
	below := depth
	if node.Type() == isl.NodeBand {
		below += node.BandMembers()
	}
	deepest = below
	for _, child := range node.Children() {
		inner, d := marksBelow(child, below)
		marks, deepest = append(marks, inner...), max(deepest, d)
	}
	if node.Type() == isl.NodeMark {
		marks = []*placedMark{{name: node.MarkName(), depth: depth, statements: statementsAt(node), inner: marks}}
	}
	return marks, deepest
}

func statementsAt(node *isl.ScheduleNode) map[string]bool {
	names := map[string]bool{}
	for _, set := range node.Domain().Sets() {
		names[set.TupleName()] = true
	}
	return names
}

// find returns the marks that a mark of the syntax tree may stand for: those
// of its name that its statements reach.
func find(marks []*placedMark, name string, statements map[string]bool) []*placedMark {
	var found []*placedMark
	for _, m := range marks {
		if m.name == name && containsAll(m.statements, statements) {
			found = append(found, m)
		}
	}
	return found
}

func containsAll(set, subset map[string]bool) bool {
	for name := range subset {
		if !set[name] {
			return false
		}
	}
	return true
}

// depthOf is the depth that all marks agree on, or -1: isl leaves out loops
// that run once, and a pragma must never move to another loop.
func depthOf(marks []*placedMark) int {
	depth := -1
	for _, m := range marks {
		if depth >= 0 && m.depth != depth {
			return -1
		}
		depth = m.depth
	}
	return depth
}
