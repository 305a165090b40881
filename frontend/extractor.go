package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// extractor builds the program of one region.
type extractor struct {
	*unit
	bounds      bounds
	function    *cc.FunctionDefinition
	definitions map[string]*cc.FunctionDefinition
	facts       *facts
	// parameters are in the order of their first use.
	parameters []*cc.Declarator
	arrays     []*arrayInfo
	statements []*statementDraft
	problems   ErrorList
	warnings   ErrorList
	prover     *prover
	// extents are the places of the statements made so far.
	extents []span
	// tokens are those of the function's body, once they were asked for.
	tokens []cc.Token
}

// arrayInfo is an array under construction and the variables it stands for.
type arrayInfo struct {
	scop.Array
	declarator *cc.Declarator
}

// statementDraft is a statement whose isl text waits for the full list of
// parameters.
type statementDraft struct {
	scop.Statement
	names      []string
	domain     []formula
	references []reference
}

// place is where in the nest a statement stands.
type place struct {
	loops []loopLevel
	// conditions hold in every iteration that reaches the place.
	conditions []formula
	// position are the textual positions of the loops around.
	position []int
	// next counts the siblings at this depth.
	next *int
}

// loopLevel is one loop around a place.
type loopLevel struct {
	declarator *cc.Declarator
	// name is the iterator's name in the source, tuple that in isl's text.
	name, tuple string
	descending  bool
}

func newExtractor(u *unit, b bounds, f *cc.FunctionDefinition, definitions map[string]*cc.FunctionDefinition, items []*cc.BlockItem) *extractor {
	x := &extractor{unit: u, bounds: b, function: f, definitions: definitions, prover: newProver()}
	x.facts = gatherFacts(items)
	return x
}

// extract walks the region and finishes the program.
func (x *extractor) extract(name string, items []*cc.BlockItem) (*scop.Program, error) {
	defer x.prover.close()
	x.checkDirectives()
	counter := 0
	at := place{next: &counter}
	for _, item := range items {
		x.item(item, at)
	}
	x.checkOverlaps()
	x.checkIteratorsAfter()
	x.warnAboutAliases()
	if err := x.problems.asError(); err != nil {
		return nil, err
	}
	if len(x.statements) == 0 {
		return nil, ErrorList{{x.bounds.pragma, "#pragma scop", "the region has no statement",
			"put the loop nest between #pragma scop and #pragma endscop"}}
	}
	return x.finish(name)
}

const labelAdvice = "remove labels, goto and switch from the region; use for loops and if/else with affine conditions"

// refuse notes a problem at a node.
func (x *extractor) refuse(at cc.Node, construct, message, advice string) {
	x.problems = append(x.problems, x.errorAt(at, construct, message, advice))
}

func (x *extractor) errorAt(at cc.Node, construct, message, advice string) *Error {
	return &Error{x.positionOf(at), construct, message, advice}
}

func (x *extractor) positionOf(n cc.Node) Position {
	p := n.Position()
	if p.Filename == x.name {
		return x.position(p.Offset)
	}
	return Position{p.Filename, p.Line, p.Column}
}

func (x *extractor) item(item *cc.BlockItem, at place) {
	switch item.Case {
	case cc.BlockItemDecl:
		x.declaration(item.Declaration, at)
	case cc.BlockItemStmt:
		x.statement(item.Statement, at)
	case cc.BlockItemLabel:
		x.refuse(item, "label", "a label declaration inside the region", labelAdvice)
	default:
		x.refuse(item, "nested function", "a function is defined inside the region", "define it at file scope")
	}
}

func (x *extractor) statement(s *cc.Statement, at place) {
	switch s.Case {
	case cc.StatementCompound:
		for l := s.CompoundStatement.BlockItemList; l != nil; l = l.BlockItemList {
			x.item(l.BlockItem, at)
		}
	case cc.StatementExpr:
		if s.ExpressionStatement.ExpressionList != nil {
			x.expressionStatement(s, at)
		}
	case cc.StatementSelection:
		x.selection(s, at)
	case cc.StatementIteration:
		x.iteration(s.IterationStatement, at)
	case cc.StatementJump:
		x.refuseJump(s.JumpStatement)
	case cc.StatementLabeled:
		x.refuse(s, "label", "a label inside the region", labelAdvice)
		x.statement(s.LabeledStatement.Statement, at)
	default:
		x.refuse(s, "asm", "inline assembly inside the region", "write the computation in C or move the assembly out of the region")
	}
}

func (x *extractor) refuseJump(j *cc.JumpStatement) {
	switch j.Case {
	case cc.JumpStatementGoto, cc.JumpStatementGotoExpr:
		x.refuse(j, "goto", "goto inside the region", "use for loops and if/else with affine conditions")
	case cc.JumpStatementContinue:
		x.refuse(j, "continue", "continue inside the region", "put the rest of the loop's body under an if with the opposite condition")
	case cc.JumpStatementBreak:
		x.refuse(j, "break", "break inside the region: the number of iterations would depend on the data", "give the loop an affine bound, or move it out of the region")
	default:
		x.refuse(j, "return", "return inside the region", "let the region run to #pragma endscop and return behind it")
	}
}

