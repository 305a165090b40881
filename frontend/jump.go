package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"
)

// loopExits are the break and continue of a loop's body that happen under affine conditions:
//
//	if (j > i) break;      what follows runs for j <= i, and nothing in later iterations
//	if (j == i) continue;  what follows runs for j != i
type loopExits struct {
	loop *cc.IterationStatement
	// base is the number of conditions that hold in each iteration of the loop.
	base int
	// start is the first value of its iterator.
	start affine
	// taken are the conditions under which an iteration ends early, and breaks those under which
	// the loop ends.
	taken, breaks []formula
}

// exit notes a break or continue; ok is false where it is none of a loop that is known.
func (x *extractor) exit(j *cc.JumpStatement, at place) (ok bool) {
	if at.exits == nil || j.Case != cc.JumpStatementBreak && j.Case != cc.JumpStatementContinue {
		return false
	}
	when := and(at.conditions[at.exits.base:]...)
	at.exits.taken = append(at.exits.taken, when)
	if j.Case == cc.JumpStatementBreak {
		at.exits.breaks = append(at.exits.breaks, when)
	}
	return true
}

// past is the place where none of the exits up to now has been taken.
func (p place) past() place {
	if p.exits == nil {
		return p
	}
	for _, when := range p.exits.taken[p.passed:] {
		p = p.under(when.negated())
	}
	p.passed = len(p.exits.taken)
	return p
}

// pastBreaks is the place at the end of an iteration, where nothing has ended the loop.
func (p place) pastBreaks() place {
	for _, when := range p.exits.breaks {
		p = p.under(when.negated())
	}
	p.passed = len(p.exits.taken)
	return p
}

// mayBreak says that something in a loop's body may end the loop: a break of that loop, or a jump
// out of it.
func mayBreak(body *cc.Statement) bool { return hasJump(body, cc.JumpStatementBreak) }

// mayPassEnd says that an iteration of a loop with that body may go on with the next one elsewhere
// than at its end.
func mayPassEnd(body *cc.Statement) bool { return hasJump(body, cc.JumpStatementContinue) }

// hasJump says that a loop's body has a jump of a kind, break or continue, that belongs to the loop
// and to none inside, or one to a label or out of the function, which may be either.
func hasJump(body *cc.Statement, kind cc.JumpStatementCase) bool {
	return hasOtherJump(body) || slices.ContainsFunc(jumpsOf(body), func(j *cc.JumpStatement) bool { return j.Case == kind })
}

// hasOtherJump says that a statement has a jump to a label or out of the function in it.
func hasOtherJump(s *cc.Statement) (found bool) {
	visit(s, func(n cc.Node) {
		j, is := n.(*cc.JumpStatement)
		found = found || is && j.Case != cc.JumpStatementBreak && j.Case != cc.JumpStatementContinue
	})
	return found
}

// endEarly takes from statements, those of a loop's body, the iterations behind one that breaks the
// loop.
func (x *extractor) endEarly(statements []*statementDraft, h loopHeader, inner place) {
	if inner.exits == nil || len(inner.exits.breaks) == 0 {
		return
	}
	within := inner
	within.conditions = inner.conditions[:inner.exits.base]
	none := x.noEarlier(or(inner.exits.breaks...), h, within, inner.exits.start)
	for _, draft := range statements {
		draft.domain = append(slices.Clone(draft.domain), none)
	}
}

// noEarlier says that a condition has held in no iteration of a loop before the present one. Where
// it holds in all that follow one in which it holds, only the one before the present one counts.
func (x *extractor) noEarlier(condition formula, h loopHeader, inner place, start affine) formula {
	level := inner.loops[len(inner.loops)-1]
	other := level.tuple + earlierSuffix
	before := "<"
	if level.descending {
		before = ">"
	}
	variable := single(variableForm(level.tuple))
	isBefore := comparison{variableForm(other), before, variableForm(level.tuple)}
	there := func(f formula) formula { return renamed(f, level.tuple, other) }
	known := append(x.knownFacts(), isBefore, there(condition))
	for _, c := range inner.conditions {
		known = append(known, c, there(c))
	}
	if x.prover.holds(known, condition) {
		last := renamed(condition, level.tuple, fmt.Sprintf("(%s)", variableForm(level.tuple).plus(constantForm(-h.step), 1)))
		return or(compare(variable, "=", start), last.negated())
	}
	earlier := []formula{isBefore, there(condition)}
	for _, c := range inner.conditions {
		if slices.Contains(c.variables(), level.tuple) {
			earlier = append(earlier, there(c))
		}
	}
	return absence{other, and(earlier...)}
}

