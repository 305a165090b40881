package variant

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/space"
)

// kernelSpace is the space of partitions of a built-in kernel.
func kernelSpace(t testing.TB, name string) *space.Space {
	t.Helper()
	s, err := space.New(kerneltest.Graph(t, name), space.Options{})
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

// A family is asked for its axes only where they can be active, and once.
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
		{"tile=unrolled", "tile=unrolled", 1},
		{"tile=unrolled,unroll.1=4", "tile=unrolled unroll.1=4", 0}, // kept
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

// Models that are kept do not become more and more.
func TestKeptModelsAreBounded(t *testing.T) {
	asked := 0
	models := sized(t, &asked)
	for k := range 3 * maxKept {
		if _, err := models.Of(make(space.Partition, k+1)); err != nil {
			t.Fatal(err)
		}
		if len(models.kept) > maxKept {
			t.Fatalf("%d models are kept", len(models.kept))
		}
	}
	if asked != 3*maxKept {
		t.Errorf("%d partitions were asked for their axes; want %d", asked, 3*maxKept)
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
