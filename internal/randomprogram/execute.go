package randomprogram

import (
	"errors"
	"fmt"
)

// Size is a pair of values for the parameters.
type Size struct{ N, M int }

// Touch is one access of an instance.
type Touch struct {
	Array       string
	Element     []int
	Read, Write bool
}

// Instance is one execution of a statement.
type Instance struct {
	// Statement counts the statements of the text from 0.
	Statement int
	// Iterators are the values of the loops around, outermost first.
	Iterators []int
	Touches   []Touch
}

// errUndefined says that the program has no meaning in C at a size, such as a
// loop that never meets its end, or runs too long.
type errUndefined struct{ why string }

func (e errUndefined) Error() string { return e.why }

// Execute runs the program at a size, without values: visit is called for
// each instance in order, and must not keep it. Elements of arrays that the
// control flow asks for are made up. The error says that the program is
// undefined at that size or has more than limit instances.
func (p *Program) Execute(size Size, limit int, visit func(*Instance)) error {
	return p.execute(size, limit, false, visit)
}

// execute is Execute; with every set, instances have the accesses that they
// would have for any data.
func (p *Program) execute(size Size, limit int, every bool, visit func(*Instance)) error {
	e := &execution{
		program: p, limit: limit, every: every, visit: visit,
		values:  map[string]int{"N": size.N, "M": size.M},
		numbers: map[*Node]int{},
		objects: map[string]int{},
	}
	walk(p.Body, func(n *Node) {
		if n.Assignment != nil || n.Guarded != nil {
			e.numbers[n] = len(e.numbers)
		}
	})
	return e.nodes(p.Body)
}

// walk visits the nodes in the order of the text.
func walk(nodes []Node, visit func(*Node)) {
	for i := range nodes {
		n := &nodes[i]
		visit(n)
		walk(n.Block, visit)
		if n.Loop != nil {
			walk(n.Loop.Body, visit)
		}
		if n.If != nil {
			walk(n.If.Then, visit)
			walk(n.If.Else, visit)
		}
	}
}

type execution struct {
	program   *Program
	numbers   map[*Node]int
	values    map[string]int
	iterators []int
	touches   []Touch
	// objects count how often each local variable has been declared.
	objects map[string]int
	steps   int
	limit   int
	every   bool
	// masked is the value made up for a masked element.
	masked int
	visit  func(*Instance)
}

func (e *execution) step() error {
	if e.steps++; e.steps > e.limit {
		return errUndefined{fmt.Sprintf("more than %d steps", e.limit)}
	}
	return nil
}

func (e *execution) nodes(nodes []Node) error {
	for i := range nodes {
		if err := e.node(&nodes[i]); err != nil {
			return err
		}
	}
	return nil
}

func (e *execution) node(n *Node) error {
	switch {
	case n.Loop != nil:
		return e.loop(n.Loop)
	case n.If != nil:
		if e.holds(n.If.Condition) {
			return e.nodes(n.If.Then)
		}
		return e.nodes(n.If.Else)
	case n.Assignment != nil:
		if n.Assignment.Declare != "" {
			e.objects[n.Assignment.Target.Array]++
		}
		return e.statement(n, func() { e.assignment(n.Assignment) })
	case n.Guarded != nil:
		return e.statement(n, func() { e.guarded(n.Guarded) })
	case n.Copy != nil:
		e.values[n.Copy.Name] = e.integer(n.Copy.Value)
	case n.Set != nil:
		e.set(n.Set)
	case n.Exit != nil && n.Exit.Break:
		return errBreak
	case n.Exit != nil:
		return errContinue
	}
	return e.nodes(n.Block)
}

func (e *execution) loop(l *Loop) error {
	outer, shadows := e.values[l.Iterator]
	depth := len(e.iterators)
	e.iterators = append(e.iterators, 0)
	defer func() {
		e.iterators = e.iterators[:depth]
		delete(e.values, l.Iterator)
		if shadows {
			e.values[l.Iterator] = outer
		}
	}()
	e.values[l.Iterator] = e.integer(l.Start)
	if e.neverEnds(l) {
		return errUndefined{"the loop over " + l.Iterator + " starts behind the value that ends it"}
	}
	for e.all(l.Tests) {
		if err := e.step(); err != nil {
			return err
		}
		e.iterators[depth] = e.values[l.Iterator]
		switch err := e.nodes(l.Body); err {
		case nil, errContinue:
		case errBreak:
			return nil
		default:
			return err
		}
		e.values[l.Iterator] += l.Step
		for k := range l.Also {
			e.set(&l.Also[k])
		}
	}
	return nil
}

