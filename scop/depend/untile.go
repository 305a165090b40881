package depend

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/flow"
)

// Untile leaves loops over tiles out that the source has, as ii in
//
//	for (ii = 0; ii < n; ii += 32)
//	  for (jj = 0; jj < n; jj += 32)
//	    for (i = ii; i < min(ii + 32, n); i++)
//	      for (j = jj; j < min(jj + 32, n); j++)
//
// whose iterators no statement uses and the iterators inside determine, so that instances stay the
// same. What is left are the loops that somebody has tiled by hand: for the models as good as any
// others. The new order of the instances is that of the loops that are left, which is proven to
// respect all dependences of the old one; where it does not, or nothing can be left out, the
// program is that of m: all such loops of the program are left out, or none.
func Untile(m *scop.Model) (*scop.Program, error) {
	mark := m.Context.Mark()
	defer m.Context.Release(mark)
	u := &untiling{model: m}
	if any, err := u.findTiles(); !any || err != nil {
		return m.Program, err
	}
	if exact, err := u.isExact(); !exact || err != nil {
		return m.Program, err
	}
	p, err := u.program()
	if p == nil || err != nil {
		return m.Program, err
	}
	if legal, err := u.isLegal(p); !legal || err != nil {
		return m.Program, err
	}
	return p, m.Context.Err()
}

// untiling is the search for loops over tiles.
type untiling struct {
	model *scop.Model
	// gone says, for each statement, which of its loops are left out.
	gone [][]bool
}

// findTiles looks for loops that are over tiles for all their statements, and says whether there
// are any.
func (u *untiling) findTiles() (any bool, err error) {
	statements := u.model.Program.Statements
	for s := range statements {
		u.gone = append(u.gone, make([]bool, statements[s].Depth()))
	}
	for s := range statements {
		for loop := range statements[s].Depth() {
			if u.isKnown(s, loop) {
				continue
			}
			is := true
			for _, other := range u.inLoop(s, loop) {
				if is {
					is, err = u.isOverTiles(other, loop)
				}
				if err != nil {
					return false, err
				}
			}
			any = any || is
			for _, other := range u.inLoop(s, loop) {
				u.gone[other][loop] = is
			}
		}
	}
	return any, nil
}

// isKnown says whether an earlier statement has the same loop.
func (u *untiling) isKnown(s, loop int) bool { return u.inLoop(s, loop)[0] < s }

// inLoop are the statements that share a loop with one, which is among them.
func (u *untiling) inLoop(s, loop int) (list []int) {
	statements := u.model.Program.Statements
	for k := range statements {
		if k == s || statements[s].CommonLoops(&statements[k]) > loop {
			list = append(list, k)
		}
	}
	return list
}

// isOverTiles says whether a statement does not use a loop's iterator, which its other iterators
// determine.
func (u *untiling) isOverTiles(s, loop int) (bool, error) {
	own := &u.model.Statements[s]
	if own.Depth() == 1 || slices.ContainsFunc(own.Uses, func(use scop.Use) bool { return use.Loop == loop }) {
		return false, nil
	}
	gone := make([]bool, own.Depth())
	gone[loop] = true
	return determines(own.Domain, gone)
}

// determines says whether each point of a set is the only one with its coordinates apart from those
// that are gone.
func determines(points *isl.Set, gone []bool) (bool, error) {
	pairs := points.MapTo(points)
	for k, is := range gone {
		if !is {
			pairs = pairs.Equate(isl.DimIn, k, isl.DimOut, k)
		}
	}
	same := pairs
	for k := range gone {
		same = same.Equate(isl.DimIn, k, isl.DimOut, k)
	}
	return pairs.IsSubset(same)
}

