package device

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/boxes"
)

// earlyStores has instances store elements of a box as soon as they have written them for the last
// time in an execution of the box's code.
type earlyStores struct {
	*mapper
	box *loopir.Box
	of  *boxes.Box
	// values are those of the loops around the box.
	values []*loopir.Expr
	// full are the box's full tiles, nil for none.
	full *full
	// conditions are those of instances by the places of their uses, and steps what is known of those
	// of full tiles.
	conditions map[int]*loopir.Expr
	steps      map[fullStep]*stepStores
}

// fullStep is a use's instances in a step of a full tile.
type fullStep struct {
	use    int
	number int64
}

// storeEarly has the instances in some code that uses a box store what they write of it.
func (m *mapper) storeEarly(box *loopir.Box, of *boxes.Box, code loopir.Code, c context) error {
	e := &earlyStores{mapper: m, box: box, of: of, values: c.values[:of.Depth], full: m.fullTiles(of, c), conditions: map[int]*loopir.Expr{}, steps: map[fullStep]*stepStores{}}
	inStep := map[*loopir.Run]*loopir.Step{}
	loopir.Walk(code, func(s loopir.Stmt) {
		if step, is := s.(*loopir.Step); is {
			for _, run := range loopir.Runs(step.Body) {
				inStep[run] = step
			}
		}
	})
	return loopir.Rewrite(code, func(s loopir.Stmt) (loopir.Stmt, error) {
		run, is := s.(*loopir.Run)
		if !is {
			return s, nil
		}
		return e.stores(run, inStep[run])
	})
}

// stores is an instance with what it stores of the box, in a step of a full tile where it is in one.
func (e *earlyStores) stores(run *loopir.Run, step *loopir.Step) (*loopir.Run, error) {
	made := *run
	made.Stores = slices.Clone(run.Stores)
	for k := range e.of.Uses {
		use := &e.of.Uses[k]
		if use.Statement.Name != run.Statement.Name || !use.Write {
			continue
		}
		condition := e.condition(k, use, run, step)
		if condition.IsInt(0) {
			continue
		}
		if condition.IsInt(1) {
			condition = nil
		}
		made.Stores = append(made.Stores, loopir.EarlyStore{Box: e.box, Access: use.Number, If: condition})
	}
	return &made, e.env.Model().Context.Err()
}

// condition is the one under which an instance stores what a use writes.
func (e *earlyStores) condition(k int, use *boxes.Use, run *loopir.Run, step *loopir.Step) *loopir.Expr {
	if step != nil && e.full != nil {
		key := fullStep{k, step.Number}
		known, is := e.steps[key]
		if !is {
			known = e.stepOf(use, step.Number)
			e.steps[key] = known
		}
		if known != nil {
			if condition := known.condition(e.mapper, run); condition != nil {
				return condition
			}
		}
	}
	if e.conditions[k] == nil {
		e.conditions[k] = e.ofAll(use)
	}
	values := map[string]*loopir.Expr{}
	for d, value := range e.values {
		values[fmt.Sprint("tune_l", d)] = value
	}
	for d, value := range run.At {
		values[fmt.Sprint("tune_x", d)] = value
	}
	return settled(e.conditions[k].Substituted(values))
}

// ofAll is the condition of all instances, by names for the values of the loops around and of the
// iterators.
func (e *earlyStores) ofAll(use *boxes.Use) *loopir.Expr {
	names := append(numbered("tune_l", e.of.Depth), numbered("tune_x", use.Statement.Depth())...)
	pairs := func(m *isl.Map) *isl.Set {
		return asParameters(e.env.Model(), e.inSpace(use, m.ProjectOut(isl.DimIn, e.of.Depth, boxes.Dimensions)), names)
	}
	known := pairs(use.Runs).Intersect(e.env.Model().Parameters)
	return expressionOf(isl.NewAstBuild(known).ExprFromSet(pairs(use.Last).Gist(known).Coalesce()))
}

// inSpace is a relation of the values of the loops around to instances as a set of both.
func (e *earlyStores) inSpace(use *boxes.Use, m *isl.Map) *isl.Set {
	loops, iterators := strings.Join(numbered("l", e.of.Depth), ", "), strings.Join(numbered("x", use.Statement.Depth()), ", ")
	return m.Wrap().Apply(e.env.Model().Context.ReadMap(fmt.Sprintf("{ [[%[1]s] -> %[2]s[%[3]s]] -> [%[4]s] }", loops, use.Statement.Name, iterators,
		strings.Join(append(numbered("l", e.of.Depth), numbered("x", use.Statement.Depth())...), ", "))))
}

// numbered are so many names.
func numbered(name string, count int) (names []string) {
	for k := range count {
		names = append(names, fmt.Sprint(name, k))
	}
	return names
}

// stepStores are a use's instances in a step of full tiles, all of which store the same ones: by how
// far they are from the corner of the tile's.
type stepStores struct {
	corner []*loopir.Expr
	// points are all, as a box, and storing those that store.
	points, storing *isl.Set
}

