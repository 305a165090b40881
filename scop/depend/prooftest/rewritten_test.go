package prooftest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
)

// proves says what the proof finds of a rewriting.
func proves(t *testing.T, before, after []toyStatement) bool {
	ctx := isl.NewContext()
	defer ctx.Close()
	was, err := toyProgram(before).Model(ctx)
	if err != nil {
		t.Fatal(err)
	}
	is, err := toyProgram(after).Model(ctx)
	if err != nil {
		t.Fatal(err)
	}
	r := &depend.Rewritten{Before: was, After: is}
	for s, statement := range after {
		var evaluations []depend.Evaluation
		for _, e := range statement.evaluations {
			text := fmt.Sprintf("{ S%d[%s] -> S%d[%s] }", s, strings.Join(iterators(len(statement.extents)), ", "), e.statement, listed(e.iterators))
			own := depend.Evaluation{Statement: e.statement, Instances: ctx.ReadMap(text).IntersectDomain(is.Statements[s].Domain), Reads: map[int]depend.Origin{}}
			for a := 1; a < len(e.origins); a++ {
				own.Reads[a] = e.origins[a]
			}
			evaluations = append(evaluations, own)
		}
		r.Evaluations = append(r.Evaluations, evaluations)
	}
	err = r.Check()
	if wrong := (*depend.RewriteError)(nil); err != nil && !errors.As(err, &wrong) {
		t.Fatal(err)
	}
	return err == nil
}

// TestRewrittenAgainstRuns compares the proof with runs of both programs that name each value by the
// instance of the source that computes it.
func TestRewrittenAgainstRuns(t *testing.T) {
	count := 150
	if os.Getenv("POLYTUNE_LONG") != "" {
		count = 4000
	}
	answers := map[bool]int{}
	for seed := range uint64(count) {
		random := rand.New(rand.NewPCG(seed, 43))
		before := randomSource(random)
		after := randomRewriting(random, before)
		if after == nil {
			continue
		}
		want := computesTheSame(before, after)
		answers[want]++
		if got := proves(t, before, after); got != want {
			t.Errorf("seed %d: the proof says %v, a run %v\n%+v\n%+v", seed, got, want, before, after)
		}
	}
	if answers[true] < count/10 || answers[false] < count/10 {
		t.Errorf("answers are %v", answers)
	}
}

// A program of n elements whose first statement runs again for each four of the second, and mistakes
// of such programs with what the proof says of them.
func TestRewrittenTiles(t *testing.T) {
	const first, second = "[n] -> { S0[i] : 0 <= i <= n }", "[n] -> { S1[i] : 0 <= i < n }"
	access := func(array, from, subscripts string, write bool) scop.Access {
		return scop.Access{Array: array, Write: write, Read: !write, Relation: fmt.Sprintf("{ %s -> %s[%s] }", from, array, subscripts)}
	}
	statement := func(name, domain string, depth, position int, accesses ...scop.Access) scop.Statement {
		s := scop.Statement{Name: name, Domain: domain, Position: append([]int{position}, make([]int, depth)...), Accesses: accesses}
		for _, iterator := range iterators(depth) {
			s.Loops = append(s.Loops, scop.Loop{Iterator: iterator})
		}
		return s
	}
	program := func(statements ...scop.Statement) *scop.Program {
		return &scop.Program{Name: "tiles", Context: "[n] -> { : }", Parameters: []string{"n"}, Statements: statements,
			Arrays: []scop.Array{{Name: "a"}, {Name: "b", Temporary: true}, {Name: "c"}, {Name: "own", Local: true}}}
	}
	before := program(statement("S0", first, 1, 0, access("b", "S0[i]", "i", true), access("a", "S0[i]", "i", false)),
		statement("S1", second, 1, 1, access("c", "S1[i]", "i", true), access("b", "S1[i]", "i", false), access("b", "S1[i]", "i + 1", false)))
	for _, test := range []struct{ name, halo, tile, wrong string }{
		{"all that is read", "4t + 4", "floor(i/4)", ""},
		{"one too few", "4t + 3", "floor(i/4)", "illegal rewriting: S1: own does not read the value that it has in the source; for example n = 4: S1[3]"},
		{"of another tile", "4t + 4", "floor((i + 1)/4)", "illegal rewriting: S1: own does not read the value that it has in the source; for example n = 4: S1[3]"},
	} {
		ctx := isl.NewContext()
		defer ctx.Close()
		again := fmt.Sprintf("[n] -> { S0[t, i] : 0 <= 4t < n and 4t <= i <= n and i <= %s }", test.halo)
		after := program(statement("S0", again, 2, 0, access("own", "S0[t, i]", "t, i", true), access("a", "S0[t, i]", "i", false)),
			statement("S1", second, 1, 1, access("c", "S1[i]", "i", true), access("own", "S1[i]", test.tile+", i", false), access("own", "S1[i]", test.tile+", i + 1", false)))
		was, err := before.Model(ctx)
		if err != nil {
			t.Fatal(err)
		}
		is, err := after.Model(ctx)
		if err != nil {
			t.Fatal(err)
		}
		copied := depend.Same(was, 0)
		copied.Instances = ctx.ReadMap("{ S0[t, i] -> S0[i] }")
		err = (&depend.Rewritten{Before: was, After: is, Evaluations: [][]depend.Evaluation{{copied}, {depend.Same(was, 1)}}}).Check()
		if got := fmt.Sprint(err); err != nil && got != test.wrong || err == nil && test.wrong != "" {
			t.Errorf("%s: got %q, want %q", test.name, got, test.wrong)
		}
	}
}