// isExact says whether what is left determines the loops that are gone together, and, of the loops
// around the declaration of a private array that a statement uses, those that are gone: each
// instance has the object that it had.
func (u *untiling) isExact() (bool, error) {
	p := u.model.Program
	for s := range u.model.Statements {
		own := &u.model.Statements[s]
		if exact, err := determines(own.Domain, u.gone[s]); !exact || err != nil {
			return false, err
		}
		for _, a := range own.Statement.Accesses {
			loops := p.PrivateLoops(a.Array)
			if loops == 0 || !slices.Contains(u.gone[s][:loops], true) {
				continue
			}
			around := own.Domain.ProjectOut(isl.DimSet, loops, own.Depth()-loops)
			if exact, err := determines(around, u.gone[s][:loops]); !exact || err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// program is the program without the loops; nil where a reference changes.
func (u *untiling) program() (*scop.Program, error) {
	q := *u.model.Program
	q.Statements, q.Locals = slices.Clone(q.Statements), slices.Clone(q.Locals)
	positions := u.positions()
	for s := range q.Statements {
		statement := &q.Statements[s]
		for loop, gone := range u.gone[s] {
			if gone && !slices.Contains(q.Untiled, statement.Loops[loop].Iterator) {
				q.Untiled = append(q.Untiled, statement.Loops[loop].Iterator)
			}
		}
		ok, err := u.leaveOut(statement, s)
		if !ok || err != nil {
			return nil, err
		}
		statement.Position = positions[s]
	}
	for k := range q.Locals {
		q.Locals[k].Loops = u.loopsLeft(q.Locals[k].Loops, q.Locals[k].Name)
	}
	return &q, nil
}

// leaveOut takes the loops out of a statement; ok is false where a reference's elements are others
// then.
func (u *untiling) leaveOut(statement *scop.Statement, s int) (ok bool, err error) {
	own, gone := &u.model.Statements[s], u.gone[s]
	if !slices.Contains(gone, true) {
		return true, nil
	}
	statement.Domain = withoutDivs(project(own.Domain, gone)).SetTupleName(own.Name).Coalesce().String()
	statement.Accesses = slices.Clone(statement.Accesses)
	left := u.left(s)
	for a := range statement.Accesses {
		before := u.model.Context.ReadMap(statement.Accesses[a].Relation)
		after := before
		for loop, gone := range slices.Backward(gone) {
			if gone {
				after = after.ProjectOut(isl.DimIn, loop, 1)
			}
		}
		after = after.SetTupleName(isl.DimIn, own.Name)
		same, err := left.ApplyRange(after).IntersectDomain(own.Domain).IsEqual(before.IntersectDomain(own.Domain))
		if !same || err != nil {
			return false, err
		}
		statement.Accesses[a].Relation = after.String()
	}
	statement.LeaveOut(gone)
	return true, nil
}

// project leaves coordinates out of the points of a set.
func project(points *isl.Set, gone []bool) *isl.Set {
	for k, is := range slices.Backward(gone) {
		if is {
			points = points.ProjectOut(isl.DimSet, k, 1)
		}
	}
	return points
}

// withoutDivs is a set without the integer divisions that describe it, where it is the same.
func withoutDivs(s *isl.Set) *isl.Set {
	if simple := s.RemoveDivs(); simple != nil {
		if same, err := simple.IsSubset(s); same && err == nil {
			return simple
		}
	}
	return s
}

// left relates the instances of a statement to those of it without the loops that are gone.
func (u *untiling) left(s int) *isl.Map {
	var before, after []string
	for k, gone := range u.gone[s] {
		name := fmt.Sprintf("i%d", k)
		before = append(before, name)
		if !gone {
			after = append(after, name)
		}
	}
	name := u.model.Statements[s].Name
	return u.model.Context.ReadMap(fmt.Sprintf("{ %s[%s] -> %s[%s] }", name, strings.Join(before, ", "), name, strings.Join(after, ", ")))
}

// loopsLeft is how many of the outermost loops around a variable's declaration are left.
func (u *untiling) loopsLeft(loops int, name string) (left int) {
	p := u.model.Program
	for s := range p.Statements {
		if !slices.ContainsFunc(p.Statements[s].Accesses, func(a scop.Access) bool { return p.PrivateLoops(a.Array) > 0 && p.LocalOf(a.Array) == name }) {
			continue
		}
		for _, gone := range u.gone[s][:loops] {
			if !gone {
				left++
			}
		}
		return left
	}
	return 0
}

// positions are the textual positions of all statements: those of a loop that is gone and of what
// is inside are one, numbered anew among the loops and statements of the loop around.
func (u *untiling) positions() [][]int {
	statements := u.model.Program.Statements
	merged := make([][][]int, len(statements))
	for s := range statements {
		own := [][]int{{statements[s].Position[0]}}
		for loop, gone := range u.gone[s] {
			next := statements[s].Position[loop+1]
			if last := len(own) - 1; gone {
				own[last] = append(own[last], next)
			} else {
				own = append(own, []int{next})
			}
		}
		merged[s] = own
	}
	positions := make([][]int, len(statements))
	for s, own := range merged {
		for k := range own {
			positions[s] = append(positions[s], rankAmong(merged, own, k))
		}
	}
	return positions
}

// rankAmong is the number of different positions in front of the k-th of own among those behind the
// same ones.
func rankAmong(all [][][]int, own [][]int, k int) int {
	var before [][]int
	for _, other := range all {
		if len(other) > k && slices.EqualFunc(other[:k], own[:k], slices.Equal) && slices.Compare(other[k], own[k]) < 0 {
			before = append(before, other[k])
		}
	}
	slices.SortFunc(before, slices.Compare)
	return len(slices.CompactFunc(before, slices.Equal))
}

// isLegal proves that all dependences go forwards in the order of the program without the loops.
func (u *untiling) isLegal(p *scop.Program) (bool, error) {
	g, err := Analyze(u.model)
	if err != nil {
		return false, err
	}
	after, err := p.Model(u.model.Context)
	if err != nil {
		return false, err
	}
	longest := flow.LongestTime(after)
	order := u.model.Context.ReadUnionMap("{ }")
	for s := range after.Statements {
		time := u.model.Context.ReadMap(flow.PaddedTime(&after.Statements[s], longest))
		order = order.Union(u.left(s).ApplyRange(time).ToUnionMap())
	}
	times, err := g.timesOf(order)
	if err != nil {
		return false, err
	}
	for _, d := range Distinct(g.Dependences) {
		err := g.checkOrder(d, times, true)
		if violation := new(Violation); errors.As(err, &violation) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}
