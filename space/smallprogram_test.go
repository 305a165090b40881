package space

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
)

// smallProgram is a random program that runs without isl and can be written
// as a scop.Program. Its parameters are N and M, both at least 0.
type smallProgram struct{ statements []smallStatement }

type smallStatement struct {
	position []int
	loops    []smallLoop
	accesses []smallAccess
}

// smallLoop runs from lower up to, not including, upper, or down from
// upper - 1 to lower. Its time then is start minus the iterator, which is known
// when the program has been written.
type smallLoop struct {
	lower, upper affine
	start        affine
	step         int
	descending   bool
}

// smallAccess reads (r), writes (w) or updates (u) an element.
type smallAccess struct {
	array      string
	subscripts []affine
	kind       string
}

// affine is a sum of N, M, iterators, outermost first, and a constant.
type affine struct {
	n, m, constant int
	iterators      [3]int
}

var iteratorNames = []string{"i", "j", "k"}

func (a affine) value(size [2]int, iterators []int) int {
	sum := a.n*size[0] + a.m*size[1] + a.constant
	for k, value := range iterators {
		sum += a.iterators[k] * value
	}
	return sum
}

func (a affine) String() string {
	text := fmt.Sprintf("%dN + %dM + %d", a.n, a.m, a.constant)
	for k, factor := range a.iterators {
		if factor != 0 {
			text += fmt.Sprintf(" + %d%s", factor, iteratorNames[k])
		}
	}
	return strings.ReplaceAll(text, "+ -", "- ")
}

// program writes it as the front end would.
func (p *smallProgram) program(name string) *scop.Program {
	q := &scop.Program{Name: name, Parameters: []string{"N", "M"}, Context: "[N, M] -> { : N >= 0 and M >= 0 }"}
	for index, s := range p.statements {
		q.Statements = append(q.Statements, s.statement(index))
	}
	p.setStarts(q)
	return q
}

// setStarts takes from the model what loops that count down count from.
func (p *smallProgram) setStarts(q *scop.Program) {
	ctx := isl.NewContext()
	defer ctx.Close()
	model, err := q.Model(ctx)
	if err != nil {
		panic(err)
	}
	for i, s := range model.Statements {
		for k, time := range s.Times {
			p.statements[i].loops[k].start = affine{n: int(time.Parameters[0]), m: int(time.Parameters[1]), constant: int(time.Constant)}
		}
	}
}

func (s *smallStatement) statement(index int) scop.Statement {
	q := scop.Statement{Name: fmt.Sprintf("S%d", index), Position: s.position}
	tuple := q.Name + "[" + strings.Join(iteratorNames[:len(s.loops)], ", ") + "]"
	conditions := []string{"0 = 0"}
	for k, l := range s.loops {
		iterator := iteratorNames[k]
		first := fmt.Sprintf("%s - (%s)", iterator, l.lower)
		if l.descending {
			first = fmt.Sprintf("%s - 1 - %s", l.upper, iterator)
		}
		conditions = append(conditions, fmt.Sprintf("%s <= %s < %s and (%s) mod %d = 0", l.lower, iterator, l.upper, first, l.step))
		q.Loops = append(q.Loops, scop.Loop{Iterator: iterator, Descending: l.descending})
	}
	q.Domain = fmt.Sprintf("[N, M] -> { %s : %s }", tuple, strings.Join(conditions, " and "))
	for _, a := range s.accesses {
		subscripts := make([]string, len(a.subscripts))
		for k, subscript := range a.subscripts {
			subscripts[k] = subscript.String()
		}
		q.Accesses = append(q.Accesses, scop.Access{Array: a.array, Read: a.kind != "w", Write: a.kind != "r",
			Relation: fmt.Sprintf("[N, M] -> { %s -> %s[%s] }", tuple, a.array, strings.Join(subscripts, ", "))})
	}
	return q
}

// execute runs the program for values of N and M.
func (p *smallProgram) execute(size [2]int) execution {
	e := execution{}
	for index := range p.statements {
		s := &p.statements[index]
		s.run(size, nil, func(iterators []int) {
			x := instance{index, []int64{int64(s.position[0])}}
			for k, value := range iterators {
				if s.loops[k].descending {
					value = s.loops[k].start.value(size, nil) - value
				}
				x.time = append(x.time, int64(value), int64(s.position[k+1]))
			}
			for _, a := range s.accesses {
				element := a.array
				for _, subscript := range a.subscripts {
					element += fmt.Sprint(" ", subscript.value(size, iterators))
				}
				e[element] = append(e[element], touch{x, a.kind != "r"})
			}
		})
	}
	return e
}

// run calls visit with the iterators of each instance; the order is of no
// account.
func (s *smallStatement) run(size [2]int, iterators []int, visit func([]int)) {
	if len(iterators) == len(s.loops) {
		visit(iterators)
		return
	}
	l := &s.loops[len(iterators)]
	lower, upper := l.lower.value(size, iterators), l.upper.value(size, iterators)
	for value := lower; value < upper; value += l.step {
		iterator := value
		if l.descending {
			iterator = upper - 1 - (value - lower)
		}
		s.run(size, append(iterators, iterator), visit)
	}
}

