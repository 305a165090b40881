package depend

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"polytune/internal/marktest"
	"polytune/scop"
)

// total is S0: x[0] = 0; for i S1: x[0] += a[i]; S2: b[0] = x[0], with updates
// in any order.
func total() *scop.Program {
	statement := func(name string, position []int, accesses ...scop.Access) scop.Statement {
		return scop.Statement{Name: name, Position: position, Domain: "[N] -> { " + name + "[] : N >= 1 }", Accesses: accesses}
	}
	s1 := statement("S1", []int{1, 0},
		scop.Access{Array: "x", Read: true, Write: true, Relation: "{ S1[i] -> x[0] }"},
		scop.Access{Array: "a", Read: true, Relation: "{ S1[i] -> a[i] }"})
	s1.Loops, s1.Domain = []scop.Loop{{Iterator: "i"}}, "[N] -> { S1[i] : 0 <= i < N }"
	s1.Reduction = &scop.Reduction{Operator: scop.Sum, Array: "x", Accesses: []int{0}}
	return &scop.Program{
		Name: "total", Parameters: []string{"N"}, Context: "[N] -> { : }", Reassociate: true,
		Arrays: []scop.Array{{Name: "x"}, {Name: "a"}, {Name: "b"}},
		Statements: []scop.Statement{
			statement("S0", []int{0}, scop.Access{Array: "x", Write: true, Relation: "{ S0[] -> x[0] }"}),
			s1,
			statement("S2", []int{2},
				scop.Access{Array: "b", Write: true, Relation: "{ S2[] -> b[0] }"},
				scop.Access{Array: "x", Read: true, Relation: "{ S2[] -> x[0] }"}),
		},
	}
}

// Every update comes after the initialisation and before the use, not the first
// and the last one alone, and no update after another.
func TestRelaxedDependences(t *testing.T) {
	g := analyze(t, total())
	all := map[string]string{
		"S0 S1": "[N] -> { S0[] -> S1[i] : 0 <= i < N }",
		"S1 S2": "[N] -> { S1[i] -> S2[] : 0 <= i < N }",
		"S0 S2": "[N] -> { S0[] -> S2[] : N >= 1 }",
	}
	for _, d := range g.Pairs() {
		ends := fmt.Sprintf("S%d S%d", d.Source, d.Target)
		want, known := all[ends]
		if !known {
			t.Errorf("dependence %s", d.Relation)
			continue
		}
		delete(all, ends)
		if same, err := d.Relation.IsEqual(g.Model.Context.ReadMap(want)); err != nil || !same {
			t.Errorf("%s: got %s, want %s, %v", ends, d.Relation, want, err)
		}
	}
	if len(all) > 0 {
		t.Errorf("missing: %v", all)
	}
	order := g.Model.Context.ReadMap("[N] -> { S1[i] -> S1[j] : 0 <= i < j < N }")
	if len(g.Relaxed) != 3 {
		t.Errorf("%d relaxed dependences, want those of three kinds", len(g.Relaxed))
	}
	for _, d := range g.Relaxed {
		if same, err := d.Relation.IsEqual(order); err != nil || !same || *d.Relaxed != (scop.Clause{Operator: scop.Sum, Array: "x"}) {
			t.Errorf("relaxed: %s for %s, %v", d.Relation, d.Relaxed, err)
		}
	}
	p := total()
	p.Reassociate = false
	if g := analyze(t, p); len(g.Relaxed) > 0 {
		t.Error("dependences are relaxed without leave")
	}
}

// A second statement that updates by another operator, or that is no reduction,
// keeps its order.
func TestRelaxedBetweenStatements(t *testing.T) {
	for _, test := range []struct {
		name    string
		change  func(*scop.Statement)
		relaxed bool
	}{
		{"the same operator", func(*scop.Statement) {}, true},
		{"another operator", func(s *scop.Statement) { s.Reduction.Operator = scop.Maximum }, false},
		{"no reduction", func(s *scop.Statement) { s.Reduction = nil }, false},
		{"a read besides", func(s *scop.Statement) {
			s.Accesses = append(s.Accesses, scop.Access{Array: "x", Read: true, Relation: "{ S2[j] -> x[0] }"})
		}, false},
	} {
		p := total()
		second := p.Statements[1]
		second.Name, second.Position, second.Domain = "S2", []int{2, 0}, "[N] -> { S2[j] : 0 <= j < N }"
		second.Accesses = []scop.Access{{Array: "x", Read: true, Write: true, Relation: "{ S2[j] -> x[0] }"}}
		reduction := *second.Reduction
		second.Reduction = &reduction
		test.change(&second)
		p.Statements[2] = second
		g := analyze(t, p)
		ordered := false
		for _, d := range g.Dependences {
			ordered = ordered || d.Source == 1 && d.Target == 2
		}
		if ordered == test.relaxed {
			t.Errorf("%s: ordered is %v", test.name, ordered)
		}
	}
}

