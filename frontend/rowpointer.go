package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// Programs over pictures and matrices often name a row, or an element of an array of structs, by a
// pointer:
//
//	const float *up = in + (y - 1) * w;
//	struct atom *a = &cell[i][j];
//
// Where the pointer has that value as long as it lives, the value takes its place: (in + (y - 1) *
// w)[x].

// rowPointers replaces the pointers of a declaration if it declares nothing else.
func (r *rewriter) rowPointers(n *cc.Declaration) {
	if n.Case != cc.DeclarationDecl || n.InitDeclaratorList == nil {
		return
	}
	_, start, end, ok := r.textOf(n)
	if !ok {
		return
	}
	var list []replacement
	for l := n.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		uses, ok := r.rowPointer(l.InitDeclarator, start, end)
		if !ok {
			return
		}
		list = append(list, uses...)
	}
	r.replace(start, end, "")
	r.list = append(r.list, list...)
}

// rowPointer are the replacements for the uses of one pointer that a declaration between two
// offsets declares.
func (r *rewriter) rowPointer(n *cc.InitDeclarator, start, end int) (list []replacement, ok bool) {
	d := n.Declarator
	if n.Initializer == nil || n.Initializer.AssignmentExpression == nil || !r.isFixedPointer(d) || r.x.isUsedBehind(d) {
		return nil, false
	}
	value := withoutPromise(n.Initializer.AssignmentExpression)
	v, ok := resolvePointed(value)
	if !ok || r.x.facts.local[v.variable] && v.variable.Type().Kind() == cc.Ptr || !r.leadsToSame(d.Type(), value.Type()) {
		// One that leads on from another such pointer waits until that is replaced.
		return nil, false
	}
	isSteady := r.isSteadyIn(start)
	for _, s := range v.subscripts {
		if s != nil && !r.isSteady(s, isSteady) {
			return nil, false
		}
	}
	uses, ok := r.usesOf(d)
	if !ok || len(uses) > 0 && !(r.meansTheSame(value, end, uses[len(uses)-1]) && r.isKept(v.variable, end, uses)) {
		return nil, false
	}
	text, ok := r.operandOf(value)
	for _, offset := range uses {
		list = append(list, replacement{offset, offset + len(d.Name()), text})
	}
	return list, ok
}

// isKept says that nothing assigns to a variable between an offset and the last of some uses, which
// are behind that and in order, nor in a loop there that has a use in it.
func (r *rewriter) isKept(d *cc.Declarator, from int, uses []int) bool {
	kept := true
	isBetween := func(n cc.Node, first, last int) (is bool) {
		visit(n, func(n cc.Node) {
			target := assignedIn(n)
			is = is || target != nil && variableOf(target) == d && target.Position().Offset >= first && target.Position().Offset < last
		})
		return is
	}
	for _, item := range r.items {
		kept = kept && !isBetween(item, from, uses[len(uses)-1])
		visit(item, func(n cc.Node) {
			s, ok := spanOf(n)
			if _, isLoop := n.(*cc.IterationStatement); !isLoop || !ok || s.start < from {
				return
			}
			hasUse := slices.ContainsFunc(uses, func(offset int) bool { return offset >= s.start && offset <= s.last })
			kept = kept && !(hasUse && isBetween(n, s.start, s.last))
		})
	}
	return kept
}

// isFixedPointer says that a variable is a pointer of one value, which nothing but its name stands
// for.
func (r *rewriter) isFixedPointer(d *cc.Declarator) bool {
	p, ok := d.Type().(*cc.PointerType)
	return ok && r.x.facts.assignments[d] == 1 && !d.AddressTaken() && d.StorageDuration() == cc.Automatic && !d.IsVolatile() &&
		!p.Elem().Attributes().IsVolatile() && !r.isMeasured(d)
}

// isMeasured says that sizeof looks at a variable.
func (r *rewriter) isMeasured(d *cc.Declarator) (found bool) {
	for _, item := range r.items {
		visit(item, func(n cc.Node) {
			u, ok := n.(*cc.UnaryExpression)
			found = found || ok && u.Case == cc.UnaryExpressionSizeofExpr && slices.Contains(namedIn(u), d)
		})
	}
	return found
}

// namedIn are the variables that the text of a node names.
func namedIn(n cc.Node) (list []*cc.Declarator) {
	visit(n, func(n cc.Node) {
		if p, ok := n.(*cc.PrimaryExpression); ok {
			if d := variableOf(p); d != nil {
				list = append(list, d)
			}
		}
	})
	return list
}

// leadsToSame says that a pointer of the first type and one of the second, or an array, lead to
// elements of one type.
func (r *rewriter) leadsToSame(pointer, value cc.Type) bool {
	a, extents := r.x.arrayShape(pointer)
	b, others := r.x.arrayShape(value)
	return len(extents) > 0 && len(others) > 0 && typeName(a) == typeName(b) && a.Size() == b.Size() && a.Kind() != cc.Void && a.Kind() != cc.Function &&
		slices.Equal(extents[1:], others[1:])
}

// isSteadyIn says which integers keep their value from an offset to the end of the block around it:
// those that the region does not change, those that it declares with the value they keep, and
// iterators of the loops around.
func (r *rewriter) isSteadyIn(offset int) func(*cc.Declarator) bool {
	return func(d *cc.Declarator) bool {
		if r.x.facts.assigned[d] == nil || r.x.facts.local[d] && r.x.facts.assignments[d] == 1 && d.NameTok().Position().Offset < offset {
			return true
		}
		found := false
		for _, item := range r.items {
			visit(item, func(n cc.Node) {
				loop, ok := n.(*cc.IterationStatement)
				found = found || ok && setsInHeader(loop, d) && r.keepsInside(loop.Statement, d, offset)
			})
		}
		return found
	}
}

// setsInHeader says that a for loop declares a variable, or that it assigns one first.
func setsInHeader(loop *cc.IterationStatement, d *cc.Declarator) bool {
	f := newFacts()
	f.lookAtLoop(loop)
	return f.iterators[d]
}

// keepsInside says that a loop's body has an offset in it, and leaves a variable alone.
func (r *rewriter) keepsInside(body *cc.Statement, d *cc.Declarator, offset int) bool {
	s, ok := spanOf(body)
	if !ok || offset < s.start || offset > s.last {
		return false
	}
	inside := newFacts()
	visit(body, inside.look)
	return inside.assigned[d] == nil
}

// meansTheSame says that the names in an expression mean the same between two offsets: no block
// there declares another variable of such a name.
func (r *rewriter) meansTheSame(n cc.Node, start, end int) bool {
	for _, d := range namedIn(n) {
		for other := range r.x.facts.local {
			at := other.NameTok().Position().Offset
			if other != d && other.Name() == d.Name() && at >= start && at < end {
				r.x.isAboutHiding = true
				return false
			}
		}
	}
	return true
}
