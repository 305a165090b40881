package randomprogram

import (
	"iter"
	"slices"
)

// Shrink makes the program smaller step by step as long as fails holds: it
// leaves out statements, loops, conditions and terms, and halves constants.
// The result is a program that fails and of which no smaller one that Shrink
// knows does, or the best one when stop says that there is no more time.
func Shrink(p *Program, fails func(*Program) bool, stop func() bool) *Program {
	for improved := true; improved; {
		improved = false
		for smaller := range p.Smaller() {
			if stop() {
				return p
			}
			if fails(smaller) {
				p, improved = smaller, true
				break
			}
		}
	}
	return p
}

// Smaller yields the well-formed programs that are one step smaller, those
// that leave out most first.
func (p *Program) Smaller() iter.Seq[*Program] {
	return func(yield func(*Program) bool) {
		for k := 0; ; k++ {
			smaller := p.clone()
			e := &editor{target: k}
			if e.program(smaller); !e.done {
				return
			}
			if smaller.wellFormed() && !yield(smaller) {
				return
			}
		}
	}
}

// editor walks over a program and makes one of the possible edits: the one
// whose number is the target, none for a negative one. It shows each reference
// and each sum to a caller who asks for them.
type editor struct {
	target    int
	count     int
	done      bool
	reference func(*Reference)
	sum       func(*Integer)
}

// here says whether the edit at hand is the one to make.
func (e *editor) here() bool {
	e.count++
	if e.done || e.count-1 != e.target {
		return false
	}
	e.done = true
	return true
}

func (e *editor) program(p *Program) {
	e.nodes(&p.Body)
	for i := range p.Arrays {
		if a := &p.Arrays[i]; a.Type != "double" && e.here() {
			a.Type = "double"
		}
		if a := &p.Arrays[i]; a.Parametric && e.here() {
			a.Parametric = false
		}
		if a := &p.Arrays[i]; a.Global && e.here() {
			a.Global = false
		}
	}
	if p.Long && e.here() {
		p.Long = false
	}
	if p.IteratorsOutside && e.here() {
		p.IteratorsOutside = false
	}
	if p.Bare && e.here() {
		p.Bare = false
	}
	if p.Named && e.here() {
		p.Named = false
	}
}

// nodes leaves one of the nodes out, puts what is inside it in its place, or
// edits inside it.
func (e *editor) nodes(nodes *[]Node) {
	for k := 0; k < len(*nodes); k++ {
		if e.here() {
			*nodes = slices.Delete(*nodes, k, k+1)
			return
		}
	}
	for k := range *nodes {
		n := &(*nodes)[k]
		for _, inside := range [][]Node{n.thenPart(), n.elsePart(), n.Block} {
			if len(inside) > 0 && e.here() {
				*nodes = slices.Concat((*nodes)[:k], inside, (*nodes)[k+1:])
				return
			}
		}
		if n.Loop != nil && e.here() {
			substitute(n.Loop.Body, n.Loop.Iterator, n.Loop.Start)
			*nodes = slices.Concat((*nodes)[:k], n.Loop.Body, (*nodes)[k+1:])
			return
		}
		if n.Guarded != nil {
			for _, inside := range [][]Assignment{n.Guarded.Then, n.Guarded.Else} {
				if len(inside) > 0 && e.here() {
					*nodes = slices.Concat((*nodes)[:k], asNodes(inside), (*nodes)[k+1:])
					return
				}
			}
		}
		if n.Copy != nil && !isSet((*nodes)[k+1:], n.Copy.Name) && e.here() {
			substitute((*nodes)[k+1:], n.Copy.Name, n.Copy.Value)
			*nodes = slices.Delete(*nodes, k, k+1)
			return
		}
		if e.node(n); e.done {
			return
		}
	}
}

// isSet says whether some nodes set a variable again.
func isSet(nodes []Node, name string) (is bool) {
	walk(nodes, func(n *Node) {
		is = is || n.Set != nil && n.Set.Name == name ||
			n.Loop != nil && slices.ContainsFunc(n.Loop.Also, func(s Set) bool { return s.Name == name })
	})
	return is
}

// asNodes are the assignments as nodes of their own.
func asNodes(assignments []Assignment) []Node {
	nodes := make([]Node, len(assignments))
	for k := range assignments {
		nodes[k].Assignment = &assignments[k]
	}
	return nodes
}

func (n *Node) thenPart() []Node {
	if n.If == nil {
		return nil
	}
	return n.If.Then
}

func (n *Node) elsePart() []Node {
	if n.If == nil {
		return nil
	}
	return n.If.Else
}

func (e *editor) node(n *Node) {
	switch {
	case n.Loop != nil:
		e.loop(n.Loop)
	case n.If != nil:
		e.nodes(&n.If.Then)
		e.nodes(&n.If.Else)
		e.condition(&n.If.Condition)
	case n.Assignment != nil:
		e.assignment(n.Assignment)
	case n.Guarded != nil:
		if n.Guarded.Style != "" && e.here() {
			n.Guarded.Style = ""
		}
		e.element(&n.Guarded.Element)
		e.branch(&n.Guarded.Then)
		e.branch(&n.Guarded.Else)
	case n.Copy != nil:
		e.integer(&n.Copy.Value)
	case n.Set != nil:
		e.integer(&n.Set.Value)
	}
	e.nodes(&n.Block)
}

