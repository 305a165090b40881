// Package run evaluates Layer I: each computation's expression over the values that it reads, with
// C's types and conversions. It has no order and no memory but what is there before, and no code of
// codegen, so that it says independently what a program computes.
package run

import (
	little "encoding/binary"
	"fmt"
	"math"
	"slices"

	"polytune/isl"
	"polytune/layers"
	"polytune/scop"
)

// Array is memory of the program: elements as the machine has them, the last subscript's side by
// side.
type Array struct {
	Extents []int64
	Bytes   []byte
}

// mostInstances bounds how many values are evaluated.
const mostInstances = 4 << 20

// machine evaluates a program for some sizes.
type machine struct {
	model      *scop.Model
	parameters map[string]int64
	statements []*statement
	before     map[string]*Array
	kinds      map[string]kind
}

// statement is a computation.
type statement struct {
	*scop.StatementModel
	value   scop.Expr
	reads   map[*scop.Ref]int
	sources [][]source
	written []*affine
	array   string
	points  [][]int64
	least   []int64
	strides []int64
	done    []bool
	values  []value
}

// source is where a read gets its value from: another statement, or for none memory, for the
// instances for which a condition holds.
type source struct {
	of        *statement
	when      *affine
	subscript []*affine
}

// Evaluate gives the arrays that a program leaves, of those that it finds, with values of its
// parameters. What it cannot evaluate is an error: statements that are more than assignments, writes
// that data decide, and functions that libraries round differently.
func Evaluate(m *scop.Model, parameters map[string]int64, before map[string]*Array) (map[string]*Array, error) {
	e := &machine{model: m, parameters: parameters, before: before, kinds: map[string]kind{}}
	for k := range m.Program.Arrays {
		a := &m.Program.Arrays[k]
		kind, err := kindOf(a.Type, a.Size)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.Name, err)
		}
		e.kinds[a.Name] = kind
	}
	if err := e.compile(); err != nil {
		return nil, err
	}
	return e.finish()
}

// compile makes functions of numbers of the layer's sets and relations.
func (e *machine) compile() error {
	for i := range e.model.Statements {
		e.statements = append(e.statements, &statement{StatementModel: &e.model.Statements[i]})
	}
	for _, s := range e.statements {
		if err := e.compileStatement(s); err != nil {
			return fmt.Errorf("%s: %w", s.Spelling(), err)
		}
	}
	return e.model.Context.Err()
}

// fixed are the values of the parameters as a set.
func (e *machine) fixed() *isl.Set {
	text, conditions := "[", "0 = 0"
	for k, name := range e.model.Program.Parameters {
		if k > 0 {
			text += ", "
		}
		text += name
		conditions += fmt.Sprintf(" and %s = %d", name, e.parameters[name])
	}
	return e.model.Context.ReadSet(text + "] -> { : " + conditions + " }")
}

func (e *machine) compileStatement(s *statement) (err error) {
	assignment, is := s.Statement.Value.(*scop.Binary)
	if !is {
		return fmt.Errorf("it is no assignment")
	}
	s.value = assignment
	if empty, err := s.Domain.IntersectParams(e.fixed()).IsEmpty(); err != nil || empty {
		s.value = nil
		return err
	}
	if s.points, err = s.Domain.IntersectParams(e.fixed()).Points(mostInstances); err != nil {
		return err
	}
	s.box()
	s.reads, s.sources = map[*scop.Ref]int{}, make([][]source, len(s.Accesses))
	for k, reference := range layers.References(e.model.Program, s.Statement) {
		a := s.Statement.Accesses[k]
		if reference == nil {
			return fmt.Errorf("its text does not name each element of %s", a.Array)
		}
		s.reads[reference] = k
		if a.Write {
			if a.May {
				return fmt.Errorf("data decide what it writes")
			}
			s.array = a.Array
			if s.written, err = e.functions(s, s.Accesses[k]); err != nil {
				return err
			}
		}
		if a.Read {
			if s.sources[k], err = e.sourcesOf(s, k); err != nil {
				return err
			}
		}
	}
	return nil
}

