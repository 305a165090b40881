package codegen

import (
	"cmp"
	"slices"

	"polytune/isl"
	"polytune/loopir"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
)

// nodes makes loops with what their marks say of the tree of loops.
type nodes struct {
	*copies
	// lanes are the accumulators of the vector loop around, or nil.
	lanes *lanes
	// inPart says that a loop around has a part of its iterations.
	inPart bool
}

// statements are those of the model, with what is known of them.
type statements struct{ model *scop.Model }

// place is where code is made: what is around it, and known there.
type place struct {
	*printer
	*statements
	// env is where what became of marks is noted.
	env *Env
	// tree is what the schedule was lowered from, or nil.
	tree *schedule.Tree
	// depths are the depths of the loops by the names of their variables.
	depths map[string]int
	// open are the loops and conditions around the present node, outermost first.
	open []openLoop
	// facts are affine expressions over variables of the code that are not negative.
	facts []linear
	// relay is the loop around through which threads run as in a relay, nil for none.
	relay *relay
	// relays are those of the code.
	relays map[*loopir.Relay]*relay
	// packings are the marks of packed references around, and aliases the copies of arrays.
	packings []*packing
	aliases  []aliased
	// inStages says that isl has made the loops over the points of a tile by themselves.
	inStages bool
	// grain is the condition of the parameters under which the parallel loop around has several
	// threads, "" for none.
	grain string
	// overheads are where what the code computes for each instance is noted.
	overheads *overheads
}

// memories is the memory of the arrays that the code has besides the program's.
type memories struct {
	*place
	// schedule is the whole schedule.
	schedule mark.Schedule
	// hasOriginal says that there is other code for where there is no memory.
	hasOriginal bool
	// contractions are the arrays that have elements for one iteration of a loop alone.
	contractions map[string]mark.Local
	// buffers is the number of buffers that have a name, and shared those that threads share.
	buffers int
	shared  []*packing
	// heaped are the copies that have a piece of the region's memory, and owns the pieces of those
	// that each thread has for itself.
	heaped []*copying
	owns   map[string]ownMemory
	// allocated are the computed arrays whose memory is made around the present place.
	allocated []string
}

// copies are those of arrays' elements that the code uses at the present place.
type copies struct {
	*memories
	// copyings are the marks of copied arrays around the present node, and copyNames the names of all
	// by their marks.
	copyings  []*copying
	copyNames map[string]string
	// blocks are the register blocks, by their marks.
	blocks map[*loopir.Marked]foundBlock
	// layouts are those of arrays whose tiles have memory side by side at the present place, laid
	// are all by their code.
	layouts map[string]*blockLayout
	laid    map[*loopir.Copies]*blockLayout
}

// aliased is an array that has a copy inside of so many marks of packed references.
type aliased struct {
	array    string
	packings int
}

func (n *nodes) fragment(code loopir.Code) fragment {
	switch node := code.Only().(type) {
	case *loopir.For:
		if node.Done {
			return of(node)
		}
		return n.unlessEmpty(node, n.loop(node))
	case *loopir.If:
		if node.Whole {
			return n.either(node)
		}
		return n.branch(node)
	case *loopir.Marked:
		return n.mark(node)
	case *loopir.Run:
		return n.statement(node)
	case *loopir.Team:
		f := n.fragment(node.Body)
		f.code = loopir.Code{&loopir.Team{Several: node.Several, Body: f.code}}
		return f
	case *loopir.Either:
		several, alone := n.fragment(node.Then), n.fragment(node.Else)
		return fragment{code: loopir.Code{&loopir.Either{Condition: node.Condition, Then: several.code, Else: alone.code}}, declares: union(several.declares, alone.declares)}
	case *loopir.Relay:
		return n.handing(node)
	case *loopir.Copies:
		return n.withCopiesAround(node)
	case *loopir.Packed:
		f := n.fragment(node.Body)
		return fragment{code: slices.Concat(node.Fill, f.code), declares: f.declares, opens: f.opens}
	case *loopir.Block:
		f := n.fragment(node.Body)
		return fragment{code: loopir.Code{&loopir.Block{Body: f.code}}, declares: f.declares}
	case *loopir.Nothing:
		return fragment{}
	case nil:
		return n.sequence(code)
	default:
		return of(node)
	}
}

// fail notes the first error, and at which loop it was.
func (n *place) fail(err error) {
	if n.err != nil {
		return
	}
	n.err = err
	for _, open := range n.open {
		n.env.loop = cmp.Or(open.variable, n.env.loop)
	}
}

