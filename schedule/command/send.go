package command

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
)

// Send says what each rank sends the next one, or the one before, in front of a loop that ranks share
// (Table II of the Tiramisu paper: send). It is proven that all that is read of other ranks is sent,
// and that the Receive there is the same; first and last are the bounds of the rank's own block:
//
//	send bx[first .. first + 1][0 .. M - 3] to rank - 1 before S1.i async
type Send struct {
	Element, To, Loop string
	Async, Sync       bool
}

var _ = All.Add(schedule.Spec{
	Syntax:  "send ELEMENT to PLACE before LOOP [async] [sync]",
	Doc:     "what ranks send by hand",
	Example: "send A[first .. first][0 .. N - 1] to rank - 1 before S0.i async",
	On:      schedule.OnRanks,
	New:     func() schedule.Command { return Send{} },
	Random:  proposeSend,
	Say:     schedule.Silent,
})

// Apply notes it at the mark of the loop.
func (c Send) Apply(t *schedule.Tree) error {
	return byHand(t, c.Element, c.To, c.Loop, mark.Hand{Async: c.Async, Command: schedule.Text(c, t.Program)})
}

// byHand notes a message at the mark of a loop.
func byHand(t *schedule.Tree, element, rank, loop string, hand mark.Hand) (err error) {
	n, place, err := t.Loop(loop)
	if err != nil {
		return err
	}
	ranks, is := mark.Of[mark.Ranks](n.Loops[place].Marks)
	if !is {
		return fmt.Errorf("ranks do not share the iterations of %q: write \"ranks %s\" before", loop, loop)
	}
	if hand.Array, hand.Ranges, err = elementsByHand(t.Program, element); err != nil {
		return err
	}
	if hand.Distance, err = distanceOf(rank); err != nil {
		return err
	}
	if slices.ContainsFunc(ranks.Ways, func(w mark.Told) bool { return slices.Contains(w.Arrays, hand.Array) }) {
		return fmt.Errorf("it is said already how elements of %s are told before %q", hand.Array, loop)
	}
	ranks.Hands = append(ranks.Hands[:len(ranks.Hands):len(ranks.Hands)], hand)
	n.Loops[place].Marks = n.Loops[place].Marks.With(ranks)
	return nil
}

// elementsByHand reads A[first .. first + 1][0 .. M - 3]; one subscript stands for itself alone.
func elementsByHand(p *scop.Program, text string) (array string, ranges [][2]scop.Row, err error) {
	array, rest, _ := strings.Cut(text, "[")
	array = strings.TrimSpace(array)
	of := p.Array(array)
	if of == nil {
		return "", nil, fmt.Errorf("the program has no array %q", array)
	}
	for _, subscript := range strings.Split(strings.TrimSuffix(strings.TrimSpace(rest), "]"), "[") {
		low, high, is := strings.Cut(strings.TrimSuffix(strings.TrimSpace(subscript), "]"), "..")
		if !is {
			high = low
		}
		var bounds [2]scop.Row
		for k, bound := range []string{low, high} {
			if bounds[k], err = scop.ParseRow(bound, []string{"first", "last"}, p.Parameters); err != nil {
				return "", nil, fmt.Errorf("%w; write sums of first, last, parameters and numbers", err)
			}
		}
		ranges = append(ranges, bounds)
	}
	if len(ranges) != len(of.Extents) {
		return "", nil, fmt.Errorf("%s has %d subscripts, and %q has %d", array, len(of.Extents), text, len(ranges))
	}
	return array, ranges, nil
}

// distanceOf reads rank - 1.
func distanceOf(text string) (int, error) {
	rest, is := strings.CutPrefix(strings.ReplaceAll(text, " ", ""), "rank")
	distance, err := strconv.Atoi(rest)
	if !is || err != nil || distance != 1 && distance != -1 {
		return 0, fmt.Errorf("messages by hand go between neighbours, rank - 1 and rank + 1, not %q; what goes further is derived without send and receive", text)
	}
	return distance, nil
}

// proposeSend is a row of an array for the rank before, in front of a loop that ranks share.
func proposeSend(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	loop, array := sharedLoop(random, t), randomArray(random, t.Program)
	if loop == "" || array == nil {
		return nil
	}
	return []schedule.Command{Send{Element: rowOf(array, "first .. first"), To: "rank - 1", Loop: loop, Async: random.IntN(2) == 0}}
}

// sharedLoop is the name of a loop that ranks share, "" for none.
func sharedLoop(random *rand.Rand, t *schedule.Tree) string {
	var names []string
	t.Walk(func(n *schedule.Node) bool {
		for _, l := range n.Loops {
			if mark.Has[mark.Ranks](l.Marks) {
				names = append(names, l.Name)
			}
		}
		return true
	})
	if len(names) == 0 {
		return ""
	}
	return names[random.IntN(len(names))]
}

// randomArray is an array with subscripts, nil for none.
func randomArray(random *rand.Rand, p *scop.Program) *scop.Array {
	arrays := slices.DeleteFunc(slices.Clone(p.Arrays), func(a scop.Array) bool { return len(a.Extents) == 0 })
	if len(arrays) == 0 {
		return nil
	}
	return &arrays[random.IntN(len(arrays))]
}

// rowOf is a row of an array, of which one element is named in each further dimension.
func rowOf(a *scop.Array, rows string) string {
	return a.Name + "[" + rows + "]" + strings.Repeat("[0]", len(a.Extents)-1)
}
