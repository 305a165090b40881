package codegen

import (
	"slices"

	"polytune/internal/ctext"
	"polytune/loopir"
	"polytune/scop"
)

// Loops that carry reductions. For scalars, OpenMP's clause does everything. The
// lanes of a vector loop all update one element; for an element of an array a
// scalar takes its place during the loop, because compilers vectorise
// reductions of scalars. Threads get copies of an array, from the heap:
// OpenMP's clause for parts of arrays puts them on the stack, which large
// ones overflow.

// lanes are the scalars that take the place of elements in a vector loop.
type lanes struct {
	// names are the scalars', and elements the C texts of the elements, by the
	// names of the arrays.
	names, elements map[string]string
	// conditional says that some instance of the loop runs under a condition.
	conditional bool
	// several says that instances update different elements of one array.
	several bool
}

// variableOf is the C name of an array.
func (n *statements) variableOf(array string) string {
	return n.model.Program.Array(array).Element(nil)
}

// isScalar says that a clause's accumulator is a scalar variable.
func (n *statements) isScalar(c scop.Clause) bool {
	return len(n.model.Program.Array(c.Array).Extents) == 0
}

// fresh is a name that means nothing else.
func (p *printer) fresh(name string) string {
	for p.taken[name] {
		name += "_"
	}
	return name
}

// newLanes are scalars for the elements of arrays that the clauses name.
func (n *place) newLanes(clauses []scop.Clause) *lanes {
	l := &lanes{names: map[string]string{}, elements: map[string]string{}}
	for _, c := range clauses {
		if !n.isScalar(c) {
			l.names[c.Array] = n.fresh("tune_own_" + c.Array)
		}
	}
	return l
}

// instanceText is the text of a statement's instance, with the scalar of a
// vector loop in the place of its accumulator.
func (n *nodes) instanceText(s *scop.Statement, values []text) string {
	r := s.Reduction
	if n.lanes == nil || r == nil || r.Several || n.lanes.names[r.Array] == "" {
		return statementText(s, values)
	}
	element := textBetween(s, values, r.Places[0].Start, r.Places[0].End)
	if n.lanes.elements[r.Array] == "" {
		n.lanes.elements[r.Array] = element
	}
	n.lanes.several = n.lanes.several || n.lanes.elements[r.Array] != element
	return textWithAccumulator(s, values, n.lanes.names[r.Array])
}

// carrying is a loop that carries reductions under the clauses. Where that is impossible it is the loop without.
func (n *nodes) carrying(header loopHeader, s scope, said loopMarks) fragment {
	clauses := said.clauses
	if said.isOfThreads() {
		body := n.fragment(header.body, s)
		if declaresAny(body, clauses) {
			return n.around(header, body)
		}
		f := n.around(header, body)
		f.code[0].(*loopir.For).Threads = &loopir.Threads{Several: header.threads, Reductions: n.reductionsOf(clauses), Worth: header.worth}
		return f
	}
	state := n.full.state()
	if !said.independent {
		n.lanes = n.newLanes(clauses)
		body := n.fragment(header.body, s)
		l := n.lanes
		n.lanes = nil
		if !declaresAny(body, clauses) {
			lanes := &loopir.Lanes{Serial: n.serialOf(header)}
			n.serialClause(lanes.Serial)
			if f, ok := n.vectorLoop(n.around(header, body), lanes, l, clauses, header); ok {
				return f
			}
		}
	}
	n.full.restore(state)
	return n.around(header, n.fragment(header.body, s))
}

// declaresAny says whether the accumulator of a clause is declared in the loop's
// body, so that no clause above the loop can name it.
func declaresAny(body fragment, clauses []scop.Clause) bool {
	return slices.ContainsFunc(clauses, func(c scop.Clause) bool { return slices.Contains(body.declares, c.Array) })
}

// vectorLoop is a vector loop with its accumulators, and variables in the place of these.
func (n *place) vectorLoop(f fragment, lanes *loopir.Lanes, l *lanes, clauses []scop.Clause, header loopHeader) (fragment, bool) {
	for _, c := range clauses {
		switch {
		case n.isScalar(c):
			lanes.Reductions = append(lanes.Reductions, loopir.Reduction{Clause: c, Variable: n.variableOf(c.Array)})
		case l.elements[c.Array] != "":
			lanes.Reductions = append(lanes.Reductions, loopir.Reduction{Clause: c, Variable: l.names[c.Array]})
		}
	}
	f.code[0].(*loopir.For).Lanes = lanes
	return n.inVariables(f, l, clauses, header)
}

// inVariables puts loads and stores of a loop's accumulators around it, for which it has variables. They happen only if the loop updates them:
// another thread may have an accumulator that this iteration of the loops outside
// does not touch. So ok is false where instances run under a condition, and also
// when an element's text varies with the loop, or elements of one array differ.
func (n *place) inVariables(f fragment, l *lanes, clauses []scop.Clause, header loopHeader) (fragment, bool) {
	keep := &loopir.Keep{Body: f.code}
	if l.conditional || l.several {
		return f, false
	}
	for _, c := range clauses {
		name, element := l.names[c.Array], l.elements[c.Array]
		switch {
		case n.isScalar(c), element == "":
			continue
		case slices.ContainsFunc(ctext.Words(element), func(word string) bool { return n.isWithin(word, header.depth) }):
			return f, false
		}
		keep.Kept = append(keep.Kept, loopir.Kept{Type: n.model.Program.Array(c.Array).Type, Name: name, Element: element})
	}
	if !header.isFull && header.lengthFromZero() == 0 {
		keep.Runs = header.runs()
		n.needs(keep.Runs)
	}
	f.code = loopir.Code{keep}
	return f, true
}

// isWithin says whether a name is the variable of a loop of that depth or
// further inside.
func (n *place) isWithin(name string, depth int) bool {
	d, known := n.depths[name]
	return known && d >= depth
}

// reductionsOf are those of the clauses of a loop that threads share.
func (n *statements) reductionsOf(clauses []scop.Clause) (list []loopir.Reduction) {
	for _, c := range clauses {
		list = append(list, loopir.Reduction{Clause: c, Variable: n.variableOf(c.Array), Elements: !n.isScalar(c)})
	}
	return list
}

// state is how far the subtree has been printed, for restore.
func (t *fullTile) state() [2]int {
	if t == nil {
		return [2]int{}
	}
	return [2]int{t.next, t.nextBranch}
}

// restore goes back to a state, in order to print from there again.
func (t *fullTile) restore(state [2]int) {
	if t != nil {
		t.next, t.nextBranch = state[0], state[1]
	}
}
