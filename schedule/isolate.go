package schedule

import (
	"fmt"
	"strings"
)

// isolate is the AST generation option of the innermost tile loop that splits
// full tiles off: the set of the values of all loops down to this one at
// which the whole box of points lies inside the domain of every statement.
// It is "" when no such set is found; any set is correct, since the option
// only directs where code is duplicated.
func (l *lowering) isolate(n *Node, innermost *Loop) string {
	tiles := l.tileLoops(n, innermost)
	var conditions []string
	for _, s := range n.Statements {
		full, ok := l.fullTiles(s, tiles)
		if !ok {
			return ""
		}
		conditions = append(conditions, full...)
	}
	if len(conditions) == 0 {
		return ""
	}
	outer := make([]string, len(l.outer))
	for k := range l.outer {
		outer[k] = timeName(k)
	}
	return fmt.Sprintf("isolate[[%s] -> [%s]] : %s",
		strings.Join(outer, ", "), timeName(len(l.outer)), strings.Join(conditions, " and "))
}

// timeName is the name of the loop at a depth in isolate's set.
func timeName(depth int) string { return fmt.Sprintf("t%d", depth) }

// tileLoop is one dimension of a tile: the rows it blocks, its size, and its
// value as a combination of the loops' values (the first loop of a wavefront
// holds a sum).
type tileLoop struct {
	rows  map[int]Row
	size  int64
	value map[string]int64
}

// tileLoops are the tile dimensions of the innermost tile loop's band, from
// the loops around it and itself.
func (l *lowering) tileLoops(n *Node, innermost *Loop) []tileLoop {
	var tiles []tileLoop
	for depth, loop := range append(l.outer[:len(l.outer):len(l.outer)], innermost) {
		if loop.Band != innermost.Band || loop.Level != innermost.Level || !contains(n.Loops, loop) {
			continue
		}
		tile := tileLoop{rows: loop.Terms[0].Rows, size: loop.Terms[0].Size, value: map[string]int64{timeName(depth): 1}}
		for k := range loop.Terms[1:] {
			tile.value[timeName(depth+1+k)] = -1
		}
		tiles = append(tiles, tile)
	}
	return tiles
}

func contains(loops []*Loop, loop *Loop) bool {
	for _, l := range loops {
		if l == loop {
			return true
		}
	}
	return false
}

// fullTiles are the conditions under which all points of a tile are instances
// of statement s. Each constraint a·p + b >= 0 of the image of the domain
// under the tiled rows holds on a whole box exactly when it holds at the
// corner where a·p is smallest. ok is false when the image is not one
// polyhedron without existential dimensions.
func (l *lowering) fullTiles(s int, tiles []tileLoop) (conditions []string, ok bool) {
	context := l.model.Context
	rows := make([]Row, len(tiles))
	for k, tile := range tiles {
		rows[k] = tile.rows[s]
	}
	image := l.model.Statements[s].Domain.Apply(context.ReadMap(RowsText(l.tree.Program, s, rows...))).Coalesce()
	pieces := image.BasicSets()
	if len(pieces) != 1 {
		return nil, false
	}
	piece := pieces[0].RemoveRedundancies()
	equalities, inequalities, err := piece.Constraints()
	if err != nil {
		return nil, false
	}
	parameters := len(l.tree.Program.Parameters)
	if len(inequalities) > 0 && len(inequalities[0]) != len(tiles)+parameters+1 {
		return nil, false
	}
	for _, row := range equalities {
		for k, tile := range tiles {
			if row[k] != 0 && !tile.rows[s].IsConstant() {
				return nil, false
			}
		}
	}
	for _, row := range inequalities {
		if text := l.cornerCondition(row, tiles); text != "" {
			conditions = append(conditions, text)
		}
	}
	return conditions, true
}

// cornerCondition is the constraint at the corner of the tile where it is
// tightest, over the values of the loops; "" for one without tile dimensions.
func (l *lowering) cornerCondition(row []int64, tiles []tileLoop) string {
	p := l.tree.Program.Parameters
	constant := row[len(row)-1]
	times := map[string]int64{}
	involved := false
	for k, tile := range tiles {
		if row[k] == 0 {
			continue
		}
		involved = true
		for name, factor := range tile.value {
			times[name] += row[k] * tile.size * factor
		}
		if row[k] < 0 {
			constant += row[k] * (tile.size - 1)
		}
	}
	if !involved {
		return ""
	}
	names := make([]string, len(l.outer)+1)
	coefficients := make([]int64, len(names))
	for k := range names {
		names[k] = timeName(k)
		coefficients[k] = times[names[k]]
	}
	sum := Row{Iterators: coefficients, Parameters: row[len(tiles) : len(tiles)+len(p)], Constant: constant}
	return sum.text(names, p) + " >= 0"
}
