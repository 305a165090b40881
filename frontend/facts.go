package frontend

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// facts are what a first look at the whole region finds out about its
// variables.
type facts struct {
	// assigned holds the variables that are assigned as a whole, with the
	// first place where that happens. Loop iterators are among them.
	assigned map[*cc.Declarator]cc.Node
	// local holds the variables declared inside the region.
	local map[*cc.Declarator]bool
	// named holds the variables of each name.
	named map[string]map[*cc.Declarator]bool
	// iterators holds the variables that a for loop sets.
	iterators map[*cc.Declarator]bool
}

func newFacts() *facts {
	return &facts{
		assigned:  map[*cc.Declarator]cc.Node{},
		local:     map[*cc.Declarator]bool{},
		named:     map[string]map[*cc.Declarator]bool{},
		iterators: map[*cc.Declarator]bool{},
	}
}

func gatherFacts(items []*cc.BlockItem) *facts {
	f := newFacts()
	for _, item := range items {
		visit(item, f.look)
	}
	return f
}

func (f *facts) look(n cc.Node) {
	switch x := n.(type) {
	case *cc.AssignmentExpression:
		if x.Case != cc.AssignmentExpressionCond {
			f.assign(x.UnaryExpression, x)
		}
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
			f.assign(x.UnaryExpression, x)
		case cc.UnaryExpressionAddrof:
			f.assign(x.CastExpression, x)
		}
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionInc || x.Case == cc.PostfixExpressionDec {
			f.assign(x.PostfixExpression, x)
		}
	case *cc.IterationStatement:
		f.lookAtLoop(x)
	case *cc.InitDeclarator:
		f.local[x.Declarator] = true
		f.note(x.Declarator, x)
	case *cc.PrimaryExpression:
		if d := variableOf(x); d != nil {
			if f.named[d.Name()] == nil {
				f.named[d.Name()] = map[*cc.Declarator]bool{}
			}
			f.named[d.Name()][d] = true
		}
	}
}

func (f *facts) lookAtLoop(s *cc.IterationStatement) {
	switch s.Case {
	case cc.IterationStatementFor:
		if a, ok := unwrap(s.ExpressionList).(*cc.AssignmentExpression); ok {
			if d := variableOf(a.UnaryExpression); d != nil {
				f.iterators[d] = true
			}
		}
	case cc.IterationStatementForDecl:
		for l := s.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
			f.iterators[l.InitDeclarator.Declarator] = true
		}
	}
}

func (f *facts) assign(target cc.ExpressionNode, at cc.Node) {
	if d := variableOf(target); d != nil {
		f.note(d, at)
	}
}

func (f *facts) note(d *cc.Declarator, at cc.Node) {
	if f.assigned[d] == nil {
		f.assigned[d] = at
	}
}

// visit calls look for a node and all nodes below it, in textual order as far
// as the grammar has it.
func visit(n cc.Node, look func(cc.Node)) {
	v := reflect.ValueOf(n)
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return
	}
	look(n)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return
	}
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if !field.IsExported() || strings.HasPrefix(field.Name, "Token") {
			continue
		}
		if child, ok := v.Field(i).Interface().(cc.Node); ok {
			visit(child, look)
		}
	}
}

// unwrap strips parentheses and one-element lists.
func unwrap(n cc.ExpressionNode) cc.ExpressionNode {
	for {
		switch x := n.(type) {
		case *cc.ExpressionList:
			if x.ExpressionList != nil {
				return n
			}
			n = x.AssignmentExpression
		case *cc.PrimaryExpression:
			if x.Case != cc.PrimaryExpressionExpr {
				return n
			}
			n = x.ExpressionList
		case *cc.ConstantExpression:
			n = x.ConditionalExpression
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

// outsideIterators are the names of the iterators that are declared outside
// the region, in alphabetical order.
func (f *facts) outsideIterators() []string {
	names := map[string]bool{}
	for d := range f.iterators {
		if !f.local[d] {
			names[d.Name()] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}
