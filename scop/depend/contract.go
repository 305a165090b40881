package depend

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
)

// ContractMark is what a mark says of an expanded array whose memory has elements for one
// execution of the code below it alone.
type ContractMark struct {
	Array string
	// Own says that each thread has memory of its own for it.
	Own   bool
	Sides []ContractSide
}

// ownWord is the word for that in the mark's name.
const ownWord = "own"

// ContractSide is a dimension of the array that is as long as a tile: to its subscript Offset is added and
// Size times a tile coordinate is subtracted, which leaves 0 to Size - 1. A side of Size 1 has the subscript 0,
// that of the iteration Offset, and needs no tile.
type ContractSide struct {
	Dimension    int
	Size, Offset int64
	// Tiles are the places of that coordinate among those in front of the iterators, by the
	// names of the statements.
	Tiles map[string]int
}

// String is the mark's name.
func (m ContractMark) String() string {
	words := []string{MarkContract, m.Array}
	if m.Own {
		words = append(words, ownWord)
	}
	for _, side := range m.Sides {
		words = append(words, fmt.Sprintf("%d:%d:%d", side.Dimension, side.Size, side.Offset))
		for _, name := range slices.Sorted(maps.Keys(side.Tiles)) {
			words = append(words, fmt.Sprintf("%s@%d", name, side.Tiles[name]))
		}
	}
	return strings.Join(words, " ")
}

// ContractMarkOf reads a mark's name.
func ContractMarkOf(name string) (m ContractMark, err error) {
	words := strings.Fields(name)
	if len(words) < 3 || words[0] != MarkContract {
		return m, fmt.Errorf("the mark %q contracts no array", name)
	}
	m.Array, m.Own = words[1], words[2] == ownWord
	words = words[2:]
	if m.Own {
		words = words[1:]
	}
	for _, word := range words {
		statement, place, isTile := strings.Cut(word, "@")
		tile, side := 0, ContractSide{Tiles: map[string]int{}}
		if isTile && len(m.Sides) > 0 {
			_, err = fmt.Sscan(place, &tile)
			m.Sides[len(m.Sides)-1].Tiles[statement] = tile
		} else {
			_, err = fmt.Sscanf(word, "%d:%d:%d", &side.Dimension, &side.Size, &side.Offset)
			m.Sides = append(m.Sides, side)
		}
		if err != nil {
			return m, fmt.Errorf("the mark %q: %w", name, err)
		}
	}
	if len(m.Sides) == 0 {
		return m, fmt.Errorf("the mark %q has no dimension", name)
	}
	return m, nil
}

// checkContract proves that an array that has memory for one execution of the code below a mark
// alone has the values that it had with memory of its own for each element: all dependences through it are
// between instances of one execution, so that no element is used in two of them; the subscripts in one
// execution are the old ones less a number that is the same for all, and within the new extents; and no two
// executions are at the same time, unless they are iterations of parallel loops and each thread has memory of its own: a thread
// runs the whole of an iteration. What is read without being written before has no value that
// counts: the array is one that Expand has made.
func (g *Graph) checkContract(node *isl.ScheduleNode, around []string) error {
	mark, err := ContractMarkOf(node.MarkName())
	if err != nil {
		return fmt.Errorf("illegal schedule: %w", err)
	}
	if !slices.ContainsFunc(g.Model.Program.Expansions, func(e scop.Expansion) bool { return e.Name == mark.Array }) {
		return fmt.Errorf("illegal schedule: the mark %q contracts an array whose values somebody else may need", node.MarkName())
	}
	for _, outer := range around {
		kind, loop, _ := cutMark(outer)
		onThreads := kind == MarkParallel && !mark.Own
		if onThreads || slices.Contains([]string{MarkVector, MarkBeside, MarkRegion}, kind) {
			return fmt.Errorf("illegal schedule: iterations of the loop %s, which run at the same time, share the memory of %s", loop, mark.Array)
		}
	}
	uses, err := g.contractedUses(node, mark)
	if err != nil {
		return err
	}
	for _, u := range uses {
		if err := g.checkTiles(u, mark); err != nil {
			return err
		}
	}
	if err := g.checkOrigins(node, mark, uses); err != nil {
		return err
	}
	outer, err := g.timesOf(node.PrefixScheduleUnionMap().IntersectDomain(node.Domain()))
	if err != nil {
		return err
	}
	for _, d := range slices.Concat(g.Dependences, g.Relaxed) {
		if g.Model.Statements[d.Source].Statement.Accesses[d.SourceAccess].Array != mark.Array {
			continue
		}
		reason := fmt.Sprintf("%s has memory for one iteration of the loop alone, and it goes from one to another", mark.Array)
		if err := g.mustBeEmpty(d, d.Relation.Subtract(g.together(d, outer, outer)), reason); err != nil {
			return err
		}
	}
	return nil
}

