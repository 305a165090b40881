package frontend

import (
	"modernc.org/cc/v4"

	"polytune/scop"
)

// What a program says of its parameters need not be convex, as n % 4 == 0, and may stand in front
// of the region, also where another way leads into that. The model does without these; whoever
// chooses values for the parameters has to keep them.

// frontFacts are the conditions that the program states in front of the region, in blocks around
// it, of the region's parameters, which nothing changes.
func (x *extractor) frontFacts() (facts []formula) {
	for _, item := range x.itemsInFront() {
		condition, holds := factIn(item)
		if condition == nil || !x.isMadeOfUnchanged(condition) {
			continue
		}
		x.attempt(func() bool {
			parameters, assumptions := len(x.parameters), len(x.assumptions)
			fact, err := x.evaluatorAt(place{}).condition(condition)
			if err != nil || len(x.parameters) > parameters || len(x.assumptions) > assumptions {
				return false
			}
			if !holds {
				fact = fact.negated()
			}
			facts = append(facts, fact)
			if !x.isPassedBy(item) {
				x.stated = append(x.stated, statedFact{place{}, fact})
			}
			return true
		})
	}
	return facts
}

// isPassedBy says that a way may lead to the region that goes round a statement in front of it: a
// label stands between.
func (x *extractor) isPassedBy(s *cc.Statement) (is bool) {
	x.visitFunction(func(n cc.Node) {
		l, isLabel := n.(*cc.LabeledStatement)
		is = is || isLabel && l.Position().Offset > s.Position().Offset && l.Position().Offset < x.bounds.start
	})
	return is
}

// itemsInFront are the statements in front of the region in the blocks around it.
func (x *extractor) itemsInFront() (list []*cc.Statement) {
	x.visitFunction(func(n cc.Node) {
		block, ok := n.(*cc.CompoundStatement)
		if !ok || block.Token.Position().Offset >= x.bounds.start || block.Token2.Position().Offset < x.bounds.end {
			return
		}
		for _, item := range itemsOf(block) {
			if s, ok := x.keptSpan(item); ok && item.Case == cc.BlockItemStmt && s.last < x.bounds.start && x.inFile(item) {
				list = append(list, item.Statement)
			}
		}
	})
	return list
}

// promised is the set of parameters that keep what the program states, "" for all.
func (x *extractor) promised(program *scop.Program, writer *islWriter, front []formula) string {
	var broken []string
	for _, fact := range front {
		broken = append(broken, writer.context([]formula{fact.negated()}))
	}
	for _, s := range x.stated {
		broken = append(broken, writer.broken(s))
	}
	if len(broken) == 0 {
		return ""
	}
	ctx := x.prover.context
	mark := ctx.Mark()
	defer ctx.Release(mark)
	ctx.SetMaxOperations(maxContextOperations)
	kept := ctx.ReadSet(writer.context(nil))
	for _, text := range broken {
		kept = kept.Subtract(ctx.ReadSet(text).Params())
	}
	text := kept.Coalesce().String()
	if all, err := ctx.ReadSet(program.Context).IsSubset(kept); all && err == nil || ctx.TakeErr() != nil {
		return ""
	}
	return text
}
