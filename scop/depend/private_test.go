package depend

import (
	"strings"
	"testing"

	"polytune/internal/marktest"
	"polytune/isl"
	"polytune/scop"
)

// sums is for i { double sum; S0: sum = 0; for j S1: sum += A[i][j]; S2: B[i] = sum; }.
func sums() *scop.Program {
	i := []scop.Loop{{Iterator: "i"}}
	statement := func(name string, position []int, accesses ...scop.Access) scop.Statement {
		return scop.Statement{Name: name, Loops: i, Position: position,
			Domain: "[N] -> { " + name + "[i] : 0 <= i < N }", Accesses: accesses}
	}
	s1 := statement("S1", []int{0, 1, 0},
		scop.Access{Array: "sum", Read: true, Write: true, Relation: "{ S1[i, j] -> sum[] }"},
		scop.Access{Array: "A", Read: true, Relation: "{ S1[i, j] -> A[i, j] }"})
	s1.Loops, s1.Domain = append(i[:1:1], scop.Loop{Iterator: "j"}), "[N] -> { S1[i, j] : 0 <= i, j < N }"
	return &scop.Program{
		Name: "sums", Parameters: []string{"N"}, Context: "[N] -> { : }",
		Arrays: []scop.Array{{Name: "sum", Local: true}, {Name: "A"}, {Name: "B"}},
		Locals: []scop.Local{{Name: "sum", Declaration: "double sum", Loops: 1}},
		Statements: []scop.Statement{
			statement("S0", []int{0, 0}, scop.Access{Array: "sum", Write: true, Relation: "{ S0[i] -> sum[] }"}),
			s1,
			statement("S2", []int{0, 2},
				scop.Access{Array: "B", Write: true, Relation: "{ S2[i] -> B[i] }"},
				scop.Access{Array: "sum", Read: true, Relation: "{ S2[i] -> sum[] }"}),
		},
	}
}

// Iterations that have an object each do not depend on each other, but their
// statements stay together.
func TestPrivateDependences(t *testing.T) {
	g := analyze(t, sums())
	for _, d := range g.Dependences {
		carried := d.Relation.OrderLt(isl.DimIn, 0, isl.DimOut, 0)
		if empty, err := carried.IsEmpty(); err != nil || !empty {
			t.Errorf("%s of %d on %d: %s, %v", d.Kind, d.Target, d.Source, d.Relation, err)
		}
	}
	if got := g.Components(); len(got) != 1 {
		t.Errorf("components %v, want one", got)
	}
}

func TestCheckPrivate(t *testing.T) {
	const (
		domain   = "domain: \"[N] -> { S0[i] : 0 <= i < N; S1[i, j] : 0 <= i, j < N; S2[i] : 0 <= i < N }\"\n"
		sequence = `{ sequence: [ { filter: "{ S0[i] }" }, { filter: "{ S1[i, j] }", child: { schedule: "[{ S1[i, j] -> [j] }]" } }, { filter: "{ S2[i] }" } ] }`
	)
	loop := func(value string) string {
		return `"[{ S0[i] -> [` + value + `]; S1[i, j] -> [` + value + `]; S2[i] -> [` + value + `] }]"`
	}
	for _, test := range []struct{ name, tree, message string }{
		{"in its loop", `child: { schedule: ` + loop("i") + `, child: { mark: "private sum", child: ` + sequence + ` } }`, ""},
		{"in a parallel loop", `child: { mark: "parallel", child: { schedule: ` + loop("-i") + `, child: { mark: "private sum", child: ` + sequence + ` } } }`, ""},
		{"in tiles", `child: { schedule: ` + loop("floor(i/4)") + `, child: { schedule: ` + loop("i") + `, child: { mark: "private sum", child: ` + sequence + ` } } }`, ""},
		{"nowhere", `child: { schedule: ` + loop("i") + `, child: ` + sequence + ` }`, "are not together"},
		{"too far outside", `child: { mark: "private sum", child: { schedule: ` + loop("i") + `, child: ` + sequence + ` } }`, "of their own in the source share one"},
		{"between tiles", `child: { schedule: ` + loop("floor(i/4)") + `, child: { mark: "private sum", child: { schedule: ` + loop("i") + `, child: ` + sequence + ` } } }`, "of their own in the source share one"},
		{"too far inside", `child: { schedule: "[{ S0[i] -> [i]; S1[i, j] -> [i]; S2[i] -> [i] }, { S0[i] -> [-1]; S1[i, j] -> [j]; S2[i] -> [N] }]", child: { mark: "private sum", child: ` + strings.Replace(sequence, `, child: { schedule: "[{ S1[i, j] -> [j] }]" }`, "", 1) + ` } }`, "or the other way round"},
	} {
		g := analyze(t, sums())
		schedule := marktest.Read(t, g.Model.Context, strings.ReplaceAll(domain+test.tree, `"[{`, `"[N] -> [{`))
		err := g.Check(schedule)
		if test.message == "" && err != nil || test.message != "" && (err == nil || !strings.Contains(err.Error(), test.message)) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.message)
		}
	}
}

