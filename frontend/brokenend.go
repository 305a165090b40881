package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// A loop that one affine break may end leaves the iterator where that happened:
//
//	for (j = 0; j < m; j++) { if (j > i) break; … }      j is m where that is at most i, and else i + 1 (0 if that is less)

// endOfBroken is the value that a loop by ones which breaks may end leaves in its iterator, from the
// one that it leaves without; ok is false where it is not known. The first break that happens ends
// the loop, so that one may be looked at after the other.
func (x *extractor) endOfBroken(h loopHeader, start affine, first phrase, regular affine, regularText phrase, at place) (end affine, text phrase, ok bool) {
	tests := x.breakTests(h)
	ok = len(tests) > 0 && (h.step == 1 || h.step == -1)
	end, text = regular, regularText
	for k := 0; ok && k < len(tests); k++ {
		end, text, ok = x.endOfBreak(h, tests[k], start, first, end, text, at)
	}
	return end, text, ok
}

// breakTest is a comparison of a loop's iterator, on the left, under which the loop breaks.
type breakTest struct {
	op    string
	right cc.ExpressionNode
}

// endOfBreak is endOfBroken for one break.
func (x *extractor) endOfBreak(h loopHeader, test breakTest, start affine, first phrase, regular affine, regularText phrase, at place) (end affine, text phrase, ok bool) {
	op, right := test.op, test.right
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
		beyond, beyondText := limit.plus(single(constantForm(h.step)), 1), l.join(plain(byOne(h.step)))
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

// breakTests are the comparisons of the iterator with values that stay the same, under which a
// loop's body breaks in any iteration that comes by; none where there are other jumps in front of one
// of them, or jumps elsewhere that may end the loop.
func (x *extractor) breakTests(h loopHeader) (tests []breakTest) {
	items := []*cc.BlockItem{{Case: cc.BlockItemStmt, Statement: h.body}}
	if h.body.Case == cc.StatementCompound {
		items = itemsOf(h.body.CompoundStatement)
	}
	for _, item := range items {
		if item.Case != cc.BlockItemStmt {
			continue
		}
		test, ok := x.breakTest(h, item.Statement)
		if ok {
			tests = append(tests, test)
		}
	}
	for k, jump := range jumpsOf(h.body) {
		if jump.Case != cc.JumpStatementBreak && k < len(tests) || jump.Case == cc.JumpStatementBreak && k >= len(tests) {
			return nil
		}
	}
	if hasOtherJump(h.body) {
		return nil
	}
	return tests
}

// breakTest is the comparison of a statement that is nothing but a break under one.
func (x *extractor) breakTest(h loopHeader, s *cc.Statement) (test breakTest, ok bool) {
	if s.Case != cc.StatementSelection || s.SelectionStatement.Case != cc.SelectionStatementIf {
		return test, false
	}
	n := s.SelectionStatement
	only := onlyStatement(n.Statement)
	if only == nil || only.Case != cc.StatementJump || only.JumpStatement.Case != cc.JumpStatementBreak {
		return test, false
	}
	left, op, right, ok := comparisonOf(unwrap(n.ExpressionList))
	if ok && variableOf(left) != h.iterator {
		left, op, right = right, swapped(op), left
	}
	isPlain := ok && variableOf(left) == h.iterator && !isUnsigned(h.iterator.Type()) && cc.IsIntegerType(right.Type()) && !isUnsigned(right.Type())
	return breakTest{op, right}, isPlain && op != "!=" && !x.namesChanged(right, h) && !slices.Contains(namedIn(right), h.iterator)
}
