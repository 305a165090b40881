package device

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/boxes"
	"polytune/scop/mark"
)

// findBoxes finds the copies in memories of the device.
func (m *mapper) findBoxes() error {
	m.boxes = map[string]*boxes.Box{}
	marked := m.env.Schedule()
	for _, kernel := range boxes.Kernels(marked.Tree.Root(), marked.Marks) {
		found, err := boxes.In(m.env.Model(), marked.Marks, kernel)
		if err != nil {
			return err
		}
		for _, box := range found {
			m.boxes[box.String()] = box
		}
	}
	return m.env.Model().Context.Err()
}

// box is code that uses a copy in a memory of the device. In shared memory all threads wait behind
// the loads of boxes that begin here, and in front of the stores of those that end here. isl may
// have made several pieces of the code: each loads what it uses, if anything, and nobody loads
// while others are still in the piece before. What is written is in one piece.
func (m *mapper) box(s *loopir.Marked, c context) (loopir.Code, error) {
	said := s.Mark.(mark.Box)
	if said.Memory == mark.Constant {
		m.env.Honour(said)
		return m.code(s.Body, c)
	}
	if said.Memory == mark.Kept && !m.keeps {
		m.env.Honour(said)
		return m.code(s.Body, c)
	}
	of, isOne, err := m.pieceOf(said, s)
	if err != nil {
		return nil, err
	}
	if len(of.Uses) == 0 {
		return m.code(s.Body, c)
	}
	if c.values, err = m.allValues(of.Executions(), "the copy of "+of.Array, c.values); err != nil {
		return nil, err
	}
	m.takeRows(of, s.Body, c.values)
	box := &loopir.Box{Of: said, Name: "tune_" + said.Array, Swapped: of.Overlapped != nil && slices.Contains(of.Overlapped.Swapped, said.Array)}
	for _, side := range said.Sides {
		box.Origin = append(box.Origin, m.atLoops(side.Origin, c.values))
	}
	inner := c
	if said.Memory == mark.Own {
		inner.registers = append(slices.Clip(c.registers), said)
	}
	if isOne && of.IsWritten() {
		for _, use := range of.Uses {
			inner.alone = append(slices.Clip(inner.alone), use.Statement.Name)
		}
	}
	body, err := m.code(s.Body, inner)
	if err == nil && !hasBoxes(s.Body) {
		body, err = m.withCore(of, body, inner)
	}
	if err != nil {
		return nil, err
	}
	if said.Early {
		if err := m.storeEarly(box, of, body, inner); err != nil {
			return nil, err
		}
	}
	m.env.Honour(said)
	made := loopir.Code{box}
	if isInFront := said.Memory == mark.Shared && !isOne && of.Waits != of.Depth; isInFront {
		made = loopir.Code{&loopir.Barrier{}, box}
	}
	return made, m.fill(box, of, body, inner, isOne)
}

// hasBoxes says whether there is another copy in some code.
func hasBoxes(code loopir.Code) (has bool) {
	loopir.Walk(code, func(s loopir.Stmt) {
		if marked, is := s.(*loopir.Marked); is {
			_, isBox := marked.Mark.(mark.Box)
			has = has || isBox
		}
	})
	return has
}

// copied are the elements of a box that are loaded in front of some code, and stored behind it; nil
// for none.
func (m *mapper) copied(piece *boxes.Box) (loaded, stored *isl.Map, err error) {
	if piece.Memory == mark.Kept {
		kept := m.boxes[piece.Box.String()].KeptBy(piece)
		return kept.Halo, kept.Through, m.env.Model().Context.Err()
	}
	loaded, err = piece.Loaded(m.env.Model())
	return loaded, piece.StoredElements(), err
}

// pieceOf is what some code uses of a copy; isOne says that no other code uses it.
func (m *mapper) pieceOf(said mark.Box, s *loopir.Marked) (piece *boxes.Box, isOne bool, err error) {
	pieces := fmt.Errorf("isl has made several pieces of the code that uses %s in %s memory", said.Array, said.Memory)
	of := m.boxes[said.String()]
	if of == nil {
		return nil, false, pieces
	}
	var statements []string
	for _, r := range loopir.Runs(s.Body) {
		if !slices.Contains(statements, r.Statement.Name) {
			statements = append(statements, r.Statement.Name)
		}
	}
	piece, isOne = of.Piece(statements)
	if len(piece.Uses) == 0 {
		return piece, isOne, nil
	}
	isOne = isOne && !slices.Contains(m.made, said.String())
	m.made = append(m.made, said.String())
	isFree := !of.IsWritten() || said.Memory == mark.Kept
	if isApart := m.addPiece(said, statements, isOne); s.Depth != of.Depth || !isFree && (!isApart || !isOne && said.Early) {
		return nil, false, pieces
	}
	return piece, isOne, nil
}

