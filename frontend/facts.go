package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// facts are what a first look at the whole region finds out about its
// variables.
type facts struct {
	// assigned holds the variables that are assigned as a whole, with the
	// first place where that happens. Loop iterators are among them.
	assigned map[*cc.Declarator]cc.Node
	// exchanged holds the pointers that get the value of another one.
	exchanged map[*cc.Declarator]bool
	// local holds the variables declared inside the region.
	local map[*cc.Declarator]bool
	// named holds the variables of each name, those that are declared and not used as well.
	named map[string]map[*cc.Declarator]bool
	// iterators holds the variables that a for loop sets.
	iterators map[*cc.Declarator]bool
	// assignments counts the places where a variable is assigned as a whole,
	// its initial value included.
	assignments map[*cc.Declarator]int
	// updated are those that an assignment makes of what they were.
	updated map[*cc.Declarator]bool
	// uses are the numbers of the tokens that name each variable.
	uses map[*cc.Declarator][]int
	// accessed and written hold how the region uses and may write each
	// variable, and set what of it assignments, increments and decrements change.
	accessed, written, set map[*cc.Declarator][]lvalue
}

func newFacts() *facts {
	return &facts{
		assigned:  map[*cc.Declarator]cc.Node{},
		exchanged: map[*cc.Declarator]bool{},
		local:     map[*cc.Declarator]bool{},
		named:     map[string]map[*cc.Declarator]bool{},
		iterators: map[*cc.Declarator]bool{},

		assignments: map[*cc.Declarator]int{},
		updated:     map[*cc.Declarator]bool{},
		uses:        map[*cc.Declarator][]int{},
		accessed:    map[*cc.Declarator][]lvalue{},
		written:     map[*cc.Declarator][]lvalue{},
		set:         map[*cc.Declarator][]lvalue{},
	}
}

func gatherFacts(items []*cc.BlockItem) *facts {
	f := newFacts()
	for _, item := range items {
		visit(item, f.look)
		walk(item, f.lookAtAccess)
	}
	return f
}

// lookAtAccess notes the whole of each access: p[i].x once, and not its parts
// p[i] and p. What sizeof looks at is no access.
func (f *facts) lookAtAccess(n cc.Node) bool {
	e, ok := n.(cc.ExpressionNode)
	if !ok {
		return true
	}
	if u, ok := e.(*cc.UnaryExpression); ok {
		switch u.Case {
		case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofExpr, cc.UnaryExpressionAlignofType:
			return false
		}
	}
	v, ok := resolve(e)
	if !ok {
		return true
	}
	f.accessed[v.variable] = append(f.accessed[v.variable], v)
	for _, s := range v.subscripts {
		if s != nil {
			walk(s, f.lookAtAccess)
		}
	}
	return false
}

// lookAtCall notes what a call may write: whatever it gets a pointer to.
func (f *facts) lookAtCall(x *cc.PostfixExpression) {
	if pointer, _ := promisedAlignment(x); pointer != nil {
		return
	}
	for _, argument := range argumentsOf(x) {
		if v, ok := resolvePointed(argument); ok {
			f.written[v.variable] = append(f.written[v.variable], v)
		}
	}
}

// argumentsOf are the arguments of a call.
func argumentsOf(call *cc.PostfixExpression) (list []cc.ExpressionNode) {
	for l := call.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		list = append(list, l.AssignmentExpression)
	}
	return list
}

func (f *facts) write(target cc.ExpressionNode, isSet bool) {
	v, ok := resolve(target)
	if !ok {
		return
	}
	f.written[v.variable] = append(f.written[v.variable], v)
	if isSet {
		f.set[v.variable] = append(f.set[v.variable], v)
	}
}

