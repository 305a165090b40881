package foreign

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"polytune/frontend"
	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/openscop"
	"polytune/scop/split"
)

const matmul = `void matmul(int N, double C[N][N], double A[N][N], double B[N][N])
{
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                C[i][j] += A[i][k] * B[k][j];
#pragma endscop
}
`

const gemm = `void gemm(int NI, int NJ, int NK, double alpha, double beta, double C[NI][NJ], double A[NI][NK], double B[NK][NJ])
{
    int i, j, k;
#pragma scop
    for (i = 0; i < NI; i++) {
        for (j = 0; j < NJ; j++)
            C[i][j] *= beta;
        for (k = 0; k < NK; k++)
            for (j = 0; j < NJ; j++)
                C[i][j] += alpha * A[i][k] * B[k][j];
    }
#pragma endscop
}
`

const grouped = `void grouped(int N, int M, double A[N][M], double x[N], double y[N])
{
    int i, j;
#pragma scop
    for (i = 0; i < N; i++) {
        for (j = 0; j < M; j++)
            A[i][j] += 1;
        x[i] *= 2;
        y[i] = x[i];
        x[i] = y[i] + 1;
    }
#pragma endscop
}
`

const blur = `void blur(int N, double a[N + 2], double b[N + 2])
{
#pragma scop
    for (int i = 0; i < N; i++)
        b[i] = a[i] + a[i + 1];
    for (int i = 0; i < N; i++)
        a[i] = b[i];
#pragma endscop
}
`

const once = `void once(double a[2])
{
#pragma scop
    a[0] = 1;
#pragma endscop
}
`

const never = `void never(int N, double a[N])
{
#pragma scop
    for (int i = 5; i < 3; i++)
        a[i] = 1;
    for (int i = 0; i < N; i++)
        a[i] = 2;
#pragma endscop
}
`

