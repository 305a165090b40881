package split_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/frontend"
	"polytune/internal/kerneltest"
	"polytune/internal/randomprogram"
	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/scop/split"
)

// The periodic kernels of the Pluto+ paper are cut at the middle of each of
// their dimensions, which for the ring of Figure 4 is at 2i <= N - 1, (g).
func TestPeriodicKernelsAreCut(t *testing.T) {
	for kernel, want := range map[string]string{
		"heat-1dp":            "S0[t, i] -> [2i - N + 1]",
		"heat-2dp":            "S0[t, i, j] -> [2i - N + 1]\nS0[t, i, j] -> [2j - N + 1]",
		"heat-3dp":            "S0[t, i, j, k] -> [2i - N + 1]\nS0[t, i, j, k] -> [2j - N + 1]\nS0[t, i, j, k] -> [2k - N + 1]",
		"lbm-ldc-d2q9":        "S0[t, y, x] -> [2y - N + 1]\nS0[t, y, x] -> [2x - N + 1]",
		"lbm-ldc-d2q9-mrt":    "S0[t, y, x] -> [2y - N + 1]\nS0[t, y, x] -> [2x - N + 1]",
		"lbm-fpc-d2q9":        "S0[t, y, x] -> [2y - NY + 1]\nS0[t, y, x] -> [2x - NX + 1]",
		"lbm-poiseuille-d2q9": "S0[t, y, x] -> [2y - NY + 1]; S1[t, y, x] -> [2y - NY + 1]\nS0[t, y, x] -> [2x - NX + 1]; S1[t, y, x] -> [2x - NX + 1]",
	} {
		t.Run(kernel, func(t *testing.T) {
			g := graphOf(t, kernelProgram(t, "plutoplus/"+kernel))
			found, err := split.Find(g)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range found.Cuts {
				got = append(got, g.Model.Program.CutText(c))
			}
			if text := strings.Join(got, "\n"); text != want {
				t.Errorf("cut at\n%s\nnot at\n%s", text, want)
			}
			if len(found.Reasons) != 1 || !strings.HasPrefix(found.Reasons[0], "loop t of S0: its long dependences") {
				t.Errorf("the loop over time is not cut because %q", found.Reasons)
			}
		})
	}
}

// Swim's boundaries are copies in nests of their own, of one loop less: the
// dependences from one side of the domain to the other lead through them. Its
// statements are cut along the loops they have, in two or four pieces.
func TestSwimIsCutThroughItsBoundaryCopies(t *testing.T) {
	p := kernelProgram(t, "plutoplus/swim")
	found, err := split.Find(graphOf(t, p))
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Cuts) != 2 {
		t.Fatalf("%d cuts: %s", len(found.Cuts), found.Why())
	}
	for k, iterator := range []string{"i", "j"} {
		bound := []string{"M", "N"}[k]
		for _, row := range found.Cuts[k] {
			s := &p.Statements[slices.Index(p.StatementNames(), row.Statement)]
			if got := row.Row.Text(s.Iterators(), p.Parameters); got != "2"+iterator+" - "+bound {
				t.Errorf("%s is cut at %s", row.Statement, got)
			}
		}
	}
	cut, err := split.Program(p, found.Cuts)
	if err != nil {
		t.Fatal(err)
	}
	pieces := map[string]int{}
	for i := range cut.Statements {
		pieces[cut.Statements[i].Whole()]++
	}
	for i := range p.Statements {
		s := &p.Statements[i]
		if got, want := pieces[s.Name], 1<<(s.Depth()-1); got != want {
			t.Errorf("%s has %d pieces, not %d", s.Name, got, want)
		}
	}
}

// Kernels without symmetric long dependences stay whole, and the reasons say
// for each axis why.
func TestOtherKernelsStayWhole(t *testing.T) {
	for kernel, want := range map[string]string{
		"polybench/jacobi-1d":  "loop t of S0: its long dependences, over more than 5 iterations, are not symmetric about one place; loop i of S0: all dependences are short, over 5 iterations at most",
		"polybench/covariance": "loop j of S0: dependences tie it to another loop around the same statement; loop i of S1: its long dependences, over more than 5 iterations, are not symmetric about one place",
		"tiramisu/warp-affine": "loop i of S0: all dependences are short, over 5 iterations at most; loop j of S0: all dependences are short, over 5 iterations at most; loop c of S0: all dependences are short, over 5 iterations at most",
	} {
		found, err := split.Find(graphOf(t, kernelProgram(t, kernel)))
		if err != nil {
			t.Fatal(err)
		}
		if len(found.Cuts) > 0 || found.Why() != want {
			t.Errorf("%s: %d cuts; %s", kernel, len(found.Cuts), found.Why())
		}
	}
}

