package runner

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// What other rounding moves an array by is allowed to sums in another order, in that array alone
// and up to half of the tolerance's digits; nothing is where it makes quite other numbers.
func TestSensitivity(t *testing.T) {
	tolerance := Tolerance{Double: 1e-6, Single: 1e-3}
	const header = "A f 8 1 1\nB f 8 1 1"
	dump := func(a, b float64) string { return writeDump(t, header, a, b) }
	for _, c := range []struct {
		name             string
		original         string
		directed         []string
		got              string
		wrong, senseless bool
	}{
		{"cancelled", dump(1e-12, 5), []string{dump(3e-11, 5), dump(-2e-11, 5)}, dump(-9e-11, 5), false, false},
		{"a missing term", dump(1e-12, 5), []string{dump(3e-11, 5), dump(-2e-11, 5)}, dump(1e-4, 5), true, false},
		{"what does not move", dump(1e-12, 5), []string{dump(3e-11, 5), dump(-2e-11, 5)}, dump(1e-12, 5.1), true, false},
		{"nothing moves", dump(1e-12, 5), []string{dump(1e-12, 5)}, dump(2e-12, 5), true, false},
		{"exactly nothing", dump(0, 5), []string{dump(1e-13, 5)}, dump(-4e-13, 5), false, false},
		{"half of the digits at most", dump(0, 5), []string{dump(1e-3, 5)}, dump(0.1, 5), true, false},
		{"no rounding in the original's order", dump(0, 5), []string{dump(0, 5)}, dump(1e-13, 5), false, false},
		{"data that amplify rounding", dump(0.3, 5), []string{dump(4.9, 5)}, dump(0.301, 5), false, false},
		{"even more than that", dump(0.3, 5), []string{dump(4.9, 5)}, dump(40, 5), true, true},
		{"no number", dump(0.3, 5), []string{dump(math.NaN(), 5)}, dump(math.NaN(), 5), false, false},
		{"another number", dump(0.3, 5), []string{dump(math.NaN(), 5)}, dump(0.301, 5), true, false},
		{"no number elsewhere", dump(0.3, 5), []string{dump(math.NaN(), 5)}, dump(0.3, 6), true, false},
	} {
		sensitivity, err := SensitivityOf(c.original, Sums{}, c.directed...)
		if err != nil {
			t.Fatal(err)
		}
		err = CompareSensitive(c.original, c.got, tolerance, sensitivity)
		var mismatch *Mismatch
		if wrong := errors.As(err, &mismatch); wrong != c.wrong || wrong && mismatch.Sensitive != c.senseless {
			t.Errorf("%s: %+v", c.name, err)
		}
	}
	if _, err := SensitivityOf(dump(1, 2), Sums{}, writeDump(t, "A f 8 1 2", 1, 2)); err == nil {
		t.Error("another shape has a distance")
	}
}

// The programs of both harnesses round in the direction that they are told while the region runs,
// and to the nearest number around it.
func TestDirections(t *testing.T) {
	const region = "#pragma scop\n  for (int i = 0; i < n; i++)\n    s[0] += x[i] / 3;\n#pragma endscop\n"
	program := newProgram(t, `#include <stdio.h>
static double x[100], s[1];
static volatile double three = 3;
int main(void)
{
  int n = 100;
  for (int i = 0; i < n; i++)
    x[i] = i * i;
`+strings.Replace(region, "#pragma scop\n", "#pragma scop\n#pragma omp parallel for reduction(+:s)\n", 1)+`
  return 1 / three > 1.0 / 3 || -1 / three > -1.0 / 3;
}
`, 0, ProgramOptions{}, Subject{})
	original := build(t, program.Builder, program.source, true)
	dumps := map[Direction]string{}
	for _, direction := range append([]Direction{""}, Directions...) {
		dumps[direction] = filepath.Join(t.TempDir(), "dump")
		if err := Dump(context.Background(), original, RunRequest{Rounding: direction}, dumps[direction]); err != nil {
			t.Fatal(err)
		}
	}
	sensitivity, err := SensitivityOf(dumps[""], Sums{}, dumps[Upward], dumps[TowardZero])
	if err != nil || sensitivity.moved[0] == 0 || sensitivity.moved[0] > 1e-6 {
		t.Errorf("%+v, %v", sensitivity, err)
	}
	if sensitivity.largest < 99*99 {
		t.Errorf("the largest magnitude of what is read and written is %g", sensitivity.largest)
	}
	if Compare(dumps[Upward], dumps[TowardZero]) == nil {
		t.Error("both directions give the same")
	}

	builder := newBuilder(t, gcc(t), multiply, DriverOptions{Seed: 1})
	function := build(t, builder, body("(void) NI; (void) NJ; (void) NK; (void) alpha; (void) A; (void) B; (void) count; C[0][0] = C[0][0] / 3 + 1e-20;"), true)
	var values []Fingerprint
	for _, direction := range append([]Direction{""}, Directions...) {
		request := multiplyRequest
		request.Rounding = direction
		timing, err := Time(context.Background(), function, TimeRequest{RunRequest: request})
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, timing.Fingerprints[0])
	}
	if values[1].Hash == values[2].Hash || values[1].Sum < values[2].Sum {
		t.Errorf("upward %v, towards zero %v", values[1].Sum, values[2].Sum)
	}
}

