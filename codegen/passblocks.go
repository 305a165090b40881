package codegen

import (
	"polytune/loopir"
	"polytune/scop/mark"
)

// pack has full register blocks read operands from buffers, which are filled in front of them,
// where marks say so. Which blocks there are is found for that; their code comes later.
func pack(p *loopir.Program, e *Env) error {
	(&packer{copies: e.nodes.copies}).code(p.Code)
	return nil
}

// blocks has register blocks unrolled where they are full.
func blocks(p *loopir.Program, e *Env) error {
	p.Code = (&blocker{copies: e.nodes.copies}).code(p.Code)
	return nil
}

// blockMark is a register block's mark, in code that is none yet.
func blockMark(m *loopir.Marked) (block *placedBlock) {
	if of, is := m.Mark.(mark.Registers); is && !m.Spent && m.Depth >= 0 {
		return &placedBlock{of, m.Depth + of.Streams, m}
	}
	return nil
}

// foundBlock is a register block, nil for none, and what writes it, nil where nothing can.
type foundBlock struct {
	block  *registerBlock
	writer *blockWriter
}

// packer finds register blocks, and what they read from buffers.
type packer struct {
	*copies
	// outside is the register block inside the next loop, or nil.
	outside *placedBlock
}

func (n *packer) code(code loopir.Code) {
	for k, s := range code {
		switch s := s.(type) {
		case *loopir.For:
			n.loop(s)
		case *loopir.Marked:
			code[k] = n.marked(s)
		default:
			n.within(s)
		}
	}
}

func (n *packer) within(s loopir.Stmt) {
	n.inside(s, func(body *loopir.Code) { n.code(*body) })
}

func (n *packer) loop(loop *loopir.For) {
	defer n.limited(loop)()
	block := n.outside
	n.outside = nil
	n.inside(loop, func(body *loopir.Code) {
		if block != nil {
			n.block(*body, *block)
		} else {
			n.code(*body)
		}
	})
}

// limited has what is in a loop know under which condition there are several threads, until leave
// is called.
func (n *packer) limited(loop *loopir.For) (leave func()) {
	said, header := n.said(loop), n.headerOf(loop)
	if loop.Once || !isCanonical(header.condition, header.variable) || said.on == loopir.Sequential {
		return func() {}
	}
	return n.limit(&header, said)
}

func (n *packer) marked(m *loopir.Marked) loopir.Stmt {
	if block := blockMark(m); block != nil {
		n.block(m.Body, *block)
		return m
	}
	if of, is := m.Mark.(mark.Pack); is && !m.Spent && !n.inStages {
		return n.packed(m, of)
	}
	n.within(m)
	return m
}

// block finds the register block that some code is. The innermost of several loops around those
// that are unrolled is the stream.
func (n *packer) block(code loopir.Code, block placedBlock) {
	if n.streamsOf(code, block) > 1 {
		n.outside = &block
		n.code(code)
		n.outside = nil
		return
	}
	n.code(code)
	found := foundBlock{block: n.registerBlockOf(code, block)}
	if found.block != nil {
		found.writer = newBlockWriter(n.copies, found.block)
	}
	n.blocks[block.marked] = found
}

// packed has blocks below the mark of a packed reference read its elements from a buffer.
func (n *packer) packed(marked *loopir.Marked, m mark.Pack) loopir.Stmt {
	m.Shared = m.Shared && n.hasOriginal
	p := &packing{Pack: m, outside: len(n.open)}
	n.packings = append(n.packings, p)
	n.code(marked.Body)
	n.packings = n.packings[:len(n.packings)-1]
	if statementsIn(marked.Body)[m.Statement] { // another one may run its instances
		n.note(m, p.elements > 0, "no register block inside reads it from a copy")
	}
	if p.elements == 0 {
		return marked
	}
	if p.Shared {
		n.shared = append(n.shared, p)
	}
	return p.code(marked.Body)
}

// blocker makes the code of register blocks.
type blocker struct {
	*copies
	// outside is the register block inside the next loop, or nil.
	outside *placedBlock
}

func (n *blocker) code(code loopir.Code) (made loopir.Code) {
	for _, s := range code {
		switch s := s.(type) {
		case *loopir.For:
			n.loop(s)
		case *loopir.Marked:
			if block := blockMark(s); block != nil {
				made = append(made, n.marked(s, *block)...)
				continue
			}
			n.within(s)
		default:
			n.within(s)
		}
		made = append(made, s)
	}
	return made
}

func (n *blocker) within(s loopir.Stmt) {
	n.inside(s, func(body *loopir.Code) { *body = n.code(*body) })
}

func (n *blocker) loop(loop *loopir.For) {
	block := n.outside
	n.outside = nil
	n.inside(loop, func(body *loopir.Code) {
		if block != nil {
			*body, _ = n.block(*body, *block)
		} else {
			*body = n.code(*body)
		}
	})
}

// marked is the code of a register block's mark, which stays where the block is further inside.
func (n *blocker) marked(m *loopir.Marked, block placedBlock) loopir.Code {
	code, made := n.block(m.Body, block)
	if made {
		return code
	}
	m.Body = code
	return loopir.Code{m}
}

// block is the code of a register block, and whether it is that of some unrolled one; the block
// may be further inside.
func (n *blocker) block(code loopir.Code, block placedBlock) (made loopir.Code, isMade bool) {
	if n.streamsOf(code, block) > 1 {
		n.outside = &block
		made = n.code(code)
		n.outside = nil
		return made, false
	}
	found := n.blocks[block.marked]
	if found.writer == nil {
		reason := "the code has no loops there that can be unrolled as a block"
		if found.block != nil {
			reason = "the block's statements are not plain assignments, or too many"
		}
		n.env.Decline(block.Registers, reason)
		return n.withCopies(code), false
	}
	n.env.Honour(block.Registers)
	if block.Lanes > 0 {
		n.env.honourLanesIn(code)
	}
	w := found.writer
	w.general = code
	made = w.code()
	if !w.isGeneral {
		n.noteDropped(code)
	}
	for _, m := range declarationsIn(code) {
		made = loopir.Code{&loopir.Marked{Mark: m, Depth: -1, Body: made}}
	}
	return made, true
}

// declarationsIn are the marks in some code that have something declared.
func declarationsIn(code loopir.Code) (marks []mark.Mark) {
	loopir.Walk(code, func(s loopir.Stmt) {
		if m, is := s.(*loopir.Marked); is && isDeclaration(m) {
			marks = append(marks, m.Mark)
		}
	})
	return marks
}

// noteDropped notes of a block's code that runs nowhere but in full blocks what is noted of all
// other code: models count what it computes, and helpers that it needs are there.
func (n *blocker) noteDropped(code loopir.Code) {
	for _, s := range code {
		switch s := s.(type) {
		case *loopir.Run:
			if n.overheads.least != nil {
				n.noteOverhead(s.Statement.Index, s.At)
			}
			n.needs(n.uses(s, same)...)
		case *loopir.For:
			header := n.headerOf(s)
			n.needs(header.start, header.condition, header.step)
		case *loopir.If:
			n.needs(s.Cond)
		}
		n.inside(s, func(body *loopir.Code) { n.noteDropped(*body) })
	}
}
