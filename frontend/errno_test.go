package frontend

import (
	"slices"
	"testing"

	"polytune/scop"
)

// TestQuietRoots declares square roots without errno where nothing in the file could tell.
func TestQuietRoots(t *testing.T) {
	const (
		library = "double sqrt(double); float sqrtf(float); long double sqrtl(long double); double pow(double, double);\n"
		double  = "extern double (sqrt)(double) __attribute__((const));"
		float   = "extern float (sqrtf)(float) __attribute__((const));"
		long    = "extern long double (sqrtl)(long double) __attribute__((const));"
	)
	for name, c := range map[string]struct {
		front, value string
		want         []string
		serial       scop.Serial
	}{
		"double":                {library, "sqrt(b[i])", []string{double}, scop.NotSerial},
		"all":                   {library, "sqrt(b[i]) + sqrtf(2.0f) + sqrtl(3)", []string{double, float, long}, scop.NotSerial},
		"with others":           {library, "pow(sqrt(b[i]), 2)", []string{double}, scop.SerialByErrno},
		"in a function":         {library + "static double root(double x) { return sqrt(x); }\n", "root(b[i])", []string{double}, scop.SerialByErrno},
		"errno of glibc":        {library + "int *__errno_location(void);\nint failed(void) { return *__errno_location(); }\n", "sqrt(b[i])", nil, scop.SerialByErrno},
		"errno as a variable":   {library + "extern int errno;\nint failed(void) { return errno; }\n", "sqrt(b[i])", nil, scop.SerialByErrno},
		"what prints it":        {library + "void perror(const char *);\nvoid say(void) { perror(\"root\"); }\n", "sqrt(b[i])", nil, scop.SerialByErrno},
		"a variable like it":    {library + "double most(double x) { double err = x; return err; }\n", "sqrt(b[i])", []string{double}, scop.NotSerial},
		"a function of its own": {"static double sqrt(double x) { return x / 2; }\n", "sqrt(b[i])", nil, scop.SerialByErrno},
		"without square roots":  {library, "pow(b[i], 2)", nil, scop.SerialByErrno},
	} {
		source := c.front + "void f(int n, double a[n], double b[n])\n{\n#pragma scop\nfor (int i = 0; i < n; i++)\na[i] = " + c.value + ";\n#pragma endscop\n}\n"
		file, err := Parse("f.c", []byte(source), Options{})
		if err != nil {
			t.Error(name, err)
			continue
		}
		region := &file.Regions[0]
		if !slices.Equal(region.Declarations, c.want) {
			t.Errorf("%s: declarations %q, want %q", name, region.Declarations, c.want)
		}
		if got := region.Program.Statements[0].Serial; got != c.serial {
			t.Errorf("%s: %d for vectors, want %d", name, got, c.serial)
		}
	}
}
