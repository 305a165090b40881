package transform

import (
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/scop/depend"
	"polytune/space"
)

// Where no loop is free, what updates one element in any order is added up by all threads, with the
// host's loops around where these tell the element; rows and columns stay with one thread for each.
func TestDeviceSums(t *testing.T) {
	for _, test := range []struct{ about, body, want, inOrder string }{
		{"a product of vectors", "for (int i = 0; i < n; i++) s += x[i] * y[i];",
			"tile c0.1 by 8192\nreduce c0.1t reduction(+:s)\nblock c0.1t\nthread c0.1 by 256\n", "kernel c0\n"},
		{"all of a matrix", "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) z[3] = a[i][j] > z[3] ? a[i][j] : z[3];",
			"tile c0.1 c0.2 by 64 128\nreduce c0.1t reduction(max:z)\nblock c0.1t c0.2t\nthread c0.1 c0.2 by 8 32\n", "kernel c0\n"},
		{"a sum in each step", "for (int t = 0; t < 9; t++) { for (int i = 0; i < n; i++) z[t] += x[i]; for (int i = 0; i < n; i++) x[i] = x[i] + z[t]; }",
			"tile c0_0.2 by 8192\nreduce c0_0.2t reduction(+:z)\nblock c0_0.2t\nthread c0_0.2 by 256\n", ""},
		{"every third element", "for (int i = 0; i < n; i += 3) z[2] += x[i];", "reduce c0.1t reduction(+:z)\nblock c0.1t\n", "kernel c0\n"},
		{"rows", "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) z[i] += a[i][j] * x[j];", "", "block"},
		{"columns", "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) z[j] += a[i][j] * x[i];", "", "block"},
		{"a sum that is read", "for (int i = 0; i < n; i++) { s += x[i]; y[i] = s; }", "", "kernel"},
		{"elements that data decide", "for (int i = 0; i < n; i++) z[k[i]] += x[i];", "", "kernel"},
		{"elements of two bytes", "for (int i = 0; i < n; i++) h[0] += k[i];", "", "kernel"},
	} {
		source := "double s;\nvoid f(int n, double a[n][n], double x[n], double y[n], double z[n], int k[n], short h[1])\n{\n#pragma scop\n" + test.body + "\n#pragma endscop\n}\n"
		program := programOf(t, "f", []byte(source))
		text := deviceRecipe(t, kerneltest.Analyze(t, program.Reassociated()))
		if !strings.Contains(text, test.want) || (test.want == "") == strings.Contains(text, "reduce ") {
			t.Errorf("%s:\n%s", test.about, text)
		}
		if text := deviceRecipe(t, kerneltest.Analyze(t, program)); !strings.Contains(text, test.inOrder) || strings.Contains(text, "reduce ") {
			t.Errorf("%s, in order:\n%s", test.about, text)
		}
	}
}

// deviceRecipe is the models' proven recipe of the smart partition.
func deviceRecipe(t *testing.T, g *depend.Graph) string {
	t.Helper()
	s, err := space.New(g, space.Options{})
	if err != nil {
		t.Fatal(err)
	}
	partition, err := SmartOnDevice(s, g)
	if err != nil {
		t.Fatal(err)
	}
	recipe, _, err := OnDevice(g, space.Nest{partition}, Options{})
	if err == nil {
		_, _, err = recipe.Prove(g)
	}
	if err != nil {
		t.Fatal(err)
	}
	return recipe.Text(g.Model.Program)
}