// sourcesOf are the sources of a read.
func (e *machine) sourcesOf(s *statement, access int) (list []source, err error) {
	found, err := layers.SourcesOf(e.model, s.StatementModel, access)
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		one := source{}
		if f.Statement >= 0 {
			one.of = e.statements[f.Statement]
		}
		here := f.Relation.IntersectParams(e.fixed())
		if empty, err := here.IsEmpty(); err != nil || empty {
			if err != nil {
				return nil, err
			}
			continue
		}
		names := e.model.Program.IteratorNames(s.Index)
		relation := e.inNames(s, f.Relation)
		domain := relation.Domain().IntersectParams(e.fixed()).Gist(s.Domain.IntersectParams(e.fixed())).AsParameters()
		build := isl.NewAstBuild(e.model.Context.ReadSet("{ : }"))
		if one.when, err = affineOf(build.ExprFromSet(domain), names, e.parameters); err != nil {
			return nil, err
		}
		isOne, err := s.Accesses[access].IsSingleValued()
		if err != nil {
			return nil, err
		}
		if !isOne {
			if one.of != nil {
				return nil, fmt.Errorf("data decide which of its own values it reads")
			}
		} else if one.subscript, err = e.functions(s, f.Relation); err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

// inNames is a relation whose instances have the names of the iterators.
func (e *machine) inNames(s *statement, relation *isl.Map) *isl.Map {
	instance := e.model.Program.InstanceText(s.Index)
	return e.model.Context.ReadMap(fmt.Sprintf("{ %s -> %s }", instance, instance)).ApplyRange(relation)
}

// functions are the subscripts that a relation leads to.
func (e *machine) functions(s *statement, relation *isl.Map) (list []*affine, err error) {
	relation = e.inNames(s, relation).IntersectParams(e.fixed())
	count := relation.Dim(isl.DimOut)
	build := isl.NewAstBuild(e.model.Context.ReadSet("{ : }"))
	for k := range count {
		one := relation.ProjectOut(isl.DimOut, k+1, count-k-1).ProjectOut(isl.DimOut, 0, k)
		values := one.InputAsParameters()
		expression := build.ExprFromPwAff(values.DimMax(0))
		if err := e.model.Context.Err(); err != nil {
			return nil, err
		}
		a, err := affineOf(expression, e.model.Program.IteratorNames(s.Index), e.parameters)
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}

// box makes room for the values of all instances.
func (s *statement) box() {
	depth := s.Depth()
	s.least, s.strides = make([]int64, depth), make([]int64, depth)
	most := make([]int64, depth)
	for n, p := range s.points {
		for k := range depth {
			if n == 0 || p[k] < s.least[k] {
				s.least[k] = p[k]
			}
			if n == 0 || p[k] > most[k] {
				most[k] = p[k]
			}
		}
	}
	size := int64(1)
	for k := depth - 1; k >= 0; k-- {
		s.strides[k] = size
		size *= most[k] - s.least[k] + 1
	}
	if len(s.points) == 0 {
		size = 0
	}
	s.done, s.values = make([]bool, size), make([]value, size)
}

// index is the place of an instance's value, -1 for none.
func (s *statement) index(x []int64) int64 {
	at := int64(0)
	for k, v := range x {
		if v < s.least[k] {
			return -1
		}
		at += (v - s.least[k]) * s.strides[k]
	}
	if at >= int64(len(s.values)) {
		return -1
	}
	return at
}

// finish evaluates all values and puts the last one of each element into memory.
func (e *machine) finish() (map[string]*Array, error) {
	type write struct {
		of   *statement
		at   []int64
		time []int64
	}
	var writes []write
	for _, s := range e.statements {
		for _, p := range s.points {
			writes = append(writes, write{s, p, s.time(p)})
		}
	}
	slices.SortStableFunc(writes, func(a, b write) int { return slices.Compare(a.time, b.time) })
	after := map[string]*Array{}
	for name, a := range e.before {
		after[name] = &Array{a.Extents, slices.Clone(a.Bytes)}
	}
	for _, w := range writes {
		v, err := e.evaluate(w.of, w.at)
		if err != nil {
			return nil, fmt.Errorf("%s%v: %w", w.of.Spelling(), w.at, err)
		}
		if after[w.of.array] == nil {
			continue // a variable of the function's own, which nobody looks at behind it
		}
		if err := after[w.of.array].put(e.kinds[w.of.array], subscripts(w.of.written, w.at), v); err != nil {
			return nil, fmt.Errorf("%s%v writes %s: %w", w.of.Spelling(), w.at, w.of.array, err)
		}
	}
	return after, nil
}

// time is when the source runs an instance.
func (s *statement) time(x []int64) (time []int64) {
	for k, position := range s.Position {
		time = append(time, int64(position))
		if k < len(x) {
			v := x[k]
			if s.Loops[k].Descending {
				v = -v
			}
			time = append(time, v)
		}
	}
	return time
}

func subscripts(functions []*affine, x []int64) []int64 {
	list := make([]int64, len(functions))
	for k, f := range functions {
		list[k] = f.at(x)
	}
	return list
}

// evaluate is the value of an instance.
func (e *machine) evaluate(s *statement, x []int64) (value, error) {
	at := s.index(x)
	if at < 0 {
		return value{}, fmt.Errorf("there is no instance %s%v", s.Spelling(), x)
	}
	if s.done[at] {
		return s.values[at], nil
	}
	v, err := (&evaluation{e, s, x}).assignment(s.value.(*scop.Binary))
	if err != nil {
		return value{}, err
	}
	s.values[at], s.done[at] = v.to(e.kinds[s.array]), true
	return s.values[at], nil
}

// offset is the place of an element in bytes.
func (a *Array) offset(k kind, subscripts []int64) (int64, error) {
	if a == nil {
		return 0, fmt.Errorf("it has no memory")
	}
	at := int64(0)
	for d, v := range subscripts {
		if d >= len(a.Extents) || v < 0 || d > 0 && v >= a.Extents[d] {
			return 0, fmt.Errorf("there is no element %v", subscripts)
		}
		at = at*a.Extents[d] + v
	}
	if at *= int64(sizes[k]); at+int64(sizes[k]) > int64(len(a.Bytes)) {
		return 0, fmt.Errorf("there is no element %v", subscripts)
	}
	return at, nil
}

func (a *Array) get(k kind, subscripts []int64) (value, error) {
	at, err := a.offset(k, subscripts)
	if err != nil {
		return value{}, err
	}
	bits := uint64(0)
	for n := sizes[k] - 1; n >= 0; n-- {
		bits = bits<<8 | uint64(a.Bytes[at+int64(n)])
	}
	switch k {
	case floatKind:
		return floating(k, float64(math.Float32frombits(uint32(bits)))), nil
	case doubleKind:
		return floating(k, math.Float64frombits(bits)), nil
	}
	return integer(k, int64(bits)), nil
}

func (a *Array) put(k kind, subscripts []int64, v value) error {
	at, err := a.offset(k, subscripts)
	if err != nil {
		return err
	}
	bits := uint64(v.bits)
	switch k {
	case floatKind:
		bits = uint64(math.Float32bits(float32(v.number)))
	case doubleKind:
		bits = math.Float64bits(v.number)
	}
	var word [8]byte
	little.LittleEndian.PutUint64(word[:], bits)
	copy(a.Bytes[at:at+int64(sizes[k])], word[:])
	return nil
}
