package command

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"polytune/schedule"
	"polytune/scop"
)

// grower makes the tree of a schedule.
type grower struct {
	Schedule
	tree   *schedule.Tree
	mapped *schedule.Mapped
	// places are those of the values that loops count, by their names.
	places map[string]int
}

func (c Schedule) grower(t *schedule.Tree) *grower {
	g := &grower{Schedule: c, tree: t, mapped: &schedule.Mapped{Maps: map[int]string{}}, places: map[string]int{}}
	for s, times := range c.Maps {
		g.mapped.Maps[s] = times.MapText(t.Program, s)
	}
	return g
}

// Places are those of the values that the loops of the tree count, by the loops' names.
func (c Schedule) Places(p *scop.Program) map[string]int {
	g := c.grower(schedule.NewTree(p))
	root := &schedule.Node{Name: "c0", Statements: slices.Sorted(maps.Keys(c.Maps))}
	g.grow(root, 0)
	if !isOfClasses(root) {
		return g.places
	}
	places := map[string]int{}
	for name, place := range g.places {
		for k, class := range root.Parts {
			if rest, is := strings.CutPrefix(name, class.Name); is && !strings.ContainsAny(rest[:1], "0123456789") {
				places[fmt.Sprint("c", k, rest)] = place
			}
		}
	}
	return places
}

// isOfClasses says whether what a root has are classes: it has no loops, and its parts are no phases.
func isOfClasses(root *schedule.Node) bool {
	return len(root.Loops) == 0 && len(root.Parts) > 0 && root.Parts[0].Phase == nil
}

// grow gives a node the loops from one value on, up to where values are its statements' order.
func (g *grower) grow(n *schedule.Node, from int) {
	for k := from; k < len(g.Maps[n.Statements[0]].Values); k++ {
		groups, isOrder := g.groups(n.Statements, k)
		switch {
		case !isOrder && g.addPhases(n, k):
			return
		case !isOrder:
			g.addLoop(n, k)
		case len(groups) > 1:
			for number, group := range groups {
				part := partOf(n, fmt.Sprintf("%s_%d", n.Name, number), group)
				n.Parts = append(n.Parts, part)
				g.grow(part, k+1)
			}
			return
		}
	}
}

// groups are statements whose k-th values are the same number, in their order; isOrder says that
// all are numbers.
func (c Schedule) groups(statements []int, k int) (groups [][]int, isOrder bool) {
	of := map[int64][]int{}
	var numbers []int64
	for _, s := range statements {
		number, is := c.Maps[s].IsNumber(k)
		if !is {
			return nil, false
		}
		if of[number] == nil {
			numbers = append(numbers, number)
		}
		of[number] = append(of[number], s)
	}
	slices.Sort(numbers)
	for _, number := range numbers {
		groups = append(groups, of[number])
	}
	return groups, true
}

// addPhases gives a node a part for each number that the k-th values are, and says whether they are a
// few numbers.
func (g *grower) addPhases(n *schedule.Node, k int) bool {
	of := map[int64][]int{}
	for _, s := range n.Statements {
		own := g.Maps[s].NumbersAt(k)
		if len(own) == 0 {
			return false
		}
		for _, number := range own {
			of[number] = append(of[number], s)
		}
	}
	for place, number := range slices.Sorted(maps.Keys(of)) {
		part := partOf(n, fmt.Sprintf("%sp%d", n.Name, place), of[number])
		part.Phase = &schedule.MappedPhase{MappedPlace: schedule.MappedPlace{Of: g.mapped, Place: k}, Number: number}
		n.Parts = append(n.Parts, part)
		g.grow(part, k+1)
	}
	return true
}

// addLoop gives a node a loop for the k-th values.
func (g *grower) addLoop(n *schedule.Node, k int) {
	values, rows := map[int]schedule.Quasi{}, map[int]schedule.Row{}
	for _, s := range n.Statements {
		if values[s] = g.Maps[s].Values[k]; !slices.Contains(g.Maps[s].Mapped, k) && len(values[s].Parts) == 0 {
			rows[s] = values[s].Row
		}
	}
	if slices.ContainsFunc(n.Statements, func(s int) bool { return slices.Contains(g.Maps[s].Mapped, k) }) {
		n.Depth++
		l := &schedule.Loop{Name: fmt.Sprintf("%s.%d", n.Name, n.Depth), Band: n.Bands}
		l.Mapped = &schedule.MappedLoop{MappedPlace: schedule.MappedPlace{Of: g.mapped, Place: k}, Rows: rows}
		n.Loops = append(n.Loops, l)
	} else {
		addValued(g.tree, n, values, false)
	}
	n.Bands++
	g.places[n.Loops[len(n.Loops)-1].Name] = k
}
