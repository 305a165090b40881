package prooftest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
)

// expanded is what Expand does to the region of regionOf.
func expanded(t *testing.T, head, region, tail string) *scop.Program {
	t.Helper()
	r, model := regionOf(t, "", head, region, tail)
	p, err := depend.Expand(model, r.Names, scop.Room{Bytes: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// expansionsOf are the names of a program's expanded arrays with their extents, and their first
// iterations.
func expansionsOf(p *scop.Program) string {
	var words []string
	for _, e := range p.Expansions {
		words = append(words, fmt.Sprintf("%s[%s] from %v", e.Name, strings.Join(e.Spelled, "]["), e.First))
	}
	return strings.Join(words, "; ")
}

// copies are the statements that bring last values of an expanded array back, and how many
// they bring with n = 5.
func copies(t *testing.T, p *scop.Program, e scop.Expansion) (text string) {
	t.Helper()
	ctx := isl.NewContext()
	defer ctx.Close()
	for _, s := range p.Statements {
		if len(s.Accesses) != 2 || s.Accesses[0].Array != e.Array || s.Accesses[1].Array != e.Name {
			continue
		}
		points, err := ctx.ReadSet(s.Domain).IntersectParams(ctx.ReadSet("[n] -> { : n = 5 }")).Points(100)
		if err != nil {
			t.Fatal(err)
		}
		text += fmt.Sprintf(", %s for %d", s.Name, len(points))
	}
	return text
}

// Iterations of outermost loops share elements where that is asked for: of variables that keep a
// dimension, and whose last values nobody reads.
func TestExpandSharing(t *testing.T) {
	const product = "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) { s = A[i][j]; for (int k = 0; k < j; k++) s -= A[i][k] * A[k][j]; A[i][j] = s; }"
	const rows = "for (int t = 0; t < 7; t++) for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) s[j] = A[i][j]; for (int j = 0; j < n; j++) B[i] += s[n - 1 - j]; }"
	for _, test := range []struct {
		name, head, region, tail string
		loops                    int
		want                     string
	}{
		{"a variable", "double s;", product, "", 1, "s_1[n - 1] from [0]"},
		{"without a dimension left", "double s;", product, "", 2, ""},
		{"an array", "double s[n];", rows, "", 1, "s_1[n][n] from [0]"},
		{"an array in all loops", "double s[n];", rows, "", 2, "s_1[n] from []"},
		{"in more loops than there are", "double s[n];", rows, "", 9, "s_1[n] from []"},
		{"none", "double s[n];", rows, "", 0, "s_1[7][n][n] from [0 0]"},
		{"read behind the region", "double s;", product, "B[0] = s;", 1, "s_1[n - 1][n - 1] from [1 0]"},
	} {
		r, model := regionOf(t, "", test.head, test.region, test.tail)
		p, err := depend.Expand(model, r.Names, scop.Room{Bytes: 1 << 30, Sharing: scop.Sharing{"s_1": test.loops, "t_1": 1}})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := expansionsOf(p); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// Loops that have a first iteration where a parameter is not negative are taken to run with such
// parameters alone, which the code checks.
func TestExpandAssuming(t *testing.T) {
	const window = "for (int i = r; i < n - r; i++) { s = 0; for (int k = -r; k <= r; k++) s += B[i + k]; A[0][i] = s; }"
	const other = "for (int i = q; i < n; i++) { t = A[1][i]; A[1][i] = t * t; }"
	for _, test := range []struct{ name, region, want, assumed string }{
		{"a radius", window, "s_1[-r + n] from [0]", "[r, n] -> {  : r >= 0 }"},
		{"two starts", window + other, "s_1[-r + n] from [0]; t_1[n] from [0]", "[r, n, q] -> {  : r >= 0 and q >= 0 }"},
		{"a start between two", strings.NewReplacer("i = q", "i = r - q").Replace(other), "", ""},
		{"what is known of one is enough for its nest", strings.NewReplacer("i = q", "i = r - q").Replace(other) + window, "s_1[-r + n] from [0]", "[r, q, n] -> {  : r >= 0 }"},
		{"a nest that runs with negative numbers alone", "if (r < 0) for (int i = r; i < n; i++) { s = B[i]; B[i] = s * s; } " + other, "t_1[n] from [0]", "[r, n, q] -> {  : q >= 0 }"},
		{"no assumption", strings.NewReplacer("= r", "= 2", "- r", "- 2", "-r", "-2").Replace(window), "s_1[n - 4] from [2]", ""},
	} {
		r, model := regionOf(t, "int r, q;\n", "double s, t;", test.region, "")
		p, err := depend.Expand(model, r.Names, scop.Room{Bytes: 1 << 30})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := expansionsOf(p); got != test.want || p.Assumed != test.assumed {
			t.Errorf("%s: got %q and %q, want %q and %q", test.name, got, p.Assumed, test.want, test.assumed)
		}
	}
}

// What no statement uses often in an iteration is left alone where sums alone are to have elements:
// compilers keep it in registers in nests that they unroll. Arrays whose last values are needed are
// in memory anyway.
func TestExpandSums(t *testing.T) {
	const both = "for (int i = 0; i < n; i++) { s = 0; for (int j = 0; j < n; j++) { t = A[i][j] * 2; s += t * t; } B[i] = s; }"
	const inner = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { t = A[i][j] * 2; A[i][j] = t * t; }"
	const sum = "for (int i = 0; i < n; i++) { t = 0; for (int j = 0; j < n; j++) t += A[i][j]; B[i] = t; }"
	const window = "for (int i = 0; i < n; i++) { t = 0; for (int j = 0; j < %s; j++) for (int k = 0; k < %s; k++) t = t * A[i + j][k]; B[i] = t; }"
	const row = "for (int i = 0; i < n; i++) { t[0] = A[i][0]; B[i] = t[0]; }"
	for _, test := range []struct{ name, head, region, tail, want string }{
		{"both", "double s, t;", both, "", "[s_1] true"},
		{"a sum", "double t;", sum, "", "[t_1] false"},
		{"a variable of one iteration", "double t;", inner, "", "[] false"},
		{"declared there", "", strings.Replace(inner, "t =", "double t =", 1), "", "[] false"},
		{"with a last value", "double t;", inner, "B[0] = t;", "[] false"},
		{"a row with last values", "double t[3];", "for (int i = 0; i < n; i++) { for (int j = 0; j < 3; j++) t[j] = A[i][j]; B[i] = t[0] + t[2]; }", "B[0] = t[1];", "[t_1] false"},
		{"in two nests", "double t;", inner + sum, "", "[t_1] true"},
		{"an array", "double t[3];", row, "", "[] false"},
		{"a sum of a row", "double t;", strings.ReplaceAll(sum, "j < n", "j < 15"), "", "[] false"},
		{"of a longer one", "double t;", strings.ReplaceAll(sum, "j < n", "j < 16"), "", "[t_1] false"},
		{"of a window", "double t;", fmt.Sprintf(window, "5", "5"), "", "[] false"},
		{"of one that compilers unroll still", "double t;", fmt.Sprintf(window, "7", "9"), "", "[] false"},
		{"of one that they do not", "double t;", fmt.Sprintf(window, "9", "9"), "", "[t_1] false"},
		{"of a low one", "double t;", fmt.Sprintf(window, "2", "16"), "", "[t_1] false"},
		{"of one that the run knows", "double t;", fmt.Sprintf(window, "n", "3"), "", "[t_1] false"},
	} {
		r, model := regionOf(t, "", test.head, test.region, test.tail)
		p, err := depend.Expand(model, r.Names, scop.Room{Bytes: 1 << 30, Sums: true})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		names := []string{}
		for _, e := range p.Expansions {
			names = append(names, e.Name)
		}
		if got := fmt.Sprint(names, p.Room.Sums); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

// Iterations of the outermost loop alone have elements where that is asked for: of what cannot be
// private.
func TestExpandOutermost(t *testing.T) {
	const rows = "for (int t = 0; t < 7; t++) for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) s[j] = A[i][j]; for (int j = 0; j < n; j++) B[i] += s[j]; }"
	const sum = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { s = 0; for (int k = 0; k < n; k++) s += A[i][k] * A[k][j]; A[i][j] = s; }"
	for _, test := range []struct{ name, head, region, tail, want string }{
		{"a row of unknown size", "double s[n];", rows, "", "s_1[7][n] from [0]"},
		{"one that may be private", "double s[40];", strings.ReplaceAll(rows, "j < n", "j < 40"), "", ""},
		{"the same with last values", "double s[40];", strings.ReplaceAll(rows, "j < n", "j < 40"), "B[0] = s[1];", "s_1[7][40] from [0]"},
		{"a large one", "double s[10000];", strings.ReplaceAll(rows, "j < n", "j < 10000"), "", "s_1[7][10000] from [0]"},
		{"a variable", "double s;", sum, "", ""},
		{"declared there", "", strings.Replace(sum, "s = 0", "double s = 0", 1), "", ""},
		{"with a last value", "double s;", sum, "B[0] = s;", "s_1[n] from [0]"},
		{"with a value that may be read", "double s[40];", "for (int i = 0; i < n; i++) { for (int j = 0; j < 40; j++) s[j] = A[i][j]; B[i] = A[i][0] > 0 ? s[3] : 0; }", "B[0] = s[1];", "s_1[n][40] from [0]"},
		{"one that may be outside of an argument", "", "for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) B[j] = A[i][j]; A[i][0] = A[i][0] > 0 ? B[n] : 0; }", "", ""},
	} {
		r, model := regionOf(t, "", test.head, test.region, test.tail)
		p, err := depend.Expand(model, r.Names, scop.Room{Bytes: 1 << 30, Outermost: true})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := expansionsOf(p); got != test.want || p.Room.Outermost != (got != "") {
			t.Errorf("%s: got %q, want %q; room %+v", test.name, got, test.want, p.Room)
		}
	}
}

func TestExpand(t *testing.T) {
	const sum = "for (int i = 0; i < n; i++) { s = 0; for (int j = 0; j < n; j++) s += A[i][j]; B[i] = s; }"
	const product = "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) { s = A[i][j]; for (int k = 0; k < j; k++) s -= A[i][k] * A[k][j]; A[i][j] = s; }"
	for _, test := range []struct{ name, head, region, tail, want string }{
		{"a sum", "double s;", sum, "", "s as s_1[n] from [0] of [0 1 2]"},
		{"in two nests", "double s;", sum + sum, "", "s as s_1[n] from [0] of [0 1 2]; s as s_2[n] from [0] of [3 4 5]"},
		{"in two loops", "double s;", product, "", "s as s_1[n - 1][n - 1] from [1 0] of [0 1 2]"},
		{"from another start", "double s;", strings.ReplaceAll(sum, "i = 0", "i = 3"), "", "s as s_1[n - 3] from [3] of [0 1 2]"},
		{"from below zero", "double s;", "for (int i = -2; i < n - 2; i++) { s = A[0][i + 2]; B[i + 2] = s; }", "", "s as s_1[n] from [-2] of [0 1]"},
		{"downwards", "double s;", "for (int i = n - 1; i >= 0; i--) { s = A[0][i]; B[i] = s; }", "", "s as s_1[n] from [0] of [0 1]"},
		{"constant bounds", "double s;", "for (int i = 0; i < 7; i++) { s = A[0][i]; B[i] = s; }", "", "s as s_1[7] from [0] of [0 1]"},
		{"of the region", "", "double s; " + sum, "", "s as s_1[n] from [0] of [0 1 2]"},
		{"declared by each iteration", "", "for (int i = 0; i < n; i++) { double s = 0; for (int j = 0; j < n; j++) s += A[i][j]; B[i] = s; }", "", "s as s_1[n] from [0] of [0 1 2]"},
		{"an array of unknown size", "double s[n];", "for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) s[j] = A[i][j]; for (int j = 0; j < n; j++) B[i] += s[n - 1 - j]; }", "", "s as s_1[n][n] from [0] of [0 1]"},
		{"a large array", "double s[10000];", "for (int i = 0; i < n; i++) { for (int j = 0; j < 10000; j++) s[j] = x; for (int j = 0; j < 10000; j++) B[i] += s[j]; }", "", "s as s_1[n][10000] from [0] of [0 1]"},
		{"an extent of another kind", "double s[n + 1];", "for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) s[j] = A[i][j]; for (int j = 0; j < n; j++) B[i] += s[n - 1 - j]; }", "", ""},
		{"read first", "double s = 0;", "for (int i = 0; i < n; i++) { B[i] = s; s = A[i][i]; }", "", ""},
		{"a value that goes on", "double s;", "s = 0; for (int i = 0; i < n; i++) { s += A[i][i]; B[i] = s; }", "", ""},
		{"read behind the region", "double s;", sum, "B[0] = s;", "s as s_1[n] from [0] of [0 1 2], S3 for 1"},
		{"an argument with all its elements", "", "for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) B[j] = A[j][i]; for (int j = 0; j < n; j++) A[i][j] = B[n - 1 - j]; }", "", "B as B_1[n][n] from [0] of [0 1], S2 for 5"},
		{"an argument with rows of growing length", "", "for (int i = n - 1; i >= 0; i--) { for (int j = 0; j < i; j++) B[j] = A[j][i]; for (int j = 0; j < i; j++) A[i][j] = B[i - 1 - j]; }", "", "B as B_1[n - 1][n] from [1] of [0 1], S2 for 4"},
		{"an argument set by two nests", "", "for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) B[j] = A[j][i]; for (int j = 0; j < n; j++) A[i][j] = B[j]; } for (int i = 0; i < n; i++) { for (int j = 2; j < n; j++) B[j] = A[j][i]; for (int j = 2; j < n; j++) A[i][j] = B[j]; }", "",
			"B as B_1[n][n] from [0] of [0 1], S4 for 2; B as B_2[n][n] from [0] of [2 3], S5 for 3"},
		{"an argument beyond its extent", "", "for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) B[j + 1] = A[j][i]; for (int j = 0; j < n; j++) A[i][j] = B[j + 1]; }", "", ""},
		{"an argument set under a condition", "", "for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) { B[j] = 1; if (x > A[i][j]) B[j] = 2; } for (int j = 0; j < n; j++) A[i][j] = B[j]; }", "", ""},
		{"with its address taken", "double s; double *p = &s;", sum, "B[0] = *p;", ""},
		{"with a taken name", "double s, s_1 = 1;", sum, "B[0] = s_1;", "s as s_2[n] from [0] of [0 1 2]"},
	} {
		p := expanded(t, test.head, test.region, test.tail)
		var words []string
		for _, e := range p.Expansions {
			words = append(words, fmt.Sprintf("%s as %s[%s] from %v of %v", e.Array, e.Name, strings.Join(e.Spelled, "]["), e.First, e.Statements)+copies(t, p, e))
		}
		if got := strings.Join(words, "; "); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// The statements name the element of their iteration, and the places of
// iterators and of other temporaries move with the text.
func TestExpandText(t *testing.T) {
	p := expanded(t, "double s, r[9];", "for (int i = 3; i < n; i++) { s = i * x; r[2] = s + i; B[i] = r[2] * A[i][i] + s; }", "")
	for k, want := range []string{"s_1[i - 3] = i * x;", "r_1[i - 3][2] = s_1[i - 3] + i;", "B[i] = r_1[i - 3][2] * A[i][i] + s_1[i - 3];"} {
		s := p.Statements[k]
		if s.Source != want {
			t.Errorf("source %q, want %q", s.Source, want)
		}
		var uses []int
		for _, u := range s.Uses {
			uses = append(uses, u.Offset)
		}
		var places []int
		for offset := range want {
			if want[offset] == 'i' {
				places = append(places, offset)
			}
		}
		if !slices.Equal(uses, places) {
			t.Errorf("%q has iterators at %v, not at %v", want, places, uses)
		}
	}
	if p.Array("s") != nil || p.Array("r") != nil || !p.Array("s_1").Local || p.Array("s_1").Temporary {
		t.Errorf("arrays %v", p.Arrays)
	}
	if bytes, err := p.ExpandedBytes(map[string]int{"n": 103}); err != nil || bytes != 100*8+100*9*8 {
		t.Errorf("%d bytes, %v", bytes, err)
	}
}

// The copy of last values names the element of the last iteration, and the iterators in it.
func TestLastValues(t *testing.T) {
	p := expanded(t, "double s[9];", "for (int i = 3; i < n; i++) { for (int j = 0; j < 9; j++) s[j] = i * x; for (int j = 0; j < 9; j++) B[i] += s[j]; }", "B[0] = s[2];")
	s := p.Statements[len(p.Statements)-1]
	if want := "s[element_1] = s_1[i - 3][element_1];"; s.Source != want {
		t.Errorf("source %q, want %q", s.Source, want)
	}
	for _, u := range s.Uses {
		if name := s.Loops[u.Loop].Iterator; !strings.HasPrefix(s.Source[u.Offset:], name) {
			t.Errorf("%q has no %s at %d", s.Source, name, u.Offset)
		}
	}
	if len(s.Uses) != 3 || p.Array("s").Local || p.Array("s_1") == nil {
		t.Errorf("%v, arrays %v", s.Uses, p.Arrays)
	}
}

// What kept iterations apart is gone: no dependence through the array is left
// between iterations of the outer loop.
func TestExpandFreesLoops(t *testing.T) {
	p := expanded(t, "double s;", "for (int i = 0; i < n; i++) { s = 0; for (int j = 0; j < n; j++) s += A[i][j]; B[i] = s; }", "")
	ctx := isl.NewContext()
	defer ctx.Close()
	model, err := p.Model(ctx)
	if err != nil {
		t.Fatal(err)
	}
	graph, err := depend.Analyze(model)
	if err != nil {
		t.Fatal(err)
	}
	if len(graph.Dependences) == 0 {
		t.Error("no dependences at all")
	}
	for _, d := range graph.Dependences {
		same, err := d.Relation.IsSubset(d.Relation.Equate(isl.DimIn, 0, isl.DimOut, 0))
		if err != nil || !same {
			t.Errorf("%v between iterations of the outer loop: %v", d.Relation, err)
		}
	}
}
