package frontend

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"
)

// pureFunctions are functions of the C library whose value depends on their
// arguments alone. Setting errno and floating-point flags does not count.
var pureFunctions = func() map[string]bool {
	pure := map[string]bool{"abs": true, "labs": true, "llabs": true}
	names := "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma " +
		"fmax fmin fmod hypot ldexp lgamma log log10 log1p log2 logb nearbyint nextafter pow remainder rint round scalbn " +
		"sin sinh sqrt tan tanh tgamma trunc lround llround lrint llrint ilogb"
	for _, name := range strings.Fields(names) {
		for _, suffix := range []string{"", "f", "l"} {
			pure[name+suffix] = true
		}
	}
	delete(pure, "lgamma")
	delete(pure, "lgammaf")
	delete(pure, "lgammal")
	return pure
}()

// call collects from a call of a function without side effects.
func (c *collector) call(x *cc.PostfixExpression) {
	d := variableOf(x.PostfixExpression)
	if d == nil || d.Type().Kind() != cc.Function {
		c.fail(x, "call", "a call through a pointer", "call a named function without side effects")
		return
	}
	name := d.Name()
	definition := c.definitions[name]
	switch {
	case definition != nil:
		if why := c.impurity(definition, map[string]bool{}); why != "" {
			c.fail(x, "call", fmt.Sprintf("the function %s %s", name, why),
				"only functions that compute a value from by-value arguments may be called")
			return
		}
	case !pureFunctions[strings.TrimPrefix(name, "__builtin_")]:
		c.fail(x, "call", fmt.Sprintf("the function %s may have side effects: its body is not in this file", name),
			"call functions of math.h, or define the function in this file so that it only uses its by-value arguments")
		return
	}
	for l := x.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		c.expression(l.AssignmentExpression)
	}
}

// impurity says why a call of the function does more than compute a value
// from its arguments, or "".
func (x *extractor) impurity(f *cc.FunctionDefinition, calling map[string]bool) string {
	name := f.Declarator.Name()
	if calling[name] {
		return "is recursive"
	}
	calling[name] = true
	defer delete(calling, name)
	why := ""
	note := func(reason string) {
		if why == "" {
			why = reason
		}
	}
	if t, ok := f.Declarator.Type().(*cc.FunctionType); ok {
		for _, p := range t.Parameters() {
			if k := p.Type().Kind(); k == cc.Ptr || k == cc.Array {
				note("takes a pointer, through which it may read or write")
			}
		}
	}
	own := map[*cc.Declarator]bool{}
	visit(f.CompoundStatement, func(n cc.Node) {
		if d, ok := n.(*cc.InitDeclarator); ok && !d.Declarator.IsStatic() && !d.Declarator.IsExtern() {
			own[d.Declarator] = true
		}
	})
	visit(f.CompoundStatement, func(n cc.Node) {
		switch n := n.(type) {
		case *cc.IterationStatement:
			if n.Case != cc.IterationStatementFor && n.Case != cc.IterationStatementForDecl {
				note("has a while loop, which may not end")
			}
		case *cc.AsmStatement:
			note("has inline assembly")
		case *cc.JumpStatement:
			if n.Case == cc.JumpStatementGoto || n.Case == cc.JumpStatementGotoExpr {
				note("has a goto")
			}
		case *cc.PrimaryExpression:
			note(x.impureName(n, own, calling))
		}
	})
	return why
}

func (x *extractor) impureName(n *cc.PrimaryExpression, own map[*cc.Declarator]bool, calling map[string]bool) string {
	d := variableOf(n)
	if d == nil || d.IsParam() || own[d] || d.IsSynthetic() {
		return ""
	}
	if d.Type().Kind() != cc.Function {
		return "uses the variable " + d.Name() + " from outside"
	}
	if callee := x.definitions[d.Name()]; callee != nil {
		if why := x.impurity(callee, calling); why != "" {
			return "calls " + d.Name() + ", which " + why
		}
		return ""
	}
	if !pureFunctions[strings.TrimPrefix(d.Name(), "__builtin_")] {
		return "calls " + d.Name() + ", whose body is not in this file"
	}
	return ""
}
