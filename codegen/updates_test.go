package codegen

import (
	"strings"
	"testing"
)

// Elements that an innermost loop updates in order, and does not use in another way, are in
// variables while it runs.
func TestUpdates(t *testing.T) {
	const pair = "classes {S0 S1}\nband c0 permutable S0[i, j] -> [i, j]; S1[i, j] -> [i, j]\nsplit c0 {S0} {S1}\n"
	var list []transposing
	const deep = "classes {S0}\nband c0 permutable S0[i, j, k] -> [i, j, k]\n"
	for _, c := range []struct {
		about, element, loop, body, recipe string
		// want are the elements that variables take the place of.
		want []string
	}{
		{"a sum", "double", forwards, "x[i] += a[i][j] * y[j];", alone, []string{"x[c0]"}},
		{"of whole numbers", "int", forwards, "x[i] = x[i] - a[i][j];", alone, []string{"x[c0]"}},
		{"a product", "float", forwards, "x[i] *= a[i][j] + 1;", alone, []string{"x[c0]"}},
		{"two", "double", forwards, "{ x[i] += a[i][j]; b[i][0] -= a[i][j]; }", pair, []string{"x[c0]", "b[c0][0]"}},
		{"two of the same element", "double", forwards, "{ x[i] += a[i][j]; x[i] += b[i][j]; }", pair, []string{"x[c0]"}},
		{"two of one array", "double", forwards, "{ b[i][0] += a[i][j]; b[i][1 < m ? 1 : 0] += a[i][j]; }", pair, nil},
		{"two elements of one array", "double", behindTwo, "{ b[i][0] += a[i][j]; b[i][1] += a[i][j]; }", pair, nil},
		{"beside what is stored", "double", forwards, "{ b[i][j] = 2 * a[i][j]; x[i] += b[i][j]; }", pair, []string{"x[c0]"}},
		{"what is read besides", "double", forwards, "{ b[i][j] = 2 * x[i]; x[i] += a[i][j]; }", pair, nil},
		{"what is set besides", "double", forwards, "{ x[i] = 2 * a[i][j]; x[i] += b[i][j]; }", pair, nil},
		{"another one of its array is read", "double", behindTwo, "b[i][0] += b[i][j];", alone, nil},
		{"elements of the loop", "double", forwards, "y[j] += a[i][j];", alone, nil},
		{"elements of the loop outside, which is inside", "double", forwards, "y[j] += a[i][j];", "classes {S0}\nband c0 permutable S0[i, j] -> [j, i]\n", []string{"y[c0]"}},
		{"in a loop of a constant length inside", "double", forwards, "for (int k = 0; k < 8; k++) x[i] += a[i][k] * y[j];", deep, []string{"x[c0]"}},
		{"in one that may have no iteration", "double", forwards, "for (int k = 0; k < j; k++) x[i] += a[i][k] * y[j];", deep, []string{"x[c0]"}},
		{"an element for each iteration inside", "double", forwards, "for (int k = 0; k < 8; k++) b[i][k] += a[i][k] * y[j];", deep, nil},
		{"perhaps", "double", forwards, "if (a[i][j] > 2) x[i] += a[i][j];", alone, nil},
		{"in some iterations", "double", forwards, "{ b[i][j] = 2 * a[i][j]; if (j > 3) x[i] += b[i][j]; }", pair, nil},
		{"on several threads", "double", forwards, "x[i] += a[i][j] * y[j];", alone + "parallel c0.1\n", []string{"x[c0]"}},
		{"beside register blocks", "double", forwards, "x[i] += a[i][j] * y[j];", alone + "registers c0.1 by 4", nil},
	} {
		code := transposing{about: c.about, element: c.element, loop: c.loop, body: c.body, recipe: c.recipe}
		text := code.code(t)
		for _, element := range c.want {
			array, _, _ := strings.Cut(element, "[")
			for _, line := range []string{c.element + " tune_own_" + array + " = " + element + ";", element + " = tune_own_" + array + ";"} {
				if !strings.Contains(text, line) {
					t.Errorf("%s: no %q in\n%s", c.about, line, text)
				}
			}
		}
		if variables := strings.Count(text, "] = tune_own_"); variables != len(c.want) {
			t.Errorf("%s: %d variables in\n%s", c.about, variables, text)
		}
		list = append(list, code)
	}
	runTransposings(t, list)
}

// Loops that never run touch nothing, and those of constant lengths ask for no condition.
func TestUpdatesOfLoopsWithoutIterations(t *testing.T) {
	text := transposing{about: "none", element: "double", loop: forwards, body: "x[i] += a[i][j];", recipe: alone}.code(t)
	if !strings.Contains(text, "if (m >= 1) {\n") && !strings.Contains(text, "if (0 < m) {\n") {
		t.Errorf("no condition in\n%s", text)
	}
	text = transposing{about: "five", element: "double", loop: "for (int j = 0; j < 5; j++)", body: "x[i] += y[j];", recipe: alone}.code(t)
	if strings.Contains(text, "if (0 < 5)") || !strings.Contains(text, "tune_own_x = x[c0]") {
		t.Errorf("a condition, or no variable, in\n%s", text)
	}
}
