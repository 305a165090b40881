package codegen

import (
	"fmt"
	"slices"
	"strings"

	"polytune/internal/ctext"
	"polytune/isl"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
)

// nodes turns isl's syntax tree into code.
type nodes struct {
	*printer
	model   *scop.Model
	pragmas map[string]string
	// depths are the depths of the loops by the names of their variables.
	depths map[string]int
	// taken are the names that mean something already.
	taken map[string]bool
	// points are the loops over the points of a tile, in stages.
	points *syntax
	// marks are those of the syntax tree.
	marks *mark.Table
	// lanes are the accumulators of the vector loop around, or nil.
	lanes *lanes
	// full holds the bounds of a full tile's loops while its code is printed.
	full *fullTile
	// team is the region around, nil for none.
	team *region
	// relay is the loop around through which threads run as in a relay, nil for none.
	relay *relay
	// crew is the team around, nil for none.
	crew *crew
	// single says that no loop has several threads.
	single bool
	// grain is the condition of the parameters under which the parallel loop around has several
	// threads, "" for none.
	grain string
	// collapse is where threads share the iterations of the present loop and of the next one
	// together, nil elsewhere.
	collapse *collapse
	// narrowed replaces a bound of a loop around a register block.
	narrowed *narrowedLoop
	// facts are affine expressions over variables of the code that are not negative
	// at the present place.
	facts []linear
	// open are the loops and conditions around the present node, outermost first,
	// and packings the marks of packed references.
	open     []openLoop
	packings []*packing
	// buffers is the number of buffers that have a name, and shared those that threads
	// share, whose memory may be missing: hasOriginal says that there is other code for then.
	buffers     int
	shared      []*packing
	hasOriginal bool
	// outside is the register block inside the next loop, or nil.
	outside *placedBlock
	// vectorTypes are the names of vector types, typedefs their definitions.
	vectorTypes map[string]string
	typedefs    []string
	// macros are those besides the printer's helpers, by what they are for.
	macros map[string]macro
	// flat is the loop around that is two of the syntax tree, or nil.
	flat *flat
	// contractions are the arrays that have elements for one iteration of a loop alone.
	contractions map[string]mark.Local
	// tree is what the schedule was lowered from, or nil.
	tree *schedule.Tree
	// schedule is the whole schedule, copyings are the marks of copied arrays around the present node, heaped those copies that
	// have a piece of the region's memory, and copyNames the names of all by their marks.
	schedule  mark.Schedule
	copyings  []*copying
	heaped    []*copying
	copyNames map[string]string
	// layouts are those of arrays whose tiles have memory side by side at the present place.
	layouts map[string]*blockLayout
	// overheads are where what the code computes for each instance is noted.
	overheads *overheads
	// honours are the marks that the code has.
	honours *mark.Honours
	// owns are the pieces of memory of those that each thread has for itself.
	owns map[string]ownMemory
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
	n.err = fmt.Errorf("isl's syntax tree has a node of unknown type %d", node.Type())
	return fragment{}
}

func (n *nodes) sequence(node *isl.AstNode, s scope) fragment {
	all := fragment{}
	for _, child := range node.BlockChildren() {
		f := n.fragment(child, s)
		all.lines = append(all.lines, f.beside()...)
		all.declares = union(all.declares, f.declares)
	}
	return all
}

// declarationsOf declares the variables that a fragment needs from the code
// around. That is the body of the innermost loop around their marks: isl may
// have split the code of one mark where loops run only once, so the marks'
// own places are too far inside. Farther outside several iterations may use
// one object, one after the other; but no two threads, because the loop inside
// which the variable is declared is the innermost.
func (n *nodes) declarationsOf(f fragment) []line {
	var lines []line
	for _, private := range n.model.Program.Privates() {
		if slices.Contains(f.declares, private.Name) {
			lines = append(lines, line{0, localDeclaration(n.model.Program, private.Local)})
		}
	}
	for _, e := range n.model.Program.Expansions {
		if slices.Contains(f.declares, e.Name) {
			lines = append(lines, line{0, n.ownDeclaration(e)})
		}
	}
	return lines
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
	general.bare, special.bare = false, false
	lines := enclose("if ("+n.expression(full.guard()).code+")", special)
	return fragment{lines: append(lines[:len(lines)-1], enclose("} else", general)...), declares: union(special.declares, general.declares)}
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
		return constant(variable, n.expression(header.start), body)
	}
	if !isCanonical(header.condition, variable) {
		said.pragma = ""
	}
	defer n.relay.enter(header)()
	defer n.flatten(&header)()
	return n.marked(header, said, s)
}

