package command

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"polytune/schedule"
)

// Schedule says for each statement the values of all loops, as an isl map of all statements into
// one space does, and makes the tree of that:
//
//	schedule { S0[i, j] -> [0, floor(i/32), i, j]; S1[i, j] -> [1, i, j, 0] }
//
// Where all statements have a number of their own it is their order, and no loop. floor(e/n) runs
// over tiles; sums of several terms of that kind, as e mod n is one, run as one loop. A statement may
// have several maps with conditions behind them, pieces, and values that no such expression says: the
// loop that counts them may run on threads, and no command changes it otherwise.
type Schedule struct{ Maps map[int]schedule.Times }

var _ = All.Add(schedule.Spec{
	Syntax:  "schedule MAPS",
	Doc:     "a schedule",
	Example: "schedule { S0[i, j] -> [floor(i/32), i, j]; S1[i] -> [0, i, 0] }",
	New:     func() schedule.Command { return Schedule{} },
	Random:  schedule.Chosen[Schedule],
	Say:     schedule.Silent,
})

// mostValues bounds the loops that a schedule has.
const mostValues = 100

// Apply makes the tree.
func (c Schedule) Apply(t *schedule.Tree) error {
	if t.Classes != nil {
		return errors.New("the tree is there already; a schedule comes once, in front of all that changes it")
	}
	length := -1
	all := make([]int, len(t.Program.Statements))
	for s := range all {
		times, has := c.Maps[s]
		values := times.Values
		switch name := t.Program.Statements[s].Spelling(); {
		case !has:
			return fmt.Errorf("statement %s has no map; its instances would not run", name)
		case length >= 0 && len(values) != length:
			return fmt.Errorf("statement %s has %d values, and %s has %d; all are in one space", name, len(values), t.Program.Statements[0].Spelling(), length)
		case len(values) > mostValues:
			return fmt.Errorf("statement %s has %d values, more than %d", name, len(values), mostValues)
		}
		all[s], length = s, len(values)
	}
	mapped := &schedule.Mapped{Maps: map[int]string{}}
	for s, times := range c.Maps {
		mapped.Maps[s] = times.MapText(t.Program, s)
	}
	t.Unclaimed = true
	root := &schedule.Node{Name: "c0", Statements: all}
	t.Classes = []*schedule.Node{root}
	c.grow(t, root, 0, mapped)
	if len(root.Loops) == 0 && len(root.Parts) > 0 {
		t.Classes = root.Parts
		for k, class := range t.Classes {
			rename(class, class.Name, fmt.Sprint("c", k))
		}
	}
	t.Merge()
	return nil
}

// rename has the name of a node, and those of its loops and parts, begin otherwise.
func rename(n *schedule.Node, before, after string) {
	own := renamed(n, before, after)
	*n = *own
}

// grow gives a node the loops from one value on, up to where values are its statements' order.
func (c Schedule) grow(t *schedule.Tree, n *schedule.Node, from int, mapped *schedule.Mapped) {
	for k := from; k < len(c.Maps[n.Statements[0]].Values); k++ {
		groups, isOrder := c.groups(n.Statements, k)
		switch {
		case !isOrder:
			c.addLoop(t, n, k, mapped)
		case len(groups) > 1:
			for number, group := range groups {
				part := partOf(n, fmt.Sprintf("%s_%d", n.Name, number), group)
				n.Parts = append(n.Parts, part)
				c.grow(t, part, k+1, mapped)
			}
			return
		}
	}
}

// Counted are the places of a statement's values that loops count; the others are numbers that order
// statements.
func (c Schedule) Counted(s int) (places []int) {
	statements := slices.Sorted(maps.Keys(c.Maps))
	for k := range c.Maps[s].Values {
		groups, isOrder := c.groups(statements, k)
		if !isOrder {
			places = append(places, k)
			continue
		}
		statements = groups[slices.IndexFunc(groups, func(group []int) bool { return slices.Contains(group, s) })]
	}
	return places
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

// addLoop gives a node a loop for the k-th values.
func (c Schedule) addLoop(t *schedule.Tree, n *schedule.Node, k int, mapped *schedule.Mapped) {
	if slices.ContainsFunc(n.Statements, func(s int) bool { return slices.Contains(c.Maps[s].Mapped, k) }) {
		n.Depth++
		n.Loops = append(n.Loops, &schedule.Loop{Name: fmt.Sprintf("%s.%d", n.Name, n.Depth), Band: n.Bands, Mapped: &schedule.MappedPlace{Of: mapped, Place: k}})
	} else {
		values := map[int]schedule.Quasi{}
		for _, s := range n.Statements {
			values[s] = c.Maps[s].Values[k]
		}
		addValued(t, n, values, false)
	}
	n.Bands++
}
