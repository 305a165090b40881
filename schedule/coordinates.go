package schedule

import (
	"fmt"
	"strings"

	"polytune/isl"
	"polytune/scop"
)

// tileTerm is one coordinate in front of a statement's iterators: floor(row / size), one of hexagonal
// or overlapped tiles, or a loop's value that isl's maps say.
type tileTerm struct {
	row        Row
	size       int64
	hexagon    *HexagonPlace
	overlapped *OverlappedPlace
	mapped     *MappedPlace
}

// isOfRow says whether the coordinate is that of a row alone.
func (t tileTerm) isOfRow() bool { return t.hexagon == nil && t.overlapped == nil && t.mapped == nil }

func (t tileTerm) equal(o tileTerm, p *scop.Program, s int) bool {
	if !t.isOfRow() || !o.isOfRow() {
		return t.mapped != nil && o.mapped != nil && *t.mapped == *o.mapped || t.hexagon != nil && o.hexagon != nil && *t.hexagon == *o.hexagon || t.overlapped != nil && o.overlapped != nil && *t.overlapped == *o.overlapped
	}
	return t.size == o.size && p.RowsText(s, t.row) == p.RowsText(s, o.row)
}

// tileTerms collects the tile coordinates of all statements.
func (t *Tree) tileTerms() map[int][]tileTerm {
	terms := map[int][]tileTerm{}
	t.Walk(func(n *Node) bool {
		for _, loop := range n.Loops {
			if loop.Hexagon != nil && loop.Hexagon.Place == 0 {
				for _, s := range n.Statements {
					terms[s] = append(terms[s], loop.Hexagon.Of.terms()...)
				}
			}
			if loop.Overlapped != nil && loop.Overlapped.Place == 0 {
				for _, s := range n.Statements {
					terms[s] = append(terms[s], loop.Overlapped.Of.terms()...)
				}
			}
			if loop.Mapped != nil {
				for _, s := range n.Statements {
					if own := (tileTerm{mapped: &loop.Mapped.MappedPlace}); t.coordinate(terms[s], own, s) < 0 {
						terms[s] = append(terms[s], own)
					}
				}
			}
			for _, term := range loop.Terms {
				for _, s := range n.Statements {
					coordinate := tileTerm{row: term.Rows[s], size: term.Size}
					if term.Size > 1 && t.coordinate(terms[s], coordinate, s) < 0 {
						terms[s] = append(terms[s], coordinate)
					}
				}
			}
		}
		return true
	})
	return terms
}

// coordinate is the place of a tile coordinate among those of a statement, or
// -1.
func (t *Tree) coordinate(terms []tileTerm, c tileTerm, s int) int {
	for k, term := range terms {
		if term.equal(c, t.Program, s) {
			return k
		}
	}
	return -1
}

// domain is the set of all instances, with their tile coordinates.
func (l *lowering) domain() *isl.UnionSet {
	all := l.model.Context.ReadUnionSet("{ }")
	for s := range l.model.Statements {
		expanded := l.inAllTiles(s)
		for _, gone := range l.gone[s] {
			expanded = expanded.Subtract(gone)
		}
		for _, come := range l.come[s] {
			expanded = expanded.Union(come).Coalesce()
		}
		all = all.Union(expanded.ToUnionSet())
	}
	return all
}

// inAllTiles are the instances of a statement with the coordinates of each tile that they are in.
func (l *lowering) inAllTiles(s int) *isl.Set {
	expanded := l.model.Statements[s].Domain.Apply(l.model.Context.ReadMap(l.expansion(s)))
	if overlapping := l.overlapping(s); overlapping != nil {
		expanded = expanded.Intersect(overlapping).Coalesce()
	}
	if mapped := l.mapped(s); mapped != nil {
		expanded = expanded.Intersect(mapped).Coalesce()
	}
	return expanded
}

// expansion relates the instances of a statement to themselves with their
// tile coordinates in front; those of overlapped tiles are free.
func (l *lowering) expansion(s int) string {
	p := l.tree.Program
	iterators := p.IteratorNames(s)
	var conditions []string
	if text := l.hexagonal(s); text != "" {
		conditions = append(conditions, text)
	}
	for k, term := range l.tiles[s] {
		if !term.isOfRow() {
			continue
		}
		tile, row := l.tileNames(s)[k], term.row.Text(iterators, p.Parameters)
		conditions = append(conditions, fmt.Sprintf("%d%s <= %s <= %d%s + %d", term.size, tile, row, term.size, tile, term.size-1))
	}
	where := ""
	if len(conditions) > 0 {
		where = " : " + strings.Join(conditions, " and ")
	}
	return fmt.Sprintf("%s{ %s -> %s%s }", p.ParametersText(), p.InstanceText(s), l.expanded(s), where)
}

// expanded is a statement with its tile coordinates and iterators,
// S0[t0, t1, i, j].
func (l *lowering) expanded(s int) string {
	p := l.tree.Program
	names := append(l.tileNames(s), p.IteratorNames(s)...)
	return p.Statements[s].Name + "[" + strings.Join(names, ", ") + "]"
}

// tileNames are names for the tile coordinates of a statement, different from
// those of its iterators and of the parameters.
func (l *lowering) tileNames(s int) []string {
	return coordinateNames(l.tree.Program, s, len(l.tiles[s]))
}

// coordinateNames are names for so many tile coordinates of a statement.
func coordinateNames(p *scop.Program, s, count int) []string {
	taken := strings.Join(append(p.IteratorNames(s), p.Parameters...), " ")
	prefix := "tile"
	for strings.Contains(taken, prefix) {
		prefix += "_"
	}
	names := make([]string, count)
	for k := range names {
		names[k] = fmt.Sprint(prefix, k)
	}
	return names
}