// Sizes may be constants, and halves need not be integers.
func TestCutsOfSmallPrograms(t *testing.T) {
	const ring = "for (int t = 0; t < T; t++) for (int i = %s; i < %s; i++) a[(t + 1) %% 2][i] = a[t %% 2][i == %s ? %s : i - 1] + a[t %% 2][i + 1 == %s ? %s : i + 1];"
	for _, test := range []struct{ name, body, want string }{
		{"even", fmt.Sprintf(ring, "0", "101", "0", "100", "101", "0"), "S0[t, i] -> [i - 50]"},
		{"odd", fmt.Sprintf(ring, "0", "100", "0", "99", "100", "0"), "S0[t, i] -> [2i - 99]"},
		{"two bounds", fmt.Sprintf(ring, "M", "N", "M", "N - 1", "N", "M"), "S0[t, i] -> [2i - M - N + 1]"},
		{"mirror", "for (int t = 0; t < T; t++) for (int i = 0; i < N; i++) a[(t + 1) % 2][i] = a[t % 2][N - 1 - i];", "S0[t, i] -> [2i - N + 1]"},
		{"too short", fmt.Sprintf(ring, "0", "6", "0", "5", "6", "0"), ""},
		{"private", "for (int t = 0; t < T; t++) for (int i = 0; i < N; i++) { double v = a[t % 2][i == 0 ? N - 1 : i - 1]; a[(t + 1) % 2][i] = v + a[t % 2][i + 1 == N ? 0 : i + 1]; }", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := parse(t, "void f(int T, int M, int N, double a[2][1000]) {\n#pragma scop\n"+test.body+"\n#pragma endscop\n}\n")
			found, err := split.Find(graphOf(t, p))
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, c := range found.Cuts {
				got += p.CutText(c)
			}
			if got != test.want {
				t.Errorf("cut at %q, not %q; %s", got, test.want, found.Why())
			}
		})
	}
}

// Whatever random programs are cut at, the pieces are proven a partition of
// the statements, their instances at small sizes are those of the statements,
// and the dependences are those that analysing the cut program finds.
func TestRandomCuts(t *testing.T) {
	seeds := uint64(15)
	if os.Getenv("POLYTUNE_LONG") != "" {
		seeds = 1500
	}
	divided := 0
	for seed := range seeds {
		p := randomProgram(seed)
		if p == nil {
			continue
		}
		cuts := randomprogram.Cuts(p, rand.New(rand.NewPCG(seed, 7)))
		divided += checkCut(t, seed, p, cuts)
	}
	if divided < int(seeds)/2 {
		t.Errorf("only %d statements were divided", divided)
	}
}

// checkCut checks one program that is cut, and returns how many pieces it has
// more than statements.
func checkCut(t *testing.T, seed uint64, p *scop.Program, cuts []scop.Cut) int {
	t.Helper()
	ctx := isl.NewContext()
	defer ctx.Close()
	ctx.SetMaxOperations(4_000_000)
	err := func() error {
		g, err := analyze(ctx, p)
		if err != nil {
			return err
		}
		cut, err := split.Program(p, cuts)
		if err != nil {
			return err
		}
		pieces, err := split.Graph(g, cut)
		if err != nil {
			return err
		}
		if err := sameInstances(g.Model, pieces.Model); err != nil {
			return err
		}
		direct, err := analyze(ctx, cut)
		if err != nil {
			return err
		}
		p = cut
		return sameDependences(pieces, direct)
	}()
	if err != nil && !isl.IsLimit(err) {
		t.Errorf("seed %d: %v\n%s", seed, err, p)
	}
	extra := 0
	for i := range p.Statements {
		if piece := p.Statements[i].Piece; piece != nil && piece.Number > 0 {
			extra++
		}
	}
	return extra
}

