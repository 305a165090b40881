package transform

import (
	"fmt"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
)

// TestDelay are bodies of a loop with whether a statement of theirs runs one iteration later, in
// the loop of a sum. All recipes are proven.
func TestDelay(t *testing.T) {
	const sum = "s = 0.0; for (int i = 0; i < N; i++) s += r[i] * y[i]; a = -(r[k] + s);"
	for _, test := range []struct {
		name, body string
		want       bool
	}{
		{"a copy", sum + "for (int i = 0; i < N; i++) z[i] = y[i] + a * y[N - i - 1]; for (int i = 0; i < N; i++) y[i] = z[i];", true},
		{"a scaled copy", sum + "for (int i = 0; i < N; i++) z[i] = y[i] + r[k] * y[N - i - 1]; for (int i = 0; i < N; i++) y[i] = 0.5 * z[i] + r[i];", true},
		{"a sum that is subtracted", "s = 0.0; for (int i = 0; i < N; i++) s -= y[i]; a = -(r[k] + s); for (int i = 0; i < N; i++) z[i] = y[i] + a * y[N - i - 1]; for (int i = 0; i < N; i++) y[i] = z[i];", true},
		{"all but few elements", sum + "for (int i = 2; i < N; i++) z[i] = y[i] + a * y[N - i - 1]; for (int i = 2; i < N; i++) y[i] = z[i];", true},
		{"half of the elements", sum + "for (int i = 0; i < N; i++) z[i] = y[i] + a * y[N - i - 1]; for (int i = 0; 2 * i < N; i++) y[i] = z[i];", false},
		{"a division", sum + "for (int i = 0; i < N; i++) z[i] = y[i] + a * y[N - i - 1]; for (int i = 0; i < N; i++) y[i] = z[i] / r[i];", false},
		{"the sum's own value", sum + "for (int i = 0; i < N; i++) z[i] = y[i] + r[k] * y[N - i - 1]; for (int i = 0; i < N; i++) y[i] = z[i] * s;", false},
		{"a value that stays until then", sum + "for (int i = 0; i < N; i++) z[i] = y[i] + r[k] * y[N - i - 1]; for (int i = 0; i < N; i++) y[i] = z[i] * a;", true},
		{"what the sum goes through backwards", sum + "for (int i = 0; i < N; i++) z[i] = y[i] + a * y[N - i - 1]; for (int i = 0; i < N; i++) y[N - i - 1] = z[i];", false},
		{"what is used in the same iteration", sum + "for (int i = 0; i < N; i++) z[i] = y[i] + a * y[N - i - 1]; for (int i = 0; i < N; i++) y[i] = z[i]; z[0] = y[k] + y[N - 1];", false},
		{"a sum in an element", "for (int i = 0; i < N; i++) r[k] += z[i] * y[i]; for (int i = 0; i < N; i++) z[i] = y[i] + r[k] * y[N - i - 1]; for (int i = 0; i < N; i++) y[i] = z[i];", false},
	} {
		g := graphOf(t, "f", []byte(fmt.Sprintf("void f(int N, double r[N], double y[N], double z[N])\n{\ndouble s, a;\n#pragma scop\nfor (int k = 0; k < N; k++) {\n%s\n}\n#pragma endscop\n}\n", test.body)))
		recipe := recipeOf(t, g, chosen(t, g, "max"), fixed)
		if got := strings.Contains(recipe, "-> [k + 1]"); got != test.want {
			t.Errorf("%s: delayed %v, want %v:\n%s", test.name, got, test.want, recipe)
		}
	}
}

// What is delayed follows the axis, which is offered for the programs where it matters.
func TestDelayAxis(t *testing.T) {
	for kernel, want := range map[string]bool{"durbin": true, "jacobi-1d": false} {
		g := kerneltest.Graph(t, kernel)
		recipe, _ := provenRecipe(t, g, chosen(t, g, "max"), fixed)
		if got := delays(recipe); got != want {
			t.Errorf("%s: %v in\n%s", kernel, got, recipe.Text(g.Model.Program))
		}
		without := fixed
		without = without.WithOff(delayAxis)
		if recipe, _ = provenRecipe(t, g, chosen(t, g, "max"), without); delays(recipe) {
			t.Errorf("%s: delayed all the same:\n%s", kernel, recipe.Text(g.Model.Program))
		}
	}
}
