package frontend

import "modernc.org/cc/v4"

// wholeFunction is the code of a function's body: each region of the function asks for all of it,
// some ten times.
type wholeFunction struct {
	body *cc.CompoundStatement
	// nodes are those of the body, as visit comes to them.
	nodes []cc.Node
	// sorted are the body's tokens, once they were asked for.
	sorted []cc.Token
}

// whole is the code of a function.
func (u *unit) whole(f *cc.FunctionDefinition) *wholeFunction {
	if u.wholes == nil {
		u.wholes = map[*cc.FunctionDefinition]*wholeFunction{}
	}
	w := u.wholes[f]
	if w == nil {
		w = &wholeFunction{body: f.CompoundStatement}
		visit(w.body, func(n cc.Node) { w.nodes = append(w.nodes, n) })
		u.wholes[f] = w
	}
	return w
}

// visitFunction is visit of the body of the region's function.
func (x *extractor) visitFunction(look func(cc.Node)) {
	for _, n := range x.whole(x.function).nodes {
		look(n)
	}
}

// tokens are the preprocessed tokens of the body, in their order.
func (w *wholeFunction) tokens() []cc.Token {
	if w.sorted == nil {
		w.sorted = tokensOf(w.body)
	}
	return w.sorted
}

// keptSpan is spanOf of a statement, a declaration or an item, which several regions ask for.
func (u *unit) keptSpan(n cc.Node) (s span, ok bool) {
	s, known := u.extents[n]
	if !known {
		s, _ = spanOf(n)
		if u.extents == nil {
			u.extents = map[cc.Node]span{}
		}
		u.extents[n] = s
	}
	return s, len(s.tokens) > 0
}
