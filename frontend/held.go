package frontend

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// Structs have pointers to arrays, and the sizes of these beside them:
//
//	struct matrix { int rows, cols; double *data; };
//
// A caller that is no program of the user's sets both, if it knows all that the function follows.

// noteHeld adds what the function's arguments and variables of the file hold to its description;
// declared are those of its variables.
func (x *extractor) noteHeld(f *scop.Function, variables []*cc.Declarator) {
	roots := map[*cc.Declarator]*scop.Argument{}
	if t, ok := x.function.Declarator.Type().(*cc.FunctionType); ok {
		for k, declared := range t.Parameters() {
			if k < len(f.Arguments) && declared.Declarator != nil && f.Arguments[k].Role == scop.Pointer {
				roots[declared.Declarator] = &f.Arguments[k]
			}
		}
	}
	for k, d := range variables {
		if v := &f.Variables[k]; v.Role == scop.Pointer && !v.Inside && !v.Initialized {
			roots[d] = &v.Argument
		}
	}
	changed := newFacts()
	x.visitFunction(changed.look)
	written := changed.written
	for _, d := range slices.SortedFunc(maps.Keys(roots), inDeclarationOrder) {
		scan := &heldScan{x: x, root: d, found: map[string]scop.Held{}, seen: map[*cc.FunctionDefinition]bool{}}
		root := roots[d]
		switch {
		case root.Opaque == "" || hasTooMany(d.Type()):
		case scan.follow(x.function, d):
			root.Followed, written[d] = true, scan.written
			f.Held = append(f.Held, scan.pointers()...)
		default:
			root.Opaque = cmp.Or(scan.why, root.Opaque)
		}
	}
	for _, parameter := range x.parameters {
		if held, ok := x.heldSize(parameter, roots, changed); ok && !isHeldAt(f.Held, held.Place) {
			f.Held = append(f.Held, held)
		}
	}
}

func isHeldAt(list []scop.Held, place string) bool {
	return slices.ContainsFunc(list, func(h scop.Held) bool { return h.Place == place })
}

// heldSize is a parameter that lies in the data of the roots, or a variable of the function that
// has the value of such a place.
func (x *extractor) heldSize(p *parameter, roots map[*cc.Declarator]*scop.Argument, changed *facts) (held scop.Held, ok bool) {
	held = scop.Held{Argument: scop.Argument{Name: p.spelling, Type: dataType(p.typ), Role: scop.Size}, Place: p.at}
	d, way := p.declarator, p.way
	if p.at == "" {
		value := x.initialOf(d)
		if value == nil || d.IsParam() || isFileScope(d) || !x.isNeverWritten(d) {
			return held, false
		}
		v, isPlace := resolve(value)
		if !isPlace || len(v.members)+len(v.subscripts) == 0 || !cc.IsIntegerType(value.Type()) {
			return held, false
		}
		numbers, isConstant := x.constantSubscripts(v, constantValue)
		if !isConstant {
			return held, false
		}
		d, way, held.Type, held.Place = v.variable, v, dataType(value.Type()), v.placeIn(numbers)
	}
	root := roots[d]
	if root == nil || x.isDataAsWell(way) || hasTooMany(d.Type()) || root.Opaque != "" && !root.Followed {
		return held, false
	}
	held.In = root.Name
	return held, changed.assigned[d] == nil && !slices.ContainsFunc(changed.written[d], way.overlaps)
}

// isDataAsWell says whether the region reads or writes other elements of the array that a parameter
// is one of, as those of data.
func (x *extractor) isDataAsWell(way lvalue) bool {
	isMoving := func(s subscript) bool {
		form, ok := s.value.linear()
		return !s.known || !ok || len(form.terms) > 0
	}
	return slices.ContainsFunc(x.statements, func(s *statementDraft) bool {
		return slices.ContainsFunc(s.references, func(r reference) bool {
			return r.array.declarator == way.variable && r.array.members == way.arrayPath(len(way.members)) && slices.ContainsFunc(r.subscripts, isMoving)
		})
	})
}

// heldScan finds the pointers in the data of one variable that functions follow.
type heldScan struct {
	x     *extractor
	root  *cc.Declarator
	found map[string]scop.Held
	// written are the parts of the data that the functions assign.
	written []lvalue
	seen    map[*cc.FunctionDefinition]bool
	// why is the reason for which a member is not followed, of the first such one, or "".
	why string
}

// pointers are those that were found, outer ones first.
func (s *heldScan) pointers() []scop.Held {
	return slices.SortedFunc(maps.Values(s.found), func(a, b scop.Held) int {
		depth := func(h scop.Held) int { return strings.Count(h.Place, ".") }
		return cmp.Or(cmp.Compare(depth(a), depth(b)), cmp.Compare(a.Place, b.Place))
	})
}

