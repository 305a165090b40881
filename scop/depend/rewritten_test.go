package depend_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
)

// affine is a sum of multiples of iterators, and a number, modulo another one where that is not 0.
type affine struct {
	factors     []int
	number, mod int
}

func (a affine) at(x []int) int {
	sum := a.number
	for k, f := range a.factors {
		sum += f * x[k]
	}
	if a.mod > 0 {
		sum = (sum%a.mod + a.mod) % a.mod
	}
	return sum
}

func (a affine) String() string {
	text := fmt.Sprint(a.number)
	for k, f := range a.factors {
		text += fmt.Sprintf(" + %d i%d", f, k)
	}
	if a.mod > 0 {
		return fmt.Sprintf("(%s) mod %d", text, a.mod)
	}
	return text
}

// toyAccess is a reference to an element, toyStatement a statement in a box of iterations, which
// writes through its first access and reads through the others.
type toyAccess struct {
	array      string
	subscripts []affine
}

type toyStatement struct {
	extents     []int
	accesses    []toyAccess
	position    int
	evaluations []toyEvaluation
}

// toyEvaluation is an evaluation: that of a statement, at its iterators as functions of those of the
// rewritten one. origins are by the statement's accesses.
type toyEvaluation struct {
	statement int
	iterators []affine
	origins   []depend.Origin
}

func (s toyStatement) program(name string) scop.Statement {
	made := scop.Statement{Name: name, Position: make([]int, len(s.extents)+1)}
	made.Position[0] = s.position
	names, conditions := iterators(len(s.extents)), []string{"true"}
	for k, extent := range s.extents {
		made.Loops = append(made.Loops, scop.Loop{Iterator: names[k]})
		conditions = append(conditions, fmt.Sprintf("0 <= %s < %d", names[k], extent))
	}
	instance := fmt.Sprintf("%s[%s]", name, strings.Join(names, ", "))
	made.Domain = fmt.Sprintf("{ %s : %s }", instance, strings.Join(conditions, " and "))
	for k, a := range s.accesses {
		made.Accesses = append(made.Accesses, scop.Access{Array: a.array, Write: k == 0, Read: k > 0, Relation: fmt.Sprintf("{ %s -> %s[%s] }", instance, a.array, listed(a.subscripts))})
	}
	return made
}

// iterators are the names of so many.
func iterators(count int) (names []string) {
	for k := range count {
		names = append(names, fmt.Sprint("i", k))
	}
	return names
}

func listed(all []affine) string {
	texts := make([]string, len(all))
	for k, a := range all {
		texts[k] = a.String()
	}
	return strings.Join(texts, ", ")
}

func toyProgram(statements []toyStatement) *scop.Program {
	p := &scop.Program{Name: "toy", Context: "{ : }"}
	for k, s := range statements {
		p.Statements = append(p.Statements, s.program(fmt.Sprint("S", k)))
		for _, a := range s.accesses {
			if p.Array(a.array) == nil {
				p.Arrays = append(p.Arrays, scop.Array{Name: a.array, Local: strings.HasPrefix(a.array, "L")})
			}
		}
	}
	return p
}

// instances are the points of a box, in order.
func instances(extents []int) [][]int {
	all := [][]int{nil}
	for _, extent := range extents {
		var longer [][]int
		for _, x := range all {
			for i := range extent {
				longer = append(longer, append(slices.Clone(x), i))
			}
		}
		all = longer
	}
	return all
}

func at(all []affine, x []int) (values []int) {
	for _, a := range all {
		values = append(values, a.at(x))
	}
	return values
}

// run is what an execution reads, by statement, instance and access, and leaves in its arrays; values
// are the names of what computes them.
type run struct {
	reads map[string]string
	left  map[string]string
}