// stepOf are the instances of a use in a step of full tiles; nil where tiles differ.
func (e *earlyStores) stepOf(use *boxes.Use, number int64) *stepStores {
	tiles, s := e.tilesOf(e.full), use.Statement.Index
	points := e.full.phase.Points(e.env.Model(), s, number, number+1)
	corner, _, ok := e.full.boxOf(points, s)
	if !ok || tiles == nil {
		return nil
	}
	made := &stepStores{}
	var distances []string
	for k, row := range corner {
		made.corner = append(made.corner, e.full.at(row))
		distances = append(distances, fmt.Sprintf("tune_x%d - (%s)", k, row.Text(numbered("tune_l", e.of.Depth), e.env.Model().Program.Parameters)))
	}
	away := e.env.Model().Context.ReadMap(fmt.Sprintf("%s{ [%s] -> [%s] }", e.env.Model().Program.ParametersText(),
		strings.Join(append(numbered("tune_l", e.of.Depth), numbered("tune_x", len(corner))...), ", "), strings.Join(distances, ", ")))
	from := func(m *isl.Map) *isl.Set {
		set := e.inSpace(use, m.IntersectDomain(tiles).IntersectParams(e.env.Model().Parameters)).Apply(away)
		return set.ProjectOut(isl.DimParam, 0, set.Dim(isl.DimParam)).Coalesce()
	}
	last := use.Last.ProjectOut(isl.DimIn, e.of.Depth, boxes.Dimensions).Intersect(points)
	made.points, made.storing = from(points), from(last)
	if apart, err := from(points.Subtract(last)).Intersect(made.storing).IsEmpty(); err != nil || !apart {
		return nil
	}
	return made
}

// condition is the one under which an instance of a thread stores, by the numbers of the thread; nil
// where it is not so far from the corner that these say it.
func (s *stepStores) condition(m *mapper, run *loopir.Run) *loopir.Expr {
	var equal, ranges []string
	values := map[string]*loopir.Expr{}
	for d, count := range m.threads {
		name := fmt.Sprint("tune_t", d)
		values[name], ranges = loopir.Index(d), append(ranges, fmt.Sprintf("0 <= %s < %d", name, count))
	}
	for k, corner := range s.corner {
		away := linearOf(loopir.Operation(isl.OpSub, run.At[k], corner))
		text := fmt.Sprint(away.constant)
		for d := range m.threads {
			key := loopir.Index(d).Key()
			text += fmt.Sprintf(" + %d tune_t%d", away.factors[key], d)
			delete(away.factors, key)
		}
		if !away.isConstant() {
			return nil
		}
		equal = append(equal, fmt.Sprintf("d%d = %s", k, text))
	}
	context := m.env.Model().Context
	parameters := "[" + strings.Join(numbered("tune_t", len(m.threads)), ", ") + "] -> "
	at := context.ReadMap(fmt.Sprintf("%s{ [%s] -> [] : %s }", parameters, strings.Join(numbered("d", len(s.corner)), ", "), strings.Join(append(equal, ranges...), " and ")))
	known := s.points.Apply(at).Params()
	return settled(expressionOf(isl.NewAstBuild(known).ExprFromSet(s.storing.Apply(at).Params().Gist(known).Coalesce())).Substituted(values))
}

// stores writes what an instance stores of copies as soon as it has written it there.
func (p *kernelText) stores(r *loopir.Run) error {
	for _, s := range r.Stores {
		array := p.arrays[s.Box.Of.Array]
		target := targetOf(r.Statement.Statement, array.Array)
		if target == nil {
			return fmt.Errorf("nobody knows which element of %s %s writes", array.Spelling(), r.Statement.Statement.Spelling())
		}
		copy, err := p.boxed(s.Box, target, r)
		if err != nil {
			return err
		}
		at, err := p.flat(array, target, r)
		if err != nil {
			return err
		}
		p.copies(s.If, textOf(p.global(p.storedTo(s.Box), at)), textOf(copy))
		if p.inCore != nil {
			p.inCore.loads++
			if s.If != nil {
				p.inCore.Conditions++
			}
		}
	}
	return nil
}

// targetOf is the reference to an array to which a statement gives a value; nil where there is not
// just one.
func targetOf(s *scop.Statement, array *scop.Array) (target *scop.Ref) {
	count := 0
	scop.Walk(s.Value, func(e scop.Expr) bool {
		var left scop.Expr
		switch e := e.(type) {
		case *scop.Binary:
			if isAssignment(e.Operator) {
				left = e.X
			}
		case *scop.Unary:
			if e.Operator == "++" || e.Operator == "--" {
				left = e.X
			}
		}
		if ref, is := left.(*scop.Ref); is && isNamed(array, ref) {
			target, count = ref, count+1
		}
		return true
	})
	if count != 1 {
		return nil
	}
	return target
}
