package schedule

import (
	"fmt"
	"strconv"
	"strings"

	"polytune/scop"
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
	Of []Row
}

// Name is the command's word.
func (Threads) Name() string { return "threads" }

// Apply notes the number.
func (c Threads) Apply(t *Tree) error {
	n, place, err := t.loop(c.Loop)
	if err != nil {
		return err
	}
	if !n.Loops[place].IsParallel() {
		return fmt.Errorf("loop %q is not parallel; say so before", c.Loop)
	}
	if mark.Has[mark.Collapse](n.Loops[place].Marks) && len(c.Of) == 0 {
		return fmt.Errorf("threads share the iterations of %q together with those of another loop", c.Loop)
	}
	n.Loops[place].Marks = n.Loops[place].Marks.With(mark.Threads{From: c.From, Of: c.Of})
	return nil
}

// Text is the command's line.
func (c Threads) Text(p *scop.Program) string {
	return fmt.Sprintf("threads %s from %d%s", c.Loop, c.From, ofExtents(c.Of, p.Parameters))
}

// ofExtents is what follows the number where it is a product's.
func ofExtents(extents []Row, parameters []string) string {
	if len(extents) == 0 {
		return ""
	}
	texts := make([]string, len(extents))
	for k, extent := range extents {
		texts[k] = extent.Text(nil, parameters)
	}
	return " of " + strings.Join(texts, ", ")
}

// parseExtents reads what follows "of".
func parseExtents(text string, parameters []string) ([]Row, error) {
	var extents []Row
	for _, part := range strings.Split(text, ",") {
		extent, err := scop.ParseRow(part, nil, parameters)
		if err != nil {
			return nil, err
		}
		extents = append(extents, extent)
	}
	return extents, nil
}

// parseThreads reads c0.2 from 4000, or c0.2t from 65536 of NI, NJ.
func parseThreads(p *scop.Program, rest string) (Command, error) {
	head, extents, isProduct := strings.Cut(rest, " of ")
	words := strings.Fields(head)
	if len(words) == 3 && words[1] == "from" {
		from, err := strconv.ParseInt(words[2], 10, 64)
		switch {
		case err != nil || from < 1:
		case !isProduct:
			return Threads{Loop: words[0], From: from}, nil
		default:
			of, err := parseExtents(extents, p.Parameters)
			return Threads{words[0], from, of}, err
		}
	}
	return nil, fmt.Errorf("what is too short for several threads is written: threads c0.2 from 4000, or threads c0.1t from 65536 of NI, NJ")
}
