package variant

import (
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

const budget = 1 << 20

// registers is the register tile of a matrix product, with blocks around it.
func registers(t testing.TB) *Model {
	t.Helper()
	sized := Is("tile", Word("sizes"))
	m, err := New([]Axis{
		{Name: "tile", Values: Words("model", "none", "sizes"), Default: Word("model")},
		{Name: "tile.1", Values: Ladder(8, 16, 32, 64), Default: Integer(32), When: sized},
		{Name: "tile.2", Values: Ladder(8, 16, 32, 64), Default: Integer(32), When: sized},
		{Name: "jam", Values: Switch(), Default: Off, When: Not(Is("tile", Word("none")))},
		{Name: "ri", Values: Ladder(1, 2, 4, 6, 8), Default: Integer(1), When: Is("jam", On)},
		{Name: "rj", Values: Ladder(1, 2, 4, 6, 8), Default: Integer(1), When: Is("jam", On)},
		{Name: "schedule", Values: Words("static", "dynamic"), Default: Word("static")},
	}, []Constraint{
		{"the register tile must fit the registers", AtMost(Sum(Product(Of("ri"), Of("rj")), Of("ri"), Of("rj")), Number(32))},
		{"blocks are made of whole register tiles", Holds("ri divides tile.1", []string{"ri", "tile.1"}, func(s Setting) bool {
			return s["ri"] == (Value{}) || s["tile.1"] == (Value{}) || s["tile.1"].Integer()%s["ri"].Integer() == 0
		})},
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestCountByHand(t *testing.T) {
	// ri*rj + ri + rj <= 32, which is (ri+1)*(rj+1) <= 33, leaves 5, 5, 3, 2
	// and 2 of rj for ri of 1, 2, 4, 6, 8; ri = 6 divides no block.
	tiles := 5 + 5 + 3 + 2 + 2
	want := 2 * ((1 + tiles) + 1 + 4*4*(1+tiles-2))
	got, ok := registers(t).Count(budget)
	if !ok || got.Cmp(big.NewInt(int64(want))) != 0 {
		t.Errorf("%v settings, %v; want %d", got, ok, want)
	}
}

// Independent axes are multiplied, axes under one condition are counted apart,
// and equal remainders are counted once, so that counts far beyond any list
// take few steps.
func TestCountLarge(t *testing.T) {
	var axes []Axis
	var factors []Expression
	axes = append(axes, Axis{Name: "on", Values: Switch(), Default: Off})
	for k := range 26 {
		free := Axis{Name: "f" + string(rune('a'+k)), Values: Ladder(1, 2, 3, 4), Default: Integer(1), When: Is("on", On)}
		tied := Axis{Name: "t" + string(rune('a'+k)), Values: Ladder(1, 2), Default: Integer(1)}
		axes, factors = append(axes, free, tied), append(factors, Of(tied.Name))
	}
	m, err := New(axes, []Constraint{{"it must be small", AtMost(Product(factors...), Number(4))}})
	if err != nil {
		t.Fatal(err)
	}
	free := new(big.Int).Exp(big.NewInt(4), big.NewInt(26), nil)
	want := free.Add(free, big.NewInt(1))
	want.Mul(want, big.NewInt(1+26+26*25/2))
	if got, ok := m.Count(500); !ok || got.Cmp(want) != 0 {
		t.Errorf("%v settings, %v; want %v", got, ok, want)
	}
	if _, ok := m.Count(50); ok {
		t.Error("a budget of 50 steps was enough")
	}
	if _, ok := m.Sample(rand.New(rand.NewPCG(1, 0)), 1, 50); ok {
		t.Error("a budget of 50 steps was enough to draw")
	}
}

// All settings, their number, and what belongs to the model agree with brute
// force.
func TestAgainstBruteForce(t *testing.T) {
	eachSystem(t, 1, func(t *testing.T, random *rand.Rand, s *system, m *Model) {
		want := s.brute()
		got := slices.Collect(m.All())
		if !slices.EqualFunc(got, want, maps.Equal) {
			t.Fatalf("settings %v; want %v", got, want)
		}
		count, ok := m.Count(budget)
		if !ok || count.Cmp(big.NewInt(int64(len(want)))) != 0 {
			t.Errorf("%v settings, %v; want %d", count, ok, len(want))
		}
		for _, setting := range want {
			if ok, reason := m.Contains(setting); !ok {
				t.Errorf("%v does not belong to the model: %v", setting, reason)
			}
			text := m.Text(setting)
			back, err := m.Parse(text)
			if err != nil || !maps.Equal(back, setting) || m.Text(back) != text {
				t.Errorf("%v: %q is read as %v, %v", setting, text, back, err)
			}
		}
		checkForeign(t, random, s, m, want)
	})
}

// checkForeign changes settings by chance and compares what Contains says with
// the list.
func checkForeign(t *testing.T, random *rand.Rand, s *system, m *Model, list []Setting) {
	for range 20 {
		setting := maps.Clone(list[random.IntN(len(list))])
		a := s.axes[random.IntN(len(s.axes))]
		if random.IntN(3) == 0 {
			delete(setting, a.Name)
		} else {
			setting[a.Name] = a.Values.list[random.IntN(len(a.Values.list))]
		}
		want := slices.ContainsFunc(list, func(o Setting) bool { return maps.Equal(o, setting) })
		if got, reason := m.Contains(setting); got != want || got == (reason != nil) {
			t.Errorf("%v belongs to the model: %v, %v; want %v", setting, got, reason, want)
		}
	}
}

// Draws are uniform: chi-square stays below its 0.999 quantile, about
// f + 3.1·sqrt(2f) + 4.7 for f degrees of freedom.
func TestSampleIsUniform(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 0))
	for name, m := range map[string]*Model{"registers": registers(t), "lopsided": lopsided(t)} {
		counts := map[string]int{}
		for s := range m.All() {
			counts[m.Text(s)] = 0
		}
		const each = 50
		draws, ok := m.Sample(random, each*len(counts), budget)
		if !ok {
			t.Fatalf("%s: the budget was not enough", name)
		}
		for _, s := range draws {
			if _, known := counts[m.Text(s)]; !known {
				t.Fatalf("%s: %s was drawn, which is not of the model", name, m.Text(s))
			}
			counts[m.Text(s)]++
		}
		checkUniform(t, name, slices.Collect(maps.Values(counts)), each)
	}
}

// lopsided has an axis of which one value opens far more settings.
func lopsided(t testing.TB) *Model {
	t.Helper()
	open := Is("a", Word("open"))
	m, err := New([]Axis{
		{Name: "a", Values: Words("shut", "open"), Default: Word("shut")},
		{Name: "b", Values: Ladder(1, 2, 3, 4, 5, 6, 7, 8, 9), Default: Integer(1), When: open},
		{Name: "c", Values: Ladder(1, 2, 3, 4, 5), Default: Integer(1), When: open},
	}, []Constraint{{"c follows b", AtMost(Of("c"), Of("b"))}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Steps lead where brute force says, and back where no axis comes or goes.
func TestNeighbours(t *testing.T) {
	eachSystem(t, 2, func(t *testing.T, _ *rand.Rand, s *system, m *Model) {
		all := s.brute()
		for _, p := range all {
			got := map[string]bool{}
			for q := range m.Neighbours(p) {
				if text := m.Text(q); got[text] || maps.Equal(p, q) {
					t.Errorf("%v: neighbour %s twice, or itself", p, text)
				} else {
					got[text] = true
				}
			}
			for _, q := range all {
				if want := s.adjacent(all, p, q); got[m.Text(q)] != want && s.sameAxes(p, q) {
					t.Errorf("%v is a neighbour of %v: %v; want %v", q, p, !want, want)
				}
				delete(got, m.Text(q))
			}
			for text := range got {
				t.Errorf("%v has the neighbour %s, which is not of the model", p, text)
			}
		}
	})
}

func (s *system) sameAxes(p, q Setting) bool {
	return slices.Equal(slices.Sorted(maps.Keys(p)), slices.Sorted(maps.Keys(q)))
}

// adjacent says whether two settings with the same axes differ in one axis, by
// a step that passes over nothing allowed on a ladder.
func (s *system) adjacent(all []Setting, p, q Setting) bool {
	differ := slices.DeleteFunc(slices.Clone(s.axes), func(a Axis) bool { return p[a.Name] == q[a.Name] })
	if len(differ) != 1 || !s.sameAxes(p, q) {
		return false
	}
	a := differ[0]
	low, high := p[a.Name].Integer(), q[a.Name].Integer()
	return a.Values.kind != ladder || !slices.ContainsFunc(a.Values.list, func(v Value) bool {
		between := min(low, high) < v.Integer() && v.Integer() < max(low, high)
		return between && s.possible(all, p, a.Name, v)
	})
}

// possible says whether the setting with another value of the axis, less the
// axes that this closes and with defaults for those that it opens, is allowed.
func (s *system) possible(all []Setting, p Setting, axis string, v Value) bool {
	changed := with(p, axis, v)
	adapted := Setting{}
	for i, a := range s.axes {
		if !s.active[i](adapted) {
			continue
		}
		adapted[a.Name] = a.Default
		if value, has := changed[a.Name]; has {
			adapted[a.Name] = value
		}
	}
	return slices.ContainsFunc(all, func(o Setting) bool { return maps.Equal(o, adapted) })
}

// Every neighbour has the setting it came from as a neighbour, as long as no
// axis comes or goes on the way.
func TestNeighboursAreSymmetric(t *testing.T) {
	for name, m := range map[string]*Model{"registers": registers(t), "lopsided": lopsided(t)} {
		pairs := 0
		for p := range m.All() {
			for q := range m.Neighbours(p) {
				if len(q) != len(p) {
					continue
				}
				pairs++
				back := slices.ContainsFunc(slices.Collect(m.Neighbours(q)), func(o Setting) bool { return maps.Equal(o, p) })
				if !back {
					t.Errorf("%s: %v is a neighbour of %v, but not the reverse", name, q, p)
				}
			}
		}
		if pairs == 0 {
			t.Errorf("%s has no neighbours", name)
		}
	}
}

func TestText(t *testing.T) {
	m := registers(t)
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"tile=model", ""},
		{"tile.2=64 tile=sizes", "tile=sizes tile.2=64"},
		{"jam=on,ri=4, rj=2", "jam=on ri=4 rj=2"},
		{"tile=sizes tile.1=32 schedule=static", "tile=sizes"},
		{"tile=sizes tile.1=16 jam=on ri=8", "jam=on ri=8 tile=sizes tile.1=16"},
	} {
		s, err := m.Parse(test.text)
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
		} else if got := m.Text(s); got != test.want {
			t.Errorf("%q is %q; want %q", test.text, got, test.want)
		}
	}
}

func TestBadText(t *testing.T) {
	m := registers(t)
	for _, test := range []struct{ text, want string }{
		{"wide", `"wide" is not the value of an axis; write NAME=VALUE, such as tile=wide`},
		{"tile=", `"tile=" is not the value of an axis; write NAME=VALUE, such as tile=wide`},
		{"unroll=4", "there is no axis unroll; there are: tile, tile.1, tile.2, jam, ri, rj, schedule"},
		{"jam=on ri=6 rj=4 unroll=4", "the register tile must fit the registers: ri*rj + ri + rj <= 32 is required, but ri=6, rj=4"},
		{"tile=wide", `the axis tile has no value "wide"; its values are: model, none, sizes`},
		{"tile=sizes tile.1=33", `the axis tile.1 has no value "33"; its values are: 8, 16, 32, 64`},
		{"tile.1=16", "the axis tile.1 has a value only if tile=sizes"},
		{"jam=on jam=off", "the axis jam is given twice"},
		{"jam=on ri=6 rj=4", "the register tile must fit the registers: ri*rj + ri + rj <= 32 is required, but ri=6, rj=4"},
		{"tile=sizes jam=on ri=6", "blocks are made of whole register tiles: ri divides tile.1 is required, but ri=6, tile.1=32"},
		{"tile=none jam=on", "the axis jam has a value only if not tile=none"},
	} {
		if _, err := m.Parse(test.text); err == nil || err.Error() != test.want {
			t.Errorf("%q: %v\nwant: %s", test.text, err, test.want)
		}
	}
}

func TestBadModels(t *testing.T) {
	word := Axis{Name: "a", Values: Words("x", "y"), Default: Word("x")}
	number := Axis{Name: "n", Values: Ladder(1, 1<<40), Default: Integer(1)}
	axes := func(more ...Axis) []Axis { return append([]Axis{word, number}, more...) }
	for _, test := range []struct {
		axes       []Axis
		constraint Condition
		want       string
	}{
		{axes(word), nil, "two axes named a"},
		{axes(Axis{Name: "Big", Values: Switch(), Default: On}), nil, `axis "Big": a name begins with`},
		{axes(Axis{Name: "b"}), nil, "axis b: it has no values"},
		{axes(Axis{Name: "b", Values: Switch()}), nil, `axis b: its default "" is not among its values: off, on`},
		{axes(Axis{Name: "b", Values: Words("x", "x"), Default: Word("x")}), nil, "the value x is there twice"},
		{axes(Axis{Name: "b", Values: Words("x y"), Default: Word("x y")}), nil, `the value "x y" may have`},
		{axes(Axis{Name: "b", Values: Ladder(2, 1), Default: Integer(1)}), nil, "1 comes after 2; a ladder ascends"},
		{axes(Axis{Name: "b", Values: Switch(), Default: On, When: Is("c", On)}), nil, "axis b: when c=on: there is no axis c; declare"},
		{axes(), Is("a", Word("z")), "constraint a=z: z is not a value of the axis a, which has x, y"},
		{axes(), AtMost(Of("a"), Number(1)), "constraint a <= 1: the values of the axis a are words"},
		{axes(), AtMost(Product(Of("n"), Of("n")), Number(1)), "constraint n*n <= 1: n*n may exceed 2^63"},
		{axes(), Not(Is("a", Word("x"))), "the defaults: why: not a=x is required, but a=x, n=1"},
	} {
		var constraints []Constraint
		if test.constraint != nil {
			constraints = []Constraint{{"why", test.constraint}}
			if strings.HasPrefix(test.want, "the defaults") {
				constraints[0].Condition = All(test.constraint, Any(Is("a", Word("x")), AtMost(Of("n"), Number(0))))
				test.want = "the defaults: why: (not a=x) and (a=x or n <= 0) is required, but a=x, n=1"
			}
		}
		if _, err := New(test.axes, constraints); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v\nwant: %s", err, test.want)
		}
	}
}

// Whatever is read prints as a text that is read as the same.
func FuzzParse(f *testing.F) {
	m := registers(f)
	for _, seed := range []string{"", "tile=sizes tile.1=16", "jam=on ri=8 rj=2", "tile=none,schedule=dynamic", "=", "ri=6"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := m.Parse(text)
		if err != nil {
			return
		}
		if ok, reason := m.Contains(s); !ok {
			t.Fatalf("%q is read as %v, which is not of the model: %v", text, s, reason)
		}
		back, err := m.Parse(m.Text(s))
		if err != nil || !maps.Equal(back, s) {
			t.Errorf("%q is read as %v, whose text %q is read as %v, %v", text, s, m.Text(s), back, err)
		}
	})
}

func BenchmarkCount(b *testing.B) {
	m := registers(b)
	for b.Loop() {
		m.Count(budget)
	}
}

func BenchmarkSample(b *testing.B) {
	m := registers(b)
	random := rand.New(rand.NewPCG(1, 0))
	for b.Loop() {
		m.Sample(random, 100, budget)
	}
}

func BenchmarkAll(b *testing.B) {
	m := registers(b)
	for b.Loop() {
		for range m.All() {
		}
	}
}

func BenchmarkNeighbours(b *testing.B) {
	m := registers(b)
	s := m.Default()
	for b.Loop() {
		for range m.Neighbours(s) {
		}
	}
}