func program(t testing.TB, source string) *scop.Program {
	t.Helper()
	file, err := frontend.Parse("f.c", []byte(source), frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return file.Regions[0].Program
}

// commandsOf are the lines for a program that a file gives.
func commandsOf(c *isl.Context, p *scop.Program, text string) (string, error) {
	s, err := Parse(c, p, text)
	if err != nil {
		return "", err
	}
	lines, err := s.Commands(c, p, nil)
	return strings.Join(lines, "\n"), err
}

// Files of each kind become commands.
func TestCommands(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, test := range []struct{ name, source, text, want string }{
		{"Pluto's tiles", matmul, read("matmul.scop"), "schedule { S0[i, j, k] -> [(floor((i)/32)), (floor((j)/32)), (floor((k)/32)), (i), (k), (j)] }\ntry parallel c0.1t\ntry vectorize c0.6"},
		{"dimensions that exist, and unions", blur, read("blur.scop"), "schedule { S0[i] -> [(0), (floor((i)/32)), (i)]; S1[i] -> [(1), (i), (0)] }"},
		{"PPCG's tree", matmul, read("matmul.yaml"), "schedule { S0[i, j, k] -> [(i), (j), (k)] }\ntry parallel c0.1"},
		{"what PPCG 0.08.4 saved with --save-schedule", gemm, read("gemm-ppcg.yaml"), "schedule { S0[i, j] -> [(i), (j), (0), (0)]; S1[i, k, j] -> [(i), (j), (k), (1)] }\ntry parallel c0.1"},
		{"statements that PPCG has grouped", grouped, read("grouped-ppcg.yaml"), "schedule { S0[i, j] -> [(0), (i), (j)]; S1[i] -> [(1), (i), (0)]; S2[i] -> [(1), (i), (1)]; S3[i] -> [(1), (i), (2)] }\ntry parallel c0.1\ntry parallel c1.1"},
		{"a tree in one line", matmul, `{ domain: "[N] -> { S0[i, j, k] : 0 <= i, j, k < N }", child: { schedule: "[{ S0[i, j, k] -> [(k)] }, { S0[i, j, k] -> [(j)] }, { S0[i, j, k] -> [(i)] }]" } }`, "schedule { S0[i, j, k] -> [(k), (j), (i)] }"},
		{"a tree in one long line", matmul, `{ domain: "[N] -> { S0[i, j, k] : 0 <= i, j, k < N }", child: ` + strings.Repeat(`{ mark: "something that takes room", child: `, 100) + `{ schedule: "[{ S0[i, j, k] -> [(k)] }, { S0[i, j, k] -> [(j)] }, { S0[i, j, k] -> [(i)] }]" }` + strings.Repeat(" }", 101), "schedule { S0[i, j, k] -> [(k), (j), (i)] }"},
		{"a union map", blur, "{ S0[i] -> [0, i]; S1[i] -> [1, i] }", "schedule { S0[i] -> [(0), (i)]; S1[i] -> [(1), (i)] }"},
		{"several lines", blur, "# a comment\n{ S0[i] -> [0, i];\n  S1[i] -> [1, i] }\n", "schedule { S0[i] -> [(0), (i)]; S1[i] -> [(1), (i)] }"},
		{"other names, by their order", blur, "{ second[i] -> [1, i]; first[i] -> [0, i] }", "schedule { S0[i] -> [(1), (i)]; S1[i] -> [(0), (i)] }"},
		{"numbers from 1", blur, "{ S10[i] -> [1, i]; S9[i] -> [0, i] }", "schedule { S0[i] -> [(0), (i)]; S1[i] -> [(1), (i)] }"},
		{"values of different lengths", blur, "{ S0[i] -> [0, i]; S1[i] -> [1, i, 0, 3] }", "schedule { S0[i] -> [(0), (i), 0, 0]; S1[i] -> [(1), (i), (0), (3)] }"},
		{"a name for times", blur, "{ S0[i] -> T[0, i]; S1[i] -> T[1, i] }", "schedule { S0[i] -> [(0), (i)]; S1[i] -> [(1), (i)] }"},
		{"nested times", blur, "{ S0[i] -> [[0] -> A[i]]; S1[i] -> [[1] -> A[i]] }", "schedule { S0[i] -> [(0), (i)]; S1[i] -> [(1), (i)] }"},
		{"no times", once, "{ S0[] -> [] }", "schedule { S0[] -> [0] }"},
		{"lines end as elsewhere", blur, "{ S0[i] -> [0, i];\r\n S1[i] -> [1, i] }\r\n", "schedule { S0[i] -> [(0), (i)]; S1[i] -> [(1), (i)] }"},
		{"statements that never run", never, "{ S0[i] -> [0, i]; S1[i] -> [1, i, i] }", "schedule { S0[i] -> [0, 0, 0]; S1[i] -> [(1), (i), (i)] }"},
		{"pieces that are one", blur, "[N] -> { S0[i] -> [0, i] : i < 7; S0[i] -> [0, i] : i >= 7; S1[i] -> [1, i] : 0 <= i < N }", "schedule { S0[i] -> [(0), (i)]; S1[i] -> [(1), (i)] }"},
		{"pieces", blur, "[N] -> { S0[i] -> [0, i] : 2i < N; S0[i] -> [1, N - i] : 2i >= N; S1[i] -> [2, i] }",
			"cut S0[i] -> [2i - N + 1]\nschedule { S0.0[i] -> [(0), (i)]; S0.1[i] -> [(1), (N - i)]; S1[i] -> [(2), (i)] }"},
		{"pieces that nothing affine divides", blur, "{ S0[i] -> [0, i] : i mod 3 = 0; S0[i] -> [1, -i] : i mod 3 > 0; S1[i] -> [2, i, 7] }",
			"schedule { S0[i] -> [0, i, 0] : (i) mod 3 = 0 and 0 <= i < N; S0[i] -> [1, -i, 0] : 0 <= i < N and 3*floor((i)/3) < i; S1[i] -> [(2), (i), (7)] }"},
	} {
		c := isl.NewContext()
		got, err := commandsOf(c, program(t, test.source), test.text)
		if err != nil || got != test.want {
			t.Errorf("%s: %v\n%s\nnot\n%s", test.name, err, got, test.want)
		}
		c.Close()
	}
}

func TestBadSchedules(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "", "line 1: this is no schedule: it is an OpenScop file, a schedule tree, which begins with domain:, or a union map, as { S0[i, j] -> [0, j, i] }"},
		{"a recipe", "original\nparallel c0.1\n", "line 1: this is no schedule: "},
		{"an empty map", "{ }", "line 1: the schedule has no statement"},
		{"a map that ends", "{ S0[i] -> [i", "line 1: isl cannot read it: "},
		{"a tree whose line is wrong", "domain: \"{ S0[i] : 0 <= i < 5; S1[i] : 0 <= i < 5 }\"\nchild:\n  schedule: \"[{ S0[i] -> [(i)]; S1[i] -> [(i) }]\"\n", "line 3: isl cannot read what is behind schedule: [{ S0[i] -> [(i)]; S1[i] -> [(i) }]"},
		{"another statement", "{ S0[i] -> [0, i] }", "its statements are not those of the program, which has S0 with 1 loops, S1 with 1 loops; here are S0 with 1 iterators"},
		{"too few iterators", "{ S0[] -> [0, 0]; S1[i] -> [1, i] }", "its statements are not those of the program, which has S0 with 1 loops, S1 with 1 loops; here are S0 with 0 iterators, S1 with 1 iterators"},
		{"instances left out", "{ S0[i] -> [0, i] : i > 0; S1[i] -> [1, i] }", "line 1: instances of S0 have no time, and would not run: for example [N] -> { S0[i = 0] : N = "},
		{"no function", "{ S0[i] -> [0, j] : i <= j <= i + 1; S1[i] -> [1, i] }", "line 1: instances of S0 have several times, and would run more than once: the iterators do not determine value number 2"},
		{"not injective", "{ S0[i] -> [0, floor(i/2)]; S1[i] -> [1, i] }", "line 1: two instances of S0 have one time: for example "},
		{"a parameter of its own", "[K] -> { S0[i] -> [0, i + K]; S1[i] -> [1, i] }", `line 1: in "(K + i)": "K" is neither an iterator nor a parameter`},
		{"no tree", "domain: { S0[i]", "line 1: this is no YAML: "},
		{"a number in the place of a set", "domain: 1\n", "line 1: isl cannot read what is behind domain: 1"},
		{"a band at the top", "schedule: \"[{ S0[i] -> [(i)] }]\"\n", "line 1: this is no schedule: "},
		{"an unknown key", "domain: \"{ S0[i] }\"\nkid:\n  mark: \"a\"\n", `line 2: "kid" is not read there; nodes are `},
		{"a mark without a child", "domain: \"{ S0[i] }\"\nchild:\n  mark: \"a\"\n", "line 3: the node mark has no child"},
		{"a contraction alone", "domain: \"{ S0[i] }\"\nchild:\n  contraction: \"{ A[i] -> S0[i] }\"\n  child:\n    mark: \"a\"\n", "line 3: beside contraction stands expansion"},
		{"an expansion that is none", "domain: \"{ S0[i] }\"\nchild:\n  contraction: \"{ A[i] -> S0[i] }\"\n  expansion: \"{ S0[i] }\"\n  child:\n    mark: \"a\"\n", "line 4: isl cannot read what is behind expansion: "},
		{"a sequence of bands", "domain: \"{ S0[i] }\"\nchild:\n  sequence:\n  - schedule: \"[{ S0[i] -> [(i)] }]\"\n", "line 4: a node schedule stands where filter is expected"},
		{"an empty sequence", "domain: \"{ S0[i] }\"\nchild:\n  sequence: []\n", "line 3: behind sequence stands a list of nodes filter"},
		{"too many nodes", `{ domain: "{ S0[i] }", child: ` + strings.Repeat(`{ mark: "a", child: `, 600) + strings.Repeat("}", 601), "line 1: more than 500 nodes stand below each other"},
		{"an extension", "domain: \"{ S0[i] }\"\nchild:\n  extension: \"{ [] -> A[] }\"\n", `line 3: "extension" is not read there; nodes are `},
		{"an array with negative extents", "<OpenScop>\nC\nCONTEXT\n-1 3 0 0 0 1\n", "line 4: -1 is not from 0 to "},
	} {
		c := isl.NewContext()
		p := program(t, blur)
		text, err := commandsOf(c, p, test.text)
		if err == nil {
			_, err = command.Parse(p, text)
		}
		if at := (*Error)(nil); err == nil || !errors.As(err, &at) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v\n%s, not %s", test.name, err, text, test.want)
		}
		c.Close()
	}
}