// addPiece notes a piece of the code that uses a box, and says whether its statements are in none of
// the pieces before: it has all instances of theirs then, and stores what they have written. Pieces
// with all statements, which isAll says, are apart from others of these.
func (m *mapper) addPiece(said mark.Box, statements []string, isAll bool) (isApart bool) {
	if m.pieces == nil {
		m.pieces = map[string][]piece{}
	}
	before := m.pieces[said.String()]
	m.pieces[said.String()] = append(before, piece{statements, isAll})
	return !slices.ContainsFunc(before, func(other piece) bool {
		isCommon := slices.ContainsFunc(statements, func(name string) bool { return slices.Contains(other.statements, name) })
		return isCommon && !(isAll && other.isAll)
	})
}

// piece is a piece of the code that uses a box: its statements, and whether no others use the box.
type piece struct {
	statements []string
	isAll      bool
}

// takes says whether an access of an instance uses a copy.
func (m *mapper) takes(box mark.Box, r *loopir.Run, access int) bool {
	return r.Statement.Statement.Accesses[access].Array == box.Array && box.Takes(m.env.Model().Program.Reference(r.Statement, access))
}

// fill puts loads in front of the code that uses a box, and stores behind it. isOne says that there
// is no other such code: what it has left in a box that moves is not loaded again.
func (m *mapper) fill(box *loopir.Box, of *boxes.Box, body loopir.Code, c context, isOne bool) error {
	if next, is := body.Only().(*loopir.Box); is {
		box.WaitsInFront, box.WaitsBehind = next.WaitsInFront, next.WaitsBehind
	}
	isShared := of.Memory.IsShared()
	loaded, stored, err := m.copied(of)
	if err != nil {
		return err
	}
	if loaded != nil {
		load, err := m.transfer(box, of, loaded, c)
		if err != nil {
			return err
		}
		whole := *load
		if load.If = m.unlessSpared(whole.If, of, c); load.If == whole.If {
			load.Vectors, err = m.vectorsOf(of, loaded, c)
		}
		if err = errors.Join(err, m.env.Model().Context.Err()); err != nil {
			return err
		}
		box.Body = loopir.Code{load}
		if box.Of.Moves.Distance > 0 && isOne && c.goesOn != nil {
			kept, more := whole, *load
			kept.Part, more.Part = loopir.KeptInBox, loopir.NewInBox
			more.Vectors = nil
			box.Body = loopir.Code{
				&loopir.If{Cond: c.goesOn, Then: loopir.Code{&kept}},
				&loopir.Barrier{}, // under no condition, of which PoCL would make two kernels
				&loopir.If{Cond: c.goesOn, Then: loopir.Code{&more}, Else: loopir.Code{load}},
			}
		}
		if isShared && !box.WaitsInFront {
			box.Body, box.WaitsInFront = append(box.Body, &loopir.Barrier{}), true
		}
	}
	box.Body = append(box.Body, body...)
	if stored != nil && !of.Early {
		store, err := m.transfer(box, of, stored, c)
		if err != nil {
			return err
		}
		if store.Store = true; isShared && !box.WaitsBehind {
			box.Body, box.WaitsBehind = append(box.Body, &loopir.Barrier{}), true
		}
		box.Body = append(box.Body, store)
	}
	return nil
}

// valuesIn are the values of the loops around what is in a loop.
func (m *mapper) valuesIn(l *loopir.For, depth int, c context) []*loopir.Expr {
	values := slices.Clone(c.values)
	for len(values) <= depth {
		values = append(values, nil)
	}
	values[depth] = loopir.Named(l.Var)
	if l.Once {
		values[depth] = l.From
	}
	return values
}

