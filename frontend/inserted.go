package frontend

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// A function of the file may go through pointers in structs, or change variables of the file, which
// no list of effects on its arguments says. Its body takes the place of the call then:
//
//	double at(struct grid *g, int x, int y) { return g->v[y * g->w + x]; }
//	void set(struct grid *g, int x, int y, double v) { g->v[y * g->w + x] = v; }
//
//	set(&o, x, y, 2 * at(g, x, y))  becomes  { o.v[y * o.w + x] = 2 * (g->v[y * g->w + x]); }
//
// A function that only computes a value becomes an expression, in which its own variables are what
// they have been assigned (insertedvalue.go). Another one becomes a block, in which the arguments
// stand where the value that they have when the function is called is certain, and variables with
// names of their own have the others' values.

// insertion puts functions' bodies in the place of calls in a region.
type insertion struct {
	r *rewriter
	// values are what parameters and variables of the functions stand for.
	values map[*cc.Declarator]standsFor
	// inside are the functions around, outermost first.
	inside []*cc.FunctionDefinition
	// isHidden says that a name is that of a variable of the region's own function.
	isHidden map[string]bool
	taken    map[string]bool
	// target is the name of the variable that gets what the innermost function returns, or "".
	target string
}

// standsFor is what stands in the place of a variable.
type standsFor struct {
	// text is an operand of whatever operator.
	text string
	// pointee is that of what text points to, where text is an address; else "".
	pointee string
	// isSteady says that no assignment in a function changes the value.
	isSteady bool
}

// mostInserted bounds the length of what takes the place of one call, in bytes.
const mostInserted = 4000

// insertBodies replaces calls whose effects are not known.
func (r *rewriter) insertBodies() {
	s := &insertion{r: r, values: map[*cc.Declarator]standsFor{}, isHidden: map[string]bool{}, taken: r.x.names()}
	visit(r.x.function, func(n cc.Node) {
		if d := namedBy(n); d != nil && d.Name() != functionName {
			s.isHidden[d.Name()] = true
		}
	})
	for _, item := range r.items {
		for _, p := range s.patches(item) {
			if !s.r.hasMacros(p.at) {
				r.replace(p.start, r.x.endOf(p.span), p.text)
				r.free(s.calledIn(p.at))
			}
		}
	}
}

// calledIn are the functions that calls in a node name, for which bodies can stand.
func (s *insertion) calledIn(n cc.Node) (list []*cc.Declarator) {
	visit(n, func(n cc.Node) {
		if call, ok := n.(*cc.PostfixExpression); ok && call.Case == cc.PostfixExpressionCall && s.isUnclear(call) {
			list = append(list, calledBy(call))
		}
	})
	return list
}

// isUnclear says that nothing but a function's body says what a call does.
func (s *insertion) isUnclear(call *cc.PostfixExpression) bool {
	d := calledBy(call)
	if d == nil || s.r.x.definitions[d.Name()] == nil || s.r.x.isNested(d) {
		return false
	}
	tree := &callTree{calling: map[string]bool{}}
	_, why := s.r.x.effectsOf(d.Name(), tree)
	isWritten := func(read *cc.Declarator) bool { return s.r.x.changeOf(lvalue{variable: read}) != nil }
	return why != "" || slices.ContainsFunc(tree.outside, isWritten)
}

// statement is the block that takes the place of a statement that calls a function, or assigns what
// that returns; "" for none.
func (s *insertion) statement(n *cc.ExpressionStatement) string {
	if n.ExpressionList == nil {
		return ""
	}
	e := unwrap(n.ExpressionList)
	if s.isUnclearCall(e) {
		return s.blockOf(e.(*cc.PostfixExpression), "", "")
	}
	assignment, ok := e.(*cc.AssignmentExpression)
	if !ok || assignment.Case == cc.AssignmentExpressionCond || !s.isUnclearCall(assignment.AssignmentExpression) || s.mayChange(assignment.UnaryExpression) {
		return ""
	}
	call := unwrap(assignment.AssignmentExpression).(*cc.PostfixExpression)
	result := s.freshName("result")
	text := s.blockOf(call, declaration(call.Type(), result)+"; ", result)
	if s.value(call) != "" || text == "" {
		return ""
	}
	return fmt.Sprintf("%s %s %s %s; }", strings.TrimSuffix(text, "}"), s.text(assignment.UnaryExpression), assignment.Token.SrcStr(), result)
}