// Integers that rounding does not move are compared bit for bit, however large they are, in
// elements, summaries and fingerprints; so is everything where no other rounding was tried.
func TestIntegersStayExact(t *testing.T) {
	one, next := make([]byte, 8), make([]byte, 8)
	binary.NativeEndian.PutUint64(one, 1<<60)
	binary.NativeEndian.PutUint64(next, 1<<60+64)
	tolerance, long := Tolerance{Double: 1e-6, Single: 1e-3}, elementType{kind: 'i', size: 8}
	still := newSensitivity()
	still.applies[0] = true
	for _, l := range []allowance{{tolerance: tolerance}, {tolerance: tolerance, sensitivity: still}} {
		if l.agrees(0, long, tolerance, one, next) {
			t.Error("different integers agree")
		}
		if a, b := (summary{Hash: 1, Seen: 1, Weighted: 1e18}), (summary{Hash: 2, Seen: 1, Weighted: 1e18}); l.areAlike(0, "u", tolerance, a, b) {
			t.Error("different integers are alike")
		}
	}
	a, b := Fingerprint{Name: "A", Kind: "u", Count: 1, Hash: "1", Weighted: 1e18}, Fingerprint{Name: "A", Kind: "u", Count: 1, Hash: "2", Weighted: 1e18}
	if CompareFingerprints([]Fingerprint{a}, []Fingerprint{b}, tolerance) == nil {
		t.Error("fingerprints of different integers are the same")
	}
	large := Fingerprint{Name: "E", Kind: "f", Element: 8, Count: 1, Hash: "1", Absolute: 1e11, Weighted: 1e11, Sums: []float64{1e11}, Magnitudes: []float64{1e11}}
	small := Fingerprint{Name: "u", Kind: "f", Element: 8, Count: 1, Hash: "1", Absolute: 1e-6, Weighted: 1e-6, Sums: []float64{1e-6}, Magnitudes: []float64{1e-6}}
	zero := Fingerprint{Name: "u", Kind: "f", Element: 8, Count: 1, Hash: "2", Sums: []float64{0}, Magnitudes: []float64{0}}
	reference := Timing{Fingerprints: []Fingerprint{large, small}}
	for _, c := range []struct {
		sums     Sums
		directed []Timing
	}{{Sums{}, nil}, {Sums{Terms: NewArrays("u")}, []Timing{reference}}, {Sums{Of: NewArrays("E")}, []Timing{reference}}} {
		sensitivity, err := SensitivityOfRuns(reference, c.sums, c.directed...)
		if err != nil {
			t.Fatal(err)
		}
		if CompareRounded(reference.Fingerprints, []Fingerprint{large, zero}, tolerance, make(Spread, 2), sensitivity) == nil {
			t.Errorf("%+v: a small array is not compared beside a large one", c.sums)
		}
	}
}

// Of data of which a dump has only the first elements the rest is compared, too: by sums within the
// tolerance, and by hashes where bits are.
func TestLargeDumpsWithin(t *testing.T) {
	p := newProgram(t, `static double x[1000], s[1000];
int main(void)
{
  for (int i = 0; i < 1000; i++)
    x[i] = i;
  for (int r = 0; r < 2; r++) {
#pragma scop
    for (int i = 0; i < 1000; i++)
      s[i] = s[i] + x[i] / 7;
#pragma endscop
  }
  return 0;
}
`, 0, ProgramOptions{DumpBytes: 2000}, Subject{})
	reference, err := p.reference(t, RunRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for code, wrong := range map[string][2]bool{
		"s[i] = x[i] / 7 + s[i];":                                       {false, false},
		"s[i] = (s[i] + x[i] / 7) * (i == 900 ? 1 + 1e-12 : 1);":        {true, false},
		"s[i] = s[i] + x[i] / 7; if (i == 900) s[i] += 10;":             {true, true},
		"s[i] = s[i] + x[i] / 7; if (i == 999) s[i] = 1.0 / (i - 999);": {true, true},
		"s[i] = s[i] + x[i] / 7; if (i == 900) s[i] -= 0.01;":           {true, true},
		"s[i] = s[i] + x[i] / 7; if (i == 3) s[i] += 0.001;":            {true, true},
	} {
		binary := build(t, p.Builder, p.variant("{ for (int i = 0; i < 1000; i++) { "+code+" } }"), true)
		path := filepath.Join(t.TempDir(), "variant")
		if err := Dump(context.Background(), binary, RunRequest{}, path); err != nil {
			t.Fatal(err)
		}
		for k, tolerance := range []Tolerance{{}, {Double: 1e-6, Single: 1e-3}} {
			err := CompareWithin(reference, path, tolerance)
			if isWrong := errors.As(err, new(*Mismatch)); isWrong != wrong[k] {
				t.Errorf("%s, %+v: %v", code, tolerance, err)
			}
		}
	}
}
