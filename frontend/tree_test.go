package frontend

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"polytune/scop"
)

func TestOperations(t *testing.T) {
	for source, want := range map[string]int{
		"C[i][j] += alpha * A[i][k] * B[k][j];":                    3,
		"A[i][j] = 0;":                                             0,
		"B[i][j] = SCALAR_VAL(0.2) * (A[i][j] + A[i][j - 1] + x);": 3,
		"x = -y;":                            0,
		"x = - y - -z;":                      1,
		"x = a - (b) - c;":                   2,
		"x = (double) -y;":                   0,
		"x = (double)(a) * (float)b / n;":    2,
		"x = a[i + 1] * b[2 * i][j - 1];":    1,
		"p->x += p->v * dt; /* x + y */":     2,
		"n++; --m;":                          2,
		"x = sqrt(a * a + b * b); // + 1 \n": 3,
		"x = (a < b) ? a : b;":               0,
		"x *= 2.5e-3; x /= y; x -= 1;":       3,
		"*p = *q * 2;":                       1,
		"x = c == '+' ? \"a+b\" : 0;":        0,
		"":                                   0,
		"x = 1e+5 + 0x1f - 3.f;":             2,
	} {
		if got := scop.Operations(Tree(source, nil, nil)); got != want {
			t.Errorf("%q: %d, want %d", source, got, want)
		}
	}
}

// Statements of all kernels are read whole, and what their trees say is what their texts do:
// written again, they have the same words.
func TestTreesOfKernels(t *testing.T) {
	t.Parallel()
	eachBenchmark(t, "", func(t *testing.T, _ *File, r Region) {
		for _, s := range r.Program.Statements {
			if _, isOpaque := s.Value.(*scop.Opaque); isOpaque {
				continue
			}
			again := s
			again.Write()
			if got, want := strings.Join(lexemeTexts(again.Source), " "), strings.Join(lexemeTexts(s.Source), " "); got != want {
				t.Errorf("%s\nis written again as\n%s", want, got)
			}
			expectTree(t, again)
		}
	})
}