// declared is what takes the place of a declaration of numbers of which some begin with what a
// function returns: declarations, and the blocks that set these; "" for other declarations.
func (s *insertion) declared(n *cc.Declaration) (text string) {
	if n.Case != cc.DeclarationDecl {
		return ""
	}
	isSet := false
	for l := n.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		d, initial := l.InitDeclarator.Declarator, l.InitDeclarator.Initializer
		if !isNumberType(d.Type()) || isConst(d.Type()) || d.StorageDuration() != cc.Automatic || initial != nil && initial.AssignmentExpression == nil {
			return ""
		}
		name := d.Name()
		if own, isOwn := s.values[d]; isOwn {
			name = own.text
		}
		text += declaration(d.Type(), name)
		switch {
		case initial == nil:
			text += "; "
		case s.isUnclearCall(initial.AssignmentExpression) && s.value(unwrap(initial.AssignmentExpression).(*cc.PostfixExpression)) == "":
			block := s.blockOf(unwrap(initial.AssignmentExpression).(*cc.PostfixExpression), "", name)
			if block == "" {
				return ""
			}
			text, isSet = text+"; "+block+" ", true
		default:
			text += " = " + s.text(initial.AssignmentExpression) + "; "
		}
	}
	if !isSet {
		return ""
	}
	return text
}

// isUnclearCall says that an expression is a call of which nothing but a function's body says what
// it does.
func (s *insertion) isUnclearCall(n cc.ExpressionNode) bool {
	call, ok := unwrap(n).(*cc.PostfixExpression)
	return ok && call.Case == cc.PostfixExpressionCall && s.isUnclear(call)
}

// blockOf is the block of a function that is called, behind some declarations. It ends with the
// assignment of the value that the function returns to a variable, if that has a name; "" for none.
func (s *insertion) blockOf(call *cc.PostfixExpression, before, result string) string {
	f := s.r.x.definitions[calledBy(call).Name()]
	inner, own, ok := s.at(call, f)
	if !ok || result != "" && !isNumberType(call.Type()) {
		return ""
	}
	inner.target = result
	declared, ok := s.pass(inner, f, argumentsOf(call))
	for _, d := range own {
		inner.values[d] = standsFor{text: inner.ownName(d), isSteady: !d.AddressTaken()}
	}
	body, isBlock := inner.block(withoutSynthetic(itemsOf(f.CompoundStatement)))
	if text := "{ " + before + declared + body + "}"; ok && isBlock && len(text) <= mostInserted {
		return text
	}
	return ""
}

// at is the insertion in the body of a function that is called, and the variables that the function
// declares; ok is false for a function whose body means something else elsewhere.
func (s *insertion) at(call *cc.PostfixExpression, f *cc.FunctionDefinition) (inner *insertion, own []*cc.Declarator, ok bool) {
	t, isFunction := f.Declarator.Type().(*cc.FunctionType)
	if !isFunction || t.IsVariadic() || s.callsItself(f) || len(s.inside) >= maxInlined || len(argumentsOf(call)) != len(parametersOf(f)) {
		return nil, nil, false
	}
	next := *s
	next.inside = append(s.inside[:len(s.inside):len(s.inside)], f)
	next.values = maps.Clone(s.values)
	own, ok = ownOf(f)
	return &next, own, ok && next.meansTheSame(f, own) && !s.callsUnknown(f) && !slices.ContainsFunc(argumentsOf(call), s.mayChange)
}

// callsUnknown says that a function calls others of which nothing is known, not even a body.
func (s *insertion) callsUnknown(f *cc.FunctionDefinition) (calls bool) {
	visit(f.CompoundStatement, func(n cc.Node) {
		call, ok := n.(*cc.PostfixExpression)
		if !ok || call.Case != cc.PostfixExpressionCall {
			return
		}
		d := calledBy(call)
		if d == nil {
			calls = true
		} else if s.r.x.definitions[d.Name()] == nil {
			_, why := s.r.x.effectsOf(d.Name(), &callTree{calling: map[string]bool{}})
			calls = calls || why != ""
		}
	})
	return calls
}

// callsItself says that a function calls itself, or others that call it.
func (s *insertion) callsItself(f *cc.FunctionDefinition) bool {
	seen := map[*cc.FunctionDefinition]bool{}
	var reaches func(from *cc.FunctionDefinition) bool
	reaches = func(from *cc.FunctionDefinition) (found bool) {
		seen[from] = true
		visit(from.CompoundStatement, func(n cc.Node) {
			call, ok := n.(*cc.PostfixExpression)
			if !ok || calledBy(call) == nil || found {
				return
			}
			called := s.r.x.definitions[calledBy(call).Name()]
			found = called == f || called != nil && !seen[called] && reaches(called)
		})
		return found
	}
	return reaches(f)
}

// parametersOf are the parameters of a function that have names, or nil where some have none.
func parametersOf(f *cc.FunctionDefinition) (list []*cc.Declarator) {
	t, ok := f.Declarator.Type().(*cc.FunctionType)
	if !ok {
		return nil
	}
	for _, p := range t.Parameters() {
		switch {
		case p.Type().Kind() == cc.Void:
		case p.Declarator == nil:
			return nil
		default:
			list = append(list, p.Declarator)
		}
	}
	return list
}

