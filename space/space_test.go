package space

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"polytune/isl"
)

// Enumeration, resuming, membership, counting and the constraints agree with
// trying all weak orders, on 500 random graphs; and the enumeration does not
// look at too many dead ends.
func TestRandomGraphs(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range longer(200, 500) {
		n, edges, infusible := randomGraph(random)
		s := synthetic(t, n, edges, infusible, Options{})
		want := legalByDefinition(n, edges, infusible)
		if got := collect(t, s.All()); !samePartitions(got, want) {
			t.Fatalf("edges %v, infusible %v: got %v, want %v", edges, infusible, got, want)
		}
		if st := s.Statistics(); st.DeadEnds > st.Points*n*n {
			t.Errorf("edges %v, infusible %v: %+v", edges, infusible, st)
		}
		count, ok, err := s.Count(1 << 20)
		if err != nil || !ok || count.Int64() != int64(len(want)) {
			t.Errorf("edges %v, infusible %v: counted %v (%v, %v), want %d", edges, infusible, count, ok, err, len(want))
		}
		from := random.IntN(len(want))
		if got := collect(t, s.After(want[from])); !samePartitions(got, want[from+1:]) {
			t.Errorf("edges %v, infusible %v: after %v: %v, want %v", edges, infusible, want[from], got, want[from+1:])
		}
		checkMembership(t, s, want)
	}
}

// checkMembership compares membership and the constraints with the list of
// the space's partitions, for all weak orders.
func checkMembership(t *testing.T, s *Space, members []Partition) {
	t.Helper()
	constraints, err := s.Constraints()
	if err != nil {
		t.Fatal(err)
	}
	rows := slices.Collect(constraints)
	for _, p := range weakOrders(s.encoding.Statements) {
		_, inside := slices.BinarySearchFunc(members, p, Partition.Compare)
		contained, reason := s.Contains(p)
		if contained != inside || contained != (reason == nil) {
			t.Fatalf("%v: contained is %v (%v), listed is %v", p, contained, reason, inside)
		}
		point := s.encoding.Point(p)
		violated := slices.ContainsFunc(rows, func(c Constraint) bool { return !c.Holds(point) })
		if violated == inside {
			t.Fatalf("%v: a constraint is violated: %v, listed is %v", p, violated, inside)
		}
	}
	if ok, reason := s.Contains(s.None()); !ok && len(s.affine) == 0 {
		t.Errorf("no fusion: %v", reason)
	}
}

// After any vector, in the space or not, come exactly the greater partitions.
func TestAfterAnyVector(t *testing.T) {
	s := synthetic(t, 4, [][2]int{{3, 0}, {0, 3}, {1, 2}}, forbidden{{0, 1}}, Options{})
	all := collect(t, s.All())
	for _, p := range append(weakOrders(4), Partition{3, 3, 3, 3}, Partition{-1, 9, 0, 0}) {
		want := slices.DeleteFunc(slices.Clone(all), func(q Partition) bool { return q.Compare(p) <= 0 })
		if got := collect(t, s.After(p)); !samePartitions(got, want) {
			t.Errorf("after %v: got %v, want %v", p, got, want)
		}
	}
	for _, err := range s.After(Partition{0}) {
		if err == nil {
			t.Error("a vector of the wrong length is accepted")
		}
	}
}

