package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// accept takes the problems that a collector has found over, and says that there are none.
func (x *extractor) accept(c *collector) bool {
	for _, problem := range c.problems {
		isTold := func(known *Error) bool { return known.Construct == rowsConstruct && known.Message == problem.Message }
		if !slices.ContainsFunc(x.problems, isTold) {
			x.problems = append(x.problems, problem)
		}
	}
	return len(c.problems) == 0
}

func writesAnything(references []reference) bool {
	for _, r := range references {
		if r.write {
			return true
		}
	}
	return false
}

// emit appends the statement whose text is that of node.
func (x *extractor) emit(node, first cc.Node, at place, c *collector) {
	source, offset, ok := x.statementSource(node)
	if !ok {
		return
	}
	if draft := x.appendStatement(source, offset, x.positionOf(first), at, c); draft != nil {
		if draft.update = x.updateOf(node); draft.update != nil {
			draft.update.lexemes = x.lexemesOf(draft.update.accumulator, at, c.known)
		} else if c.inner != nil {
			draft.updates = x.updatesIn(node)
			for _, u := range draft.updates {
				u.lexemes = x.lexemesOf(u.accumulator, at, c.known)
			}
		}
	}
}

// statementSource is the text of a node that becomes a statement, or part of one, and where it
// begins; ok is false where it has none.
func (x *extractor) statementSource(node cc.Node) (source string, offset int, ok bool) {
	extent, ok := spanOf(node)
	if !ok {
		return "", 0, false
	}
	source, offset, err := x.sourceOf(extent)
	if err != nil {
		x.problems.add(err)
		return "", 0, false
	}
	x.extents = append(x.extents, extent)
	return source, offset, true
}

// appendStatement appends the statement with a text of the source that begins at offset.
func (x *extractor) appendStatement(source string, offset int, where Position, at place, c *collector) *statementDraft {
	return x.appendBehind("", source, offset, where, at, c)
}

// appendBehind appends the statement whose text is one of the source, but for what stands in front
// of it.
func (x *extractor) appendBehind(front, source string, offset int, where Position, at place, c *collector) *statementDraft {
	at.unseen = &unseenIterators{}
	source, uses, err := x.instanceText(source, offset, at, c.known)
	if err != nil {
		x.problems.add(err)
		return nil
	}
	for k := range uses {
		uses[k].Offset += len(front)
	}
	if at.unseen.areHiding(front+source, uses, at.loops) {
		for _, macro := range at.unseen.macros {
			x.writeOut(macro)
		}
		x.problems = append(x.problems, &Error{where, "macro", "a macro names an iterator, and another variable of that name is meant here as well", "rename one of them"})
		return nil
	}
	source, uses = at.unseen.declaredIn(front+source, uses, at.loops)
	draft := x.addStatement(source, uses, where, at, c)
	draft.offset = offset
	return draft
}

// addStatement adds a statement with the references of c.
func (x *extractor) addStatement(source string, uses []scop.Use, where Position, at place, c *collector) *statementDraft {
	draft := &statementDraft{domain: at.conditions, references: writesFirst(c.references)}
	draft.Name = fmt.Sprintf("S%d", len(x.statements))
	draft.Source, draft.Uses, draft.Value = source, uses, Tree(source, uses, x.isTypeName)
	draft.UnknownWork, draft.Serial, draft.calls = c.unknownWork, c.serial, c.calls
	draft.Position = append(append([]int{}, at.position...), *at.next)
	draft.Line, draft.Column = where.Line, where.Column
	*at.next++
	for _, l := range at.loops {
		draft.Loops = append(draft.Loops, scop.Loop{Iterator: l.name, Type: l.typeName(), Descending: l.descending})
		draft.names = append(draft.names, l.tuple)
	}
	x.statements = append(x.statements, draft)
	return draft
}
