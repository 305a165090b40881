package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// ompClause is one of a directive, as num_threads(n).
type ompClause struct{ name, content string }

// clauses are those of the directive that have parentheses.
func (p pragma) clauses() (list []ompClause) {
	all := scan([]byte(p.body))
	for i := 1; i < len(all); i++ {
		if p.body[all[i].start] != '(' || all[i-1].kind != identifier {
			continue
		}
		depth, end := 0, i
		for ; end < len(all); end++ {
			switch p.body[all[end].start] {
			case '(':
				depth++
			case ')':
				depth--
			}
			if depth == 0 {
				list = append(list, ompClause{p.body[all[i-1].start:all[i-1].end], p.body[all[i].end:all[end].start]})
				break
			}
		}
		i = end
	}
	return list
}

// variables are the names in a list of a clause: those in front of each comma, without the parts
// of arrays.
func variables(list string) (names []string) {
	depth, isFirst := 0, true
	for _, word := range lexemeTexts(list) {
		switch {
		case word == "(" || word == "[":
			depth++
		case word == ")" || word == "]":
			depth--
		case word == "," && depth == 0:
			isFirst = true
		case isFirst && isNameStart(word[0]):
			names, isFirst = append(names, word), false
		}
	}
	return names
}

// permission is what a reduction clause says: updates of the variables in the construct may be
// done in another order.
type permission struct {
	construct
	operator scop.Operator
	names    []string
}

// permissions are those of a construct. An atomic update may come at any time, too.
func (c construct) permissions() (list []permission) {
	for _, clause := range c.clauses() {
		before, names, found := strings.Cut(clause.content, ":")
		words := lexemeTexts(before)
		if clause.name != "reduction" || !found || len(words) == 0 || slices.Contains(words, "inscan") {
			continue
		}
		operator := scop.Operator(words[len(words)-1])
		if operator == "-" {
			operator = scop.Sum
		}
		if slices.Contains(scop.Operators, operator) {
			list = append(list, permission{c, operator, variables(names)})
		}
	}
	return list
}

// permitted says whether a permission of the source is for the update of a statement that begins at
// an offset, of a variable.
func (x *extractor) permitted(r *scop.Reduction, d *cc.Declarator, offset int) bool {
	return slices.ContainsFunc(x.permissions, func(p permission) bool {
		isDeclaredBefore := !x.inFile(d) || d.Position().Offset < p.start
		if !isDeclaredBefore || !p.contains(offset) {
			return false
		}
		if p.kind() == "atomic" {
			return p.first == offset
		}
		return p.operator == r.Operator && slices.Contains(p.names, d.Name())
	})
}

// keepClauses notes what the clauses of a directive of the region mean for its code.
func (x *extractor) keepClauses(c construct) {
	x.permissions = append(x.permissions, c.permissions()...)
	if words := c.words(); c.kind() == "atomic" && !slices.ContainsFunc([]string{"read", "write", "capture", "compare"}, func(word string) bool { return slices.Contains(words, word) }) {
		x.permissions = append(x.permissions, permission{construct: c})
	}
	for _, clause := range c.clauses() {
		for _, word := range lexemeTexts(clause.content) {
			x.inClauses[word] = x.inClauses[word] || isNameStart(word[0])
		}
		if clause.name == "private" || clause.name == "firstprivate" {
			for _, name := range variables(clause.content) {
				x.checkPrivate(c, clause.name, name)
			}
		}
	}
}

// checkPrivate refuses a construct with variables of its own whose last values are read behind it:
// with OpenMP the variables outside keep their values from before it, without it they do not.
func (x *extractor) checkPrivate(c construct, word, name string) {
	d := x.variableNamed(name, c)
	if d == nil || x.facts.assigned[d] == nil {
		return
	}
	for _, again := range x.constructs(x.function) {
		for _, clause := range again.clauses() {
			if again.start == c.start && clause.name == "lastprivate" && slices.Contains(variables(clause.content), name) {
				return
			}
		}
	}
	reader := x.readFirst(x.function.CompoundStatement, d, c.last+1, len(x.source))
	if reader == nil {
		reader = x.readLater(d)
	}
	if reader != nil {
		x.refusePragma(c.pragma, fmt.Sprintf("%s(%s): %s is read behind it, at line %d, where it has its value from before the directive with OpenMP, and its last one without",
			word, name, name, x.positionOf(reader).Line), "write lastprivate("+name+") if the last value is meant, or declare a variable inside the loop")
	}
}

// variableNamed is the variable of that name that statements of a construct name and that is
// declared in front of it, or nil.
func (x *extractor) variableNamed(name string, c construct) (found *cc.Declarator) {
	for d := range x.facts.named[name] {
		if !x.inFile(d) || d.Position().Offset < c.start {
			found = d
		}
	}
	return found
}

// clauseVariables are the variables that the function uses in clauses of directives which the
// generated code does not have.
func (x *extractor) clauseVariables() (names []string) {
	used, set := map[string]bool{}, namesSetIn(x.function.CompoundStatement)
	x.visitFunction(func(n cc.Node) {
		if p, ok := n.(*cc.PrimaryExpression); ok && !set[p] {
			used[p.Token.SrcStr()] = true
		}
	})
	for name, isName := range x.inClauses {
		if isName && !used[name] && x.isVisible(name) {
			names = append(names, name)
		}
	}
	return names
}

// isVisible says that a name is an argument of the function, or a variable of its outermost block
// in front of the region.
func (x *extractor) isVisible(name string) bool {
	for l := x.function.CompoundStatement.BlockItemList; l != nil; l = l.BlockItemList {
		if item := l.BlockItem; item.Case == cc.BlockItemDecl {
			for d := item.Declaration.InitDeclaratorList; d != nil; d = d.InitDeclaratorList {
				if declared := d.InitDeclarator.Declarator; declared.Name() == name && declared.Position().Offset < x.bounds.pragmaStart {
					return true
				}
			}
		}
	}
	function, ok := x.function.Declarator.Type().(*cc.FunctionType)
	return ok && slices.ContainsFunc(function.Parameters(), func(p *cc.Parameter) bool { return p.Name() == name })
}

// isThreadPrivate says that a directive of the file gives each thread a variable of its own.
func (x *extractor) isThreadPrivate(d *cc.Declarator) bool {
	if d.StorageDuration() != cc.Static {
		return false
	}
	return slices.ContainsFunc(x.allPragmas(), func(p pragma) bool {
		return p.kind() == "threadprivate" && !p.inactive && slices.ContainsFunc(p.clauses(), func(c ompClause) bool { return slices.Contains(variables(c.content), d.Name()) })
	})
}
