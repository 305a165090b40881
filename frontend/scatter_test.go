package frontend

import (
	"testing"
	"time"

	"polytune/internal/processor"
)

// TestScatters compares what statements with control flow of their own are as reductions.
func TestScatters(t *testing.T) {
	for body, want := range map[string]string{
		"y[i] += a[k] * x[c[k]]; y[c[k]] += a[k] * x[i];":          "reduction(+:y)",
		"if (a[k] > 0) y[c[k]]++; else y[0] = 2 + y[0];":           "reduction(+:y)",
		"if (y[c[k]] < a[k]) y[c[k]] = a[k];":                      "reduction(max:y)",
		"x[k] = a[k]; y[c[k]] -= 1;":                               "reduction(+:y)",
		"y[i] += a[k]; y[c[k]] *= a[k];":                           "",
		"x[k] += a[k]; y[c[k]] *= a[k];":                           "reduction(+:x) reduction(*:y)",
		"x[k] += a[k]; y[c[k]] += x[i];":                           "reduction(+:y)",
		"y[c[k]] += y[i];":                                         "",
		"y[i] += a[k]; x[k] = y[c[k]];":                            "",
		"y[c[k]] = a[k];":                                          "",
		"a[k] = 1; if (y[c[k]] > 0) x[k] = 2; y[c[k]] += x[c[k]];": "",
	} {
		source := "void f(int n, int p[n + 1], int c[9 * n], double a[9 * n], double x[9 * n], double y[n])\n{\n#pragma scop\n" +
			"for (int i = 0; i < n; i++)\nfor (int k = p[i]; k < p[i + 1]; k++) { " + body + " }\n#pragma endscop\n}\n"
		file, err := Parse("f.c", []byte(source), Options{})
		if err != nil {
			t.Fatal(body, err)
		}
		got := ""
		if r := file.Regions[0].Program.Statements[0].Reduction; r != nil {
			got = r.Clause().String()
			for _, also := range r.Also {
				got += " " + also.Clause().String()
			}
			if !r.Several || len(r.Places) > 0 {
				t.Errorf("%s: is no reduction of several elements", body)
			}
		}
		if got != want {
			t.Errorf("%s: %q instead of %q", body, got, want)
		}
	}
}

// Numbers that are no arrays may be updated beside them, and by themselves.
func TestScattersIntoScalars(t *testing.T) {
	for body, want := range map[string]string{
		"if (a[i] > 1) { s += a[i]; y[c[i]] -= a[i]; }":              "reduction(+:s) reduction(+:y)",
		"int k = c[i]; while (k > 0) { k /= 2; count++; }":           "reduction(+:count)",
		"if (a[i] > s) { s = a[i]; count++; }":                       "reduction(+:count)",
		"for (int k = 0; k < c[i] && s < 9; k++) s += a[k];":         "",
		"if (a[i] > 1) { s += a[i]; s *= 2; }":                       "",
		"if (a[i] > 1) { s += a[i]; count += s; }":                   "",
		"for (int k = 0; k < c[i]; k++) { if (a[k] < s) s = a[k]; }": "reduction(min:s)",
	} {
		source := "double f(int n, int c[n], double a[n], double y[n])\n{\ndouble s = 0; long count = 0;\n#pragma scop\n" +
			"for (int i = 0; i < n; i++) { " + body + " }\n#pragma endscop\nreturn s + count;\n}\n"
		file, err := Parse("f.c", []byte(source), Options{})
		if err != nil {
			t.Fatal(body, err)
		}
		got := ""
		for _, s := range file.Regions[0].Program.Statements {
			if r := s.Reduction; r != nil {
				got = r.Clause().String()
				for _, also := range r.Also {
					got += " " + also.Clause().String()
				}
			}
		}
		if got != want {
			t.Errorf("%s: %q instead of %q", body, got, want)
		}
	}
}

const twoRegions = `
double u[64][64], sum;
void checksum(int first, int last, int low, int high, int left, int right)
{
#pragma scop
    for (int j = 1; j <= 1024; j++) {
        int q = j % 64 + 1, r = 3 * j % 64 + 1, s = 5 * j % 64 + 1;
        if (q >= first && q <= last && r >= low && r <= high && s >= left && s <= right)
            sum += u[r - low][q - first] * s;
    }
#pragma endscop
}
void clear(int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        u[i][i] = 0;
#pragma endscop
}
`

// Regions that are not asked for are not read, and what remainders in conditions tell of parameters
// is not looked for at any price.
func TestRegionsOfLargeFiles(t *testing.T) {
	file, err := Parse("two.c", []byte(twoRegions), Options{Number: 2})
	if err != nil {
		t.Fatal(err)
	}
	if first := file.Regions[0]; first.Program != nil || first.Function != "checksum" {
		t.Errorf("the first region, in %q, was read", first.Function)
	}
	if second := file.Regions[1]; second.Program == nil {
		t.Error("the second region was not read")
	}
	done := make(chan error, 1)
	go func() {
		_, err := Parse("two.c", []byte(twoRegions), Options{Number: 1})
		done <- err
	}()
	if err, arrived := processor.Wait(done, 3*time.Second); !arrived || err != nil {
		t.Errorf("the first region is not read in time (%v)", err)
	}
}
