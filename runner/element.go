package runner

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
)

// elementType is the type of a dumped element: its kind as in elementKind and
// its size in bytes. Numbers are in the byte order of this machine.
type elementType struct {
	kind byte
	size int
}

// same says whether two elements are equal bit for bit or both NaN.
func (t elementType) same(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, known := t.float(a)
	y, _ := t.float(b)
	return known && math.IsNaN(x) && math.IsNaN(y)
}

// float is the value of a floating-point element of 4 or 8 bytes.
func (t elementType) float(bits []byte) (value float64, known bool) {
	switch {
	case t.kind == 'f' && t.size == 4:
		return float64(math.Float32frombits(binary.NativeEndian.Uint32(bits))), true
	case t.kind == 'f' && t.size == 8:
		return math.Float64frombits(binary.NativeEndian.Uint64(bits)), true
	}
	return 0, false
}

// integer is the value of an integer element, sign-extended.
func (t elementType) integer(bits []byte) (value uint64, known bool) {
	if t.kind == 'f' {
		return 0, false
	}
	switch t.size {
	case 1:
		value = uint64(bits[0])
	case 2:
		value = uint64(binary.NativeEndian.Uint16(bits))
	case 4:
		value = uint64(binary.NativeEndian.Uint32(bits))
	case 8:
		value = binary.NativeEndian.Uint64(bits)
	default:
		return 0, false
	}
	if t.kind == 'i' {
		shift := 64 - 8*t.size
		value = uint64(int64(value<<shift) >> shift)
	}
	return value, true
}

// format writes two different elements so that the texts differ.
func (t elementType) format(a, b []byte) (string, string) {
	if x, known := t.float(a); known {
		y, _ := t.float(b)
		return strconv.FormatFloat(x, 'g', -1, 8*t.size), strconv.FormatFloat(y, 'g', -1, 8*t.size)
	}
	if x, known := t.integer(a); known {
		y, _ := t.integer(b)
		if t.kind == 'i' {
			return strconv.FormatInt(int64(x), 10), strconv.FormatInt(int64(y), 10)
		}
		return strconv.FormatUint(x, 10), strconv.FormatUint(y, 10)
	}
	return fmt.Sprintf("bytes %x", a), fmt.Sprintf("bytes %x", b)
}