// execute runs statements in the order of their positions. name gives the value that an instance
// writes, of those that it reads.
func execute(statements []toyStatement, name func(s int, x []int, read []string) string) run {
	r := run{map[string]string{}, map[string]string{}}
	order := make([]int, len(statements))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return statements[a].position - statements[b].position })
	for _, s := range order {
		for _, x := range instances(statements[s].extents) {
			read := make([]string, len(statements[s].accesses))
			for k, a := range statements[s].accesses[1:] {
				element := fmt.Sprint(a.array, at(a.subscripts, x))
				if read[k+1] = r.left[element]; read[k+1] == "" {
					read[k+1] = "first " + element
				}
				r.reads[fmt.Sprint(s, x, k+1)] = read[k+1]
			}
			a := statements[s].accesses[0]
			r.left[fmt.Sprint(a.array, at(a.subscripts, x))] = name(s, x, read)
		}
	}
	return r
}

// computesTheSame is what the proof is to find, by running both programs.
func computesTheSame(before, after []toyStatement) bool {
	was := execute(before, func(s int, x []int, _ []string) string { return fmt.Sprint(s, x) })
	is := execute(after, func(s int, x []int, read []string) string {
		if len(after[s].evaluations) == 0 {
			return read[1]
		}
		e := after[s].evaluations[0]
		return fmt.Sprint(e.statement, at(e.iterators, x))
	})
	for s, statement := range after {
		for _, x := range instances(statement.extents) {
			for _, e := range statement.evaluations {
				y := at(e.iterators, x)
				for a := 1; a < len(before[e.statement].accesses); a++ {
					want, o := was.reads[fmt.Sprint(e.statement, y, a)], e.origins[a]
					got := is.reads[fmt.Sprint(s, x, o.Access)]
					if o.Inlined > 0 {
						of := statement.evaluations[o.Inlined]
						got = fmt.Sprint(of.statement, at(of.iterators, x))
					}
					if got != want {
						return false
					}
				}
			}
		}
	}
	for _, r := range []run{was, is} {
		for element := range r.left {
			if strings.HasPrefix(element, "L") {
				continue
			}
			of := func(r run) string {
				if r.left[element] == "" {
					return "first " + element
				}
				return r.left[element]
			}
			if of(was) != of(is) {
				return false
			}
		}
	}
	return true
}

// identity are the iterators of a statement.
func identity(depth int) (all []affine) {
	for k := range depth {
		a := affine{factors: make([]int, depth)}
		a.factors[k] = 1
		all = append(all, a)
	}
	return all
}

// randomAccess is one to an array, by so many iterators.
func randomAccess(random *rand.Rand, array string, depth int) toyAccess {
	a := affine{factors: make([]int, depth), number: random.IntN(3)}
	for k := range a.factors {
		a.factors[k] = random.IntN(2)
	}
	return toyAccess{array, []affine{a}}
}

// randomSource is a program of two or three statements.
func randomSource(random *rand.Rand) (statements []toyStatement) {
	for k := range 2 + random.IntN(2) {
		s := toyStatement{position: 10 * k}
		for range 1 + random.IntN(2) {
			s.extents = append(s.extents, 1+random.IntN(3))
		}
		s.accesses = []toyAccess{randomAccess(random, []string{"A", "L0"}[random.IntN(2)], len(s.extents))}
		for range 1 + random.IntN(2) {
			s.accesses = append(s.accesses, randomAccess(random, []string{"A", "L0", "B"}[random.IntN(3)], len(s.extents)))
		}
		statements = append(statements, s)
	}
	return statements
}

// randomRewriting is a program made of another one: with statements left out, inlined, run again in
// another memory, or in other places, and with copies.
func randomRewriting(random *rand.Rand, before []toyStatement) (after []toyStatement) {
	for k, s := range before {
		same := toyEvaluation{statement: k, iterators: identity(len(s.extents))}
		for a := range s.accesses {
			same.origins = append(same.origins, depend.Origin{Access: a})
		}
		s.evaluations, s.accesses = []toyEvaluation{same}, slices.Clone(s.accesses)
		after = append(after, s)
	}
	for range 1 + random.IntN(2) {
		k := random.IntN(len(after))
		switch random.IntN(6) {
		case 0:
			after = slices.Delete(after, k, k+1)
		case 1:
			after[k] = again(after[k])
			redirect(random, after, after[k].evaluations, k)
		case 2:
			modulus := 1 + random.IntN(4)
			for s := range after {
				for a := range after[s].accesses {
					if access := &after[s].accesses[a]; access.array == "L0" {
						access.subscripts = slices.Clone(access.subscripts)
						access.subscripts[0].mod = modulus
					}
				}
			}
		case 3:
			inlined(random, before, &after[k])
		case 4:
			from, to := []string{"A", "L0"}[random.IntN(2)], "L2"
			after = append(after, toyStatement{extents: []int{6}, position: 10*random.IntN(4) - 5,
				accesses: []toyAccess{{to, []affine{{factors: []int{1}}}}, {from, []affine{{factors: []int{1}}}}}})
			s := random.IntN(len(after) - 1)
			for a := range after[s].accesses[1:] {
				if access := &after[s].accesses[a+1]; access.array == from {
					access.array = to
				}
			}
		case 5:
			after[k].position = 10*random.IntN(4) + 5
		}
		if len(after) == 0 {
			return nil
		}
	}
	return after
}

