package codegen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"polytune/internal/ctext"
	"polytune/isl"
	"polytune/loopir"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
)

// nodes turns isl's syntax tree into code.
type nodes struct {
	*copies
	// lanes are the accumulators of the vector loop around, or nil.
	lanes *lanes
	// team is the region around, nil for none.
	team *region
	// crew is the team around, nil for none.
	crew *crew
	// single says that no loop has several threads.
	single bool
	// collapse is where threads share the iterations of the present loop and of the next one
	// together, nil elsewhere.
	collapse *collapse
	// outside is the register block inside the next loop, or nil.
	outside *placedBlock
	// flat is the loop around that is two of the syntax tree, or nil.
	flat *flat
	// points are the loops over the points of a tile, in stages.
	points *syntax
}

// statements are those of the model, with what is known of them.
type statements struct{ model *scop.Model }

// place is where code is made: what is around it, and known there.
type place struct {
	*printer
	*statements
	// env is where what became of marks is noted.
	env *Env
	// marks are those of the syntax tree, tree is what the schedule was lowered from, or nil.
	marks *mark.Table
	tree  *schedule.Tree
	// depths are the depths of the loops by the names of their variables.
	depths map[string]int
	// open are the loops and conditions around the present node, outermost first.
	open []openLoop
	// facts are affine expressions over variables of the code that are not negative.
	facts []linear
	// full holds the bounds of a full tile's loops while its code is printed.
	full *fullTile
	// narrowed replaces a bound of a loop around a register block.
	narrowed *narrowedLoop
	// relay is the loop around through which threads run as in a relay, nil for none.
	relay *relay
	// grain is the condition of the parameters under which the parallel loop around has several
	// threads, "" for none.
	grain string
	// overheads are where what the code computes for each instance is noted.
	overheads *overheads
}

// memories is the memory of the arrays that the code has besides the program's.
type memories struct {
	*place
	// hasOriginal says that there is other code for where there is no memory.
	hasOriginal bool
	// contractions are the arrays that have elements for one iteration of a loop alone.
	contractions map[string]mark.Local
	// buffers is the number of buffers that have a name, and shared those that threads share.
	buffers int
	shared  []*packing
	// heaped are the copies that have a piece of the region's memory, and owns the pieces of those that each thread has for itself.
	heaped []*copying
	owns   map[string]ownMemory
}

// copies are those of arrays' elements that the code uses at the present place.
type copies struct {
	*memories
	// schedule is the whole schedule, copyings are the marks of copied arrays around the present node, and copyNames the names of all by
	// their marks.
	schedule  mark.Schedule
	copyings  []*copying
	copyNames map[string]string
	// packings are the marks of packed references around.
	packings []*packing
	// layouts are those of arrays whose tiles have memory side by side at the present place.
	layouts map[string]*blockLayout
}

func (n *nodes) fragment(node *isl.AstNode, s scope) fragment {
	switch node.Type() {
	case isl.AstFor:
		return n.unlessEmpty(node, n.loop(node, s))
	case isl.AstIf:
		return n.branch(node, s)
	case isl.AstBlock:
		return n.sequence(node, s)
	case isl.AstMark:
		return n.mark(node, s)
	case isl.AstUser:
		return n.statement(node)
	}
	n.fail(fmt.Errorf("isl's syntax tree has a node of unknown type %d", node.Type()))
	return fragment{}
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

func (n *nodes) sequence(node *isl.AstNode, s scope) fragment {
	all := fragment{}
	for _, child := range node.BlockChildren() {
		f := n.fragment(child, s)
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
		if slices.Contains(f.declares, e.Name) {
			code = append(code, n.ownArray(e))
		}
	}
	return code
}

// tile prints the loops over the points of a tile: with constant trip counts
// where the tile is full, and as they are elsewhere.
func (n *nodes) tile(node *isl.AstNode, s scope) fragment {
	general := n.fragment(node, s)
	full := fullTileOf(node, n.model.Program.Parameters)
	if full == nil || n.isNeverFull(full) {
		return general
	}
	n.full = full
	special := n.fragment(node, s)
	n.full = nil
	return n.either(full.guard(), special, general)
}

func (n *nodes) loop(node *isl.AstNode, s scope) fragment {
	defer n.know(loopFacts(node))()
	variable := node.ForIterator().ID()
	defer n.enter(openLoop{variable: variable, node: node})()
	said := n.take(&s, variable)
	bounds, empty := n.full.take()
	if empty {
		return fragment{}
	}
	header := n.headerOf(node, bounds)
	if degenerate, _ := node.ForIsDegenerate(); degenerate {
		body := n.body(header.body, s)
		return n.constant(variable, header.start, body)
	}
	if !isCanonical(header.condition, variable) {
		said.on = loopir.Sequential
	}
	defer n.relay.enter(header)()
	defer n.flatten(&header)()
	return n.marked(header, said, s)
}

// headerOf is what stands above the body of a loop, with the bounds that it has in a full tile, or nil.
func (n *place) headerOf(node *isl.AstNode, bounds *interval) loopHeader {
	variable := node.ForIterator().ID()
	h := loopHeader{variable: variable, depth: n.depths[variable], step: loopir.FromISL(node.ForInc()), body: node.ForBody()}
	h.start, h.condition = n.narrowed.bounds(variable, loopir.FromISL(node.ForInit()), strict(loopir.FromISL(node.ForCond())))
	if bounds != nil {
		h.start = n.full.expressionOf(bounds.lower)
		h.condition = strict(loopir.Operation(isl.OpLe, loopir.Named(variable), n.full.expressionOf(bounds.upper)))
		_, h.isFull = bounds.width()
	}
	h.shareOf(n)
	return h
}

// body is the body of a loop, in which a register block may begin.
func (n *nodes) body(node *isl.AstNode, s scope) fragment {
	if block := n.outside; block != nil {
		n.outside = nil
		return n.registers(node, s, *block)
	}
	return n.fragment(node, s)
}

// loopHeader is what stands above the body of a loop, and the body.
type loopHeader struct {
	variable               string
	depth                  int
	start, condition, step *loopir.Expr
	body                   *isl.AstNode
	// isFull says that the loop is one of a full tile, so that it has an
	// iteration.
	isFull bool
	// threads is the condition under which there are several threads, or "" for
	// none; grain is it as far as it says that a nest is large. worth is the number of elements in C of which
	// copies for reductions pay there, "" where it is not known.
	threads, grain, worth string
}

// lengthFromZero is the number of iterations of a loop from 0 to a constant in steps of 1; 0 for others.
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
	return of(n.loopOver(h.variable, h.start, h.condition, h.step, append(n.declarationsOf(body), body.code...)))
}

