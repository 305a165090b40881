package device

import (
	"errors"
	"fmt"
	"slices"

	"polytune/codegen"
	"polytune/isl"
	"polytune/loopir"
	"polytune/schedule"
	"polytune/scop/boxes"
	"polytune/scop/mark"
)

// kernels makes kernels of what the marks of the schedule say: blocks and threads of loops,
// barriers, and threads that do not run what others of their block do.
func kernels(p *loopir.Program, e *codegen.Env) error { return (&mapper{env: e}).program(p) }

// kernelsByStep makes kernels for a language whose blocks cannot wait for each other: barriers of
// the grid are between kernels.
func kernelsByStep(p *loopir.Program, e *codegen.Env) error {
	return (&mapper{env: e, byStep: true}).program(p)
}

// program makes the kernels of a program.
func (m *mapper) program(p *loopir.Program) (err error) {
	if err := m.findBoxes(); err != nil {
		return err
	}
	p.Code, err = m.declaring(p.Code, context{})
	if err == nil && m.count == 0 {
		err = errors.New("the schedule has no kernel, which the command kernel, block or resident begins")
	}
	return err
}

// mapper makes kernels.
type mapper struct {
	env *codegen.Env
	// byStep says that blocks cannot wait for each other, and keeps that those of the present
	// kernel keep elements.
	byStep, keeps bool
	count         int
	// threads are the numbers of threads of the present kernel.
	threads [3]int64
	// declares are the private variables that the innermost loop around has to declare.
	declares []string
	// boxes are the copies in memories of the device, by their marks' names, and made those that
	// the innermost loop around has already.
	boxes map[string]*boxes.Box
	made  []string
	// pieces are those of the code that uses copies, by the copies' marks' names.
	pieces map[string][]piece
	// inPieces are the loops of blocks of the present kernel that are in several pieces, and loopOf are
	// those that the loops of the pieces are of.
	inPieces map[string]bool
	loopOf   map[*loopir.For]string
	// full are the tiles of phases of hexagons that are full; nil for none.
	full map[*schedule.HexagonPhase]*isl.Set
}

// context is what marks around say of the code at hand.
type context struct {
	// inKernel says that there is a kernel around, inResident that it is one whose blocks stay.
	inKernel, inResident bool
	// marks are those that speak of the next loop.
	marks []*loopir.Marked
	// turns are the loops, of those that threads share, that the code at hand is in: whose thread
	// runs it is known along their dimensions.
	turns [3]bool
	// gone are the marks of loops around that threads share and whose values the loops' variables
	// have not: isl has left out those that run once.
	gone []mark.Thread
	// values are those of the loops around, by their depths.
	values []*loopir.Expr
	// alone are the names of the statements around all of whose instances in a tile is one copy, so
	// that no other code of the kernel has any of them.
	alone []string
	// goesOn says that the iteration at hand of the innermost loop around is behind another one,
	// and all code of each is what comes here; nil where nobody knows.
	goesOn *loopir.Expr
	// registers are the copies in private memory around, whose subscripts are to be constants.
	registers []mark.Box
}

// code maps code.
func (m *mapper) code(code loopir.Code, c context) (all loopir.Code, err error) {
	for _, s := range code {
		mapped, err := m.statement(s, c)
		if err != nil {
			return nil, err
		}
		all = append(all, mapped...)
	}
	return all, nil
}

func (m *mapper) statement(s loopir.Stmt, c context) (loopir.Code, error) {
	if code, is, err := m.inLeftOut(s, c); is {
		return code, err
	}
	switch s := s.(type) {
	case *loopir.Marked:
		return m.marked(s, c)
	case *loopir.For:
		return m.loop(s, c)
	case *loopir.If:
		c.goesOn = nil
		then, err := m.code(s.Then, c)
		if err != nil {
			return nil, err
		}
		other, err := m.code(s.Else, c)
		return loopir.Code{&loopir.If{Cond: s.Cond, Then: then, Else: other}}, err
	case *loopir.Run:
		return m.run(s, c)
	}
	return nil, fmt.Errorf("there is no kernel with %T", s)
}

