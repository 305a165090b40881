package codegen_test

import (
	"strings"
	"testing"

	"polytune/codegen"
	"polytune/internal/kerneltest"
	"polytune/schedule/command"
)

// Macros for rows are those of arrays that have rows in one subscript. A value that stands in the place
// of a reference has iterators without names; numbers and other arrays have no rows.
func TestNoRows(t *testing.T) {
	for _, reader := range []string{"s += x[i] * i", "y[i] = x[i] * i"} {
		source := "void f(int n, double x[restrict n], double y[restrict n])\n{\n    double s = 0;\n#pragma scop\n" +
			"    for (int i = 0; i < n; i++)\n        x[n - 1 - i] = i;\n    for (int i = 0; i < n; i++)\n        " + reader + ";\n#pragma endscop\n    y[0] = s;\n}\n"
		file, err := kerneltest.Parse("f.c", source, "f")
		if err != nil {
			t.Fatal(err)
		}
		region := &file.Regions[0]
		recipe, err := command.Parse(region.Program, "original\ninline S0\n")
		if err != nil {
			t.Fatal(err)
		}
		code, err := codegen.Program(kerneltest.Analyze(t, region.Program), recipe, file.Unit(region))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(code), "#define") {
			t.Errorf("a macro in\n%s", code)
		}
	}
}
