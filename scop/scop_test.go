package scop

import (
	"fmt"
	"strings"
	"testing"

	"polytune/isl"
)

// example is
//
//	for (i = 0; i < N; i++) {
//	  x[i] = 0;
//	  for (j = i; j >= 0; j--)
//	    x[i] += s * A[i][j];
//	}
func example() *Program {
	loops := []Loop{{Iterator: "i"}, {Iterator: "j", Descending: true}}
	return &Program{
		Name: "example", Parameters: []string{"N"}, Context: "[N] -> { : N >= 1 }",
		Function: Function{Name: "f", Static: true, Arguments: []Argument{
			{Name: "N", Type: "int", Role: Size},
			{Name: "s", Type: "double", Role: Scalar},
			{Name: "A", Type: "double", Role: Pointer, Extents: []string{"N", "N + 1"}},
			{Name: "x", Type: "double", Role: Pointer, Extents: []string{"N"}},
		}},
		Arrays: []Array{
			{Name: "x", Type: "double", Size: 8, Extents: []string{"N"}, Argument: true},
			{Name: "s", Type: "double", Size: 8, Argument: true},
			{Name: "A", Type: "double", Size: 8, Extents: []string{"N", "N + 1"}, Argument: true},
		},
		Statements: []Statement{
			{
				Name: "S0", Source: "x[i] = 0;", Uses: []Use{{Offset: 2, Loop: 0, Subscript: true}}, Loops: loops[:1], Position: []int{0, 0}, Line: 2, Column: 3,
				Domain:   "[N] -> { S0[i] : 0 <= i < N }",
				Accesses: []Access{{Array: "x", Write: true, Relation: "[N] -> { S0[i] -> x[i] }"}},
			},
			{
				Name: "S1", Source: "x[i] += s * A[i][j];", Uses: []Use{{Offset: 2, Loop: 0, Subscript: true}, {Offset: 14, Loop: 0, Subscript: true}, {Offset: 17, Loop: 1, Subscript: true}}, Loops: loops, Position: []int{0, 1, 0}, Line: 4, Column: 5,
				Domain: "[N] -> { S1[i, j] : 0 <= j <= i < N }",
				Accesses: []Access{
					{Array: "x", Read: true, Write: true, Relation: "[N] -> { S1[i, j] -> x[i] }"},
					{Array: "s", Read: true, Relation: "[N] -> { S1[i, j] -> s[] }"},
					{Array: "A", Read: true, May: true, Relation: "[N] -> { S1[i, j] -> A[i, j] }"},
				},
			},
		},
	}
}

const exampleText = `program example
function static f(int N, double s, double A[N][N + 1], double x[N])
parameters N
context [N] -> { : N >= 1 }
array double x[N] size 8 argument
array double s size 8 argument
array double A[N][N + 1] size 8 argument
statement S0 at 2:3 position [0 0]
  source "x[i] = 0;" uses [2:i]
  loop i up
  domain [N] -> { S0[i] : 0 <= i < N }
  write [N] -> { S0[i] -> x[i] }
statement S1 at 4:5 position [0 1 0]
  source "x[i] += s * A[i][j];" uses [2:i 14:i 17:j]
  loop i up
  loop j down
  domain [N] -> { S1[i, j] : 0 <= j <= i < N }
  update [N] -> { S1[i, j] -> x[i] }
  read [N] -> { S1[i, j] -> s[] }
  may read [N] -> { S1[i, j] -> A[i, j] }
`

func TestText(t *testing.T) {
	if got := example().String(); got != exampleText {
		t.Errorf("got\n%s", got)
	}
	local := Array{Name: "t", Type: "float", Size: 4, Local: true}
	if got := local.String(); got != "float t size 4 local" {
		t.Errorf("got %q", got)
	}
}

func TestCounts(t *testing.T) {
	p := example()
	if loops, references := p.LoopCount(), p.ReferenceCount(); loops != 2 || references != 4 {
		t.Errorf("%d loops, %d references", loops, references)
	}
	first, second := &p.Statements[0], &p.Statements[1]
	if !first.Before(second) || second.Before(first) || first.Before(first) || first.CommonLoops(second) != 1 || second.CommonLoops(second) != 2 {
		t.Error("the textual order of the statements is wrong")
	}
	if p.Array("A") != &p.Arrays[2] || p.Array("B") != nil {
		t.Error("arrays are not found by their names")
	}
}

func TestModel(t *testing.T) {
	context := isl.NewContext()
	defer context.Close()
	m, err := example().Model(context)
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []string{
		"{ S0[i] -> [0, i, 0] }",
		"{ S1[i, j] -> [0, i, 1, -j, 0] }",
	} {
		if equal, err := m.Statements[k].Schedule.IsEqual(context.ReadMap(want)); err != nil || !equal {
			t.Errorf("the schedule is %s (%v), want %s", m.Statements[k].Schedule, err, want)
		}
	}
	domain := context.ReadUnionSet("[N] -> { S0[i] : 0 <= i < N; S1[i, j] : 0 <= j <= i < N }")
	if equal, err := m.Domain().IsEqual(domain); err != nil || !equal {
		t.Errorf("the domain is %s (%v)", m.Domain(), err)
	}
	access := context.ReadMap("[N] -> { S1[i, j] -> A[i, j] : 0 <= j <= i < N }")
	if equal, err := m.Statement("S1").Accesses[2].IsEqual(access); err != nil || !equal {
		t.Errorf("the access is %s (%v)", m.Statement("S1").Accesses[2], err)
	}
	if m.Statement("S2") != nil {
		t.Error("there is a statement S2")
	}
}

