package ranks

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
)

// Block are the names of the parameters for a rank's block, in each dimension of a grid.
type Block []Interval

// Interval are the names of two parameters, the first and the last row of a block in one dimension.
type Interval struct{ First, Last string }

// newBlock is a block of a group, with names of parameters.
func newBlock(whose string, group, dims int, names func(string) string) (b Block) {
	suffix := ""
	if group > 0 {
		suffix = fmt.Sprint(group)
	}
	for d := range dims {
		own := suffix
		if d > 0 {
			own += fmt.Sprint("_", d)
		}
		b = append(b, Interval{names("tune_" + whose + "first" + own),
			names("tune_" + whose + "last" + own)})
	}
	return b
}

// names are those of all parameters.
func (b Block) names() (list []string) {
	for _, i := range b {
		list = append(list, i.First, i.Last)
	}
	return list
}

// Shape is the grid of so many ranks: how many there are in each dimension, as near to each other
// as divisors of the number are, and the greatest first (as MPI_Dims_create has it, MPI 3.1,
// 7.5.2).
func Shape(ranks int64, dims int) []int64 {
	shape := make([]int64, dims)
	for k := dims - 1; k > 0; k-- {
		shape[k] = largestRoot(ranks, k+1)
		ranks /= shape[k]
	}
	shape[0] = ranks
	slices.SortFunc(shape, func(a, b int64) int { return int(b - a) })
	return shape
}

// largestRoot is the largest divisor of a number whose power is no more than it.
func largestRoot(number int64, power int) int64 {
	root := int64(1)
	for f := int64(2); ; f++ {
		product := int64(1)
		for range power {
			product *= f
		}
		if product > number {
			return root
		}
		if number%f == 0 {
			root = f
		}
	}
}

// Place is where a rank is in a grid of a shape: the last dimension runs fastest.
func Place(rank int64, shape []int64) []int64 {
	place := make([]int64, len(shape))
	for d := len(shape) - 1; d >= 0; d-- {
		place[d] = rank % shape[d]
		rank /= shape[d]
	}
	return place
}

// HasGrids says whether ranks share loops right inside each other.
func (p *Plan) HasGrids() bool {
	return slices.ContainsFunc(p.Groups, func(g Group) bool { return len(g.Own) > 1 })
}

// within relates rows to nothing where they are in a block.
func (p *planner) within(b Block) *isl.Map { return p.rowsWhere(b, "%s <= %s <= %s", " and ") }

// outside relates rows to nothing where they are in no block like this.
func (p *planner) outside(b Block) *isl.Map {
	return p.rowsWhere(b, "not (%s <= %s <= %s)",
		" or ")
}

// rowsWhere relates rows to nothing where what a format says of the first row, the row and the last
// one holds, in the dimensions.
func (p *planner) rowsWhere(b Block, format, word string) *isl.Map {
	var conditions []string
	for d, i := range b {
		conditions = append(conditions, fmt.Sprintf(format, i.First, fmt.Sprint("r", d), i.Last))
	}
	return p.Context.ReadMap(fmt.Sprintf("[%s] -> { %s -> [] : %s }", strings.Join(b.names(), ", "),
		tupleOf("r", len(b)), strings.Join(conditions, word)))
}

// direction says where one rank is from another one, in a dimension of a grid.
type direction int

const (
	before direction = iota
	beside
	behind
)

// directions are those in all dimensions, of a rank whose number is less than another one's, or
// greater: the first that differs decides.
func directions(dims int, differs direction) (list [][]direction) {
	if dims == 0 {
		return nil
	}
	tails := [][]direction{nil}
	for range dims - 1 {
		var longer [][]direction
		for _, tail := range tails {
			for _, d := range []direction{before, beside, behind} {
				longer = append(longer, append(slices.Clip(tail), d))
			}
		}
		tails = longer
	}
	for _, tail := range tails {
		list = append(list, append([]direction{differs}, tail...))
	}
	for _, tail := range directions(dims-1, differs) {
		list = append(list, append([]direction{beside}, tail...))
	}
	return list
}

// apart are the parameters for which the blocks From and To of each group are those of two ranks:
// in a grid one is before, beside or behind the other in each dimension, as their numbers say, and
// groups of as many dimensions have the same grid.
func (p *planner) apart() *isl.Set {
	var names, either []string
	dims := map[int]bool{}
	for _, g := range p.plan.Groups {
		names = append(names, slices.Concat(g.From.names(), g.To.names())...)
		dims[len(g.Own)] = true
	}
	for _, differs := range []direction{before, behind} {
		var all []string
		for count := range dims {
			var some []string
			for _, way := range directions(count, differs) {
				some = append(some, p.whereIs(way))
			}
			all = append(all, "("+strings.Join(some, " or ")+")")
		}
		slices.Sort(all)
		either = append(either, strings.Join(all, " and "))
	}
	return p.Context.ReadSet(fmt.Sprintf("[%s] -> { : (%s) }", strings.Join(names, ", "),
		strings.Join(either, ") or (")))
}

// whereIs is the condition that the blocks From of groups of so many dimensions are there, seen
// from To.
func (p *planner) whereIs(way []direction) string {
	var conditions []string
	for _, g := range p.plan.Groups {
		if len(g.Own) != len(way) {
			continue
		}
		for d, where := range way {
			from, to := g.From[d], g.To[d]
			conditions = append(conditions, map[direction]string{
				before: from.Last + " < " + to.First,
				beside: from.First + " = " + to.First + " and " + from.Last + " = " + to.Last,
				behind: to.Last + " < " + from.First,
			}[where])
		}
	}
	return "(" + strings.Join(conditions, " and ") + ")"
}
