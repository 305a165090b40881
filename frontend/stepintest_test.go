package frontend

import "testing"

// TestStepInTest are loops whose condition does the step, with the values that their iterator has in
// the body, "" for loops of which that is not known.
func TestStepInTest(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ declaration, loop, want string }{
		{"int k = n;", "while (k-- > 0)", "0 <= i < k"},
		{"int k = n;", "while (k--)", "0 <= i < k"},
		{"int k = n;", "while (--k >= m)", "m <= i < k"},
		{"int k = n;", "while (--k)", "0 < i < k"},
		{"int k = m;", "while (k++ < n)", "k < i <= n"},
		{"int k = m;", "while (++k <= n)", "k < i <= n"},
		{"int k = m;", "for (; k++ != n;)", "k < i <= n"},
		{"int k;", "for (k = n; --k > m;)", "m < i < n"},
		{"", "for (int k = m; ++k < n;)", "m < i < n"},
		{"unsigned k = l;", "while (k-- > 0)", "0 <= i < k"},
		{"unsigned k = l;", "while (k++ < 9)", "k < i <= 9"},
		// Unsigned iterators that wrap around in their first step.
		{"unsigned k = l;", "while (--k > 0)", ""},
		{"unsigned k = l;", "while (++k < 9)", ""},
		{"int k = n;", "while (k-- > 0 && m > 3)", ""},
		{"int k = n;", "while (k-- < n)", ""},
	} {
		source := "void f(int n, int m, unsigned l, double *restrict a)\n{\n" + test.declaration + "\n#pragma scop\n" + test.loop + " a[k] += 1;\n#pragma endscop\n}\n"
		file, err := Parse("f.c", []byte(source), Options{})
		isKnown := err == nil && len(file.Regions[0].Program.Statements[0].Loops) == 1
		if isKnown != (test.want != "") {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if !isKnown {
			continue
		}
		program := file.Regions[0].Program
		model := newProver()
		got := model.context.ReadSet(program.Statements[0].Domain).IntersectParams(model.context.ReadSet(program.Context))
		want := model.context.ReadSet("[n, m, l, k] -> { S0[i] : " + test.want + " }").IntersectParams(model.context.ReadSet(program.Context))
		if same, err := got.IsEqual(want); err != nil || !same {
			t.Errorf("%s: %s, want %s (%v)", source, got, want, err)
		}
		model.close()
	}
}
