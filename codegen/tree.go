package codegen

import (
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/loopir"
	"polytune/schedule"
)

// loops makes the tree of loops of isl's: loops, which know what marks say of them, conditions,
// instances, and the marks of the schedule where they are.
func loops(p *loopir.Program, e *Env) (err error) {
	if p.Code, err = e.codeOf(e.syntax); err == nil {
		err = inOrder(e, p.Code)
	}
	e.nodes.tellLoops(p.Code, nil)
	e.nodes.keepFromLanes(p.Code)
	return err
}

// codeOf is isl's tree as code, that of the points of tiles where the tiles are.
func (e *Env) codeOf(s *syntax) (loopir.Code, error) {
	t := &translation{env: e, call: func(call *isl.AstExpr) (loopir.Code, error) { return e.runs(s, call) }}
	t.mark = func(node *isl.AstNode, around []*placedMark) (*loopir.Marked, []*placedMark, error) {
		m, err := s.table.At(node.MarkName())
		if err != nil {
			return nil, nil, err
		}
		found := find(around, node.MarkName(), e.ranks.without(calledBelow(node)))
		var inner []*placedMark
		for _, m := range found {
			inner = append(inner, m.inner...)
		}
		return &loopir.Marked{Mark: m, Depth: depthOf(found)}, inner, nil
	}
	return t.code(s.tree, s.marks)
}

// runs is an instance of a statement, or those of the points of a tile. The values of the
// statement's iterators are the last arguments of isl's call; tile coordinates may come before.
func (e *Env) runs(s *syntax, call *isl.AstExpr) (loopir.Code, error) {
	whole := loopir.FromISL(call)
	name, arguments := whole.Args[0].Name, whole.Args[1:]
	if s.points != nil && name == schedule.MarkTiles {
		return e.codeOf(s.points)
	}
	if x, part := e.ranks.named(name); x != nil {
		made, err := e.exchange(x, arguments)
		if err == nil {
			made.Part = part
		}
		return loopir.Code{made}, err
	}
	if sum, behind := e.ranks.sumNamed(name); sum != nil {
		made, err := e.sum(sum, behind, arguments)
		return loopir.Code{made}, err
	}
	if e.ranks.plan != nil && slices.Contains(e.ranks.plan.Meets, name) {
		return loopir.Code{&loopir.Meet{}}, nil
	}
	of := e.model.Statement(name)
	if of == nil || len(arguments) < of.Depth() {
		return nil, fmt.Errorf("the schedule runs %s, which is no statement of %s", call, e.model.Program.Name)
	}
	tiles := len(arguments) - of.Depth()
	return loopir.Code{&loopir.Run{Statement: of, Tiles: arguments[:tiles], At: arguments[tiles:]}}, nil
}

// translation makes code of a syntax tree of isl's.
type translation struct {
	env *Env
	// call is the code of a call, which isl's tree has for an instance.
	call func(call *isl.AstExpr) (loopir.Code, error)
	// mark is a mark, and the marks of the schedule that may come inside of it, of those that may
	// come here.
	mark func(node *isl.AstNode, around []*placedMark) (*loopir.Marked, []*placedMark, error)
}

// code is a node of the tree, in which some marks of the schedule may come next.
func (t *translation) code(node *isl.AstNode, marks []*placedMark) (code loopir.Code, err error) {
	switch node.Type() {
	case isl.AstFor:
		return t.loop(node, marks)
	case isl.AstIf:
		choice := &loopir.If{Cond: loopir.FromISL(node.IfCond())}
		if choice.Then, err = t.code(node.IfThen(), marks); err != nil {
			return nil, err
		}
		if other := node.IfElse(); other != nil {
			choice.Else, err = t.code(other, marks)
		}
		return loopir.Code{choice}, err
	case isl.AstBlock:
		for _, child := range node.BlockChildren() {
			more, err := t.code(child, marks)
			if err != nil {
				return nil, err
			}
			code = append(code, more...)
		}
		return code, nil
	case isl.AstMark:
		m, inner, err := t.mark(node, marks)
		if err != nil {
			return nil, err
		}
		m.Body, err = t.code(node.MarkNode(), inner)
		return loopir.Code{m}, err
	case isl.AstUser:
		return t.call(node.UserExpr())
	}
	return nil, fmt.Errorf("isl's syntax tree has a node of unknown type %d", node.Type())
}

