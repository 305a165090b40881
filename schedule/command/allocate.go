package command

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
)

// Allocate says in the iterations of which loop memory is made that other commands ask for (Tiramisu,
// Table II: allocate_at): that of copies of an array inside the loop, which is made once for all of
// them, or that of an array whose elements are at other places, of which each iteration of the loop
// has its own then. How large it is follows:
//
//	copy A at c0.2t                            copy tmp's elements in one variable: store tmp[i] as []
//	allocate A at c0.1t                        allocate tmp at c0.1
//
//	for c0.1t {                                parallel for c0.1 {
//	  double own[32][32];                        double tmp_1;
//	  for c0.2t { copy A to own; … } }           tmp_1 = …; … tmp_1 … }
//
// depend.Graph.Check proves that no value goes from one iteration to another where each has memory of
// its own, and that no two copies that share memory are there at the same time.
type Allocate struct{ Array, Loop string }

var _ = All.Add(schedule.Spec{
	Syntax:  "allocate ARRAY at LOOP",
	Doc:     "where memory is made",
	Example: "allocate A at c0.1t",
	On:      schedule.Processors,
	New:     func() schedule.Command { return Allocate{} },
	Random:  randomAllocate,
	Say:     sayAllocate,
	Without: withoutAllocate,
})

// Apply notes the memory at the loop.
func (c Allocate) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	around := append(t.Outside(n), n.Loops[:place+1]...)
	if other := loopWith(n, around, func(l *schedule.Loop) bool { return slices.Contains(arraysAt[Allocate](l), c.Array) }); other != "" {
		return fmt.Errorf("the memory of %s is made at %q already", c.Array, other)
	}
	if s := storageOf(t.Program, c.Array); s != nil {
		return c.ofStorage(t, n, place, s)
	}
	copies, err := copiesInside(t, n, place, c.Array)
	if err == nil && len(copies) == 0 {
		err = fmt.Errorf("nothing inside %q has memory of its own for %s; copy or store it before", c.Loop, c.Array)
	}
	for _, copied := range copies {
		if copied.node == n && copied.place <= place {
			return fmt.Errorf("the memory of the copy of %s is made in each iteration of %q anyway", c.Array, c.Loop)
		}
	}
	if err != nil {
		return err
	}
	n.Loops[place].Ask(c)
	return nil
}

// ofStorage notes that each iteration of the loop has memory for an array.
func (c Allocate) ofStorage(t *schedule.Tree, n *schedule.Node, place int, s *scop.Storage) error {
	if place == len(n.Loops)-1 && len(n.Parts) == 0 && n.Loops[place].IsVector() {
		return fmt.Errorf("the iterations of %q run in lanes", c.Loop)
	}
	for k := range t.Program.Statements {
		if t.Program.Statements[k].Names(s.Name) && !slices.Contains(n.Statements, k) {
			return fmt.Errorf("%s uses %s outside of %q", t.Program.Statements[k].Spelling(), c.Array, c.Loop)
		}
	}
	n.Loops[place].Ask(c)
	return nil
}

// storageOf is where the elements of an array are, nil for those that are where the source has them.
func storageOf(p *scop.Program, array string) *scop.Storage {
	k := slices.IndexFunc(p.Storages, func(s scop.Storage) bool { return s.Array == array })
	if k < 0 {
		return nil
	}
	return &p.Storages[k]
}

// Stands is below the loop, around copies.
func (Allocate) Stands() schedule.Standing { return schedule.WithMemory }

// Marks say whose memory is made.
func (c Allocate) Marks(at *schedule.Place) []mark.Mark {
	if s := storageOf(at.Tree.Program, c.Array); s != nil {
		return []mark.Mark{mark.Local{Array: s.Name, Own: at.IsOnThreads()}}
	}
	return []mark.Mark{mark.Allocate{Loop: at.Loop.Name, Array: c.Array}}
}

func (c Allocate) array() string { return c.Array }

// randomAllocate is the memory of an array that has some of its own, at the loops that allow it.
func randomAllocate(random *rand.Rand, t *schedule.Tree) (commands []schedule.Command) {
	arrays := namesAtLoops(t, arraysAt[Copy])
	for _, s := range t.Program.Storages {
		arrays = append(arrays, s.Array)
	}
	array := pick(random, arrays)
	if array == "" {
		return nil
	}
	for _, loop := range shuffledLoops(random, t) {
		commands = append(commands, Allocate{Array: array, Loop: loop})
	}
	return commands
}

var withoutAllocate = schedule.Lacking[mark.Allocate]("without memory for copies made once for all of them")

// sayAllocate says whose memory a loop makes.
func sayAllocate(l *schedule.Loop, t schedule.Telling) (phrases []schedule.Phrase) {
	for _, array := range arraysAt[Allocate](l) {
		text := "with memory for " + array + " in each iteration"
		phrases = append(phrases, t.SayOr(l.Name, withoutAllocate, schedule.AboutCopies, text)...)
	}
	return phrases
}
