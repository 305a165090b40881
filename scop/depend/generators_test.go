package depend

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"polytune/isl"
)

func TestGenerators(t *testing.T) {
	for _, test := range []struct {
		name        string
		n           int
		rows        [][]int64
		lines, rays string
	}{
		{"everything", 2, nil, "[[1 0] [0 1]]", "[]"},
		{"half plane", 2, [][]int64{{1, 1}}, "[[-1 1]]", "[[1 0]]"},
		{"quadrant", 2, [][]int64{{1, 0}, {0, 1}}, "[]", "[[0 1] [1 0]]"},
		{"only the origin", 2, [][]int64{{1, 0}, {0, 1}, {-1, -1}}, "[]", "[]"},
		{"line", 2, [][]int64{{2, -1}, {-2, 1}}, "[[1 2]]", "[]"},
		{"redundant constraints", 2, [][]int64{{1, 0}, {1, 1}, {0, 1}, {2, 1}, {1, 0}}, "[]", "[[0 1] [1 0]]"},
		{"the cone over a square", 3, [][]int64{{0, 1, 0}, {0, 0, 1}, {3, -1, 0}, {3, 0, -1}, {1, 0, 0}}, "[]",
			"[[1 0 0] [1 0 3] [1 3 0] [1 3 3]]"},
	} {
		g, err := newGenerators(test.n, test.rows, fewGenerators)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		var rays [][]int64
		for _, r := range g.rays {
			rays = append(rays, r.vector)
		}
		slices.SortFunc(rays, slices.Compare)
		if lines := fmt.Sprint(g.lines); lines != test.lines || fmt.Sprint(rays) != test.rays {
			t.Errorf("%s: lines %s, rays %v, want %s, %s", test.name, lines, rays, test.lines, test.rays)
		}
	}
}

// Numbers that could overflow are refused.
func TestGeneratorsRefuse(t *testing.T) {
	many := slices.Repeat([][]int64{{1, 0, 0}}, maxConstraints+1)
	for name, rows := range map[string][][]int64{
		"a large entry":    {{1, maxEntry, 0}},
		"large generators": {{maxEntry - 1, -3, 0}, {5, maxEntry - 3, -7}, {1, -7, maxEntry - 11}},
		"many rows":        many,
	} {
		if _, err := newGenerators(3, rows, fewGenerators); !errors.Is(err, errLarge) {
			t.Errorf("%s: got error %v, want %v", name, err, errLarge)
		}
	}
}

// randomSet is text of a set of one basic set, with equalities, strides, bounds
// by a parameter, and directions without bounds.
func randomSet(random *rand.Rand) string {
	names := []string{"N", "i", "j", "k"}
	var conditions []string
	for range 2 + random.IntN(5) {
		var terms []string
		for _, name := range names {
			if c := random.IntN(7) - 3; c != 0 && random.IntN(3) > 0 {
				terms = append(terms, fmt.Sprintf("%d%s", c, name))
			}
		}
		terms = append(terms, fmt.Sprint(random.IntN(21)-7))
		expression, operator := strings.Join(terms, " + "), ">="
		switch random.IntN(8) {
		case 0:
			operator = "="
		case 1:
			expression = "(" + expression + ") mod 3"
			operator = "="
		}
		conditions = append(conditions, expression+" "+operator+" 0")
	}
	return "[N] -> { [i, j, k] : " + strings.Join(conditions, " and ") + " }"
}

// The coefficients allow all forms that those allow which isl finds by
// eliminating Farkas multipliers; isl tightens constraints less. And they allow
// no form that is negative at an integer point of the set. Where the parameter is
// taken not to be negative, they allow it as a form too.
func TestCoefficients(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	empty, lines, points := 0, 0, 0
	for range 500 {
		ctx := isl.NewContext()
		text := randomSet(random)
		whole := ctx.ReadSet(text)
		sets := whole.BasicSets()
		limited := whole.IntersectParams(ctx.ReadSet("[N] -> { : N >= 0 }")).BasicSets()
		nonNegative := 0
		if len(sets) == 1 && len(limited) == 1 && random.IntN(2) == 0 {
			nonNegative = 1
		}
		for k, set := range sets {
			equalities, inequalities, err := coefficients(set, nonNegative, Symbols{}, 0)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			n := 1 + set.Lift().Dim(isl.DimParam) + set.Lift().Dim(isl.DimSet)
			fewerEqualities, fewerInequalities, err := set.Lift().Coefficients().Constraints()
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			got := ctx.BasicSetFromConstraints(n, homogeneous(equalities), homogeneous(inequalities)).ToSet()
			fewer := ctx.BasicSetFromConstraints(n, fewerEqualities, fewerInequalities).ToSet()
			if all, err := fewer.IsSubset(got); err != nil || !all {
				t.Errorf("%s: got %s, but isl finds %s (%v)", text, got, fewer, err)
			}
			if nonNegative == 1 {
				set = limited[k]
				if slices.ContainsFunc(inequalities, func(row []int64) bool { return row[1] < 0 }) || slices.ContainsFunc(equalities, func(row []int64) bool { return row[1] != 0 }) {
					t.Errorf("%s: got %s, which does not allow the form N", text, got)
				}
			}
			for _, point := range somePoints(t, random, ctx, set.Lift()) {
				below := append(homogeneous(inequalities), append(negated(point), -1))
				if none, err := ctx.BasicSetFromConstraints(n, homogeneous(equalities), below).ToSet().IsEmpty(); err != nil || !none {
					t.Errorf("%s: %v allow a form that is negative at %v (%v)", text, inequalities, point, err)
				}
				points++
			}
			lines += len(equalities)
			if len(equalities)+len(inequalities) == 0 {
				empty++
			}
		}
		ctx.Close()
	}
	if empty == 0 || lines == 0 || points < 500 {
		t.Errorf("%d empty sets, %d lines and %d points: the random sets show little", empty, lines, points)
	}
}

