package codegen

import (
	"cmp"
	"slices"

	"polytune/internal/ctext"
	"polytune/loopir"
	"polytune/scop/mark"
)

// survey is what is known about the loops that threads are to run together.
type survey struct {
	nodes *nodes
	// isTeam says that there may be several parallel loops.
	isTeam bool
	// variables are those of the loops around the parallel ones.
	variables map[string]bool
	// loops are the parallel ones.
	loops []sharedLoop
	// threads is the condition of a parallel loop under which there are several
	// threads, where it is the same for all of the code, or "".
	threads string
	// grain is the condition of the parameters under which the first parallel loop has several
	// threads, which is the team's: one thread alone runs the same code then.
	grain string
	// unfit says that something is outside of the parallel loops that each thread would do, that a
	// parallel loop is one that they cannot share, or that its iterations depend on the loops
	// around it, so that threads of a region would not have the same all the time.
	unfit bool
}

// sharedLoop is a parallel loop, with what marks say of it.
type sharedLoop struct {
	node   *loopir.For
	said   loopMarks
	header loopHeader
}

// survey looks at the loops of a team, or of a region.
func (t *teams) survey(code loopir.Code, isTeam bool) *survey {
	v := &survey{nodes: t.nodes, isTeam: isTeam, variables: map[string]bool{}}
	v.code(code)
	return v
}

func (v *survey) code(code loopir.Code) {
	for _, node := range code {
		switch node := node.(type) {
		case *loopir.Run:
			v.unfit = true
		case *loopir.For:
			v.loop(node)
		case *loopir.Marked:
			v.unfit = v.unfit || v.copies(node)
			v.code(node.Body)
		default:
			for _, body := range loopir.Bodies(node) {
				v.code(*body)
			}
		}
	}
}

// copies says whether elements are copied at a mark.
func (v *survey) copies(m *loopir.Marked) bool {
	local, ofArray := m.Mark.(mark.Local)
	_, isPack := m.Mark.(mark.Pack)
	return ofArray && local.Loop != "" || isPack && v.isTeam && !m.Spent
}

func (v *survey) loop(node *loopir.For) {
	n := v.nodes
	said := n.said(node)
	if node.Once {
		v.code(node.Body)
		return
	}
	header := n.headerOf(node)
	if !isCanonical(header.condition, header.variable) {
		n.serial(&said, notOneBound)
	}
	(&flattener{copies: n.copies}).flatten(&header)
	switch {
	case said.on != loopir.Sequential && len(said.clauses) > 0:
		v.unfit = true
	case said.isOfThreads():
		n.limit(&header, said)()
		v.loops = append(v.loops, sharedLoop{node, said, header})
		v.share(header)
	default:
		v.variables[header.variable] = true
		v.code(header.body)
	}
}

// share takes a parallel loop.
func (v *survey) share(header loopHeader) {
	switch {
	case !v.isTeam:
		v.threads = header.threads
		v.unfit = v.unfit || v.varies(v.nodes.expression(header.start).code) || v.varies(v.nodes.expression(header.condition).code)
	case header.grain != "":
		v.grain = cmp.Or(v.grain, header.grain)
	case v.threads == "" && !v.varies(header.threads):
		v.threads = header.threads
	}
}

// heeds says whether a loop has several threads by its own condition, if it has one: loops of a
// team have the team's.
func (v *survey) heeds(header loopHeader) bool {
	return header.threads == "" || header.threads == v.threads || header.grain != "" && header.grain == v.grain
}

// varies says whether an expression has variables of loops around it.
func (v *survey) varies(code string) bool {
	return slices.ContainsFunc(ctext.Words(code), func(word string) bool { return v.variables[word] })
}