// ownOf are the variables that a function declares; ok is false where it has some that live on, or
// anything else that can stand in its own body alone.
func ownOf(f *cc.FunctionDefinition) (own []*cc.Declarator, ok bool) {
	ok = true
	visit(f.CompoundStatement, func(n cc.Node) {
		switch n := n.(type) {
		case *cc.InitDeclarator:
			if d := n.Declarator; d.Name() != functionName {
				own = append(own, d)
				ok = ok && d.StorageDuration() == cc.Automatic && !d.IsTypename() && !d.IsExtern() && !d.IsVolatile()
			}
		case *cc.LabeledStatement:
			ok = ok && n.Case != cc.LabeledStatementLabel
		case *cc.AsmStatement:
			ok = false
		case *cc.UnaryExpression:
			ok = ok && n.Case != cc.UnaryExpressionSizeofExpr && n.Case != cc.UnaryExpressionAlignofExpr && n.Case != cc.UnaryExpressionLabelAddr
		case *cc.PrimaryExpression:
			ok = ok && n.Case != cc.PrimaryExpressionGeneric && n.Case != cc.PrimaryExpressionStmt
			if d := variableOf(n); d != nil {
				ok = ok && !d.IsVolatile() && !elementOf(d.Type()).Attributes().IsVolatile() && d.Name() != functionName
			}
		case *cc.StructOrUnionSpecifier, *cc.EnumSpecifier:
			ok = ok && !declaresType(n)
		}
	})
	return own, ok
}

// declaresType says that a specifier has the members or values of its type with it.
func declaresType(n cc.Node) bool {
	switch n := n.(type) {
	case *cc.StructOrUnionSpecifier:
		return n.Case == cc.StructOrUnionSpecifierDef
	case *cc.EnumSpecifier:
		return n.Case == cc.EnumSpecifierDef
	}
	return false
}

// meansTheSame says whether the names of a function's body, other than those of its own variables
// and of members, mean the same in the region, and none is that of a macro that is defined behind
// it.
func (s *insertion) meansTheSame(f *cc.FunctionDefinition, own []*cc.Declarator) bool {
	isOwn := map[string]bool{}
	for _, d := range slices.Concat(own, parametersOf(f)) {
		isOwn[d.Name()] = true
	}
	before := ""
	for _, t := range tokensOf(f.CompoundStatement) {
		name := t.SrcStr()
		isMember := before == "." || before == "->"
		isOther := !isMember && !isOwn[name] && s.isHidden[name]
		if isOther || s.r.x.isMacro(name) {
			return false
		}
		before = name
	}
	same := true
	visit(f.CompoundStatement, func(n cc.Node) {
		if d := variableOfNode(n); d != nil && !d.IsParam() && isFileScope(d) {
			same = same && !isOwn[d.Name()]
		}
	})
	return same
}

// variableOfNode is the variable that a node is the name of, nil for other nodes.
func variableOfNode(n cc.Node) *cc.Declarator {
	p, ok := n.(*cc.PrimaryExpression)
	if !ok {
		return nil
	}
	return variableOf(p)
}

// mayChange says that an expression may change something.
func (s *insertion) mayChange(n cc.ExpressionNode) (may bool) {
	visit(n, func(n cc.Node) {
		call, ok := n.(*cc.PostfixExpression)
		may = may || assigns(n) || ok && call.Case == cc.PostfixExpressionCall && s.callMayChange(call)
	})
	return may
}

func (s *insertion) callMayChange(call *cc.PostfixExpression) bool {
	d := calledBy(call)
	if d == nil {
		return true
	}
	if s.isUnclear(call) {
		return s.value(call) == ""
	}
	effects, why := s.r.x.effectsOf(d.Name(), &callTree{calling: map[string]bool{}})
	return why != "" || slices.ContainsFunc(effects, func(e effect) bool { return e.write })
}

// ownName is a name for a variable of a function in the region.
func (s *insertion) ownName(d *cc.Declarator) string {
	return s.freshName(d.Name())
}

// freshName is a name that nothing has, like another one.
func (s *insertion) freshName(wanted string) string {
	name := s.r.x.internalName(wanted, func(name string) bool { return s.taken[name] })
	s.taken[name] = true
	return name
}

// declaration declares a variable of a type that is no array.
func declaration(t cc.Type, name string) string {
	text := typeName(t)
	if !strings.HasSuffix(text, "*") {
		return text + " " + name
	}
	if isConst(elementOf(t)) {
		text = "const " + text
	}
	return text + name
}
