package codegen

import (
	"slices"

	"polytune/internal/ctext"
	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/mark"
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

// lanesOf are scalars for the elements of arrays that the clauses name. Loads and stores of these
// stand around the loop, and happen only if it updates them: another thread may have an accumulator
// that this iteration of the loops outside does not touch. So there are none, nil, where instances
// run under a condition, and also when an element's text varies with the loop, or elements of one
// array differ; the reason is for people.
func (n *copies) lanesOf(header loopHeader, clauses []scop.Clause) (l *lanes, reason string) {
	if isConditional(header.body) {
		return nil, "it adds up under a condition, so that it may have nothing to do with the element that its lanes would load and store"
	}
	l = &lanes{names: map[string]string{}, elements: map[string]string{}}
	for _, c := range clauses {
		if !n.isScalar(c) {
			l.names[c.Array] = n.fresh("tune_own_" + c.Array)
		}
	}
	for _, run := range loopir.Runs(header.body) {
		r := run.Statement.Statement.Reduction
		if r == nil || r.Several || l.names[r.Array] == "" {
			continue
		}
		element := textBetween(run.Statement.Statement, n.values(run, same), r.Places[0].Start, r.Places[0].End)
		switch before := l.elements[r.Array]; {
		case before != "" && before != element:
			return nil, "it adds up in several elements of one array: distribute the loop, so that each has one"
		case slices.ContainsFunc(ctext.Words(element), func(word string) bool { return n.isWithin(word, header.depth) }):
			return nil, "the element in which it adds up is another one in each iteration: leave the clause out, or add up in an inner loop"
		}
		l.elements[r.Array] = element
	}
	return l, ""
}

// isConditional says whether some instance runs under a condition.
func isConditional(code loopir.Code) (is bool) {
	loopir.Walk(code, func(s loopir.Stmt) {
		choice, ofIf := s.(*loopir.If)
		is = is || ofIf && !choice.Whole && !choice.Cond.IsInt(1)
	})
	return is
}

// declaresAny says whether the accumulator of a clause is declared in a loop's
// body, so that no clause above the loop can name it.
func declaresAny(body loopir.Code, clauses []scop.Clause) bool {
	return slices.ContainsFunc(body, func(s loopir.Stmt) bool {
		switch s := s.(type) {
		case *loopir.For:
			return s.Once && declaresAny(s.Body, clauses)
		case *loopir.If:
			return declaresAny(s.Then, clauses) || declaresAny(s.Else, clauses)
		case *loopir.Copies:
			return declaresAny(s.Body, clauses)
		case *loopir.Packed:
			return declaresAny(s.Body, clauses)
		case *loopir.Marked:
			return slices.ContainsFunc(clauses, func(c scop.Clause) bool { return declares(s, c.Array) }) || declaresAny(s.Body, clauses)
		}
		return false
	})
}

// declares says whether a mark has an array declared that instances below access.
func declares(m *loopir.Marked, array string) bool {
	switch m := m.Mark.(type) {
	case mark.Private:
		if m.Variable != array {
			return false
		}
	case mark.Held:
		if m.Array != array {
			return false
		}
	case mark.Local:
		if m.Loop != "" || !m.Own || m.Array != array {
			return false
		}
	default:
		return false
	}
	return slices.ContainsFunc(loopir.Runs(m.Body), func(run *loopir.Run) bool {
		return slices.ContainsFunc(run.Statement.Statement.Accesses, func(a scop.Access) bool { return a.Array == array })
	})
}

// in is the name of the scalar in the place of a statement's accumulator, "" for none.
func (l *lanes) in(s *scop.Statement) string {
	if l == nil || s.Reduction == nil || s.Reduction.Several {
		return ""
	}
	return l.names[s.Reduction.Array]
}

// addingIn is the loop whose instances add up in scalars.
func (n *nodes) addingIn(l *lanes, header loopHeader) fragment {
	n.lanes = l
	body := n.fragment(header.body)
	n.lanes = nil
	return n.around(header, body)
}

// carrying is a loop that carries reductions under the clauses. Where that is impossible it is the
// loop without.
func (n *nodes) carrying(header loopHeader, said loopMarks) fragment {
	clauses := said.clauses
	switch {
	case said.independent:
		return n.inOrder(header, said, "ivdep says nothing of accumulators: leave it out")
	case declaresAny(header.body, clauses):
		return n.inOrder(header, said, "each iteration has an accumulator of its own, which no clause in front of the loop can name: leave the clause out")
	}
	if said.isOfThreads() {
		f := n.around(header, n.fragment(header.body))
		f.code[0].(*loopir.For).Threads = &loopir.Threads{Several: header.threads, Reductions: n.reductionsOf(clauses), Worth: header.worth}
		return f
	}
	lanes := &loopir.Lanes{Serial: n.serialOf(header)}
	n.serialClause(lanes.Serial)
	l, reason := n.lanesOf(header, clauses)
	if l == nil {
		return n.inOrder(header, said, reason)
	}
	for _, c := range clauses {
		switch {
		case n.isScalar(c):
			lanes.Reductions = append(lanes.Reductions, loopir.Reduction{Clause: c, Variable: n.variableOf(c.Array)})
		case l.elements[c.Array] != "":
			lanes.Reductions = append(lanes.Reductions, loopir.Reduction{Clause: c, Variable: l.names[c.Array]})
		}
	}
	f := n.addingIn(l, header)
	f.code[0].(*loopir.For).Lanes = lanes
	return n.inVariables(f, l, clauses, header)
}

// inOrder is a loop whose iterations run in order, though its marks say something else.
func (n *nodes) inOrder(header loopHeader, said loopMarks, reason string) fragment {
	n.serial(&said, reason)
	return n.around(header, n.fragment(header.body))
}

// inVariables puts loads and stores of a loop's accumulators around it, for which it has variables.
func (n *place) inVariables(f fragment, l *lanes, clauses []scop.Clause, header loopHeader) fragment {
	keep := &loopir.Keep{Body: f.code}
	for _, c := range clauses {
		if element := l.elements[c.Array]; !n.isScalar(c) && element != "" {
			keep.Kept = append(keep.Kept, loopir.Kept{Array: c.Array, Type: n.model.Program.Array(c.Array).Type, Name: l.names[c.Array], Element: element})
		}
	}
	if !header.isFull && header.lengthFromZero() == 0 {
		keep.Runs = header.runs()
		n.needs(keep.Runs)
	}
	f.code = loopir.Code{keep}
	return f
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
