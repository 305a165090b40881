package frontend

import (
	"bytes"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// Some C says in one way what the model has in another: a pointer to a row is a part of an index,
// continue is an if around what follows, a second variable of a loop is a sum of the first, and
// memcpy is a loop over elements. A region that is refused as it stands is rewritten in that way,
// in its text, and read once more, like one whose macros are written out: what the rest of the
// front end sees, and what the generated code consists of, is C without these. Regions that are
// accepted stay as they are.

// replacement is a text that takes the place of a piece of the user's; both may be empty.
type replacement struct {
	start, end int
	text       string
}

// rewriter collects what is to be replaced in a region.
type rewriter struct {
	x     *extractor
	items []*cc.BlockItem
	list  []replacement
	// given are the names that mean something, once others were asked for.
	given map[string]bool
}

// noteRewriting notes what is to be replaced in the region's text for another try.
func (x *extractor) noteRewriting(items []*cc.BlockItem) {
	r := &rewriter{x: x, items: items}
	for _, look := range []func(){
		r.insertBodies, r.declareOwn, r.separate, r.forwardJumps, r.walkingPointers, r.replaceSecondNames, r.lookAtAll, r.nameHiding, r.localLabels,
		r.leaveOutDirectives,
	} {
		if len(r.list) == 0 {
			look()
		}
	}
	if x.toReplace == nil {
		x.toReplace = map[int][]replacement{}
	}
	x.toReplace[x.bounds.start] = r.list
}

// lookAtAll looks for what is to be replaced in all of the region.
func (r *rewriter) lookAtAll() {
	r.nameProducts()
	for number, item := range r.items {
		r.pointerSwaps(number)
		if item.Case == cc.BlockItemDecl {
			r.rowPointers(item.Declaration)
		}
		visit(item, r.look)
	}
}

func (r *rewriter) look(n cc.Node) {
	switch n := n.(type) {
	case *cc.CompoundStatement:
		for l := n.BlockItemList; l != nil; l = l.BlockItemList {
			if l.BlockItem.Case == cc.BlockItemDecl {
				r.rowPointers(l.BlockItem.Declaration)
			}
		}
	case *cc.ExpressionStatement:
		r.copyCall(n)
	case *cc.PostfixExpression:
		r.bring(n)
	case *cc.IterationStatement:
		r.guards(n)
		r.severalVariables(n)
		r.severalLeft(n)
		r.declaresOthers(n)
		r.variableSteps(n)
		r.foundEnd(n)
	case *cc.LabeledStatement:
		r.label(n)
	}
}

// replace notes the replacement of a piece of the text. Line breaks in it stay, so that lines keep
// their numbers.
func (r *rewriter) replace(start, end int, text string) {
	text += strings.Repeat("\n", bytes.Count(r.x.source[start:end], []byte("\n")))
	r.list = append(r.list, replacement{start, end, text})
}

// textOf is the text of a node on one line, and where it stands; ok is false where a part of it
// comes out of a macro that has more, or a directive stands in it.
func (r *rewriter) textOf(n cc.Node) (text string, start, end int, ok bool) {
	s, ok := spanOf(n)
	if !ok || !r.x.standsAlone(s) {
		return "", 0, 0, false
	}
	return r.oneLine(s)
}

// oneLine is the text of a span on one line; ok is false where a directive stands in it.
func (r *rewriter) oneLine(s span) (text string, start, end int, ok bool) {
	start, end = s.start, r.x.endOf(s)
	for _, l := range r.x.between(start, end) {
		if l.kind == directive {
			return "", 0, 0, false
		}
	}
	return strings.Join(strings.Fields(string(r.x.withoutComments(start, end))), " "), start, end, true
}

// operandOf is the text of a node as the operand of whatever operator, in parentheses where it
// needs them.
func (r *rewriter) operandOf(n cc.ExpressionNode) (text string, ok bool) {
	if text, _, _, ok = r.textOf(n); !ok {
		return "", false
	}
	return asOperand(n, text), true
}

// operandInFront is that of a node in front of the region.
func (r *rewriter) operandInFront(n cc.ExpressionNode) (text string, ok bool) {
	s, ok := spanOf(n)
	if !ok || s.start >= r.x.bounds.start || !r.x.isWhole(s) {
		return "", false
	}
	text, _, _, ok = r.oneLine(s)
	return asOperand(n, text), ok
}

func asOperand(n cc.ExpressionNode, text string) string {
	switch unwrap(n).(type) {
	case *cc.PrimaryExpression, *cc.PostfixExpression:
		return text
	}
	return "(" + text + ")"
}

// isToken says that a token stands in the region's text as such.
func (r *rewriter) isToken(t cc.Token) bool {
	offset := t.Position().Offset
	return r.x.spelledHere(t) && !r.x.isMacro(t.SrcStr()) && offset >= r.x.bounds.start && offset < r.x.bounds.end && r.x.lexemeAt(offset) >= 0
}

// usesOf are the places where the text of the function names a variable; a macro that does so is
// noted to be written out first, and ok is false.
func (r *rewriter) usesOf(d *cc.Declarator) (places []int, ok bool) {
	ok = true
	for _, t := range r.x.whole(r.x.function).tokens() {
		if t.SrcStr() != d.Name() || !slices.Contains(r.x.facts.uses[d], t.Seq()) {
			continue
		}
		if !r.isToken(t) {
			r.x.writeOut(t.Position().Offset)
			ok = false
		}
		places = append(places, t.Position().Offset)
	}
	slices.Sort(places)
	return slices.Compact(places), ok
}

// isSteady says that an expression has no effects and reads variables only that pass a test, and
// memory that nothing in the region writes.
func (r *rewriter) isSteady(n cc.ExpressionNode, passes func(*cc.Declarator) bool) bool {
	steady := true
	visit(n, func(n cc.Node) {
		steady = steady && !assigns(n)
		switch n := n.(type) {
		case *cc.PostfixExpression:
			steady = steady && !passesPointers(n)
		case *cc.PrimaryExpression:
			d := variableOf(n)
			switch {
			case d == nil || d.Type().Kind() == cc.Function:
			case cc.IsIntegerType(d.Type()):
				steady = steady && !d.AddressTaken() && !d.IsVolatile() && passes(d)
			default:
				steady = steady && len(r.x.facts.written[d]) == 0
			}
		}
	})
	return steady
}

// passesPointers says that an expression is a call with a pointer among its arguments.
func passesPointers(n *cc.PostfixExpression) bool {
	return n.Case == cc.PostfixExpressionCall && slices.ContainsFunc(argumentsOf(n), isPointer)
}

// rewritten is the text with the replacements in it, nil where there are none.
func (t *text) rewritten(list []replacement) *text {
	if len(list) == 0 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b replacement) int { return a.start - b.start })
	var source bytes.Buffer
	var edits []edit
	end := 0
	for _, r := range list {
		if r.start < end {
			continue
		}
		source.Write(t.source[end:r.start])
		begin := source.Len()
		source.WriteString(r.text)
		edits = append(edits, edit{r.start, r.end, begin, source.Len()})
		end = r.end
	}
	source.Write(t.source[end:])
	written := newText(t.name, source.Bytes())
	written.edits, written.before = edits, t
	return written
}

// isInBlock says that the region's items stand in a block, so that more of them can.
func (r *rewriter) isInBlock() (found bool) {
	r.x.visitFunction(func(n cc.Node) {
		item, ok := n.(*cc.BlockItem)
		found = found || ok && item == r.items[0]
	})
	return found
}