// expectTree says where a statement's tree is not the one of its text.
func expectTree(t *testing.T, s scop.Statement) {
	t.Helper()
	got, want := nodesOf(s.Value), nodesOf(Tree(s.Source, s.Uses, nil))
	if !slices.Equal(got, want) {
		t.Errorf("%s: the tree is\n%s\ninstead of\n%s", s.Source, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// nodesOf are the nodes of a tree, with their places.
func nodesOf(e scop.Expr) (nodes []string) {
	scop.Walk(e, func(e scop.Expr) bool {
		node := fmt.Sprintf("%T %v", e, e.At())
		if ref, ok := e.(*scop.Ref); ok {
			node += fmt.Sprintf(" %s%s %d", ref.Name, ref.Selected, ref.Loop)
		}
		nodes = append(nodes, node)
		return true
	})
	return nodes
}

// Where a statement uses another variable, an element of an expanded array or of another array in
// the place of a temporary, its tree goes along with its text.
func TestTreesFollow(t *testing.T) {
	const source = `void f(int n, double A[n][n], double B[n][n]) {
#pragma scop
  for (int i = 2; i < n; i++)
    for (int j = 0; j < n; j++) {
      double t, u[4];
      t = A[i][j] * 2 + (A[i - 1][j]);
      u[i % 2] = t - -t;
      u[1] += t * u[0] /* t */ + u[1];
      B[i][j + 1] = t;
    }
#pragma endscop
}
`
	file, err := Parse("f.c", []byte(source), Options{})
	if err != nil {
		t.Fatal(err)
	}
	program := file.Regions[0].Program
	all := []int{0, 1, 2, 3}
	of := func(array, name string) scop.Privatization {
		return scop.Privatization{Array: array, Name: name, Loops: 1, Statements: all}
	}
	relations := func(array string) (list []string) {
		for _, s := range program.Statements {
			for range slices.DeleteFunc(slices.Clone(s.Accesses), func(a scop.Access) bool { return a.Array != array }) {
				list = append(list, "{ "+s.Name+"[i, j] -> x[] }")
			}
		}
		return list
	}
	expansions := []scop.Expansion{{Privatization: of("t", "t_of_i"), First: []int64{2}, Extents: []string{""}, Spelled: []string{"n"}}}
	last := program.LastValues(expansions[0], 0, []string{"i"}, "{ S4[i] : i = 0 }")
	programs := map[string]*scop.Program{
		"private":  program.Privatize([]scop.Privatization{of("t", "longer"), of("u", "v")}),
		"expanded": program.Expand(expansions, [][]string{relations("t")}, []scop.Statement{last}, scop.Room{}),
	}
	places := program.Places("t", 2, all)
	if len(places) == 0 {
		t.Fatal("t has no place in B")
	}
	programs["placed"] = program.Place(places[0], relations("t"))
	for name, p := range programs {
		for _, s := range p.Statements {
			t.Run(name+" "+s.Name, func(t *testing.T) { expectTree(t, s) })
		}
	}
	if text := programs["placed"].Statements[2].Source; !strings.Contains(text, "B[i][j + 1] * u[0] /* t */") {
		t.Errorf("placed: %s", text)
	}
}

// Trees that people make have the parentheses that C needs, and their text is read as they are.
func TestTreesByHand(t *testing.T) {
	name := func(name string, subscripts ...scop.Expr) *scop.Ref {
		return &scop.Ref{Name: name, Loop: -1, Selected: strings.Repeat("[]", len(subscripts)), Subscripts: subscripts}
	}
	binary := func(x scop.Expr, operator string, y scop.Expr) scop.Expr {
		return &scop.Binary{Operator: operator, X: x, Y: y}
	}
	i, one := &scop.Ref{Name: "i", Loop: 0}, &scop.Number{Text: "1"}
	minus := func(x scop.Expr) scop.Expr { return &scop.Unary{Operator: "-", X: x} }
	for want, value := range map[string]scop.Expr{
		"a[i] = (b + 1) * c[i - 1];": binary(name("a", i), "=", binary(binary(name("b"), "+", one), "*", name("c", binary(i, "-", one)))),
		"a = b - (c - 1);":           binary(name("a"), "=", binary(name("b"), "-", binary(name("c"), "-", one))),
		"a = b - c - 1;":             binary(name("a"), "=", binary(binary(name("b"), "-", name("c")), "-", one)),
		"a = b - -(-c);":             binary(name("a"), "=", binary(name("b"), "-", minus(&scop.Unary{Operator: scop.Parentheses, X: minus(name("c"))}))),
		"a = - -b;":                  binary(name("a"), "=", minus(minus(name("b")))),
		"a = f(b, i + 1);":           binary(name("a"), "=", &scop.Call{Function: "f", Arguments: []scop.Expr{name("b"), binary(i, "+", one)}}),
		"a = b < 1 ? b : 1;":         binary(name("a"), "=", &scop.Select{If: binary(name("b"), "<", one), Then: name("b"), Else: one}),
		"a = (b ? b : 1) ? 1 : b;":   binary(name("a"), "=", &scop.Select{If: &scop.Select{If: name("b"), Then: name("b"), Else: one}, Then: one, Else: name("b")}),
		"a = (double) (b + 1);":      binary(name("a"), "=", &scop.Unary{Operator: "(double)", X: binary(name("b"), "+", one)}),
		"a[i].x[1]++;":               &scop.Unary{Operator: "++", Postfix: true, X: &scop.Ref{Name: "a", Loop: -1, Selected: "[].x[]", Subscripts: []scop.Expr{i, one}}},
		"a = b = 1;":                 binary(name("a"), "=", binary(name("b"), "=", one)),
		"f((a, b));":                 &scop.Call{Function: "f", Arguments: []scop.Expr{&scop.Unary{Operator: scop.Parentheses, X: binary(name("a"), ",", name("b"))}}},
		"a = 1, b = 1;":              binary(binary(name("a"), "=", one), ",", binary(name("b"), "=", one)),
	} {
		s := scop.Statement{Value: value, Loops: []scop.Loop{{Iterator: "i"}}}
		s.Write()
		if s.Source != want {
			t.Errorf("%s, want %s", s.Source, want)
		}
		expectTree(t, s)
	}
}

// Macros that stand for each other, and text of all kinds, have trees.
func TestOddTrees(t *testing.T) {
	const source = "#define A B\n#define B A\ndouble A[100];\nvoid f(void) {\n#pragma scop\n  for (int i = 0; i < 100; i++)\n    A[i] = (A) + 0;\n#pragma endscop\n}\n"
	_, _ = Parse("f.c", []byte(source), Options{}) // it ends
	for _, text := range []string{"", ";", "{", "}", "(", ")", "a", "a =", "a[", "x = (int[]){1, 2}[i];", "x = ({ int y = 1; y; });", "f(int, a);", "x = \"a;b\"[i];",
		"x = 'a' + L'b';", "größe = 1;", "x = a ?: b;", "x->y.z[i]++;", "*(p + i) = 1;", "(*p)[i] = 1;", "f(a)(b);", "x = sizeof x;", "switch (x) { case 1: y = 2; }",
		strings.Repeat("(", 100000), strings.Repeat("{", 100000), strings.Repeat("-", 100000) + "1;", strings.Repeat("if (a) ", 100000) + ";"} {
		Tree(text, nil, nil)
	}
}
