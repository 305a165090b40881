package frontend

import (
	"cmp"
	"slices"

	"modernc.org/cc/v4"
)

// One name may mean several variables, of which the innermost one hides the others:
//
//	int l = n;
//	for (long l = 0; l < m; l++) c[l] = 0;      is about another l than
//	a[l] = 1;
//
// What is moved to another place, or takes the place of a name, has to mean the same there. A
// region that is refused is read again with names of their own for the variables that hide others.

// meansIn says whether a name in a scope, in front of an offset, means a variable.
func meansIn(s *cc.Scope, offset int, d *cc.Declarator) bool {
	for ; s != nil; s = s.Parent {
		for _, n := range s.Nodes[d.Name()] {
			other := namedBy(n)
			if other != nil && (other == d || s.Parent == nil || other.NameTok().Position().Offset < offset) {
				return other == d || s.Parent == nil && isFileScope(d)
			}
		}
	}
	return false
}

// namedBy is the variable, function or type that a node of a scope gives a name to; nil for others.
func namedBy(n cc.Node) *cc.Declarator {
	switch n := n.(type) {
	case *cc.Declarator:
		return n
	case *cc.Parameter:
		return n.Declarator
	}
	return nil
}

// isInScopeOf says whether a variable is declared in the block of another one, or in one inside of
// that.
func isInScopeOf(d, other *cc.Declarator) bool {
	for s := d.LexicalScope(); s != nil; s = s.Parent {
		if s == other.LexicalScope() {
			return true
		}
	}
	return false
}

// aroundRegion is the scope of the innermost block around the region.
func (x *extractor) aroundRegion() (s *cc.Scope) {
	x.visitFunction(func(n cc.Node) {
		block, ok := n.(*cc.CompoundStatement)
		if !ok {
			return
		}
		if extent, ok := x.keptSpan(block); ok && extent.start < x.bounds.start && extent.last >= x.bounds.end {
			s = block.LexicalScope()
		}
	})
	return s
}

// keepsMeaning says whether the names in an expression from in front of the region mean the same
// all over the region.
func (x *extractor) keepsMeaning(n cc.Node) bool {
	around := x.aroundRegion()
	for _, d := range namedIn(n) {
		isHidden := around == nil || !meansIn(around, x.bounds.start, d)
		for other := range x.facts.local {
			if other != d && other.Name() == d.Name() {
				isHidden, x.isAboutHiding = true, true
			}
		}
		if isHidden {
			return false
		}
	}
	return true
}

// nameHiding gives the variables of the region that hide others names of their own, where that may
// be why it is refused.
func (r *rewriter) nameHiding() {
	if !r.x.isAboutHiding || r.hasDirectives() {
		return
	}
	taken := r.x.names()
	for _, d := range r.hiding() {
		name := d.NameTok()
		uses, ok := r.usesOf(d)
		if !r.isToken(name) {
			r.x.writeOut(name.Position().Offset)
			ok = false
		}
		if !ok {
			continue
		}
		own := r.x.internalName(d.Name(), func(name string) bool { return taken[name] })
		taken[own] = true
		for _, offset := range slices.Compact(slices.Sorted(slices.Values(append(uses, name.Position().Offset)))) {
			r.replace(offset, offset+len(d.Name()), own)
		}
	}
}

// hiding are the variables of the region that hide others, in the order of their declarations.
func (r *rewriter) hiding() (list []*cc.Declarator) {
	for d := range r.x.facts.local {
		if hidesAnother(d) {
			list = append(list, d)
		}
	}
	slices.SortFunc(list, func(a, b *cc.Declarator) int {
		return cmp.Compare(declaredAt(a), declaredAt(b))
	})
	return list
}

// declaredAt is the number of the token that declares a variable.
func declaredAt(d *cc.Declarator) int {
	name := d.NameTok()
	return name.Seq()
}

// hidesAnother says whether a scope around that of a variable has another one of its name.
func hidesAnother(d *cc.Declarator) bool {
	for s := d.LexicalScope().Parent; s != nil; s = s.Parent {
		for _, n := range s.Nodes[d.Name()] {
			other := namedBy(n)
			if other != nil && !other.IsTypename() && other.Type().Kind() != cc.Function && (s.Parent == nil || declaredAt(other) < declaredAt(d)) {
				return true
			}
		}
	}
	return false
}
