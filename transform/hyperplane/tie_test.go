package hyperplane

import (
	"maps"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule"
	"polytune/scop/depend"
)

// On a ring the smallest rows of all are mirrored ones: the search for those
// alone finds the same, but for constant shifts.
func TestMirroredRows(t *testing.T) {
	for _, name := range []string{"plutoplus/heat-1dp", "plutoplus/heat-2dp", "plutoplus/lbm-ldc-d2q9"} {
		g := kerneltest.Split(t, name)
		p := &Finder{Program: g.Model, Model: PlutoPlus}
		q := Question{Found: map[int][][]int64{}, Active: depend.Distinct(g.Dependences)}
		for s := range g.Model.Statements {
			q.Statements = append(q.Statements, s)
		}
		if images := mirrors(g.Model, q.Statements); len(images) != len(q.Statements)-1 {
			t.Fatalf("%s: %d mirror images among %d pieces", name, len(images), len(q.Statements))
		}
		last := stage{model: PlutoPlus, treatment: bounded, box: box{DefaultCoefficientBound, unlimitedValue, unlimitedValue}}
		tied := last
		tied.tied = true
		for range g.Model.Statements[0].Depth() {
			want, err := p.search(q, last)
			if err != nil {
				t.Fatal(err)
			}
			got, err := p.search(q, tied)
			if err != nil {
				t.Fatal(err)
			}
			if len(want.rows) == 0 || !sameRows(withoutConstants(got.rows), withoutConstants(want.rows)) {
				t.Errorf("%s: mirrored rows are %v, the smallest %v", name, got.rows, want.rows)
			}
			for s, row := range got.rows {
				q.Found[s] = append(q.Found[s], row.Iterators)
			}
		}
	}
}

func withoutConstants(rows map[int]schedule.Row) map[int]schedule.Row {
	rows = maps.Clone(rows)
	for s, row := range rows {
		row.Constant = 0
		rows[s] = row
	}
	return rows
}