// contractedUse is one access of a statement to a contracted array: it relates the statement's instances below the mark,
// with extra tile coordinates in front of their iterators, to elements.
type contractedUse struct {
	statement string
	extra     int
	elements  *isl.Map
}

// contractedUses are all accesses to a contracted array. It proves that all instances that have one are below the mark.
func (g *Graph) contractedUses(node *isl.ScheduleNode, mark ContractMark) (uses []contractedUse, err error) {
	below := map[string]*isl.Set{}
	for _, set := range node.Domain().Sets() {
		below[set.TupleName()] = set
	}
	for k := range g.Model.Statements {
		s := &g.Model.Statements[k]
		for a, access := range s.Statement.Accesses {
			if access.Array != mark.Array {
				continue
			}
			instances := below[s.Name]
			if instances == nil {
				return nil, fmt.Errorf("illegal schedule: %s uses %s outside of the mark %q", s.Spelling(), mark.Array, node.MarkName())
			}
			extra, err := g.extraDimensions(s.Name, instances.Dim(isl.DimSet))
			if err != nil {
				return nil, err
			}
			contraction := instances.Contraction(extra).SetTupleName(isl.DimOut, s.Name)
			if all, err := s.Domain.IsSubset(contraction.Range()); err != nil || !all {
				return nil, errors.Join(err, fmt.Errorf("illegal schedule: instances of %s use %s outside of the mark %q", s.Spelling(), mark.Array, node.MarkName()))
			}
			uses = append(uses, contractedUse{s.Name, extra, contraction.ApplyRange(s.Accesses[a])})
		}
	}
	return uses, nil
}

// subscripts relate the instances to their subscripts in one dimension.
func (u contractedUse) subscripts(dimension int) *isl.Map {
	return u.elements.ProjectOut(isl.DimOut, dimension+1, u.elements.Dim(isl.DimOut)-dimension-1).ProjectOut(isl.DimOut, 0, dimension)
}

// checkTiles proves that the new subscripts of a use are within a tile.
func (g *Graph) checkTiles(u contractedUse, mark ContractMark) error {
	for _, side := range mark.Sides {
		if side.Dimension < 0 || side.Dimension >= u.elements.Dim(isl.DimOut) {
			return fmt.Errorf("illegal schedule: the mark %q names a dimension that %s has not", mark, mark.Array)
		}
		if side.Size == 1 {
			if !g.begins(mark.Array, side) {
				return fmt.Errorf("illegal schedule: the mark %q has another first iteration than %s", mark, mark.Array)
			}
			continue
		}
		place, known := side.Tiles[u.statement]
		if !known || place < 0 || place >= u.extra {
			return fmt.Errorf("illegal schedule: the mark %q names no tile of %s", mark, u.statement)
		}
		inside := g.Model.Context.ReadMap(fmt.Sprintf("{ [tile] -> [subscript] : 0 <= subscript + %d - %d tile < %[2]d }", side.Offset, side.Size))
		if within, err := onTile(u.subscripts(side.Dimension), place).IsSubset(inside); err != nil || !within {
			return errors.Join(err, fmt.Errorf("illegal schedule: the mark %q has too few elements of %s for %s", mark, mark.Array, u.statement))
		}
	}
	return nil
}

// begins says whether the one element of a side is that with subscript 0, which the array's first iteration has.
func (g *Graph) begins(array string, side ContractSide) bool {
	return slices.ContainsFunc(g.Model.Program.Expansions, func(e scop.Expansion) bool {
		return e.Name == array && side.Dimension < len(e.First) && e.First[side.Dimension] == side.Offset
	})
}

// onTile relates a tile coordinate to what the instances with it are related to.
func onTile(m *isl.Map, place int) *isl.Map {
	return m.ProjectOut(isl.DimIn, place+1, m.Dim(isl.DimIn)-place-1).ProjectOut(isl.DimIn, 0, place)
}

// checkOrigins proves that in one execution of the code below a mark all statements have the same
// tile coordinates, from which the subscripts of the array count, and the same subscript where it has one element.
func (g *Graph) checkOrigins(node *isl.ScheduleNode, mark ContractMark, uses []contractedUse) error {
	times := map[string]*isl.Map{}
	for _, m := range node.PrefixScheduleUnionMap().IntersectDomain(node.Domain()).Maps() {
		times[m.TupleName(isl.DimIn)] = m
	}
	for _, side := range mark.Sides {
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
			return fmt.Errorf("illegal schedule: the mark %q names no statement below it", mark)
		}
		if same, err := all.IsInjective(); err != nil || !same {
			return errors.Join(err, fmt.Errorf("illegal schedule: %s has memory for one tile, and one iteration of the loop runs several", mark.Array))
		}
	}
	return nil
}
