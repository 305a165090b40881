package command

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"polytune/schedule"
	"polytune/scop/mark"
)

// Threads leaves a parallel loop to one thread where it has fewer iterations
// than a number, because starting the others and waiting for them costs more
// than they save:
//
//	parallel c0.2
//	threads c0.2 from 4000
//
//	#pragma omp parallel for  -->  if (N >= 4000) {
//	for (...)                        #pragma omp parallel for
//	                                 for (...)
//	                               } else
//	                                 for (...)
//
// There is only one loop, with an if clause, where other loops are inside. Of a nest whose
// loop has long iterations or short ones, the product of some extents counts:
//
//	threads c0.1t from 65536 of NI, NJ, NK
//
//	#pragma omp parallel for  -->  #pragma omp parallel for if((double) NI * NJ * NK >= 65536)
//	for (...)                      for (...)
type Threads struct {
	Loop string
	// From is the least number of iterations for several threads, or the least product
	// of the extents.
	From int64
	// Of are extents, affine in the parameters, or nil.
	Of []schedule.Row
}

var _ = All.Add(schedule.Spec{
	Syntax:  "threads LOOP from COUNT [of EXTENTS]",
	Doc:     "what is too short for several threads",
	Example: "threads c0.1t from 65536 of NI, NJ",
	On:      schedule.Processors,
	New:     func() schedule.Command { return Threads{} },
	Random:  randomThreads,
	Say:     sayThreads,
	Without: withoutLimit,
	Most:    schedule.MaxNumber,
})

// Apply notes the number.
func (c Threads) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	if !n.Loops[place].IsParallel() {
		return fmt.Errorf("loop %q is not parallel; say so before", c.Loop)
	}
	if mark.Has[mark.Collapse](n.Loops[place].Marks) && len(c.Of) == 0 {
		return fmt.Errorf("threads share the iterations of %q together with those of another loop", c.Loop)
	}
	n.Loops[place].Marks = n.Loops[place].Marks.With(mark.Threads{From: c.From, Of: c.Of, Extents: schedule.ExtentsText(c.Of, t.Program.Parameters)})
	return nil
}

// randomThreads are threads from a small number of iterations on, or of a parameter.
func randomThreads(random *rand.Rand, t *schedule.Tree) []schedule.Command {
	n := pickNode(random, t, hasLoops(1))
	if n == nil {
		return nil
	}
	l := pick(random, n.Loops)
	return append(onThreads(l), threadsOf(random, t, l.Name))
}

// threadsOf is a number of iterations of a parallel loop, or an extent, that chance chooses.
func threadsOf(random *rand.Rand, t *schedule.Tree, loop string) Threads {
	c := Threads{Loop: loop, From: 1 + random.Int64N(3)}
	if parameters := len(t.Program.Parameters); parameters > 0 && random.IntN(2) == 0 {
		extent := schedule.Row{Parameters: make([]int64, parameters), Constant: random.Int64N(3) - 1}
		extent.Parameters[random.IntN(parameters)] = 1
		c.Of = []schedule.Row{extent}
	}
	return c
}

var withoutLimit = schedule.Lacking[mark.Threads]("without a condition of its own for several threads")

// sayThreads says from what length of a loop on threads run it.
func sayThreads(l *schedule.Loop, t schedule.Telling) []schedule.Phrase {
	limit, is := mark.Of[mark.Threads](l.Marks)
	if !is || t.Lacks(l.Name, withoutParallel) != "" {
		return nil
	}
	if missing := t.Lacks(l.Name, withoutLimit); missing != "" {
		return schedule.Say(schedule.AboutThreadsFrom, missing)
	}
	text := fmt.Sprintf(" from %d iterations on", limit.From)
	if len(limit.Of) > 0 {
		factors := strings.Split(limit.Extents, ", ")
		for k, f := range factors {
			if len(factors) > 1 && strings.Contains(f, " ") {
				factors[k] = "(" + f + ")"
			}
		}
		text = fmt.Sprintf(" where %s is %d or more", strings.Join(factors, " x "), limit.From)
	}
	return []schedule.Phrase{{Topic: schedule.AboutThreadsFrom, Text: text, Joint: schedule.GoingOn}}
}
