package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// arrayInfo is an array under construction and the variable, or the member of
// it, that it stands for.
type arrayInfo struct {
	scop.Array
	declarator *cc.Declarator
	// members are the path from the variable, such as ".pos.x".
	members string
	// origin tells the memory apart that different arrays may lie in: the
	// variable and the last pointer on the way from it. Two arrays of one
	// origin never overlap.
	origin string
	// open says that the memory lies behind a pointer that may point into
	// other arrays; restrict says that the pointer promises not to.
	open, restrict bool
	// limits are the extents that C itself guards: an access beyond one has
	// no defined behaviour. It is -1 where there is none.
	limits []int64
	// rows are the lengths of the rows of an array of which one subscript counts
	// rows; nil for others.
	rows rowLengths
}

// arrayKey tells arrays apart in all readings of a region.
type arrayKey struct {
	declarator *cc.Declarator
	members    string
}

func (a *arrayInfo) key() arrayKey { return arrayKey{a.declarator, a.members} }

// modelled is the number of steps of v's path that its array has: all of them
// unless the region also accesses one of the structs on the way as a whole, or
// the member shares its memory with another.
func (x *extractor) modelled(v lvalue) int {
	steps := v.ownSteps()
	for _, w := range x.facts.accessed[v.variable] {
		if own := w.ownSteps(); own < steps && v.startsWith(w, own) {
			steps = own
		}
	}
	return steps
}

// arrayPath is the way over the first steps members, with the numbers of the elements that pointers
// on it lie in: ".level[2].buf". Those have memory of their own each.
func (v lvalue) arrayPath(steps int) string {
	path, written := "", 0
	for _, m := range v.members[:steps] {
		if m.isPointer() {
			path += elementNumbers(v.subscripts[written:m.after])
			written = m.after
		}
		path += "." + m.field.Name()
	}
	return path
}

// elementNumbers are constant subscripts between brackets, but for those of first elements.
func elementNumbers(subscripts []cc.ExpressionNode) (text string) {
	for _, s := range subscripts {
		if s == nil {
			continue
		}
		if number, isConstant := constantValue(s); isConstant && number != 0 {
			text += fmt.Sprintf("[%d]", number)
		}
	}
	return text
}

// arrayOf is the array that has the element v, and how many steps of v's path
// lead to it; the first mention makes it.
func (x *extractor) arrayOf(v lvalue) (*arrayInfo, int, error) {
	steps := x.modelled(v)
	path := v.arrayPath(steps)
	for _, a := range x.arrays {
		if a.declarator == v.variable && a.members == path {
			return a, steps, x.checkWayTo(v, steps)
		}
	}
	if err := x.checkWayTo(v, steps); err != nil {
		return nil, 0, err
	}
	d := v.variable
	element, extents := x.shape(v, steps)
	info := &arrayInfo{declarator: d, open: isOpenPointer(d), restrict: isRestrict(d)}
	for k, m := range v.members[:steps] {
		if m.isPointer() {
			info.origin, info.restrict = v.arrayPath(k+1), isRestrict(m.field.Declarator())
			info.open = !info.restrict
		}
	}
	info.Variable, info.members = x.spelledName(d), path
	info.Path = x.elementPath(v, steps)
	info.Type, info.Extents = typeName(element), extents
	info.Local, info.Argument, info.Elsewhere = x.facts.local[d], d.IsParam(), x.leadsElsewhere(info)
	if err := x.checkArray(d, element, v.name); err != nil {
		return nil, 0, err
	}
	info.Size = int(element.Size())
	info.Members = membersOf(element)
	info.limits = x.limitsOf(v, steps)
	if same := x.localTwin(info); same != nil {
		return same, steps, nil
	}
	info.Name = x.internalName(strings.ReplaceAll(info.Spelling(), ".", "_"), x.isArrayName)
	x.arrays = append(x.arrays, info)
	return info, steps, nil
}

// localTwin is another variable of the region with the same name and type:
// after the region's text is replaced, both are one.
func (x *extractor) localTwin(info *arrayInfo) *arrayInfo {
	for _, a := range x.arrays {
		if a.Local && info.Local && a.Variable == info.Variable && a.members == info.members {
			return a
		}
	}
	return nil
}

