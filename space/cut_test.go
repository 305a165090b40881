package space

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func parseCut(t *testing.T, kind CutKind, text string, n int) Cut {
	t.Helper()
	cut, err := ParseCut(kind, text, statementNames(n))
	if err != nil {
		t.Fatal(err)
	}
	return cut
}

// What a cut prints is read back as the same cut.
func TestCutsReadBack(t *testing.T) {
	for _, test := range []struct {
		kind       CutKind
		text, want string
	}{
		{Together, "S0,S2", "together S0,S2"},
		{Apart, " S3 , S1 S0", "apart S3,S1,S0"},
		{Before, "S2,S1", "before S2,S1"},
		{Affine, "e_0_1 + e_1_2 <= 1", "e_0_1 + e_1_2 <= 1"},
		{Affine, "p_0_3 = 1", "p_0_3 = 1"},
		{Affine, "e_0_1 = e_2_3", "e_0_1 = e_2_3"},
		{Affine, "2e_0_1 - p_1_3 >= -1 and e_1_2 < 1", "p_1_3 <= 1 + 2e_0_1 and e_1_2 <= 0"},
		{Affine, "false", "1 <= 0"},
	} {
		cut := parseCut(t, test.kind, test.text, 4)
		if got := cut.Text(statementNames(4)); got != test.want {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
		again := strings.TrimPrefix(test.want, test.kind.String()+" ")
		if got := parseCut(t, test.kind, again, 4).Text(statementNames(4)); got != test.want {
			t.Errorf("%q again: got %q", test.want, got)
		}
	}
}

func TestBadCuts(t *testing.T) {
	for _, test := range []struct {
		kind       CutKind
		text, want string
	}{
		{Together, "S0", "together needs two statements"},
		{Together, "", "together needs two statements"},
		{Apart, "S0,S4", "there is no statement S4; the program has S0 to S3"},
		{Before, "S0,S1,S0", "before names statement S0 twice"},
		{Affine, "", "a constraint is missing"},
		{Affine, "e_0_1 = 1 and", "a constraint is missing; write equalities and inequalities such as"},
		{Affine, "e_0_1 <=", "\"e_0_1 <=\" lacks a number or a variable"},
		{Affine, "e_0_1 + = 1", "lacks a number or a variable"},
		{Affine, "e_0_1 * e_0_2 <= 1", "multiplies variables"},
		{Affine, "e_0_1 == 1", "a single ="},
		{Affine, "e_0_1 =< 1", "write <= or >="},
		{Affine, "e_0_1 <= 1/2", "numbers are integers"},
		{Affine, "e_0_1 + e_0_2", "compares nothing"},
		{Affine, "2 * (e_0_1 + 1 <= 3", "parenthesis"},
		{Affine, "p_0_1 = 1 and e_0_1 ? 3 <= 2", "\"e_0_1 ? 3 <= 2\" is no constraint; write"},
		{Affine, "e_1_0x = 1", "there is no variable e_1_0x"},
		{Affine, "e_0_1 = 0 or e_1_2 = 0", "disjunction"},
		{Affine, "e_0_1 != e_1_2", "disjunction"},
		{Affine, "e_0_1 + e_1_2 = 2k", "there is no variable k"},
		{Affine, "e_0_1 mod 2 = 0", "there is no variable mod"},
		{Affine, "e_0_1 = 2e_1_2 and exists", "there is no variable exists"},
		{Affine, "e_0_1 <= [1/2]", "\"[\" is out of place"},
		{Affine, "e_0_1 <= 1 } ; {", "\"}\" is out of place"},
		{Affine, "e_1_0 = 1", "write e_0_1"},
		{Affine, "p_3_1 = 1", "write 1 - p_1_3 - e_1_3"},
		{Affine, "e_0_4 = 1", "there is no variable e_0_4"},
		{Affine, "e_0_1 <= 99999999999", "must lie between"},
		{Affine, "e_0_1 <= 99999999999999999999", "must lie between"},
	} {
		if cut, err := ParseCut(test.kind, test.text, statementNames(4)); err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "isl") {
			t.Errorf("%s %q: got %+v, %v; want %q", test.kind, test.text, cut, err, test.want)
		}
	}
}

func TestCuts(t *testing.T) {
	for _, test := range []struct {
		cuts []Cut
		keep func(p Partition) bool
	}{
		{[]Cut{{Kind: Together, Statements: []int{0, 2}}}, func(p Partition) bool { return p[0] == p[2] }},
		{[]Cut{{Kind: Apart, Statements: []int{0, 1, 3}}}, func(p Partition) bool { return p[0] != p[1] && p[0] != p[3] && p[1] != p[3] }},
		{[]Cut{{Kind: Before, Statements: []int{3, 1}}}, func(p Partition) bool { return p[3] < p[1] }},
		{[]Cut{{Kind: Before, Statements: []int{2, 3}}, {Kind: Together, Statements: []int{1, 2}}}, func(p Partition) bool { return p[2] < p[3] && p[1] == p[2] }},
	} {
		edges := [][2]int{{0, 1}}
		s := synthetic(t, 4, edges, forbidden{{2, 3}}, Options{Cuts: test.cuts})
		want := slices.DeleteFunc(legalByDefinition(4, edges, forbidden{{2, 3}}), func(p Partition) bool { return !test.keep(p) })
		if got := collect(t, s.All()); !samePartitions(got, want) {
			t.Errorf("%v: got %v, want %v", test.cuts, got, want)
		}
		checkMembership(t, s, want)
	}
}

