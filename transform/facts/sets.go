package facts

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/schedule"
	"polytune/scop/depend"
)

// SameIn relates the instances of a statement that have equal values in rows with these
// coefficients of its iterators.
func SameIn(g *depend.Graph, rows [][]int64, s int) *isl.Map {
	times := Outside(g, rows, s)
	return times.ApplyRange(times.Reverse())
}

// Outside relates the instances of a statement to the values of rows with these
// coefficients of its iterators.
func Outside(g *depend.Graph, found [][]int64, s int) *isl.Map {
	model := g.Model
	var rows []schedule.Row
	for _, iterators := range found {
		rows = append(rows, schedule.Row{Iterators: iterators, Parameters: make([]int64, len(model.Program.Parameters))})
	}
	return model.Context.ReadMap(model.Program.RowsText(s, rows...)).IntersectDomain(model.Statements[s].Domain)
}

// SameRange says whether all statements' loops along the rows begin and end
// within a constant number of iterations of each other, whatever the values of
// the parameters: then a loop around them has few iterations that only some
// statements run.
func SameRange(g *depend.Graph, rows map[int]schedule.Row) (bool, error) {
	var first *isl.Set
	for _, s := range slices.Sorted(maps.Keys(rows)) {
		values := g.Model.Statements[s].Domain.Apply(g.Time(s, rows[s]))
		if first == nil {
			first = values
			continue
		}
		for _, ends := range []*isl.Map{first.Lexmin().MapTo(values.Lexmin()), first.Lexmax().MapTo(values.Lexmax())} {
			if _, constant, err := ends.Deltas().Greatest(); err != nil || !constant {
				return false, err
			}
		}
	}
	return true, nil
}

// Tuple is a tuple of a statement's iterators under names with a prefix.
func Tuple(g *depend.Graph, s int, prefix string) (names []string, text string) {
	program := g.Model.Program
	for k := range program.IteratorNames(s) {
		names = append(names, fmt.Sprintf("%s%d", prefix, k))
	}
	return names, program.Statements[s].Name + "[" + strings.Join(names, ", ") + "]"
}

// SameTile relates the instances of two statements in one tile of some loops of a band.
func SameTile(g *depend.Graph, band *Band, source, target int, sizes map[int]int64) *isl.Map {
	program := g.Model.Program
	from, fromText := Tuple(g, source, "tune_a")
	to, toText := Tuple(g, target, "tune_b")
	var tiles, conditions []string
	for k, size := range sizes {
		tile := fmt.Sprintf("tune_t%d", k)
		tiles = append(tiles, tile)
		for _, row := range []string{band.Rows[k][source].Text(from, program.Parameters), band.Rows[k][target].Text(to, program.Parameters)} {
			conditions = append(conditions, fmt.Sprintf("%d%s <= %s <= %d%s + %d", size, tile, row, size, tile, size-1))
		}
	}
	text := fmt.Sprintf("%s{ %s -> %s : exists (%s : %s) }", program.ParametersText(), fromText, toText,
		strings.Join(tiles, ", "), strings.Join(conditions, " and "))
	return g.Model.Context.ReadMap(text)
}

// SameOutside relates the instances of a statement that have equal values in all
// loops around the band.
func SameOutside(g *depend.Graph, band *Band, s int) *isl.Map {
	return SameIn(g, band.Outer[s], s)
}
