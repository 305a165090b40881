package frontend

import (
	"fmt"
	"testing"

	"polytune/scop"
)

// Structs of numbers of one type without gaps count as such; others do not.
func TestNumbers(t *testing.T) {
	for members, want := range map[string]scop.Numbers{
		"double x, y;":                                   {Type: "double", Count: 2},
		"double f[9];":                                   {Type: "double", Count: 9},
		"float f[2][3], g;":                              {Type: "float", Count: 7},
		"struct { int a, b; } c[2]; int d;":              {Type: "int", Count: 5},
		"double x; int n;":                               {},
		"double x; long n;":                              {},
		"int a : 3, b : 29;":                             {},
		"double x; union { double y; long n; } u;":       {},
		"double x __attribute__((aligned(16)));":         {},
		"double *p, *q;":                                 {},
		"struct { char c; } a; struct { char c[3]; } b;": {Type: "char", Count: 4},
	} {
		source := fmt.Sprintf(`struct s { %s };
void f(int n, struct s a[n], double b[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = i;
#pragma endscop
}
`, members)
		file, err := Parse("numbers.c", []byte(source), Options{})
		if err != nil {
			t.Errorf("%s: %v", members, err)
			continue
		}
		arguments := file.Regions[0].Program.Function.Arguments
		if got := arguments[1].Numbers; got != want {
			t.Errorf("%s: %+v, want %+v", members, got, want)
		}
		if got := arguments[2].Numbers; got != (scop.Numbers{}) {
			t.Errorf("double: %+v", got)
		}
	}
}
