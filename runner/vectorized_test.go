package runner

import (
	"testing"
	"time"
)

// Roots have vectors where errno need not be set; a recurrence has none; and loops outside of the
// lines do not count.
func TestVectorLoops(t *testing.T) {
	toolchain := gcc(t)
	toolchain.Flags = []string{"-O3"}
	builder, err := NewBuilder(BuilderOptions{Toolchain: toolchain, Limit: 30 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { builder.Close() })
	const source = "#include <math.h>\nvoid f(int n, double *restrict a, const double *restrict b)\n{\n  for (int i = 0; i < n; i++)\n    a[i] = sqrt(b[i]);\n" +
		"  for (int i = 1; i < n; i++)\n    a[i] = a[i - 1] / b[i];\n}\n"
	for _, c := range []struct {
		first, end int
		arguments  []string
		want       int
	}{{4, 8, nil, 0}, {4, 8, []string{"-fno-math-errno"}, 1}, {6, 8, []string{"-fno-math-errno"}, 0}} {
		count, known, err := builder.VectorLoops(t.Context(), source, c.first, c.end, c.arguments...)
		if err != nil || !known || count != c.want {
			t.Errorf("%+v: %d loops (%v, %v)", c, count, known, err)
		}
	}
	if _, known, err := builder.VectorLoops(t.Context(), "this is no C", 1, 2); known || err != nil {
		t.Errorf("a file that does not compile: %v, %v", known, err)
	}
}

// The values of expressions are those of the region's last execution, wherever the program ends.
func TestProgramValues(t *testing.T) {
	p := newProgram(t, "#include <stdlib.h>\nstatic double a[64];\nstruct size { int n; };\nint main(int argc, char **argv)\n{\n"+
		"  struct size s = {0}, *p = &s;\n  for (int k = 1; k < argc; k++) {\n    p->n = atoi(argv[k]);\n#pragma scop\n    for (int i = 0; i < p->n; i++)\n      a[i] += 1;\n#pragma endscop\n  }\n  exit(0);\n}\n",
		0, ProgramOptions{Arguments: []string{"7", "-3"}}, Subject{})
	values, err := p.program.Values(t.Context(), p.options, []string{"p->n", "2 * p->n"}, RunRequest{Limit: 10 * time.Second})
	if err != nil || len(values) != 2 || values[0] != -3 || values[1] != -6 {
		t.Errorf("%v, %v", values, err)
	}
	p.program.options.Arguments = nil
	if _, err := p.program.Values(t.Context(), p.options, []string{"p->n"}, RunRequest{Limit: 10 * time.Second}); err == nil {
		t.Error("a program that does not come to the region has values")
	}
}