// recipes are schedules of all kinds.
var recipes = map[string][]string{
	"polybench/gemm": {"original\n", "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, j]\nband c1 permutable S1[i, k, j] -> [i, j, k]\ntile c1.1 c1.2 c1.3 by 4 4 2\ntile c1.1t c1.2t by 2 2\nparallel c1.1tt\nsink c1.1\n",
		"original\nreverse S1.j\n"},
	"polybench/jacobi-1d": {"original\n", "classes {S0 S1}\nband c0 permutable S0[t, i] -> [t, 2t + i]; S1[t, i] -> [t, 2t + i + 1]\nsplit c0 {S0} {S1}\ntile c0.1 c0.2 by 2 4\nwavefront c0.1t c0.2t\nparallel c0.2t\n"},
	"polybench/lu":        {"classes {S0 S1 S2}\nband c0 permutable S0[i, j, k] -> [i, j, k]; S1[i, j] -> [i, j, j]; S2[i, j, k] -> [i, j, k]\nsplit c0 {S0} {S1} {S2}\ntile c0.1 c0.2 c0.3 by 2 2 2\nsink c0.2t\nsink c0.1t\nphases c0.3t\n"},
	"polybench/trmm":      {"original\n"},
	"polybench/nussinov":  {"original\n"},
}