// The context limits the domains.
func TestModelContext(t *testing.T) {
	p := example()
	p.Context = "[N] -> { : N = 2 }"
	context := isl.NewContext()
	defer context.Close()
	m, err := p.Model(context)
	if err != nil {
		t.Fatal(err)
	}
	if equal, err := m.Statements[0].Domain.IsEqual(context.ReadSet("[N] -> { S0[i] : N = 2 and 0 <= i <= 1 }")); err != nil || !equal {
		t.Errorf("the domain is %s (%v)", m.Statements[0].Domain, err)
	}
}

func TestModelError(t *testing.T) {
	p := example()
	p.Statements[1].Domain = "[N] -> { S1[i, j] : 0 <= "
	context := isl.NewContext()
	defer context.Close()
	if _, err := p.Model(context); err == nil || !strings.HasPrefix(err.Error(), "the model of example: isl: ") {
		t.Errorf("got %v", err)
	}
}

func TestBytes(t *testing.T) {
	for _, test := range []struct {
		extents []string
		values  map[string]int
		want    int64
		error   string
	}{
		{[]string{"N", "N + 1"}, map[string]int{"N": 10}, 8*110 + 80, ""},
		{[]string{"2 * N - M", "(N + 2) / 2"}, map[string]int{"N": 10, "M": 3}, 8*17*6 + 80, ""},
		{[]string{"7"}, map[string]int{"N": 10}, 56 + 80, ""},
		{[]string{"7"}, nil, 0, `the extent "N" of x`},
		{[]string{"(N + 1) / 2"}, map[string]int{"N": 10}, 8*5 + 80, ""},
		{[]string{"-(3 - N) % 4 * 2u", "min(N, max(2, 0x3))"}, map[string]int{"N": 10}, 8*6*3 + 80, ""},
		{[]string{"and - or + 1"}, map[string]int{"N": 10, "and": 3, "or": 2}, 8*2 + 80, ""},
		{[]string{"N / (N - 10)"}, map[string]int{"N": 10}, 0, "it divides by zero"},
		{[]string{"9999^999999999999999"}, map[string]int{"N": 10}, 0, `"^999999999999999" is not understood there`},
		{[]string{"(N"}, map[string]int{"N": 10}, 0, "a ) is missing"},
		{[]string{"N *"}, map[string]int{"N": 10}, 0, "a value is missing"},
		{[]string{"min(N)"}, map[string]int{"N": 10}, 0, "min has two arguments"},
		{[]string{"N", "99999999999999999999"}, map[string]int{"N": 10}, 0, "would need"},
		{[]string{"N - 20"}, map[string]int{"N": 10}, 80, ""},
		{[]string{"N", "Q"}, map[string]int{"N": 10}, 0, `the extent "Q" of A`},
		{[]string{"", "N"}, map[string]int{"N": 10}, 0, `the extent "" of A`},
		{[]string{"N * N * N"}, map[string]int{"N": 10}, 8*1000 + 80, ""},
	} {
		p := example()
		p.Function.Arguments[2].Extents = test.extents
		got, err := p.Function.Bytes(p, test.values)
		if test.error == "" && (err != nil || got != test.want) || test.error != "" && (err == nil || !strings.Contains(err.Error(), test.error)) {
			t.Errorf("%q with %v: %d, %v, want %d, %q", test.extents, test.values, got, err, test.want, test.error)
		}
	}
}

// Domains that are written in many pieces are joined, because the work of all
// that follows grows with the square of their number.
func TestModelJoinsPieces(t *testing.T) {
	conditions := "0 <= i < n"
	for k := range 10 {
		conditions += fmt.Sprintf(" and (i < %d or i > %d or n > %d)", k, k, k)
	}
	p := &Program{Context: "[n] -> { : }", Statements: []Statement{{
		Name: "S0", Loops: []Loop{{Iterator: "i"}}, Position: []int{0, 0}, Domain: "[n] -> { S0[i] : " + conditions + " }",
		Accesses: []Access{{Array: "a", Write: true, Relation: "[n] -> { S0[i] -> a[i] : " + conditions + " }"}},
	}}}
	c := isl.NewContext()
	defer c.Close()
	m, err := p.Model(c)
	if err != nil {
		t.Fatal(err)
	}
	s := m.Statements[0]
	if sets, maps := len(s.Domain.BasicSets()), len(s.Accesses[0].BasicMaps()); sets > 2 || maps > 2 {
		t.Errorf("%d pieces of the domain, %d of the access", sets, maps)
	}
}