// allValues are the values of all loops around what is executed for some. One that isl has left
// out, since it runs once, has the value that those outside of it say.
func (m *mapper) allValues(executions *isl.Set, what string, known []*loopir.Expr) ([]*loopir.Expr, error) {
	values, depth := slices.Clone(known), executions.Dim(isl.DimSet)
	for len(values) < depth {
		values = append(values, nil)
	}
	for d := range depth {
		if values[d] != nil {
			continue
		}
		var names []string
		for k := range d + 1 {
			names = append(names, fmt.Sprint("l", k))
		}
		split := m.env.Model().Context.ReadMap(fmt.Sprintf("{ [%s] -> [[%s] -> [l%d]] }", strings.Join(names, ", "), strings.Join(names[:d], ", "), d))
		around := executions.ProjectOut(isl.DimSet, d+1, depth-d-1).Coalesce()
		inner := around.SimpleHull().ToSet().Apply(split).Unwrap()
		known := split.Range().Unwrap().IntersectDomain(inner.Domain()).Wrap() // of the loops outside alone
		rows, err := scop.Subscripts(inner.DetectEqualities().Wrap().Gist(known).Unwrap().DetectEqualities())
		if err == nil && rows == nil {
			values[d], err = m.onlyValue(around.Apply(split).Unwrap(), values[:d])
		} else if err == nil {
			values[d] = m.atLoops(rows[0], values)
		}
		if err != nil || values[d] == nil {
			return nil, errors.Join(err, fmt.Errorf("isl has left out a loop around %s, whose value is not known", what))
		}
	}
	return values, nil
}

// onlyValue is the value of a loop that the values of those outside of it decide, nil where they do
// not: it may be a quotient.
func (m *mapper) onlyValue(loop *isl.Map, outside []*loopir.Expr) (*loopir.Expr, error) {
	model := m.env.Model()
	if single, err := loop.IsSingleValued(); err != nil || !single {
		return nil, err
	}
	var names, loops, equalities []string
	values := map[string]*loopir.Expr{}
	for k, value := range outside {
		outer := fmt.Sprint("tune_l", k)
		names, loops = append(names, outer), append(loops, fmt.Sprint("tune_at", k))
		equalities = append(equalities, fmt.Sprintf("%s = %s", loops[k], outer))
		values[outer] = value
	}
	parameters := strings.Join(append(slices.Clone(model.Program.Parameters), names...), ", ")
	at := model.Context.ReadSet(fmt.Sprintf("[%s] -> { [%s] : %s }", parameters, strings.Join(loops, ", "), strings.Join(append(equalities, "true"), " and ")))
	only := loop.IntersectDomain(at).Range().IntersectParams(model.Parameters)
	return expressionOf(isl.NewAstBuild(only.Params()).ExprFromPwAff(only.DimMax(0))).Substituted(values), model.Context.Err()
}

// takeRows has, of the loops around a box whose variables have not their values since isl counts
// otherwise, the values that instances inside say.
func (m *mapper) takeRows(of *boxes.Box, code loopir.Code, values []*loopir.Expr) {
	n, place, err := m.env.Tree().Loop(of.Loop)
	if err != nil {
		return
	}
	around := append(m.env.Tree().Outside(n), n.Loops[:place+1]...)
	if len(around) != of.Depth {
		return
	}
	inside := variablesIn(code)
	for d, l := range around {
		if len(l.Terms) != 1 || l.Terms[0].Size > 1 || l.Hexagon != nil {
			continue
		}
		for _, r := range loopir.Runs(code) {
			value := rowAt(l.Terms[0].Rows[r.Statement.Index], r, m.env.Model().Program.Parameters)
			if !loopir.Mentions(value, inside) {
				values[d] = linearOf(value).expression()
				break
			}
		}
	}
}

// variablesIn are those of loops and names in some code.
func variablesIn(code loopir.Code) map[string]bool {
	inside := map[string]bool{}
	loopir.Walk(code, func(s loopir.Stmt) {
		switch s := s.(type) {
		case *loopir.For:
			inside[s.Var] = true
		case *loopir.Let:
			inside[s.Var] = true
		}
	})
	return inside
}

// atLoops is the value of a row of the values of loops.
func (m *mapper) atLoops(row scop.Row, values []*loopir.Expr) *loopir.Expr {
	sum := newLinear()
	sum.constant = row.Constant
	for d, factor := range row.Iterators {
		if factor != 0 {
			sum.add(values[d], factor)
		}
	}
	for k, factor := range row.Parameters {
		sum.add(loopir.Named(m.env.Model().Program.Parameters[k]), factor)
	}
	return sum.expression()
}

// decides says whether a loop's variable decides which elements of some copies instances inside
// use.
func (m *mapper) decides(l *loopir.For, copies []mark.Box) bool {
	variable := map[string]bool{l.Var: true}
	for _, r := range loopir.Runs(l.Body) {
		for k := range r.Statement.Statement.Accesses {
			if !slices.ContainsFunc(copies, func(b mark.Box) bool { return m.takes(b, r, k) }) {
				continue
			}
			rows, err := scop.Subscripts(r.Statement.Accesses[k])
			for _, row := range rows {
				for d, factor := range row.Iterators {
					if err == nil && factor != 0 && loopir.Mentions(r.At[d], variable) {
						return true
					}
				}
			}
		}
	}
	return false
}
