package codegen

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/mark"
	"polytune/scop/ranks"
)

// PassesOnRanks are those of programs for several ranks.
var PassesOnRanks = append(slices.Clone(Passes), Pass{"ranks", shareOut})

// onRanks is what the code of several ranks is made of.
type onRanks struct {
	plan   *ranks.Plan
	toRoot bool
	local  LocalPart
}

// named is the exchange whose instances have a name, nil for none, and what of it they are.
func (r onRanks) named(name string) (*ranks.Exchange, loopir.ExchangePart) {
	if r.plan == nil {
		return nil, 0
	}
	for _, x := range r.plan.Exchanges {
		switch {
		case x.Name == name && x.Async:
			return x, loopir.StartExchange
		case x.Name == name:
			return x, loopir.WholeExchange
		case x.Name+ranks.End == name:
			return x, loopir.EndExchange
		}
	}
	return nil, 0
}

// sumNamed is the sum whose instances have a name, nil for none, and whether they are behind its code.
func (r onRanks) sumNamed(name string) (sum *ranks.Sum, behind bool) {
	if r.plan == nil {
		return nil, false
	}
	for _, s := range r.plan.Sums {
		if s.Name == name || s.Name+ranks.End == name {
			return s, s.Name != name
		}
	}
	return nil, false
}

// without are names of statements without those of exchanges, sums and barriers.
func (r onRanks) without(names map[string]bool) map[string]bool {
	for name := range names {
		x, _ := r.named(name)
		sum, _ := r.sumNamed(name)
		if x != nil || sum != nil || r.plan != nil && slices.Contains(r.plan.Meets, name) {
			delete(names, name)
		}
	}
	return names
}

// syntaxOnRanks is isl's tree for one rank.
func syntaxOnRanks(model *scop.Model, whole mark.Schedule, plan *ranks.Plan, marks []*placedMark, variables []string) *syntax {
	build := isl.NewAstBuild(model.Parameters.Intersect(plan.Known)).SetIterators(variables)
	return &syntax{tree: build.NodeFromSchedule(plan.Tree), marks: marks, table: whole.Marks}
}

// own are the names of what a rank knows of its blocks.
func (r onRanks) own() (names []string) {
	if r.plan == nil {
		return nil
	}
	for _, g := range r.plan.Groups {
		for _, block := range g.Own {
			names = append(names, block.First, block.Last)
		}
		if g.Shortest != "" {
			names = append(names, g.Shortest)
		}
	}
	return names
}

// groups are those of the plan.
func (e *Env) groups() (list []loopir.RankGroup) {
	build := isl.NewAstBuild(e.model.Parameters)
	pair := func(i ranks.Interval) [2]string { return [2]string{i.First, i.Last} }
	for _, g := range e.ranks.plan.Groups {
		var group loopir.RankGroup
		for d := range g.Own {
			group = append(group, loopir.RankRows{
				Low: loopir.FromISL(build.ExprFromPwAff(g.Low[d])), High: loopir.FromISL(build.ExprFromPwAff(g.High[d])),
				Own: pair(g.Own[d]), From: pair(g.From[d]), To: pair(g.To[d]),
			})
		}
		group[0].Shortest = g.Shortest
		list = append(list, group)
	}
	return list
}

// exchange is an exchange at some values of the loops around.
func (e *Env) exchange(x *ranks.Exchange, at []*loopir.Expr) (*loopir.Exchange, error) {
	made := &loopir.Exchange{
		Number: slices.Index(e.ranks.plan.Exchanges, x), Of: e.groups(), Times: x.Times, At: at, What: e.whatIsTold(x), Last: x.Last, ToRoot: x.Last && e.ranks.toRoot,
	}
	for _, elements := range x.Arrays {
		loops, err := e.elementsOf(elements.Array, elements.At, x.Known)
		if err != nil {
			return nil, err
		}
		made.Arrays = append(made.Arrays, loopir.Exchanged{Array: elements.Array, Loops: loops})
	}
	return made, nil
}

// sum is a sum over ranks at some values of the loops around.
func (e *Env) sum(s *ranks.Sum, behind bool, at []*loopir.Expr) (*loopir.RankSum, error) {
	loops, err := e.elementsOf(s.Array, s.At, s.At.Params())
	return &loopir.RankSum{Number: slices.Index(e.ranks.plan.Sums, s), Clause: s.Clause, Array: s.Array, Times: s.Times, At: at, Loops: loops, Behind: behind}, err
}

