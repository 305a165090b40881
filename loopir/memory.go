package loopir

import (
	"fmt"
	"hash/fnv"

	"polytune/isl"
	"polytune/scop"
)

// reference is what an access touches.
type reference struct {
	array            string
	read, write, may bool
	// subscripts are those of the element, over the iterators and the parameters, whose values are
	// given; functions give them where they are not affine, and all says that it may be any element.
	subscripts []scop.Row
	parameters []int64
	functions  []*function
	all        bool
}

// functionSteps is as how many references a subscript counts that isl has to find.
const functionSteps = 20

// function is a subscript that isl knows as a relation of the iterators to it.
type function struct {
	relation *isl.Map
	// involved are the iterators that it depends on, known its values by these.
	involved []bool
	known    map[string]int64
}

// touched is an element of an array, or all of them.
type touched struct {
	array   string
	element []int64
	all     bool
}

func (t touched) key() string { return fmt.Sprint(t.array, t.element) }

func newReference(program *scop.Program, access scop.Access, relation *isl.Map, parameters map[string]int64) (*reference, error) {
	r := &reference{array: access.Array, read: access.Read, write: access.Write, may: access.May}
	for _, name := range program.Parameters {
		r.parameters = append(r.parameters, parameters[name])
	}
	rows, err := scop.Subscripts(relation)
	if r.subscripts = rows; err != nil || rows != nil || relation.Dim(isl.DimOut) == 0 {
		return r, err
	}
	for k, value := range r.parameters {
		relation = relation.Wrap().FixSi(isl.DimParam, k, int(value)).Unwrap()
	}
	relation = relation.ProjectOut(isl.DimParam, 0, len(r.parameters))
	isSingle, err := relation.IsSingleValued()
	if r.all = !isSingle; r.all || err != nil {
		return r, err
	}
	dimensions := relation.Dim(isl.DimOut)
	for d := range dimensions {
		f, err := newFunction(relation.ProjectOut(isl.DimOut, d+1, dimensions-d-1).ProjectOut(isl.DimOut, 0, d))
		if err != nil {
			return nil, err
		}
		r.functions = append(r.functions, f)
	}
	return r, nil
}

func newFunction(relation *isl.Map) (*function, error) {
	f := &function{relation, make([]bool, relation.Dim(isl.DimIn)), map[string]int64{}}
	for _, piece := range relation.BasicMaps() {
		equalities, inequalities, err := piece.Wrap().Constraints()
		if err != nil {
			return nil, err
		}
		for _, constraint := range append(equalities, inequalities...) {
			for k := range f.involved {
				f.involved[k] = f.involved[k] || constraint[k] != 0
			}
		}
	}
	return f, nil
}

// at is the subscript at these values of the iterators; ok is false where there is none.
func (f *function) at(iterators []int64) (value int64, ok bool) {
	key := ""
	for k, value := range iterators {
		if f.involved[k] {
			key += fmt.Sprint(value, " ")
		}
	}
	if value, known := f.known[key]; known {
		return value, true
	}
	set := f.relation.Wrap()
	for k, value := range iterators {
		set = set.FixSi(isl.DimSet, k, int(value))
	}
	point, ok := set.Point()
	if ok {
		f.known[key] = point[len(iterators)]
	}
	return f.known[key], ok
}

// at is what the reference touches at these values of the iterators; happens is false where it is nothing.
func (r *reference) at(iterators []int64) (t touched, happens bool) {
	switch {
	case r.all:
		return touched{r.array, nil, true}, true
	case r.functions == nil:
		return touched{r.array, r.affine(iterators), false}, true
	}
	t.array = r.array
	for _, f := range r.functions {
		value, ok := f.at(iterators)
		if !ok {
			return t, false
		}
		t.element = append(t.element, value)
	}
	return t, true
}

func (r *reference) affine(iterators []int64) []int64 {
	element := make([]int64, len(r.subscripts))
	for d, row := range r.subscripts {
		element[d] = row.Constant
		for k, v := range row.Iterators {
			element[d] += v * iterators[k]
		}
		for k, v := range row.Parameters {
			element[d] += v * r.parameters[k]
		}
	}
	return element
}

// memory has a value for each element that was written, by arrays and elements. What is written to an
// element that is not known changes all of an array.
type memory struct {
	elements map[string]map[string]uint64
	// before is what an array's elements have that were not written since all of it was.
	before map[string]uint64
}

func newMemory() memory { return memory{map[string]map[string]uint64{}, map[string]uint64{}} }

func (m memory) read(t touched) uint64 {
	if t.all {
		return m.whole(t.array)
	}
	element := fmt.Sprint(t.element)
	if value, known := m.elements[t.array][element]; known {
		return value
	}
	return hashOf(t.array, element, m.before[t.array])
}

func (m memory) write(t touched, value uint64) {
	if t.all {
		m.before[t.array] = hashOf(m.whole(t.array), value)
		delete(m.elements, t.array)
		return
	}
	if m.elements[t.array] == nil {
		m.elements[t.array] = map[string]uint64{}
	}
	m.elements[t.array][fmt.Sprint(t.element)] = value
}

// whole is a value of all elements.
func (m memory) whole(array string) uint64 {
	all := hashOf(array, m.before[array])
	for element, value := range m.elements[array] {
		all += hashOf(element, value)
	}
	return all
}

// left are the elements that have other values than at first, and what is known of whole arrays, of those that are wanted.
func (m memory) left(wanted func(array string) bool) map[string]uint64 {
	left := map[string]uint64{}
	for array, elements := range m.elements {
		for element, value := range elements {
			if wanted(array) && value != hashOf(array, element, uint64(0)) {
				left[array+element] = value
			}
		}
	}
	for array, value := range m.before {
		if wanted(array) {
			left[array] = value
		}
	}
	return left
}

func hashOf(values ...any) uint64 {
	h := fnv.New64a()
	for _, value := range values {
		fmt.Fprintln(h, value)
	}
	return h.Sum64()
}