// marked is the code below a mark.
func (m *mapper) marked(s *loopir.Marked, c context) (loopir.Code, error) {
	switch s.Mark.(type) {
	case mark.Kernel:
		m.env.Honour(s.Mark)
		return m.kernel(s.Mark, s.Body, c)
	case mark.Resident:
		m.env.Honour(s.Mark)
		if m.byStep {
			return m.code(s.Body, c)
		}
		return m.resident(s, c)
	case mark.Block:
		if !c.inKernel {
			return m.kernel(s.Mark, loopir.Code{s}, c)
		}
	case mark.Barrier:
		return m.waiting(s, c)
	case mark.Thread, mark.Unroll:
	case mark.Reduce:
		return m.reduce(s, c)
	case mark.Private:
		return m.private(s, c)
	case mark.Box:
		return m.box(s, c)
	case mark.Overlapped:
		m.env.Honour(s.Mark)
		if s.Mark.(mark.Overlapped).Streaming != nil {
			return m.streamed(s, c)
		}
		return m.code(s.Body, c)
	case mark.Tile:
		return m.code(s.Body, c)
	default:
		return nil, fmt.Errorf("no kernel can have what the mark %q says", s.Mark)
	}
	inner := c
	inner.marks = append(inner.marks[:len(inner.marks):len(inner.marks)], s)
	return m.code(s.Body, inner)
}

// kernel is a kernel of some code.
func (m *mapper) kernel(begins mark.Mark, code loopir.Code, c context) (loopir.Code, error) {
	m.threads = [3]int64{1, 1, 1}
	m.measure(code)
	m.findPieces(code)
	m.loopOf = map[*loopir.For]string{}
	k := &loopir.Kernel{Name: fmt.Sprintf("k%d", m.count), Of: mark.LoopOf(begins), Threads: m.threads}
	m.count++
	c.inKernel = true
	body, err := m.declaring(code, c)
	if err == nil && !c.inResident {
		err = m.alignPieces(body)
	}
	k.Body = alone(body, m.threads, c.inResident)
	together(k.Body, blockLoops(k.Body), false)
	return loopir.Code{k}, err
}

// measure finds the number of threads of a block: that of the loop with the most of them along each
// dimension.
func (m *mapper) measure(code loopir.Code) {
	loopir.Walk(code, func(s loopir.Stmt) {
		if marked, is := s.(*loopir.Marked); is {
			if t, is := marked.Mark.(mark.Thread); is {
				m.threads[t.Dimension] = max(m.threads[t.Dimension], t.Count)
			}
		}
	})
}

// waiting is code behind which threads wait.
func (m *mapper) waiting(s *loopir.Marked, c context) (loopir.Code, error) {
	body, err := m.code(s.Body, c)
	m.env.Honour(s.Mark)
	ofGrid := s.Mark.(mark.Barrier).Grid
	if ofGrid && m.byStep {
		return body, err
	}
	return append(body, &loopir.Barrier{Grid: ofGrid}), err
}