// randomConstraint is over the variables of a few pairs.
func randomConstraint(random *rand.Rand, e Encoding) Constraint {
	c := Constraint{Constant: random.IntN(4) - 1, Equality: random.IntN(4) == 0}
	for _, v := range random.Perm(e.Variables())[:min(e.Variables(), 2+random.IntN(5))] {
		c.Terms = append(c.Terms, Term{[]int{-2, -1, 1, 1, 2}[random.IntN(5)], v})
	}
	return c
}

// With random affine cuts, listing, resuming, counting, membership and the
// constraints agree with the partitions that satisfy the cuts, and New says
// when there are none, on 600 random graphs.
func TestRandomAffineCuts(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	empty, remaining := 0, 0
	for range 600 {
		n, edges, infusible := randomGraph(random)
		cut := Cut{Kind: Affine}
		for range 1 + random.IntN(2) {
			cut.Constraints = append(cut.Constraints, randomConstraint(random, Encoding{n}))
		}
		want := slices.DeleteFunc(legalByDefinition(n, edges, infusible), func(p Partition) bool {
			return cut.violation(p, statementNames(n)) != ""
		})
		s, err := newSpace(statementNames(n), reachability(n, edges), infusible, Options{Cuts: []Cut{cut}})
		if (err == nil) != (len(want) > 0) {
			t.Fatalf("%s: error %v, but %d partitions are left", cut.Text(statementNames(n)), err, len(want))
		}
		if err != nil {
			empty++
			continue
		}
		if len(s.affine) > 0 {
			remaining++
		}
		if got := collect(t, s.All()); !samePartitions(got, want) {
			t.Fatalf("edges %v, infusible %v, cut %s: got %v, want %v", edges, infusible, cut.Text(s.names), got, want)
		}
		if st := s.Statistics(); st.DeadEnds > st.Points*n*n {
			t.Errorf("%+v", st)
		}
		from := random.IntN(len(want))
		if got := collect(t, s.After(want[from])); !samePartitions(got, want[from+1:]) {
			t.Errorf("after %v: %v, want %v", want[from], got, want[from+1:])
		}
		if count, ok, err := s.Count(1 << 20); err != nil || !ok || count.Int64() != int64(len(want)) {
			t.Errorf("edges %v, cut %s: counted %v (%v, %v), want %d", edges, cut.Text(s.names), count, ok, err, len(want))
		}
		if n < 6 {
			checkMembership(t, s, want)
		}
	}
	if empty < 50 || remaining < 100 {
		t.Errorf("%d empty spaces and %d with constraints to search by are too few to tell", empty, remaining)
	}
}

// Constraints on single pairs are what together, apart and before say, and
// leave nothing for the search.
func TestAffineCutsOfPairs(t *testing.T) {
	for _, test := range []struct {
		affine string
		cut    Cut
	}{
		{"e_0_2 = 1", Cut{Kind: Together, Statements: []int{0, 2}}},
		{"e_0_2 + e_1_3 = 2", Cut{Kind: Together, Statements: []int{0, 2}}},
		{"e_0_2 <= 0", Cut{Kind: Apart, Statements: []int{0, 2}}},
		{"p_0_2 = 1", Cut{Kind: Before, Statements: []int{0, 2}}},
		{"p_0_2 + e_0_2 = 0", Cut{Kind: Before, Statements: []int{2, 0}}},
	} {
		cuts := []Cut{test.cut}
		if strings.Contains(test.affine, "e_1_3") {
			cuts = append(cuts, Cut{Kind: Together, Statements: []int{1, 3}})
		}
		edges := [][2]int{{0, 1}}
		s := synthetic(t, 4, edges, forbidden{{2, 3}}, Options{Cuts: []Cut{parseCut(t, Affine, test.affine, 4)}})
		same := synthetic(t, 4, edges, forbidden{{2, 3}}, Options{Cuts: cuts})
		if got, want := collect(t, s.All()), collect(t, same.All()); !samePartitions(got, want) {
			t.Errorf("%s: got %v, want %v", test.affine, got, want)
		}
		if len(s.affine) > 0 {
			t.Errorf("%s is left for the search", test.affine)
		}
	}
}

// A search that takes too long is an error, not a wrong answer.
func TestHardCuts(t *testing.T) {
	s := synthetic(t, 4, nil, forbidden{}, Options{Cuts: []Cut{parseCut(t, Affine, "e_0_1 + e_1_2 + e_2_3 = 1", 4)}})
	e := newEnumerator(s)
	e.steps = mostSteps
	if found, err := e.completable(); found || !errors.Is(err, errTooHard) {
		t.Errorf("got %v, %v", found, err)
	}
	if list := collect(t, s.All()); len(list) == 0 {
		t.Error("the listing finds nothing")
	}
}
