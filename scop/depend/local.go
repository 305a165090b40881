package depend

import (
	"errors"
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// checkContract proves that an array that has memory for one execution of the code below a mark
// alone has the values that it had with memory of its own for each element: all dependences through
// it are between instances of one execution, so that no element is used in two of them; the
// subscripts in one execution are the old ones less a number that is the same for all, and within
// the new extents; and no two executions are at the same time, unless they are iterations of
// parallel loops and each thread has memory of its own: a thread runs the whole of an iteration.
// What is read without being written before has no value that counts: the array is one that Expand
// has made.
func (g *marksCheck) checkContract(m mark.Local, node *isl.ScheduleNode, around []mark.Mark) error {
	if !slices.ContainsFunc(g.Model.Program.Expansions, func(e scop.Expansion) bool { return e.Name == m.Array }) {
		return fmt.Errorf("illegal schedule: the mark %q contracts an array whose values somebody else may need", m)
	}
	if len(m.Sides) == 0 {
		return fmt.Errorf("illegal schedule: the mark %q has no dimension", m)
	}
	if err := checkMemory(m, around); err != nil {
		return err
	}
	uses, err := g.contractedUses(node, m)
	if err != nil {
		return err
	}
	if err := g.checkSubscripts(node, m, uses); err != nil {
		return err
	}
	return g.checkTogether(m.Array, node)
}

// checkMemory proves that no two executions of the code below a mark that have the same memory are
// at the same time. around are the marks around it.
func checkMemory(m mark.Local, around []mark.Mark) error {
	if err := checkAllocated(m, around); err != nil {
		return err
	}
	shared := 0 // the loops that threads share, of which those that they share together count once
	for _, outer := range around {
		_, isParallel := outer.(mark.Parallel)
		if isParallel {
			shared++
		}
		if _, is := outer.(mark.Collapse); is {
			shared--
		}
		if loop, atOnce := runsAtOnce(outer); atOnce && !(isParallel && m.Own) {
			return fmt.Errorf("illegal schedule: iterations of the loop %s, which run at the same time, share the memory of %s", loop, m.Array)
		}
	}
	if m.Own && shared > 1 {
		return fmt.Errorf("illegal schedule: threads share a loop inside of one that threads share, and have the same numbers as others, whose memory of %s they would use", m.Array)
	}
	return nil
}

// checkAllocated proves that copies whose memory is made around them all are not there at the same
// time.
func checkAllocated(m mark.Local, around []mark.Mark) error {
	made := slices.IndexFunc(around, func(outer mark.Mark) bool {
		a, is := outer.(mark.Allocate)
		return is && a.Array == m.Array
	})
	if made < 0 {
		return nil
	}
	for _, outer := range around[made:] {
		if loop, atOnce := runsAtOnce(outer); atOnce {
			return fmt.Errorf("illegal schedule: iterations of the loop %s, which run at the same time, share the memory that %s has for copies of %s", loop, mark.LoopOf(around[made]), m.Array)
		}
	}
	return nil
}

// checkSubscripts proves that the subscripts of all uses are within the memory's extents, and that
// those of one execution are the old ones less a number that is the same for all.
func (g *Graph) checkSubscripts(node *isl.ScheduleNode, m mark.Local, uses []localUse) error {
	for _, u := range uses {
		if err := g.checkTiles(u, m); err != nil {
			return err
		}
	}
	return g.checkOrigins(node, m, uses)
}

// localUse is one access of a statement to an array with memory of its own: it relates the
// statement's instances below the mark, with extra tile coordinates in front of their iterators, to
// elements.
type localUse struct {
	statement string
	extra     int
	elements  *isl.Map
}

// contractedUses are all accesses to a contracted array. It proves that all instances that have one
// are below the mark.
func (g *Graph) contractedUses(node *isl.ScheduleNode, m mark.Local) (uses []localUse, err error) {
	below := map[string]*isl.Set{}
	for _, set := range node.Domain().Sets() {
		below[set.TupleName()] = set
	}
	for k := range g.Model.Statements {
		s := &g.Model.Statements[k]
		for a, access := range s.Statement.Accesses {
			if access.Array != m.Array {
				continue
			}
			instances := below[s.Name]
			if instances == nil {
				return nil, fmt.Errorf("illegal schedule: %s uses %s outside of the mark %q", s.Spelling(), m.Array, m)
			}
			u, contraction, err := g.localUse(s, a, instances)
			if err != nil {
				return nil, err
			}
			if all, err := s.Domain.IsSubset(contraction.Range()); err != nil || !all {
				return nil, errors.Join(err, fmt.Errorf("illegal schedule: instances of %s use %s outside of the mark %q", s.Spelling(), m.Array, m))
			}
			uses = append(uses, u)
		}
	}
	return uses, nil
}

// localUse is an access of some instances of a statement, which have tile coordinates in front of
// their iterators; contraction leaves these out.
func (g *Graph) localUse(s *scop.StatementModel, access int, instances *isl.Set) (u localUse, contraction *isl.Map, err error) {
	extra, err := g.extraDimensions(s.Name, instances.Dim(isl.DimSet))
	if err != nil {
		return u, nil, err
	}
	contraction = instances.Contraction(extra).SetTupleName(isl.DimOut, s.Name)
	return localUse{s.Name, extra, contraction.ApplyRange(s.Accesses[access])}, contraction, nil
}

// subscripts relate the instances to their subscripts in one dimension.
func (u localUse) subscripts(dimension int) *isl.Map {
	return u.elements.ProjectOut(isl.DimOut, dimension+1, u.elements.Dim(isl.DimOut)-dimension-1).ProjectOut(isl.DimOut, 0, dimension)
}

// checkTiles proves that the new subscripts of a use are within a tile.
func (g *Graph) checkTiles(u localUse, m mark.Local) error {
	for _, side := range m.Sides {
		if side.Dimension < 0 || side.Dimension >= u.elements.Dim(isl.DimOut) {
			return fmt.Errorf("illegal schedule: the mark %q names a dimension that %s has not", m, m.Array)
		}
		if side.Size == 1 {
			if m.Loop == "" && !g.begins(m.Array, side) {
				return fmt.Errorf("illegal schedule: the mark %q has another first iteration than %s", m, m.Array)
			}
			continue
		}
		place, known := side.Tiles[u.statement]
		if !known || place < 0 || place >= u.extra {
			return fmt.Errorf("illegal schedule: the mark %q names no tile of %s", m, u.statement)
		}
		inside := g.Model.Context.ReadMap(fmt.Sprintf("{ [tile] -> [subscript] : 0 <= subscript + %d - %d tile < %d }", side.Offset, side.Size, side.Extent))
		if within, err := onTile(u.subscripts(side.Dimension), place).IsSubset(inside); err != nil || !within {
			return errors.Join(err, fmt.Errorf("illegal schedule: the mark %q has too few elements of %s for %s", m, m.Array, u.statement))
		}
	}
	return nil
}

// begins says whether the one element of a side is that with subscript 0, which the array's first
// iteration has.
func (g *Graph) begins(array string, side mark.LocalSide) bool {
	return slices.ContainsFunc(g.Model.Program.Expansions, func(e scop.Expansion) bool {
		return e.Name == array && side.Dimension < len(e.First) && e.First[side.Dimension] == side.Offset
	})
}

// onTile relates a tile coordinate to what the instances with it are related to.
func onTile(m *isl.Map, place int) *isl.Map {
	return m.ProjectOut(isl.DimIn, place+1, m.Dim(isl.DimIn)-place-1).ProjectOut(isl.DimIn, 0, place)
}

// checkOrigins proves that in one execution of the code below a mark all statements have the same
// tile coordinates, from which the subscripts of the array count, and the same subscript where it
// has one element.
func (g *Graph) checkOrigins(node *isl.ScheduleNode, m mark.Local, uses []localUse) error {
	times := map[string]*isl.Map{}
	for _, own := range node.PrefixScheduleUnionMap().IntersectDomain(node.Domain()).Maps() {
		times[own.TupleName(isl.DimIn)] = own
	}
	for _, side := range m.Sides {
		var all *isl.Map
		for _, u := range uses {
			var own *isl.Map
			if side.Size == 1 {
				own = u.subscripts(side.Dimension).Reverse().ApplyRange(times[u.statement])
			} else {
				own = onTile(times[u.statement], side.Tiles[u.statement])
			}
			if all != nil {
				own = all.Union(own)
			}
			all = own
		}
		if all == nil {
			return fmt.Errorf("illegal schedule: the mark %q names no statement below it", m)
		}
		if same, err := all.IsInjective(); err != nil || !same {
			return errors.Join(err, fmt.Errorf("illegal schedule: %s has memory for one tile, and one iteration of the loop runs several", m.Array))
		}
	}
	return nil
}
