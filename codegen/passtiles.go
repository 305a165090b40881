package codegen

import (
	"polytune/isl"
	"polytune/loopir"
	"polytune/scop/mark"
)

// fullTiles has the loops over the points of tiles twice where a condition outside says that a tile
// is full: with constant trip counts there, and as they are elsewhere.
func fullTiles(p *loopir.Program, e *Env) error {
	e.divideTiles(p.Code)
	return nil
}

// divideTiles divides the outermost tiles of some code, and those inside where the outer ones are
// not full.
func (e *Env) divideTiles(code loopir.Code) {
	for _, s := range code {
		m, _ := s.(*loopir.Marked)
		var full *fullTile
		if m != nil && isTile(m) {
			full = fullTileOf(m.Body, e.model.Program.Parameters)
		}
		isFull := full != nil && !e.nodes.isNeverFull(full)
		if m != nil && isTile(m) {
			e.nodes.note(m.Mark, isFull, "no tile is full, or none can be told from the loops over tiles")
		}
		if !isFull {
			for _, body := range loopir.Bodies(s) {
				e.divideTiles(*body)
			}
			continue
		}
		special, general := full.code(e, m.Body), m.Body
		e.divideTiles(general)
		m.Body = loopir.Code{&loopir.If{Cond: full.guard(), Then: special, Else: general, Whole: true}}
	}
}

func isTile(m *loopir.Marked) bool {
	_, is := m.Mark.(mark.Tile)
	return is
}

// code is a tile's code where it is full.
func (t *fullTile) code(e *Env, code loopir.Code) loopir.Code {
	var full loopir.Code
	for _, s := range code {
		full = append(full, t.statement(e, s))
	}
	return full
}

func (t *fullTile) statement(e *Env, s loopir.Stmt) loopir.Stmt {
	switch s := s.(type) {
	case *loopir.For:
		return t.loop(e, s)
	case *loopir.If:
		return t.choice(e, s)
	case *loopir.Marked:
		own := *s
		switch m := s.Mark.(type) {
		case mark.Tile, mark.Registers, mark.Pack:
			own.Spent = true
		case mark.Relay:
			e.Decline(m, notAlone)
			own.Spent = true
		}
		own.Body = t.code(e, s.Body)
		return &own
	}
	return s
}

// loop is a loop with the bounds that it has in a full tile.
func (t *fullTile) loop(e *Env, l *loopir.For) loopir.Stmt {
	bounds, empty := t.take()
	if empty {
		return &loopir.Nothing{}
	}
	own := *l
	if own.General = l; bounds != nil {
		own.From = t.expressionOf(bounds.lower)
		own.While = strict(loopir.Operation(isl.OpLe, loopir.Named(l.Var), t.expressionOf(bounds.upper)))
		_, own.Full = bounds.width()
	}
	own.Body = t.code(e, l.Body)
	return &own
}

// choice is a condition, with the number 1 where it is known to hold in a full tile, or not to.
func (t *fullTile) choice(e *Env, s *loopir.If) loopir.Stmt {
	switch t.assume() {
	case thenBranch:
		return &loopir.If{Cond: loopir.Int(1), Then: t.code(e, s.Then)}
	case elseBranch:
		return &loopir.If{Cond: loopir.Int(1), Then: t.code(e, s.Else)}
	}
	return &loopir.If{Cond: s.Cond, Then: t.code(e, s.Then), Else: t.code(e, s.Else)}
}
