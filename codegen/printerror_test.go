package codegen

import (
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/loopir"
)

// unknown is a node that no printer knows.
type unknown struct{ loopir.Stmt }

// What cannot be printed is an error that names the printer and the loop.
func TestWhatCannotBePrinted(t *testing.T) {
	program := kerneltest.File(t, "polybench/gemm").Regions[0].Program
	zero := loopir.Int(0)
	loop := func(variable string, body ...loopir.Stmt) *loopir.For {
		return &loopir.For{Var: variable, From: zero, While: loopir.Named(variable), Step: loopir.Int(1), Body: body}
	}
	for want, code := range map[string]loopir.Code{
		"printing C: ":          {loop("c0"), unknown{}},
		"printing C, loop c1: ": {loop("c0", loop("c1", unknown{}), unknown{})},
	} {
		p := newPrinter(program, map[string]bool{})
		p.lines(code)
		if p.err == nil || !strings.HasPrefix(p.err.Error(), want) {
			t.Errorf("%v instead of %s…", p.err, want)
		}
	}
}