func TestSpaceAsSet(t *testing.T) {
	ctx := isl.NewContext()
	defer ctx.Close()
	s := synthetic(t, 4, [][2]int{{0, 1}, {2, 0}}, forbidden{{0, 3}, {1, 2, 3}}, Options{})
	set, err := s.Set(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := islPoints(t, s.encoding, set), collect(t, s.All()); !samePartitions(got, want) {
		t.Errorf("the isl set has the points %v, want %v", got, want)
	}
	text, err := s.Text()
	if err != nil {
		t.Fatal(err)
	}
	if equal, err := ctx.ReadSet(text).IsEqual(set); err != nil || !equal {
		t.Errorf("the text is another set (%v): %s", err, text)
	}
}

// The rule of mode sc10 on the graph of 2mm: C0 -> C+ -> E+ <- E0 keeps E0
// from running before C0, and drops the vectors that the notes on the
// paper's counts list.
func TestSC10Order(t *testing.T) {
	edges := [][2]int{{0, 1}, {1, 3}, {2, 3}}
	exact := collect(t, synthetic(t, 4, edges, forbidden{}, Options{}).All())
	kept := collect(t, synthetic(t, 4, edges, forbidden{}, Options{Mode: SC10}).All())
	want := slices.DeleteFunc(slices.Clone(exact), func(p Partition) bool { return p[0] > p[2] })
	if !samePartitions(kept, want) || len(kept) == len(exact) {
		t.Errorf("got %v, want %v", kept, want)
	}
}

func TestSC10OrderPairs(t *testing.T) {
	for _, test := range []struct {
		name  string
		n     int
		edges [][2]int
		want  [][2]int
	}{
		{"no consumer in between", 3, [][2]int{{0, 2}, {1, 2}}, nil},
		{"another component", 4, [][2]int{{0, 1}, {2, 3}}, nil},
		{"2mm", 4, [][2]int{{0, 1}, {1, 3}, {2, 3}}, [][2]int{{0, 2}}},
		{"closes a cycle", 3, [][2]int{{0, 1}, {2, 0}}, [][2]int{{0, 2}}},
	} {
		if got := hoistingOrder(reachability(test.n, test.edges)); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

func TestBadOptions(t *testing.T) {
	for _, test := range []struct {
		options Options
		want    string
	}{
		{Options{Mode: 7}, "no mode 7"},
		{Options{Cuts: []Cut{{Kind: 9, Statements: []int{0, 1}}}}, "no cut of kind 9"},
		{Options{Cuts: []Cut{{Kind: Apart, Statements: []int{0}}}}, "apart needs two"},
		{Options{Cuts: []Cut{{Kind: Apart, Statements: []int{0, 4}}}}, "statement 4"},
		{Options{Cuts: []Cut{{Kind: Together, Statements: []int{1, 1}}}}, "statement S1 twice"},
		{Options{Cuts: []Cut{{Kind: Affine, Constraints: []Constraint{{Terms: []Term{{1, 12}}}}}}}, "has variable 12, but the encoding has variables 0 to 11"},
		{Options{Cuts: []Cut{{Kind: Affine, Constraints: []Constraint{{Terms: []Term{{-1 << 62, 0}}}}}}}, "must lie between"},
		{Options{Cuts: []Cut{{Kind: Together, Statements: []int{0, 2}}, {Kind: Apart, Statements: []int{0, 2}}}}, "{S0 S2} into one class"},
		{Options{Cuts: []Cut{{Kind: Before, Statements: []int{1, 0}}}}, "{S0 S1} into one class"},
		{Options{Cuts: []Cut{{Kind: Together, Statements: []int{2, 3}}}}, "{S2 S3} into one class"},
	} {
		_, err := newSpace(statementNames(4), reachability(4, [][2]int{{0, 1}}), forbidden{{2, 3}}, test.options)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: got error %v, want %q", test.options, err, test.want)
		}
	}
}

func TestReasons(t *testing.T) {
	s := synthetic(t, 4, [][2]int{{0, 1}, {2, 3}, {3, 2}}, forbidden{{0, 1, 2}}, Options{Cuts: []Cut{{Kind: Apart, Statements: []int{1, 3}}}})
	for _, test := range []struct {
		partition Partition
		want      string
	}{
		{Partition{0, 0}, "2 class numbers, but the program has 4"},
		{Partition{0, 0, 2, 2}, "no statement is in class 1"},
		{Partition{1, 0, 2, 2}, "S0 is in class 1 and S1 in class 0, but S1 depends on S0"},
		{Partition{0, 1, 2, 3}, "depend on each other"},
		{Partition{0, 0, 0, 0}, "against the cut apart"},
	} {
		ok, reason := s.Contains(test.partition)
		var outside *OutsideError
		if ok || !errors.As(reason, &outside) || !strings.Contains(reason.Error(), test.want) {
			t.Errorf("%v: got %v, %v; want %q", test.partition, ok, reason, test.want)
		}
	}
	loose := synthetic(t, 4, nil, forbidden{{0, 1, 2}}, Options{})
	if _, reason := loose.Contains(Partition{0, 0, 0, 0}); reason == nil || !strings.Contains(reason.Error(), "{S0 S1 S2} cannot be fused") {
		t.Errorf("got %v", reason)
	}
}

type failing struct{}

func (failing) Fusible([]int) (bool, error) { return false, errors.New("out of order") }

func TestOracleErrors(t *testing.T) {
	s := synthetic(t, 2, nil, forbidden{}, Options{})
	s.memory = newMemory(2, failing{})
	for p, err := range s.All() {
		if err == nil {
			t.Errorf("got %v instead of an error", p)
		}
	}
	if _, _, err := s.Count(10); err == nil {
		t.Error("Count hides the error")
	}
	if _, err := s.Constraints(); err == nil {
		t.Error("Constraints hides the error")
	}
	if _, err := s.Contains(Partition{0, 0}); err == nil {
		t.Error("Contains hides the error")
	}
}

// The constraints of large spaces do not take a search over all subsets.
func TestConstraintsOfLargeSpaces(t *testing.T) {
	s := synthetic(t, 40, chain(40), forbidden{{3, 4}, {10, 20, 30}}, Options{})
	constraints, err := s.Constraints()
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for range constraints {
		count++
	}
	if want := s.Encoding().ConstraintCount() + 40*39/2 + 2; count != want {
		t.Errorf("%d constraints, want %d", count, want)
	}
}

// Dependences all against the text, and nothing fusible: the only partition
// is the reversed text, and finding it takes little search.
func TestReversedInfusibleChain(t *testing.T) {
	const n = 30
	var edges [][2]int
	var pairs forbidden
	for i := range n {
		for j := range i {
			pairs = append(pairs, []int{j, i})
		}
		if i > 0 {
			edges = append(edges, [2]int{i, i - 1})
		}
	}
	s := synthetic(t, n, edges, pairs, Options{})
	list := collect(t, s.All())
	if len(list) != 1 || list[0][0] != n-1 || list[0][n-1] != 0 {
		t.Errorf("got %v", list)
	}
	if st := s.Statistics(); st.DeadEnds > n*n || st.LookAhead > n*n*n {
		t.Errorf("%+v", st)
	}
}

// checkWork lists the first partitions and checks how much work they are:
// at most n² dead ends, and n steps of looking ahead, for each partition of n
// statements.
func checkWork(t *testing.T, s *Space, count int) {
	t.Helper()
	var last Partition
	taken := 0
	for p, err := range s.All() {
		if err != nil {
			t.Fatal(err)
		}
		if last != nil && last.Compare(p) >= 0 {
			t.Fatalf("%v comes after %v", p, last)
		}
		last = p
		if taken++; taken == count {
			break
		}
	}
	n := s.encoding.Statements
	if st := s.Statistics(); st.Points != count || st.DeadEnds > count*n*n || st.LookAhead > count*n {
		t.Errorf("%+v", st)
	}
}
