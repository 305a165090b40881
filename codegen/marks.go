package codegen

import (
	"slices"

	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/mark"
)

// tellLoops tells loops what the marks say that come in front of them: it counts only when the
// place of the loop in the schedule tree is certain, and that is the mark's depth.
func (n *place) tellLoops(code loopir.Code, before []*loopir.Marked) {
	for _, s := range code {
		inside := before
		switch s := s.(type) {
		case *loopir.Marked:
			inside = append(slices.Clip(before), s)
		case *loopir.For:
			depth, known := n.depths[s.Var]
			for _, m := range before {
				if known && m.Depth == depth {
					s.Marks = append(s.Marks, m.Mark)
				}
			}
			if known {
				s.Name = nameOf(s, n.tree, depth, before)
			}
			inside = nil
		}
		for _, body := range loopir.Bodies(s) {
			n.tellLoops(*body, inside)
		}
	}
}

// mark is the code below a mark.
func (n *nodes) mark(marked *loopir.Marked) fragment {
	body := marked.Body
	if marked.Depth < 0 {
		n.unplaced(marked.Mark)
	}
	if marked.Spent {
		return n.fragment(body)
	}
	switch m := marked.Mark.(type) {
	case mark.Private:
		return n.declaring(n.fragment(body), m.Variable)
	case mark.Held:
		return n.declaring(n.fragment(body), m.Array)
	case mark.Allocate:
		return n.allocatedHere(body, m)
	case mark.Local:
		if m.Loop == "" && m.Own {
			return n.declaring(n.fragment(body), m.Array)
		}
	}
	return n.fragment(body)
}

// allocatedHere is code around which the memory of a computed array is declared, and not further
// inside. That of copies is there already.
func (n *nodes) allocatedHere(body loopir.Code, m mark.Allocate) fragment {
	before := n.allocated
	n.allocated = append(slices.Clip(before), m.Array)
	f := n.fragment(body)
	n.allocated = before
	if n.model.Program.ComputedNamed(m.Array) == nil {
		return f
	}
	isUsed := n.mentions(f.code, m.Array)
	if n.note(m, isUsed, "the code does not use the array there"); isUsed {
		f.declares = union(f.declares, []string{memoryName(m.Array)})
	}
	return f
}

// memoryName is what a fragment declares of an array whose memory is made apart from what else is
// declared for it.
func memoryName(array string) string { return array + " memory" }

// declaring is the fragment for whose variable of that name there has to be a declaration, where it
// has the name.
func (n *place) declaring(f fragment, name string) fragment {
	if n.mentions(f.code, name) {
		f.declares = union(f.declares, []string{name})
	}
	return f
}

// loopMarks is what marks say of one loop.
type loopMarks struct {
	marks mark.Set
	// on is who is to run the iterations, with the clauses for reductions; alsoThreads says that
	// threads share those of a loop in lanes, independent that compilers are told of these lanes by
	// that alone.
	on                       loopir.Level
	alsoThreads, independent bool
	clauses                  []scop.Clause
}

// said is what marks say of a loop.
func (n *place) said(loop *loopir.For) (said loopMarks) {
	said.marks = loop.Marks
	if parallel, is := mark.Of[mark.Parallel](said.marks); is {
		said.on, said.clauses = loopir.OnThreads, parallel.Reductions
	}
	if vector, is := mark.Of[mark.Vector](said.marks); is {
		said.alsoThreads, said.on, said.clauses = said.on == loopir.OnThreads, loopir.InLanes, vector.Reductions
		if said.independent = mark.Has[mark.Ivdep](said.marks); said.independent {
			n.independentMacro(scop.NotSerial)
		}
	}
	if loop.Alone && said.on == loopir.OnThreads {
		said.on = loopir.Sequential
	}
	return said
}

// isOfThreads says whether threads share the iterations of the loop, which has no vectors.
func (m loopMarks) isOfThreads() bool { return m.on == loopir.OnThreads }

// isOfVectors says whether the compiler is told that the loop's iterations are independent.
func (m loopMarks) isOfVectors() bool { return m.on == loopir.InLanes }

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
func (n *place) serial(said *loopMarks, reason string) {
	said.on = loopir.Sequential
	noteOf[mark.Parallel](n, *said, false, reason)
	noteOf[mark.Vector](n, *said, false, reason)
}

// noteOf notes whether the code of a loop has its mark of a kind.
func noteOf[M mark.Mark](n *place, said loopMarks, honoured bool, reason string) {
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
func (n *nodes) marked(header loopHeader, said loopMarks) fragment {
	if said.on != loopir.Sequential {
		defer n.limit(&header, said)()
	}
	if said.on != loopir.Sequential && len(said.clauses) > 0 {
		return n.carrying(header, said)
	}
	if said.isOfThreads() && header.shares == nil {
		noteOf[mark.Threads](n.place, said, true, "")
	}
	if said.on == loopir.Sequential {
		if f, ok := n.updating(header); ok {
			return f
		}
	}
	return n.onLevels(header, said)
}

// keepFromLanes takes the lanes from loops that compilers would make wrong code of.
func (n *place) keepFromLanes(code loopir.Code) {
	loopir.Walk(code, func(s loopir.Stmt) {
		loop, is := s.(*loopir.For)
		if !is || loop.Once || !mark.Has[mark.Vector](loop.Marks) || !isCanonical(strict(loop.While), loop.Var) || !n.mixesRows(loop) {
			return
		}
		noteOf[mark.Vector](n, loopMarks{marks: loop.Marks}, false, mixed)
		loop.Marks = slices.DeleteFunc(loop.Marks, func(m mark.Mark) bool { _, is := m.(mark.Vector); return is })
	})
}

// plainOf says whether vectors can be written of the body of a loop.
func (n *nodes) plainOf(header loopHeader) loopir.Plain {
	run, is := skipMarks(header.body).Only().(*loopir.Run)
	switch {
	case !is || n.lanes != nil || run.Along != nil:
		return loopir.NotPlain
	case len(n.contractions)+len(n.aliases) > 0 || n.inPart:
		return loopir.OneInstance
	}
	return loopir.OneInPlace
}

// onLevels is the loop as threads share it, also those of a team around, and as compilers are told
// of it.
func (n *nodes) onLevels(header loopHeader, said loopMarks) fragment {
	var lanes *loopir.Lanes
	if said.isOfVectors() {
		lanes = &loopir.Lanes{Count: said.simdlen(), Serial: n.serialOf(header), Independent: said.independent}
	}
	f := n.around(header, n.fragment(header.body))
	loop := f.code[0].(*loopir.For)
	loop.Lanes, loop.Threads, loop.Plain = lanes, header.shares, n.plainOf(header)
	if header.shares == nil && (said.isOfThreads() || said.alsoThreads) && said.on != loopir.Sequential {
		loop.Threads = &loopir.Threads{Several: header.threads, Apart: header.threads != ""}
		if said.isDynamic() {
			loop.Threads.Schedule = loopir.Dynamic
		}
	}
	return f
}
