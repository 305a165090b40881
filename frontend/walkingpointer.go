package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// Programs over pictures and signals often walk through memory with pointers:
//
//	for (y = 0; y < h; y++) { s = src + y * stride; for (x = 0; x < w; x++) *d++ = *s++; }
//
// Such a pointer is where it begins, which stays, and the distance from there, an integer whose
// values are followed like others:
//
//	long d_at = 0; for (…) { s_at = y * stride; for (…) d[d_at++] = src[s_at++]; }

// walker is a pointer that moves inside the region.
type walker struct {
	*cc.Declarator
	// base is the C text of where it begins, as an operand, and at the name of the distance.
	base, at string
	// isFixed says that the base is a place that nothing in the region changes.
	isFixed bool
	// first is the distance that it has in front of the region, "" where the region sets it first.
	first string
}

// pointerWalk replaces walkers by their distances.
type pointerWalk struct {
	r       *rewriter
	walkers map[*cc.Declarator]*walker
	// idle are expressions whose value nobody uses.
	idle map[cc.ExpressionNode]bool
	// spans are the pieces of the text that are replaced.
	spans []replacement
	// ends are pointers in front of the region whose values take their places.
	ends []*cc.Declarator
	// refused is a walker that cannot be replaced, or nil.
	refused *walker
}

// walkingPointers replaces the pointers of the region that walk.
func (r *rewriter) walkingPointers() {
	if r.hasDirectives() || !r.isInBlock() {
		return
	}
	w := pointerWalk{r: r, walkers: map[*cc.Declarator]*walker{}, idle: map[cc.ExpressionNode]bool{}}
	for w.findMore() {
	}
	if !slices.ContainsFunc(w.sorted(), func(d *cc.Declarator) bool { return !r.x.facts.local[d] || !r.isFixedPointer(d) }) {
		return
	}
	for _, item := range r.items {
		visit(item, w.noteIdleParts)
	}
	for len(w.walkers) > 0 && !w.replaceAll() {
		delete(w.walkers, w.refused.Declarator)
	}
}

// findMore finds walkers beside those that are known, from which they may begin; it says whether
// there are some.
func (w *pointerWalk) findMore() (found bool) {
	for d := range w.r.x.facts.assigned {
		if w.walkers[d] != nil {
			continue
		}
		if p := w.walkerOf(d); p != nil {
			w.walkers[d], found = p, true
		}
	}
	return found
}

// walkerOf is the walker that a pointer is, or nil.
func (w *pointerWalk) walkerOf(d *cc.Declarator) *walker {
	isLocal := w.r.x.facts.local[d]
	if !w.mayWalk(d) || isLocal && w.r.x.isUsedBehind(d) || !isLocal && w.r.x.readLater(d) != nil {
		return nil
	}
	p, values := &walker{Declarator: d, at: w.r.distanceName(d)}, w.r.valuesOf(d)
	values = slices.DeleteFunc(values, func(n cc.ExpressionNode) bool { return variableOf(baseOf(n)) == d })
	if len(values) == 0 {
		return w.fromInFront(p)
	}
	isFirst := isLocal && len(values) == 1 && w.declaredValue(d) == values[0]
	if !isFirst && !w.r.x.isSetFirst(d) {
		return nil
	}
	for _, value := range values {
		base := baseOf(value)
		text, ok := w.r.operandOf(base)
		other := w.walkers[variableOf(base)]
		switch {
		case !ok || !w.r.leadsToSame(d.Type(), base.Type()):
			return nil
		case other != nil && other.isFixed:
			text, p.isFixed = other.base, true
		case other != nil || !isPlace(base) || !w.r.meansTheSame(base, w.r.x.bounds.start, w.r.x.bounds.end):
			return nil
		case w.stays(base, w.r.isUnchanged) && !slices.ContainsFunc(namedIn(base), func(d *cc.Declarator) bool { return w.r.x.facts.local[d] }):
			p.isFixed = true
		case !isFirst || !w.stays(base, w.r.isSteadyIn(d.NameTok().Position().Offset)):
			return nil
		}
		if p.base != "" && text != p.base {
			return nil
		}
		p.base = text
	}
	return p
}

// mayWalk says that a variable is a pointer to numbers or structs, which nothing but its name leads
// to.
func (w *pointerWalk) mayWalk(d *cc.Declarator) bool {
	p, ok := d.Type().(*cc.PointerType)
	return ok && p.Elem().Size() > 0 && p.Elem().Kind() != cc.Void && !p.Elem().Attributes().IsVolatile() && !d.IsVolatile() && !d.AddressTaken() &&
		(d.IsParam() || d.StorageDuration() == cc.Automatic) && !w.r.isMeasured(d)
}

