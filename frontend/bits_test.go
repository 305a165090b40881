package frontend

import (
	"fmt"
	"polytune/isl"
	"strings"
	"testing"
)

// TestBits compares the subscripts that operators on bits make with their values.
func TestBits(t *testing.T) {
	t.Parallel()
	for text, value := range map[string]func(i int) int{
		"i ^ 1":           func(i int) int { return i ^ 1 },
		"1 ^ i":           func(i int) int { return i ^ 1 },
		"i | 1":           func(i int) int { return i | 1 },
		"i | 6":           func(i int) int { return i | 6 },
		"i ^ 7":           func(i int) int { return i ^ 7 },
		"(2 * i + 1) ^ 4": func(i int) int { return (2*i + 1) ^ 4 },
		"~i":              func(i int) int { return ^i },
		"~(i | 2)":        func(i int) int { return ^(i | 2) },
		"i ^ 0":           func(i int) int { return i },
		"(i & 3) ^ 1":     func(i int) int { return i&3 ^ 1 },
		"i % 2 ?: 5":      func(i int) int { return i%2 + (1-i%2*(i%2))*5 },
		"(i > 3) ?: -i":   func(i int) int { return map[bool]int{true: 1, false: -i}[i > 3] },
	} {
		source := fmt.Sprintf("double a[99];\nvoid f(void)\n{\n#pragma scop\nfor (int i = -9; i < 12; i++) a[(%s) + 40] = 0;\n#pragma endscop\n}\n", text)
		file, err := Parse("f.c", []byte(source), Options{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var points []string
		for i := -9; i < 12; i++ {
			points = append(points, fmt.Sprintf("S0[%d] -> a[%d]", i, value(i)+40))
		}
		if got := accessText(t, file.Regions[0]); !sameMap1(t, got, points) {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// sameMap1 is sameMap for statements in one loop.
func sameMap1(t *testing.T, got string, points []string) bool {
	t.Helper()
	return sameSets(t, got, "{ "+strings.Join(points, "; ")+" }")
}

// TestDifferences compares elements that pointers and differences lead to with those of subscripts.
func TestDifferences(t *testing.T) {
	t.Parallel()
	for text, same := range map[string]string{
		"*(b + n - 1 - i)":                          "b[n - 1 - i]",
		"*(b - i + n)":                              "b[n - i]",
		"(b + n)[-i]":                               "b[n - i]",
		"*(&b[n] - i)":                              "b[n - i]",
		"*(double *) &b[i]":                         "b[i]",
		"((double *) b)[i + 1]":                     "b[i + 1]",
		"*((double *) (b + n) - (i + 1))":           "b[n - i - 1]",
		"*(*(m + i) - 1 + n)":                       "m[i][n - 1]",
		"((double (*)[40]) m)[i][3]":                "m[i][3]",
		"*(b + i * n - (n - 1 - i) + n - 1)":        "b[i * n + i]",
		"*(b + n - (unsigned) i - 1)":               "b[n - i - 1]",
		"*(double *) ((double *) (double *) b + i)": "b[i]",
	} {
		var relations [2][]string
		for k, element := range []string{text, same} {
			source := fmt.Sprintf("void f(int n, double *b, double (*m)[40])\n{\n#pragma scop\nfor (int i = 0; i < n; i++) %s = 0;\n#pragma endscop\n}\n", element)
			file, err := Parse("f.c", []byte(source), Options{})
			if err != nil {
				t.Fatalf("%s: %v", element, err)
			}
			if strings.Contains(file.Regions[0].Program.String(), "may write") {
				t.Errorf("%s: any element", element)
			}
			relations[k] = relationsOf(t, file.Regions[0])
		}
		if !sameSets(t, relations[0][0], relations[1][0]) {
			t.Errorf("%s: %s, not %s", text, relations[0], relations[1])
		}
	}
}

// TestFacts are what regions learn of their parameters from what the program states, or nothing.
func TestFacts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"if (!(m > n)) __builtin_unreachable(); for (int i = 0; i < n; i++) a[i] = a[i + m];":                                                "[n, m] -> { : m > n }",
		"__builtin_assume(m > n); for (int i = 0; i < n; i++) a[i] = a[i + m];":                                                              "[n, m] -> { : m > n }",
		"if (m <= n || n < 3) { __builtin_unreachable(); } for (int i = 0; i < n; i++) a[i] = a[i + m];":                                     "[n, m] -> { : n >= 3 and m > n }",
		"do { if (!(m > n)) __builtin_unreachable(); } while (0); for (int i = 0; i < n; i++) a[i] = a[i + m];":                              "[n, m] -> { : m > n }",
		"do if (m <= n) __builtin_unreachable(); while (0); for (int i = 0; i < n; i++) a[i] = a[i + m];":                                    "[n, m] -> { : m > n }",
		"do { if (m <= n) __builtin_unreachable(); } while (a[0] > 3); for (int i = 0; i < n; i++) a[i] = a[i + m];":                         "",
		"m > n ? (void) 0 : __builtin_unreachable(); for (int i = 0; i < n; i++) a[i] = a[i + m];":                                           "[n, m] -> { : m > n }",
		"(m <= n ? __builtin_unreachable() : (void) 0); for (int i = 0; i < n; i++) a[i] = a[i + m];":                                        "[n, m] -> { : m > n }",
		"for (int i = 0; i < n; i++) { __builtin_assume(i < m); a[i] = a[i + m]; }":                                                          "",
		"for (int i = 0; i < n; i++) { if (a[i] > 3) __builtin_unreachable(); a[i] = a[i + m]; }":                                            "[n, m] -> {  :  }",
		"for (int i = 0; i < 9; i++) { if (m < 4) __builtin_unreachable(); a[i] = a[i + m]; }":                                               "[m] -> { : m >= 4 }",
		"if (n > 2) { __builtin_assume(m > 5); for (int i = 0; i < n; i++) a[i] = a[i + m]; }":                                               "[n, m] -> {  :  }",
		"__builtin_assume(n != m); for (int i = 0; i < n; i++) a[i] = a[i + m];":                                                             "[n, m] -> {  :  }",
		"for (int i = 0; i < n; i++) { if (__builtin_isnan(a[i])) __builtin_unreachable(); a[i] = a[i + m]; }":                               "[n, m] -> {  :  }",
		"for (int i = 0; i < n; i++) if (a[i] > 0) { __builtin_assume(a[i] < 9); if (a[i] == 3) __builtin_unreachable(); a[i] = a[i + m]; }": "[n, m] -> {  :  }",
	} {
		source := "void f(int n, int m, double *restrict a)\n{\n#pragma scop\n" + text + "\n#pragma endscop\n}\n"
		file, err := Parse("f.c", []byte(source), Options{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if want == "" {
			continue
		}
		if got := file.Regions[0].Program.Context; !sameParameters(t, got, want) {
			t.Errorf("%s: %s, not %s", text, got, want)
		}
	}
	for front, want := range map[string]string{
		"if (m <= n) __builtin_unreachable();":                                      "[n, m] -> { : m > n }",
		"int k = m; if (k <= n) __builtin_unreachable();":                           "[n, m] -> { : m > n }",
		"if (m <= n) __builtin_unreachable(); m = 3;":                               "[n, m] -> { : }",
		"switch (n) { case 1: if (m <= n) __builtin_unreachable(); case 2: ;":       "[n, m] -> { : }",
		"if (n > 9) goto there; if (m <= n) __builtin_unreachable(); there: ;":      "[n, m] -> { : }",
		"if (n > 9) { if (m <= n) __builtin_unreachable(); }":                       "[n, m] -> { : }",
		"there: ; if (m <= n) __builtin_unreachable(); if (a[0] > 1) goto there; ;": "[n, m] -> { : m > n }",
	} {
		source := "void f(int n, int m, double *restrict a)\n{\n" + front + "\n#pragma scop\nfor (int i = 0; i < n; i++) a[i] = a[i + m];\n#pragma endscop\n" + strings.Repeat("}", 1+strings.Count(front, "{")-strings.Count(front, "}"))
		file, err := Parse("f.c", []byte(source), Options{})
		if err != nil {
			t.Errorf("%s: %v", front, err)
			continue
		}
		if got := file.Regions[0].Program.Context; !sameParameters(t, got, want) {
			t.Errorf("%s: %s, not %s", front, got, want)
		}
	}
	source := "void f(int n, double *restrict a)\n{\n#pragma scop\n__builtin_assume(n++ > 0); a[0] = 0;\n#pragma endscop\n}\n"
	if _, err := Parse("f.c", []byte(source), Options{}); err == nil || !strings.Contains(err.Error(), "an assumption that changes something") {
		t.Error(err)
	}
}

func sameParameters(t *testing.T, a, b string) bool {
	t.Helper()
	ctx := isl.NewContext()
	defer ctx.Close()
	same, err := ctx.ReadSet(a).IsEqual(ctx.ReadSet(b))
	if err != nil {
		t.Fatal(err)
	}
	return same
}