// errBreak and errContinue end a loop and an iteration.
var errBreak, errContinue = errors.New("break"), errors.New("continue")

func (e *execution) set(s *Set) {
	value := e.integer(s.Value)
	switch s.Operator {
	case "+=":
		value = e.values[s.Name] + value
	case "-=":
		value = e.values[s.Name] - value
	}
	e.values[s.Name] = value
}

// neverEnds says whether a test with != starts on the wrong side of its end.
func (e *execution) neverEnds(l *Loop) bool {
	for _, test := range l.Tests {
		if distance := e.integer(test.Right) - e.integer(test.Left); test.Operator == "!=" && distance*l.Step < 0 {
			return true
		}
	}
	return false
}

// statement shows the instance that run executes.
func (e *execution) statement(n *Node, run func()) error {
	if err := e.step(); err != nil {
		return err
	}
	e.touches, e.masked = e.touches[:0], e.steps*5%8
	if e.every {
		e.masked = 0
		run()
		e.masked = 7
	}
	run()
	e.visit(&Instance{e.numbers[n], e.iterators, e.touches})
	return nil
}

func (e *execution) assignment(a *Assignment) {
	e.touch(a.Target, a.Operator != "=", true)
	for _, v := range a.Values {
		e.value(v)
	}
}

// guarded takes one branch or the other in turn.
func (e *execution) guarded(g *Guarded) {
	e.touch(g.Element, true, false)
	for n, branch := range [][]Assignment{g.Then, g.Else} {
		for k := range branch {
			if e.every || e.steps%2 == n {
				e.assignment(&branch[k])
			}
		}
	}
}

func (e *execution) value(v Value) {
	switch {
	case v.Condition != nil && !e.holds(*v.Condition):
		e.touch(*v.Otherwise, true, false)
	case v.Element != nil:
		e.touch(*v.Element, true, false)
	case v.Integer != nil:
		e.integer(*v.Integer)
	}
}

// touch notes an access. Each time its declaration is executed, a local
// variable is another object, and so another element.
func (e *execution) touch(r Reference, read, write bool) {
	if object, isLocal := e.objects[r.Array]; isLocal {
		e.touches = append(e.touches, Touch{r.Array, []int{object}, read, write})
		return
	}
	element := make([]int, len(r.Subscripts))
	for k, s := range r.Subscripts {
		element[k] = e.integer(s)
	}
	e.touches = append(e.touches, Touch{r.Array, element, read, write})
}

func (e *execution) integer(n Integer) int {
	sum := n.Constant
	for i := range n.Terms {
		sum += n.Terms[i].Factor * e.term(&n.Terms[i])
	}
	return sum
}

func (e *execution) term(t *Term) int {
	switch {
	case t.Quotient != nil:
		dividend := e.integer(t.Quotient.Dividend)
		if t.Quotient.Operator == "%" {
			return dividend % t.Quotient.Divisor
		}
		return dividend / t.Quotient.Divisor
	case t.Choice != nil:
		return e.choice(t.Choice)
	case t.Masked != nil:
		e.touch(*t.Masked, true, false)
		return e.masked
	}
	return e.values[t.Variable]
}

func (e *execution) choice(c *Choice) int {
	switch c.Macro {
	case "MIN":
		return min(e.integer(c.Then), e.integer(c.Else))
	case "MAX":
		return max(e.integer(c.Then), e.integer(c.Else))
	}
	if e.holds(c.Condition) {
		return e.integer(c.Then)
	}
	return e.integer(c.Else)
}

func (e *execution) all(conditions []Condition) bool {
	for _, c := range conditions {
		if !e.holds(c) {
			return false
		}
	}
	return true
}

func (e *execution) holds(c Condition) bool {
	switch c.Operator {
	case "&&":
		return e.holds(c.Parts[0]) && e.holds(c.Parts[1])
	case "||":
		return e.holds(c.Parts[0]) || e.holds(c.Parts[1])
	case "!":
		return !e.holds(c.Parts[0])
	}
	left, right := e.integer(c.Left), e.integer(c.Right)
	switch c.Operator {
	case "<":
		return left < right
	case "<=":
		return left <= right
	case ">":
		return left > right
	case ">=":
		return left >= right
	case "==":
		return left == right
	}
	return left != right
}
