package prooftest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

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
			redirect(random, after, k)
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
func redirect(random *rand.Rand, after []toyStatement, of int) {
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
