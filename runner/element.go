package runner

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
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

// float is the value of a floating-point element of 4 or 8 bytes, and the nearest double of one of
// the ten bytes that long double has on x86.
func (t elementType) float(bits []byte) (value float64, known bool) {
	switch {
	case t.kind == 'f' && t.size == 4:
		return float64(math.Float32frombits(binary.NativeEndian.Uint32(bits))), true
	case t.kind == 'f' && t.size == 8:
		return math.Float64frombits(binary.NativeEndian.Uint64(bits)), true
	case t.kind == 'f' && (t.size == 12 || t.size == 16) && (runtime.GOARCH == "amd64" || runtime.GOARCH == "386"):
		return extended(binary.LittleEndian.Uint64(bits), binary.LittleEndian.Uint16(bits[8:])), true
	}
	return 0, false
}

// extended is a number of x86's floating-point registers: a fraction of 64 bits with its leading
// one, and the exponent below the sign.
func extended(fraction uint64, exponent uint16) float64 {
	const bias, special = 16383, 0x7fff
	value := math.Ldexp(float64(fraction), int(exponent&special)-bias-63)
	switch {
	case exponent&special == special && fraction<<1 != 0:
		value = math.NaN()
	case exponent&special == special:
		value = math.Inf(1)
	}
	return math.Copysign(value, float64(1-2*int(exponent>>15)))
}

// integer is the value of an integer element, sign-extended.
func (t elementType) integer(bits []byte) (value uint64, known bool) {
	if t.kind == 'f' || t.kind == 'o' {
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
		one, other := strconv.FormatFloat(x, 'g', -1, 8*min(t.size, 8)), strconv.FormatFloat(y, 'g', -1, 8*min(t.size, 8))
		if one != other {
			return one, other
		}
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