func (x *extractor) isArrayName(name string) bool {
	for _, a := range x.arrays {
		if a.Name == name {
			return true
		}
	}
	return false
}

// elementPath is how C writes the element that the first steps of v's path
// lead to, with [] in the place of the subscripts; "" for plain variables.
func (x *extractor) elementPath(v lvalue, steps int) string {
	_, extents := x.shape(v, 0)
	path := x.spelledName(v.variable) + strings.Repeat("[]", len(extents))
	if steps == 0 && !x.hasPointedRows(v) {
		return ""
	}
	for _, m := range v.members[:steps] {
		_, inner := x.behindPointers(v, m.field.Type())
		path += "." + m.field.Name() + strings.Repeat("[]", len(inner))
	}
	return path
}

// shape is the type of the elements that the first steps of v's path lead to,
// and all extents on the way.
func (x *extractor) shape(v lvalue, steps int) (element cc.Type, extents []string) {
	element, extents = x.behindPointers(v, v.variable.Type())
	for _, m := range v.members[:steps] {
		var inner []string
		element, inner = x.behindPointers(v, m.field.Type())
		extents = append(extents, inner...)
	}
	return element, extents
}

// checkWayTo refuses a path through pointers that may lead several elements to
// the same place, or that the region may change.
func (x *extractor) checkWayTo(v lvalue, steps int) error {
	for k, m := range v.members {
		element, _ := x.shape(v, k)
		if element.Kind() == cc.Ptr {
			return x.arrayOfPointers(v, k, element)
		}
		if !m.isPointer() || k == len(v.members)-1 && len(v.subscripts) == m.after {
			continue
		}
		name := v.variable.Name() + v.path(k+1)
		if k >= steps {
			return x.errorAt(v.name, "pointer", fmt.Sprintf("the pointer %s lies in a union, or in a struct that the region also accesses as a whole", name),
				"copy the pointer to a variable in front of the region")
		}
		if err := x.checkPointersApart(v, k); err != nil {
			return err
		}
		for _, w := range x.facts.written[v.variable] {
			if w.ownSteps() <= k+1 && v.startsWith(w, w.ownSteps()) && len(w.subscripts) <= m.after {
				return x.errorAt(w.name, "pointer", fmt.Sprintf("the pointer %s may change inside the region", name),
					"index it from a fixed start: p[i] instead of *p++")
			}
		}
	}
	return nil
}

// checkPointersApart refuses a pointer in the elements of an array, the last of v's first step+1
// members, that may lead several of them to the same place: unless pointers are known to lead to
// different memory, or nothing is written there. Elements with numbers of their own are other
// arrays then, which the region must not use as well.
func (x *extractor) checkPointersApart(v lvalue, step int) error {
	m, name := v.members[step], v.variable.Name()+v.path(step+1)
	isNumber := func(s cc.ExpressionNode) bool {
		if s == nil {
			return true
		}
		_, isConstant := constantValue(s)
		return isConstant
	}
	isOne := func(w lvalue) bool {
		return !slices.ContainsFunc(w.subscripts[:w.members[step].after], func(s cc.ExpressionNode) bool { return !isNumber(s) })
	}
	leadsThere := func(w lvalue) bool {
		return step < len(w.members) && w.startsWith(v, step+1) && len(w.subscripts) > w.members[step].after
	}
	if isOne(v) {
		return nil
	}
	if !x.bounds.noAlias && slices.ContainsFunc(x.facts.written[v.variable], leadsThere) {
		return x.errorAt(v.name, "pointer", fmt.Sprintf("each element of an array of structs has a pointer %s of its own; they may overlap", name),
			"say #pragma scop "+assumeNoAlias+" or --assume-no-alias if they lead to different memory, or copy the one pointer that is needed to a variable in front of the region")
	}
	for _, w := range x.facts.accessed[v.variable] {
		if leadsThere(w) && isOne(w) && elementNumbers(w.subscripts[:m.after]) != "" {
			return x.errorAt(v.name, "pointer", fmt.Sprintf("the pointers %s are those of all elements here, and of one with a number elsewhere in the region", name),
				"use them in regions of their own, or give that number a name in front of the region, as in int first = 1")
		}
	}
	return nil
}