// A schedule tree that is printed, and the program that is written for others, have the order of
// what they are read as: at small sizes, instance by instance.
func TestOrderIsKept(t *testing.T) {
	for kernel, texts := range recipes {
		p := kerneltest.File(t, kernel).Regions[0].Program
		c := isl.NewContext()
		m, err := p.Model(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			recipe, err := command.Parse(p, text)
			if err != nil {
				t.Fatal(err)
			}
			tree, err := recipe.Replay(p)
			if err != nil {
				t.Fatal(err)
			}
			made := tree.Schedule(m).Tree
			compareOrder(t, kernel+"\n"+text, m, made, made.String())
		}
		original, err := command.Parse(p, "original\n")
		if err != nil {
			t.Fatal(err)
		}
		tree, err := original.Replay(p)
		if err != nil {
			t.Fatal(err)
		}
		f, err := openscop.Of(m)
		if err != nil {
			t.Fatal(err)
		}
		compareOrder(t, kernel+" for others", m, tree.Schedule(m).Tree, f.Write())
		c.Close()
	}
}

// compareOrder compares the order of a schedule with that of a file.
func compareOrder(t *testing.T, name string, m *scop.Model, want *isl.Schedule, text string) {
	t.Helper()
	commands, err := commandsOf(m.Context, m.Program, text)
	if err != nil {
		t.Errorf("%s: %v\n%s", name, err, text)
		return
	}
	recipe, err := command.Parse(m.Program, strings.ReplaceAll(commands, "try ", "")+"\n")
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, commands)
	}
	tree, err := recipe.Replay(m.Program)
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, commands)
	}
	if have, want := orderOf(t, m, tree.Schedule(m).Tree), orderOf(t, m, want); have != want {
		t.Errorf("%s: the order is\n%s\nnot\n%s\n%s", name, have, want, commands)
	}
}

// Maps of all kinds order instances as their values say: at small sizes, instance by instance.
func TestOrderOfMaps(t *testing.T) {
	for _, test := range []struct{ source, text string }{
		{matmul, "[N] -> { S0[i, j, k] -> [floor(i/2), 0, i, j, k] : 2j < N; S0[i, j, k] -> [floor(i/2), 1, j, k, -i] : 2j >= N }"},
		{matmul, "[N] -> { S0[i, j, k] -> [i + j, (i + 2*floor(j/2)) mod 3, i mod 2, j, k] }"},
		{matmul, "[N] -> { S0[i, j, k] -> [floor((i + floor(j/2))/3), k, i, j] }"},
		{matmul, "[N] -> { S0[i, j, k] -> [max(i, j), min(i, j - 1), k, i] }"},
		{blur, "[N] -> { S0[i] -> [i] : i mod 2 = 0; S0[i] -> [2i + 1] : i mod 2 = 1; S1[i] -> [N + 3i] }"},
		{blur, "[N] -> { S0[i] -> [0, floor(i/4), i]; S1[i] -> [1, i, 0] : i mod 3 = 1; S1[i] -> [0, N + i, 0] : i mod 3 != 1 }"},
	} {
		p := program(t, test.source)
		c := isl.NewContext()
		m, err := p.Model(c)
		if err != nil {
			t.Fatal(err)
		}
		recipe, err := command.Parse(p, "schedule "+strings.TrimPrefix(test.text, "[N] -> ")+"\n")
		if err != nil {
			t.Fatal(err)
		}
		tree, err := recipe.Replay(p)
		if err != nil {
			t.Fatal(err)
		}
		var want []*isl.Map
		for _, times := range c.ReadUnionMap(test.text).Maps() {
			want = append(want, times.IntersectDomain(m.Statement(times.TupleName(isl.DimIn)).Domain))
		}
		if have, want := orderOf(t, m, tree.Schedule(m).Tree), order(t, m, want); have != want {
			t.Errorf("%s: the order is\n%s\nnot\n%s", test.text, have, want)
		}
		if again, err := command.Parse(p, recipe.Text(p)); err != nil || again.Text(p) != recipe.Text(p) {
			t.Errorf("%s is written %s, and that %s (%v)", test.text, recipe.Text(p), again.Text(p), err)
		}
		c.Close()
	}
}

