package frontend

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// trust is what is said of a function, besides what its body shows.
type trust struct {
	// assumed functions read the values of their arguments, and read and write what pointers among
	// these lead to, by the word of the user: --assume-pure, or that of #pragma scop.
	assumed bool
	// pure functions change nothing, and read what pointers among their arguments lead to, and
	// variables of the program: __attribute__((pure)).
	pure bool
	// constant functions depend on the values of their arguments alone: __attribute__((const)).
	constant bool
}

// trustIn is what the user, or attributes of a function's declarations, say of it.
func (x *extractor) trustIn(name string) trust {
	t := trust{assumed: slices.Contains(x.bounds.pure, name) || slices.Contains(x.pure, name)}
	for _, n := range x.ast.Scope.Nodes[name] {
		d, ok := n.(*cc.Declarator)
		if !ok {
			continue
		}
		if f, isFunction := d.Type().(*cc.FunctionType); isFunction {
			t.pure, t.constant = t.pure || hasAttribute(f, "pure"), t.constant || hasAttribute(f, "const")
		}
	}
	return t
}

// hasAttribute says whether a function has an attribute, behind its declarator or in front of the
// type of its value.
func hasAttribute(t *cc.FunctionType, name string) bool {
	for _, attributes := range []*cc.Attributes{t.Attributes(), t.Result().Attributes()} {
		if attributes.AttrValue(name) != nil || attributes.AttrValue("__"+name+"__") != nil {
			return true
		}
	}
	return false
}

// prototype is a function's type as the file declares it, nil where it has no prototype.
func (x *extractor) prototype(name string) *cc.FunctionType {
	for _, n := range x.ast.Scope.Nodes[name] {
		if d, ok := n.(*cc.Declarator); ok {
			if t, isFunction := d.Type().(*cc.FunctionType); isFunction && len(t.Parameters()) > 0 {
				return t
			}
		}
	}
	return nil
}

// trustedEffects are the effects of a function that is trusted; why says what a call may do
// besides.
func (x *extractor) trustedEffects(name string, tree *callTree) (effects []effect, why string) {
	trust := x.trustIn(name)
	if !trust.assumed && !trust.pure && !trust.constant {
		return nil, unknownBody
	}
	t := x.prototype(name)
	if t == nil {
		return make([]effect, maxArguments), ""
	}
	for _, p := range t.Parameters() {
		if !trust.constant && p.Type().Kind() != cc.Ptr && holdsPointers(p.Type()) {
			return nil, "takes the struct " + p.Name() + ", which holds pointers"
		}
		e := effect{single: true}
		if isPointer := p.Type().Kind() == cc.Ptr || p.Type().Kind() == cc.Array; isPointer && !trust.constant {
			element := elementOf(p.Type())
			if holdsPointers(element) {
				return nil, "takes " + p.Name() + ", a pointer to pointers"
			}
			e = effect{read: true, write: !trust.pure && !isConst(element)}
		}
		effects = append(effects, e)
	}
	if trust.pure && !trust.assumed && !trust.constant && !slices.Contains(tree.pure, name) {
		tree.pure = append(tree.pure, name)
	}
	return effects, ""
}

// isTrustable says that the user may say of a function that it has no side effects: it is not one
// of the compiler's headers, and takes no pointers to pointers.
func (x *extractor) isTrustable(d *cc.Declarator) bool {
	t := x.prototype(d.Name())
	file := d.Position().Filename
	isSystems := slices.ContainsFunc(x.systemPaths, func(folder string) bool { return strings.HasPrefix(file, folder) })
	return t != nil && !isSystems && !slices.ContainsFunc(t.Parameters(), func(p *cc.Parameter) bool { return holdsPointers(elementOf(p.Type())) })
}

// unknownBody is why nothing is known of a function.
const unknownBody = "may have side effects: its body is not in this file"

// integerChoices are functions of two integers whose values are affine: those by which generated
// code, and code written after it, spells its bounds.
var integerChoices = []string{"min", "max", "imin", "imax", "umin", "umax", "floord", "ceild"}

// isIntegerChoice says whether a function without a body is one of these, by its name and its
// types.
func (x *extractor) isIntegerChoice(name string) bool {
	t := x.prototype(name)
	if t == nil || x.definitions[name] != nil || !slices.Contains(integerChoices, name) || len(t.Parameters()) != 2 || !cc.IsIntegerType(t.Result()) {
		return false
	}
	return !slices.ContainsFunc(t.Parameters(), func(p *cc.Parameter) bool { return !cc.IsIntegerType(p.Type()) })
}

// integerChoice is the value of such a function: the smaller or the larger one of its arguments, or
// their quotient by a positive constant, rounded down or up.
func (e *evaluator) integerChoice(x *cc.PostfixExpression, name string, refusal error) (affine, error) {
	arguments := argumentsOf(x)
	if len(arguments) != 2 {
		return affine{}, refusal
	}
	var values [2]affine
	for k, p := range e.x.prototype(name).Parameters() {
		value, err := e.affine(arguments[k])
		if err == nil && isUnsigned(p.Type()) {
			err = e.nonNegative(arguments[k], value)
		}
		if err == nil && p.Type().Size() < 4 {
			err = refusal
		}
		if err != nil {
			return affine{}, err
		}
		values[k] = value
	}
	l, r := values[0], values[1]
	switch divisor, isConstant := r.constant(); {
	case strings.HasSuffix(name, "min"):
		return e.chosen(compare(l, "<=", r), l, r), nil
	case strings.HasSuffix(name, "max"):
		return e.chosen(compare(l, ">=", r), l, r), nil
	case !isConstant || divisor <= 0:
		return affine{}, e.notAffine(x, "the divisor is no positive constant")
	case name == "floord":
		return l.mapValues(func(v linear) linear { return v.floorDiv(divisor) }), nil
	default:
		return l.mapValues(func(v linear) linear { return v.times(-1).floorDiv(divisor).times(-1) }), nil
	}
}