// A private variable that not all statements of its web access, or that
// iterations share less than its values do, is found out.
func TestSameFlow(t *testing.T) {
	p := sums()
	p.Locals, p.Arrays[0].Temporary = nil, true
	for _, test := range []struct {
		statements []int
		loops      int
		ok         bool
	}{{[]int{0, 1, 2}, 1, true}, {[]int{0, 1}, 1, false}, {[]int{2}, 1, false}, {[]int{0, 1, 2}, 0, true}, {[]int{1}, 2, false}} {
		m := analyze(t, p).Model
		list := []scop.Privatization{{Array: "sum", Name: "sum_1", Loops: test.loops, Statements: test.statements}}
		after, err := p.Privatize(list).Model(m.Context)
		if err != nil {
			t.Fatal(err)
		}
		if err := sameFlow(m, after, map[string][]string{"sum": {"sum_1"}}); (err == nil) != test.ok {
			t.Errorf("%v in %d loops: %v", test.statements, test.loops, err)
		}
	}
}

// An expanded array that is too small, that not all statements of its web
// access, or in which iterations share elements, is found out.
func TestCheckExpansion(t *testing.T) {
	p := sums()
	p.Locals, p.Arrays[0].Temporary = nil, true
	const right = "[N] -> { [(N)] : N >= 1; [(1)] : N <= 0 }"
	for _, test := range []struct {
		statements []int
		first      int64
		extent     string
		relation   string
		ok         bool
	}{
		{[]int{0, 1, 2}, 0, right, "", true},
		{[]int{0, 1, 2}, -4, "[N] -> { [(N + 4)] : N >= 1; [(1)] : N <= 0 }", "", true},
		{[]int{0, 1}, 0, right, "", false},
		{[]int{0, 1, 2}, 1, right, "", false},
		{[]int{0, 1, 2}, 0, "[N] -> { [(N - 1)] : N >= 2; [(1)] : N <= 1 }", "", false},
		{[]int{0, 1, 2}, 0, "[N] -> { [(7)] }", "", false},
		{[]int{0, 1, 2}, 0, right, "[N] -> { S0[i] -> sum_1[0] }", false},
	} {
		m := analyze(t, p).Model
		list := []scop.Expansion{{Privatization: scop.Privatization{Array: "sum", Name: "sum_1", Loops: 1, Statements: test.statements},
			First: []int64{test.first}, Extents: []string{test.extent}, Spelled: []string{"N"}}}
		relations := expandedRelations(m, list[0])
		if test.relation != "" {
			relations[0] = test.relation
		}
		if err := checkExpansion(m, p.Expand(list, [][]string{relations}, nil, scop.Room{Bytes: 1 << 30}), list); (err == nil) != test.ok {
			t.Errorf("%+v: %v", test, err)
		}
	}
}

// Copies that bring back too few values, or those of another iteration than the last, are found
// out.
func TestSameLastValues(t *testing.T) {
	p := sums()
	p.Locals = nil
	p.Arrays[0].Local, p.Arrays[0].Temporary, p.Arrays[0].Renamable = false, false, true
	e := scop.Expansion{Privatization: scop.Privatization{Array: "sum", Name: "sum_1", Loops: 1, Statements: []int{0, 1, 2}},
		First: []int64{0}, Extents: []string{"[N] -> { [(N)] : N >= 1; [(1)] : N <= 0 }"}, Spelled: []string{"N"}}
	for domain, ok := range map[string]bool{
		"[N] -> { S3[i] : i = N - 1 and N > 0 }": true,
		"[N] -> { S3[i] : 0 <= i < N }":          true,
		"[N] -> { S3[i] : i = 0 and N > 0 }":     false,
		"[N] -> { S3[i] : i = N - 1 and N > 1 }": false,
		"[N] -> { S3[i] : i = N - 1 }":           false,
		"[N] -> { S3[i] : i = N and N > 0 }":     false,
	} {
		m := analyze(t, p).Model
		copies := []scop.Statement{p.LastValues(e, 0, []string{"i"}, domain)}
		list := []scop.Expansion{e}
		if err := checkExpansion(m, p.Expand(list, [][]string{expandedRelations(m, e)}, copies, scop.Room{Bytes: 1 << 30}), list); (err == nil) != ok {
			t.Errorf("%s: %v", domain, err)
		}
	}
}
