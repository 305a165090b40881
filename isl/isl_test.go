package isl_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"polytune/isl"
)

func newContext(t testing.TB) *isl.Context {
	c := isl.NewContext()
	t.Cleanup(c.Close)
	return c
}

func TestSetOperations(t *testing.T) {
	c := newContext(t)
	square := c.ReadSet("[N] -> { S[i, j] : 0 <= i, j < N }")
	lower := c.ReadSet("[N] -> { S[i, j] : 0 <= j <= i < N }")
	strict := c.ReadSet("[N] -> { S[i, j] : 0 <= i < j < N }")
	for _, test := range []struct {
		name      string
		got, want *isl.Set
	}{
		{"subtract", square.Subtract(lower), strict},
		{"union", lower.Union(strict), square},
		{"intersect", square.Intersect(lower), lower},
		{"apply", square.Apply(c.ReadMap("{ S[i, j] -> S[j, i] }")), square},
		{"lexmax", lower.Lexmax(), c.ReadSet("[N] -> { S[i, j] : N >= 1 and i = N - 1 and j = N - 1 }")},
		{"project", lower.ProjectOut(isl.DimSet, 1, 1), c.ReadSet("[N] -> { [i] : 0 <= i < N }")},
	} {
		if equal, err := test.got.IsEqual(test.want); err != nil || !equal {
			t.Errorf("%s: got %s, want %s (%v)", test.name, test.got, test.want, err)
		}
	}
	if err := c.Err(); err != nil {
		t.Error(err)
	}
}

func TestLexmin(t *testing.T) {
	c := newContext(t)
	for _, test := range []struct {
		rows  [][]int64
		point []int64
	}{
		{[][]int64{{1, 0, 4}, {-1, 0, 4}, {0, 1, 4}, {0, -1, 4}, {1, 1, -1}}, []int64{-3, 4}},
		{[][]int64{{1, 0, 0}, {0, 1, 0}, {2, 2, -1}}, []int64{0, 1}},
		{[][]int64{{1, 0, 0}, {0, 1, 0}, {-1, -1, -1}}, nil},
	} {
		point, ok, err := c.BasicSetFromConstraints(2, nil, test.rows).Lexmin()
		if err != nil || ok != (test.point != nil) || ok && !reflect.DeepEqual(point, test.point) {
			t.Errorf("lexmin of %v: got %v, %v, %v; want %v", test.rows, point, ok, err, test.point)
		}
	}
}

// The forms that are non-negative where ip = i + 1, jp = j + 1 within a box
// of size N include ip - i and jp - j, but not i - ip.
func TestCoefficients(t *testing.T) {
	c := newContext(t)
	d := c.ReadMap("[N] -> { S[i, j] -> S[i + 1, j + 1] : 0 <= i, j < N }").BasicMaps()[0].Wrap()
	cone := d.Coefficients().ToSet()
	if n := cone.Dim(isl.DimSet); n != 6 {
		t.Fatalf("%d coefficients, want 6", n)
	}
	for _, test := range []struct {
		form   []int
		inside bool
	}{
		{[]int{0, 0, -1, 0, 1, 0}, true},
		{[]int{0, 0, 0, -1, 0, 1}, true},
		{[]int{0, 0, 1, 0, -1, 0}, false},
		{[]int{-1, 1, -1, 0, 0, 0}, true},
		{[]int{-2, 1, -1, 0, 0, 0}, false},
	} {
		form := cone
		for k, v := range test.form {
			form = form.FixSi(isl.DimSet, k, v)
		}
		if empty, err := form.IsEmpty(); err != nil || empty == test.inside {
			t.Errorf("form %v: inside is %v, want %v (%v)", test.form, !empty, test.inside, err)
		}
	}
}

func TestConstraintsRoundTrip(t *testing.T) {
	c := newContext(t)
	s := c.ReadSet("{ [i, j] : 2i = j and 0 <= i <= 10 }")
	eq, in, err := s.BasicSets()[0].Constraints()
	if err != nil {
		t.Fatal(err)
	}
	back := c.BasicSetFromConstraints(2, eq, in).ToSet()
	if equal, err := back.IsEqual(s); err != nil || !equal {
		t.Errorf("got %s, want %s (%v)", back, s, err)
	}
}

func TestErrors(t *testing.T) {
	c := newContext(t)
	bad := c.ReadSet("{ [i : }")
	if bad.Intersect(c.ReadSet("{ [i] }")).String() != "" {
		t.Error("a null set has text")
	}
	if _, err := bad.IsEmpty(); err == nil {
		t.Error("no error from a null set")
	}
	var e *isl.Error
	if err := c.TakeErr(); !errors.As(err, &e) || !strings.Contains(e.Message, "syntax error") && e.Message == "" {
		t.Errorf("got %v, want a syntax error", err)
	}
	if c.Err() != nil {
		t.Error("TakeErr did not clear the error")
	}
	if empty, err := c.ReadSet("{ [i] : i < 0 and i > 0 }").IsEmpty(); err != nil || !empty {
		t.Errorf("after an error: %v %v", empty, err)
	}
}

