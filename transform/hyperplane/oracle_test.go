package hyperplane

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
)

// oracleBox is so small that all rows in it can be tried.
var oracleBox = box{coefficient: 1, shift: 2, parametric: 1}

// mostDistance bounds u and w in the oracle.
const mostDistance = 3

// The solution of a hyperplane program is the smallest of all rows in the box,
// in the order of the objective (19), that are legal, have the bounded
// distances, and are independent of those found: found by trying all.
func TestHyperplaneOracle(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	solved, reversed, far := 0, 0, 0
	for trial := range 60 {
		g := graphOf(t, randomRegion(random))
		if len(g.Dependences) == 0 {
			continue
		}
		statements := make([]int, len(g.Model.Statements))
		for s := range statements {
			statements[s] = s
		}
		q := Question{Statements: statements, Found: map[int][][]int64{}, Active: depend.Distinct(g.Dependences)}
		if trial%2 == 1 {
			for _, s := range statements {
				q.Found[s] = [][]int64{unitRow(g.Model.Statements[s].Depth(), random.IntN(2))}
			}
		}
		p := &Finder{Program: g.Model, Model: PlutoPlus}
		found, err := p.search(q, stage{model: PlutoPlus, treatment: bounded, box: oracleBox})
		if err != nil {
			t.Fatal(err)
		}
		got := found.rows
		if isFar(t, p, q) {
			far++
		}
		want, distance := smallestRows(t, g, q)
		if want == nil {
			if got != nil && withinDistance(t, q, got, []int64{mostDistance, mostDistance}) {
				t.Fatalf("%s: got %v where trying all finds nothing", sources(g.Model), got)
			}
			continue
		}
		solved++
		if !sameRows(got, want) {
			t.Fatalf("%s: got %v, want %v with distance %v", sources(g.Model), got, want, distance)
		}
		for _, row := range got {
			if slices.ContainsFunc(row.Iterators, func(c int64) bool { return c < 0 }) {
				reversed++
			}
		}
	}
	if solved < 20 || reversed < 5 || far < 5 {
		t.Errorf("only %d programs have a solution, %d rows with negative coefficients, %d only far ones", solved, reversed, far)
	}
}

// isFar says whether the program without distances shows that there are no short
// ones, and makes sure that there are none then.
func isFar(t *testing.T, p *Finder, q Question) bool {
	none, err := p.search(q, stage{model: PlutoPlus, treatment: zero, box: oracleBox})
	if err != nil {
		t.Fatal(err)
	}
	near, err := p.search(q, stage{model: PlutoPlus, treatment: short, box: oracleBox})
	if err != nil {
		t.Fatal(err)
	}
	if none.far && (none.rows != nil || near.rows != nil) {
		t.Fatalf("%s: rows %v or %v with short distances where there are said to be none", sources(p.Program), none.rows, near.rows)
	}
	return none.far
}

// graphOf is the dependence graph of a region over some arrays.
func graphOf(t *testing.T, region string) *depend.Graph {
	t.Helper()
	source := "void f(int N, double a[N], double b[N], double c[N], double A[N + 1][N + 1])\n{\n#pragma scop\n" + region + "\n#pragma endscop\n}\n"
	file, err := kerneltest.Parse("region.c", source, "region")
	if err != nil {
		t.Fatal(err)
	}
	return kerneltest.Analyze(t, file.Regions[0].Program)
}

// randomRegion is a nest of one statement, which may add up into one element, or two loops one
// after the other, with random offsets and directions of the accesses.
func randomRegion(random *rand.Rand) string {
	offset := func() int { return random.IntN(3) - 1 }
	switch random.IntN(5) {
	case 0:
		return fmt.Sprintf("for (int i = 1; i < N - 1; i++) for (int j = 1; j < N - 1; j++) a[0] = 0.5 * a[0] + A[i + %d][j + %d];", offset(), offset())
	case 1, 2:
		return fmt.Sprintf("for (int i = 1; i < N - 1; i++) for (int j = 1; j < N - 1; j++) A[i + %d][j + %d] = 0.5 * A[i + %d][j + %d];",
			offset(), offset(), offset(), offset())
	}
	subscript := [...]string{"i", "N - 1 - i", "i - 1"}[random.IntN(3)]
	return fmt.Sprintf("for (int i = 1; i < N - 1; i++) b[i] = 0.5 * a[i + %d];\nfor (int i = 1; i < N - 1; i++) c[i] = b[%s] + c[i + %d];",
		offset(), subscript, offset())
}