func TestCheckReductions(t *testing.T) {
	const (
		domain = "domain: \"[N] -> { S0[] : N >= 1; S1[i] : 0 <= i < N; S2[] : N >= 1 }\"\n"
		s0, s2 = `{ filter: "{ S0[] }" }`, `{ filter: "{ S2[] }" }`
	)
	sequence := func(parts ...string) string {
		return "child: { sequence: [ " + strings.Join(parts, ", ") + " ] }"
	}
	loop := func(mark, value string) string {
		band := `schedule: "[{ S1[i] -> [` + value + `] }]"`
		if mark != "" {
			band = `mark: "` + mark + `", child: { ` + band + ` }`
		}
		return `{ filter: "{ S1[i] }", child: { ` + band + ` } }`
	}
	together := func(mark string) string {
		return `child: { mark: "` + mark + `", child: { schedule: "[{ S0[] -> [-1]; S1[i] -> [i]; S2[] -> [N] }]" } }`
	}
	for _, test := range []struct{ name, tree, message string }{
		{"in order", sequence(s0, loop("", "i"), s2), ""},
		{"backwards", sequence(s0, loop("", "-i"), s2), ""},
		{"at one time", sequence(s0, loop("", "0"), s2), "at the same time"},
		{"use in between", sequence(s0, s2, loop("", "i")), "illegal schedule"},
		{"initialised too late", sequence(loop("", "i"), s0, s2), "illegal schedule"},
		{"use after half of the updates", `child: { schedule: "[{ S0[] -> [0]; S1[i] -> [i]; S2[] -> [5] }]" }`, "illegal schedule"},
		{"parallel without a clause", sequence(s0, loop("parallel c", "i"), s2), "needs reduction(+:x)"},
		{"vector without a clause", sequence(s0, loop("vector c", "i"), s2), "needs reduction(+:x)"},
		{"parallel", sequence(s0, loop("parallel c reduction(+:x)", "i"), s2), ""},
		{"vector", sequence(s0, loop("vector c reduction(+:x)", "-i"), s2), ""},
		{"another operator", sequence(s0, loop("parallel c reduction(max:x)", "i"), s2), "does something else"},
		{"another array", sequence(s0, loop("parallel c reduction(+:a)", "i"), s2), "does something else"},
		{"with the use inside", together("parallel c reduction(+:x)"), "carries it"},
	} {
		g := analyze(t, total())
		err := g.Check(marktest.Read(t, g.Model.Context, strings.ReplaceAll(domain+test.tree, `"[{`, `"[N] -> [{`)))
		if test.message == "" && err != nil || test.message != "" && (err == nil || !strings.Contains(err.Error(), test.message)) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.message)
		}
	}
}

// columns is for i for j S0: x[c] += a[i][j]; S1: reads another element of x when
// read is given.
func columns(subscript, read string) *scop.Program {
	loops := []scop.Loop{{Iterator: "i"}, {Iterator: "j"}}
	p := &scop.Program{
		Name: "columns", Parameters: []string{"N"}, Context: "[N] -> { : }", Reassociate: true,
		Arrays: []scop.Array{{Name: "x", Extents: []string{"N"}}, {Name: "b"}},
		Statements: []scop.Statement{{
			Name: "S0", Loops: loops, Position: []int{0, 0, 0}, Domain: "[N] -> { S0[i, j] : 0 <= i, j < N }",
			Accesses:  []scop.Access{{Array: "x", Read: true, Write: true, Relation: "{ S0[i, j] -> x[" + subscript + "] }"}},
			Reduction: &scop.Reduction{Operator: scop.Sum, Array: "x", Accesses: []int{0}},
		}},
	}
	if read != "" {
		p.Statements = append(p.Statements, scop.Statement{
			Name: "S1", Loops: loops, Position: []int{0, 0, 1}, Domain: "[N] -> { S1[i, j] : 0 <= i, j < N }",
			Accesses: []scop.Access{{Array: "b", Write: true, Relation: "{ S1[i, j] -> b[i, j] }"},
				{Array: "x", Read: true, Relation: "[N] -> { S1[i, j] -> x[" + read + "] }"}},
		})
	}
	return p
}

