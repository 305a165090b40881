package codegen

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
)

// OpenMP says which pragma stands above a loop with a mark of that kind.
var OpenMP = map[string]string{
	depend.MarkParallel: "omp parallel for",
	depend.MarkVector:   "omp simd",
}

// loopPragmas stand above a loop: with several threads, and with one. Serial is the name of the clause for clang of loops that it makes no vectors of, or "".
type loopPragmas struct{ several, one, serial string }

// pragmasOf are those of a loop with the pragma of its vectors or of several threads,
// and perhaps that of several threads besides.
func (n *nodes) pragmasOf(pragma, parallel string) loopPragmas {
	switch {
	case pragma == n.pragmas[depend.MarkParallel]:
		return loopPragmas{several: pragma}
	case parallel == "":
		return loopPragmas{one: pragma}
	case pragma == OpenMP[depend.MarkVector] && parallel == OpenMP[depend.MarkParallel]:
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
func (f fragment) under(p loopPragmas, h loopHeader) fragment {
	single := p.one
	if p.several != "" {
		single = p.several + ifClause(h.threads)
		if p.serial != "" && strings.Contains(p.several, p.serial) {
			// Clauses for single constructs and for all of them do not go together.
			single = p.several + strings.Replace(ifClause(h.threads), "if(", "if(parallel: ", 1)
		}
	}
	plain := f.lines
	f.bare = false
	f.lines = append([]line{pragmaLine(single)}, plain...)
	if p.several == "" || h.threads == "" || len(plain) > mostTwice {
		return f
	}
	other := fragment{lines: plain, bare: true}
	if p.one != "" {
		other = fragment{lines: append([]line{pragmaLine(p.one)}, plain...)}
	}
	f.lines = append([]line{{0, "#pragma " + p.several}}, plain...)
	lines := enclose("if ("+h.threads+")", f)
	f.lines = append(lines[:len(lines)-1], enclose("} else", other)...)
	return f
}

// scope is what a node has to know about the nodes around it.
type scope struct {
	// marks are the marks of the schedule tree that may come next.
	marks []*mark
	// pragma is to be printed above the loops of depth pragmaDepth, with the
	// clauses for reductions.
	pragma      string
	pragmaDepth int
	clauses     []scop.Clause
	// threads says from when on the next parallel loop is to have several threads; the zero
	// value for always.
	threads schedule.Threads
	// dynamic says that the threads of the next parallel loop get its iterations one
	// by one.
	dynamic bool
	// collapse says that threads share the iterations of the next parallel loop and of the
	// one inside together.
	collapse bool
	// ivdep says that the next vector loop is one of which the compiler knows that it carries
	// no dependence, and no more.
	ivdep bool
	// simdlen is the number of lanes that the compiler is asked for in the next vector loop, 0
	// for none.
	simdlen int64
	// streamLanes is the number of lanes of the next vector loop whose stores pass by the caches,
	// 0 for others.
	streamLanes int64
	// overlap is how vectors of the next vector loop overlap.
	overlap schedule.Overlapping
	// beside says that several iterations of the next loop run at once, which has the depth besideDepth.
	beside      bool
	besideDepth int
	// parallel is the pragma of several threads where pragma is that of the same
	// loop's vectors.
	parallel string
}

// mark prints the code below a mark. A pragma is printed only when the place
// of its loop in the schedule tree is certain.
func (n *nodes) mark(node *isl.AstNode, s scope) fragment {
	found := find(s.marks, node.MarkName(), statementsBelow(node))
	inner := scope{threads: n.threadsOf(node.MarkName())}
	switch kind(node.MarkName()) {
	case depend.MarkParallel, depend.MarkVector:
		inner.threads, inner.dynamic, inner.collapse = s.threads, s.dynamic, s.collapse
		inner.streamLanes, inner.simdlen, inner.overlap = s.streamLanes, s.simdlen, s.overlap
	case depend.MarkCollapse:
		inner.threads, inner.dynamic, inner.collapse = s.threads, s.dynamic, true
	case schedule.MarkIvdep:
		inner = s
		inner.marks, inner.ivdep = nil, true
	case schedule.MarkSimdlen:
		inner = s
		inner.marks, inner.simdlen = nil, schedule.SimdlenOf(node.MarkName())
	case schedule.MarkOverlap:
		inner = s
		inner.marks, inner.overlap = nil, schedule.OverlapOf(node.MarkName())
	case schedule.MarkStream:
		inner = s
		inner.marks, inner.streamLanes = nil, schedule.StreamLanes(node.MarkName())
	case schedule.MarkDynamic:
		inner.threads, inner.dynamic = s.threads, true
	}
	for _, m := range found {
		inner.marks = append(inner.marks, m.inner...)
	}
	if depth := depthOf(found); depth >= 0 && kind(node.MarkName()) == depend.MarkBeside {
		inner.beside, inner.besideDepth = true, depth
	} else if depth >= 0 && !isHint(node.MarkName()) {
		inner.pragma, inner.pragmaDepth = n.pragmas[kind(node.MarkName())], depth
		inner.clauses = reductionsOf(node.MarkName())
		if kind(node.MarkName()) == depend.MarkVector && s.pragmaDepth == depth {
			inner.parallel = s.pragma
		}
		if s.ivdep && inner.pragma == OpenMP[depend.MarkVector] {
			inner.pragma = n.ivdepMacro("")
		}
	}
	if kind(node.MarkName()) == schedule.MarkTile && n.full == nil {
		return n.tile(node.MarkNode(), inner)
	}
	if kind(node.MarkName()) == schedule.MarkTeam {
		return n.crewed(node.MarkNode(), inner)
	}
	if kind(node.MarkName()) == depend.MarkRelay {
		return n.relayed(node.MarkNode(), inner, node.MarkName())
	}
	if kind(node.MarkName()) == depend.MarkRegion {
		return n.region(node.MarkNode(), inner)
	}
	if block, ok := blockAt(node.MarkName(), depthOf(found)); ok {
		return n.registers(node.MarkNode(), inner, block)
	}
	if packed, ok := schedule.PackMarkOf(node.MarkName()); ok {
		return n.packed(node.MarkNode(), inner, packed)
	}
	if kind(node.MarkName()) == depend.MarkCopy {
		return n.copied(node.MarkNode(), inner, node.MarkName())
	}
	if kind(node.MarkName()) == depend.MarkLayout {
		return n.laidOut(node.MarkNode(), inner, node.MarkName())
	}
	f := n.fragment(node.MarkNode(), inner)
	if name, isPrivate := strings.CutPrefix(node.MarkName(), depend.MarkPrivate+" "); isPrivate && mentions(f.lines, name) {
		f.declares = union(f.declares, []string{name})
	}
	if mark, err := depend.LocalMarkOf(node.MarkName()); err == nil && mark.Loop == "" && mark.Own && mentions(f.lines, mark.Array) {
		f.declares = union(f.declares, []string{mark.Array})
	}
	return f
}

// isHint says whether a mark says more of the vector loop whose mark is right below.
func isHint(mark string) bool {
	return slices.Contains([]string{schedule.MarkIvdep, schedule.MarkSimdlen, schedule.MarkStream, schedule.MarkOverlap}, kind(mark))
}

// loopMarks is what marks say of one loop, as in scope.
type loopMarks struct {
	pragma, parallel string
	threads          schedule.Threads
	dynamic          bool
	collapse         bool
	streamLanes      int64
	simdlen          int64
	overlap          schedule.Overlapping
	beside           bool
}

// take takes what the scope says of the loop with that variable out of it, so that it
// says nothing of the loops inside.
func (n *nodes) take(s *scope, variable string) loopMarks {
	said := loopMarks{pragma: s.pragma, parallel: s.parallel, threads: s.threads}
	depth, known := n.depths[variable]
	said.beside = s.beside && known && depth == s.besideDepth
	if !known || depth != s.pragmaDepth || n.single && said.pragma == n.pragmas[depend.MarkParallel] {
		said.pragma = ""
	}
	switch {
	case said.pragma == OpenMP[depend.MarkParallel]:
		said.dynamic, said.collapse = s.dynamic, s.collapse
	case said.isOfVectors():
		said.streamLanes, said.simdlen, said.overlap = s.streamLanes, s.simdlen, s.overlap
	}
	s.pragma, s.parallel, s.threads, s.dynamic, s.collapse, s.streamLanes, s.simdlen = "", "", schedule.Threads{}, false, false, 0, 0
	s.overlap, s.beside = schedule.Overlapping{}, false
	return said
}

// isOfVectors says whether the compiler is told that the loop's iterations are independent.
func (m loopMarks) isOfVectors() bool {
	return m.pragma == OpenMP[depend.MarkVector] || isIvdep(m.pragma)
}

// marked is the loop with what marks say of it.
func (n *nodes) marked(header loopHeader, said loopMarks, s scope) fragment {
	if said.isOfVectors() && n.mixesRows(header) {
		if said.pragma, said.parallel = said.parallel, ""; said.pragma == "" {
			s.clauses = nil
		}
	}
	if said.pragma != "" {
		defer n.limit(&header, said)()
	}
	if clauses := s.clauses; said.pragma != "" && len(clauses) > 0 {
		n.crew.run()
		return n.carrying(header, s, said.pragma, clauses)
	}
	if said.streamLanes > 0 && said.parallel == "" {
		if f, ok := n.streamed(header, said.streamLanes, s); ok {
			return f
		}
	}
	if said.overlap.Lanes > 0 && said.parallel == "" {
		if f, ok := n.overlapped(header, said.overlap.Lanes, s); ok {
			return f
		}
	}
	if said.beside {
		if f, ok := n.rowsBeside(header, s); ok {
			return f
		}
	}
	if outer := n.collapse; outer != nil && said.pragma == OpenMP[depend.MarkParallel] {
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
	var bound []line
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
		return f.under(loopPragmas{one: pragma + clause}, header)
	}
	pragmas := n.pragmasOf(pragma, said.parallel).inLanes(said.simdlen, serial)
	pragmas.several += clause
	if said.dynamic {
		pragmas.several += " schedule(dynamic)"
	}
	f = f.under(pragmas, header)
	if bound != nil {
		f = fragment{lines: braces(append(bound, f.lines...))}
	}
	return f
}

// mark is a mark of the schedule tree.
type mark struct {
	name string
	// depth is the depth of the loop below: the number of band members above.
	depth int
	// statements are the names of those that reach the mark.
	statements map[string]bool
	// inner are the outermost marks below.
	inner []*mark
}

// marksBelow are the outermost marks of the subtree of a schedule tree whose
// root lies below depth band members, and deepest the number of band members
// on its longest branch, including those above.
func marksBelow(node *isl.ScheduleNode, depth int) (marks []*mark, deepest int) {
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
		marks = []*mark{{name: node.MarkName(), depth: depth, statements: statementsAt(node), inner: marks}}
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
func find(marks []*mark, name string, statements map[string]bool) []*mark {
	var found []*mark
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
func depthOf(marks []*mark) int {
	depth := -1
	for _, m := range marks {
		if depth >= 0 && m.depth != depth {
			return -1
		}
		depth = m.depth
	}
	return depth
}

// kind is the part of a mark's name that says what it asks for.
func kind(name string) string {
	k, _, _ := strings.Cut(name, " ")
	return k
}
