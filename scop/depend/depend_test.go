package depend

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"polytune/internal/marktest"
	"polytune/isl"
	"polytune/scop"
)

// gemm is C *= beta; C += A * B in the shape of the SC'10 suite.
func gemm() *scop.Program {
	ij := []scop.Loop{{Iterator: "i"}, {Iterator: "j"}}
	ijk := append(ij[:2:2], scop.Loop{Iterator: "k"})
	return &scop.Program{
		Name: "gemm", Parameters: []string{"N"}, Context: "[N] -> { : }",
		Statements: []scop.Statement{
			{Name: "S0", Loops: ij, Position: []int{0, 0, 0}, Domain: "[N] -> { S0[i, j] : 0 <= i, j < N }",
				Accesses: []scop.Access{
					{Array: "C", Read: true, Write: true, Relation: "{ S0[i, j] -> C[i, j] }"},
					{Array: "beta", Read: true, Relation: "{ S0[i, j] -> beta[] }"},
				}},
			{Name: "S1", Loops: ijk, Position: []int{0, 0, 1, 0}, Domain: "[N] -> { S1[i, j, k] : 0 <= i, j, k < N }",
				Accesses: []scop.Access{
					{Array: "C", Read: true, Write: true, Relation: "{ S1[i, j, k] -> C[i, j] }"},
					{Array: "alpha", Read: true, Relation: "{ S1[i, j, k] -> alpha[] }"},
					{Array: "A", Read: true, Relation: "{ S1[i, j, k] -> A[i, k] }"},
					{Array: "B", Read: true, Relation: "{ S1[i, j, k] -> B[k, j] }"},
				}},
		},
	}
}

// seidel is a one-dimensional Gauss-Seidel sweep, run down when descending.
func seidel(descending bool) *scop.Program {
	return &scop.Program{
		Name: "seidel", Parameters: []string{"N"}, Context: "[N] -> { : }",
		Statements: []scop.Statement{{
			Name: "S0", Loops: []scop.Loop{{Iterator: "t"}, {Iterator: "i", Descending: descending}}, Position: []int{0, 0, 0},
			Domain: "[N] -> { S0[t, i] : 0 <= t < N and 0 < i < N - 1 }",
			Accesses: []scop.Access{
				{Array: "A", Write: true, Relation: "{ S0[t, i] -> A[i] }"},
				{Array: "A", Read: true, Relation: "{ S0[t, i] -> A[i - 1] }"},
				{Array: "A", Read: true, Relation: "{ S0[t, i] -> A[i] }"},
				{Array: "A", Read: true, Relation: "{ S0[t, i] -> A[i + 1] }"},
			},
		}},
	}
}