func (x *extractor) arrayOfPointers(v lvalue, steps int, element cc.Type) error {
	return x.errorAt(v.name, rowsConstruct, fmt.Sprintf("%s is an array of pointers: its rows may overlap", v.variable.Name()+v.path(steps)),
		rowsAdvice(v.variable.Name()+v.path(steps), element))
}

// walkAdvice is for pointers that move, also up to where data say that they end.
const walkAdvice = "index it from a fixed start: p[i] instead of *p++; copy what a list leads to into an array there"

// checkArray refuses variables whose elements may overlap or change on their
// own.
func (x *extractor) checkArray(d *cc.Declarator, element cc.Type, at cc.Node) error {
	name := d.Name()
	switch {
	case d.IsVolatile() || d.IsAtomic() || element.Attributes().IsVolatile():
		return x.errorAt(at, "volatile", name+" is volatile or atomic", "the region may only use plain variables")
	case element.Kind() == cc.Ptr:
		return x.errorAt(at, rowsConstruct, fmt.Sprintf("%s is an array of pointers: its rows may overlap", name),
			rowsAdvice(name, element))
	case element.Kind() == cc.Function:
		return x.errorAt(at, "function", name+" is a function", "only its value in a call may be used")
	case element.Kind() == cc.Void || element.Size() <= 0:
		return x.errorAt(at, "variable", "the elements of "+name+" have no size", "give it a complete type such as double *")
	case d.Type().Kind() == cc.Ptr && x.facts.assigned[d] != nil:
		if x.facts.exchanged[d] {
			return x.errorAt(x.facts.assigned[d], "pointer", fmt.Sprintf("the pointer %s gets the value of another one inside the region", name), swapAdvice)
		}
		return x.errorAt(x.facts.assigned[d], "pointer", fmt.Sprintf("the pointer %s changes inside the region", name), walkAdvice)
	case d.IsThreadLocal() || x.isThreadPrivate(d):
		return x.errorAt(at, "thread-local", name+" is thread-local, so other threads would use another variable", "copy it to a plain variable first")
	}
	return nil
}

// limitsOf are the constant extents on the way to v. Those of a pointer are
// unknown, also where an argument is declared as an array; and the last member
// of a struct may be longer than it says when the struct was allocated.
func (x *extractor) limitsOf(v lvalue, steps int) []int64 {
	limits := x.typeLimits(v, v.variable.Type())
	behindPointer := v.variable.Type().Kind() == cc.Ptr
	for _, m := range v.members[:steps] {
		inner := x.typeLimits(v, m.field.Type())
		if len(inner) > 0 && behindPointer && isLastMember(m.field) {
			inner[0] = -1
		}
		behindPointer = behindPointer || m.isPointer()
		limits = append(limits, inner...)
	}
	return limits
}

// typeLimits are those of a variable or member on the way to v, with the rows that pointers lead
// to.
func (x *extractor) typeLimits(v lvalue, t cc.Type) []int64 {
	limits := typeLimits(t)
	_, extents := x.behindPointers(v, t)
	for len(limits) < len(extents) {
		limits = append(limits, -1)
	}
	return limits
}

func typeLimits(t cc.Type) (limits []int64) {
	if p, ok := t.(*cc.PointerType); ok {
		limits, t = []int64{-1}, p.Elem()
	}
	for t.Kind() == cc.Array {
		array := t.(*cc.ArrayType)
		if limit := array.Len(); array.IsVLA() || limit < 0 {
			limits = append(limits, -1)
		} else {
			limits = append(limits, limit)
		}
		t = array.Elem()
	}
	return limits
}

func isLastMember(f *cc.Field) bool {
	s, ok := f.ParentType().(*cc.StructType)
	return !ok || f.Index() == s.NumFields()-1
}
