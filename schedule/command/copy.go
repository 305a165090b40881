package command

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
)

// Copy copies the elements of an array that one iteration of a loop touches into memory of their
// own, where everything inside the loop uses them, and those that are written there back behind it.
// Along each dimension along which that loop, or one around it, runs over tiles of the array's
// subscripts, the copy is as long as a tile, and as what references beside it need, so that rows
// that lie far apart in the array lie behind each other in it:
//
//	copy A at c1p1.2t
//
//	for c1p1.2t { … A[i][j] … } --> for c1p1.2t { copy A's elements; … copy[i][j - 32 c1] … ; copy them back }
//
// It is what Exo calls stage_mem, and a blocked BLAS does before it updates a block many times.
// Below a parallel loop each thread has a copy of its own. depend.Graph.Check proves that the copy
// has all elements that are used, and that nobody else sees a difference.
//
// With a memory it is a device's copy, of the smallest box of constant extents around what one
// iteration touches. All threads of a block load a box in shared memory, wait, use it, wait and
// store it; one in private memory has a thread's own elements, in registers; constant memory has
// all of an array that nobody writes:
//
//	copy A at c0.3t to shared
//	copy C at c0.2t to private
//	copy w to constant
//
// In a resident kernel a block may keep what it writes in shared memory as long as the kernel runs:
// the command at the innermost loop of blocks is
//
//	copy A at c0.3t to resident
//
// With references it has what these touch, and others use the array as if there were no copy:
//
//	copy A of A[i][k] at c0.3t to shared
//
// Rows in shared memory that would begin in one bank are an element longer, unless they are to be
// unpadded. What is written in shared memory is stored behind the iteration, or, early, each element
// as soon as it is written for the last time in the iteration.
type Copy struct {
	Array, References, Loop, Memory string
	Unpadded, Early                 bool
}

var _ = All.Add(schedule.Spec{
	Syntax:  "copy ARRAY [of REFERENCES] [at LOOP] [to MEMORY] [unpadded] [early]",
	Doc:     "the copy of an array's elements",
	Example: "copy A at c0.1t",
	New:     func() schedule.Command { return Copy{} },
	Random:  randomCopy,
	Say:     sayCopy,
	Without: withoutCopy,
	OnLine: func(line string) schedule.Runner {
		if strings.Contains(line, " to ") {
			return schedule.Devices
		}
		return schedule.Processors
	},
})

// Apply notes the copy at the loop.
func (c Copy) Apply(t *schedule.Tree) error {
	if c.Memory != "" {
		return c.onDevice(t)
	}
	if c.Unpadded {
		return fmt.Errorf("copies for processors have no padding; leave unpadded out")
	}
	if c.Early {
		return fmt.Errorf("copies for processors are stored behind the iteration; leave early out")
	}
	if c.References != "" {
		return fmt.Errorf("copies for processors are of all references to %s; leave of %s out, or say to which memory of a device", c.Array, c.References)
	}
	if c.Loop == "" {
		return fmt.Errorf("nothing says at which loop %s is copied, as copy %s at c0.1t does", c.Array, c.Array)
	}
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	array := t.Program.Array(c.Array)
	switch {
	case array == nil:
		return fmt.Errorf("there is no array %q", c.Array)
	case array.Linear:
		return fmt.Errorf("%s has its rows in one subscript, which a copy would not count from its own first element", array.Spelling())
	}
	if place == len(n.Loops)-1 && len(n.Parts) == 0 {
		return fmt.Errorf("nothing is inside %q that could use the copy", c.Loop)
	}
	if _, err := subscriptsBelow(t.Program, n, c.Array); err != nil {
		return err
	}
	around := append(t.Outside(n), n.Loops[:place+1]...)
	if other := loopWith(n, around, func(l *schedule.Loop) bool { return slices.Contains(arraysAt[Copy](l), c.Array) }); other != "" {
		return fmt.Errorf("%s is copied at %q already", c.Array, other)
	}
	n.Loops[place].Ask(c)
	return nil
}

// Stands is below the loop, in each of whose iterations elements are copied.
func (Copy) Stands() schedule.Standing { return schedule.WithCopies }