func unitRow(depth, k int) []int64 {
	row := make([]int64, depth)
	row[k%depth] = 1
	return row
}

func sources(m *scop.Model) string {
	text := ""
	for _, s := range m.Statements {
		text += s.Source + " "
	}
	return text
}

// smallestRows tries all rows of the box.
func smallestRows(t *testing.T, g *depend.Graph, q Question) (best map[int]schedule.Row, distance []int64) {
	t.Helper()
	var bestKey []int64
	choices := map[int][]schedule.Row{}
	for _, s := range q.Statements {
		choices[s] = allRows(g.Model, s, q.Found[s])
	}
	var try func(k int, rows map[int]schedule.Row)
	try = func(k int, rows map[int]schedule.Row) {
		if k < len(q.Statements) {
			for _, row := range choices[q.Statements[k]] {
				rows[q.Statements[k]] = row
				try(k+1, rows)
			}
			return
		}
		if !isLegal(t, q, rows) {
			return
		}
		for u := int64(0); u <= mostDistance; u++ {
			for w := int64(0); w <= mostDistance; w++ {
				key := []int64{u, w}
				for _, s := range q.Statements {
					key = append(key, objective(rows[s])...)
				}
				if (bestKey == nil || slices.Compare(key, bestKey) < 0) && withinDistance(t, q, rows, []int64{u, w}) {
					bestKey, distance, best = key, []int64{u, w}, map[int]schedule.Row{}
					for s, row := range rows {
						best[s] = row
					}
				}
			}
		}
	}
	try(0, map[int]schedule.Row{})
	return best, distance
}

// allRows are the rows of the box that are independent of those found, or all
// rows when these are complete.
func allRows(m *scop.Model, s int, found [][]int64) (list []schedule.Row) {
	depth := m.Statements[s].Depth()
	needed := min(scop.Rank(found, depth)+1, depth)
	total := 1
	for range depth {
		total *= 3
	}
	for number := range total {
		row := make([]int64, depth)
		for k, rest := 0, number; k < depth; k, rest = k+1, rest/3 {
			row[k] = int64(rest%3) - 1
		}
		if scop.Rank(append(slices.Clip(found), row), depth) < needed {
			continue
		}
		for d := range oracleBox.parametric + 1 {
			for c0 := range oracleBox.shift + 1 {
				list = append(list, schedule.Row{Iterators: row, Parameters: []int64{d}, Constant: c0})
			}
		}
	}
	return list
}

// objective is the part of (19) of one statement.
func objective(row schedule.Row) []int64 {
	key := []int64{0}
	for _, c := range row.Iterators {
		key[0] += max(c, -c)
		key = append(key, -c)
	}
	return append(append(key, row.Parameters...), row.Constant)
}

// isLegal says whether no dependence goes backwards along the rows (10).
func isLegal(t *testing.T, q Question, rows map[int]schedule.Row) bool {
	t.Helper()
	return !slices.ContainsFunc(q.Active, func(d *depend.Dependence) bool {
		cone, err := d.Cone()
		if err != nil {
			t.Fatal(err)
		}
		return !cone.Contains(d.Distance(rows[d.Source], rows[d.Target], 1, 0))
	})
}

// withinDistance says whether all distances are at most u·N + w (11).
func withinDistance(t *testing.T, q Question, rows map[int]schedule.Row, bound []int64) bool {
	t.Helper()
	return !slices.ContainsFunc(q.Active, func(d *depend.Dependence) bool {
		cone, err := d.BoundingCone()
		if err != nil {
			t.Fatal(err)
		}
		form := d.Distance(rows[d.Source], rows[d.Target], -1, 0)
		form[0] += bound[1]
		form[1] += bound[0]
		return !cone.Contains(form)
	})
}

// sameRows says whether rows are equal but for a constant that all of them have
// in common.
func sameRows(a, b map[int]schedule.Row) bool {
	common, known := int64(0), false
	for s, row := range b {
		other := a[s]
		if !slices.Equal(row.Iterators, other.Iterators) || !slices.Equal(row.Parameters, other.Parameters) {
			return false
		}
		if difference := row.Constant - other.Constant; !known {
			common, known = difference, true
		} else if difference != common {
			return false
		}
	}
	return len(a) == len(b)
}
