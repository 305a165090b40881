package loopir

import (
	"fmt"
	"maps"
	"strconv"

	"polytune/isl"
	"polytune/scop"
)

// reference is what an access touches.
type reference struct {
	array            string
	read, write, may bool
	// name is how copies in memories of devices call it.
	name string
	// subscripts are those of the element, over the iterators and the parameters, whose values are
	// given; functions give them where they are not affine, and all says that it may be any
	// element.
	subscripts []scop.Row
	parameters []int64
	functions  []*function
	all        bool
	// rows are subscripts that are affine instead where the text is that of most instances.
	rows map[int]scop.Row
}

// functionSteps is as how many references a subscript counts that isl has to find.
const functionSteps = 20

// Known are subscripts that isl has found, by their relations and the values of the iterators that
// these depend on. They are the same for all programs that have one, with the same values of the
// parameters.
type Known map[string]map[string]int64

// function is a subscript that isl knows as a relation of the iterators to it.
type function struct {
	relation *isl.Map
	// text is the relation's, involved are the iterators that it depends on.
	text     string
	involved []bool
}

// touched is an element of an array, by the text of its subscripts, or all of them.
type touched struct {
	array, element string
	all            bool
}

// elementOf is the text of some subscripts.
func elementOf(subscripts []int64) string {
	text := append(make([]byte, 0, 24), '[')
	for d, subscript := range subscripts {
		if d > 0 {
			text = append(text, ' ')
		}
		text = strconv.AppendInt(text, subscript, 10)
	}
	return string(append(text, ']'))
}

// newReference is a reference of instances of a domain, of which some may touch nothing.
func newReference(program *scop.Program, access scop.Access, relation *isl.Map, domain *isl.Set, parameters map[string]int64) (*reference, error) {
	r := &reference{array: access.Array, read: access.Read, write: access.Write, may: access.May}
	for _, name := range program.Parameters {
		r.parameters = append(r.parameters, parameters[name])
	}
	ofAll, err := domain.IsSubset(relation.Domain())
	if err != nil {
		return nil, err
	}
	rows, err := scop.Subscripts(relation)
	if r.subscripts = rows; err != nil || rows != nil && ofAll || relation.Dim(isl.DimOut) == 0 {
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
	f := &function{relation, relation.String(), make([]bool, relation.Dim(isl.DimIn))}
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
func (f *function) at(iterators []int64, found Known) (value int64, ok bool) {
	known := found[f.text]
	if known == nil {
		known = map[string]int64{}
		found[f.text] = known
	}
	key := ""
	for k, value := range iterators {
		if f.involved[k] {
			key += fmt.Sprint(value, " ")
		}
	}
	if value, is := known[key]; is {
		return value, true
	}
	set := f.relation.Wrap()
	for k, value := range iterators {
		set = set.FixSi(isl.DimSet, k, int(value))
	}
	point, ok := set.Point()
	if ok {
		known[key] = point[len(iterators)]
	}
	return known[key], ok
}

// at is what the reference touches at these values of the iterators; happens is false where it is
// nothing.
func (r *reference) at(iterators []int64, known Known) (t touched, happens bool) {
	switch {
	case r.all:
		return touched{array: r.array, all: true}, true
	case r.functions == nil:
		return touched{array: r.array, element: elementOf(r.affine(iterators))}, true
	}
	element := make([]int64, len(r.functions))
	for d, f := range r.functions {
		if row, is := r.rows[d]; is {
			element[d] = row.At(iterators, r.parameters)
			continue
		}
		value, ok := f.at(iterators, known)
		if !ok {
			return t, false
		}
		element[d] = value
	}
	return touched{array: r.array, element: elementOf(element)}, true
}

// straight is the reference with some affine subscripts, whatever those of its relation are there.
func (r *reference) straight(rows map[int]scop.Row) *reference {
	if len(rows) == 0 {
		return r
	}
	made := *r
	made.rows = rows
	return &made
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

// memory has a value for each element that was written, by arrays and elements. What is written to
// an element that is not known changes all of an array.
type memory struct {
	elements map[string]map[string]uint64
	// before is what an array's elements have that were not written since all of it was.
	before map[string]uint64
	// under is what is read where this has nothing: what a thread writes others see only when it is
	// settled; nil for none.
	under *memory
}

func newMemory(under *memory) *memory {
	return &memory{map[string]map[string]uint64{}, map[string]uint64{}, under}
}

func (m *memory) read(t touched) uint64 {
	if t.all {
		return m.whole(t.array)
	}
	if value, known := m.elements[t.array][t.element]; known {
		return value
	}
	before, all := m.before[t.array]
	if m.under != nil && !all {
		return m.under.read(t)
	}
	return mixed(mixed(hashOf(t.array), hashOf(t.element)), before)
}

func (m *memory) write(t touched, value uint64) {
	if t.all {
		m.before[t.array] = mixed(m.whole(t.array), value)
		delete(m.elements, t.array)
		return
	}
	if m.elements[t.array] == nil {
		m.elements[t.array] = map[string]uint64{}
	}
	m.elements[t.array][t.element] = value
}

// contents are what an array has: its elements that were written since all of it was, and what all
// were then.
func (m *memory) contents(array string) (elements map[string]uint64, before uint64) {
	before, all := m.before[array]
	if m.under == nil || all {
		return m.elements[array], before
	}
	below, before := m.under.contents(array)
	elements = maps.Clone(m.elements[array])
	for element, value := range below {
		if _, known := elements[element]; !known {
			if elements == nil {
				elements = map[string]uint64{}
			}
			elements[element] = value
		}
	}
	return elements, before
}

// whole is a value of all elements.
func (m *memory) whole(array string) uint64 {
	elements, before := m.contents(array)
	all := mixed(hashOf(array), before)
	for element, value := range elements {
		all += mixed(hashOf(element), value)
	}
	return all
}

// settle has what is written here written below, and forgets it.
func (m *memory) settle() {
	for array, value := range m.before {
		m.under.before[array] = value
		delete(m.under.elements, array)
	}
	for array, elements := range m.elements {
		for element, value := range elements {
			m.under.write(touched{array: array, element: element}, value)
		}
	}
	clear(m.before)
	clear(m.elements)
}

// left are the elements that have other values than at first, and what is known of whole arrays, of
// those that are wanted.
func (m *memory) left(wanted func(array string) bool) map[string]uint64 {
	left := map[string]uint64{}
	for array, elements := range m.elements {
		for element, value := range elements {
			if wanted(array) && value != newMemory(nil).read(touched{array: array, element: element}) {
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

// hashOf is FNV's hash of a text.
func hashOf(text string) uint64 {
	h := uint64(14695981039346656037)
	for k := range len(text) {
		h = (h ^ uint64(text[k])) * 1099511628211
	}
	return h
}

// mixed is a hash of two values, in which all bits count (the last steps of MurmurHash3).
func mixed(x, y uint64) uint64 {
	x = x*0x9e3779b97f4a7c15 + y
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}