// Marks have the tiles whose elements are copied.
func (c Copy) Marks(at *schedule.Place) []mark.Mark {
	subscripts, err := subscriptsBelow(at.Tree.Program, at.Node, c.Array)
	if err != nil {
		return nil
	}
	m := mark.Local{Loop: at.Loop.Name, Array: c.Array, Own: at.IsOnThreads()}
	for _, d := range copiedSides(at.Tree.Program, subscripts, at.Around) {
		m.Sides = append(m.Sides, d.mark(at, -d.least, slices.Collect(maps.Keys(subscripts))))
	}
	return []mark.Mark{m}
}

func (c Copy) array() string { return c.Array }

// subscriptsBelow are an array's subscripts by statement of a node, those of one reference after
// the other.
func subscriptsBelow(p *scop.Program, n *schedule.Node, array string) (map[int][][]scop.Expr, error) {
	all := map[int][][]scop.Expr{}
	for _, s := range n.Statements {
		statement := &p.Statements[s]
		if !slices.ContainsFunc(statement.Accesses, func(a scop.Access) bool { return a.Array == array }) {
			continue
		}
		references, ok := p.Named(statement, p.Array(array))
		if !ok {
			return nil, fmt.Errorf("%s names %s otherwise than by single elements, one for each that it uses, so that a copy could have its name", statement.Spelling(), array)
		}
		for _, r := range references {
			all[s] = append(all[s], r.Subscripts)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("nothing inside uses %s%s", array, storedHint(p, array))
	}
	return all, nil
}

// copiedSides are the dimensions of an array whose subscripts are an iterator over which some loops
// run one by one or in tiles, or a constant more, in all references.
func copiedSides(p *scop.Program, subscripts map[int][][]scop.Expr, loops []*schedule.Loop) []side {
	var sides []side
	for d := range dimensionsOf(subscripts) {
		for _, l := range slices.Backward(loops) {
			if len(l.Terms) != 1 {
				continue
			}
			own := side{dimension: d, tile: l, size: max(1, l.Terms[0].Size)}
			if own.holds(p, subscripts) {
				sides = append(sides, own)
				break
			}
		}
	}
	return sides
}

// dimensionsOf is the number of subscripts that all references have.
func dimensionsOf(subscripts map[int][][]scop.Expr) int {
	least := -1
	for _, references := range subscripts {
		for _, r := range references {
			if least < 0 || len(r) < least {
				least = len(r)
			}
		}
	}
	return max(0, least)
}

// holds says whether the subscripts of all references follow the loop, and notes by how much they
// are more than its iterations. A copy for single iterations has one element.
func (d *side) holds(p *scop.Program, subscripts map[int][][]scop.Expr) bool {
	d.least, d.most = math.MaxInt64, math.MinInt64
	for s, references := range subscripts {
		row, known := d.tile.Terms[0].Rows[s]
		for _, r := range references {
			k, constant, ok := shiftedIterator(r[d.dimension])
			if !known || !ok || row.Text(p.IteratorNames(s), p.Parameters) != p.IteratorNames(s)[k] {
				return false
			}
			d.least, d.most = min(d.least, constant), max(d.most, constant)
		}
	}
	return d.size > 1 || d.least == d.most
}

// shiftedIterator reads a subscript like i, i + 1 or i - 1.
func shiftedIterator(subscript scop.Expr) (loop int, constant int64, ok bool) {
	if sum, isSum := subscript.(*scop.Binary); isSum && (sum.Operator == "+" || sum.Operator == "-") {
		number, isNumber := sum.Y.(*scop.Number)
		if !isNumber {
			return 0, 0, false
		}
		value, err := strconv.ParseInt(sum.Operator+number.Text, 10, 32)
		if err != nil {
			return 0, 0, false
		}
		subscript, constant = sum.X, value
	}
	iterator, isRef := subscript.(*scop.Ref)
	if !isRef || iterator.Loop < 0 {
		return 0, 0, false
	}
	return iterator.Loop, constant, true
}

// onDevice notes a copy in a memory of a device's.
func (c Copy) onDevice(t *schedule.Tree) error {
	array := t.Program.Array(c.Array)
	memory := mark.Memory(c.Memory)
	switch {
	case array == nil:
		return fmt.Errorf("there is no array %q", c.Array)
	case len(array.Extents) == 0:
		return fmt.Errorf("%s is no array", array.Spelling())
	case array.Linear && memory != mark.Constant:
		return fmt.Errorf("%s has its rows in one subscript, which a copy would not count from its own first element", array.Spelling())
	case c.Unpadded && !memory.IsShared():
		return fmt.Errorf("copies in %s memory have no padding; leave unpadded out", memory)
	case c.Early && memory != mark.Shared:
		return fmt.Errorf("what is copied to %s memory is not stored early; leave early out", memory)
	case memory == mark.Constant && c.Loop != "":
		return fmt.Errorf("constant memory has %s as long as the program runs; leave at %s out", array.Spelling(), c.Loop)
	case memory == mark.Constant && c.References != "":
		return fmt.Errorf("constant memory has all of %s; leave of %s out", array.Spelling(), c.References)
	case memory == mark.Constant && slices.Contains(t.Constants, c.Array):
		return fmt.Errorf("%s is in constant memory already", array.Spelling())
	case memory == mark.Constant:
		t.Constants = append(t.Constants, c.Array)
		return nil
	case memory == mark.Kept && c.References != "":
		return fmt.Errorf("blocks keep all of their elements of %s; leave of %s out", array.Spelling(), c.References)
	case !memory.IsShared() && memory != mark.Own:
		return fmt.Errorf("there is no memory %q; there are shared, resident, private and constant", c.Memory)
	}
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	l := n.Loops[place]
	made := mark.Box{Loop: l.Name, Array: c.Array, Memory: memory, References: c.References, Unpadded: c.Unpadded, Early: c.Early}
	around := append(t.Outside(n), n.Loops[:place+1]...)
	if other := loopWith(n, around, func(l *schedule.Loop) bool { return slices.ContainsFunc(l.Boxes, made.Meets) }); other != "" {
		return fmt.Errorf("%s is copied at %q already", c.Array, other)
	}
	l.Boxes = append(l.Boxes, made)
	return nil
}

// loopWith is the name of a loop around or inside a node that has something, "" for none.
func loopWith(n *schedule.Node, around []*schedule.Loop, has func(*schedule.Loop) bool) string {
	loops := append(slices.Clip(around), n.Loops...)
	for parts := slices.Clone(n.Parts); len(parts) > 0; parts = parts[1:] {
		loops, parts = append(loops, parts[0].Loops...), append(parts, parts[0].Parts...)
	}
	if k := slices.IndexFunc(loops, has); k >= 0 {
		return loops[k].Name
	}
	return ""
}

// randomCopy are copies of the elements of an array at the loops that allow it, of one without any
// where there is one.
func randomCopy(random *rand.Rand, t *schedule.Tree) (commands []schedule.Command) {
	copied := namesAtLoops(t, arraysAt[Copy])
	var arrays []string
	for _, a := range t.Program.Arrays {
		arrays = append(arrays, a.Name)
	}
	array := pick(random, except(arrays, copied))
	if array == "" {
		array = pick(random, arrays)
	}
	for _, loop := range shuffledLoops(random, t) {
		commands = append(commands, Copy{Array: array, Loop: loop})
	}
	return commands
}

// sayCopy says of which arrays a loop has copies.
func sayCopy(l *schedule.Loop, t schedule.Telling) (phrases []schedule.Phrase) {
	for _, array := range arraysAt[Copy](l) {
		text := "with a copy of the elements of " + array + " that an iteration touches"
		phrases = append(phrases, t.SayOr(l.Name, withoutCopy, schedule.AboutCopies, text)...)
	}
	for _, box := range l.Boxes {
		what := "elements of " + box.Array + " that an iteration touches"
		if box.References != "" {
			what += " by " + box.References
		}
		text := fmt.Sprintf("with the %s in %s memory", what, box.Memory)
		if box.Early {
			text += ", stored as soon as they are written for the last time"
		}
		phrases = append(phrases, t.SayOr(l.Name, withoutCopy, schedule.AboutCopies, text)...)
	}
	return phrases
}

func withoutCopy(m mark.Mark) string {
	switch m := m.(type) {
	case mark.Local:
		return "without a copy of " + m.Array
	case mark.Box:
		return fmt.Sprintf("without %s in %s memory", m.Array, m.Memory)
	}
	return ""
}
