package frontend

import (
	"reflect"
	"slices"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// updateForm is a statement's syntax as a reduction, before its references are
// known.
type updateForm struct {
	operator    scop.Operator
	accumulator cc.ExpressionNode
	// mentions is how often the statement mentions the accumulator; e does not.
	mentions int
	// lexemes are those of the accumulator in the statement's text.
	lexemes []string
	// single says that processors, and OpenMP, have the update as one operation: x += e, but not x
	// = e + x - f, nor minima.
	single bool
	// bytes are those of the type in which the update is computed, where that is not the
	// accumulator's own; 0 for a step of one.
	bytes int64
}

// updateOf recognises an update of one element by an associative and
// commutative operator:
//
//	x += e   x -= e   x *= e   x++   x--
//	x = x + e   x = e + x   x = x - e   x = x * e   x = e * x
//	x = a < x ? a : x, and its other forms    if (a < x) x = a;
//	x = fmin(x, a)   x = larger(a, x), where larger returns a > b ? a : b
//
// It is nil for other statements, and where another order would change more
// than rounding: an integer that something else than an integer is added to, or
// the smaller one of two types. That e does not mention x is for the references
// to tell.
func (x *extractor) updateOf(n cc.Node) *updateForm {
	s, ok := n.(*cc.Statement)
	if !ok {
		return nil
	}
	var u *updateForm
	switch s.Case {
	case cc.StatementExpr:
		u = x.expressionUpdate(unwrap(s.ExpressionStatement.ExpressionList))
	case cc.StatementSelection:
		u = x.conditionalUpdate(s.SelectionStatement)
	}
	if u == nil || !isAccumulator(u.accumulator) || occurrences(s, u.accumulator) != u.mentions {
		return nil
	}
	return u
}

// isAccumulator says that an element's type is that of a number whose updates
// are nothing but its own.
func isAccumulator(n cc.ExpressionNode) bool {
	t := n.Type()
	if whole, _ := partOf(n); whole != nil {
		return false
	}
	real := cc.IsIntegerType(t) || cc.IsFloatingPointType(t) && !cc.IsComplexType(t)
	return real && !isVector(t) && !isOpaqueNumber(t) && t.Kind() != cc.Bool && t.Kind() != cc.Enum && !t.Attributes().IsVolatile()
}

func (x *extractor) expressionUpdate(n cc.ExpressionNode) *updateForm {
	switch e := n.(type) {
	case *cc.UnaryExpression:
		if e.Case == cc.UnaryExpressionInc || e.Case == cc.UnaryExpressionDec {
			return &updateForm{operator: scop.Sum, accumulator: e.UnaryExpression, mentions: 1, single: true}
		}
	case *cc.PostfixExpression:
		if e.Case == cc.PostfixExpressionInc || e.Case == cc.PostfixExpressionDec {
			return &updateForm{operator: scop.Sum, accumulator: e.PostfixExpression, mentions: 1, single: true}
		}
	case *cc.AssignmentExpression:
		return x.assignmentUpdate(e)
	}
	return nil
}

func (x *extractor) assignmentUpdate(e *cc.AssignmentExpression) *updateForm {
	value := unwrap(e.AssignmentExpression)
	u := &updateForm{accumulator: e.UnaryExpression, mentions: 1, single: e.Case != cc.AssignmentExpressionAssign, bytes: value.Type().Size()}
	switch e.Case {
	case cc.AssignmentExpressionAdd, cc.AssignmentExpressionSub:
		u.operator = scop.Sum
	case cc.AssignmentExpressionMul:
		u.operator = scop.Product
	case cc.AssignmentExpressionAssign:
		u.operator = x.operatorOf(value, u.accumulator)
		u.mentions = 2
		if _, chooses := value.(*cc.ConditionalExpression); chooses {
			u.mentions = 3
		}
	}
	isExtremum := u.operator == scop.Minimum || u.operator == scop.Maximum
	switch t := u.accumulator.Type(); {
	case u.operator == "",
		isExtremum && t.Kind() != value.Type().Kind(),
		!isExtremum && cc.IsIntegerType(t) && !cc.IsIntegerType(value.Type()):
		return nil
	}
	return u
}

// operatorOf is the operator by which a value is made of the accumulator and
// something else, or "".
func (x *extractor) operatorOf(value, accumulator cc.ExpressionNode) scop.Operator {
	switch e := value.(type) {
	case *cc.AdditiveExpression:
		if isTerm(e, accumulator) {
			return scop.Sum
		}
	case *cc.MultiplicativeExpression:
		if isFactor(e, accumulator) {
			return scop.Product
		}
	case *cc.ConditionalExpression:
		if e.ExpressionList != nil {
			return selected(e.LogicalOrExpression, e.ExpressionList, e.ConditionalExpression, accumulator)
		}
	case *cc.PostfixExpression:
		if e.Case == cc.PostfixExpressionCall {
			return x.calledOperator(e, accumulator)
		}
	}
	return ""
}

// isTerm says that an expression is a sum with the accumulator as a positive
// term.
func isTerm(n, accumulator cc.ExpressionNode) bool {
	n = unwrap(n)
	if same(n, accumulator) {
		return true
	}
	sum, ok := n.(*cc.AdditiveExpression)
	return ok && (isTerm(sum.AdditiveExpression, accumulator) ||
		sum.Case == cc.AdditiveExpressionAdd && isTerm(sum.MultiplicativeExpression, accumulator))
}

// isFactor says that an expression is a product with the accumulator as a
// factor.
func isFactor(n, accumulator cc.ExpressionNode) bool {
	n = unwrap(n)
	if same(n, accumulator) {
		return true
	}
	product, ok := n.(*cc.MultiplicativeExpression)
	return ok && product.Case == cc.MultiplicativeExpressionMul &&
		(isFactor(product.MultiplicativeExpression, accumulator) || isFactor(product.CastExpression, accumulator))
}

// selected is the operator of condition ? yes : no, where the condition compares
// the two and one of them is the accumulator, or "".
func selected(condition, yes, no, accumulator cc.ExpressionNode) scop.Operator {
	comparison, ok := unwrap(condition).(*cc.RelationalExpression)
	if !ok || !same(yes, accumulator) && !same(no, accumulator) {
		return ""
	}
	left, right := comparison.RelationalExpression, comparison.ShiftExpression
	if left.Type().Kind() != right.Type().Kind() {
		return ""
	}
	var smaller, larger cc.ExpressionNode
	switch comparison.Case {
	case cc.RelationalExpressionLt, cc.RelationalExpressionLeq:
		smaller, larger = left, right
	case cc.RelationalExpressionGt, cc.RelationalExpressionGeq:
		smaller, larger = right, left
	default:
		return ""
	}
	switch {
	case same(yes, smaller) && same(no, larger):
		return scop.Minimum
	case same(yes, larger) && same(no, smaller):
		return scop.Maximum
	}
	return ""
}

// conditionalUpdate recognises if (a < x) x = a;
func (x *extractor) conditionalUpdate(n *cc.SelectionStatement) *updateForm {
	if n.Case != cc.SelectionStatementIf {
		return nil
	}
	body := onlyStatement(n.Statement)
	if body == nil || body.Case != cc.StatementExpr {
		return nil
	}
	e, ok := unwrap(body.ExpressionStatement.ExpressionList).(*cc.AssignmentExpression)
	if !ok || e.Case != cc.AssignmentExpressionAssign || e.UnaryExpression.Type().Kind() != e.AssignmentExpression.Type().Kind() {
		return nil
	}
	operator := selected(n.ExpressionList, e.AssignmentExpression, e.UnaryExpression, e.UnaryExpression)
	if operator == "" {
		return nil
	}
	return &updateForm{operator: operator, accumulator: e.UnaryExpression, mentions: 2}
}

// onlyStatement is the statement that a block consists of, or nil.
func onlyStatement(s *cc.Statement) *cc.Statement {
	for s.Case == cc.StatementCompound {
		list := s.CompoundStatement.BlockItemList
		if list == nil || list.BlockItemList != nil || list.BlockItem.Case != cc.BlockItemStmt {
			return nil
		}
		s = list.BlockItem.Statement
	}
	return s
}

// same says that two expressions are made of the same tokens, parentheses around
// them aside. What they name is the same too: both stand in one statement.
func same(a, b cc.ExpressionNode) bool {
	a, b = unwrap(a), unwrap(b)
	if reflect.TypeOf(a) != reflect.TypeOf(b) {
		return false
	}
	s, t := tokensOf(a), cc.NodeTokens(b)
	return slices.EqualFunc(s, t, func(a, b cc.Token) bool { return a.SrcStr() == b.SrcStr() })
}

// occurrences is the number of places in a statement that are the expression.
func occurrences(s *cc.Statement, n cc.ExpressionNode) int {
	count := 0
	n = unwrap(n)
	walk(s, func(inner cc.Node) bool {
		if reflect.TypeOf(inner) != reflect.TypeOf(n) || !same(inner.(cc.ExpressionNode), n) {
			return true
		}
		count++
		return false
	})
	return count
}

// lexemesOf are the tokens of an expression's text, without parentheses around
// it, as instanceText leaves them; nil where they are not written in the file.
func (x *extractor) lexemesOf(n cc.ExpressionNode, at place, known []knownText) []string {
	extent, ok := spanOf(unwrap(n))
	if !ok {
		return nil
	}
	source, offset, err := x.sourceOf(extent)
	isInRows := slices.ContainsFunc(known, func(k knownText) bool { return k.text != "" && k.start == extent.start })
	if err != nil || !isInRows && !slices.EqualFunc(lexemeTexts(source), extent.tokens, func(word string, t cc.Token) bool { return word == t.SrcStr() }) {
		return nil
	}
	source, _, err = x.instanceText(source, offset, at, known)
	if err != nil {
		return nil
	}
	return lexemeTexts(source)
}

func lexemeTexts(source string) []string {
	var words []string
	for _, l := range scan([]byte(source)) {
		words = append(words, source[l.start:l.end])
	}
	return words
}

// reductionOf is a statement's reduction, whose references have been written:
// nil unless the accumulator is all that it writes, e does not read it, and all
// mentions of it are in the text. A member of a struct is one where data decide of which element.
func (x *extractor) reductionOf(program *scop.Program, s *scop.Statement, draft *statementDraft) *scop.Reduction {
	u := draft.update
	if u == nil || !s.Accesses[0].Write {
		return nil
	}
	written := s.Accesses[0]
	array := program.Array(written.Array)
	switch {
	case array == nil,
		array.Path == "" && len(program.ArraysOf(array.Variable)) > 1,
		array.Path != "" && draft.scattered(array) == nil:
		return nil
	}
	r := &scop.Reduction{Operator: u.operator, Array: written.Array}
	for k, a := range s.Accesses {
		switch {
		case a.Array == written.Array && a.Relation == written.Relation:
			r.Accesses = append(r.Accesses, k)
		case a.Write:
			return nil
		}
	}
	r.Places = placesOf(s.Source, u.lexemes)
	if len(r.Accesses) != u.mentions || !x.standsInText(s.Source, u, len(r.Places)) {
		return nil
	}
	if u.single {
		r.Starts = startsOf(s.Source, u.lexemes)
	}
	return r
}

// standsInText says that the places are all mentions of the accumulator: each
// stands in the text for itself, or no macro in the text names its variable.
func (x *extractor) standsInText(source string, u *updateForm, places int) bool {
	v, ok := resolve(u.accumulator)
	if !ok || places == 0 {
		return false
	}
	macros := false
	for _, word := range lexemeTexts(source) {
		if x.isMacro(word) {
			macros = true
			if x.hides(word, v.variable.Name()) != "" {
				return false
			}
		}
	}
	return macros || places == u.mentions
}

// placesOf are the places of a run of lexemes in a text, those that are a member
// of something else left out.
func placesOf(source string, run []string) []scop.Place {
	all := scan([]byte(source))
	words := lexemeTexts(source)
	var places []scop.Place
	for k := 0; len(run) > 0 && k+len(run) <= len(words); k++ {
		isMember := k > 0 && (words[k-1] == "." || words[k-1] == "->")
		if !isMember && slices.Equal(words[k:k+len(run)], run) {
			places = append(places, scop.Place{Start: all[k].start, End: all[k+len(run)-1].end})
		}
	}
	return places
}