func (n *nodes) sequence(code loopir.Code) fragment {
	all := fragment{}
	for k := range code {
		f := n.fragment(code[k : k+1])
		all.code = append(all.code, f.beside()...)
		all.declares = union(all.declares, f.declares)
	}
	all.code = all.code.Several()
	return all
}

// declarationsOf declares the variables that a fragment needs from the code
// around. That is the body of the innermost loop around their marks: isl may
// have split the code of one mark where loops run only once, so the marks'
// own places are too far inside. Farther outside several iterations may use
// one object, one after the other; but no two threads, because the loop inside
// which the variable is declared is the innermost.
func (n *memories) declarationsOf(f fragment) (code loopir.Code) {
	for _, private := range n.model.Program.Privates() {
		if slices.Contains(f.declares, private.Name) {
			code = append(code, localOf(n.model.Program, private.Local))
		}
	}
	for _, e := range n.model.Program.Expansions {
		isHere := slices.Contains(f.declares, e.Name)
		if slices.Contains(f.declares, memoryName(e.Name)) || isHere && !slices.Contains(n.allocated, e.Name) {
			code = append(code, n.ownArray(e))
		}
		if isHere {
			code = append(code, n.originsOf(e.Name)...)
		}
	}
	return code
}

func (n *nodes) loop(node *loopir.For) fragment {
	defer n.know(loopFacts(node))()
	variable, before := node.Var, n.inPart
	n.inPart = before || node.Part
	defer func() { n.inPart = before }()
	defer n.enter(openLoop{variable: variable, loop: node.InAnyTile()})()
	said := n.said(node)
	header := n.headerOf(node)
	header.marks = said.marks
	if node.Once {
		n.serial(&said, "it runs once")
		body := n.fragment(header.body)
		return n.constant(variable, header.start, body)
	}
	if !isCanonical(header.condition, variable) {
		n.serial(&said, notOneBound)
	}
	return n.marked(header, said)
}

// headerOf is what stands above the body of a loop.
func (n *place) headerOf(node *loopir.For) loopHeader {
	variable := node.Var
	h := loopHeader{variable: variable, name: node.Name, depth: n.depths[variable], step: node.Step, body: node.Body, isFull: node.Full, shares: node.Threads}
	h.start, h.condition = node.From, strict(node.While)
	return h
}

// loopHeader is what stands above the body of a loop, and the body.
type loopHeader struct {
	variable, name         string
	depth                  int
	start, condition, step *loopir.Expr
	body                   loopir.Code
	// isFull says that the loop is one of a full tile, so that it has an
	// iteration.
	isFull bool
	// marks are what the schedule says of the loop.
	marks mark.Set
	// shares says how the threads of a team around share the iterations, nil for nobody.
	shares *loopir.Threads
	// threads is the condition under which there are several threads, or "" for none; grain is it
	// as far as it says that a nest is large. worth is the number of elements in C of which copies
	// for reductions pay there, "" where it is not known.
	threads, grain, worth string
}

// lengthFromZero is the number of iterations of a loop from 0 to a constant in steps of 1; 0 for
// others.
func (h loopHeader) lengthFromZero() int64 {
	isWhole := h.start.Kind == isl.AstInt && h.start.Value == 0 && h.step.Kind == isl.AstInt && h.step.Value == 1 && h.condition.Is(isl.OpLt) &&
		h.condition.Args[1].Kind == isl.AstInt
	if !isWhole {
		return 0
	}
	return max(0, h.condition.Args[1].Value)
}

// runs is the condition under which the loop has an iteration.
func (h loopHeader) runs() *loopir.Expr {
	return loopir.Operation(h.condition.Op, h.start, h.condition.Args[1])
}

// around is the loop around its body.
func (n *memories) around(h loopHeader, body fragment) fragment {
	loop := n.loopOver(h.variable, h.start, h.condition, h.step, append(n.declarationsOf(body), body.code...))
	loop.Name, loop.Marks, loop.Done = h.name, h.marks, false
	return of(loop)
}

// loopOver is a loop. The helpers that its bounds need are noted, whether it is printed or not.
func (n *place) loopOver(variable string, start, condition, step *loopir.Expr, body loopir.Code) *loopir.For {
	if start != nil {
		n.needs(start)
	}
	n.needs(condition, step)
	return &loopir.For{Var: variable, From: start, While: condition, Step: step, Body: body, Done: true}
}

// needs notes the helpers that expressions need.
func (n *place) needs(expressions ...*loopir.Expr) {
	for _, e := range expressions {
		n.expression(e)
	}
}

