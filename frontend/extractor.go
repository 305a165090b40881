package frontend

import (
	"maps"
	"math"
	"sync"

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
	// quiet are the roots of math.h that the region calls and that need not set errno; errnoRead
	// says that the file reads it, nil as long as nobody has asked.
	quiet     map[string]bool
	errnoRead *bool
	// around are the loops of the function around the region.
	around func() []*cc.IterationStatement
	// parameters are in the order of their first use.
	parameters []*parameter
	arrays     []*arrayInfo
	// rows are those of arrays whose one subscript counts rows, and again says that the region has
	// to be read once more, with what is known of them now.
	rows  map[arrayKey]*arrayRows
	again bool
	// standIns are the variables that stand for piecewise values in indices of rows.
	standIns []standIn
	// assumptions are conditions on the parameters that the code checks when it runs.
	assumptions []formula
	statements  []*statementDraft
	problems    ErrorList
	warnings    ErrorList
	prover      *prover
	// extents are the places of the statements made so far.
	extents []span
	// tuples are the names of iterators in isl's text.
	tuples map[string]bool
	// locals are the region's own variables.
	locals []localVariable
	// zeroIterators are the iterators of the loops that set elements of the region's own arrays to
	// zero, by their dimensions.
	zeroIterators []string
	// copies are the variables of the function that a value stands for.
	copies map[*cc.Declarator]bool
	// outside are the iterators that are named outside of the loops over them, and items are the
	// region's.
	outside map[*cc.Declarator]bool
	items   []*cc.BlockItem
	// frontValues are those of variables that have one value from their declaration on, nil for
	// others, and firsts their first values.
	frontValues map[*cc.Declarator]*affineCopy
	firsts      *initialValues
	// allocations are what the function does with memory that pointers of its own alone lead to.
	allocations map[*cc.Declarator]*allocation
	// alignments are the bytes that functions take pointers to be multiples of.
	alignments map[*cc.Declarator]int
	// inlinedFunctions are those that bounds, conditions and subscripts call.
	inlinedFunctions map[string]bool
	// idle are the names of what only statements without instances use.
	idle map[string]bool
	// finals are the assignments of what loops leave in their iterators.
	finals map[*cc.Declarator]string
	// reading is what earlier readings of the region have found, counted the variables that loops
	// inside opaque statements count with, and entered the iterators of the model's loops.
	reading          *reading
	counted, entered map[*cc.Declarator]bool
	// ended are the iterators that such an assignment is made for.
	ended map[*cc.Declarator]bool
	// stated are facts that the program states.
	stated []statedFact
	// reused are iterators that are used outside of the loops over them.
	reused map[*cc.Declarator]bool
	// secondNames are pointers that lead into arrays which the region uses by other names.
	secondNames []*cc.Declarator
	// unbounded are loops whose bounds the model has not.
	unbounded map[*cc.IterationStatement]bool
	// withoutOthers is why loops are refused if the region has none of the model.
	withoutOthers ErrorList
	// usesOutside are uses in statements with control flow of their own.
	usesOutside []useOutside
	// isAboutHiding says that something is refused, or not rewritten, because a variable hides
	// another one.
	isAboutHiding bool
	// products are those of sizes, in bounds and conditions, that have no names.
	products []*cc.MultiplicativeExpression
	// leftOut are statements without effect.
	leftOut []*statementDraft
	// ifReordered are warnings that matter where reductions may be done in another order.
	ifReordered ErrorList
	// permissions are those of directives to do updates in another order, and inClauses the names
	// in clauses of directives that the generated code does not have.
	permissions []permission
	inClauses   map[string]bool
	// refusesDirective says that a directive is among what is refused.
	refusesDirective bool
	// beginnings and endings are the lines of C around the generated block.
	beginnings, endings []string
}

// statementDraft is a statement whose isl text waits for the full list of
// parameters.
type statementDraft struct {
	scop.Statement
	names      []string
	domain     []formula
	references []reference
	// calls are the functions that it calls.
	calls []string
	// update is the statement's form as a reduction, or nil, and updates are the updates in a
	// statement with control flow of its own.
	update  *updateForm
	updates []*updateForm
	// offset is where its text begins in the source; 0 where it has none.
	offset int
}

// place is where in the nest a statement stands.
type place struct {
	loops []loopLevel
	// conditions hold in every iteration that reaches the place.
	conditions []formula
	// known are facts that the program states in front of the place.
	known []formula
	// position are the textual positions of the loops around.
	position []int
	// next counts the siblings at this depth.
	next *int
	// bindings are the names that mean something at this place, innermost
	// last.
	bindings []binding
	// blockEnd is the number of the last token of the block around.
	blockEnd int
	// exits are those of the innermost loop around, nil for none, and passed is how many of them
	// lie in front of the place.
	exits  *loopExits
	passed int
	// unseen takes the iterators that macros in a statement's text name and the text does not; nil
	// where there can be none.
	unseen *unseenIterators
}

// loopLevel is one loop around a place.
type loopLevel struct {
	declarator *cc.Declarator
	// name is the iterator's name in the source, tuple that in isl's text.
	name, tuple string
	descending  bool
	// typ is the iterator's type, nil for the int of a loop that the source does not have.
	typ cc.Type
}

func (l loopLevel) typeName() string {
	if l.typ == nil {
		return "int"
	}
	return typeName(l.typ)
}