// Lanes share an element; threads have copies of the whole array, of which
// nobody reads.
func TestCheckArrays(t *testing.T) {
	for _, test := range []struct{ name, subscript, read, mark, outer, inner, message string }{
		{"threads over rows", "j", "", "parallel c reduction(+:x)", "", "i", ""},
		{"no clause where nothing is carried", "i", "", "parallel c", "", "i", ""},
		{"lanes along a row", "i", "", "vector c reduction(+:x)", "i", "j", ""},
		{"lanes over different elements", "i + j", "", "vector c reduction(+:x)", "0", "j", "update different elements"},
		{"lanes of different elements that are never the same", "j", "", "vector c reduction(+:x)", "i", "j", "update different elements"},
		{"an element nobody updates is read", "j", "j + N", "parallel c reduction(+:x)", "", "i", "S1 does something else with it"},
	} {
		g := analyze(t, columns(test.subscript, test.read))
		band := func(value string) string {
			statements := "S0[i, j] -> [" + value + "]"
			if test.read != "" {
				statements += "; S1[i, j] -> [" + value + "]"
			}
			return `schedule: "[N] -> [{ ` + statements + ` }]"`
		}
		rest := `, child: { ` + band("i + j") + `, child: { ` + band("j") + ` } }`
		if test.read != "" {
			rest = `, child: { ` + band("j") + `, child: { sequence: [ { filter: "{ S0[i, j] }" }, { filter: "{ S1[i, j] }" } ] } }`
		}
		if strings.HasPrefix(test.mark, "vector") {
			rest = ""
		}
		tree := `child: { mark: "` + test.mark + `", child: { ` + band(test.inner) + rest + ` } }`
		if test.outer != "" {
			tree = `child: { ` + band(test.outer) + `, ` + tree + ` }`
		}
		instances := "S0[i, j] : 0 <= i, j < N"
		if test.read != "" {
			instances += "; S1[i, j] : 0 <= i, j < N"
		}
		err := g.CheckPrefix(marktest.Read(t, g.Model.Context, "domain: \"[N] -> { "+instances+" }\"\n"+tree))
		if test.message == "" && err != nil || test.message != "" && (err == nil || !strings.Contains(err.Error(), test.message)) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.message)
		}
	}
}

// A violation of a missing clause names the loop's dependence.
func TestMissingClauseIsViolation(t *testing.T) {
	g := analyze(t, columns("j", ""))
	err := g.CheckPrefix(marktest.Read(t, g.Model.Context, "domain: \"[N] -> { S0[i, j] : 0 <= i, j < N }\"\nchild: { mark: \"parallel c\", child: { schedule: \"[N] -> [{ S0[i, j] -> [i] }]\" } }"))
	var violation *Violation
	if !errors.As(err, &violation) || violation.Source != "S0" {
		t.Errorf("got %v, want a violation", err)
	}
}

// Pieces of statements keep what is relaxed.
func TestCutReductions(t *testing.T) {
	g := analyze(t, columns("j", ""))
	again, err := g.Cut(g.Model)
	if err != nil || len(again.Relaxed) != len(g.Relaxed) || len(again.Dependences) != len(g.Dependences) {
		t.Errorf("%d relaxed and %d others, want %d and %d; %v", len(again.Relaxed), len(again.Dependences), len(g.Relaxed), len(g.Dependences), err)
	}
	order := g.Model.Context.ReadMap("[N] -> { S0[i, j] -> S0[k, j] : 0 <= i < k < N and 0 <= j < N }")
	for _, d := range again.Relaxed {
		if same, err := d.Relation.IsSubset(order); err != nil || !same {
			t.Errorf("%s, %v", d.Relation, err)
		}
	}
}
