package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// checkIteratorsAfter refuses regions whose iterators are read after them,
// because transformed loops do not leave the same values. Inside a surrounding
// loop, what stands in front of the region comes after it, too.
func (x *extractor) checkIteratorsAfter() {
	again := x.bounds.start
	for _, loop := range x.loopsAround() {
		x.checkLoopAround(loop)
		if s, ok := spanOf(loop); ok {
			again = min(again, s.start)
		}
	}
	x.checkNextUse(x.bounds.end, len(x.source))
	x.checkNextUse(again, x.bounds.start)
}

// loopsAround are the loops of the function around the region.
func (x *extractor) loopsAround() []*cc.IterationStatement {
	var loops []*cc.IterationStatement
	visit(x.function.CompoundStatement, func(n cc.Node) {
		if loop, ok := n.(*cc.IterationStatement); ok {
			if s, ok := spanOf(loop); ok && s.start < x.bounds.start && s.last >= x.bounds.end {
				loops = append(loops, loop)
			}
		}
	})
	return loops
}

// checkLoopAround refuses a region that changes the iterator of a loop around
// it.
func (x *extractor) checkLoopAround(loop *cc.IterationStatement) {
	around := newFacts()
	around.lookAtLoop(loop)
	for d := range around.iterators {
		if at := x.facts.assigned[d]; at != nil {
			x.refuse(at, "iterator", fmt.Sprintf("%s is the iterator of a loop around the region", d.Name()),
				"use another variable inside the region")
		}
	}
}

// checkNextUse refuses an iterator whose first use in the range of offsets is
// not that it is set.
func (x *extractor) checkNextUse(start, end int) {
	settled := map[*cc.Declarator]bool{}
	visit(x.function.CompoundStatement, func(n cc.Node) {
		p, ok := n.(*cc.PrimaryExpression)
		if !ok || !x.inFile(p) || p.Token.Position().Offset < start || p.Token.Position().Offset >= end {
			return
		}
		d := variableOf(p)
		if d == nil || settled[d] || !x.facts.isIterator(d) || x.facts.local[d] {
			return
		}
		settled[d] = true
		if !x.isSetAt(p) {
			x.refuse(p, "iterator", fmt.Sprintf("the value that the loops leave in %s is used after the region", d.Name()),
				"compute the value without the iterator; transformed loops do not leave it behind")
		}
	})
}

// isSetAt says that the text goes on with a plain assignment to the name.
func (x *extractor) isSetAt(p *cc.PrimaryExpression) bool {
	i := x.lexemeAt(p.Token.Position().Offset)
	if i < 0 || i+2 >= len(x.lexemes) {
		return false
	}
	return x.of(x.lexemes[i+1]) == "=" && x.of(x.lexemes[i+2]) != "="
}

// warnAboutAliases names pointers that C would allow to overlap with each
// other or with another array of the region.
func (x *extractor) warnAboutAliases() {
	var names []string
	var first *cc.Declarator
	for _, a := range x.arrays {
		if !isOpenPointer(a.declarator) || !slices.ContainsFunc(x.arrays, func(o *arrayInfo) bool { return x.mayOverlap(a, o) }) {
			continue
		}
		names = append(names, a.Name)
		if first == nil {
			first = a.declarator
		}
	}
	if first == nil {
		return
	}
	slices.Sort(names)
	message, advice := fmt.Sprintf("the pointers %s are taken to point to different arrays", strings.Join(names, ", ")), "declare them restrict to say so"
	if len(names) == 1 {
		message, advice = fmt.Sprintf("the pointer %s is taken to point to no other array of the region", names[0]), "declare it restrict to say so"
	}
	x.warnings = append(x.warnings, x.errorAt(first, "pointer", message, advice))
}

// isOpenPointer says that a variable is a pointer that may point into other
// arrays: no array, and not restrict. An argument written as an array counts
// as one.
func isOpenPointer(d *cc.Declarator) bool {
	p, ok := d.Type().(*cc.PointerType)
	if !ok || d.Type().Kind() != cc.Ptr || isRestrict(d) {
		return false
	}
	_, declaredAsArray := p.Undecay().(*cc.ArrayType)
	return !declaredAsArray || !d.IsParam()
}

// mayOverlap says that a pointer may point into the other array, and that it
// matters: the elements have the same type, and one of both is written.
func (x *extractor) mayOverlap(pointer, other *arrayInfo) bool {
	return pointer != other && len(other.Extents) > 0 && pointer.Type == other.Type && !isRestrict(other.declarator) &&
		!other.Local && (x.isWritten(pointer) || x.isWritten(other))
}

func (x *extractor) isWritten(a *arrayInfo) bool {
	for _, s := range x.statements {
		for _, r := range s.references {
			if r.array == a && r.write {
				return true
			}
		}
	}
	return false
}

// isRestrict says that a declarator has the restrict qualifier.
func isRestrict(d *cc.Declarator) bool {
	for _, t := range cc.NodeTokens(d) {
		if strings.Trim(t.SrcStr(), "_") == "restrict" {
			return true
		}
	}
	return false
}