func newExtractor(u *unit, b bounds, f *cc.FunctionDefinition, definitions map[string]*cc.FunctionDefinition, items []*cc.BlockItem, known *reading) *extractor {
	x := &extractor{quiet: map[string]bool{}, reading: known, rows: known.rows, items: items, counted: map[*cc.Declarator]bool{}, entered: map[*cc.Declarator]bool{}, unit: u, bounds: b, function: f, definitions: definitions, prover: newProver(),
		tuples: map[string]bool{}, inClauses: map[string]bool{}, copies: map[*cc.Declarator]bool{}, alignments: map[*cc.Declarator]int{}, allocations: map[*cc.Declarator]*allocation{}, frontValues: map[*cc.Declarator]*affineCopy{}, finals: map[*cc.Declarator]string{}, unbounded: map[*cc.IterationStatement]bool{}, inlinedFunctions: map[string]bool{}, ended: map[*cc.Declarator]bool{}}
	maps.Copy(x.inClauses, u.inLeftOut[b.number])
	x.facts = gatherFacts(items)
	for d := range known.scalars {
		delete(x.facts.iterators, d)
	}
	x.around = sync.OnceValue(x.loopsAround)
	return x
}

// extract walks the region and finishes the program.
func (x *extractor) extract(name string, items []*cc.BlockItem) (*scop.Program, error) {
	defer x.prover.close()
	x.keepDirectives()
	x.keepOpenMP()
	x.checkGenerics(items)
	counter := 0
	at := x.incoming(place{next: &counter, blockEnd: math.MaxInt})
	for _, item := range items {
		at = x.item(item, at)
	}
	x.refuseUsesOutside()
	x.refuseWithoutOthers()
	x.checkOverlaps()
	x.checkLoopsAround()
	x.endings = append(x.finalAssignments(at), x.endings...)
	x.refuseSecondNames()
	x.warnAboutAliases()
	x.warnAboutBrought()
	if err := x.problems.asError(); err != nil {
		x.noteRewriting(items)
		return nil, err
	}
	if len(x.statements) == 0 {
		return nil, x.noStatement()
	}
	return x.finish(name)
}

const labelAdvice = "use loops, break and if/else instead of goto; put the region behind the labels of a switch around it"

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

// item extracts an item of a block; the place it returns is that of the next
// item.
func (x *extractor) item(item *cc.BlockItem, at place) place {
	switch item.Case {
	case cc.BlockItemDecl:
		return x.declaration(item.Declaration, at)
	case cc.BlockItemStmt:
		if condition, holds := factIn(item.Statement); condition != nil && !x.isToBring(item.Statement) {
			return x.state(condition, holds, at)
		}
		if d, value := assignedCopy(item.Statement); d != nil {
			if c := x.copyOf(d, value, item.Statement, at); c != nil {
				x.copies[d] = true
				return at.bind(binding{declarator: d, loop: -1, copy: c})
			}
		}
		return x.statement(item.Statement, at)
	case cc.BlockItemLabel:
		x.refuse(item, "label", "a label declaration inside the region", labelAdvice)
	default:
		x.refuse(item, "nested function", "a function is defined inside the region", "define it at file scope")
	}
	return at
}

// body extracts the statement that a loop or an if consists of. The place it returns is that of
// what follows inside of it.
func (x *extractor) body(s *cc.Statement, at place) place {
	if extent, ok := spanOf(s); ok {
		at.blockEnd = extent.lastSequence
	}
	condition, _ := factIn(s)
	if d, _ := assignedCopy(s); d != nil || condition != nil {
		return x.item(&cc.BlockItem{Case: cc.BlockItemStmt, Statement: s}, at)
	}
	return x.statement(s, at)
}

// statement extracts a statement; the place it returns is that of the next one.
func (x *extractor) statement(s *cc.Statement, at place) place {
	switch s.Case {
	case cc.StatementCompound:
		return x.block(s, at)
	case cc.StatementExpr:
		if after, ok := x.assignEach(s, at); ok {
			return after
		}
		if s.ExpressionStatement.ExpressionList != nil {
			return x.expressionStatement(s, at)
		}
	case cc.StatementSelection:
		return x.selection(s, at)
	case cc.StatementIteration:
		return x.iteration(s.IterationStatement, at)
	case cc.StatementJump:
		if !x.exit(s.JumpStatement, at) {
			x.refuseJump(s.JumpStatement)
		}
	case cc.StatementLabeled:
		x.refuse(s, "label", "a label inside the region", labelAdvice)
		return x.statement(s.LabeledStatement.Statement, at)
	default:
		x.refuse(s, "asm", "inline assembly inside the region", "write the computation in C or move the assembly out of the region")
	}
	return at
}

// block extracts a block.
func (x *extractor) block(s *cc.Statement, at place) place {
	if jump := firstGoto(s); jump != nil && len(ownLabels(s)) > 0 {
		x.asOne(s, at, x.jumpError(jump))
		return at
	}
	inner := at
	if extent, ok := spanOf(s); ok {
		inner.blockEnd = extent.lastSequence
	}
	for l := s.CompoundStatement.BlockItemList; l != nil; l = l.BlockItemList {
		inner = x.item(l.BlockItem, inner).past()
	}
	return x.carried(at, inner)
}

// expressionStatement makes one statement of the program. The place it returns is that of the next
// one.
func (x *extractor) expressionStatement(s *cc.Statement, at place) place {
	expression := s.ExpressionStatement.ExpressionList
	if after, ok := x.inParts(expression, at); ok {
		return after
	}
	embedded := x.embeddedIn(expression, at)
	collector := x.newCollector(at)
	collector.embedded = embedded
	collector.statement(s)
	if !x.accept(collector) {
		return at
	}
	if !writesAnything(collector.references) {
		x.leaveOut(expression, collector)
	} else {
		x.emit(s, expression, at, collector)
	}
	for _, n := range embedded {
		at, _ = x.assign(n, at)
	}
	return at
}
