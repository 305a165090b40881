package frontend

import "testing"

// TestUpperBounds says what a subscript that depends on data is less than by its own arithmetic.
func TestUpperBounds(t *testing.T) {
	const head = "#define MIN(a, b) ((a) < (b) ? (a) : (b))\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\n" +
		"static int clamp(int v, int low, int high) { if (v < low) return low; if (v > high) return high; return v; }\n" +
		"static int within(int v) { return v < 0 ? 0 : v > 9 ? 9 : v; }\n"
	for subscript, want := range map[string]int{
		"x[i] & 15":                             16,
		"b[i]":                                  256,
		"b[i] + 1":                              257,
		"c[i] + 128":                            256,
		"2 * b[i] + 3":                          514,
		"b[i] >> 4":                             16,
		"b[i] / 16 % 8":                         8,
		"(unsigned) x[i] % 100":                 100,
		"x[i] % n":                              0,
		"x[i]":                                  0,
		"x[i] - 1":                              0,
		"(unsigned char) x[i]":                  256,
		"MIN(MAX(x[i], 0), 31)":                 32,
		"MAX(x[i], 0)":                          0,
		"x[i] < 0 ? 0 : x[i] >= 64 ? 63 : x[i]": 64,
		"clamp(x[i], 0, 99)":                    100,
		"clamp(x[i], 0, n)":                     0,
		"within(x[i])":                          10,
		"k":                                     50,
	} {
		source := head + "void f(int n, const int x[n], const unsigned char b[n], const signed char c[n], const double *a, double y[n])\n{\n#pragma scop\nfor (int i = 0; i < n; i++) {\n" +
			"int k = x[i] * x[i];\nif (k > 49) k = 49;\ny[i] = a[" + subscript + "];\n}\n#pragma endscop\n}\n"
		file, err := Parse("f.c", []byte(source), Options{})
		if err != nil {
			t.Error(subscript, err)
			continue
		}
		for _, s := range file.Regions[0].Program.Statements {
			for _, access := range s.Accesses {
				if access.Array == "a" && access.Datum.Below != want {
					t.Errorf("%s: less than %d instead of %d", subscript, access.Datum.Below, want)
				}
			}
		}
	}
}
