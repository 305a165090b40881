package variant

import (
	"fmt"
	"strings"
	"testing"

	"polytune/pipeline"
	"polytune/runner"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/space"
	variants "polytune/space/variant"
)

// Rows, and what has these inside, are longer where they are a multiple of two KiB long.
func TestPadding(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		size    int
		extents []int
		want    string
	}{
		{8, []int{9, 1024}, "[8]"},
		{8, []int{9, 1000}, "[]"},
		{8, []int{9, 256}, "[8]"},
		{8, []int{9, 128}, "[]"},
		{4, []int{9, 512}, "[16]"},
		{16, []int{9, 128}, "[4]"},
		{8, []int{9, 1024, 1024}, "[1 8]"},
		{8, []int{9, 16, 16}, "[1 8]"},
		{8, []int{9, 32, 32}, "[1 8]"},
		{8, []int{9, 32, 30}, "[]"},
		{8, []int{1024, 0}, "[]"},
		{8, []int{1024}, "[]"},
		{128, []int{9, 1024}, "[]"},
	} {
		array := scop.Array{Name: "A", Size: test.size}
		for _, extent := range test.extents {
			array.Extents = append(array.Extents, fmt.Sprint(extent))
		}
		deep := scop.Statement{Loops: make([]scop.Loop, 4), Accesses: []scop.Access{{Array: "A"}}}
		target := &pipeline.Target{Whole: &scop.Program{Arrays: []scop.Array{array}, Statements: []scop.Statement{deep}}}
		if got := padding(target, array); fmt.Sprint(got) != test.want {
			t.Errorf("%d bytes, %v: %v; want %s", test.size, test.extents, got, test.want)
		}
		target.Whole.Statements[0].Loops = make([]scop.Loop, len(array.Extents))
		if got := padding(target, array); got != nil {
			t.Errorf("%v, elements used once: %v", test.extents, got)
		}
	}
}

// What brings elements runs by itself, in front of everything else or behind it.
func TestNestWith(t *testing.T) {
	t.Parallel()
	nest := nestWith(nestWith(space.Nest{{1, 0}, {0, 1}}, true), false)
	if want := (space.Nest{{2, 1, 0, 3}, {0, 1, 0, 0}}); fmt.Sprint(nest) != fmt.Sprint(want) {
		t.Errorf("%v; want %v", nest, want)
	}
	if got := nestWithCopies(nil, 3); got != nil {
		t.Errorf("no nest becomes %v", got)
	}
}

// Of arrays with such rows those are longer that the source goes through from row to row and nothing
// copies: in programs of different fields.
func TestPaddedArrays(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]string{
		"testdata/walked/chain.c":   {"cost", "cost"},
		"testdata/walked/columns.c": {"picture", "picture"},
		"polybench/nussinov":        {"table", "table"},
		"polybench/adi":             {"u v", "p q u v"},
		"polybench/jacobi-2d":       {"", "A B"},
		"polybench/gemm":            {"", "A B C"},
		"polybench/mvt":             {"", ""},
	} {
		o, files := &pipeline.Options{Bench: name}, []string(nil)
		if strings.HasSuffix(name, ".c") {
			o, files = &pipeline.Options{}, []string{name}
		}
		targets, err := o.All(files)
		if err != nil {
			t.Fatal(err)
		}
		target := targets[0]
		target.Run.Parameters = map[string]int{}
		for _, parameter := range target.Whole.Parameters {
			target.Run.Parameters[parameter] = 1024
		}
		nests, err := target.Choose(t.Context(), "smart", 1)
		if err != nil {
			t.Fatal(err)
		}
		options, err := pipeline.SessionModel.Options(runner.Machine{})
		if err != nil {
			t.Fatal(err)
		}
		for k, which := range []string{padModel, padAll} {
			p := Point{target, nests[0], options}
			if err := p.pad(t.Context(), variants.Word(which)); err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			var padded []string
			for _, c := range command.Beginning(p.Target.Whole) {
				if pad, is := c.(command.Pad); is {
					padded = append(padded, pad.Array)
				}
			}
			if got := strings.Join(padded, " "); got != want[k] {
				t.Errorf("%s, %s: %q; want %q", name, which, got, want[k])
			}
		}
	}
}
