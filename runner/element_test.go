package runner

import (
	"encoding/binary"
	"math"
	"runtime"
	"testing"
)

// Numbers of x86's registers as gcc stores them, read back as the double next to them.
func TestExtended(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("long double is another type here")
	}
	long := elementType{kind: 'f', size: 16}
	for _, test := range []struct {
		fraction uint64
		exponent uint16
		want     float64
	}{
		{0xc000000000000000, 0x3fff, 0x1.8p+0},
		{0xcccccccccccccccd, 0xbffb, -0x1.999999999999ap-4},
		{0x8f596b3002c1a5e2, 0x43e5, 0x1.1eb2d66005835p+998},
		{0, 0, 0},
		{0, 0x8000, math.Copysign(0, -1)},
		{0x8000000000000000, 0x7fff, math.Inf(1)},
		{0xc000000000000000, 0xffff, math.NaN()},
		{0x93445b8731587ea3, 0x3bf9, 0x0.012688b70e62bp-1022},
	} {
		bits := make([]byte, 16)
		binary.LittleEndian.PutUint64(bits, test.fraction)
		binary.LittleEndian.PutUint16(bits[8:], test.exponent)
		got, known := long.float(bits)
		if !known || math.Float64bits(got) != math.Float64bits(test.want) && !(math.IsNaN(got) && math.IsNaN(test.want)) {
			t.Errorf("%x %x: %v, want %v", test.fraction, test.exponent, got, test.want)
		}
	}
	one, next := make([]byte, 16), make([]byte, 16)
	for last, bits := range [][]byte{one, next} {
		binary.LittleEndian.PutUint64(bits, 1<<63|uint64(last))
		binary.LittleEndian.PutUint16(bits[8:], 0x3fff)
	}
	if a, b := long.format(one, next); a == b {
		t.Errorf("two different numbers are both %s", a)
	}
	allowed := allowance{scales: scales{0: 1}}
	if allowed.agrees(0, long, Tolerance{}, one, next) || !allowed.agrees(0, long, Tolerance{Double: 1e-6, Single: 1e-3}, one, next) {
		t.Error("the last bit of a fraction is not what the tolerance says")
	}
}
