package runner

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// writeDump writes a dump of arrays of doubles, one for each line of the header.
func writeDump(t *testing.T, header string, values ...float64) string {
	t.Helper()
	content := fmt.Appendf(nil, "%s %d\n%s\n", dumpMagic, 1+strings.Count(header, "\n"), header)
	for _, v := range values {
		content = binary.NativeEndian.AppendUint64(content, math.Float64bits(v))
	}
	path := filepath.Join(t.TempDir(), "dump")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCompareValues(t *testing.T) {
	nan, otherNaN := math.NaN(), math.Float64frombits(0xfff8000000000000)
	for _, c := range []struct {
		name          string
		expected, got []float64
		mismatch      *Mismatch
	}{
		{"equal", []float64{1, 2, 3, 4}, []float64{1, 2, 3, 4}, nil},
		{"NaN of another sign", []float64{1, nan, 3, 4}, []float64{1, otherNaN, 3, 4}, nil},
		{"last bit", []float64{1, 2, 3, 4}, []float64{1, 2, 3, math.Nextafter(4, 5)}, &Mismatch{"A", "A[1][1]", "4", "4.000000000000001", 1, 4, 0, false}},
		{"negative zero", []float64{0, 2, 3, 4}, []float64{math.Copysign(0, -1), 2, 3, 4}, &Mismatch{"A", "A[0][0]", "0", "-0", 1, 4, 0, false}},
		{"new NaN", []float64{1, 2, 3, 4}, []float64{1, 2, nan, nan}, &Mismatch{"A", "A[1][0]", "3", "NaN", 2, 4, 0, false}},
		{"lost infinity", []float64{1, math.Inf(1), 3, 4}, []float64{1, 2, 3, 4}, &Mismatch{"A", "A[0][1]", "+Inf", "2", 1, 4, 0, false}},
	} {
		err := Compare(writeDump(t, "A f 8 2 2 2", c.expected...), writeDump(t, "A f 8 2 2 2", c.got...))
		if c.mismatch == nil {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		var mismatch *Mismatch
		if !errors.As(err, &mismatch) || !reflect.DeepEqual(mismatch, c.mismatch) {
			t.Errorf("%s: %+v, want %+v", c.name, mismatch, c.mismatch)
		}
	}
}

func TestBadDumps(t *testing.T) {
	good := writeDump(t, "A f 8 2 2 2", 1, 2, 3, 4)
	for name, path := range map[string]string{
		"missing": filepath.Join(t.TempDir(), "none"),
		"short":   writeDump(t, "A f 8 2 2 2", 1, 2, 3),
		"shape":   writeDump(t, "A f 8 1 4", 1, 2, 3, 4),
		"name":    writeDump(t, "B f 8 2 2 2", 1, 2, 3, 4),
		"size":    writeDump(t, "A f 99 2 2 2", 1, 2, 3, 4),
		"extents": writeDump(t, "A f 8 2 2", 1, 2, 3, 4),
		"words":   writeDump(t, "A f 8 2 2 x", 1, 2, 3, 4),
		"header":  writeDump(t, ""),
		"kind":    writeDump(t, "A  8 2 2 2"),
	} {
		err := Compare(good, path)
		var mismatch *Mismatch
		if err == nil || errors.As(err, &mismatch) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCompareFingerprints(t *testing.T) {
	fingerprint := func(change func(*Fingerprint)) []Fingerprint {
		f := Fingerprint{Name: "A", Kind: "f", Element: 8, Count: 4, Hash: "1", Sum: 10, Absolute: 10, Weighted: 9, Sums: []float64{3, 7}, Magnitudes: []float64{3, 7}}
		f.Sums, f.Magnitudes = append([]float64{}, f.Sums...), append([]float64{}, f.Magnitudes...)
		change(&f)
		return []Fingerprint{f}
	}
	reference := fingerprint(func(*Fingerprint) {})
	for _, c := range []struct {
		name   string
		change func(*Fingerprint)
		want   string
	}{
		{"same hash", func(*Fingerprint) {}, ""},
		{"rounded", func(f *Fingerprint) { f.Hash, f.Weighted, f.Sums[1] = "2", 9+1e-9, 7-1e-9 }, ""},
		{"weighted", func(f *Fingerprint) { f.Hash, f.Weighted = "2", 9.001 }, "weighted sum"},
		{"part", func(f *Fingerprint) { f.Hash, f.Sums[1] = "2", 7.001 }, "part 2 of 2"},
		{"NaN sum", func(f *Fingerprint) { f.Hash, f.Sums[0] = "2", math.NaN() }, "part 1 of 2"},
		{"non-finite", func(f *Fingerprint) { f.Hash, f.NonFinite = "2", 1 }, "1 elements are NaN"},
		{"another array", func(f *Fingerprint) { f.Name = "B" }, "is B"},
		{"another count", func(f *Fingerprint) { f.Count = 5 }, "5 elements"},
	} {
		err := CompareFingerprints(reference, fingerprint(c.change), Tolerance{Double: 1e-6, Single: 1e-3})
		var failure *FingerprintError
		if (err == nil) != (c.want == "") || err != nil && (!errors.As(err, &failure) || failure.Array != "A" || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if CompareFingerprints(reference, nil, Tolerance{}) == nil {
		t.Error("a missing array is not noticed")
	}
}