// expressionStatement makes one statement of the program.
func (x *extractor) expressionStatement(s *cc.Statement, at place) {
	expression := s.ExpressionStatement.ExpressionList
	collector := x.newCollector(at)
	collector.expression(expression)
	if !x.accept(collector) {
		return
	}
	if !writesAnything(collector.references) {
		x.refuse(s, "expression", "a statement that assigns nothing", "remove it, or assign its value to a variable")
		return
	}
	x.emit(s, expression, at, collector)
}

func (x *extractor) accept(c *collector) bool {
	x.problems = append(x.problems, c.problems...)
	return len(c.problems) == 0
}

func writesAnything(references []reference) bool {
	for _, r := range references {
		if r.write {
			return true
		}
	}
	return false
}

// emit appends the statement whose text is that of node.
func (x *extractor) emit(node, first cc.Node, at place, c *collector) {
	extent, ok := spanOf(node)
	if !ok {
		return
	}
	source, offset, err := x.sourceOf(extent)
	if err != nil {
		x.problems.add(err)
		return
	}
	x.extents = append(x.extents, extent)
	x.appendStatement(source, offset, x.positionOf(first), at, c)
}

func (x *extractor) appendStatement(source string, offset int, where Position, at place, c *collector) {
	uses, err := x.usesIn(source, offset, at)
	if err != nil {
		x.problems.add(err)
		return
	}
	draft := &statementDraft{domain: at.conditions, references: writesFirst(c.references)}
	draft.Name = fmt.Sprintf("S%d", len(x.statements))
	draft.Source, draft.Uses = source, uses
	draft.Position = append(append([]int{}, at.position...), *at.next)
	draft.Line, draft.Column = where.Line, where.Column
	*at.next++
	for _, l := range at.loops {
		draft.Loops = append(draft.Loops, scop.Loop{Iterator: l.name, Descending: l.descending})
		draft.names = append(draft.names, l.tuple)
	}
	x.statements = append(x.statements, draft)
}

// checkDirectives refuses what the replacement of the region's text would
// lose.
func (x *extractor) checkDirectives() {
	for _, l := range x.between(x.bounds.start, x.bounds.end) {
		if l.kind != directive {
			continue
		}
		words := x.directiveWords(l)
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "include", "define", "undef", "include_next":
			x.problems = append(x.problems, &Error{x.position(l.start), "#" + words[0],
				"#" + words[0] + " inside the region", "move it in front of #pragma scop"})
		}
	}
}

// finish writes the isl text, now that all parameters are known.
func (x *extractor) finish(name string) (*scop.Program, error) {
	program := &scop.Program{Name: name, Function: x.functionOf(x.function)}
	for _, d := range x.parameters {
		program.Parameters = append(program.Parameters, d.Name())
	}
	writer := &islWriter{parameters: program.Parameters}
	program.Context = writer.context(append(x.knownFacts(), x.extentFacts()...))
	used := map[string]bool{}
	for _, draft := range x.statements {
		s := draft.Statement
		s.Domain = writer.set(s.Name, draft.names, draft.domain)
		for _, r := range draft.references {
			if x.isParameter(r.array.declarator) && !r.write {
				continue
			}
			used[r.array.Name] = true
			s.Accesses = append(s.Accesses, scop.Access{
				Array: r.array.Name, Read: r.read, Write: r.write, May: r.may,
				Relation: writer.relation(s.Name, draft.names, r),
				Line:     r.where.Line, Column: r.where.Column,
			})
		}
		program.Statements = append(program.Statements, s)
	}
	for _, a := range x.arrays {
		if used[a.Name] {
			program.Arrays = append(program.Arrays, a.Array)
		}
	}
	if err := x.checkNames(program); err != nil {
		return nil, err
	}
	return program, nil
}

// knownFacts are conditions on the parameters that C's types imply.
func (x *extractor) knownFacts() []formula {
	var known []formula
	for _, d := range x.parameters {
		if isUnsigned(d.Type()) {
			known = append(known, comparison{variableForm(d.Name()), ">=", constantForm(0)})
		}
	}
	return known
}

// extentFacts are conditions on the parameters that are extents of arrays: no
// array has a negative one. C wants them positive, but programs that never
// touch an array of extent zero work, and shall go on to.
func (x *extractor) extentFacts() []formula {
	var known []formula
	for _, d := range x.parameters {
		isExtent := slices.ContainsFunc(x.arrays, func(a *arrayInfo) bool { return slices.Contains(a.Extents, d.Name()) })
		if isExtent && !isUnsigned(d.Type()) {
			known = append(known, comparison{variableForm(d.Name()), ">=", constantForm(0)})
		}
	}
	return known
}

// checkNames refuses names that isl's text form cannot hold.
func (x *extractor) checkNames(p *scop.Program) error {
	var problems ErrorList
	check := func(d *cc.Declarator, what string) {
		if name := d.Name(); !representable(name) {
			problems = append(problems, &Error{x.positionOf(d), what,
				fmt.Sprintf("the polyhedral library cannot hold the name %s of this %s", name, what),
				"rename it; names must be ASCII and, in capitals or not, none of " + strings.Join(reservedNames, " ")})
		}
	}
	for _, d := range x.parameters {
		check(d, "parameter")
	}
	for _, a := range x.arrays {
		if p.Array(a.Name) != nil {
			check(a.declarator, "variable")
		}
	}
	return problems.asError()
}
