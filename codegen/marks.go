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

// The kinds of marks that have a pragma.
const ofThreads, ofLanes = "parallel", "vector"

// OpenMP says which pragma stands above a loop with a mark of that kind.
var OpenMP = map[string]string{
	ofThreads: "omp parallel for",
	ofLanes:   "omp simd",
}

// loopPragmas stand above a loop: with several threads, and with one. Serial is the name of the clause for clang of loops that it makes no vectors of, or "".
type loopPragmas struct{ several, one, serial string }

// pragmasOf are those of a loop with the pragma of its vectors or of several threads,
// and perhaps that of several threads besides.
func (n *nodes) pragmasOf(pragma, parallel string) loopPragmas {
	switch {
	case pragma == n.pragmas[ofThreads]:
		return loopPragmas{several: pragma}
	case parallel == "":
		return loopPragmas{one: pragma}
	case pragma == OpenMP[ofLanes] && parallel == OpenMP[ofThreads]:
		return loopPragmas{several: parallel + " simd", one: pragma}
	}
	return loopPragmas{several: parallel, one: pragma}
}

// inLanes are the pragmas with a number of lanes for loops in lanes, 0 leaves it to the compiler, and with the clause that serial names.
func (p loopPragmas) inLanes(lanes int64, serial string) loopPragmas {
	ask := func(pragma string) string {
		if !strings.HasSuffix(pragma, "simd") {
			return pragma
		}
		if lanes > 0 {
			pragma = fmt.Sprintf("%s simdlen(%d)", pragma, lanes)
		}
		return strings.TrimSpace(pragma + " " + serial)
	}
	return loopPragmas{ask(p.several), ask(p.one), serial}
}

// mostTwice is the largest number of lines of a loop that is there twice.
const mostTwice = 64

// under is a loop under its pragmas. Where a condition says when it has several
// threads, a loop of not too many lines is there twice: compilers make a function of a
// parallel region, in which they know less of the data, such as that nothing else has what
// restricted pointers point to; and one thread would pay for the call.
func (n *nodes) under(f fragment, p loopPragmas, h loopHeader) fragment {
	single := p.one
	if p.several != "" {
		single = p.several + ifClause(h.threads)
		if p.serial != "" && strings.Contains(p.several, p.serial) {
			// Clauses for single constructs and for all of them do not go together.
			single = p.several + strings.Replace(ifClause(h.threads), "if(", "if(parallel: ", 1)
		}
	}
	plain := f.code
	f.code = hinted(single, plain)
	if p.several == "" || h.threads == "" || len(n.lines(plain)) > mostTwice {
		return f
	}
	other := plain
	if p.one != "" {
		other = hinted(p.one, plain)
	}
	f.code = loopir.Code{&loopir.Either{Condition: h.threads, Then: hinted(p.several, plain), Else: other, Short: true}}
	return f
}

