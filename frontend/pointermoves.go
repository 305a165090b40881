package frontend

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// Pointers that change places are moved in a few assignments, one behind the other:
//
//	w = u; u = v; v = w;
//
// What they lead to then is a question of their names alone.

// pointerMove is an assignment of one pointer variable to another.
type pointerMove struct{ to, from *cc.Declarator }

// movesOf are the assignments that an item of a block consists of; nil for other items.
func movesOf(item *cc.BlockItem) []pointerMove {
	switch {
	case item.Case == cc.BlockItemDecl:
		return declaredMove(item.Declaration)
	case item.Case != cc.BlockItemStmt:
		return nil
	case item.Statement.Case == cc.StatementCompound:
		return movesOfAll(itemsOf(item.Statement.CompoundStatement))
	case item.Statement.Case == cc.StatementIteration:
		return movesOfMacro(item.Statement.IterationStatement)
	case item.Statement.Case != cc.StatementExpr || item.Statement.ExpressionStatement.ExpressionList == nil:
		return nil
	}
	var all []pointerMove
	for _, part := range commaParts(item.Statement.ExpressionStatement.ExpressionList) {
		x, ok := unwrap(part).(*cc.AssignmentExpression)
		if !ok || !isExchange(x) {
			return nil
		}
		all = append(all, pointerMove{variableOf(x.UnaryExpression), variableOf(x.AssignmentExpression)})
	}
	return all
}

// movesOfMacro are those of do { … } while (0), as macros have them.
func movesOfMacro(loop *cc.IterationStatement) []pointerMove {
	if loop.Case != cc.IterationStatementDo || loop.Statement.Case != cc.StatementCompound {
		return nil
	}
	if again, ok := constantValue(loop.ExpressionList); !ok || again != 0 {
		return nil
	}
	return movesOfAll(itemsOf(loop.Statement.CompoundStatement))
}

// movesOfAll are those of several items, nil where one consists of something else.
func movesOfAll(items []*cc.BlockItem) (all []pointerMove) {
	for _, item := range items {
		moves := movesOf(item)
		if moves == nil {
			return nil
		}
		all = append(all, moves...)
	}
	return all
}

// declaredMove is the first value of a pointer, where a declaration has nothing else.
func declaredMove(n *cc.Declaration) []pointerMove {
	if n.Case != cc.DeclarationDecl || n.InitDeclaratorList == nil || n.InitDeclaratorList.InitDeclaratorList != nil {
		return nil
	}
	d, initializer := n.InitDeclaratorList.InitDeclarator.Declarator, n.InitDeclaratorList.InitDeclarator.Initializer
	if initializer == nil || initializer.AssignmentExpression == nil || d.Type().Kind() != cc.Ptr || d.IsStatic() {
		return nil
	}
	from := variableOf(initializer.AssignmentExpression)
	if from == nil || from.Type().Kind() != cc.Ptr {
		return nil
	}
	return []pointerMove{{d, from}}
}

// origins says whose value pointers have behind moves: that which another one had in front of them,
// or their own. Pointers that only pass values on are helpers; ok is false where the others do not
// just change places.
func origins(moves []pointerMove) (of map[*cc.Declarator]*cc.Declarator, helpers []*cc.Declarator, ok bool) {
	of = map[*cc.Declarator]*cc.Declarator{}
	var begin []*cc.Declarator
	for _, m := range moves {
		if of[m.from] == nil {
			of[m.from], begin = m.from, append(begin, m.from)
		}
		of[m.to] = of[m.from]
	}
	var left []*cc.Declarator
	for d, origin := range of {
		if !slices.Contains(begin, d) {
			helpers = append(helpers, d)
			delete(of, d)
			continue
		}
		if slices.Contains(left, origin) {
			return nil, nil, false
		}
		left = append(left, origin)
	}
	return of, helpers, true
}

// exchangeBehind parts a region's items and the moves of pointers that they end with, if need be
// under a condition: code that stays as it is, behind the region's. Its text is "" where there is
// none.
func (u *unit) exchangeBehind(b bounds, items []*cc.BlockItem, function *cc.FunctionDefinition) (rest []*cc.BlockItem, text string) {
	first := len(items)
	for first > 1 && movesAtEnd(items[first-1], items[:first-1]) != nil {
		first--
	}
	if first == len(items) {
		return items, ""
	}
	start, ok := spanOf(items[first])
	if !ok || u.isDeclaredForOthers(items[first:], function) || slices.ContainsFunc(u.between(start.start, b.end), func(l lexeme) bool { return l.kind == directive }) {
		return items, ""
	}
	return items[:first], "{ " + strings.Join(strings.Fields(string(u.withoutComments(start.start, b.end))), " ") + " }"
}

// movesAtEnd are the moves that an item behind others consists of, also under a condition that
// these leave alone.
func movesAtEnd(item *cc.BlockItem, others []*cc.BlockItem) []pointerMove {
	if item.Case != cc.BlockItemStmt || item.Statement.Case != cc.StatementSelection {
		return movesOf(item)
	}
	n := item.Statement.SelectionStatement
	if n.Case != cc.SelectionStatementIf || hasEffect(n.ExpressionList) {
		return nil
	}
	facts := gatherFacts(others)
	for _, d := range namedIn(n.ExpressionList) {
		if !cc.IsIntegerType(d.Type()) || facts.assigned[d] != nil || d.IsVolatile() {
			return nil
		}
	}
	return movesOf(&cc.BlockItem{Case: cc.BlockItemStmt, Statement: n.Statement})
}

// isDeclaredForOthers says whether items declare a variable that something else in the function
// uses.
func (u *unit) isDeclaredForOthers(items []*cc.BlockItem, function *cc.FunctionDefinition) bool {
	count := func(n cc.Node, d *cc.Declarator) (uses int) {
		for _, other := range namedIn(n) {
			if other == d {
				uses++
			}
		}
		return uses
	}
	for _, item := range items {
		if item.Case != cc.BlockItemDecl {
			continue
		}
		d, inside := item.Declaration.InitDeclaratorList.InitDeclarator.Declarator, 0
		for _, other := range items {
			inside += count(other, d)
		}
		if inside != count(function.CompoundStatement, d) {
			return true
		}
	}
	return false
}