// headerOf is what stands above the body of a loop, with the bounds that it has in a full tile, or nil.
func (n *nodes) headerOf(node *isl.AstNode, bounds *interval) loopHeader {
	variable := node.ForIterator().ID()
	h := loopHeader{variable: variable, depth: n.depths[variable], step: expressionOf(node.ForInc()), body: node.ForBody()}
	h.start, h.condition = n.narrowed.bounds(variable, expressionOf(node.ForInit()), strict(expressionOf(node.ForCond())))
	if bounds != nil {
		h.start = n.full.expressionOf(bounds.lower)
		h.condition = strict(operation(isl.OpLe, named(variable), n.full.expressionOf(bounds.upper)))
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
	start, condition, step *expression
	body                   *isl.AstNode
	// isFull says that the loop is one of a full tile, so that it has an
	// iteration.
	isFull bool
	// threads is the condition under which there are several threads, or "" for
	// none; grain is it as far as it says that a nest is large.
	threads, grain string
}

// lengthFromZero is the number of iterations of a loop from 0 to a constant in steps of 1; 0 for others.
func (h loopHeader) lengthFromZero() int64 {
	isWhole := h.start.kind == isl.AstInt && h.start.value == 0 && h.step.kind == isl.AstInt && h.step.value == 1 && h.condition.is(isl.OpLt) &&
		h.condition.arguments[1].kind == isl.AstInt
	if !isWhole {
		return 0
	}
	return max(0, h.condition.arguments[1].value)
}

// runs is the condition under which the loop has an iteration.
func (h loopHeader) runs() *expression {
	return operation(h.condition.operator, h.start, h.condition.arguments[1])
}

// around is the loop around its body.
func (n *nodes) around(h loopHeader, body fragment) fragment {
	if declarations := n.declarationsOf(body); len(declarations) > 0 {
		body = fragment{lines: append(declarations, body.lines...)}
	}
	header := fmt.Sprintf("for (long %s = %s; %s; %s)", h.variable, n.expression(h.start).code, n.expression(h.condition).code, n.increment(h.variable, h.step))
	return fragment{lines: enclose(header, body), bare: true}
}

// strict turns a condition with a constant upper bound into the form that
// tells the number of iterations: v <= 31 becomes v < 32.
func strict(condition *expression) *expression {
	if !condition.is(isl.OpLe) || condition.arguments[1].kind != isl.AstInt || condition.arguments[1].value == 1<<63-1 {
		return condition
	}
	return operation(isl.OpLt, condition.arguments[0], integer(condition.arguments[1].value+1))
}

// atLeast is the condition that a canonical loop has so many iterations.
func atLeast(count int64, start, condition, step *expression) *expression {
	distance := count - 1
	if step.kind == isl.AstInt {
		distance *= step.value
	}
	if condition.is(isl.OpLt) {
		distance++
	}
	if start.kind == isl.AstInt {
		return operation(isl.OpGe, condition.arguments[1], integer(distance+start.value))
	}
	return operation(isl.OpGe, operation(isl.OpSub, condition.arguments[1], start), integer(distance))
}

// isCanonical says whether OpenMP accepts a loop with that condition.
func isCanonical(condition *expression, variable string) bool {
	return (condition.is(isl.OpLt) || condition.is(isl.OpLe)) && condition.arguments[0].name == variable
}

func (n *nodes) increment(variable string, step *expression) string {
	if step.kind == isl.AstInt && step.value == 1 {
		return variable + "++"
	}
	return variable + " += " + n.expression(step).code
}

// constant prints a loop that runs once as the constant that its variable is.
func constant(variable string, value text, body fragment) fragment {
	if !mentions(body.lines, variable) {
		return body
	}
	declaration := line{1, fmt.Sprintf("const long %s = %s;", variable, value.code)}
	lines := append([]line{{0, "{"}, declaration}, indent(body.lines)...)
	return fragment{lines: append(lines, line{0, "}"}), declares: body.declares}
}

// enter notes a loop or a condition around what is printed until leave is called.
func (n *nodes) enter(open openLoop) (leave func()) {
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
	condition := expressionOf(node.IfCond())
	header := "if (" + n.expression(condition).code + ")"
	forget := n.know(factsOf(condition))
	yes, other := n.fragment(node.IfThen(), s), node.IfElse()
	forget()
	if other == nil && len(yes.lines) == 0 {
		return yes
	}
	if other == nil {
		return fragment{lines: enclose(header, yes), conditional: true, declares: yes.declares}
	}
	defer n.know(opposite(condition))()
	yes.bare = false
	lines, no := enclose(header, yes), n.fragment(other, s)
	declares := union(yes.declares, no.declares)
	if no.conditional {
		no.lines[0].code = "} else " + no.lines[0].code
	} else {
		no.bare = false
		no.lines = enclose("} else", no)
	}
	return fragment{lines: append(lines[:len(lines)-1], no.lines...), conditional: true, declares: declares}
}

// statement prints an instance of a statement. The values of its iterators are
// the last arguments of isl's call; tile coordinates may come before.
func (n *nodes) statement(node *isl.AstNode) fragment {
	call := expressionOf(node.UserExpr())
	if n.points != nil && call.arguments[0].name == schedule.MarkTiles {
		return n.fragment(n.points.tree, scope{marks: n.points.marks})
	}
	n.team.run()
	n.crew.run()
	n.relay.run()
	s := n.model.Statement(call.arguments[0].name)
	if s == nil || len(call.arguments) <= s.Depth() {
		n.err = fmt.Errorf("the schedule runs %s, which is no statement of %s", node.UserExpr(), n.model.Program.Name)
		return fragment{}
	}
	if n.overheads.least != nil {
		n.noteOverhead(s.Index, call.arguments[len(call.arguments)-s.Depth():])
	}
	code, _ := n.flat.rewrite(n.instanceText(s.Statement, n.values(s, call, same)))
	code = strings.ReplaceAll(code, "\r\n", "\n")
	f := fragment{bare: isSimple(code)}
	for i, l := range strings.Split(code, "\n") {
		f.lines = append(f.lines, line{2 * min(i, 1), strings.Trim(l, ctext.Blank)})
	}
	return f
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
		names[call.arguments[0].name] = true
	}
	return names
}