func TestQuota(t *testing.T) {
	c := newContext(t)
	c.SetMaxOperations(10)
	c.ReadSet("{ [i, j, k] : exists e: 3e <= i + j and 7e >= k - i and 0 <= i, j, k <= 1000 }").Lexmin()
	var e *isl.Error
	if err := c.Err(); !errors.As(err, &e) || e.Code != isl.ErrorQuota {
		t.Errorf("got %v, want the operation limit", err)
	}
}

func TestScheduleAndAst(t *testing.T) {
	c := newContext(t)
	s := c.ReadSchedule(`domain: "[N] -> { S0[i] : 0 <= i < N }"
child:
  mark: "loop"
  child:
    schedule: "[{ S0[i] -> [i] }]"
    coincident: [ 1 ]
`)
	band := s.Root().Children()[0].Children()[0]
	if band.Type() != isl.NodeBand || band.BandMembers() != 1 {
		t.Fatalf("not a band: %s", s)
	}
	if coincident, err := band.BandMemberCoincident(0); err != nil || !coincident {
		t.Errorf("member is not coincident: %v", err)
	}
	node := isl.NewAstBuild(c.ReadSet("[N] -> { : N >= 1 }")).SetIterators([]string{"t1"}).NodeFromSchedule(s)
	if node.Type() != isl.AstMark || node.MarkName() != "loop" {
		t.Fatalf("no mark in %s", node)
	}
	loop := node.MarkNode()
	if loop.Type() != isl.AstFor || loop.ForIterator().ID() != "t1" {
		t.Errorf("no loop over t1 in %s", loop)
	}
	call := loop.ForBody().UserExpr()
	if args := call.Args(); call.OpType() != isl.OpCall || args[0].ID() != "S0" || args[1].ID() != "t1" {
		t.Errorf("user node is %s", call)
	}
	if err := c.Err(); err != nil {
		t.Error(err)
	}
}

// What is kept is there after the rest is released.
func TestKept(t *testing.T) {
	c := newContext(t)
	mark := c.Mark()
	kept := c.ReadUnionMap("{ S[i] -> A[i + 1] }").Union(c.ReadUnionMap("{ T[i] -> A[i] }")).Kept()
	c.Release(mark)
	for range 100 {
		c.ReadUnionMap("{ S[i] -> B[2i]; T[i] -> B[i] }")
	}
	if text := kept.String(); !strings.Contains(text, "A[1 + i]") || strings.Contains(text, "B") {
		t.Errorf("kept: %s", text)
	}
	c.Fail(errors.New("broken"))
	if got := c.ReadUnionMap("{ S[").Kept(); c.Err() == nil || got == nil {
		t.Errorf("kept of nothing: %v, %v", got, c.Err())
	}
	c.TakeErr()
}

func TestReleaseKeepsMemoryFlat(t *testing.T) {
	c := newContext(t)
	mark := c.Mark()
	for range 1000 {
		c.ReadSet("{ [i] : 0 <= i <= 10 }")
		c.Release(mark)
	}
	if c.Mark() != mark {
		t.Errorf("%d objects left", c.Mark()-mark)
	}
}

