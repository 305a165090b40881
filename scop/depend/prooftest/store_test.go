package prooftest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"polytune/codegen"
	"polytune/internal/kerneltest"
	"polytune/loopir"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
)

// stored is the program of a region with an array's elements at other places.
func stored(t *testing.T, head, region, element, place string) (*scop.Program, error) {
	t.Helper()
	_, m := regionOf(t, "", head, region, "")
	s, err := m.Program.ParseStorage(element, place)
	if err != nil {
		return nil, err
	}
	return depend.Store(m, s, nil)
}

// Elements are at other places where each is read before another one is written there; else the
// reason and the reference are told.
func TestStore(t *testing.T) {
	const heat = "for (int i = 0; i < n; i++) Q[0][i] = B[i]; for (int t = 1; t <= n; t++) for (int i = 0; i < n; i++) Q[t][i] = i == 0 || i == n - 1 ? Q[t-1][i] : Q[t-1][i-1] + Q[t-1][i+1]; for (int i = 0; i < n; i++) B[i] = Q[n][i];"
	const copied = "for (int i = 0; i < n; i++) { Q[i][0] = B[i]; A[i][0] = Q[i][0]; }"
	for _, test := range []struct{ name, region, element, place, want string }{
		{"two rows", heat, "Q[t][i]", "[t % 2][i]", ""},
		{"two rows, turned round", heat, "Q[t][i]", "[i][1 - t % 2]", ""},
		{"more rows than are needed", heat, "Q[t][i]", "[t % 7][i]", ""},
		{"one row", heat, "Q[t][i]", "[0][i]", "Q[t-1][i-1] of S1 would not read the value of its element"},
		{"transposed", heat, "Q[t][i]", "[i][t]", ""},
		{"in pairs", heat, "Q[t][i]", "[floor(t/2)][i][t % 2]", ""},
		{"from the end", heat, "Q[t][i]", "[t][n - 1 - i]", ""},
		{"in front of the memory", heat, "Q[t][i]", "[t][i - 1]", "i - 1 is negative for some elements of Q"},
		{"one variable", copied, "Q[i][j]", "[]", ""},
		{"one variable for many", heat, "Q[i][j]", "[]", "would not read the value"},
		{"a live array transposed", heat, "B[i]", "[n - i]", ""},
		{"a live array in less memory", "for (int i = 0; i < n; i++) B[i] = x;", "B[i]", "[i % 2]", "B has not its last values behind the region"},
		{"an array that is read alone", copied, "B[i]", "[2i]", ""},
		{"two rows, of which the last is read", strings.ReplaceAll(heat, "n; t++", "n - 3; t++"), "Q[t][i]", "[t % 2][i]", "Q[n][i] of S2 would not read the value"},
		{"a row in front of the first one", strings.ReplaceAll(heat, "Q[n][i]", "Q[n - 3][i]"), "Q[t][i]", "[t % 2][i]", "Q[n - 3][i] of S2 would not read the value"},
		{"no affine place", heat, "Q[t][i]", "[t * i]", "is no affine function of Q[t][i]"},
		{"of something else", heat, "Q[t][i]", "[t][k]", "is no affine function of Q[t][i]"},
		{"a quotient that is none", heat, "Q[t][i]", "[t/2][i]", "is no affine function of Q[t][i]"},
		{"without brackets", heat, "Q[t][i]", "t, i", "is no place such as"},
		{"of too few subscripts", heat, "Q[t]", "[t]", "Q has 2 subscripts, not 1"},
		{"of a parameter", heat, "Q[n][i]", "[i]", "cannot be called n, which is a parameter"},
		{"of one name twice", heat, "Q[i][i]", "[i]", "two subscripts of Q are called i"},
		{"of a number", heat, "Q[0][i]", "[i]", "is no element with a name for each subscript"},
		{"of nothing", heat, "P[t]", "[t]", `there is no array "P"`},
		{"where data decide what is written", "for (int i = 0; i < n; i++) if (A[i][i] > x) B[i] = x;", "B[i]", "[n - i]", "data decide which elements of B it writes"},
		{"whose address is taken", "for (int i = 0; i < n; i++) B[i] = (&A[i][0])[0];", "A[i][j]", "[j][i]", "does not name each element of A"},
	} {
		p, err := stored(t, "double Q[n + 1][n];", test.region, test.element, test.place)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
		if err == nil && p.Array(test.element[:1]) != nil && test.element[:1] == "Q" {
			t.Errorf("%s: the program has Q still", test.name)
		}
	}
}