// hinted is code under a pragma.
func hinted(pragma string, code loopir.Code) loopir.Code {
	return loopir.Code{&loopir.Hint{Pragma: pragma, Body: code}}
}

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
		n.err = err
		return fragment{}
	}
	inner, depth := s.below(node, m)
	switch m := m.(type) {
	case mark.Tile:
		if n.full == nil {
			return n.tile(node.MarkNode(), inner)
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
func (n *nodes) declaring(f fragment, name string) fragment {
	if n.mentions(f.code, name) {
		f.declares = union(f.declares, []string{name})
	}
	return f
}

// loopMarks is what marks say of one loop.
type loopMarks struct {
	marks mark.Set
	// pragma is to be printed above the loop, with the clauses for reductions; parallel is the pragma of several threads
	// where pragma is that of the same loop's vectors.
	pragma, parallel string
	clauses          []scop.Clause
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
		said.pragma, said.clauses = n.pragmas[ofThreads], parallel.Reductions
	}
	if vector, is := mark.Of[mark.Vector](said.marks); is {
		said.parallel, said.pragma, said.clauses = said.pragma, n.pragmas[ofLanes], vector.Reductions
		if mark.Has[mark.Ivdep](said.marks) && said.pragma == OpenMP[ofLanes] {
			said.pragma = n.ivdepMacro("")
		}
	}
	if n.single && said.pragma == n.pragmas[ofThreads] {
		said.pragma = ""
	}
	return said
}

// isOfThreads says whether OpenMP's threads share the iterations of the loop, which has no vectors.
func (m loopMarks) isOfThreads() bool { return m.pragma == OpenMP[ofThreads] }

// isOfVectors says whether the compiler is told that the loop's iterations are independent.
func (m loopMarks) isOfVectors() bool { return m.pragma == OpenMP[ofLanes] || isIvdep(m.pragma) }

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

// notPlain is why a loop is not written in vectors of our own.
const notPlain = "the loop's body is not one assignment whose elements follow each other from one iteration to the next"

// noteOf notes whether the code of a loop has its mark of a kind.
func noteOf[M mark.Mark](n *nodes, said loopMarks, honoured bool, reason string) {
	if m, is := mark.Of[M](said.marks); is {
		n.note(m, honoured, reason)
	}
}

// note notes whether code has a mark.
func (n *nodes) note(m mark.Mark, honoured bool, reason string) {
	if honoured {
		n.honours.Honour(m)
	} else {
		n.honours.Decline(m, reason)
	}
}

// marked is the loop with what marks say of it.
func (n *nodes) marked(header loopHeader, said loopMarks, s scope) fragment {
	if said.isOfVectors() && n.mixesRows(header) {
		said.pragma, said.parallel = said.parallel, ""
	}
	if said.pragma != "" {
		defer n.limit(&header, said)()
	}
	if clauses := said.clauses; said.pragma != "" && len(clauses) > 0 {
		n.crew.run()
		return n.carrying(header, s, said.pragma, clauses)
	}
	if lanes := said.streamLanes(); lanes > 0 && said.parallel == "" {
		f, ok := n.streamed(header, lanes, s)
		if noteOf[mark.Stream](n, said, ok, notPlain); ok {
			return f
		}
	}
	if lanes := said.overlap().Lanes; lanes > 0 && said.parallel == "" {
		f, ok := n.overlapped(header, lanes, s)
		if noteOf[mark.Overlap](n, said, ok, notPlain); ok {
			return f
		}
	}
	if mark.Has[mark.Beside](said.marks) {
		f, ok := n.rowsBeside(header, s)
		if noteOf[mark.Beside](n, said, ok, "the loop inside is not written in vectors that overlap"); ok {
			return f
		}
	}
	if outer := n.collapse; outer != nil && said.pragma == OpenMP[ofThreads] {
		n.collapse = nil
		outer.take(header, n.expression(header.start), n.expression(header.condition))
		return n.around(header, n.body(header.body, s))
	}
	pragma := n.team.enter(said.pragma, header, n.expression(header.start), n.expression(header.condition))
	pragma = n.crew.enter(pragma, said, header)
	if pragma == "" {
		if f, ok := n.updating(header, s); ok {
			return f
		}
	}
	serial := ""
	if said.isOfVectors() && pragma != "" {
		if serial = n.serialClause(header); serial != "" && isIvdep(pragma) {
			pragma = n.ivdepMacro(serial)
		}
	}
	var bound *loopir.Let
	if isIvdep(pragma) {
		bound = n.boundInFront(&header)
	}
	body, clause := n.sharedBody(header, said, pragma, s)
	f := n.around(header, body)
	n.team.leave(pragma)
	n.crew.leave(pragma)
	switch {
	case pragma == "":
		return f
	case pragma == sharedFor || isShare(pragma):
		return n.under(f, loopPragmas{one: pragma + clause}, header)
	}
	pragmas := n.pragmasOf(pragma, said.parallel).inLanes(said.simdlen(), serial)
	pragmas.several += clause
	if said.isDynamic() {
		pragmas.several += " schedule(dynamic)"
	}
	f = n.under(f, pragmas, header)
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
