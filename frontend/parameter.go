package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// parameter is an integer that the region reads but never changes: a
// variable, or a member or element with constant subscripts.
type parameter struct {
	declarator *cc.Declarator
	// place tells the members and elements of one variable apart; it is ""
	// for the variable itself.
	place string
	// way leads to the member or element, which C writes as at where the variable is one of the
	// file or points to its data; "" for variables.
	way lvalue
	at  string
	// name is that in isl's text, spelling the C expression.
	name, spelling string
	typ            cc.Type
}

// variableParameter is the parameter that a variable is.
func (x *extractor) variableParameter(d *cc.Declarator) *parameter {
	return x.addParameter(&parameter{declarator: d, spelling: d.Name(), typ: d.Type()})
}

// addParameter is the parameter of that variable and place; the first mention
// names it.
func (x *extractor) addParameter(p *parameter) *parameter {
	for _, known := range x.parameters {
		if known.declarator == p.declarator && known.place == p.place {
			return known
		}
	}
	if p.place == "" && scop.Representable(p.spelling) && !x.isParameterName(p.spelling) && !x.tuples[p.spelling] {
		p.name = p.spelling
	} else {
		words := strings.FieldsFunc(p.spelling, func(r rune) bool { return r < 0x80 && !isNamePart(byte(r)) })
		p.name = x.internalName(strings.Join(words, "_"), func(name string) bool {
			return len(x.facts.named[name]) > 0 || x.isParameterName(name) || x.tuples[name]
		})
	}
	x.parameters = append(x.parameters, p)
	return p
}

func (x *extractor) isParameterName(name string) bool {
	for _, p := range x.parameters {
		if p.name == name {
			return true
		}
	}
	return false
}

// isParameter says that the variable is used as a parameter.
func (x *extractor) isParameter(d *cc.Declarator) bool {
	for _, p := range x.parameters {
		if p.declarator == d && p.place == "" {
			return true
		}
	}
	return false
}

// internalName is a name that isl can read and that is not taken: the wanted
// one, or one like it.
func (x *extractor) internalName(wanted string, taken func(string) bool) string {
	base := strings.Map(func(r rune) rune {
		if r >= 0x80 || r == '$' {
			return '_'
		}
		return r
	}, strings.ReplaceAll(wanted, scop.OwnPrefix, ""))
	name := base
	for n := 1; !scop.Representable(name) || taken(name); n++ {
		name = fmt.Sprintf("%s_%d", base, n)
	}
	return name
}

// element is the value of a member of a struct or an element of an array: a
// parameter, where the subscripts are constant and nothing in the region may
// write there.
func (e *evaluator) element(n cc.ExpressionNode) (affine, error) {
	v, ok := resolve(n)
	if !ok || e.locals != nil {
		return affine{}, e.notAffine(n, e.whyNotPostfix(n))
	}
	d, place := v.variable, v.path(len(v.members))
	numbers, ok := e.x.constantSubscripts(v, func(s cc.ExpressionNode) (int64, bool) { return e.x.constantAt(e.place, s) })
	if !ok {
		return affine{}, e.notAffine(n, e.whyNotPostfix(n))
	}
	place += strings.Join(numbers, "")
	if at := e.x.changeOf(v); at != nil {
		return affine{}, e.notAffine(n, fmt.Sprintf("%s changes inside the region, at line %d, so it is no parameter here",
			d.Name()+v.path(len(v.members)), e.x.positionOf(at).Line))
	}
	if err := e.x.checkWayTo(v, len(v.members)); err != nil {
		return affine{}, err
	}
	if d.IsVolatile() || d.IsAtomic() || n.Type().Attributes().IsVolatile() {
		return affine{}, e.notAffine(n, d.Name()+" is volatile or atomic")
	}
	s, ok := spanOf(n)
	if !ok {
		return affine{}, e.notAffine(n, e.whyNotPostfix(n))
	}
	spelling := e.x.expressionText(s)
	if slices.ContainsFunc(v.subscripts, e.x.changesInside) {
		spelling = v.withNumbers(d.Name(), numbers)
	}
	p := e.x.addParameter(&parameter{declarator: d, place: place, way: v, at: v.placeIn(numbers), spelling: spelling, typ: n.Type()})
	return single(variableForm(p.name)), nil
}

// changesInside says that an expression names a variable that the region declares or assigns: in
// front of it the text may have another value, or none.
func (x *extractor) changesInside(n cc.ExpressionNode) bool {
	return n != nil && slices.ContainsFunc(namedIn(n), func(d *cc.Declarator) bool { return x.facts.local[d] || x.facts.assigned[d] != nil })
}

// constantSubscripts are the numbers between brackets on the way to v; ok is false where one is
// not constant.
func (x *extractor) constantSubscripts(v lvalue, constant func(cc.ExpressionNode) (int64, bool)) (numbers []string, ok bool) {
	for _, s := range v.subscripts {
		index := int64(0)
		if s != nil {
			if index, ok = constant(s); !ok {
				return nil, false
			}
		}
		numbers = append(numbers, fmt.Sprintf("[%d]", index))
	}
	return numbers, true
}

// placeIn is how C writes v with these subscripts, where v's variable is one of the file, or points
// to the data of an argument.
func (v lvalue) placeIn(numbers []string) string {
	if v.variable.IsParam() && v.variable.Type().Kind() == cc.Struct {
		return v.withNumbers(v.variable.Name()+"[0]", numbers)
	}
	return v.withNumbers(v.variable.Name(), numbers)
}

// withNumbers is how C writes what v designates behind its variable, with these subscripts.
func (v lvalue) withNumbers(text string, numbers []string) string {
	written := 0
	for _, m := range v.members {
		text += strings.Join(numbers[written:m.after], "") + "." + m.field.Name()
		written = m.after
	}
	return text + strings.Join(numbers[written:], "")
}

// changeOf is a place where the region may change what v designates, or the
// way to it.
func (x *extractor) changeOf(v lvalue) cc.Node {
	if at := x.facts.assigned[v.variable]; at != nil {
		return at
	}
	for _, w := range x.facts.written[v.variable] {
		if v.overlaps(w) {
			return w.name
		}
	}
	return nil
}