// loopOver is a loop. The helpers that its bounds need are noted, whether it is printed or not.
func (n *place) loopOver(variable string, start, condition, step *loopir.Expr, body loopir.Code) *loopir.For {
	if start != nil {
		n.needs(start)
	}
	n.needs(condition, step)
	return &loopir.For{Var: variable, From: start, While: condition, Step: step, Body: body}
}

// needs notes the helpers that expressions need.
func (n *place) needs(expressions ...*loopir.Expr) {
	for _, e := range expressions {
		n.expression(e)
	}
}

// either is the code where a condition holds, and other code elsewhere, as one thing.
func (n *place) either(condition *loopir.Expr, yes, no fragment) fragment {
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

func (n *nodes) branch(node *isl.AstNode, s scope) fragment {
	known := n.full.assume()
	defer n.enter(openLoop{node: node, assumed: known != anyBranch})()
	switch known {
	case thenBranch:
		return n.fragment(node.IfThen(), s)
	case elseBranch:
		return n.fragment(node.IfElse(), s)
	}
	if n.lanes != nil {
		n.lanes.conditional = true
	}
	condition := loopir.FromISL(node.IfCond())
	n.needs(condition)
	forget := n.know(factsOf(condition))
	yes, other := n.fragment(node.IfThen(), s), node.IfElse()
	forget()
	if other == nil && len(yes.code) == 0 {
		return yes
	}
	choice := &loopir.If{Cond: condition, Then: yes.code}
	if other == nil {
		return fragment{code: loopir.Code{choice}, declares: yes.declares}
	}
	defer n.know(opposite(condition))()
	no := n.fragment(other, s)
	choice.Else = no.code
	return fragment{code: loopir.Code{choice}, declares: union(yes.declares, no.declares)}
}

// statement prints an instance of a statement. The values of its iterators are
// the last arguments of isl's call; tile coordinates may come before.
func (n *nodes) statement(node *isl.AstNode) fragment {
	call := loopir.FromISL(node.UserExpr())
	if n.points != nil && call.Args[0].Name == schedule.MarkTiles {
		return n.fragment(n.points.tree, scope{marks: n.points.marks})
	}
	n.team.run()
	n.crew.run()
	n.relay.run()
	s := n.model.Statement(call.Args[0].Name)
	if s == nil || len(call.Args) <= s.Depth() {
		n.fail(fmt.Errorf("the schedule runs %s, which is no statement of %s", node.UserExpr(), n.model.Program.Name))
		return fragment{}
	}
	if n.overheads.least != nil {
		n.noteOverhead(s.Index, call.Args[len(call.Args)-s.Depth():])
	}
	code, _ := n.flat.rewrite(n.instanceText(s.Statement, n.values(s, call, same)))
	return of(&loopir.Run{Statement: s, At: n.flat.apart(call.Args[len(call.Args)-s.Depth():]), Text: strings.ReplaceAll(code, "\r\n", "\n")})
}

// isSimple says whether a statement's text is one line without a keyword
// that would bind an else, or braces of its own.
func isSimple(code string) bool {
	if strings.ContainsAny(code, "\n{}#") {
		return false
	}
	for _, word := range ctext.Words(code) {
		switch word {
		case "if", "else", "for", "while", "do", "switch":
			return false
		}
	}
	return strings.Count(code, ";") == 1
}

// statementsBelow are the names of the statements of a syntax tree.
func statementsBelow(node *isl.AstNode) map[string]bool {
	names := map[string]bool{}
	for _, call := range callsIn(node) {
		names[call.Args[0].Name] = true
	}
	return names
}