// again is a statement that runs twice, in memory of its own each time.
func again(s toyStatement) toyStatement {
	shifted := func(all []affine) (more []affine) {
		for _, a := range all {
			more = append(more, affine{append([]int{0}, a.factors...), a.number, a.mod})
		}
		return more
	}
	s.extents = append([]int{2}, s.extents...)
	for a := range s.accesses {
		s.accesses[a].subscripts = shifted(s.accesses[a].subscripts)
	}
	s.accesses[0].array = "L1"
	time := affine{factors: make([]int, len(s.extents))}
	time.factors[0] = 1
	s.accesses[0].subscripts = append([]affine{time}, s.accesses[0].subscripts...)
	s.evaluations = slices.Clone(s.evaluations)
	for k := range s.evaluations {
		s.evaluations[k].iterators = shifted(s.evaluations[k].iterators)
	}
	return s
}

// redirect has other statements read what runs twice.
func redirect(random *rand.Rand, after []toyStatement, _ []toyEvaluation, of int) {
	for s := range after {
		for a := range after[s].accesses[1:] {
			access := &after[s].accesses[a+1]
			if s == of || access.array != "L0" || random.IntN(4) == 0 || len(access.subscripts) > 1 {
				continue
			}
			half := affine{factors: make([]int, len(after[s].extents)), number: random.IntN(2)}
			*access = toyAccess{"L1", append([]affine{half}, access.subscripts...)}
		}
	}
}

// inlined has a statement evaluate another one in the place of a reference to L0, at the first of the
// elements that it writes with one iterator.
func inlined(random *rand.Rand, before []toyStatement, s *toyStatement) {
	of, a := random.IntN(len(before)), len(s.accesses)-1
	read, source := s.accesses[a], before[of]
	if a == 0 || len(s.evaluations) != 1 || read.array != "L0" || len(read.subscripts) > 1 || len(source.extents) != 1 || source.accesses[0].array != "L0" || source.accesses[0].subscripts[0].factors[0] != 1 || source.accesses[0].subscripts[0].mod > 0 {
		return
	}
	iterator := affine{slices.Clone(read.subscripts[0].factors), read.subscripts[0].number - source.accesses[0].subscripts[0].number, 0}
	for _, x := range instances(s.extents) {
		if i := iterator.at(x); i < 0 || i >= source.extents[0] {
			return
		}
	}
	s.accesses = s.accesses[:a]
	e := toyEvaluation{statement: of, iterators: []affine{iterator}, origins: []depend.Origin{{}}}
	for _, access := range source.accesses[1:] {
		own := affine{slices.Clone(iterator.factors), access.subscripts[0].number, 0}
		f := access.subscripts[0].factors[0]
		for k := range own.factors {
			own.factors[k] *= f
		}
		own.number += f * iterator.number
		e.origins = append(e.origins, depend.Origin{Access: len(s.accesses)})
		s.accesses = append(s.accesses, toyAccess{access.array, []affine{own}})
	}
	s.evaluations = []toyEvaluation{s.evaluations[0], e}
	s.evaluations[0].origins = slices.Clone(s.evaluations[0].origins)
	s.evaluations[0].origins[a] = depend.Origin{Inlined: 1}
}

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
		count = 20000
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
