package schedule

import (
	"fmt"
	"strconv"
	"strings"

	"polytune/scop"
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
// There is only one loop, with an if clause, where other loops are inside.
type Threads struct {
	Loop string
	// From is the least number of iterations for several threads.
	From int64
}

// Name is the command's word.
func (Threads) Name() string { return "threads" }

// Apply notes the number.
func (c Threads) Apply(t *Tree) error {
	n, place, err := t.loop(c.Loop)
	if err != nil {
		return err
	}
	if !n.Loops[place].Parallel {
		return fmt.Errorf("loop %q is not parallel; say so before", c.Loop)
	}
	if n.Loops[place].Collapse {
		return fmt.Errorf("threads share the iterations of %q together with those of another loop", c.Loop)
	}
	n.Loops[place].ThreadsFrom = c.From
	return nil
}

// Text is the command's line.
func (c Threads) Text(*scop.Program) string { return fmt.Sprintf("threads %s from %d", c.Loop, c.From) }

// parseThreads reads c0.2 from 4000.
func parseThreads(_ *scop.Program, rest string) (Command, error) {
	words := strings.Fields(rest)
	if len(words) == 3 && words[1] == "from" {
		if from, err := strconv.ParseInt(words[2], 10, 64); err == nil && from >= 1 {
			return Threads{words[0], from}, nil
		}
	}
	return nil, fmt.Errorf("what is too short for several threads is written: threads c0.2 from 4000")
}

// MarkThreads stands above the mark of a parallel loop that is to run on
// several threads only from a number of iterations on, which follows, and after
// it the loop's name.
const MarkThreads = "threads"

// threadsMark is the mark's name.
func (l *Loop) threadsMark() string {
	return fmt.Sprintf("%s %d %s", MarkThreads, l.ThreadsFrom, l.Name)
}

// ThreadsFrom is the number in a mark's name, 0 when it is another mark.
func ThreadsFrom(mark string) int64 { return numberOf(mark, MarkThreads) }
