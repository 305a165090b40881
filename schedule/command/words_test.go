package command_test

import (
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule/command"
)

// Statements that have the names of a recipe's words are written, and read, like others.
func TestStatementsNamedLikeWords(t *testing.T) {
	file, err := kerneltest.Parse("f.c", `void f(int n, double a[n], double b[n], double c[n]) {
#pragma scop statements(by, at, to)
	for (int i = 0; i < n; i++) { a[i] = b[i]; b[i] = a[i]; c[i] = b[i]; }
#pragma endscop
}
`, "f")
	if err != nil {
		t.Fatal(err)
	}
	p := file.Regions[0].Program
	for line, shifted := range map[string]int{
		"shift by.i by by 2": 1, "shift by.i by at by 2": 2, "shift by.i at by by 2": 2, "shift by.i to at by by 2": 3, "shift by.i to by 2": 1,
	} {
		recipe, err := command.Parse(p, "original\n"+line+"\n")
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if shift := recipe[len(recipe)-1].(command.Shift); len(shift.Statements) != shifted || shift.By != 2 {
			t.Errorf("%s: %d statements, by %d", line, len(shift.Statements), shift.By)
		}
		again, err := command.Parse(p, recipe.Text(p))
		if err != nil || again.Text(p) != recipe.Text(p) {
			t.Errorf("%s: %v", recipe.Text(p), err)
		}
	}
	if _, err := command.Parse(p, "original\nshift by.i by 2\n"); err == nil {
		t.Error("a shift of no statements is read")
	}
}