func analyze(t *testing.T, p *scop.Program) *Graph {
	t.Helper()
	c := isl.NewContext()
	t.Cleanup(c.Close)
	m, err := p.Model(c)
	if err != nil {
		t.Fatal(err)
	}
	g, err := Analyze(m)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestAnalyze(t *testing.T) {
	for _, test := range []struct {
		program *scop.Program
		want    string
	}{
		{gemm(), "RAW 0->1 2, WAR 0->1 2, WAW 0->1 2, RAW 1->1 3, WAR 1->1 3, WAW 1->1 3"},
		{seidel(false), "RAW 0->0 1, RAW 0->0 2, WAR 0->0 1, WAR 0->0 2, WAW 0->0 1"},
	} {
		got := map[string]bool{}
		for _, d := range analyze(t, test.program).Dependences {
			got[fmt.Sprintf("%s %d->%d %d", d.Kind, d.Source, d.Target, d.Depth)] = true
		}
		want := strings.Split(test.want, ", ")
		for _, w := range want {
			if !got[w] {
				t.Errorf("%s: no dependence %s", test.program.Name, w)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: got %v, want %v", test.program.Name, got, want)
		}
	}
}

// The relations at small sizes are those found by running the program.
func TestAnalyzeAgainstExecution(t *testing.T) {
	for _, descending := range []bool{false, true} {
		g := analyze(t, seidel(descending))
		type instance struct{ t, i int }
		const n = 5
		var sequence []instance
		for tt := range n {
			for k := 1; k < n-1; k++ {
				i := k
				if descending {
					i = n - 1 - k
				}
				sequence = append(sequence, instance{tt, i})
			}
		}
		expected := g.Model.Context.ReadMap("{ S0[t, i] -> S0[u, j] : false }")
		for a, x := range sequence {
			for _, y := range sequence[a+1:] {
				if d := x.i - y.i; -1 <= d && d <= 1 {
					expected = expected.Union(g.Model.Context.ReadMap(fmt.Sprintf("{ S0[%d, %d] -> S0[%d, %d] }", x.t, x.i, y.t, y.i)))
				}
			}
		}
		got := g.Model.Context.ReadMap("{ S0[t, i] -> S0[u, j] : false }")
		for _, d := range g.Dependences {
			got = got.Union(d.Relation)
		}
		got = got.IntersectParams(g.Model.Context.ReadSet(fmt.Sprintf("[N] -> { : N = %d }", n))).ProjectOut(isl.DimParam, 0, 1)
		if equal, err := got.IsEqual(expected); err != nil || !equal {
			t.Errorf("descending %v: got %s, want %s (%v)", descending, got, expected, err)
		}
	}
}

func TestComponents(t *testing.T) {
	if got := fmt.Sprint(analyze(t, gemm()).Components()); got != "[[0] [1]]" {
		t.Errorf("components %s", got)
	}
	reaches := closure([][]int{{1}, {2}, {1}, {0}})
	if got := fmt.Sprint(componentsOf([]int{0, 1, 2, 3}, reaches)); got != "[[3] [0] [1 2]]" {
		t.Errorf("components %s", got)
	}
}

func TestCheck(t *testing.T) {
	const domain = "domain: \"[N] -> { S0[t, i] : 0 <= t < N and 0 < i < N - 1 }\"\n"
	for _, test := range []struct {
		name, tree string
		reason     string
	}{
		{"original", `child: { schedule: "[{ S0[t, i] -> [t] }, { S0[t, i] -> [i] }]" }`, ""},
		{"skewed and tiled", `child: { schedule: "[{ S0[t, i] -> [floor(t/4)] }, { S0[t, i] -> [floor((t + i)/4)] }]", child: { schedule: "[{ S0[t, i] -> [t] }, { S0[t, i] -> [t + i] }]" } }`, ""},
		{"wavefront", `child: { schedule: "[{ S0[t, i] -> [2t + i] }]", child: { mark: "parallel", child: { schedule: "[{ S0[t, i] -> [t] }]" } } }`, ""},
		{"interchanged", `child: { schedule: "[{ S0[t, i] -> [i] }, { S0[t, i] -> [t] }]" }`, "dimension 0 of the schedule reverses it"},
		{"tiled without skew", `child: { schedule: "[{ S0[t, i] -> [floor(t/4)] }, { S0[t, i] -> [floor(i/4)] }]", child: { schedule: "[{ S0[t, i] -> [t] }, { S0[t, i] -> [i] }]" } }`, "dimension 1 of the schedule reverses it"},
		{"incomplete", `child: { schedule: "[{ S0[t, i] -> [2t + i] }]", child: { schedule: "[{ S0[t, i] -> [0] }]" } }`, ""},
		{"one dimension", `child: { schedule: "[{ S0[t, i] -> [t] }]" }`, "both instances run at the same time"},
		{"parallel time", `child: { mark: "parallel c0", child: { schedule: "[{ S0[t, i] -> [t] }]", child: { schedule: "[{ S0[t, i] -> [i] }]" } } }`, `the loop marked "parallel c0" carries it`},
		{"vector space", `child: { schedule: "[{ S0[t, i] -> [t] }]", child: { mark: "vector", child: { schedule: "[{ S0[t, i] -> [i] }]" } } }`, `the loop marked "vector" carries it`},
	} {
		g := analyze(t, seidel(false))
		schedule := marktest.Read(t, g.Model.Context, domain+test.tree)
		err := g.Check(schedule)
		var violation *Violation
		switch {
		case test.reason == "" && err != nil:
			t.Errorf("%s: %v", test.name, err)
		case test.reason != "" && (!errors.As(err, &violation) || violation.Reason != test.reason):
			t.Errorf("%s: got %v, want %s", test.name, err, test.reason)
		}
	}
}

// A sequence whose filters do not hold all instances leaves some out.
func TestCheckFilters(t *testing.T) {
	g := analyze(t, seidel(false))
	err := g.Check(marktest.Read(t, g.Model.Context, `domain: "[N] -> { S0[t, i] : 0 <= t < N and 0 < i < N - 1 }"
child:
  sequence:
  - filter: "[N] -> { S0[t, i] : t < 5 }"
    child:
      schedule: "[N] -> [{ S0[t, i] -> [t] }, { S0[t, i] -> [i] }]"
  - filter: "[N] -> { S0[t, i] : t > 5 }"
    child:
      schedule: "[N] -> [{ S0[t, i] -> [t] }, { S0[t, i] -> [i] }]"
`))
	if err == nil || !strings.Contains(err.Error(), "filters leave instances out") {
		t.Errorf("got %v", err)
	}
}

// Parts whose filters have instances in common run them twice, which is wrong where no dependence
// tells of it, too.
func TestCheckParts(t *testing.T) {
	p := seidel(false)
	p.Statements[0].Accesses = []scop.Access{{Array: "A", Read: true, Write: true, Relation: "{ S0[t, i] -> A[t, i] }"}}
	g := analyze(t, p)
	for from, wrong := range map[int]bool{5: true, 6: false} {
		err := g.Check(marktest.Read(t, g.Model.Context, fmt.Sprintf(`domain: "[N] -> { S0[t, i] : 0 <= t < N and 0 < i < N - 1 }"
child:
  sequence:
  - filter: "[N] -> { S0[t, i] : t <= 5 }"
    child:
      schedule: "[N] -> [{ S0[t, i] -> [t] }, { S0[t, i] -> [i] }]"
  - filter: "[N] -> { S0[t, i] : t >= %d }"
    child:
      schedule: "[N] -> [{ S0[t, i] -> [t] }, { S0[t, i] -> [i] }]"
`, from)))
		if (err != nil) != wrong || wrong && !strings.Contains(err.Error(), "it runs instances more than once, such as [N] -> { S0[t = 5, i = 1] :") {
			t.Errorf("from %d on: got %v", from, err)
		}
	}
}

// A guard leaves instances out that isl's maps of the schedule have: one that does not hold for all
// values of the loops around is refused. With a parameter of the name of a dimension it does not.
func TestCheckGuards(t *testing.T) {
	g := analyze(t, seidel(false))
	for guard, right := range map[string]bool{"[N] -> { [a, b] }": true, "[N] -> { [a, b] : b > 3 }": false, "[N] -> { [a, N] }": false} {
		err := g.Check(marktest.Read(t, g.Model.Context, fmt.Sprintf(`domain: "[N] -> { S0[t, i] : 0 <= t < N and 0 < i < N - 1 }"
child:
  schedule: "[N] -> [{ S0[t, i] -> [t] }, { S0[t, i] -> [i] }]"
  child:
    guard: %q
`, guard)))
		if (err == nil) != right || err != nil && err.Error() != "illegal schedule: a guard leaves instances out" {
			t.Errorf("%s: %v", guard, err)
		}
	}
}

func TestCheckDomain(t *testing.T) {
	for domain, want := range map[string]string{
		"0 <= t < N and 1 < i < N - 1":  "it leaves instances of the program out, such as [N] -> { S0[t = 0, i = 1] : N = 3 }",
		"0 <= t < N and -1 < i < N - 1": "it orders other instances than the program has, such as [N] -> { S0[t = 0, i = 0] :",
	} {
		g := analyze(t, seidel(false))
		err := g.Check(marktest.Read(t, g.Model.Context, fmt.Sprintf(`domain: "[N] -> { S0[t, i] : %s }"`, domain)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", domain, err, want)
		}
	}
}

// Where the pairs that a schedule reverses take a long text, the message has one of them alone,
// with values of the parameters.
func TestCheckLongExample(t *testing.T) {
	g := analyze(t, seidel(false))
	err := g.Check(marktest.Read(t, g.Model.Context, `domain: "[N] -> { S0[t, i] : 0 <= t < N and 0 < i < N - 1 }"
child:
  schedule: "[N] -> [{ S0[t, i] -> [-t - floor((i)/5) - 2*floor((i + 2t)/3) - floor((t)/7)] }, { S0[t, i] -> [t] }, { S0[t, i] -> [i] }]"
`))
	var violation *Violation
	if !errors.As(err, &violation) {
		t.Fatalf("got %v", err)
	}
	if one := regexp.MustCompile(`^\[N\] -> \{ S0\[t = \d+, i = \d+\] -> S0\[t' = \d+, i' = \d+\] : N = \d+ \}$`); !one.MatchString(violation.Pairs) {
		t.Errorf("got %s", violation.Pairs)
	}
}

// The hyperplanes t and t + i are legal for every dependence of a sweep; i is
// not, and -t is for none.
func TestCone(t *testing.T) {
	g := analyze(t, seidel(false))
	legal := func(row [2]int64) (count int) {
		for _, d := range g.Dependences {
			cone, err := d.Cone()
			if err != nil {
				t.Fatal(err)
			}
			if cone.Contains([]int64{0, 0, -row[0], -row[1], row[0], row[1]}) {
				count++
			}
		}
		return count
	}
	all := len(g.Dependences)
	if legal([2]int64{1, 0}) != all || legal([2]int64{1, 1}) != all {
		t.Error("t or t + i is not legal")
	}
	if n := legal([2]int64{0, 1}); n == 0 || n == all {
		t.Errorf("i is legal for %d of %d dependences", n, all)
	}
	if n := legal([2]int64{-1, 0}); n >= all {
		t.Errorf("-t is legal for %d of %d dependences", n, all)
	}
}
