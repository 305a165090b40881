package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// checkIteratorsAfter refuses regions whose iterators are read behind them:
// the transformed loops do not leave the same values.
func (x *extractor) checkIteratorsAfter() {
	settled := map[*cc.Declarator]bool{}
	visit(x.function.CompoundStatement, func(n cc.Node) {
		p, ok := n.(*cc.PrimaryExpression)
		if !ok || p.Token.Position().Offset < x.bounds.end || !x.inFile(p) {
			return
		}
		d := variableOf(p)
		if d == nil || settled[d] || !x.facts.isIterator(d) || x.facts.local[d] {
			return
		}
		settled[d] = true
		if !x.isSetAt(p) {
			x.refuse(p, "iterator", fmt.Sprintf("the value that the loops leave in %s is used behind the region", d.Name()),
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

// warnAboutAliases names pointers that C would allow to overlap.
func (x *extractor) warnAboutAliases() {
	var names []string
	var first *cc.Declarator
	written := false
	for _, a := range x.arrays {
		d := a.declarator
		p, ok := d.Type().(*cc.PointerType)
		if !ok || d.Type().Kind() != cc.Ptr || isRestrict(d) {
			continue
		}
		if _, declaredAsArray := p.Undecay().(*cc.ArrayType); declaredAsArray && d.IsParam() {
			continue
		}
		names = append(names, a.Name)
		written = written || x.isWritten(a)
		if first == nil {
			first = d
		}
	}
	if len(names) < 2 || !written {
		return
	}
	slices.Sort(names)
	x.warnings = append(x.warnings, x.errorAt(first, "pointer",
		fmt.Sprintf("the pointers %s are taken to point to different arrays", strings.Join(names, ", ")),
		"declare them restrict to say so"))
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