func TestDimMaxAsC(t *testing.T) {
	ctx := newContext(t)
	universe := ctx.ReadSet("[n, m] -> { : }")
	for set, want := range map[string]string{
		"[n, m] -> { A[i] : 0 <= i < n }":                      "n <= 0 ? 0 : n",
		"[n, m] -> { A[i] : 0 <= i < n; A[i] : 0 <= i <= m }":  "n <= 0 && m <= -1 ? 0 : n >= 1 && n >= m + 2 ? n : m + 1",
		"[n, m] -> { A[i] : 3 <= 2i <= n }":                    "n <= 3 ? 0 : n / 2 + 1",
		"[n, m] -> { A[i] : n >= 5 and m >= 0 and i = -n - m}": "0",
	} {
		greatest := ctx.ReadSet(set).DimMax(0)
		text := isl.NewAstBuild(universe).ExprFromPwAff(greatest.AddConstant(1).AtLeastZero()).String()
		if err := ctx.Err(); err != nil {
			t.Fatal(err)
		}
		if text != want {
			t.Errorf("%s: %q instead of %q", set, text, want)
		}
	}
	if bounded, err := ctx.ReadSet("[n] -> { A[i] : i >= n }").HasUpperBound(0); bounded || err != nil {
		t.Errorf("bounded %v %v", bounded, err)
	}
	if bounded, err := ctx.ReadSet("[n] -> { A[i] : i >= n }").HasLowerBound(0); !bounded || err != nil {
		t.Errorf("bounded %v %v", bounded, err)
	}
	for _, set := range []string{"{ A[i, j] : 0 < i < j }", "{ A[i, j] : i < j; A[i, i] : i > 0 }", "[n] -> { A[i, j] : i < n; A[i, j] : i <= 2 * j }"} {
		if bounded, err := ctx.ReadSet(set).HasUpperBound(0); bounded || err != nil {
			t.Errorf("%s: bounded %v %v: another dimension is no bound", set, bounded, err)
		}
	}
	for _, set := range []string{"{ A[i, j] : j < i }", "{ A[i, j, k] : j < k < i }"} {
		if bounded, err := ctx.ReadSet(set).HasLowerBound(0); bounded || err != nil {
			t.Errorf("%s: bounded %v %v: another dimension is no bound", set, bounded, err)
		}
	}
	if bounded, err := ctx.ReadSet("[n] -> { A[i, j] : i < j < n }").HasUpperBound(0); !bounded || err != nil {
		t.Errorf("bounded %v %v", bounded, err)
	}
	even := ctx.ReadSet("{ A[i] : i mod 2 = 0 }")
	below, err := even.HasLowerBound(0)
	above, otherErr := even.HasUpperBound(0)
	if below || above || err != nil || otherErr != nil {
		t.Errorf("even numbers are bounded: %v %v %v %v", below, above, err, otherErr)
	}
}

// A dimension that conditions on remainders mention has bounds where others give it some.
func TestBoundsWithRemainders(t *testing.T) {
	ctx := isl.NewContext()
	for text, want := range map[string][2]bool{
		"[n] -> { A[i] : i mod 2 = 0 and i >= 0 }":                   {true, false},
		"[n] -> { A[i] : i mod 2 = 1 and i <= n }":                   {false, true},
		"[n] -> { A[i] : exists e : i = 2e + 1 and 0 <= e <= n }":    {true, true},
		"[n] -> { A[i] : exists e, m : i = 3e and 0 <= e <= m }":     {true, false},
		"[n] -> { A[i] : exists e : 4e <= i <= 4e + 1 and 0 <= e }":  {true, false},
		"[n] -> { A[i] : exists e : 4e <= i <= 4e + 1 and 4e <= n }": {false, true},
	} {
		set := ctx.ReadSet(text)
		below, err := set.HasLowerBound(0)
		if err != nil {
			t.Fatal(err)
		}
		above, err := set.HasUpperBound(0)
		if err != nil || below != want[0] || above != want[1] {
			t.Errorf("%s: bounded below %v, above %v: %v", text, below, above, err)
		}
	}
}

func TestPoints(t *testing.T) {
	c := isl.NewContext()
	defer c.Close()
	for text, want := range map[string]int{
		"{ [i, j] : 0 <= i < 4 and i <= j < 4 and j mod 2 = 0 }": 4,
		"{ [i] : i >= 1 and i <= 3 or i >= 2 and i <= 7 }":       7,
		"{ [] }":          1,
		"{ [i] : 1 = 2 }": 0,
	} {
		points, err := c.ReadSet(text).Points(7)
		seen := map[string]bool{}
		for _, p := range points {
			seen[fmt.Sprint(p)] = true
		}
		if err != nil || len(points) != want || len(seen) != want {
			t.Errorf("%s: got %v %v, want %d points", text, points, err, want)
		}
	}
	if points, err := c.ReadSet("{ [i] : 0 <= i < 8 }").Points(7); err == nil {
		t.Errorf("no error for more points than the limit: %v", points)
	}
}

// A box has a corner that is affine in the element, and the same extents for all elements; there is
// none where what elements are related to has no largest number.
func TestFixedBox(t *testing.T) {
	ctx := newContext(t)
	corner, extents, ok, err := ctx.ReadMap("[n] -> { [a, b] -> [i, j] : 8a <= i < 8a + 10 and 0 <= i < n and j = b + 1 }").FixedBox()
	if err != nil || !ok || fmt.Sprint(extents) != "[10 1]" {
		t.Fatalf("got %v, %v, %v", extents, ok, err)
	}
	if same, err := corner.IsEqual(ctx.ReadMap("[n] -> { [a, b] -> [8a, b + 1] }")); !same || err != nil {
		t.Errorf("the corner is %s, %v", corner, err)
	}
	if _, _, ok, err := ctx.ReadMap("[n] -> { [a] -> [i] : 0 <= i < n }").FixedBox(); ok || err != nil {
		t.Errorf("no number of elements is known, got %v, %v", ok, err)
	}
}