// orderOf are all instances of a schedule at a small size, in its order.
func orderOf(t *testing.T, m *scop.Model, s *isl.Schedule) string {
	t.Helper()
	return order(t, m, s.Map().IntersectDomain(s.Domain()).Maps())
}

// order are all instances that maps relate to times, at a small size, in the order of these.
func order(t *testing.T, m *scop.Model, maps []*isl.Map) string {
	t.Helper()
	sizes := make([]string, len(m.Program.Parameters))
	for k, name := range m.Program.Parameters {
		sizes[k] = fmt.Sprintf("%s = %d", name, 5+k)
	}
	small := m.Context.ReadSet(m.Program.ParametersText() + "{ : " + strings.Join(sizes, " and ") + " }")
	type instance struct {
		text string
		time []int64
	}
	var all []instance
	for _, times := range maps {
		own := m.Statement(times.TupleName(isl.DimIn))
		inputs := times.Dim(isl.DimIn)
		pairs := times.IntersectParams(small)
		points, err := pairs.ProjectOut(isl.DimParam, 0, pairs.Dim(isl.DimParam)).Wrap().Points(100000)
		if err != nil {
			t.Fatal(err)
		}
		for _, point := range points {
			all = append(all, instance{fmt.Sprint(own.Name, point[inputs-own.Depth():inputs]), point[inputs:]})
		}
	}
	slices.SortFunc(all, func(a, b instance) int { return cmp.Or(slices.Compare(a.time, b.time), cmp.Compare(a.text, b.text)) })
	var lines []string
	for _, i := range all {
		lines = append(lines, i.text)
	}
	return strings.Join(lines, "\n")
}

// What has been done to a program is read from comments.
func TestBeginning(t *testing.T) {
	p := program(t, blur)
	cut, err := p.ParseCut("S0[i] -> [i - 5]")
	if err != nil {
		t.Fatal(err)
	}
	pieces, err := split.Program(p, []scop.Cut{cut})
	if err != nil {
		t.Fatal(err)
	}
	text := BeginningText(pieces)
	if want := "# program: cut S0[i] -> [i - 5]\n"; text != want || Beginning(text+"domain: \"{ }\"\n") != "cut S0[i] -> [i - 5]\n" {
		t.Errorf("%q, read as %q", text, Beginning(text))
	}
	c := isl.NewContext()
	defer c.Close()
	s, err := Parse(c, pieces, "{ S0_0[i] -> [1, i]; S0_1[i] -> [0, i]; S1[i] -> [2, i] }")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := s.Commands(c, p, pieces.Cuts)
	if want := "schedule { S0.0[i] -> [(1), (i)]; S0.1[i] -> [(0), (i)]; S1[i] -> [(2), (i)] }"; err != nil || strings.Join(lines, "\n") != want {
		t.Errorf("%v, %q, not %q", err, lines, want)
	}
}

// FuzzParse looks for texts that the reader panics at, or makes commands of that cannot be read.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"matmul.scop", "matmul.yaml", "blur.scop", "grouped-ppcg.yaml"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("[N] -> { S0[i, j, k] -> [floor(i/8), j, k, i] : i < 5; S0[i, j, k] -> [N, j, k, i] : i >= 5 }")
	p := program(f, matmul)
	f.Fuzz(func(t *testing.T, text string) {
		c := isl.NewContext()
		defer c.Close()
		defer c.Limit(200_000, 10*time.Second)()
		lines, err := commandsOf(c, p, text)
		if err != nil || strings.HasPrefix(lines, "cut ") {
			return
		}
		if recipe, err := command.Parse(p, strings.ReplaceAll(lines, "try ", "")+"\n"); err != nil {
			t.Fatal(err)
		} else if _, err := recipe[:1].Replay(p); err != nil {
			t.Fatal(err)
		}
	})
}
