package depend

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"polytune/isl"
)

// deepRelation relates iterations of so many loops with a size to later ones of the innermost.
func deepRelation(ctx *isl.Context, target, size string, loops int) *isl.Map {
	var in, out, bounds []string
	for k := range loops {
		i, o := fmt.Sprintf("i%d", k), fmt.Sprintf("o%d", k)
		in, out = append(in, i), append(out, o)
		bounds = append(bounds, fmt.Sprintf("0 <= %s < %s and 0 <= %s < %s", i, size, o, size))
	}
	return ctx.ReadMap(fmt.Sprintf("[n] -> { S0[%s] -> %s[%s] : i0 < o0 and %s }", strings.Join(in, ","), target, strings.Join(out, ","), strings.Join(bounds, " and ")))
}

// Dependences of loops so deep that they have very many vertices have a cone at once: that of their
// distances where they are of one statement, or else that of constants.
func TestManyVertices(t *testing.T) {
	for _, size := range []string{"n", "1000", "9223372036854775807"} {
		for _, loops := range []int{5, 8, 11} {
			if (loops == 11 && size != "n" || size == "1000") && os.Getenv("POLYTUNE_LONG") == "" {
				continue
			}
			for _, target := range []string{"S0", "S1"} {
				ctx := isl.NewContext()
				ctx.SetMaxOperations(1_000_000)
				start := time.Now()
				d := &Dependence{Relation: deepRelation(ctx, target, size, loops)}
				cone, err := d.BoundingCone()
				if err != nil {
					t.Fatalf("%d loops to %s, %s: %v", loops, size, target, err)
				}
				form := func(loop int) []int64 {
					form := make([]int64, 2+2*loops)
					form[2+loop], form[2+loops+loop] = -1, 1
					return form
				}
				forwards, either := cone.Contains(form(0)), cone.Contains(form(1))
				if target == "S0" && !forwards || either {
					t.Errorf("%d loops to %s, %s: the first loop goes forwards: %v, the second too: %v", loops, size, target, forwards, either)
				}
				bound := form(0)
				if bound[2], bound[2+loops], bound[1] = 1, -1, 1; size == "n" && target == "S0" && !cone.Contains(bound) {
					t.Errorf("%d loops: n is no bound of the first loop's distance", loops)
				}
				if took := time.Since(start); took > 20*time.Second {
					t.Errorf("%d loops to %s, %s: took %v", loops, size, target, took)
				}
				ctx.Close()
			}
		}
	}
}

// randomPair is a polyhedron of the instances of a statement in two loops that depend on each
// other.
func randomPair(random *rand.Rand, ctx *isl.Context) polyhedron {
	names := []string{"N", "i", "j", "x", "y"}
	var conditions []string
	for _, name := range names[1:] {
		conditions = append(conditions, fmt.Sprintf("%d <= %s and %s < N", random.IntN(3)-1, name, name))
	}
	for range 1 + random.IntN(3) {
		var terms []string
		for _, name := range names {
			if c := random.IntN(5) - 2; c != 0 && random.IntN(2) > 0 {
				terms = append(terms, fmt.Sprintf("%d%s", c, name))
			}
		}
		terms = append(terms, fmt.Sprint(random.IntN(9)))
		conditions = append(conditions, strings.Join(terms, " + ")+[]string{" >= 0", " >= 0", " = 0"}[random.IntN(3)])
	}
	set := ctx.ReadSet("[N] -> { [i, j, x, y] : " + strings.Join(conditions, " and ") + " }").BasicSets()
	if len(set) == 0 {
		return polyhedron{}
	}
	equalities, inequalities, _ := set[0].Constraints()
	return polyhedron{columns: 6, equalities: rotated(equalities, 4), inequalities: rotated(inequalities, 4), source: 2, loops: 2}
}

// hasDivisions says whether an equality has coefficients by which integers are divisible.
func (p polyhedron) hasDivisions() bool {
	isLarger := func(v int64) bool { return v < -1 || v > 1 }
	return slices.ContainsFunc(p.equalities, func(row []int64) bool { return slices.ContainsFunc(row[1:], isLarger) })
}

// The forms of distances are ones that are not negative on the polyhedron, and all of those that
// see distances alone; those without large numbers are some of them.
func TestFormsOfDistances(t *testing.T) {
	random, checked := rand.New(rand.NewPCG(1, 9)), 0
	for range 300 {
		ctx := isl.NewContext()
		p := randomPair(random, ctx)
		if p.columns == 0 {
			ctx.Close()
			continue
		}
		set := func(equalities, inequalities [][]int64) *isl.Set {
			return ctx.BasicSetFromConstraints(p.columns, homogeneous(equalities), homogeneous(inequalities)).ToSet()
		}
		equalities, inequalities, err := p.byDistances()
		allEqualities, allInequalities, err2 := p.exactlyFew()
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		if len(allEqualities)+len(allInequalities) == 0 {
			ctx.Close()
			continue
		}
		alone := [][]int64{{0, 0, 1, 0, 1, 0}, {0, 0, 0, 1, 0, 1}}
		exact := set(append(slices.Clone(allEqualities), alone...), allInequalities)
		if all, err := exact.IsSubset(set(equalities, inequalities)); err != nil || !all && !p.hasDivisions() {
			t.Errorf("%+v: forms of distances are missing (%v): %v, %v", p, err, equalities, inequalities)
		}
		points := ctx.BasicSetFromConstraints(p.columns-1, constantLast(p.equalities), constantLast(p.inequalities))
		for _, point := range somePoints(t, random, ctx, points) {
			below := append(homogeneous(inequalities), append(negated(point), -1))
			if none, err := ctx.BasicSetFromConstraints(p.columns, homogeneous(equalities), below).ToSet().IsEmpty(); err != nil || !none {
				t.Errorf("%+v: %v allow a form that is negative at %v (%v)", p, inequalities, point, err)
			}
			checked++
		}
		large := p
		large.inequalities = append(slices.Clone(p.inequalities), []int64{math.MaxInt64 - 5, -1, 0, 0, 0, 0}, []int64{largeNumber + 5, 0, -3, 0, 0, 0})
		fewEqualities, fewInequalities, err := large.withoutLargeNumbers((polyhedron).exactlyFew)
		if err != nil {
			t.Fatal(err)
		}
		for _, point := range somePoints(t, random, ctx, points) {
			below := append(homogeneous(fewInequalities), append(negated(point), -1))
			if none, err := ctx.BasicSetFromConstraints(p.columns, homogeneous(fewEqualities), below).ToSet().IsEmpty(); err != nil || !none {
				t.Errorf("%+v: without large numbers %v allow a form that is negative at %v (%v)", p, fewInequalities, point, err)
			}
		}
		ctx.Close()
	}
	if checked < 200 {
		t.Errorf("%d points: the random polyhedra show little", checked)
	}
}

// Numbers near the largest one are near it alone.
func TestSplitOfLargestNumbers(t *testing.T) {
	y := Symbols{Bases: []int64{math.MaxInt64 - 1, 1 << 62}, multiples: 2}
	for number, want := range map[int64]string{
		math.MaxInt64: "[1 0] 1", -math.MaxInt64: "[-1 0] -1", math.MinInt64: "[-1 0] -2", 1<<62 - 3: "[0 1] -3", 1 << 40: "[0 0] 1099511627776",
	} {
		bases, rest := y.Split(number)
		if got := fmt.Sprint(bases, " ", rest); got != want {
			t.Errorf("%d: got %s, want %s", number, got, want)
		}
	}
}
