package frontend

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// Programs that are written to be read by polyhedral tools use functions that they declare nowhere,
// and leave their definitions to whoever compiles them:
//
//	for (i = max(0, n - 10); i < min(m, floord(n, 2)); i++)
//
// These definitions are put in front of the first function that uses them, so that what is read
// here is what is compiled.

// wellKnown are definitions of such functions of two integers, by their names.
var wellKnown = func() map[string]string {
	const floor, ceiling = "a >= 0 ? a / b : -((-a + b - 1) / b)", "a > 0 ? (a + b - 1) / b : -(-a / b)"
	all := map[string]string{}
	for name, value := range map[string]string{
		"min": "a < b ? a : b", "imin": "a < b ? a : b", "max": "a > b ? a : b", "imax": "a > b ? a : b",
		"floord": floor, "intFloor": floor, "ceild": ceiling, "intCeil": ceiling, "intMod": "a >= 0 ? a % b : a - b * -((-a + b - 1) / b)",
	} {
		all[name] = fmt.Sprintf("static inline int %s(int a, int b) { return %s; }", name, value)
	}
	for name, operator := range map[string]string{"umin": "<", "umax": ">"} {
		all[name] = fmt.Sprintf("static inline unsigned %s(unsigned a, unsigned b) { return a %s b ? a : b; }", name, operator)
	}
	return all
}()

// What PENCIL says in the form of calls: a condition that holds, and variables whose values nobody
// needs any more.
const (
	pencilAssume = "__pencil_assume"
	pencilKill   = "__pencil_kill"
)

// pencil are definitions of these.
var pencil = map[string]string{
	pencilAssume: "static inline void " + pencilAssume + "(int holds) { if (!holds) " + unreachable + "(); }",
	pencilKill:   "\n#define " + pencilKill + "(...) ((void) 0)\n",
}

// isUndeclaredKnown says that a compiler's message is about one of these functions, which is
// declared nowhere.
func isUndeclaredKnown(message string) bool {
	isAbout := func(name string) bool { return strings.Contains(message, "'"+name+"'") }
	return (strings.Contains(message, "declaration of non-variable") || strings.Contains(message, "implicit declaration of function") || strings.Contains(message, "undeclared function")) &&
		(slices.ContainsFunc(slices.Collect(maps.Keys(wellKnown)), isAbout) || slices.ContainsFunc(slices.Collect(maps.Keys(pencil)), isAbout))
}

// bring notes that the definition of a function which the file calls and declares nowhere is to be
// put in front of its first use.
func (r *rewriter) bring(call *cc.PostfixExpression) {
	d := calledBy(call)
	if d == nil || !r.x.isUndeclared(d) || r.x.ast.Macros[d.Name()] != nil {
		return
	}
	text, isPencil := pencil[d.Name()]
	if !isPencil {
		text = wellKnown[d.Name()]
	}
	first, isInts := r.x.callers(d.Name())
	if text == "" || first == nil || !isPencil && !isInts {
		return
	}
	if s, ok := spanOf(first); ok {
		if r.x.toBring == nil {
			r.x.toBring = map[string]replacement{}
		}
		r.x.toBring[d.Name()] = replacement{s.start, s.start, text + " "}
	}
}

// isUndeclared says that a function is one that a call alone makes known.
func (x *extractor) isUndeclared(d *cc.Declarator) bool {
	return d.Type().Kind() == cc.Function && !x.isNested(d) && x.definitions[d.Name()] == nil && len(x.ast.Scope.Nodes[d.Name()]) == 0 && x.prototype(d.Name()) == nil
}

// isToBring says that a statement is a fact in the form of a call whose definition is not in the
// file yet.
func (x *extractor) isToBring(s *cc.Statement) bool {
	if s.Case != cc.StatementExpr {
		return false
	}
	call := callOf(s, pencilAssume)
	return call != nil && x.isUndeclared(calledBy(call))
}

// callers are the first function of the file that calls a function, nil where a header does, and
// whether all calls have two arguments of type int, or of types that become that, or of unsigned
// where the function's name begins with u.
func (x *extractor) callers(name string) (first *cc.FunctionDefinition, isInts bool) {
	isInts = true
	for _, f := range x.unit.functions() {
		calls := false
		visit(f, func(n cc.Node) {
			call, ok := n.(*cc.PostfixExpression)
			if !ok || calledBy(call) == nil || calledBy(call).Name() != name {
				return
			}
			arguments := argumentsOf(call)
			calls, isInts = true, isInts && len(arguments) == 2 && !slices.ContainsFunc(arguments, func(a cc.ExpressionNode) bool {
				isInt := cc.IsIntegerType(a.Type()) && (a.Type().Size() < 4 || a.Type().Size() == 4 && !isUnsigned(a.Type()))
				return !isInt && !(strings.HasPrefix(name, "u") && a.Type().Kind() == cc.UInt)
			})
		})
		switch {
		case calls && !x.inFile(f):
			return nil, false
		case calls && first == nil:
			first = f
		}
	}
	return first, isInts
}

// warnAboutBrought tells of the definitions that were put into the file, where the region uses
// them.
func (x *extractor) warnAboutBrought() {
	told := map[string]bool{}
	for _, item := range x.items {
		visit(item, func(n cc.Node) {
			call, ok := n.(*cc.PostfixExpression)
			if !ok || calledBy(call) == nil {
				return
			}
			if name := calledBy(call).Name(); x.brought[name] && wellKnown[name] != "" && !told[name] {
				told[name] = true
				x.warnings = append(x.warnings, x.errorAt(call, "call", fmt.Sprintf("the function %s is declared nowhere, so it is taken for what its name says, and defined in the output", name),
					"declare it, or include its header"))
			}
		})
	}
}

// broughtNames are the names of all functions whose definitions have been put into the file.
func (u *unit) broughtNames() map[string]bool {
	names := maps.Clone(u.brought)
	for name := range u.toBring {
		if names == nil {
			names = map[string]bool{}
		}
		names[name] = true
	}
	return names
}