func (f *facts) look(n cc.Node) {
	switch x := n.(type) {
	case *cc.AssignmentExpression:
		if x.Case != cc.AssignmentExpressionCond {
			f.assign(x.UnaryExpression, x)
		}
		if isExchange(x) {
			f.exchanged[variableOf(x.UnaryExpression)] = true
		}
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
			f.assign(x.UnaryExpression, x)
		case cc.UnaryExpressionAddrof:
			f.assign(x.CastExpression, x)
		}
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			f.assign(x.PostfixExpression, x)
		case cc.PostfixExpressionCall:
			f.lookAtCall(x)
		}
	case *cc.IterationStatement:
		f.lookAtLoop(x)
	case *cc.Declaration:
		if declared := declaredByValue(x); declared != nil {
			f.look(declared)
		}
	case *cc.InitDeclarator:
		f.local[x.Declarator] = true
		f.name(x.Declarator)
		if x.Initializer != nil {
			f.assignments[x.Declarator]++
			whole := lvalue{variable: x.Declarator, name: x.Declarator}
			f.accessed[x.Declarator] = append(f.accessed[x.Declarator], whole)
			f.written[x.Declarator] = append(f.written[x.Declarator], whole)
		}
		if f.assigned[x.Declarator] == nil {
			f.assigned[x.Declarator] = x
		}
	case *cc.PrimaryExpression:
		if d := variableOf(x); d != nil {
			f.name(d)
			f.uses[d] = append(f.uses[d], x.Token.Seq())
		}
	}
}

// name notes a variable by its name.
func (f *facts) name(d *cc.Declarator) {
	if f.named[d.Name()] == nil {
		f.named[d.Name()] = map[*cc.Declarator]bool{}
	}
	f.named[d.Name()][d] = true
}

func (f *facts) lookAtLoop(s *cc.IterationStatement) {
	switch s.Case {
	case cc.IterationStatementFor:
		set := setBy(commaParts(s.ExpressionList))
		for _, d := range set {
			if len(set) == 1 || slices.Contains(setBy(commaParts(s.ExpressionList3)), d) && slices.Contains(namedIn(s.ExpressionList2), d) {
				f.iterators[d] = true
			}
		}
	case cc.IterationStatementForDecl:
		all, stepping := s.Declaration.InitDeclaratorList, setBy(commaParts(s.ExpressionList2))
		for l := all; l != nil; l = l.InitDeclaratorList {
			if d := l.InitDeclarator.Declarator; all != nil && all.InitDeclaratorList == nil || slices.Contains(stepping, d) {
				f.iterators[d] = true
			}
		}
	}
}

func (f *facts) assign(target cc.ExpressionNode, at cc.Node) {
	f.write(target, assigns(at))
	if d := variableOf(target); d != nil {
		if n, ok := at.(cc.ExpressionNode); ok {
			_, value := assignmentOf(n)
			_, isUpdate := value.(*updateNode)
			f.updated[d] = f.updated[d] || isUpdate
		}
		f.note(d, at)
	}
}

func (f *facts) note(d *cc.Declarator, at cc.Node) {
	f.assignments[d]++
	if f.assigned[d] == nil {
		f.assigned[d] = at
	}
}

// unwrap strips parentheses, one-element lists, _Generic around what it chooses, and what only
// promises an alignment.
func unwrap(n cc.ExpressionNode) cc.ExpressionNode {
	for {
		switch x := n.(type) {
		case *cc.ExpressionList:
			if x.ExpressionList != nil {
				return n
			}
			n = x.AssignmentExpression
		case *cc.PrimaryExpression:
			if choice := genericChoice(x); choice != nil {
				n = choice
				continue
			}
			if x.Case != cc.PrimaryExpressionExpr {
				return n
			}
			n = x.ExpressionList
		case *cc.ConstantExpression:
			n = x.ConditionalExpression
		case *cc.PostfixExpression:
			pointer, _ := promisedAlignment(x)
			if pointer == nil {
				return n
			}
			n = pointer
		default:
			return n
		}
	}
}

// variableOf is the variable that an expression is the plain name of, or nil.
func variableOf(n cc.ExpressionNode) *cc.Declarator {
	if n == nil {
		return nil
	}
	p, ok := unwrap(n).(*cc.PrimaryExpression)
	if !ok || p.Case != cc.PrimaryExpressionIdent {
		return nil
	}
	switch d := p.ResolvedTo().(type) {
	case *cc.Declarator:
		return d
	case *cc.Parameter:
		return d.Declarator
	}
	return nil
}

// isIterator says that the variable is set by a for loop of the region.
func (f *facts) isIterator(d *cc.Declarator) bool { return f.iterators[d] }
