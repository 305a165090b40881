package run

import (
	little "encoding/binary"
	"fmt"
	"math"
	"slices"
)

// text runs the text of an instance.
func (e *evaluation) text() ([]value, error) {
	i := Instance{Statement: e.of.Index, Iterators: e.at}
	for k := range e.of.Statement.Accesses {
		if err := e.give(&i, k); err != nil {
			return nil, err
		}
	}
	for _, w := range e.of.writes {
		element, err := e.element(w.array, subscripts(w.subscripts, e.at))
		if err != nil {
			return nil, err
		}
		i.Writes = append(i.Writes, element)
	}
	bytes, err := e.options.Statement(i)
	if err != nil {
		return nil, err
	}
	values := make([]value, len(bytes))
	for k, w := range e.of.writes {
		values[k] = decoded(e.kinds[w.array], bytes[k])
	}
	return values, nil
}

// give adds the value that an access reads to an instance, where the region computes it.
func (e *evaluation) give(i *Instance, access int) error {
	array := e.of.Statement.Accesses[access].Array
	for _, s := range e.of.sources[access] {
		if s.of == nil || s.when.at(e.at) == 0 {
			continue
		}
		values, err := e.evaluate(s.of, subscripts(s.subscript, e.at))
		if err != nil {
			return err
		}
		element, err := e.element(array, subscripts(e.of.elements[access], e.at))
		if err != nil {
			return err
		}
		element.Bytes = values[s.of.write(array)].encoded()
		i.Reads = append(i.Reads, element)
	}
	return nil
}

// element is the place of one. Variables have one place, also where they have no memory in front.
func (e *evaluation) element(array string, subscripts []int64) (Element, error) {
	if e.before[array] == nil && len(subscripts) == 0 {
		return Element{Array: array}, nil
	}
	at, err := e.before[array].offset(e.kinds[array], subscripts)
	return Element{Array: array, Offset: at}, err
}

// offset is the place of an element in bytes.
func (a *Array) offset(k kind, subscripts []int64) (int64, error) {
	if a == nil {
		return 0, beyond("it has no memory")
	}
	at := int64(0)
	for d, v := range subscripts {
		if d >= len(a.Extents) || v < 0 || d > 0 && v >= a.Extents[d] {
			return 0, fmt.Errorf("there is no element %v", subscripts)
		}
		at = at*a.Extents[d] + v
	}
	if at *= int64(k.size()); at+int64(k.size()) > int64(len(a.Bytes)) {
		return 0, fmt.Errorf("there is no element %v", subscripts)
	}
	return at, nil
}

func (a *Array) get(k kind, subscripts []int64) (value, error) {
	at, err := a.offset(k, subscripts)
	if err != nil {
		return value{}, err
	}
	return decoded(k, a.Bytes[at:at+int64(k.size())]), nil
}

// decoded is the value that memory has.
func decoded(k kind, bytes []byte) value {
	if k >= opaque {
		return value{kind: k, bytes: bytes}
	}
	var word [8]byte
	copy(word[:], bytes)
	bits := little.LittleEndian.Uint64(word[:])
	switch k {
	case floatKind:
		return floating(k, float64(math.Float32frombits(uint32(bits))))
	case doubleKind:
		return floating(k, math.Float64frombits(bits))
	}
	return integer(k, int64(bits))
}

// encoded are the bytes that memory has for a value.
func (v value) encoded() []byte {
	if v.kind >= opaque {
		return slices.Clone(v.bytes)
	}
	bits := uint64(v.bits)
	switch v.kind {
	case floatKind:
		bits = uint64(math.Float32bits(float32(v.number)))
	case doubleKind:
		bits = math.Float64bits(v.number)
	}
	return little.LittleEndian.AppendUint64(nil, bits)[:v.kind.size()]
}

func (a *Array) put(k kind, subscripts []int64, v value) error {
	at, err := a.offset(k, subscripts)
	if err != nil {
		return err
	}
	copy(a.Bytes[at:], v.encoded())
	return nil
}
