package schedule

import (
	"fmt"
	"strconv"
	"strings"

	"polytune/scop"
	"polytune/scop/mark"
)

// Simdlen asks the compiler for so many lanes of a vector loop, which it need not heed: more than
// a register has make it unroll the loop, fewer make it use shorter vectors.
//
//	vectorize c0.3
//	simdlen c0.3 8
//
//	#pragma omp simd  -->  #pragma omp simd simdlen(8)
type Simdlen struct {
	Loop  string
	Lanes int64
}

// Name is the command's word.
func (Simdlen) Name() string { return "simdlen" }

// Apply notes the lanes at the loop.
func (c Simdlen) Apply(t *Tree) error {
	_, l, err := t.vectorLoop(c.Loop)
	if err != nil {
		return err
	}
	switch {
	case len(l.Reductions()) > 0:
		return fmt.Errorf("loop %q carries reductions, whose lanes the compiler chooses", c.Loop)
	case c.Lanes < 2 || c.Lanes > mostUnrolled || c.Lanes&(c.Lanes-1) != 0:
		return fmt.Errorf("%d lanes are not a power of two from 2 to %d", c.Lanes, mostUnrolled)
	}
	l.Marks = l.Marks.With(mark.Simdlen{Lanes: c.Lanes})
	return nil
}

// Text is the command's line.
func (c Simdlen) Text(*scop.Program) string { return fmt.Sprintf("simdlen %s %d", c.Loop, c.Lanes) }

// parseSimdlen reads c0.3 8.
func parseSimdlen(_ *scop.Program, rest string) (Command, error) {
	if words := strings.Fields(rest); len(words) == 2 {
		if lanes, err := strconv.ParseInt(words[1], 10, 64); err == nil {
			return Simdlen{words[0], lanes}, nil
		}
	}
	return nil, fmt.Errorf("the lanes of a vector loop are written: simdlen c0.3 8")
}