// loop maps a loop.
func (m *mapper) loop(l *loopir.For, c context) (mapped loopir.Code, err error) {
	depth, _ := m.env.DepthOf(l.Var)
	inner := c
	inner.marks, inner.goesOn = nil, nil
	inner.values = m.valuesIn(l, depth, c)
	made := *l
	var turn *mark.Thread
	for _, s := range c.marks {
		isHere := s.Depth == depth
		switch said := s.Mark.(type) {
		case mark.Block:
			switch {
			case c.inResident && !isHere:
				return nil, fmt.Errorf("isl has left out the loop %s of blocks", said.Loop)
			case c.inResident && !m.isValue(l, said.Loop):
				return nil, fmt.Errorf("isl counts the loop %s of blocks otherwise than the schedule, and blocks that stay have iterations by their values", said.Loop)
			case c.inResident:
				shareByBlocks(&made, said)
			case isHere && (!l.Once || m.inPieces[said.Loop]):
				shareByBlocks(&made, said)
				m.loopOf[&made] = said.Loop
			}
			m.env.Honour(said)
		case mark.Thread:
			m.env.Honour(said)
			switch {
			case s.Depth < 0:
				return nil, fmt.Errorf("isl has made several loops of %s, or left some out, so that nobody knows which one threads share", said.Loop)
			case !isHere || !m.isValue(l, said.Loop):
				inner.gone = append(inner.gone[:len(inner.gone):len(inner.gone)], said)
			case l.Once:
				turn, inner.turns[said.Dimension] = &said, true
			default:
				made.Share = &loopir.Share{Threads: true, Dimension: said.Dimension, Count: said.Count}
				inner.turns[said.Dimension] = true
			}
		case mark.Unroll:
			if isHere {
				made.Unrolled = true
				m.env.Honour(said)
			}
		}
	}
	if !made.Once {
		if made.Share == nil && l.Step.IsInt(1) {
			inner.goesOn = loopir.Operation(isl.OpGt, loopir.Named(l.Var), l.From)
		}
		if m.decides(l, c.registers) {
			giveTurns(&made)
		}
		made.Body, err = m.declaring(l.Body, inner)
		return loopir.Code{&made}, err
	}
	body, err := m.code(l.Body, inner)
	if err != nil {
		return nil, err
	}
	if turn != nil {
		body = loopir.Code{&loopir.If{Cond: isTurn(loopir.Named(l.Var), *turn), Then: body}}
	}
	if !loopir.Names(body, l.Var) {
		return body, nil
	}
	return loopir.Code{&loopir.Let{Var: l.Var, Value: l.From, Body: body}}, nil
}

// shareByBlocks has blocks that stay share a loop, one that runs once, too: only one of them runs
// it.
func shareByBlocks(l *loopir.For, said mark.Block) {
	l.Share = &loopir.Share{Dimension: said.Dimension}
	if l.Once {
		l.Once, l.Step = false, loopir.Int(1)
		l.While = loopir.Operation(isl.OpLe, loopir.Named(l.Var), l.From)
	}
}

// private is code that has a private variable for each of its executions. The body of the innermost
// loop around declares it: isl may have split the code of one mark.
func (m *mapper) private(s *loopir.Marked, c context) (loopir.Code, error) {
	name := s.Mark.(mark.Private).Variable
	if !slices.Contains(m.declares, name) {
		m.declares = append(m.declares, name)
	}
	return m.code(s.Body, c)
}

// declaring is the body of a loop, or a kernel, with the private variables that it needs.
func (m *mapper) declaring(code loopir.Code, c context) (loopir.Code, error) {
	outside, made := m.declares, m.made
	m.declares, m.made = nil, nil
	body, err := m.code(code, c)
	var declared loopir.Code
	for _, private := range m.env.Model().Program.Privates() {
		if slices.Contains(m.declares, private.Name) {
			declared = append(declared, &loopir.Private{Declaration: private.Declaration})
		}
	}
	m.declares, m.made = outside, made
	return append(declared, body...), err
}

// run maps an instance: of loops that isl has left out, its row says whose turn it is.
func (m *mapper) run(r *loopir.Run, c context) (loopir.Code, error) {
	code := loopir.Code{r}
	gone := c.gone
	for _, s := range c.marks {
		if b, is := s.Mark.(mark.Block); is && c.inResident {
			return nil, fmt.Errorf("isl has left out the loop %s of blocks", b.Loop)
		}
		if t, is := s.Mark.(mark.Thread); is {
			gone = append(gone[:len(gone):len(gone)], t)
			m.env.Honour(t)
		}
	}
	for _, t := range gone {
		value, err := m.valueOf(t.Loop, r)
		if err != nil {
			return nil, err
		}
		code = loopir.Code{&loopir.If{Cond: isTurn(value, t), Then: code}}
	}
	return code, nil
}
