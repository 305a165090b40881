package frontend

import (
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// outerIterators are the iterators declared outside the region, in alphabetical
// order.
func (x *extractor) outerIterators() []*cc.Declarator {
	var list []*cc.Declarator
	for d := range x.facts.iterators {
		if !x.facts.local[d] {
			list = append(list, d)
		}
	}
	slices.SortFunc(list, func(a, b *cc.Declarator) int { return strings.Compare(a.Name(), b.Name()) })
	return list
}

// replacedVariables are the names of the variables declared outside the region that its generated
// code does not need: iterators, copies of affine values, variables of one value, functions that
// bounds call or whose bodies stand in their place, and what only statements that never run name, in
// alphabetical order.
func (x *extractor) replacedVariables() []string {
	names := map[string]bool{}
	for _, d := range x.outerIterators() {
		if !x.ended[d] {
			names[d.Name()] = true
		}
	}
	for _, name := range x.clauseVariables() {
		names[name] = true
	}
	for _, list := range []map[string]bool{x.inlinedFunctions, x.idle} {
		maps.Copy(names, list)
	}
	for d := range x.copies {
		if !x.facts.local[d] && !x.ended[d] {
			names[d.Name()] = true
		}
	}
	for d, value := range x.frontValues {
		if value != nil {
			names[d.Name()] = true
		}
	}
	for _, name := range x.freed[x.function.Declarator.Name()] {
		if x.isDeclaredInFront(name) || x.isUsedHereOnly(name) {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// isUsedHereOnly says that a name is that of a function that other files cannot call, of which
// compilers expect that this one does.
func (x *extractor) isUsedHereOnly(name string) bool {
	f := x.definitions[name]
	return f != nil && x.inFile(f) && f.Declarator.IsStatic() && !f.Declarator.IsInline()
}

// isDeclaredInFront says whether the function's own block declares a variable of a name in front of
// the region.
func (x *extractor) isDeclaredInFront(name string) bool {
	for _, item := range itemsOf(x.function.CompoundStatement) {
		if item.Case != cc.BlockItemDecl {
			continue
		}
		for l := item.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
			if d := l.InitDeclarator.Declarator; d.Name() == name && d.NameTok().Position().Offset < x.bounds.start {
				return true
			}
		}
	}
	return false
}

// noteIdle notes the functions and variables that only statements without instances name: compilers
// warn about those that nothing uses.
func (x *extractor) noteIdle(program *scop.Program) {
	ctx := x.prover.context
	mark := ctx.Mark()
	defer ctx.Release(mark)
	x.idle = map[string]bool{}
	context, named := ctx.ReadSet(program.Context), map[string]bool{}
	for k, draft := range x.statements {
		ctx.SetMaxOperations(maxProofOperations)
		empty, err := ctx.ReadSet(program.Statements[k].Domain).IntersectParams(context).IsEmpty()
		if ctx.TakeErr() != nil || err != nil || !empty {
			for _, word := range lexemeTexts(draft.Source) {
				named[word] = true
			}
			continue
		}
		x.noteNames(draft)
	}
	for _, draft := range x.leftOut {
		x.noteNames(draft)
	}
	maps.DeleteFunc(x.idle, func(name string, isUnused bool) bool { return !isUnused || named[name] })
}

// noteNames notes the functions and variables that a statement names which is not in the generated
// code.
func (x *extractor) noteNames(draft *statementDraft) {
	for _, name := range draft.calls {
		x.idle[name] = x.isUsedHereOnly(name)
	}
	for _, r := range draft.references {
		d := r.array.declarator
		x.idle[d.Name()] = !x.facts.local[d] && !x.facts.isIterator(d)
	}
}
