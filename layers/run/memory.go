package run

import (
	little "encoding/binary"
	"fmt"
	"math"
	"slices"
)

// text runs the text of an instance.
func (e *evaluation) text() (value, error) {
	i := Instance{Statement: e.of.Index, Iterators: e.at}
	for k, a := range e.of.Statement.Accesses {
		if !a.Read {
			continue
		}
		for _, s := range e.of.sources[k] {
			if s.of == nil || s.when.at(e.at) == 0 {
				continue
			}
			v, err := e.evaluate(s.of, subscripts(s.subscript, e.at))
			if err != nil {
				return value{}, err
			}
			element, err := e.element(a.Array, subscripts(e.of.elements[k], e.at))
			if err != nil {
				return value{}, err
			}
			element.Bytes = v.encoded()
			i.Reads = append(i.Reads, element)
		}
	}
	var err error
	if i.Writes, err = e.element(e.of.array, subscripts(e.of.written, e.at)); err != nil {
		return value{}, err
	}
	bytes, err := e.options.Statement(i)
	if err != nil {
		return value{}, err
	}
	return decoded(e.kinds[e.of.array], bytes), nil
}

// element is the place of one.
func (e *evaluation) element(array string, subscripts []int64) (Element, error) {
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
