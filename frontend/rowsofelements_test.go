package frontend

import (
	"strings"
	"testing"
)

// TestRowsOfElements are references to arrays of which one subscript counts rows, and others follow
// or go before, with the elements that the model has for them.
func TestRowsOfElements(t *testing.T) {
	for _, test := range []struct{ reference, array, element, c string }{
		{"cells[i * m + j].f[k]", "cells_f", "i, j, k", "cells[(3) * (m) + 4].f[5]"},
		{"g->cells[j * n + i].f[k]", "g_cells_f", "0, j, i, k", "g[3].cells[(4) * (n) + 5].f[6]"},
		{"pos[i * m + j][k]", "pos", "i, j, k", "pos[(3) * (m) + 4][5]"},
		{"planes[k][i * m + j][1]", "planes", "k, i, j, 1", "planes[3][(4) * (m) + 5][6]"},
		{"cells[3 + (i * m + j) * 7].f[k]", "cells_f", "i, j, 3, k", "cells[((3) * (m) + 4) * (7) + 5].f[6]"},
	} {
		source := "struct cell { double f[9]; int alive; };\nstruct grid { int n; struct cell *restrict cells; };\n" +
			"void f(int n, int m, struct grid *restrict g, struct cell *restrict cells, double (*restrict pos)[9], double planes[9][n * m][2])\n{\n#pragma scop\n" +
			"for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int k = 0; k < 9; k++) " + test.reference + " = 1;\n#pragma endscop\n}\n"
		file, err := Parse("rows.c", []byte(source), Options{})
		if err != nil {
			t.Fatalf("%s: %v", test.reference, err)
		}
		program := file.Regions[0].Program
		array := program.Array(test.array)
		if array == nil || isInexact(file) {
			t.Errorf("%s: any element:\n%s", test.reference, program)
			continue
		}
		model := newProver()
		s := program.Statements[0]
		got := model.context.ReadMap(s.Accesses[0].Relation).IntersectDomain(model.context.ReadSet(s.Domain))
		want := model.context.ReadMap("[n, m] -> { S0[i, j, k] -> " + test.array + "[" + test.element + "] }").IntersectDomain(model.context.ReadSet(s.Domain))
		if same, err := got.IsEqual(want); err != nil || !same {
			t.Errorf("%s: got %s, want %s (%v)", test.reference, got, want, err)
		}
		if text := array.Reference([]string{"3", "4", "5", "6"}[:len(array.Extents)]); text != test.c {
			t.Errorf("%s: the element in C is %s, want %s", test.reference, text, test.c)
		}
		model.close()
	}
}

// TestWarnedSubscripts are subscripts that are no affine form and that no data decide: what is taken
// for any element has a warning that says why.
func TestWarnedSubscripts(t *testing.T) {
	for _, test := range []struct{ reference, want string }{
		{"g->a[(long) (y * g->w) + x]", "in unsigned arithmetic, which may wrap around"},
		{"a[cut(y, x, n)]", "the value of this call is not affine"},
		{"a[b[x]]", ""},
		{"a[g->i[x]]", ""},
	} {
		source := "struct grid { unsigned w, h; int *i; double *restrict a; };\nstatic int cut(short y, int x, int n) { return y * n + x; }\n" +
			"void f(int n, struct grid *restrict g, double *restrict a, const int *restrict b)\n{\n#pragma scop\n" +
			"for (int y = 0; y < n; y++) for (unsigned x = 0; x < g->w; x++) " + test.reference + " = 1;\n#pragma endscop\n}\n"
		file, err := Parse("f.c", []byte(source), Options{})
		if err != nil {
			t.Errorf("%s: %v", test.reference, err)
			continue
		}
		warned := ""
		for _, w := range file.Regions[0].Warnings {
			if strings.Contains(w.Message, "taken for ones to any element") {
				warned = w.Message
			}
		}
		if (warned == "") != (test.want == "") || !strings.Contains(warned, test.want) {
			t.Errorf("%s: warning %q, want %q", test.reference, warned, test.want)
		}
	}
}
