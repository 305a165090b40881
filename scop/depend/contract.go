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
	Sides []ContractSide
}

// ContractSide is a dimension of the array that is as long as a tile: to its subscript Offset is added and
// Size times a tile coordinate is subtracted, which leaves 0 to Size - 1.
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
	m.Array = words[1]
	for _, word := range words[2:] {
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
	return m, nil
}

// checkContract proves that an array that has memory for one execution of the code below a mark
// alone has the values that it had with memory of its own for each element: all dependences through it are
// between instances of one execution, so that no element is used in two of them; the subscripts in one
// execution are the old ones less a number that is the same for all, and within the new extents; and no two
// executions are at the same time. What is read without being written before has no value that
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
		switch kind, loop, _ := cutMark(outer); kind {
		case MarkParallel, MarkVector, MarkBeside, MarkRegion:
			return fmt.Errorf("illegal schedule: iterations of the loop %s, which run at the same time, share the memory of %s", loop, mark.Array)
		}
	}
	if err := g.checkTiles(node, mark); err != nil {
		return err
	}
	if err := g.checkOrigins(node, mark); err != nil {
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

// checkTiles proves that all instances that use a contracted array are below its mark, with subscripts
// within a tile.
func (g *Graph) checkTiles(node *isl.ScheduleNode, mark ContractMark) error {
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
				return fmt.Errorf("illegal schedule: %s uses %s outside of the mark %q", s.Spelling(), mark.Array, node.MarkName())
			}
			extra, err := g.extraDimensions(s.Name, instances.Dim(isl.DimSet))
			if err != nil {
				return err
			}
			contraction := instances.Contraction(extra).SetTupleName(isl.DimOut, s.Name)
			if all, err := s.Domain.IsSubset(contraction.Range()); err != nil || !all {
				return errors.Join(err, fmt.Errorf("illegal schedule: instances of %s use %s outside of the mark %q", s.Spelling(), mark.Array, node.MarkName()))
			}
			elements := contraction.ApplyRange(s.Accesses[a])
			for _, side := range mark.Sides {
				if err := g.checkSide(elements, extra, s.Name, mark, side); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// checkSide proves that the new subscripts of one dimension are within a tile. elements relates the
// instances of a statement, with their tile coordinates, to elements.
func (g *Graph) checkSide(elements *isl.Map, extra int, statement string, mark ContractMark, side ContractSide) error {
	place, known := side.Tiles[statement]
	if !known || place < 0 || place >= extra || side.Dimension < 0 || side.Dimension >= elements.Dim(isl.DimOut) {
		return fmt.Errorf("illegal schedule: the mark %q names no tile of %s", mark, statement)
	}
	subscripts := elements.ProjectOut(isl.DimOut, side.Dimension+1, elements.Dim(isl.DimOut)-side.Dimension-1).ProjectOut(isl.DimOut, 0, side.Dimension)
	inside := g.Model.Context.ReadMap(fmt.Sprintf("{ [tile] -> [subscript] : 0 <= subscript + %d - %d tile < %[2]d }", side.Offset, side.Size))
	within, err := onTile(subscripts, place).IsSubset(inside)
	if err != nil || within {
		return err
	}
	return fmt.Errorf("illegal schedule: the mark %q has too few elements of %s for %s", mark, mark.Array, statement)
}

// onTile relates a tile coordinate to what the instances with it are related to.
func onTile(m *isl.Map, place int) *isl.Map {
	return m.ProjectOut(isl.DimIn, place+1, m.Dim(isl.DimIn)-place-1).ProjectOut(isl.DimIn, 0, place)
}

// checkOrigins proves that in one execution of the code below a mark all statements have the same
// tile coordinates, from which the subscripts of the array count.
func (g *Graph) checkOrigins(node *isl.ScheduleNode, mark ContractMark) error {
	for _, side := range mark.Sides {
		var all *isl.Map
		for _, times := range node.PrefixScheduleUnionMap().IntersectDomain(node.Domain()).Maps() {
			place, uses := side.Tiles[times.TupleName(isl.DimIn)]
			if !uses {
				continue
			}
			own := onTile(times, place)
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
