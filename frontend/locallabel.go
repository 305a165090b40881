package frontend

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// A goto that says what loops and conditions say has become that. Others jump inside one statement,
// which has all that stands between the jumps and their label in it, and the label to itself, so
// that the generated code may have the statement twice:
//
//	again: if (x[i] > 1) { …; goto again; }      { __label__ again; again: if (x[i] > 1) { …; goto again; } }

// labelRange is a run of a block's items, by their numbers, and the labels that only jumps in it
// lead to.
type labelRange struct {
	first, last int
	labels      []string
}

// localLabels makes blocks of what stands between the jumps to labels of the region and these.
func (r *rewriter) localLabels() {
	if !r.isInBlock() {
		return
	}
	r.labelsAmong(r.items)
	for _, item := range r.items {
		visit(item, func(n cc.Node) {
			if block, ok := n.(*cc.CompoundStatement); ok {
				r.labelsAmong(itemsOf(block))
			}
		})
	}
}

// labelsAmong makes blocks of items for the labels that have no smaller block around them and the
// jumps to them.
func (r *rewriter) labelsAmong(items []*cc.BlockItem) {
	var ranges []labelRange
	for _, item := range items {
		for _, label := range labelsIn(item) {
			if next, ok := r.rangeOf(label, items); ok {
				ranges = withRange(ranges, next)
			}
		}
	}
	for _, l := range ranges {
		_, start, _, okStart := r.textOf(items[l.first])
		_, _, end, okEnd := r.textOf(items[l.last])
		if !okStart || !okEnd {
			continue
		}
		// Compilers warn of a loop in front of which something stands that what follows does not have.
		r.replace(start, start, "{ __label__ "+strings.Join(l.labels, ", ")+";\n"+strings.Repeat(" ", start-r.x.lineStart(start)))
		if behind := r.behindLabels(items[l.last]); behind > 0 && firstGoto(items[l.last].Statement) == nil {
			r.replace(behind, behind, " ; }")
		} else {
			r.replace(end, end, " }")
		}
	}
}

// behindLabels is the offset behind the labels in front of an item of a block; 0 where there are
// none, or others stand inside of it.
func (r *rewriter) behindLabels(item *cc.BlockItem) (offset int) {
	labels, _ := unlabelled(item)
	if len(labels) == 0 || len(labels) != len(labelsIn(item)) {
		return 0
	}
	s := item.Statement
	for s.Case == cc.StatementLabeled && s.LabeledStatement.Case == cc.LabeledStatementLabel {
		if !r.isToken(s.LabeledStatement.Token2) {
			return 0
		}
		offset = s.LabeledStatement.Token2.Position().Offset + len(":")
		s = s.LabeledStatement.Statement
	}
	return offset
}

// rangeOf are the items of a block between a label and the jumps to it; ok is false where a smaller
// block has all of these, where others lead there, and where the block has the label to itself.
func (r *rewriter) rangeOf(label string, items []*cc.BlockItem) (found labelRange, ok bool) {
	found = labelRange{first: -1, labels: []string{label}}
	all := len(jumpsTo(label, r.x.function.CompoundStatement))
	jumps, isInside := 0, false
	for k, item := range items {
		if slices.Contains(declaredLabels(item), label) {
			return found, false
		}
		here := len(jumpsTo(label, item))
		if here == 0 && !slices.Contains(labelsIn(item), label) {
			continue
		}
		if jumps += here; found.first < 0 {
			found.first = k
		}
		found.last = k
		visit(item, func(n cc.Node) {
			block, isBlock := n.(*cc.CompoundStatement)
			isInside = isInside || isBlock && slices.Contains(labelsIn(block), label) && len(jumpsTo(label, block)) == all
		})
	}
	if slices.ContainsFunc(items[max(found.first, 0):found.last+1], declares) {
		found.last = len(items) - 1
	}
	return found, jumps == all && all > 0 && !isInside && !r.x.hasAddressOf(label)
}

// withRange adds a run of items to others, of which those that have some in common are one.
func withRange(ranges []labelRange, next labelRange) []labelRange {
	var others []labelRange
	for _, l := range ranges {
		if l.first > next.last || l.last < next.first {
			others = append(others, l)
			continue
		}
		next = labelRange{min(l.first, next.first), max(l.last, next.last), append(l.labels, next.labels...)}
	}
	return append(others, next)
}

// labelsIn are the labels in a node that a goto may lead to.
func labelsIn(n cc.Node) (labels []string) {
	visit(n, func(n cc.Node) {
		if s, ok := n.(*cc.LabeledStatement); ok && s.Case == cc.LabeledStatementLabel {
			labels = append(labels, s.Token.SrcStr())
		}
	})
	return labels
}

// declaredLabels are those that an item of a block declares to be the block's own.
func declaredLabels(item *cc.BlockItem) (labels []string) {
	if item.Case != cc.BlockItemLabel {
		return nil
	}
	for l := item.LabelDeclaration.IdentifierList; l != nil; l = l.IdentifierList {
		labels = append(labels, l.Token2.SrcStr())
	}
	return labels
}

// hasAddressOf says that a label's address is taken, which any goto may lead to then.
func (x *extractor) hasAddressOf(label string) (found bool) {
	x.visitFunction(func(n cc.Node) {
		u, ok := n.(*cc.UnaryExpression)
		found = found || ok && u.Case == cc.UnaryExpressionLabelAddr && u.Token2.SrcStr() == label
	})
	return found
}

// ownLabels are the labels that a statement declares to be its own, if it is a block that does.
func ownLabels(s *cc.Statement) (labels []string) {
	if s.Case == cc.StatementCompound {
		for _, item := range itemsOf(s.CompoundStatement) {
			labels = append(labels, declaredLabels(item)...)
		}
	}
	return labels
}

// firstGoto is the first goto in a statement, or nil.
func firstGoto(s *cc.Statement) (first *cc.JumpStatement) {
	visit(s, func(n cc.Node) {
		if j, ok := n.(*cc.JumpStatement); ok && first == nil && j.Case == cc.JumpStatementGoto {
			first = j
		}
	})
	return first
}

// insideBlock collects from a block inside an opaque statement. In one with labels of its own any
// statement may be left out, or run again.
func (c *collector) insideBlock(s *cc.Statement) {
	if labels := ownLabels(s); len(labels) > 0 {
		c.serial, c.unknownWork = scop.AlwaysSerial, true
		c.labels = append(slices.Clip(c.labels), labels...)
		c.depth++
		defer func() { c.depth-- }()
	}
	for _, item := range itemsOf(s.CompoundStatement) {
		c.insideItem(item)
	}
}
