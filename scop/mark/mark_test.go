package mark_test

import (
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// Equal marks have one name, and others have others, whatever their texts are.
func TestTable(t *testing.T) {
	var table mark.Table
	of := func(c int64) mark.Mark {
		return mark.Threads{Loop: "c0.1", From: 9, Of: []scop.Row{{Parameters: []int64{c}}}}
	}
	first, other := table.Name(of(1)), table.Name(of(2))
	if first == other || first != table.Name(of(1)) || len(table) != 2 {
		t.Errorf("names %s and %s of %d marks", first, other, len(table))
	}
	if m, err := table.At(other); err != nil || m.(mark.Threads).Of[0].Parameters[0] != 2 {
		t.Errorf("got %v, %v", m, err)
	}
	for _, name := range []string{"", "m", "m2", "m-1", "mx", "parallel c0.1"} {
		if m, err := table.At(name); err == nil || m != nil {
			t.Errorf("%q is %v", name, m)
		}
	}
}

// strange is a mark of a kind that nobody knows.
type strange struct{ mark.Mark }

// The proof refuses marks that are in no table and those of kinds that it does not know, and takes
// hints.
func TestUnknownMarks(t *testing.T) {
	g := kerneltest.Graph(t, "polybench/trmm")
	lines := g.Model.Program
	if len(lines.Statements) != 2 {
		t.Fatal("trmm has other statements")
	}
	tree := func(name string) *isl.Schedule {
		return g.Model.Context.ReadSchedule(`domain: "[M, N] -> { S0[i, j, k] : 0 <= i < M and 0 <= j < N and i < k < M; S1[i, j] : 0 <= i < M and 0 <= j < N }"
child:
  mark: "` + name + `"
  child:
    schedule: "[M, N] -> [{ S0[i, j, k] -> [i]; S1[i, j] -> [i] }, { S0[i, j, k] -> [j]; S1[i, j] -> [j] }, { S0[i, j, k] -> [k]; S1[i, j] -> [M] }]"
`)
	}
	for name, marks := range map[string]mark.Table{
		`that nobody knows`:                    nil,
		`nothing proves what the mark "dance"`: {strange{mark.Dynamic{Loop: "c0.1"}}},
		``:                                     {mark.Dynamic{Loop: "c0.1"}},
	} {
		err := g.Check(mark.Schedule{Tree: tree("m0"), Marks: &marks})
		if name == "" && err != nil || name != "" && (err == nil || !strings.Contains(err.Error(), name)) {
			t.Errorf("%q: got %v", name, err)
		}
	}
}

// String is the kind's.
func (strange) String() string { return "dance" }
