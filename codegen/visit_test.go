package codegen

import (
	"fmt"
	"strings"
	"testing"

	"polytune/isl"
	"polytune/scop"
)

// visitText is a visit that tests can read.
func visitText(array *scop.Array, element string, subscripts []string) string {
	return fmt.Sprintf("see(%d, %s);", len(array.Extents), element)
}

func TestVisitWritten(t *testing.T) {
	writes := func(array, relation string, may bool) scop.Access {
		return scop.Access{Array: array, Write: true, May: may, Relation: "[N, M] -> { S0[i, j] -> " + relation + " }"}
	}
	for _, c := range []struct {
		name   string
		arrays []scop.Array
		access []scop.Access
		want   string
	}{
		{"one array", []scop.Array{{Name: "A", Type: "double", Extents: []string{"N", "N"}}},
			[]scop.Access{writes("A", "A[i, j]", false)},
			"{\n  for (long c0 = 0; c0 < (long) N; c0++)\n    for (long c1 = 0; c1 < (long) M; c1++)\n      see(2, A[c0][c1]);\n}\n"},
		{"pointer without an extent, in strides", []scop.Array{{Name: "p", Type: "double", Extents: []string{""}}},
			[]scop.Access{writes("p", "p[2i + 1]", false)},
			"see(1, p[c0]);"},
		{"scalar and local", []scop.Array{{Name: "t", Type: "double", Local: true}, {Name: "s", Type: "float"}},
			[]scop.Access{writes("t", "t[]", false), writes("s", "s[]", false)},
			"{\n  if ((long) N >= 1 && (long) M >= 1)\n    see(0, s);\n}\n"},
		{"what is only read", []scop.Array{{Name: "B", Type: "double", Extents: []string{"N"}}},
			[]scop.Access{{Array: "B", Read: true, Relation: "[N, M] -> { S0[i, j] -> B[i] }"}}, ""},
		{"unknown subscript of an argument", []scop.Array{{Name: "h", Type: "int", Extents: []string{"N + 1", "8"}, Argument: true}},
			[]scop.Access{writes("h", "h[any, j]", true)},
			"for (long c0 = 0; c0 < (long) (N + 1); c0++)\n  for (long c1 = 0; c1 < (long) (sizeof(h[0]) / sizeof(h[0][0])); c1++)\n    { see(2, h[c0][c1]); }\n"},
		{"more than an argument declares", []scop.Array{{Name: "a", Type: "int", Extents: []string{"4"}, Argument: true}},
			[]scop.Access{writes("a", "a[i]", false)},
			"for (long c0 = 0; c0 < (long) N; c0++)"},
		{"unknown subscript of a member", []scop.Array{{Name: "s_h", Variable: "s", Path: "s[].h[]", Type: "int", Extents: []string{"", "16"}}},
			[]scop.Access{writes("s_h", "s_h[0, any]", true)},
			"for (long c1 = 0; c1 < 16; c1++)\n      see(2, s[0].h[c1]);"},
		{"unknown subscript of a variable", []scop.Array{{Name: "h", Type: "int", Extents: []string{"2 * 8"}}},
			[]scop.Access{writes("h", "h[any]", true)},
			"for (long c0 = 0; c0 < (long) (sizeof(h) / sizeof(h[0])); c0++)\n  { see(1, h[c0]); }\n"},
		{"names that are taken", []scop.Array{{Name: "c0", Type: "int", Extents: []string{"16"}}},
			[]scop.Access{writes("c0", "c0[i]", true)},
			"see(1, c0[c_0]);"},
	} {
		ctx := isl.NewContext()
		program := &scop.Program{Name: "test", Parameters: []string{"N", "M"}, Context: "[N, M] -> { : }", Arrays: c.arrays}
		statement := statementOf(0, "A[i][j] = 0;", "i j", "0 <= i < N and 0 <= j < M")
		statement.Accesses = c.access
		program.Statements = []scop.Statement{statement}
		model, err := program.Model(ctx)
		if err != nil {
			t.Fatal(err)
		}
		code, err := VisitWritten(model, nil, visitText, nil)
		if err != nil || !strings.Contains(code, c.want) || c.want == "" && code != "" {
			t.Errorf("%s: %v\n%s\ninstead of\n%s", c.name, err, code, c.want)
		}
		ctx.Close()
	}
}

func TestVisitUnknownExtent(t *testing.T) {
	ctx := isl.NewContext()
	defer ctx.Close()
	program := &scop.Program{Name: "test", Context: "{ : }", Arrays: []scop.Array{{Name: "p", Type: "double", Extents: []string{""}}}}
	program.Statements = []scop.Statement{{Name: "S0", Source: "p[q[0]] = 1;", Domain: "{ S0[] }", Position: []int{0},
		Accesses: []scop.Access{{Array: "p", Write: true, May: true, Relation: "{ S0[] -> p[any] }"}}}}
	model, err := program.Model(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := VisitWritten(model, nil, visitText, nil); err == nil || !strings.Contains(err.Error(), "declare it as an array, such as double p[n]") {
		t.Errorf("error %v", err)
	}
	count := func(_ *scop.Array, first, second string) string { return "count(&" + first + ", &" + second + ")" }
	code, err := VisitWritten(model, nil, visitText, count)
	if want := "for (long c0 = 0; c0 < (long) count(&p[0], &p[1]); c0++)"; err != nil || !strings.Contains(code, want) {
		t.Errorf("%v\n%s\ninstead of\n%s", err, code, want)
	}
}