// whatIsTold says what ranks tell each other, and where.
func (e *Env) whatIsTold(x *ranks.Exchange) string {
	var names []string
	for _, a := range x.Arrays {
		names = append(names, a.Array.Spelling())
	}
	arrays := strings.Join(names, ", ")
	switch {
	case x.Last:
		return "results: " + arrays
	case x.Before != "":
		return "what " + e.nodes.tree.Written(x.Before) + " reads of other ranks: " + arrays
	}
	return "what is read of other ranks: " + arrays
}

// elementsOf are the loops over elements of an array that ranks tell each other, where something is known
// of parameters.
func (e *Env) elementsOf(array *scop.Array, at, known *isl.Set) (loopir.Code, error) {
	context, taken := e.model.Context, e.nodes.taken
	count := at.Dim(isl.DimSet)
	tree := ranks.Syntax(at, e.model.Parameters.Intersect(known), freshNames("i", count, taken), freshNames("tune_e", count, taken))
	t := &translation{env: e, call: func(call *isl.AstExpr) (loopir.Code, error) {
		return loopir.Code{&loopir.Visit{Array: array, At: loopir.FromISL(call).Args[1:]}}, nil
	}}
	code, err := t.code(tree, nil)
	if err == nil {
		err = context.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("the elements of %s that ranks tell each other: %w", array.Spelling(), err)
	}
	e.nodes.needsIn(code)
	return code, nil
}

// needsIn notes which macros the bounds of loops need.
func (n *nodes) needsIn(code loopir.Code) {
	loopir.Walk(code, func(s loopir.Stmt) {
		switch s := s.(type) {
		case *loopir.For:
			n.needs(s.From, s.While)
		case *loopir.If:
			n.needs(s.Cond)
		case *loopir.Visit:
			n.needs(s.At...)
		}
	})
}

// shareOut has all of a program run on ranks, and tells results at the end.
func shareOut(p *loopir.Program, e *Env) error {
	if e.ranks.plan == nil || len(e.ranks.plan.Groups) == 0 {
		return nil
	}
	groups := e.groups()
	for _, rows := range slices.Concat(groups...) {
		e.nodes.needs(rows.Low, rows.High)
	}
	blocks, err := e.blocks(p)
	if err != nil {
		return err
	}
	if e.ranks.local == LocalRows {
		p.Code = loopir.Code{&loopir.OnRanks{Groups: groups, Blocks: blocks, Tells: true}}
		return nil
	}
	body := slices.Clone(p.Code)
	for _, x := range e.ranks.plan.Exchanges {
		if !x.Last {
			continue
		}
		last, err := e.exchange(x, nil)
		if err != nil {
			return err
		}
		body = append(body, last)
	}
	p.Code = loopir.Code{&loopir.OnRanks{Groups: groups, Exchanges: len(e.ranks.plan.Exchanges), Sums: len(e.ranks.plan.Sums), Meets: len(e.ranks.plan.Meets) > 0, Body: body, Blocks: blocks}}
	return nil
}

// blocks are those of the arrays of which ranks have some rows alone.
func (e *Env) blocks(p *loopir.Program) (list []loopir.LocalBlock, err error) {
	if e.ranks.local == NotLocal {
		return nil, nil
	}
	if p.Assumed != nil || len(p.Guards) > 0 || p.Heap != nil {
		return nil, errors.New("the code falls back on the original, for some sizes or without memory, and that needs whole arrays: leave --local out")
	}
	known := e.model.Parameters.Intersect(e.ranks.plan.Known)
	build := isl.NewAstBuild(known)
	for _, b := range e.ranks.plan.Blocks {
		block := loopir.LocalBlock{
			Argument: b.Argument, Low: loopir.FromISL(build.ExprFromPwAff(b.Low.Extended())), High: loopir.FromISL(build.ExprFromPwAff(b.High.Extended())),
			Used: loopir.FromISL(build.ExprFromSet(b.Used.Gist(known))),
		}
		e.nodes.needs(block.Low, block.High, block.Used)
		list = append(list, block)
	}
	return list, e.model.Context.Err()
}
