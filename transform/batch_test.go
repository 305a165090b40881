package transform

import (
	"strings"
	"testing"
)

// Loops of the source whose iterations have a part of the data each are shared by the nests inside;
// others are not.
func TestBatch(t *testing.T) {
	const passes = `
for (int b = 0; b < N; b++) {
  for (int k = 0; k < 16; k++)
    re[b][k] = re[b][k] + re[b][k + 16];
  for (int j = 0; j < 4; j++)
    for (int k = 0; k < 4; k++)
      re[b][4 * j + k] = re[b][4 * j + k] * cr[k] - re[b][4 * j + k + 16] * cr[k + 4];
}`
	for _, test := range []struct{ about, body, want string }{
		{"passes", passes, "classes {S0 S1}\n"},
		{"passes through a layer", strings.NewReplacer("re[b]", "layers[b][0]").Replace(passes), "classes {S0 S1}\n"},
		{"few", strings.Replace(passes, "b < N", "b < 20", 1), "classes {S0} {S1}\n"},
		{"columns", strings.NewReplacer("re[b][k]", "re[k][b]", "re[b][k + 16]", "re[k + 16][b]", "re[b][4 * j + k]", "re[4 * j + k][b]", "re[b][4 * j + k + 16]", "re[4 * j + k + 16][b]").Replace(passes),
			"classes {S0} {S1}\n"},
		{"every second row", strings.ReplaceAll(passes, "re[b]", "re[2 * b]"), "classes {S0} {S1}\n"},
		{"nests with nothing in common", strings.Replace(passes, "re[b][k] = re[b][k] + re[b][k + 16]", "im[b][k] = im[b][k] + im[b][k + 16]", 1), "classes {S0} {S1}\n"},
		{"a row of an iteration before", strings.Replace(passes, "re[b][4 * j + k + 16]", "re[b + 1][4 * j + k]", 1), "S0[b, k] -> [k, b, "},
		{"products with one matrix", `
for (int b = 0; b < N; b++) {
  for (int k = 0; k < N; k++)
    for (int l = 0; l < N; l++)
      im[b][k] += re[b][l] * layers[0][l][k];
  for (int k = 0; k < N; k++)
    re[b][k] = im[b][k] > 0 ? im[b][k] : 0;
}`, "classes {S0} {S1}\n"},
	} {
		source := "void f(int N, double re[N][N], double im[N][N], double layers[N][N][N], double cr[8])\n{\n#pragma scop" + test.body + "\n#pragma endscop\n}\n"
		g := graphOf(t, "test.c", []byte(source))
		text := recipeOf(t, g, chosen(t, g, "smart"), fixed)
		if !strings.Contains(text, test.want) {
			t.Errorf("%s: no %s in\n%s", test.about, test.want, text)
		}
		if test.want == "classes {S0 S1}\n" && !strings.Contains(text, "parallel c0.1\n") {
			t.Errorf("%s: threads do not share the loop in\n%s", test.about, text)
		}
	}
}
