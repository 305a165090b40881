package transform

import (
	"strings"
	"testing"
)

// Statements whose only common loop inside those that they share would run one
// after the other are parted; those that meet in it stay together.
func TestFusesInNameOnly(t *testing.T) {
	for _, test := range []struct{ about, body, want string }{
		{"a sum and its users, one after the other", `
for (int k = 1; k < N; k++) {
  for (int i = 0; i < k; i++) s[k] += x[i];
  for (int i = 0; i < k; i++) y[i] = x[i] + s[k] * x[k - 1 - i];
  for (int i = 0; i < k; i++) x[i] = y[i];
}`, "split c0 {S0} {S1} {S2}"},
		{"the same range, carried", `
for (int k = 1; k < N; k++)
  for (int i = 1; i < N; i++) { x[i] = s[N - k] * x[i - 1]; s[i] = s[i - 1] * x[i]; y[k] = x[i]; }
`, "band c0 permutable S0[k, i] -> [i]; S1[k, i] -> [i]"},
		{"a statement in front of a loop", `
for (int k = 1; k < N; k++) {
  s[k] = x[k];
  for (int i = 0; i < k; i++) s[k] -= x[i] * s[i];
  x[k] = s[k];
}`, "split c0 {S0} {S1} {S2}"},
	} {
		source := "void f(int N, double s[N], double x[N], double y[N])\n{\n#pragma scop" + test.body + "\n#pragma endscop\n}\n"
		g := graphOf(t, "test.c", []byte(source))
		if text := recipeOf(t, g, chosen(t, g, "max"), fixed); !strings.Contains(text, test.want) {
			t.Errorf("%s: no %s in\n%s", test.about, test.want, text)
		}
	}
}