// sameInstances compares the instances of the pieces at small sizes with those
// of the statements: each is in one piece.
func sameInstances(whole, cut *scop.Model) error {
	for _, size := range []int{0, 1, 4, 7} {
		count := map[string]int{}
		for _, m := range []*scop.Model{whole, cut} {
			for i := range m.Statements {
				s := &m.Statements[i]
				domain := s.Domain
				for k := range domain.Dim(isl.DimParam) {
					domain = domain.FixSi(isl.DimParam, k, size)
				}
				points, err := domain.Points(5000)
				if err != nil {
					return err
				}
				for _, point := range points {
					count[fmt.Sprint(s.Whole(), point)]++
				}
			}
		}
		for instance, times := range count {
			if times != 2 {
				return fmt.Errorf("at size %d instance %s is in %d pieces", size, instance, times-1)
			}
		}
	}
	return nil
}

// sameDependences compares two graphs of one program.
func sameDependences(got, want *depend.Graph) error {
	if len(got.Dependences) != len(want.Dependences) {
		return fmt.Errorf("%d dependences of pieces, not %d", len(got.Dependences), len(want.Dependences))
	}
	for k, d := range got.Dependences {
		w := want.Dependences[k]
		same, err := d.Relation.IsEqual(w.Relation)
		if err != nil {
			return err
		}
		if !same || d.Source != w.Source || d.Target != w.Target || d.Kind != w.Kind ||
			d.SourceAccess != w.SourceAccess || d.TargetAccess != w.TargetAccess || d.Depth != w.Depth {
			return fmt.Errorf("dependence %d of pieces is %s, not %s", k, d.Relation, w.Relation)
		}
	}
	return nil
}

// Pieces that are not the statement are found out.
func TestWrongPiecesAreRefused(t *testing.T) {
	p := kernelProgram(t, "plutoplus/heat-1dp")
	g := graphOf(t, p)
	found, err := split.Find(g)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		want   string
		change func(second *scop.Statement)
	}{
		{"instances in common", func(s *scop.Statement) { s.Domain = strings.Replace(s.Domain, "2i >= N", "2i >= N - 3", 1) }},
		{"not all of it", func(s *scop.Statement) { s.Domain = strings.Replace(s.Domain, "2i >= N", "2i >= N + 3", 1) }},
		{"another text", func(s *scop.Statement) { s.Position = []int{0, 0, 1} }},
		{"another text", func(s *scop.Statement) { s.Source = "A[0][0] = 0;" }},
		{"another one", func(s *scop.Statement) { s.Accesses[0].May = true }},
		{"no piece", func(s *scop.Statement) { s.Piece.Whole = "S7" }},
	} {
		cut, err := split.Program(p, found.Cuts)
		if err != nil {
			t.Fatal(err)
		}
		test.change(&cut.Statements[1])
		if _, err := split.Graph(g, cut); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("the error is %v; it should say %q", err, test.want)
		}
	}
}

func kernelProgram(t testing.TB, name string) *scop.Program {
	t.Helper()
	b, err := benchmarks.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, string(b.Source))
}

func parse(t testing.TB, source string) *scop.Program {
	t.Helper()
	file, err := kerneltest.Parse("kernel.c", source, "")
	if err != nil {
		t.Fatal(err)
	}
	return file.Regions[0].Program
}

// randomProgram is the program of a seed, or nil when the front end refuses it.
func randomProgram(seed uint64) *scop.Program {
	p := randomprogram.Random(seed)
	layout := randomprogram.NewLayout(p, []randomprogram.Size{{N: 7, M: 5}})
	file, err := frontend.Parse("random.c", []byte(p.Prelude(layout)+p.Source(layout)), frontend.Options{})
	if err != nil {
		return nil
	}
	return file.Regions[0].Program
}

func analyze(ctx *isl.Context, p *scop.Program) (*depend.Graph, error) {
	m, err := p.Model(ctx)
	if err != nil {
		return nil, err
	}
	return depend.Analyze(m)
}

func graphOf(t testing.TB, p *scop.Program) *depend.Graph {
	t.Helper()
	ctx := isl.NewContext()
	t.Cleanup(ctx.Close)
	g, err := analyze(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