// either is the code of full tiles under the condition that a tile is full, and the code of others.
func (n *nodes) either(node *loopir.If) fragment {
	other := n.fragment(node.Else)
	return n.choice(node.Cond, n.fragment(node.Then), other)
}

// choice is the code where a condition holds, and other code elsewhere, as one thing.
func (n *place) choice(condition *loopir.Expr, yes, no fragment) fragment {
	n.needs(condition)
	return fragment{code: loopir.Code{&loopir.If{Cond: condition, Then: yes.code, Else: no.code, Whole: true}}, declares: union(yes.declares, no.declares)}
}

// strict turns a condition with a constant upper bound into the form that
// tells the number of iterations: v <= 31 becomes v < 32.
func strict(condition *loopir.Expr) *loopir.Expr {
	if !condition.Is(isl.OpLe) || condition.Args[1].Kind != isl.AstInt || condition.Args[1].Value == 1<<63-1 {
		return condition
	}
	return loopir.Operation(isl.OpLt, condition.Args[0], loopir.Int(condition.Args[1].Value+1))
}

// atLeast is the condition that a canonical loop has so many iterations.
func atLeast(count int64, start, condition, step *loopir.Expr) *loopir.Expr {
	distance := count - 1
	if step.Kind == isl.AstInt {
		distance *= step.Value
	}
	if condition.Is(isl.OpLt) {
		distance++
	}
	if start.Kind == isl.AstInt {
		return loopir.Operation(isl.OpGe, condition.Args[1], loopir.Int(distance+start.Value))
	}
	return loopir.Operation(isl.OpGe, loopir.Operation(isl.OpSub, condition.Args[1], start), loopir.Int(distance))
}

// isCanonical says whether OpenMP accepts a loop with that condition.
func isCanonical(condition *loopir.Expr, variable string) bool {
	return (condition.Is(isl.OpLt) || condition.Is(isl.OpLe)) && condition.Args[0].Name == variable
}

func (p *expressions) increment(variable string, step *loopir.Expr) string {
	if step.Kind == isl.AstInt && step.Value == 1 {
		return variable + "++"
	}
	return variable + " += " + p.expression(step).code
}

// constant is a loop that runs once as the constant that its variable is.
func (n *place) constant(variable string, value *loopir.Expr, body fragment) fragment {
	n.needs(value)
	if !n.mentions(body.code, variable) {
		return body
	}
	return fragment{code: loopir.Code{&loopir.Let{Var: variable, Value: value, Body: body.code}}, declares: body.declares}
}

// enter notes a loop or a condition around what is printed until leave is called.
func (n *place) enter(open openLoop) (leave func()) {
	n.open = append(n.open, open)
	return func() { n.open = n.open[:len(n.open)-1] }
}

func (n *nodes) branch(node *loopir.If) fragment {
	isKnown := node.Cond.IsInt(1)
	defer n.enter(openLoop{choice: node, assumed: isKnown})()
	if isKnown {
		return n.fragment(node.Then)
	}
	condition := node.Cond
	n.needs(condition)
	forget := n.know(factsOf(condition))
	yes, other := n.fragment(node.Then), node.Else
	forget()
	if other == nil && len(yes.code) == 0 {
		return yes
	}
	choice := &loopir.If{Cond: condition, Then: yes.code}
	if other == nil {
		return fragment{code: loopir.Code{choice}, declares: yes.declares}
	}
	defer n.know(opposite(condition))()
	no := n.fragment(other)
	choice.Else = no.code
	return fragment{code: loopir.Code{choice}, declares: union(yes.declares, no.declares)}
}

// statement is an instance of a statement.
func (n *nodes) statement(run *loopir.Run) fragment {
	made := loopir.Run{Statement: run.Statement, At: run.At, Values: n.uses(run, same), Accumulator: n.lanes.in(run.Statement.Statement), Along: run.Along}
	n.needs(made.Values...)
	if n.overheads.least == nil {
		return of(&made)
	}
	if run.Along == nil {
		n.noteOverhead(run.Statement.Index, run.At)
	} else {
		n.noteOverhead(run.Statement.Index, nil) // its subscripts have the loop's variable alone
	}
	return of(&made)
}

// statementsIn are the names of the statements of some code.
func statementsIn(code loopir.Code) map[string]bool {
	names := map[string]bool{}
	loopir.Walk(code, func(s loopir.Stmt) {
		switch s := s.(type) {
		case *loopir.Run:
			names[s.Statement.Name] = true
		case *loopir.Assign:
			names[s.Statement.Name] = true
		}
	})
	return names
}
