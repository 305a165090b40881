package facts

import (
	"maps"
	"math"
	"slices"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
)

// IteratorRows are the iterators of one loop around each of some statements; nil where one has too
// few loops.
func IteratorRows(g *depend.Graph, statements []int, loop int) map[int]schedule.Row {
	rows := map[int]schedule.Row{}
	for _, s := range statements {
		depth := g.Model.Statements[s].Depth()
		if loop >= depth {
			return nil
		}
		rows[s] = schedule.Row{Iterators: make([]int64, depth), Parameters: make([]int64, len(g.Model.Program.Parameters))}
		rows[s].Iterators[loop] = 1
	}
	return rows
}

// FreeLevel is the outermost of depth source loops whose iterator the rows do
// not determine.
func FreeLevel(rows [][]int64, depth int) int {
	for level := range depth {
		if !scop.Determines(rows, depth, level+1) {
			return level
		}
	}
	return depth
}

// Skewed are the rows of a band with a multiple of one loop added to another.
func Skewed(rows []map[int]schedule.Row, loop int, factor int64, along int) []map[int]schedule.Row {
	changed := slices.Clone(rows)
	changed[loop] = maps.Clone(rows[loop])
	for s, row := range rows[loop] {
		changed[loop][s] = row.Plus(rows[along][s], factor)
	}
	return changed
}

// AppendRows appends the rows of one more loop to those found.
func AppendRows(found map[int][][]int64, rows map[int]schedule.Row) {
	for s, row := range rows {
		found[s] = append(slices.Clip(found[s]), row.Iterators)
	}
}

// Deepest is the largest depth of the statements.
func Deepest(g *depend.Graph, statements []int) int {
	depth := 0
	for _, i := range statements {
		depth = max(depth, g.Model.Statements[i].Depth())
	}
	return depth
}

// Combination is the sum of multiples of two rows of one statement.
func Combination(factor int64, row schedule.Row, otherFactor int64, other schedule.Row) schedule.Row {
	zero := schedule.Row{Iterators: make([]int64, len(row.Iterators)), Parameters: make([]int64, len(row.Parameters))}
	return zero.Plus(row, factor).Plus(other, otherFactor)
}

// IteratorRow is the row of a statement in so many loops that is one of its iterators.
func IteratorRow(g *depend.Graph, iterator, depth int) schedule.Row {
	row := schedule.Row{Iterators: make([]int64, depth), Parameters: make([]int64, len(g.Model.Program.Parameters))}
	row.Iterators[iterator] = 1
	return row
}

// FirstIterator is the outermost iterator along which a loop of one statement runs.
func FirstIterator(rows map[int]scop.Row) int {
	for _, row := range rows {
		return slices.IndexFunc(row.Iterators, func(c int64) bool { return c != 0 })
	}
	return -1
}

// IsSkewed says whether a loop runs along more than one iterator of some statement.
func IsSkewed(rows map[int]scop.Row) bool {
	counts := func(c int64) bool { return c != 0 }
	for _, row := range rows {
		first := slices.IndexFunc(row.Iterators, counts)
		if first >= 0 && slices.ContainsFunc(row.Iterators[first+1:], counts) {
			return true
		}
	}
	return false
}

// UnitOf is the iterator that a row is, with either sign, or -1.
func UnitOf(row schedule.Row) int {
	found := -1
	for j, v := range row.Iterators {
		switch {
		case v == 0:
		case found >= 0 || v != 1 && v != -1:
			return -1
		default:
			found = j
		}
	}
	return found
}

// Mixes says whether coefficients are about iterators both in front of a place and behind it.
func Mixes(iterators []int64, place int) bool {
	isSet := func(c int64) bool { return c != 0 }
	return place < len(iterators) && slices.ContainsFunc(iterators[:place], isSet) && slices.ContainsFunc(iterators[place:], isSet)
}

// LastIterator is the innermost iterator of a row, or -1.
func LastIterator(row scop.Row) int {
	for k, c := range slices.Backward(row.Iterators) {
		if c != 0 {
			return k
		}
	}
	return -1
}

// LoopsLeft is how many loops the statements still need: the most and the
// least.
func LoopsLeft(g *depend.Graph, statements []int, found map[int][][]int64) (most, least int) {
	least = Unlimited
	for _, s := range statements {
		depth := g.Model.Statements[s].Depth()
		left := depth - scop.Rank(found[s], depth)
		most, least = max(most, left), min(least, left)
	}
	return most, least
}

// Complete says whether the rows found determine all iterators of all
// statements.
func Complete(g *depend.Graph, statements []int, found map[int][][]int64) bool {
	return !slices.ContainsFunc(statements, func(s int) bool { return !Full(g, s, found) })
}

// Full says whether the rows found determine all iterators of the statement.
func Full(g *depend.Graph, s int, found map[int][][]int64) bool {
	depth := g.Model.Statements[s].Depth()
	return scop.Rank(found[s], depth) == depth
}

// Unlimited is more loops than any band has.
const Unlimited = math.MaxInt

// SourceLoop is the row of the source loop at a level: its time.
func SourceLoop(g *depend.Graph, statements []int, level int) map[int]schedule.Row {
	rows := map[int]schedule.Row{}
	for _, s := range statements {
		rows[s] = g.Model.Statements[s].Times[level]
	}
	return rows
}

func IsSameRow(g *depend.Graph, s int, a, b schedule.Row) bool {
	program := g.Model.Program
	return program.RowsText(s, a) == program.RowsText(s, b)
}
