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

// LocalMark is what a mark says of an array that has memory with elements for one execution of the code below it
// alone: an expanded array, for which there is no other (MarkContract), or one of the program's, whose
// elements are copied to that memory before the code and back behind it (MarkCopy).
type LocalMark struct {
	// Loop is the loop in each of whose iterations elements are copied, "" for an expanded array.
	Loop  string
	Array string
	// Own says that each thread has memory of its own for it.
	Own   bool
	Sides []LocalSide
}

// ownWord is the word for that in the mark's name.
const ownWord = "own"

// LocalSide is a dimension of the array that is as long as a tile, or as what a tile touches: to its subscript Offset is added and
// Size times a tile coordinate is subtracted, which leaves 0 to Extent - 1. A side of Size 1 has the subscript 0,
// that of the iteration Offset, and needs no tile.
type LocalSide struct {
	Dimension            int
	Size, Offset, Extent int64
	// Tiles are the places of that coordinate among those in front of the iterators, by the
	// names of the statements.
	Tiles map[string]int
}

// String is the mark's name.
func (m LocalMark) String() string {
	words := []string{MarkContract, m.Array}
	if m.Loop != "" {
		words = []string{MarkCopy, m.Loop, m.Array}
	}
	if m.Own {
		words = append(words, ownWord)
	}
	for _, side := range m.Sides {
		word := fmt.Sprintf("%d:%d:%d", side.Dimension, side.Size, side.Offset)
		if side.Extent != side.Size {
			word += fmt.Sprintf(":%d", side.Extent)
		}
		words = append(words, word)
		for _, name := range slices.Sorted(maps.Keys(side.Tiles)) {
			words = append(words, fmt.Sprintf("%s@%d", name, side.Tiles[name]))
		}
	}
	return strings.Join(words, " ")
}

// LocalMarkOf reads a mark's name.
func LocalMarkOf(name string) (m LocalMark, err error) {
	words := strings.Fields(name)
	if len(words) > 2 && words[0] == MarkCopy {
		m.Loop, words = words[1], words[1:]
	} else if len(words) == 0 || words[0] != MarkContract {
		words = nil
	}
	if len(words) < 3 {
		return m, fmt.Errorf("the mark %q says of no array that it has memory of its own", name)
	}
	m.Array, m.Own = words[1], words[2] == ownWord
	words = words[2:]
	if m.Own {
		words = words[1:]
	}
	for _, word := range words {
		statement, place, isTile := strings.Cut(word, "@")
		tile, side := 0, LocalSide{Tiles: map[string]int{}}
		if isTile && len(m.Sides) > 0 {
			_, err = fmt.Sscan(place, &tile)
			m.Sides[len(m.Sides)-1].Tiles[statement] = tile
		} else {
			_, err = fmt.Sscanf(word, "%d:%d:%d", &side.Dimension, &side.Size, &side.Offset)
			side.Extent = side.Size
			if strings.Count(word, ":") > 2 && err == nil {
				_, err = fmt.Sscanf(word[strings.LastIndex(word, ":"):], ":%d", &side.Extent)
			}
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
	mark, err := LocalMarkOf(node.MarkName())
	if err != nil {
		return fmt.Errorf("illegal schedule: %w", err)
	}
	if !slices.ContainsFunc(g.Model.Program.Expansions, func(e scop.Expansion) bool { return e.Name == mark.Array }) {
		return fmt.Errorf("illegal schedule: the mark %q contracts an array whose values somebody else may need", node.MarkName())
	}
	if err := mark.checkMemory(around); err != nil {
		return err
	}
	uses, err := g.contractedUses(node, mark)
	if err != nil {
		return err
	}
	if err := g.checkSubscripts(node, mark, uses); err != nil {
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

// checkMemory proves that no two executions of the code below a mark that have the same memory are at the same time. around are the
// names of the marks around it.
func (m LocalMark) checkMemory(around []string) error {
	shared := 0 // the loops that threads share, of which those that they share together count once
	for _, outer := range around {
		kind, loop, _ := cutMark(outer)
		switch kind {
		case MarkParallel:
			shared++
		case MarkCollapse:
			shared--
		}
		onThreads := kind == MarkParallel && !m.Own
		if onThreads || slices.Contains([]string{MarkVector, MarkBeside, MarkRegion}, kind) {
			return fmt.Errorf("illegal schedule: iterations of the loop %s, which run at the same time, share the memory of %s", loop, m.Array)
		}
	}
	if m.Own && shared > 1 {
		return fmt.Errorf("illegal schedule: threads share a loop inside of one that threads share, and have the same numbers as others, whose memory of %s they would use", m.Array)
	}
	return nil
}

// checkSubscripts proves that the subscripts of all uses are within the memory's extents, and that those of one execution are the old ones less
// a number that is the same for all.
func (g *Graph) checkSubscripts(node *isl.ScheduleNode, mark LocalMark, uses []localUse) error {
	for _, u := range uses {
		if err := g.checkTiles(u, mark); err != nil {
			return err
		}
	}
	return g.checkOrigins(node, mark, uses)
}

// localUse is one access of a statement to an array with memory of its own: it relates the statement's instances below the mark,
// with extra tile coordinates in front of their iterators, to elements.
type localUse struct {
	statement string
	extra     int
	elements  *isl.Map
}

// contractedUses are all accesses to a contracted array. It proves that all instances that have one are below the mark.
func (g *Graph) contractedUses(node *isl.ScheduleNode, mark LocalMark) (uses []localUse, err error) {
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
			u, contraction, err := g.localUse(s, a, instances)
			if err != nil {
				return nil, err
			}
			if all, err := s.Domain.IsSubset(contraction.Range()); err != nil || !all {
				return nil, errors.Join(err, fmt.Errorf("illegal schedule: instances of %s use %s outside of the mark %q", s.Spelling(), mark.Array, node.MarkName()))
			}
			uses = append(uses, u)
		}
	}
	return uses, nil
}

// localUse is an access of some instances of a statement, which have tile coordinates in front of their iterators; contraction leaves these out.
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
func (g *Graph) checkTiles(u localUse, mark LocalMark) error {
	for _, side := range mark.Sides {
		if side.Dimension < 0 || side.Dimension >= u.elements.Dim(isl.DimOut) {
			return fmt.Errorf("illegal schedule: the mark %q names a dimension that %s has not", mark, mark.Array)
		}
		if side.Size == 1 {
			if mark.Loop == "" && !g.begins(mark.Array, side) {
				return fmt.Errorf("illegal schedule: the mark %q has another first iteration than %s", mark, mark.Array)
			}
			continue
		}
		place, known := side.Tiles[u.statement]
		if !known || place < 0 || place >= u.extra {
			return fmt.Errorf("illegal schedule: the mark %q names no tile of %s", mark, u.statement)
		}
		inside := g.Model.Context.ReadMap(fmt.Sprintf("{ [tile] -> [subscript] : 0 <= subscript + %d - %d tile < %d }", side.Offset, side.Size, side.Extent))
		if within, err := onTile(u.subscripts(side.Dimension), place).IsSubset(inside); err != nil || !within {
			return errors.Join(err, fmt.Errorf("illegal schedule: the mark %q has too few elements of %s for %s", mark, mark.Array, u.statement))
		}
	}
	return nil
}

// begins says whether the one element of a side is that with subscript 0, which the array's first iteration has.
func (g *Graph) begins(array string, side LocalSide) bool {
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
func (g *Graph) checkOrigins(node *isl.ScheduleNode, mark LocalMark, uses []localUse) error {
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
