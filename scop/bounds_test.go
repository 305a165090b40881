package scop

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"polytune/isl"
)

// stencil reads a[2i+1] and b[idx][j] for 0 <= i < n, 0 <= j < m, and writes
// a[i - 1], with a declared as a[n] and b as b[][m].
func stencil(reads ...Access) *Program {
	return &Program{
		Name: "stencil", Parameters: []string{"n", "m"}, Context: "[n, m] -> { : n >= 0 }",
		Function: Function{Name: "f", Arguments: []Argument{{Name: "n", Role: Size}, {Name: "m", Role: Size}, {Name: "k", Role: Size}}},
		Arrays: []Array{
			{Name: "a", Extents: []string{"n"}},
			{Name: "b", Extents: []string{"", "m + k"}},
			{Name: "c", Extents: []string{"n/2"}},
		},
		Statements: []Statement{{
			Name: "S0", Loops: []Loop{{Iterator: "i"}, {Iterator: "j"}}, Position: []int{0, 0, 0},
			Domain: "[n, m] -> { S0[i, j] : 0 <= i < n and 0 <= j < m }", Accesses: reads,
		}},
	}
}

func TestAccessedExtents(t *testing.T) {
	for _, c := range []struct {
		array    string
		relation string
		unknown  string
		want     []string
	}{
		{"a", "a[2i + 1]", "", []string{"n >= 1 && m >= 1 ? 2 * n : 0"}},
		{"a", "a[i - 1]", "", []string{"n >= 2 && m >= 1 ? n - 1 : 0"}},
		{"a", "a[7 - i]", "", []string{"n >= 1 && m >= 1 ? 8 : 0"}},
		{"a", "a[i + m]", "m", []string{""}},
		{"b", "b[any, j]", "", []string{"", "n >= 1 && m >= 1 ? m : 0"}},
		{"c", "a[i]", "", []string{""}},
	} {
		ctx := isl.NewContext()
		program := stencil(Access{Array: c.relation[:1], Read: true, Relation: "[n, m] -> { S0[i, j] -> " + c.relation + " }"})
		model, err := program.Model(ctx)
		if err != nil {
			t.Fatal(err)
		}
		got, err := model.AccessedExtents(program.Array(c.array), func(name string) bool { return name != c.unknown })
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q (error %v) instead of %q", c.relation, got, err, c.want)
		}
		ctx.Close()
	}
}

func TestElementsAt(t *testing.T) {
	for relation, want := range map[string]int64{"a[2i + 1]": 10, "a[i - 1]": 4, "a[7 - i]": 8, "a[i + m]": 12, "b[i, j]": 35, "b[any, j]": -1, "b[400000i, 400000j]": math.MaxInt32} {
		ctx := isl.NewContext()
		program := stencil(Access{Array: relation[:1], Read: true, Relation: "[n, m] -> { S0[i, j] -> " + relation + " }"})
		model, err := program.Model(ctx)
		if err != nil {
			t.Fatal(err)
		}
		got, err := model.ElementsAt(program.Array(relation[:1]), len(program.Array(relation[:1]).Extents), map[string]int{"n": 5, "m": 7})
		if (err == nil) != (want >= 0) || err == nil && got != want {
			t.Errorf("%s: %d elements (error %v) instead of %d", relation, got, err, want)
		}
		ctx.Close()
	}
}

func TestOverruns(t *testing.T) {
	read := func(array, element string, may bool) Access {
		return Access{Array: array, Read: true, May: may, Relation: "[n, m] -> { S0[i, j] -> " + element + " }", Line: 3, Column: 9}
	}
	ctx := isl.NewContext()
	defer ctx.Close()
	for _, c := range []struct {
		access Access
		values map[string]int
		want   string
	}{
		{read("a", "a[i]", false), map[string]int{"n": 4, "m": 4, "k": 0}, ""},
		{read("a", "a[j]", false), map[string]int{"n": 4, "m": 4, "k": 0}, ""},
		{read("a", "a[j]", false), map[string]int{"n": 4, "m": 7, "k": 0}, "a dimension 0 of n: 6"},
		{read("a", "a[i - 2]", false), map[string]int{"n": 4, "m": 4, "k": 0}, "a dimension 0 below: -2"},
		{read("a", "a[i - 2]", false), map[string]int{"n": 0, "m": 4, "k": 0}, ""},
		{read("a", "a[i - 2]", true), map[string]int{"n": 4, "m": 4, "k": 0}, ""},
		{read("b", "b[i, j + 1]", false), map[string]int{"n": 4, "m": 4, "k": 1}, ""},
		{read("b", "b[i, j + 1]", false), map[string]int{"n": 4, "m": 4, "k": 0}, "b dimension 1 of m + k: 4"},
		{read("b", "b[i, j + 1]", false), map[string]int{"n": 4}, ""},
		{read("a", "a[i - 2]", false), map[string]int{"m": 4, "k": 0}, ""},
		{read("a", "a[i - 2 - m]", false), map[string]int{"n": 4, "k": 0, "m": 2}, "a dimension 0 below: -4"},
		{read("c", "c[i]", false), map[string]int{"n": 4, "m": 4, "k": 0}, ""},
	} {
		model, err := stencil(c.access).Model(ctx)
		if err != nil {
			t.Fatal(err)
		}
		overruns, err := model.Overruns()
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, o := range overruns {
			far, happens, err := o.At(c.values)
			if err != nil {
				t.Fatal(err)
			}
			possible, err := Contains(o.When, c.values)
			if err != nil || happens && !possible {
				t.Errorf("%s at %v: happens %v, possible %v, error %v", c.access.Relation, c.values, happens, possible, err)
			}
			if !happens {
				continue
			}
			where := "of " + o.Extent
			if o.Below {
				where = "below"
			}
			got += fmt.Sprintf("%s dimension %d %s: %d", o.Array, o.Dimension, where, far)
			if o.Line != 3 || o.Column != 9 {
				t.Errorf("place %d:%d", o.Line, o.Column)
			}
		}
		if got != c.want {
			t.Errorf("%s at %v: %q instead of %q", c.access.Relation, c.values, got, c.want)
		}
	}
}

// An extent that a parameter would decide which is not known is the greatest for all of its values,
// also where that has as many pieces as this one has; isl makes no expression of such a value for
// other parameters than its own.
func TestExtentOfUnknownParameters(t *testing.T) {
	ctx := isl.NewContext()
	defer ctx.Close()
	touched := ctx.ReadSet(`[m, n, d] -> { b[x, y] : m <= 31 and n <= 33 and
		((n >= 6 and x < m and 0 <= y <= x) or (2y = 1 + x and 0 < x < 2m) or ((-d + y) mod 8 = 0 and 0 <= x < n and 0 <= y <= 7));
		b[x, 1 + x] : m <= 31 and n <= 33 and 0 < x <= m }`)
	const want = "m <= 5 && n >= 1 && n <= 33 ? 8 : (m >= 6 && m <= 31 && n <= 33) || (m >= 1 && m <= 5 && n <= 0) ? m + 2 : 0"
	got, err := accessedExtent(touched, 1, func(parameter string) bool { return parameter != "d" })
	if err != nil || ctx.Err() != nil || got != want {
		t.Errorf("%q, %v, %v; want %q", got, err, ctx.Err(), want)
	}
}
