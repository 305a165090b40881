package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"
)

// A pointer of the function may lead into an array that the region uses by its own name, too:
//
//	double *upper = a + n;
//	#pragma scop
//	for (i = 0; i < n; i++)
//	  a[i] += upper[i];
//
// Where it has one value all the time, that takes its place: (a + n)[i]. Others are refused: nobody
// could say which iterations depend on which.

// refuseSecondNames refuses pointers that are second names of arrays, to have their values take
// their places, unless the user says that no two pointers lead to the same memory.
func (x *extractor) refuseSecondNames() {
	if x.bounds.noAlias {
		return
	}
	for k, a := range x.arrays {
		if other := x.secondNameOf(a); other != nil {
			x.refuseSecondName(a, fmt.Sprintf("%s leads into %s, which the region uses by that name, too", a.pointerName(), other.pointerName()))
			continue
		}
		for _, b := range x.arrays[:k] {
			if x.sharesMemory(a, b) {
				x.refuseSecondName(b, fmt.Sprintf("%s and %s lead into the same memory", b.pointerName(), a.pointerName()))
				x.secondNames = append(x.secondNames, a.declarator)
			}
		}
	}
}

func (x *extractor) refuseSecondName(a *arrayInfo, message string) {
	x.secondNames = append(x.secondNames, a.declarator)
	x.refuse(x.firstUseInside(a.declarator), "pointer", message,
		"use one of both names; or say by --assume-no-alias or #pragma scop "+assumeNoAlias+" that they never name the same element")
}

// secondNameOf is an array of the region that the pointer of another one may lead into, where it
// matters; nil for none.
func (x *extractor) secondNameOf(a *arrayInfo) *arrayInfo {
	for _, other := range x.arrays {
		if a.open && x.isBasedOn(a.declarator, other.declarator) && x.mayOverlap(a, other) {
			return other
		}
	}
	return nil
}

// placeInFront is the place that a pointer which the function declares in front of the region leads
// to all the time: an element of an array, or one behind a pointer, that is the same all the time,
// too. It is nil where there is none.
func (x *extractor) placeInFront(d *cc.Declarator) cc.ExpressionNode {
	if !isOpenPointer(d) || d.IsParam() || isFileScope(d) || !x.isNeverWritten(d) {
		return nil
	}
	var value cc.ExpressionNode
	x.visitFunction(func(n cc.Node) {
		if i, ok := n.(*cc.InitDeclarator); ok && i.Declarator == d && i.Initializer != nil {
			value = i.Initializer.AssignmentExpression
		}
	})
	if value == nil {
		return nil
	}
	value = withoutPromise(value)
	v, ok := resolvePointed(value)
	if !ok || len(v.members) > 0 || v.variable.Type().Kind() != cc.Array && !x.isNeverWritten(v.variable) ||
		slices.ContainsFunc(v.subscripts, func(s cc.ExpressionNode) bool { return s != nil && !x.isMadeOfUnchanged(s) }) {
		return nil
	}
	return value
}

// firstUseInside is the first place in the region that names a variable.
func (x *extractor) firstUseInside(d *cc.Declarator) (first *cc.PrimaryExpression) {
	for _, item := range x.items {
		visit(item, func(n cc.Node) {
			if p, ok := n.(*cc.PrimaryExpression); ok && first == nil && variableOf(p) == d {
				first = p
			}
		})
	}
	return first
}

// replaceSecondNames puts the values of pointers in front of the region into their places.
func (r *rewriter) replaceSecondNames() {
	for _, d := range r.x.secondNames {
		value := r.x.placeInFront(d)
		uses, ok := r.usesOf(d)
		if value == nil || !ok || !r.leadsToSame(d.Type(), value.Type()) || !r.x.keepsMeaning(value) {
			continue
		}
		text, ok := r.operandInFront(value)
		for _, offset := range uses {
			if ok && offset >= r.x.bounds.start && offset < r.x.bounds.end {
				r.replace(offset, offset+len(d.Name()), text)
			}
		}
	}
}
