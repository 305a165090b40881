package codegen

import (
	"cmp"

	"polytune/internal/ctext"
	"polytune/isl"
	"polytune/loopir"
	"polytune/scop/mark"
)

// crew is what is known about the loops that a team runs while they are printed.
type crew struct {
	// variables are those of the loops around the parallel ones.
	variables map[string]bool
	// inside says that a parallel loop is being printed.
	inside bool
	// threads is the condition of a parallel loop under which there are several
	// threads, where it is the same for the whole team, or "".
	threads string
	// grain is the condition of the parameters under which the first parallel loop has several
	// threads, which is the team's: one thread alone runs the same code then.
	grain string
	// unfit says that something is outside of the parallel loops that each thread would do,
	// or that a parallel loop is one that a team cannot share.
	unfit bool
}

// crewed prints loops for a team: all threads run the loop, and share the parallel
// ones inside. Where that cannot be, each parallel loop starts threads of its own. Where a
// condition says when there are several threads, the loops are there twice.
func (n *nodes) crewed(node *isl.AstNode, s scope, m mark.Team) fragment {
	if n.team != nil || n.crew != nil || n.single {
		n.note(m, false, "the code around has threads of its own, or none")
		return n.fragment(node, s)
	}
	state := n.full.state()
	team := &crew{variables: map[string]bool{}}
	n.crew = team
	f := n.fragment(node, s)
	n.crew = nil
	if n.note(m, !team.unfit, "the code has something outside of the parallel loops that each thread would do"); team.unfit {
		n.full.restore(state)
		return n.fragment(node, s)
	}
	f.code = loopir.Code{&loopir.Team{Several: team.grain, Body: f.code}}
	if team.threads == "" {
		return f
	}
	n.full.restore(state)
	return n.orAlone(f, team.threads, node, s)
}

// orAlone is the code of several threads under a condition, with that of one thread besides.
func (n *nodes) orAlone(several fragment, condition string, node *isl.AstNode, s scope) fragment {
	n.single = true
	alone := n.fragment(node, s)
	n.single = false
	return fragment{code: loopir.Code{&loopir.Either{Condition: condition, Then: several.code, Else: alone.code}}, declares: union(several.declares, alone.declares)}
}

// isBetween says whether the place is inside a team and outside of its parallel loops.
func (c *crew) isBetween() bool { return c != nil && !c.inside }

// enter takes a loop inside a team, and says how threads share it, nil where they do not. All wait at its end unless it is shared
// in a region.
func (c *crew) enter(shares *loopir.Threads, said loopMarks, header loopHeader) *loopir.Threads {
	if !c.isBetween() {
		return shares
	}
	if !said.isOfThreads() {
		c.variables[header.variable] = true
		c.unfit = c.unfit || said.alsoThreads
		return shares
	}
	c.inside = true
	switch {
	case header.grain != "":
		c.grain = cmp.Or(c.grain, header.grain)
	case c.threads == "" && !c.varies(header.threads):
		c.threads = header.threads
	}
	switch {
	case shares != nil:
		return shares
	case said.isDynamic():
		return &loopir.Threads{InTeam: true, Schedule: loopir.Dynamic}
	}
	return &loopir.Threads{InTeam: true}
}

// heeds says whether a loop has several threads by its own condition, if it has one: loops of a team have the team's.
func (c *crew) heeds(header loopHeader) bool {
	return c == nil || header.threads == "" || header.threads == c.threads || header.grain != "" && header.grain == c.grain
}

// varies says whether a condition has variables of loops around it.
func (c *crew) varies(condition string) bool {
	for _, word := range ctext.Words(condition) {
		if c.variables[word] {
			return true
		}
	}
	return false
}

// leave says that a loop which threads share so has been made.
func (c *crew) leave(shares *loopir.Threads) {
	if c != nil && shares != nil {
		c.inside = false
	}
}

// run takes what a thread does besides loops.
func (c *crew) run() {
	if c.isBetween() {
		c.unfit = true
	}
}