// somePoints are a few integer points of a set without quantified variables,
// over [1, parameters, dimensions].
func somePoints(t *testing.T, random *rand.Rand, ctx *isl.Context, set *isl.BasicSet) [][]int64 {
	t.Helper()
	equalities, inequalities, err := set.Constraints()
	if err != nil {
		t.Fatal(err)
	}
	parameters, dimensions := set.Dim(isl.DimParam), set.Dim(isl.DimSet)
	for k := range parameters + dimensions {
		for _, sign := range []int64{1, -1} {
			row := make([]int64, parameters+dimensions+1)
			row[k], row[parameters+dimensions] = sign, 9
			inequalities = append(inequalities, row)
		}
	}
	var points [][]int64
	for range 3 {
		cut := make([]int64, parameters+dimensions+1)
		for k := range cut {
			cut[k] = int64(random.IntN(5) - 2)
		}
		some := ctx.BasicSetFromConstraints(parameters+dimensions, equalities, append(inequalities, cut)).ToSet()
		if point, ok := some.Point(); ok {
			points = append(points, slices.Concat([]int64{1}, point[dimensions:], point[:dimensions]))
		}
	}
	return points
}

// homogeneous are rows with a constant 0.
func homogeneous(rows [][]int64) [][]int64 {
	var list [][]int64
	for _, row := range rows {
		list = append(list, append(slices.Clone(row), 0))
	}
	return list
}

// Sets whose numbers are too large are left to isl, if they are small.
func TestCoefficientsOfLargeNumbers(t *testing.T) {
	ctx := isl.NewContext()
	defer ctx.Close()
	set := ctx.ReadSet("{ [i] : 0 <= i <= 1000000000 }").BasicSets()[0]
	_, inequalities, err := coefficients(set, 0, Symbols{}, 0)
	slices.SortFunc(inequalities, slices.Compare)
	if want := "[[1 0 0] [1 1000000000 0]]"; err != nil || fmt.Sprint(inequalities) != want {
		t.Errorf("got %v (%v), want %s", inequalities, err, want)
	}
	set = ctx.ReadSet("[N] -> { [i] : N <= i <= 1000000000 }").BasicSets()[0]
	_, inequalities, err = coefficients(set, 1, Symbols{}, 0)
	slices.SortFunc(inequalities, slices.Compare)
	if want := "[[1 0 0 0] [1 0 1000000000 0] [1 1000000000 1000000000 0]]"; err != nil || fmt.Sprint(inequalities) != want {
		t.Errorf("with a parameter got %v (%v), want %s", inequalities, err, want)
	}
}

// So are those whose equalities make large numbers.
func TestCompressedRefuses(t *testing.T) {
	equalities := [][]int64{{1, maxEntry - 1, -(maxEntry - 2), 0}, {3, 0, maxEntry - 4, -(maxEntry - 8)}}
	if _, _, err := compressed(4, equalities, nil); !errors.Is(err, errLarge) {
		t.Errorf("got error %v, want %v", err, errLarge)
	}
}

// A set that takes isl more than a minute: bounds by constants on parameters,
// as of arrays of constant extents.
func TestCoefficientsOfBoundedParameters(t *testing.T) {
	ctx := isl.NewContext()
	defer ctx.Close()
	set := ctx.ReadSet("[N, M] -> { [i, j, k, x, y, z] : N <= 15 and -11 + N <= M <= 15 and i >= 0 and j >= 0 and 2j <= M and 2 <= k < M and i < x <= -2 + N and y >= 0 and 2y <= M and 2 <= z < M }")
	_, inequalities, err := coefficients(set.BasicSets()[0], 0, Symbols{}, 0)
	if err != nil || len(inequalities) == 0 {
		t.Errorf("%d rows (%v)", len(inequalities), err)
	}
}