// follow notes the pointers that a function follows from a variable, and says whether these are all
// that it can.
func (s *heldScan) follow(f *cc.FunctionDefinition, d *cc.Declarator) bool {
	assigned := newFacts()
	visit(f.CompoundStatement, assigned.look)
	known := !slices.ContainsFunc(assigned.set[d], setsPointer)
	s.written = append(s.written, assigned.set[d]...)
	s.seen[f] = true
	s.look(f.CompoundStatement, d, &known)
	return known
}

// setsPointer says that what is written is a struct, or a pointer in one.
func setsPointer(w lvalue) bool {
	if len(w.members) == 0 {
		return true
	}
	last := w.members[len(w.members)-1]
	return last.isPointer() && len(w.subscripts) == last.after || hasPointers(elementOf(last.field.Type()))
}

// hasPointers says whether there are pointers, or what the driver does not know, in a type.
func hasPointers(t cc.Type) bool {
	s, ok := t.(*cc.StructType)
	if !ok {
		return t.Kind() == cc.Union
	}
	list := memberList{most: maxFilled}
	list.add(s, "")
	return list.pointer != "" || list.opaque != ""
}

// look visits code of a function for the uses of a variable.
func (s *heldScan) look(n cc.Node, d *cc.Declarator, known *bool) {
	walk(n, func(n cc.Node) bool {
		switch e := n.(type) {
		case *cc.EqualityExpression:
			// Whether there is an argument at all is no way to its data.
			return variableOf(e.EqualityExpression) != d && variableOf(e.RelationalExpression) != d
		case *cc.UnaryExpression:
			if e.Case == cc.UnaryExpressionNot && variableOf(e.CastExpression) == d {
				return false
			}
		case *cc.PostfixExpression:
			if called := calledBy(e); called != nil {
				s.call(e, called, d, known)
				return false
			}
		}
		e, isExpression := n.(cc.ExpressionNode)
		if !isExpression {
			return true
		}
		v, ok := resolve(e)
		if !ok || v.variable != d {
			return true
		}
		*known = *known && s.note(v, e.Type())
		for _, subscript := range v.subscripts {
			if subscript != nil {
				s.look(subscript, d, known)
			}
		}
		return false
	})
}

// call looks at a call: functions of the file get the data as the caller has it.
func (s *heldScan) call(n *cc.PostfixExpression, called, d *cc.Declarator, known *bool) {
	f := s.x.definitions[called.Name()]
	var parameters []*cc.Parameter
	if f != nil {
		if t, ok := f.Declarator.Type().(*cc.FunctionType); ok {
			parameters = t.Parameters()
		}
	}
	for k, argument := range argumentsOf(n) {
		if variableOf(argument) != d {
			s.look(argument, d, known)
			continue
		}
		if k >= len(parameters) || parameters[k].Declarator == nil || s.seen[f] {
			*known = false
			continue
		}
		seen := maps.Clone(s.seen)
		*known = *known && s.follow(f, parameters[k].Declarator)
		s.seen = seen
	}
	if f != nil && isFileScope(d) && !s.seen[f] {
		s.seen[f] = true
		s.look(f.CompoundStatement, d, known)
	}
}

// note adds the pointers on the way to a place, and says whether nothing behind it is open.
func (s *heldScan) note(v lvalue, t cc.Type) bool {
	if len(v.members) == 0 && (t.Kind() == cc.Ptr || t.Kind() == cc.Array) || hasPointers(t) {
		return false
	}
	for k, m := range v.members {
		element, _ := s.x.arrayShape(m.field.Type())
		switch {
		case m.field.IsFlexibleArrayMember():
			return s.refuse(m, "is an array without an extent")
		case m.shared:
			return s.refuse(m, "is a bit field, or shares its memory in a union")
		case !m.isPointer() && element.Kind() == cc.Ptr:
			return s.refuse(m, "is an array of pointers")
		case !m.isPointer():
			continue
		}
		to := lvalue{variable: s.root, members: v.members[:k+1], subscripts: v.subscripts[:m.after]}
		numbers, isConstant := s.x.constantSubscripts(to, constantValue)
		if !isConstant {
			return s.refuse(m, "is a pointer in elements whose numbers are not constant")
		}
		held := scop.Held{Argument: s.x.dataOf(s.root.Name()+to.arrayPath(k+1), m.field.Type()), In: s.root.Name(), Place: to.placeIn(numbers)}
		if held.Size == 0 || hasTooMany(m.field.Type()) || held.Opaque != "" && held.Members == nil && element.Kind() == cc.Union {
			return false
		}
		held.Followed = held.Opaque != ""
		if other, isKnown := s.named(held.Name); isKnown && other != held.Place {
			return false
		}
		s.found[held.Place] = held
	}
	return true
}

// refuse keeps why a member is not followed.
func (s *heldScan) refuse(m member, why string) (followed bool) {
	s.why = cmp.Or(s.why, fmt.Sprintf("its member %s %s", m.field.Name(), why))
	return false
}

// named is the place of a pointer that was found under a name.
func (s *heldScan) named(name string) (place string, isKnown bool) {
	for _, h := range s.found {
		if h.Name == name {
			return h.Place, true
		}
	}
	return "", false
}
