// Package run evaluates Layer I: each computation's expression over the values that it reads, with
// C's types and conversions. It has no order and no memory but what is there before, and no code of
// codegen, so that it says independently what a program computes.
package run

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"polytune/scop"
)

// Array is memory of the program: elements as the machine has them, the last subscript's side by
// side.
type Array struct {
	Extents []int64
	Bytes   []byte
}

// Options say what Evaluate has beside the program.
type Options struct {
	// Statement runs an instance of a statement by its text, for statements that are more than this
	// package's numbers: it gives the bytes of the elements that are written. nil leaves them out.
	Statement func(Instance) ([][]byte, error)
}

// Instance is one of a statement whose text is run: the values that it reads, and the elements that
// it writes, whose bytes are not known yet. Elements that are not among Reads are as they were in
// front.
type Instance struct {
	Statement int
	Iterators []int64
	Reads     []Element
	Writes    []Element
}

// Element is one of an array, Offset its place in bytes.
type Element struct {
	Array  string
	Offset int64
	Bytes  []byte
}

// Beyond is the error for what Layer I does not say, or this package does not evaluate.
type Beyond struct{ what string }

func (b *Beyond) Error() string { return b.what }

func beyond(format string, arguments ...any) error {
	return &Beyond{fmt.Sprintf(format, arguments...)}
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
	options    Options
}

// statement is a computation.
type statement struct {
	*scop.StatementModel
	value   scop.Expr
	reads   map[*scop.Ref]int
	sources [][]source
	// elements are the subscripts of reads that have sources in the region, for statements that are
	// run by their text.
	elements [][]*affine
	writes   []written
	// asText says that instances are run by their text.
	asText  bool
	points  [][]int64
	least   []int64
	strides []int64
	// values are those of the writes, by instances; nil for what is not evaluated yet.
	values [][]value
}

// written is an element that a statement writes.
type written struct {
	array      string
	subscripts []*affine
}

// write is the index of what a statement writes to an array.
func (s *statement) write(array string) int {
	return slices.IndexFunc(s.writes, func(w written) bool { return w.array == array })
}

// source is where a read gets its value from: another statement, or for none memory, for the
// instances for which a condition holds.
type source struct {
	of        *statement
	when      *affine
	subscript []*affine
}

// Evaluate gives the arrays that a program leaves, of those that it finds, with values of its
// parameters. What it cannot evaluate is an error, Beyond: writes that data decide, and, where no
// option runs their text, statements that are more than assignments, structs, and functions that
// libraries round differently.
func Evaluate(m *scop.Model, parameters map[string]int64, before map[string]*Array, options Options) (map[string]*Array, error) {
	e := &machine{model: m, parameters: parameters, before: before, kinds: map[string]kind{}, options: options}
	for k := range m.Program.Arrays {
		a := &m.Program.Arrays[k]
		of, err := kindOf(a.Type, a.Size)
		switch {
		case err != nil && options.Statement == nil:
			return nil, fmt.Errorf("%s: %w", a.Name, err)
		case err != nil:
			of = opaque + kind(a.Size)
		}
		e.kinds[a.Name] = of
	}
	for _, name := range m.Program.Parameters {
		if _, is := parameters[name]; !is {
			return nil, beyond("%s has no value", name)
		}
	}
	if is, err := e.isAssumed(); err != nil || !is {
		return nil, cmp.Or(err, beyond("the program is assumed to have other sizes"))
	}
	if err := e.compile(); err != nil {
		return nil, err
	}
	return e.finish()
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
	s.values = make([][]value, size)
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
	type event struct {
		of   *statement
		at   []int64
		time []int64
	}
	var events []event
	for _, s := range e.statements {
		for _, p := range s.points {
			events = append(events, event{s, p, s.time(p)})
		}
	}
	slices.SortStableFunc(events, func(a, b event) int { return slices.Compare(a.time, b.time) })
	after := map[string]*Array{}
	for name, a := range e.before {
		after[name] = &Array{a.Extents, slices.Clone(a.Bytes)}
	}
	for _, w := range events {
		values, err := e.evaluate(w.of, w.at)
		if err != nil {
			return nil, fmt.Errorf("%s%v: %w", w.of.Spelling(), w.at, err)
		}
		for k, to := range w.of.writes {
			if after[to.array] == nil {
				continue // a variable of the function's own, which nobody looks at behind it
			}
			if err := after[to.array].put(e.kinds[to.array], subscripts(to.subscripts, w.at), values[k]); err != nil {
				return nil, fmt.Errorf("%s%v writes %s: %w", w.of.Spelling(), w.at, to.array, err)
			}
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

// evaluate are the values that an instance writes.
func (e *machine) evaluate(s *statement, x []int64) ([]value, error) {
	at := s.index(x)
	if at < 0 {
		return nil, fmt.Errorf("there is no instance %s%v", s.Spelling(), x)
	}
	if s.values[at] == nil {
		values, err := e.instance(s, x)
		if err != nil {
			return nil, err
		}
		s.values[at] = values
	}
	return s.values[at], nil
}

// instance is what one writes: by its expression, or by its text where that is beyond this package.
func (e *machine) instance(s *statement, x []int64) ([]value, error) {
	of := &evaluation{e, s, x}
	if !s.asText {
		v, err := of.assignment(s.value.(*scop.Binary))
		if err == nil {
			return []value{v.to(e.kinds[s.writes[0].array])}, nil
		}
		if e.options.Statement == nil || !errors.As(err, new(*Beyond)) {
			return nil, err
		}
		s.asText = true
	}
	return of.text()
}
