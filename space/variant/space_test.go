package variant

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/frontend"
	"polytune/isl"
	"polytune/scop/depend"
	"polytune/space"
)

// kernelSpace is the space of partitions of a built-in kernel.
func kernelSpace(t testing.TB, name string) *space.Space {
	t.Helper()
	b, err := benchmarks.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	file, err := frontend.Parse(b.File, b.Source, frontend.Options{KernelName: b.Name})
	if err != nil {
		t.Fatal(err)
	}
	ctx := isl.NewContext()
	t.Cleanup(ctx.Close)
	model, err := file.Regions[0].Program.Model(ctx)
	if err != nil {
		t.Fatal(err)
	}
	graph, err := depend.Analyze(model)
	if err != nil {
		t.Fatal(err)
	}
	s, err := space.New(graph, space.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sized are the axes tile and, as a family, an axis unroll.K for each class
// of the partition, together at most 8. asked counts calls of the family.
func sized(t testing.TB, asked *int) *Models {
	t.Helper()
	shared, err := New([]Axis{
		{Name: "tile", Values: Words("model", "none", "unrolled"), Default: Word("model")},
		{Name: "vector", Values: Switch(), Default: On},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	models, err := NewModels(shared, Family{Is("tile", Word("unrolled")), func(p space.Partition) ([]Axis, []Constraint, error) {
		*asked++
		var axes []Axis
		var factors []Expression
		for k := range p.Count() {
			a := Axis{Name: fmt.Sprintf("unroll.%d", k), Values: Ladder(1, 2, 4), Default: Integer(1)}
			axes, factors = append(axes, a), append(factors, Of(a.Name))
		}
		return axes, []Constraint{{"the code must stay small", AtMost(Product(factors...), Number(8))}}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return models
}

// settingsOf counts by hand: the settings without the family, and unroll
// factors 2^e with at most 8 in all, for each value of vector.
func settingsOf(p space.Partition) int {
	ways := []int{1} // ways[e] to have 2^e in all
	for range p.Count() {
		next := make([]int, len(ways)+2)
		for e, n := range ways {
			for f := range 3 {
				next[e+f] += n
			}
		}
		ways = next
	}
	unrolled := 0
	for _, n := range ways[:min(4, len(ways))] {
		unrolled += n
	}
	return 2*2 + 2*unrolled
}

func collect[T any](t *testing.T, sequence func(func(T, error) bool)) []T {
	t.Helper()
	var list []T
	for x, err := range sequence {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, x)
	}
	return list
}

func TestSpace(t *testing.T) {
	partitions := kernelSpace(t, "sc10/2mm")
	s := NewSpace(partitions, sized(t, new(int)))
	want := 0
	for _, p := range collect(t, partitions.All()) {
		want += settingsOf(p)
	}
	if count, ok, err := s.Count(budget); err != nil || !ok || count.Cmp(big.NewInt(int64(want))) != 0 {
		t.Errorf("%v points, %v, %v; want %d", count, ok, err, want)
	}
	if _, ok, err := s.Count(15); ok || err != nil {
		t.Errorf("16 partitions were counted within a budget of 15: %v", err)
	}
	seen := map[string]bool{}
	for _, p := range collect(t, s.All()) {
		text, err := s.Text(p)
		if err != nil {
			t.Fatal(err)
		}
		if seen[text] {
			t.Errorf("%s is listed twice", text)
		}
		seen[text] = true
		back, err := s.Parse(text)
		if err != nil || !slices.Equal(back.Partition, p.Partition) || !maps.Equal(back.Setting, p.Setting) {
			t.Errorf("%s is read as %v, %v", text, back, err)
		}
		if ok, reason := s.Contains(p); !ok {
			t.Errorf("%s does not belong to the space: %v", text, reason)
		}
	}
	if len(seen) != want {
		t.Errorf("%d points are listed; want %d", len(seen), want)
	}
}

func TestCountWithoutFamilies(t *testing.T) {
	models, err := NewModels(registers(t))
	if err != nil {
		t.Fatal(err)
	}
	count, ok, err := NewSpace(kernelSpace(t, "sc10/3mm"), models).Count(budget)
	if err != nil || !ok || count.Cmp(big.NewInt(352*550)) != 0 {
		t.Errorf("%v points, %v, %v; want 352·550", count, ok, err)
	}
}

// A family is asked for its axes only where they can be active.
func TestFamiliesAreLazy(t *testing.T) {
	asked := 0
	models := sized(t, &asked)
	p := space.Partition{0, 0, 1, 1}
	for _, test := range []struct {
		text, want string
		asked      int
	}{
		{"", "", 0},
		{"vector=off tile=none", "tile=none vector=off", 0},
		{"tile=unrolled", "tile=unrolled", 2},
		{"tile=unrolled,unroll.1=4", "tile=unrolled unroll.1=4", 2},
	} {
		asked = 0
		s, err := models.Parse(p, test.text)
		if err != nil {
			t.Fatalf("%q: %v", test.text, err)
		}
		if got, err := models.Text(p, s); got != test.want || err != nil || asked != test.asked {
			t.Errorf("%q is %q, %v, after %d calls; want %q, %d", test.text, got, err, asked, test.want, test.asked)
		}
	}
}

func TestBadPoints(t *testing.T) {
	s := NewSpace(kernelSpace(t, "sc10/2mm"), sized(t, new(int)))
	for _, test := range []struct {
		text, want string
		outside    bool
	}{
		{"", `partition "": "" is not a class number; write one number per statement, joined by hyphens, such as 0-1-1-2`, false},
		{"1-0-0-0", "partition 1-0-0-0: S0 is in class 1 and S1 in class 0, but S1 depends on S0", true},
		{"0-0-1-1 unroll.0=2", "the axis unroll.0 has a value only if tile=unrolled", false},
		{"0-0-1-1 tile=unrolled unroll.2=2", "there is no axis unroll.2; there are: tile, vector, unroll.0, unroll.1", false},
		{"0-0-1-1 tile=unrolled unroll.0=4 unroll.1=4",
			"the code must stay small: tile=unrolled implies unroll.0*unroll.1 <= 8 is required, but tile=unrolled, unroll.0=4, unroll.1=4", false},
	} {
		_, err := s.Parse(test.text)
		if err == nil || err.Error() != test.want {
			t.Errorf("%q: %v\nwant: %s", test.text, err, test.want)
		}
		if errors.As(err, new(*space.OutsideError)) != test.outside {
			t.Errorf("%q: %T", test.text, err)
		}
	}
	if ok, reason := s.Contains(Point{space.Partition{0, 0, 1, 1}, Setting{"tile": Word("none")}}); ok || reason.Error() != "the axis vector has no value" {
		t.Errorf("a setting without vector belongs to the space: %v, %v", ok, reason)
	}
}

func TestBadFamilies(t *testing.T) {
	shared := registers(t)
	axes := func(space.Partition) ([]Axis, []Constraint, error) { return nil, nil, nil }
	for _, test := range []struct {
		family Family
		want   string
	}{
		{Family{Axes: axes}, "a family of axes has no condition or no function; axes without a condition are shared"},
		{Family{When: Is("ri", Integer(3)), Axes: axes}, "family of axes when ri=3: 3 is not a value of the axis ri, which has 1, 2, 4, 6, 8"},
	} {
		if _, err := NewModels(shared, test.family); err == nil || err.Error() != test.want {
			t.Errorf("%v\nwant: %s", err, test.want)
		}
	}
}

// Moves lead to exactly the listed partitions that are one move away by
// definition, each once.
func TestMoves(t *testing.T) {
	for _, kernel := range []string{"sc10/2mm", "sc10/bicg", "sc10/gesummv", "sc10/covar", "sc10/ludcmp"} {
		s := kernelSpace(t, kernel)
		hasse, err := s.Hasse()
		if err != nil {
			t.Fatal(err)
		}
		all := collect(t, s.All())
		splits := 0
		for _, p := range all {
			got := map[string]bool{}
			for _, q := range collect(t, Moves(s, p)) {
				if got[q.String()] {
					t.Errorf("%s: from %s to %s twice", kernel, p, q)
				}
				got[q.String()] = true
			}
			for _, q := range all {
				moved := movedComponent(hasse.Components, p, q)
				want := moved || merged(p, q) || merged(q, p)
				if want && !moved {
					splits++
				}
				if got[q.String()] != want {
					t.Errorf("%s: from %s to %s: %v; want %v", kernel, p, q, !want, want)
				}
				delete(got, q.String())
			}
			for q := range got {
				t.Errorf("%s: from %s to %s, which is not in the space", kernel, p, q)
			}
		}
		t.Logf("%s: %d moves of several components", kernel, splits)
	}
}

// movedComponent says whether the partitions differ, but not when one of the
// components is left out.
func movedComponent(components [][]int, p, q space.Partition) bool {
	return !slices.Equal(p, q) && slices.ContainsFunc(components, func(component []int) bool {
		return slices.Equal(without(p, component), without(q, component))
	})
}

func without(p space.Partition, statements []int) space.Partition {
	var rest space.Partition
	for i, class := range p {
		if !slices.Contains(statements, i) {
			rest = append(rest, class)
		}
	}
	return rest.Normalise()
}

// merged says whether q has two consecutive classes of p in one.
func merged(p, q space.Partition) bool {
	for k := range p.Count() - 1 {
		united := slices.Clone(p)
		for i, class := range p {
			if class > k {
				united[i]--
			}
		}
		if slices.Equal(united, q) {
			return true
		}
	}
	return false
}

// Of many independent statements a class has a number of splits that nobody
// can list; what is asked for first comes soon.
func TestMovesOfManyStatements(t *testing.T) {
	const n = 60
	p := make(space.Partition, n)
	count := 0
	for q, err := range Moves(independent{n: n}, p) {
		if err != nil {
			t.Fatal(err)
		}
		if q.Count() != 2 {
			t.Fatalf("%s is not a split of one class", q)
		}
		if count++; count == 2000 {
			break
		}
	}
	if count < 2000 {
		t.Errorf("only %d moves", count)
	}
}

// independent are all partitions of statements without dependences.
type independent struct {
	Partitions // not asked for the rest
	n          int
}

func (s independent) Contains(p space.Partition) (bool, error) { return true, p.Validate() }

func (s independent) Hasse() (h space.Hasse, err error) {
	for i := range s.n {
		h.Components = append(h.Components, []int{i})
	}
	return h, nil
}

// Steps along axes and moves of the partition are symmetric where no axis
// comes or goes, and stay in the space.
func TestNeighboursOfPoints(t *testing.T) {
	s := NewSpace(kernelSpace(t, "sc10/2mm"), sized(t, new(int)))
	steps := map[string]map[string]bool{}
	points := collect(t, s.All())
	for _, p := range points {
		text := mustText(t, s, p)
		steps[text] = map[string]bool{}
		for _, q := range collect(t, s.Neighbours(p)) {
			if ok, reason := s.Contains(q); !ok {
				t.Fatalf("%s has the neighbour %v, which is not in the space: %v", text, q, reason)
			}
			steps[text][mustText(t, s, q)] = len(p.Setting) == len(q.Setting)
		}
	}
	moves, ways := 0, 0
	for from, to := range steps {
		for q, sameAxes := range to {
			if _, back := steps[q][from]; sameAxes && !back {
				t.Errorf("%s is a neighbour of %s, but not the reverse", q, from)
			}
			if q[:7] != from[:7] {
				moves++
			} else {
				ways++
			}
		}
	}
	if moves == 0 || ways == 0 {
		t.Errorf("%d moves of partitions and %d steps along axes", moves, ways)
	}
}

func mustText(t *testing.T, s *Space, p Point) string {
	t.Helper()
	text, err := s.Text(p)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Points of spaces that can be counted are drawn uniformly, whatever their
// partition, and those of spaces with few points are all drawn.
func TestSamplePoints(t *testing.T) {
	plain, err := NewModels(lopsided(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, models := range map[string]*Models{"without families": plain, "with a family": sized(t, new(int))} {
		s := NewSpace(kernelSpace(t, "sc10/2mm"), models)
		random := rand.New(rand.NewPCG(5, 0))
		counts := map[string]int{}
		for _, p := range collect(t, s.All()) {
			counts[mustText(t, s, p)] = 0
		}
		all := len(counts)
		const each, draw = 20, 60
		for range each * all / draw {
			for _, p := range mustSample(t, s, random, draw) {
				counts[mustText(t, s, p)]++
			}
		}
		if len(counts) != all {
			t.Errorf("%s: points were drawn that are not listed", name)
		}
		checkUniform(t, name, slices.Collect(maps.Values(counts)), float64(each*all/draw*draw)/float64(all))
		if list := mustSample(t, s, random, all+5); len(list) != all {
			t.Errorf("%s: %d points were drawn; there are %d", name, len(list), all)
		}
	}
}

// mustSample draws points exactly, and makes sure that they are different.
func mustSample(t *testing.T, s *Space, random *rand.Rand, n int) []Point {
	t.Helper()
	list, exact, err := s.Sample(random, n, budget)
	if err != nil || !exact {
		t.Fatalf("%d points, exact: %v, %v", n, exact, err)
	}
	seen := map[string]bool{}
	for _, p := range list {
		if text := mustText(t, s, p); seen[text] {
			t.Errorf("%s was drawn twice at once", text)
		} else {
			seen[text] = true
		}
	}
	return list
}

// With more partitions than the budget, points are drawn from a pool. Each
// partition gets about its share of the points, not an equal one.
func TestSampleFromPool(t *testing.T) {
	s := NewSpace(kernelSpace(t, "sc10/3mm"), sized(t, new(int)))
	random := rand.New(rand.NewPCG(6, 0))
	const n = 400
	list, exact, err := s.Sample(random, n, 300)
	if err != nil || exact || len(list) != n {
		t.Fatalf("%d points, exact: %v, %v", len(list), exact, err)
	}
	points, partitions, drawn := 0.0, 0, 0
	most := 0
	for p, err := range kernelSpace(t, "sc10/3mm").All() {
		if err != nil {
			t.Fatal(err)
		}
		points += float64(settingsOf(p))
		most = max(most, p.Count())
	}
	share := 0.0
	for p := range kernelSpace(t, "sc10/3mm").All() {
		if p.Count() == most {
			share += float64(settingsOf(p)) / points
			partitions++
		}
	}
	for _, p := range list {
		if p.Partition.Count() == most {
			drawn++
		}
	}
	deviation := math.Sqrt(n * share * (1 - share))
	if math.Abs(float64(drawn)-n*share) > 5*deviation || share < 1.5*float64(partitions)/352 {
		t.Errorf("%d of %d points have one of the %d partitions with %d classes; they have %.3f of all points", drawn, n, partitions, most, share)
	}
}

func TestSampleCannotCount(t *testing.T) {
	models, err := NewModels(registers(t))
	if err != nil {
		t.Fatal(err)
	}
	s := NewSpace(kernelSpace(t, "sc10/2mm"), models)
	_, _, err = s.Sample(rand.New(rand.NewPCG(6, 0)), 3, 10)
	if err == nil || !strings.Contains(err.Error(), "its settings cannot be counted within the budget of 10 steps") {
		t.Error(err)
	}
}

func BenchmarkSamplePoints(b *testing.B) {
	models, err := NewModels(registers(b))
	if err != nil {
		b.Fatal(err)
	}
	s := NewSpace(kernelSpace(b, "polybench/correlation"), models)
	random := rand.New(rand.NewPCG(1, 0))
	for b.Loop() {
		if _, exact, err := s.Sample(random, 100, budget); err != nil || !exact {
			b.Fatal(exact, err)
		}
	}
}