func (p *smallProgram) depth() int {
	depth := 0
	for _, s := range p.statements {
		depth = max(depth, len(s.loops))
	}
	return depth
}

// smallGenerator makes programs of two to five statements.
type smallGenerator struct {
	*rand.Rand
	deepest int
	// chained programs mostly read what the statement before has written, a
	// few elements ahead: what makes pairs and triples infusible.
	chained bool
	// dimensions are those of the arrays A, B, ….
	dimensions []int
}

func randomSmallProgram(random *rand.Rand) *smallProgram {
	g := &smallGenerator{Rand: random, chained: random.IntN(2) == 0}
	g.deepest = g.among(1, 1, 2, 2, 2, 3)
	for range 5 {
		g.dimensions = append(g.dimensions, min(g.deepest, g.among(0, 1, 1, 1, 2, 2, 2)))
	}
	p := &smallProgram{}
	for range 2 + g.IntN(4) {
		p.statements = append(p.statements, g.statement(p.statements))
	}
	return p
}

func (g *smallGenerator) among(choices ...int) int { return choices[g.IntN(len(choices))] }

// one is true once in n times.
func (g *smallGenerator) one(n int) bool { return g.IntN(n) == 0 }

// statement comes after the others in the text, now and then in loops of the
// last one.
func (g *smallGenerator) statement(before []smallStatement) smallStatement {
	s := smallStatement{position: []int{0}}
	if len(before) > 0 {
		last := before[len(before)-1]
		common := 0
		if g.one(4) {
			common = g.IntN(len(last.loops) + 1)
		}
		s.loops = slices.Clone(last.loops[:common])
		s.position = slices.Clone(last.position[:common+1])
		s.position[common]++
	}
	depth := g.deepest
	if g.one(3) {
		depth = g.IntN(g.deepest + 1)
	}
	for len(s.loops) < depth {
		s.loops = append(s.loops, g.loop(len(s.loops)))
		s.position = append(s.position, 0)
	}
	s.accesses = g.accesses(len(before), len(s.loops))
	return s
}

func (g *smallGenerator) loop(depth int) smallLoop {
	n, m := affine{n: 1}, affine{m: 1}
	lowers, uppers := []affine{{}, {}, {}, {constant: 1}}, []affine{n, n, n, n, m, {n: 1, constant: -1}, {n: 1, constant: 1}}
	if depth > 0 {
		outer := [3]int{}
		outer[g.IntN(depth)] = 1
		inverse := [3]int{-outer[0], -outer[1], -outer[2]}
		lowers = append(lowers, affine{iterators: outer}, affine{iterators: outer, constant: 1})
		uppers = append(uppers, affine{iterators: outer, constant: 1}, affine{n: 1, iterators: inverse})
	}
	return smallLoop{lower: lowers[g.IntN(len(lowers))], upper: uppers[g.IntN(len(uppers))],
		step: g.among(1, 1, 1, 1, 2), descending: g.one(8)}
}

// accesses are a write and one to three reads.
func (g *smallGenerator) accesses(index, depth int) []smallAccess {
	target := index
	if g.one(4) {
		target = g.IntN(len(g.dimensions))
	}
	list := []smallAccess{g.access(target, depth, []string{"w", "w", "u"}[g.IntN(3)], 6)}
	for range 1 + g.IntN(3) {
		source := g.IntN(len(g.dimensions))
		if index > 0 && !g.one(4) {
			source = g.IntN(index)
		}
		if index > 0 && g.chained {
			source = index - 1
		}
		list = append(list, g.access(source, depth, "r", 2))
	}
	return list
}

// access is one whose subscripts are plain iterators but once in so many
// times.
func (g *smallGenerator) access(array, depth int, kind string, plain int) smallAccess {
	a := smallAccess{array: string(rune('A' + array)), kind: kind}
	for k := range g.dimensions[array] {
		a.subscripts = append(a.subscripts, g.subscript(k, depth, plain))
	}
	return a
}

func (g *smallGenerator) subscript(k, depth, plain int) affine {
	if depth == 0 || g.one(12) {
		return []affine{{}, {constant: 1}, {constant: 2}, {n: 1, constant: -1}}[g.IntN(4)]
	}
	if k >= depth || g.one(5) {
		k = g.IntN(depth)
	}
	s := affine{}
	s.iterators[k] = 1
	if !g.one(plain) {
		return s
	}
	switch g.IntN(10) {
	case 0:
		s.iterators[g.IntN(depth)]++
	case 1:
		s.iterators[k], s.n, s.constant = -1, 1, -1
	case 2:
		s.iterators[k], s.constant = 2, g.IntN(2)
	case 3:
		s.m = 1
	default:
		s.constant = g.IntN(5) - 1
	}
	return s
}
