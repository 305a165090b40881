package depend

import (
	"testing"

	"polytune/scop"
)

// What a row leaves of a dependence is the part at distance zero, whichever
// way it is found.
func TestUnsatisfied(t *testing.T) {
	g := analyze(t, seidel(false))
	row := func(time, space, constant int64) scop.Row {
		return scop.Row{Iterators: []int64{time, space}, Parameters: []int64{0}, Constant: constant}
	}
	for _, test := range []struct {
		source, target scop.Row
		distance       string
	}{
		{row(0, 0, 0), row(0, 0, 0), "true"},
		{row(0, 0, 0), row(0, 0, 1), "false"},
		{row(1, 0, 0), row(1, 0, 0), "t' = t"},
		{row(1, 0, 0), row(1, 0, 1), "t' + 1 = t"},
		{row(1, 1, 0), row(1, 1, 0), "t' + i' = t + i"},
		{row(0, 2, 0), row(1, 0, 0), "t' = 2 i"},
	} {
		where := g.Model.Context.ReadMap("[N] -> { S0[t, i] -> S0[t', i'] : " + test.distance + " }")
		for _, d := range g.Dependences {
			want := d.Relation.Intersect(where)
			got, err := g.Unsatisfied(d, test.source, test.target)
			if err != nil {
				t.Fatal(err)
			}
			empty, err := want.IsEmpty()
			if err != nil || empty != (got == nil) {
				t.Fatalf("%s of %s: got %v, want %s (%v)", test.distance, d.Relation, got, want, err)
			}
			if got == nil {
				continue
			}
			if equal, err := got.Relation.IsEqual(want); err != nil || !equal {
				t.Errorf("%s of %s: got %s, want %s (%v)", test.distance, d.Relation, got.Relation, want, err)
			}
		}
	}
}