// earlierSuffix makes the name of an earlier value of an iterator, which is none in C.
const earlierSuffix = "'"

// absence says that there is no value of a variable with which a condition holds.
type absence struct {
	name string
	what formula
}

func (a absence) text(bool) string { return fmt.Sprintf("(not (%s))", presence(a).text(true)) }
func (a absence) negated() formula { return presence(a) }
func (a absence) variables() []string {
	return slices.DeleteFunc(a.what.variables(), func(name string) bool { return name == a.name })
}

// presence says that there is one.
type presence absence

func (p presence) text(bool) string {
	return fmt.Sprintf("(exists (%s : %s))", p.name, p.what.text(true))
}
func (p presence) negated() formula    { return absence(p) }
func (p presence) variables() []string { return absence(p).variables() }

// renamed is a condition in which a variable has another name, or an expression takes its place.
func renamed(f formula, from, to string) formula {
	switch f := f.(type) {
	case comparison:
		return comparison{f.left.renamed(from, to), f.op, f.right.renamed(from, to)}
	case chain:
		if f.name != from {
			return chain{f.low.renamed(from, to), f.above, f.name, f.below, f.high.renamed(from, to)}
		}
		name := linear{terms: []term{{1, to, []string{to}}}}
		return conjunction{comparison{f.low.renamed(from, to), f.above, name}, comparison{name, f.below, f.high.renamed(from, to)}}
	case conjunction:
		parts := make(conjunction, len(f))
		for k, p := range f {
			parts[k] = renamed(p, from, to)
		}
		return parts
	case disjunction:
		parts := make(disjunction, len(f))
		for k, p := range f {
			parts[k] = renamed(p, from, to)
		}
		return parts
	case absence:
		return absence{f.name, renamed(f.what, from, to)}
	case presence:
		return presence{f.name, renamed(f.what, from, to)}
	}
	return f
}

// renamed is a form in which a variable has another name, or an expression takes its place.
func (l linear) renamed(from, to string) linear {
	form := linear{constant: l.constant}
	for _, t := range l.terms {
		if slices.Contains(t.variables, from) {
			t.text = identifierText.ReplaceAllStringFunc(t.text, func(word string) string {
				if word == from {
					return to
				}
				return word
			})
			t.variables = slices.DeleteFunc(slices.Clone(t.variables), func(name string) bool { return name == from })
			t.variables = append(t.variables, identifierText.FindAllString(to, -1)...)
		}
		form.terms = append(form.terms, t)
	}
	return form
}

// refuseJump refuses a jump. One to the end of a loop or a switch is a part of a statement if that
// is in the region.
func (x *extractor) refuseJump(j *cc.JumpStatement) {
	e := x.jumpError(j)
	if j.Case == cc.JumpStatementContinue || j.Case == cc.JumpStatementBreak {
		if x.coarse[x.bounds.number] {
			e.Message = e.Construct + " leaves the region: it belongs to a loop or a switch around #pragma scop"
			e.Advice = "put the whole of that into the region, or the " + e.Construct + " behind #pragma endscop"
		}
		x.coarser[x.bounds.number] = true
	}
	x.problems = append(x.problems, e)
}

// jumpError is the error of a jump that the model has no place for.
func (x *extractor) jumpError(j *cc.JumpStatement) *Error {
	switch j.Case {
	case cc.JumpStatementGoto, cc.JumpStatementGotoExpr:
		return x.errorAt(j, "goto", "goto inside the region",
			"write break, continue or if/else; a goto forward is read as one of these where the label stands behind a loop that it leaves, at the end of a loop's body, or behind an if that it ends; others are one statement with all between them where the label and all jumps to it stand in the region, in a block of it")
	case cc.JumpStatementContinue:
		return x.errorAt(j, "continue", "continue inside the region", "put the rest of the loop's body under an if with the opposite condition")
	case cc.JumpStatementBreak:
		return x.errorAt(j, "break", "break inside the region: the number of iterations would depend on the data", "give the loop an affine bound, or move it out of the region")
	}
	return x.errorAt(j, "return", "return inside the region", "let the region run to #pragma endscop and return behind it")
}
