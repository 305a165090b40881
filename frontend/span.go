package frontend

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"polytune/internal/pattern"
	"polytune/scop"
)

// scattered is a reference to an array of which data decide which element it is, nil where there is
// none.
func (d *statementDraft) scattered(a *scop.Array) *reference {
	isUnknown := func(s subscript) bool { return !s.known }
	k := slices.IndexFunc(d.references, func(r reference) bool { return r.array.Name == a.Name && slices.ContainsFunc(r.subscripts, isUnknown) })
	if k < 0 {
		return nil
	}
	return &d.references[k]
}

// noteSpan finds out how many elements an array has of which data decide the updated ones, where
// its declaration says nothing of that, as for a double *f: those of reduction(+:f[:n]), or of the
// memory that the function takes for it. Where nothing says it, and where they are members of
// structs, a warning is kept for those who allow another order.
func (x *extractor) noteSpan(program *scop.Program, draft *statementDraft, r *scop.Reduction, d *cc.Declarator) {
	array := program.Array(r.Array)
	at := draft.scattered(array)
	if at == nil || array.Path == "" && array.UpdatedRows() != "" {
		return
	}
	if array.Path == "" && !array.Linear {
		if array.Span = cmp.Or(x.sectionOf(r, d, draft.offset), x.allocatedFor(d)); array.Span != "" {
			return
		}
	}
	text := array.Spelling()
	message, advice := fmt.Sprintf("data decide which elements of %s are updated, and nothing says how many it has", text),
		fmt.Sprintf("write #pragma omp parallel for reduction(%s:%s[:n]) in front of the loop, with the number of elements for n, or %s %s[n] in the place of the pointer", r.Operator, text, array.Type, text)
	if array.Path != "" {
		message, advice = fmt.Sprintf("data decide which elements have their %s updated, a member of a struct", text), fmt.Sprintf("add up in an array of %s of its own", array.Type)
	}
	warning := &Error{at.where, "reduction", message + ": threads cannot add up in copies, so that few threads keep the order of the loops around",
		advice + "; or have threads share the elements, with --point sums=atomics"}
	if r.Permitted {
		x.warnOnce(warning)
	} else if !slices.ContainsFunc(x.ifReordered, func(w *Error) bool { return w.Message == warning.Message }) {
		x.ifReordered = append(x.ifReordered, warning)
	}
}

// section is the part of an array that a clause names, as f[first:length].
var section = pattern.New(`^\s*\[([^\[\]:]*):([^\[\]:]+)\]`)

// sectionOf is the number of elements, in C, up to which a clause for an update says that the array
// is updated; "" where none does.
func (x *extractor) sectionOf(r *scop.Reduction, d *cc.Declarator, offset int) string {
	for _, p := range x.permissions {
		if p.operator != r.Operator || !p.contains(offset) {
			continue
		}
		for _, clause := range p.clauses() {
			list := clause.content
			for _, word := range scan([]byte(list)) {
				if list[word.start:word.end] != d.Name() || word.start > 0 && list[word.start-1] == '[' {
					continue
				}
				part := section.FindStringSubmatch(list[word.end:])
				if part == nil || !x.isSteady(part[1]+" "+part[2]) {
					continue
				}
				if first := strings.TrimSpace(part[1]); first != "" && first != "0" {
					return fmt.Sprintf("(%s) + (%s)", first, strings.TrimSpace(part[2]))
				}
				return strings.TrimSpace(part[2])
			}
		}
	}
	return ""
}

// isSteady says of an expression whether all its names are those of arguments and variables of the
// function that keep their value in it, or of constants.
func (x *extractor) isSteady(text string) bool {
	for _, l := range scan([]byte(text)) {
		word := text[l.start:l.end]
		if !isNameStart(word[0]) || x.isMacro(word) {
			continue
		}
		steady := len(x.facts.named[word]) == 1
		for d := range x.facts.named[word] {
			steady = steady && d.StorageDuration() == cc.Automatic && !d.AddressTaken() && !x.changes(d) && cc.IsIntegerType(d.Type()) && !x.facts.local[d]
		}
		if !steady && !x.isSteadyArgument(word) {
			return false
		}
	}
	return !strings.ContainsAny(text, "=(\"'")
}

// isSteadyArgument says whether a name that the region does not use is that of an integer argument
// which keeps its value.
func (x *extractor) isSteadyArgument(name string) bool {
	function, ok := x.function.Declarator.Type().(*cc.FunctionType)
	return ok && len(x.facts.named[name]) == 0 && slices.ContainsFunc(function.Parameters(), func(p *cc.Parameter) bool {
		return p.Name() == name && p.Declarator != nil && cc.IsIntegerType(p.Type()) && !p.Declarator.AddressTaken() && !x.changes(p.Declarator)
	})
}

// allocatedFor is the number of elements, in C, of the memory that a pointer of the function is
// declared with, by malloc(n * sizeof(double)), calloc(n, sizeof(double)) and their like, and leads
// to in all of the function; "" where it is not known.
func (x *extractor) allocatedFor(d *cc.Declarator) string {
	_, isPointer := d.Type().(*cc.PointerType)
	if !isPointer || d.IsParam() || d.StorageDuration() != cc.Automatic || d.AddressTaken() || x.changes(d) {
		return ""
	}
	length := ""
	x.visitFunction(func(n cc.Node) {
		declared, is := n.(*cc.InitDeclarator)
		if !is || declared.Declarator != d || declared.Initializer == nil || declared.Initializer.AssignmentExpression == nil {
			return
		}
		call, is := withoutCasts(declared.Initializer.AssignmentExpression).(*cc.PostfixExpression)
		if !is || call.Case != cc.PostfixExpressionCall {
			return
		}
		name, is := unwrap(call.PostfixExpression).(*cc.PrimaryExpression)
		arguments := argumentsOf(call)
		switch {
		case !is:
		case name.Token.SrcStr() == "malloc" && len(arguments) == 1:
			if product, is := unwrap(arguments[0]).(*cc.MultiplicativeExpression); is && product.Case == cc.MultiplicativeExpressionMul {
				length = x.countOf(product.MultiplicativeExpression, product.CastExpression, d)
			}
		case name.Token.SrcStr() == "calloc" && len(arguments) == 2:
			length = x.countOf(arguments[0], arguments[1], d)
		}
	})
	return length
}

// countOf is the one of two factors which the number of elements of a pointer's memory is where the
// other one is their size, in C; "" where it is not known.
func (x *extractor) countOf(a, b cc.ExpressionNode, d *cc.Declarator) string {
	for _, factors := range [][2]cc.ExpressionNode{{a, b}, {b, a}} {
		extent, ok := spanOf(unwrap(factors[0]))
		if !ok || !isSizeBehind(d, factors[1]) {
			continue
		}
		if text := x.expressionText(extent); x.isSteady(text) {
			return text
		}
	}
	return ""
}

// isSizeBehind says whether an expression is the size of what a pointer leads to: that number, or
// sizeof *p.
func isSizeBehind(d *cc.Declarator, n cc.ExpressionNode) bool {
	if size, is := unwrap(n).(*cc.UnaryExpression); is && size.Case == cc.UnaryExpressionSizeofExpr {
		pointed, is := unwrap(size.UnaryExpression).(*cc.UnaryExpression)
		if is && pointed.Case == cc.UnaryExpressionDeref && variableOf(pointed.CastExpression) == d {
			return true
		}
	}
	value, known := constantValue(n)
	return known && value == d.Type().(*cc.PointerType).Elem().Size()
}
