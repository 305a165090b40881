package device_test

import (
	"slices"
	"testing"

	"polytune/device"
	"polytune/internal/kerneltest"
)

// Functions are exact where the languages of devices say so: of the others each is named once, in
// any type.
func TestRounded(t *testing.T) {
	for statement, want := range map[string][]string{
		"a[i] = exp(a[i]) + exp(2 * a[i]) * powf(sin(a[i]), 3)": {"exp", "powf", "sin"},
		"a[i] = sqrt(fabs(a[i])) + fma(a[i], 2, floorf(a[i]))":  nil,
		"a[i] += a[i] > 0 ? log(a[i]) : 1":                      {"log"},
		"a[i] = 1":                                              nil,
	} {
		file, err := kerneltest.Parse("p.c", "#include <math.h>\nvoid f(int n, double a[n]) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    "+statement+";\n#pragma endscop\n}\n", "f")
		if err != nil {
			t.Fatal(err)
		}
		if got := device.Rounded(&file.Regions[0].Program.Statements[0]); !slices.Equal(got, want) {
			t.Errorf("%s: %q; want %q", statement, got, want)
		}
	}
}
