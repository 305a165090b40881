package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// A loop that one affine break may end leaves the iterator where that happened:
//
//	for (j = 0; j < m; j++) { if (j > i) break; … }      j is m where that is at most i, and else i + 1 (0 if that is less)

// endOfBroken is the value that a loop by ones which a break may end leaves in its iterator, from
// the one that it leaves without; ok is false where it is not known.
func (x *extractor) endOfBroken(h loopHeader, start affine, first phrase, regular affine, regularText phrase, at place) (end affine, text phrase, ok bool) {
	op, right := x.breakTest(h)
	if right == nil || h.step != 1 && h.step != -1 {
		return end, text, false
	}
	e := x.evaluatorAt(at).ofBound()
	limit, err := e.affine(right)
	limitText, ok := x.phraseOf(right, at)
	if err != nil || !ok || len(start.pieces)*len(regular.pieces)*len(limit.pieces) > maxPieces {
		return end, text, false
	}
	ahead, back := ">", "<"
	if h.step < 0 {
		ahead, back = back, ahead
	}
	r, s, l := regularText.inParentheses(), first.inParentheses(), limitText.inParentheses()
	chosen := func(value affine, valueText phrase, left affine, leftText phrase, op string, than affine, thanText phrase, other affine, otherText phrase) (affine, phrase) {
		return e.chosen(compare(left, op, than), value, other), leftText.join(plain(" "+op+" "), thanText, plain(" ? "), valueText, plain(" : "), otherText.inParentheses())
	}
	switch op {
	case ahead:
		beyond, beyondText := limit.plus(single(constantForm(h.step)), 1), l.join(plain(map[bool]string{true: " + 1", false: " - 1"}[h.step > 0]))
		end, text = chosen(start, s, start, s, ahead, limit, l, beyond, beyondText)
		end, text = chosen(regular, r, regular, r, back+"=", limit, l, end, text)
	case ahead + "=":
		end, text = chosen(start, s, start, s, ahead, limit, l, limit, l)
		end, text = chosen(regular, r, regular, r, back+"=", limit, l, end, text)
	case "=":
		end, text = chosen(regular, r, start, s, ahead, limit, l, limit, l)
		end, text = chosen(regular, r, regular, r, back+"=", limit, l, end, text)
	default:
		end, text = chosen(start, s, start, s, op, limit, l, regular, r)
	}
	return end, text, !end.tooLarge()
}

// breakTest is the comparison of the iterator with a value that stays the same, under which a
// loop's body breaks in any iteration that comes by, where there is no other jump in it; nil where
// there is none.
func (x *extractor) breakTest(h loopHeader) (op string, right cc.ExpressionNode) {
	jumps := 0
	visit(h.body, func(n cc.Node) {
		if _, ok := n.(*cc.JumpStatement); ok {
			jumps++
		}
	})
	items := []*cc.BlockItem{{Case: cc.BlockItemStmt, Statement: h.body}}
	if h.body.Case == cc.StatementCompound {
		items = itemsOf(h.body.CompoundStatement)
	}
	for _, item := range items {
		if item.Case != cc.BlockItemStmt || item.Statement.Case != cc.StatementSelection || jumps != 1 {
			continue
		}
		n := item.Statement.SelectionStatement
		only := onlyStatement(n.Statement)
		if n.Case != cc.SelectionStatementIf || only == nil || only.Case != cc.StatementJump || only.JumpStatement.Case != cc.JumpStatementBreak {
			continue
		}
		left, op, right, ok := comparisonOf(unwrap(n.ExpressionList))
		if ok && variableOf(left) != h.iterator {
			left, op, right = right, swapped(op), left
		}
		isPlain := ok && variableOf(left) == h.iterator && !isUnsigned(h.iterator.Type()) && cc.IsIntegerType(right.Type()) && !isUnsigned(right.Type())
		if isPlain && op != "!=" && !x.namesChanged(right, h) && !slices.Contains(namedIn(right), h.iterator) {
			return op, right
		}
	}
	return "", nil
}
