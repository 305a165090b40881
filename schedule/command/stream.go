package command

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
)

// Stream stores what a vector loop computes past the caches, in vectors of so many elements:
// streaming, or non-temporal, stores. The line of memory that is written is not read before, and
// displaces nothing.
//
//	vectorize c0.2
//	stream c0.2 lanes 4
//
//	simdfor j          for the first j up to an aligned element: A[i][j] = e(j)
//	  A[i][j] = e -->  for vectors of 4: store past the caches e(j), e(j+1), e(j+2), e(j+3)
//	                   for the rest: A[i][j] = e(j)
type Stream struct {
	Loop string
	// Lanes is the number of elements of a vector.
	Lanes int64
}

var _ = All.Add(schedule.Spec{
	Syntax:  "stream LOOP lanes COUNT",
	Doc:     "a vector loop whose stores pass by the caches",
	Example: "stream c0.2 lanes 4",
	On:      schedule.Processors,
	New:     func() schedule.Command { return Stream{} },
	Random:  randomStream,
	Say:     sayStream,
	Without: withoutStream,
})

// Apply notes the lanes at the loop.
func (c Stream) Apply(t *schedule.Tree) error {
	n, l, err := vectorLoop(t, c.Loop)
	if err != nil {
		return err
	}
	switch {
	case l.IsParallel():
		return fmt.Errorf("threads share the iterations of %q; tile it, and share those of %q instead", c.Loop, c.Loop+"t")
	case len(n.Statements) != 1:
		return fmt.Errorf("loop %q has %d statements; a loop whose stores pass by the caches has one", c.Loop, len(n.Statements))
	}
	if err := streams(t.Program, n.Statements[0], c.Lanes); err != nil {
		return err
	}
	l.Marks = l.Marks.With(mark.Stream{Lanes: c.Lanes})
	return nil
}

// streams says why the stores of a statement cannot pass by the caches in vectors of so many
// elements, or nil.
func streams(p *scop.Program, statement int, lanes int64) error {
	element, ok := Streamable(p, statement)
	if !ok {
		return fmt.Errorf("statement %s is not an assignment, by =, of sums, products and quotients of elements of one floating-point type and of scalars to an element of an array that it does not read",
			p.Statements[statement].Spelling())
	}
	if sizes := []int64{16 / element, 32 / element, 64 / element}; !slices.Contains(sizes, lanes) {
		return fmt.Errorf("vectors of elements of %d bytes have %d, %d or %d lanes, not %d", element, sizes[0], sizes[1], sizes[2], lanes)
	}
	return nil
}

// Streamable says whether the stores of a statement could pass by the caches, and how many bytes
// its elements have: it computes them from others, and has not just read those that it writes.
func Streamable(p *scop.Program, statement int) (bytes int64, ok bool) {
	s := &p.Statements[statement]
	a := p.Assignment(s)
	if a == nil || a.Operator != "=" {
		return 0, false
	}
	target := s.Accesses[0].Array
	if slices.ContainsFunc(s.Accesses, func(other scop.Access) bool { return !other.Write && other.Array == target }) {
		return 0, false
	}
	array := p.Array(target)
	return int64(array.Size), len(array.Extents) > 0 && (array.Size == 4 || array.Size == 8)
}

// randomStream are stores past the caches in the innermost loop of a single statement.
func randomStream(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n, loop, before := inLanes(random, t, canStream(t))
	if n == nil {
		return nil
	}
	return append(before, Stream{Loop: loop, Lanes: streamLanes(random, t, n)})
}

// canStream says whether a node has one statement whose stores could pass by the caches.
func canStream(t *schedule.Tree) func(*schedule.Node) bool {
	return func(n *schedule.Node) bool {
		if len(n.Statements) != 1 {
			return false
		}
		_, ok := Streamable(t.Program, n.Statements[0])
		return ok
	}
}

// streamLanes is a number of lanes of vectors that the statement of a node could store.
func streamLanes(random *rand.Rand, t *schedule.Tree, n *schedule.Node) int64 {
	bytes, _ := Streamable(t.Program, n.Statements[0])
	return (16 << random.IntN(3)) / bytes
}

var withoutStream = schedule.Lacking[mark.Stream]("without stores past the caches")

// sayStream says in which vectors a loop stores past the caches.
func sayStream(l *schedule.Loop, t schedule.Telling) []schedule.Phrase {
	m, is := mark.Of[mark.Stream](l.Marks)
	if !is || t.Lacks(l.Name, withoutLanes) != "" {
		return nil
	}
	if missing := t.Lacks(l.Name, withoutStream); missing != "" {
		return schedule.Say(schedule.AboutLanesHow, missing)
	}
	text := fmt.Sprintf("in vectors of %d that are stored past the caches", m.Lanes)
	return []schedule.Phrase{{Topic: schedule.AboutLanesHow, Text: text, Joint: schedule.Replacing}}
}
