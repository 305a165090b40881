package codegen_test

import (
	"slices"
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/codegen"
	"polytune/internal/kerneltest"
	"polytune/loopir"
	"polytune/schedule"
	"polytune/scop/mark"
	"polytune/transform"
)

// namedKernels have register blocks, wavefronts with vectors that overlap, and phases.
var namedKernels = []string{"polybench/gemm", "polybench/jacobi-2d", "polybench/cholesky"}

// Code that names its loops is the code that does not but for comments, the names are those of the
// schedule, and marks above loops speak of those that have their names.
func TestNamedLoops(t *testing.T) {
	t.Parallel()
	vectors := options
	vectors.Vector = transform.VectorUnit{Bits: 512, Registers: 32}
	for _, b := range benchmarks.All() {
		if !slices.Contains(namedKernels, b.Name) && !kerneltest.Long() {
			continue
		}
		k := builtinOf(t, b)
		recipe := k.recipe(t, k.partitions(t, "smart")[0], vectors)
		unit := k.file.Unit(&k.file.Regions[0])
		plain := k.code(t, recipe)
		unit.NamesLoops = true
		code, err := codegen.Program(k.graph, recipe, unit)
		if err != nil {
			t.Fatal(err)
		}
		text, loops := codegen.NamedLoops(string(code))
		if text != plain || len(loops) != strings.Count(plain, "\n") {
			t.Errorf("%s: other code, or %d lines", b.Name, len(loops))
		}
		makers, err := recipe.Makers(k.graph.Model.Program)
		if err != nil {
			t.Fatal(err)
		}
		lines, named := strings.Split(plain, "\n"), 0
		for number, name := range loops {
			switch {
			case len(makers[name]) > 0:
				named++
			case name != "":
				t.Errorf("%s:%d: nobody has made %s", b.Name, number+1, name)
			case strings.HasPrefix(strings.TrimSpace(lines[number]), "for (long c"):
				t.Errorf("%s:%d: a loop has no name", b.Name, number+1)
			}
		}
		if named == 0 {
			t.Errorf("%s: no loop has a name:\n%s", b.Name, code)
		}
		k.checkMarks(t, b.Name, recipe)
	}
}

// checkMarks compares the names of loops with those that their marks have.
func (b builtin) checkMarks(t *testing.T, kernel string, recipe schedule.Recipe) {
	t.Helper()
	m, proven, options, err := codegen.Prove(b.graph, recipe, b.file.Unit(&b.file.Regions[0]))
	if err != nil {
		t.Fatal(err)
	}
	_, err = codegen.Lower(m, proven, options, func(pass string, p *loopir.Program) error {
		if pass != codegen.Loops.Name {
			return nil
		}
		loopir.Walk(p.Code, func(s loopir.Stmt) {
			loop, is := s.(*loopir.For)
			if !is {
				return
			}
			for _, m := range loop.Marks {
				switch m.(type) {
				case mark.Parallel, mark.Vector, mark.Registers:
					if mark.LoopOf(m) != loop.Name {
						t.Errorf("%s: %s is at %s", kernel, m, loop.Name)
					}
				}
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
