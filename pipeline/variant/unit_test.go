package variant

import (
	"context"
	"slices"
	"strings"
	"testing"

	"polytune/pipeline"
	"polytune/scop"
	"polytune/space"
	"polytune/transform"
)

// made is a front end without a language: it has a program that was never text.
type made struct{ program *scop.Program }

func (m made) Units(context.Context) ([]pipeline.Unit, error) {
	return []pipeline.Unit{{Unit: scop.Unit{Program: m.program, Place: func(code string) []byte { return []byte("<" + code + ">") }}}}, nil
}

// A program that comes from no C file is transformed, and its code comes where its front end says.
func TestProgramOfAnotherFrontend(t *testing.T) {
	read, err := (&pipeline.Options{Bench: "polybench/gemm"}).All(nil)
	if err != nil {
		t.Fatal(err)
	}
	var front pipeline.Frontend = made{read[0].Source}
	units, err := front.Units(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	o := pipeline.Options{Privatize: true, Untile: true}
	targets, err := o.Targets(&pipeline.Target{}, units)
	if err != nil || len(targets) != 1 {
		t.Fatalf("%d targets: %v", len(targets), err)
	}
	v, err := Of(t.Context(), targets[0], space.Nest{{0, 0}}, transform.Options{CacheBytes: 32 << 10})
	if err != nil {
		t.Fatal(err)
	}
	if code := string(v.Source); !strings.HasPrefix(code, "<") || !strings.HasSuffix(code, ">") || !strings.Contains(code, "#pragma omp parallel for") {
		t.Errorf("the code is %s", code)
	}
}

// Pieces of statements that have names for people are where their statements were.
func TestNestOfNamedPieces(t *testing.T) {
	t.Parallel()
	whole := &scop.Program{Statements: []scop.Statement{{Name: "S0", Spelled: "d"}, {Name: "S1", Spelled: "d_1"}}}
	cut := &scop.Program{Statements: []scop.Statement{whole.Statements[0],
		{Name: "S1a", Spelled: "d_1", Piece: &scop.Piece{Whole: "S1"}}, {Name: "S1b", Spelled: "d_1", Piece: &scop.Piece{Whole: "S1", Number: 1}}}}
	if got := nestOfPieces(space.Nest{{0, 1}}, whole, cut); !slices.Equal(got[0], []int{0, 1, 1}) {
		t.Errorf("the pieces are in %v", got)
	}
}