// branch leaves out one of the assignments, or edits them.
func (e *editor) branch(assignments *[]Assignment) {
	for k := range *assignments {
		if e.here() {
			*assignments = slices.Delete(*assignments, k, k+1)
			return
		}
		e.assignment(&(*assignments)[k])
	}
}

func (e *editor) loop(l *Loop) {
	e.nodes(&l.Body)
	for k := range l.Also {
		if e.here() {
			l.Also = slices.Delete(l.Also, k, k+1)
			return
		}
	}
	if stride := max(l.Step, -l.Step); stride > 1 && e.here() {
		l.Step /= stride
	}
	if l.Step < 0 && len(l.Tests) == 1 && e.here() {
		l.Step *= -1
		l.Start, l.Tests = l.Tests[0].Right, []Condition{{Operator: "<=", Left: variable(l.Iterator), Right: l.Start}}
	}
	for k := range l.Tests {
		if len(l.Tests) > 1 && e.here() {
			l.Tests = slices.Delete(l.Tests, k, k+1)
			return
		}
		if simple := map[string]string{"!=": "<", "<=": "<", ">=": ">"}[l.Tests[k].Operator]; simple != "" && e.here() {
			l.Tests[k].Operator = simple
		}
		e.integer(&l.Tests[k].Right)
	}
	e.integer(&l.Start)
}

func (e *editor) assignment(a *Assignment) {
	for k := range a.Values {
		if len(a.Values) > 1 && e.here() {
			a.Values = slices.Delete(a.Values, k, k+1)
			return
		}
		if (a.Values[k].Element != nil || a.Values[k].Integer != nil) && e.here() {
			a.Values[k] = Value{Factor: "1"}
			return
		}
	}
	if a.Operator != "=" && e.here() {
		a.Operator = "="
	}
	e.element(&a.Target)
	for k := range a.Values {
		e.value(&a.Values[k])
	}
}

func (e *editor) value(v *Value) {
	if v.Condition != nil {
		if e.here() {
			v.Condition, v.Otherwise = nil, nil
			return
		}
		if e.here() {
			v.Element, v.Condition, v.Otherwise = v.Otherwise, nil, nil
			return
		}
		e.condition(v.Condition)
		e.element(v.Otherwise)
	}
	if v.Function != "" && e.here() {
		v.Function = ""
	}
	if v.Element != nil {
		e.element(v.Element)
	}
	if v.Integer != nil {
		e.integer(v.Integer)
	}
}

func (e *editor) element(r *Reference) {
	if e.reference != nil {
		e.reference(r)
	}
	for k := range r.Subscripts {
		e.integer(&r.Subscripts[k])
	}
}

// substitute puts a value in the place of an iterator.
func substitute(nodes []Node, iterator string, value Integer) {
	e := &editor{target: -1, sum: func(n *Integer) {
		sum := Integer{Constant: n.Constant}
		for _, t := range n.Terms {
			if t.Variable == iterator {
				sum = sum.add(value, t.Factor)
			} else {
				sum.Terms = append(sum.Terms, t)
			}
		}
		*n = sum
	}}
	e.nodes(&nodes)
}

func (e *editor) condition(c *Condition) {
	for k := range c.Parts {
		if e.here() {
			*c = c.Parts[k]
			return
		}
		e.condition(&c.Parts[k])
	}
	if len(c.Parts) == 0 {
		e.integer(&c.Left)
		e.integer(&c.Right)
	}
}

func (e *editor) integer(n *Integer) {
	if e.sum != nil {
		e.sum(n)
	}
	for k := range n.Terms {
		if e.here() {
			n.Terms = slices.Delete(n.Terms, k, k+1)
			return
		}
		e.term(n, k)
		if e.done {
			return
		}
	}
	if n.Constant != 0 && e.here() {
		n.Constant /= 2
	}
}

// term edits one term of a sum.
func (e *editor) term(n *Integer, k int) {
	t := &n.Terms[k]
	if t.Factor != 1 && e.here() {
		t.Factor = 1
	}
	replace := func(m Integer) {
		rest := Integer{slices.Delete(slices.Clone(n.Terms), k, k+1), n.Constant}
		*n = rest.add(m, t.Factor)
	}
	switch {
	case t.Quotient != nil:
		if e.here() {
			replace(t.Quotient.Dividend)
			return
		}
		e.integer(&t.Quotient.Dividend)
	case t.Choice != nil:
		for _, m := range []Integer{t.Choice.Then, t.Choice.Else} {
			if e.here() {
				replace(m)
				return
			}
		}
		if t.Choice.Macro == "" {
			e.condition(&t.Choice.Condition)
		}
		e.integer(&t.Choice.Then)
		e.integer(&t.Choice.Else)
	case t.Masked != nil:
		e.element(t.Masked)
	}
}
