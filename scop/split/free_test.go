package split_test

import (
	"slices"
	"testing"

	"polytune/scop/split"
)

// Of these kernels only shortest paths have loops that carry nothing apart from one
// iteration; the pieces are proven to be the statement.
func TestFree(t *testing.T) {
	for _, name := range []string{"lu", "gramschmidt", "nussinov", "trmm", "seidel-2d", "durbin"} {
		p := kernelProgram(t, "polybench/"+name)
		if cuts, err := split.Free(graphOf(t, p)); err != nil || len(cuts) > 0 {
			t.Errorf("%s: %d cuts, %v", name, len(cuts), err)
		}
	}
	p := kernelProgram(t, "polybench/floyd-warshall")
	g := graphOf(t, p)
	cuts, err := split.Free(g)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range cuts {
		got = append(got, p.CutText(c))
	}
	if want := []string{"S0[k, i, j] -> [-k + i]", "S0[k, i, j] -> [k - i]", "S0[k, i, j] -> [-k + j]", "S0[k, i, j] -> [k - j]"}; !slices.Equal(got, want) {
		t.Fatalf("cuts %q, want %q", got, want)
	}
	pieces, err := split.Program(p, cuts)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := split.Graph(g, pieces); err != nil || len(pieces.Statements) != 9 {
		t.Errorf("%d pieces, %v", len(pieces.Statements), err)
	}
}

// A loop is cut only where all that it carries begins or ends there, and only if it
// carries anything.
func TestFreeOfSmallPrograms(t *testing.T) {
	for _, test := range []struct {
		body string
		cuts int
	}{
		{"for (int k = 0; k < N; k++) for (int i = 0; i < N; i++) a[i] = a[i] + a[k];", 2},
		{"for (int k = 1; k < N; k++) for (int i = 0; i < N; i++) a[i] = a[i] + a[k - 1];", 2},
		{"for (int k = 0; k < N; k++) for (int i = k + 1; i < N; i++) a[i] = a[i] + a[k];", 0},
		{"for (int k = 0; k < N; k++) for (int i = 1; i < N; i++) a[i] = a[i - 1] + a[k];", 0},
		{"for (int k = 0; k < N; k++) for (int i = 0; i < N; i++) { a[i] = a[i] + a[k]; b[i] = b[k]; }", 0},
	} {
		p := parse(t, "void f(int N, double a[N], double b[N]) {\n#pragma scop\n"+test.body+"\n#pragma endscop\n}\n")
		if cuts, err := split.Free(graphOf(t, p)); err != nil || len(cuts) != test.cuts {
			t.Errorf("%s: %d cuts, %v; want %d", test.body, len(cuts), err, test.cuts)
		}
	}
}
