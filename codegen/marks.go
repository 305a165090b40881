package codegen

import (
	"strings"

	"polytune/isl"
	"polytune/scop/depend"
)

// OpenMP says which pragma stands above a loop with a mark of that kind.
var OpenMP = map[string]string{
	depend.MarkParallel: "omp parallel for",
	depend.MarkVector:   "omp simd",
}

// loopPragmas stand above a loop: with several threads, and with one.
type loopPragmas struct{ several, one string }

// pragmasOf are those of a loop with the pragma of its vectors or of several threads,
// and perhaps that of several threads besides.
func (n *nodes) pragmasOf(pragma, parallel string) loopPragmas {
	switch {
	case pragma == n.pragmas[depend.MarkParallel] || pragma == sharedFor:
		return loopPragmas{several: pragma}
	case parallel == "":
		return loopPragmas{one: pragma}
	case pragma == OpenMP[depend.MarkVector] && parallel == OpenMP[depend.MarkParallel]:
		return loopPragmas{parallel + " simd", pragma}
	}
	return loopPragmas{parallel, pragma}
}

// under is a loop under its pragmas. Where a condition says when it has several
// threads, a loop without others inside is there twice: a compiler makes
// a function of a parallel region, which one thread calls for nothing, and of
// whose data it knows less.
func (f fragment) under(p loopPragmas, h loopHeader) fragment {
	single := p.one
	if p.several != "" {
		single = p.several + h.threadsClause()
	}
	plain := f.lines
	f.bare = false
	f.lines = append([]line{{0, "#pragma " + single}}, plain...)
	if p.several == "" || h.threads == "" || loopsOfChain(h.body) > 0 {
		return f
	}
	other := fragment{lines: plain, bare: true}
	if p.one != "" {
		other = fragment{lines: append([]line{{0, "#pragma " + p.one}}, plain...)}
	}
	f.lines = append([]line{{0, "#pragma " + p.several}}, plain...)
	lines := enclose("if ("+h.threads+")", f)
	f.lines = append(lines[:len(lines)-1], enclose("} else", other)...)
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