// fromInFront is a walker that begins where it is in front of the region: there, or where it is
// declared with. It is none where the region runs again with the value that it has left.
func (w *pointerWalk) fromInFront(p *walker) *walker {
	for _, loop := range w.r.x.loopsAround() {
		if s, ok := spanOf(loop); !ok || p.NameTok().Position().Offset < s.start {
			return nil
		}
	}
	if w.r.x.jumps() {
		return nil
	}
	p.base, p.first, p.isFixed = p.Name(), "0", true
	value := w.declaredValue(p.Declarator)
	if p.IsParam() || value == nil || w.r.x.changesInFront(p.Declarator) || !w.isFixedExpression(value) {
		return p
	}
	base := baseOf(value)
	text, ok := w.operand(base)
	if !ok || variableOf(base) == nil || !w.r.leadsToSame(p.Type(), base.Type()) {
		return p
	}
	if first, ok := w.distance(value, text); ok {
		p.base, p.first = text, first
	}
	return p
}

// stays says that a place keeps its address, or what it holds as a pointer, where integers pass a
// test.
func (w *pointerWalk) stays(place cc.ExpressionNode, passes func(*cc.Declarator) bool) bool {
	d := variableOf(place)
	if d == nil {
		return w.r.isSteady(place, passes)
	}
	return d.Type().Kind() == cc.Array || w.r.isUnchanged(d) && !d.AddressTaken() && !d.IsVolatile()
}

// isPlace says that an expression is a variable, an element or a member, whose text calls nothing.
func isPlace(n cc.ExpressionNode) bool {
	place := false
	switch x := n.(type) {
	case *cc.PrimaryExpression:
		place = variableOf(x) != nil
	case *cc.PostfixExpression:
		place = x.Case == cc.PostfixExpressionIndex || x.Case == cc.PostfixExpressionSelect || x.Case == cc.PostfixExpressionPSelect
	}
	visit(n, func(n cc.Node) {
		p, ok := n.(*cc.PostfixExpression)
		place = place && !(ok && p.Case == cc.PostfixExpressionCall)
	})
	return place
}

// distanceName is a name for the distance of a pointer, which means nothing else in the file.
func (r *rewriter) distanceName(d *cc.Declarator) string {
	name, taken := d.Name()+"_at", r.x.names()
	for taken[name] {
		name += "_"
	}
	return name
}

// valuesOf are what the region assigns to a pointer, and what it is declared with there.
func (r *rewriter) valuesOf(d *cc.Declarator) (values []cc.ExpressionNode) {
	for _, item := range r.items {
		visit(item, func(n cc.Node) {
			switch n := n.(type) {
			case *cc.AssignmentExpression:
				if n.Case == cc.AssignmentExpressionAssign && variableOf(n.UnaryExpression) == d {
					values = append(values, n.AssignmentExpression)
				}
			case *cc.InitDeclarator:
				if n.Declarator == d && n.Initializer != nil {
					values = append(values, n.Initializer.AssignmentExpression)
				}
			}
		})
	}
	return slices.DeleteFunc(values, func(n cc.ExpressionNode) bool { return n == nil })
}

// baseOf is the pointer or array that a pointer expression adds to.
func baseOf(n cc.ExpressionNode) cc.ExpressionNode {
	switch x := unwrap(n).(type) {
	case *cc.AdditiveExpression:
		if isPointer(x.AdditiveExpression) {
			return baseOf(x.AdditiveExpression)
		}
		if x.Case == cc.AdditiveExpressionAdd && isPointer(x.MultiplicativeExpression) {
			return baseOf(x.MultiplicativeExpression)
		}
	case *cc.UnaryExpression:
		if element := addressedElement(x); element != nil {
			return baseOf(element.PostfixExpression)
		}
	}
	return unwrap(n)
}

// addressedElement is a[i] in &a[i], or nil.
func addressedElement(x *cc.UnaryExpression) *cc.PostfixExpression {
	if x.Case != cc.UnaryExpressionAddrof {
		return nil
	}
	element, ok := unwrap(x.CastExpression).(*cc.PostfixExpression)
	if !ok || element.Case != cc.PostfixExpressionIndex || !isPointer(element.PostfixExpression) {
		return nil
	}
	return element
}