// Elements that are read before they are written are brought to their places, those that are written
// back, and no others.
func TestStoreBrings(t *testing.T) {
	p, err := stored(t, "", "for (int i = 0; i < n; i++) { B[i] = A[i][i]; for (int j = 0; j < i; j++) A[i][j] = B[i] + A[j][i]; }", "A[i][j]", "[j][i]")
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, s := range p.Statements[2:] {
		texts = append(texts, fmt.Sprint(s.Position[0], " ", s.Source, " ", s.Domain))
	}
	const want = "-1 A_1[element_2][element_1] = A[element_1][element_2]; [n] -> { S2[i0, i1] : i0 >= 0 and i0 <= i1 < n }\n" +
		"1 A[element_1][element_2] = A_1[element_2][element_1]; [n] -> { S3[i0, i1] : n >= 0 and 0 <= i0 < n and 0 <= i1 < i0 }"
	if got := strings.Join(texts, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// storedKernels are those whose arrays get places that chance chooses, with values of all parameters.
var storedKernels = []struct {
	name string
	size int64
}{
	{"polybench/gemm", 4}, {"polybench/jacobi-1d", 6}, {"polybench/mvt", 5}, {"polybench/trmm", 5}, {"polybench/doitgen", 3}, {"polybench/atax", 5},
	{"polybench/bicg", 5}, {"polybench/2mm", 3}, {"polybench/gesummv", 5}, {"polybench/gemver", 5}, {"polybench/trisolv", 6}, {"polybench/syrk", 4},
	{"polybench/jacobi-2d", 5}, {"polybench/lu", 5}, {"polybench/seidel-2d", 5}, {"polybench/floyd-warshall", 4},
}

// Programs with places that chance chooses compute what they did, or are refused: by the same
// interpreter at small sizes.
func TestRandomStores(t *testing.T) {
	count, kernels := 2, storedKernels[:12]
	if os.Getenv("POLYTUNE_LONG") != "" {
		count, kernels = 60, storedKernels
	}
	made, refused := 0, 0
	for seed, k := range kernels {
		g := kerneltest.Graph(t, k.name)
		want := computed(t, g.Model, k.size)
		random := rand.New(rand.NewPCG(uint64(seed), 43))
		for range count {
			array := g.Model.Program.Arrays[random.IntN(len(g.Model.Program.Arrays))]
			if len(array.Extents) == 0 {
				continue
			}
			s := command.RandomStorage(random, array)
			if len(array.Extents) > 1 && random.IntN(3) == 0 {
				longer, err := g.Model.Program.Pad(array.Name, []int64{1 + random.Int64N(9)})
				if err != nil {
					t.Fatal(err)
				}
				s = longer
			}
			p, err := depend.Store(g.Model, s, nil)
			if err != nil {
				refused++
				continue
			}
			made++
			m, err := p.Model(g.Model.Context)
			if err != nil {
				t.Fatal(err)
			}
			if got := computed(t, m, k.size); !maps.Equal(got, want) {
				t.Errorf("%s computes something else with %s", k.name, s)
			}
		}
	}
	if made < count*3 || refused < count {
		t.Errorf("%d programs were made and %d refused", made, refused)
	}
}

// computed is what a program as it is written leaves, with all parameters of one size.
func computed(t *testing.T, m *scop.Model, size int64) map[string]uint64 {
	t.Helper()
	recipe, err := command.Parse(m.Program, "original")
	if err != nil {
		t.Fatal(err)
	}
	tree, err := recipe.Replay(m.Program)
	if err != nil {
		t.Fatal(err)
	}
	made, err := codegen.Lower(m, tree.Schedule(m), codegen.Options{Tree: tree, Original: "original"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]int64{}
	for _, name := range m.Program.Parameters {
		values[name] = size
	}
	machine, err := loopir.NewMachine(m, values)
	if err != nil {
		t.Fatal(err)
	}
	left, err := machine.Run(made.Code)
	if err != nil {
		t.Fatal(err)
	}
	return left
}