func (t *translation) loop(node *isl.AstNode, marks []*placedMark) (loopir.Code, error) {
	l := &loopir.For{
		Var: node.ForIterator().ID(), From: loopir.FromISL(node.ForInit()), While: loopir.FromISL(node.ForCond()), Step: loopir.FromISL(node.ForInc()),
	}
	around := t.env.loop
	t.env.loop = l.Var
	var err error
	if l.Once, err = node.ForIsDegenerate(); err != nil {
		return nil, err
	}
	if l.Body, err = t.code(node.ForBody(), marks); err != nil {
		return nil, err
	}
	t.env.loop = around
	return loopir.Code{l}, nil
}

// placedMark is a mark of the schedule tree.
type placedMark struct {
	name string
	// depth is the depth of the loop below: the number of band members above.
	depth int
	// statements are the names of those that reach the mark.
	statements map[string]bool
	// inner are the outermost marks below.
	inner []*placedMark
}

// marksBelow are the outermost marks of the subtree of a schedule tree whose
// root lies below depth band members, and deepest the number of band members
// on its longest branch, including those above.
func marksBelow(node *isl.ScheduleNode, depth int) (marks []*placedMark, deepest int) {
	below := depth
	if node.Type() == isl.NodeBand {
		below += node.BandMembers()
	}
	deepest = below
	for _, child := range node.Children() {
		inner, d := marksBelow(child, below)
		marks, deepest = append(marks, inner...), max(deepest, d)
	}
	if node.Type() == isl.NodeMark {
		marks = []*placedMark{{name: node.MarkName(), depth: depth, statements: statementsAt(node), inner: marks}}
	}
	return marks, deepest
}

func statementsAt(node *isl.ScheduleNode) map[string]bool {
	names := map[string]bool{}
	for _, set := range node.Domain().Sets() {
		names[set.TupleName()] = true
	}
	return names
}

// find returns the marks that a mark of the syntax tree may stand for: those
// of its name that its statements reach.
func find(marks []*placedMark, name string, statements map[string]bool) []*placedMark {
	var found []*placedMark
	for _, m := range marks {
		if m.name == name && containsAll(m.statements, statements) {
			found = append(found, m)
		}
	}
	return found
}

func containsAll(set, subset map[string]bool) bool {
	for name := range subset {
		if !set[name] {
			return false
		}
	}
	return true
}

// depthOf is the depth that all marks agree on, or -1: isl leaves out loops
// that run once, and a pragma must never move to another loop.
func depthOf(marks []*placedMark) int {
	depth := -1
	for _, m := range marks {
		if depth >= 0 && m.depth != depth {
			return -1
		}
		depth = m.depth
	}
	return depth
}

// calledBelow are the names of the statements of a syntax tree.
func calledBelow(node *isl.AstNode) map[string]bool {
	names := map[string]bool{}
	var visit func(node *isl.AstNode)
	visit = func(node *isl.AstNode) {
		switch node.Type() {
		case isl.AstUser:
			names[loopir.FromISL(node.UserExpr()).Args[0].Name] = true
		case isl.AstFor:
			visit(node.ForBody())
		case isl.AstMark:
			visit(node.MarkNode())
		case isl.AstIf:
			visit(node.IfThen())
			if other := node.IfElse(); other != nil {
				visit(other)
			}
		case isl.AstBlock:
			for _, child := range node.BlockChildren() {
				visit(child)
			}
		}
	}
	visit(node)
	return names
}
