package randomprogram

import (
	"fmt"
	"strings"
	"testing"
)

var sizes = []Size{{0, 0}, {1, 2}, {4, 3}, {7, 9}}

// Random programs are well-formed, have instances, stay inside their arrays,
// and survive being written down and read again.
func TestRandom(t *testing.T) {
	instances := 0
	for seed := range uint64(400) {
		p := Random(seed)
		switch seed % 5 {
		case 4:
			p = Timed(seed)
		case 3:
			p = Stencil(seed)
		case 2:
			p = WithSteps(seed)
		}
		if !p.wellFormed() {
			t.Fatalf("seed %d is not well-formed:\n%s", seed, p.Source(NewLayout(p, sizes)))
		}
		l := NewLayout(p, sizes)
		for _, size := range l.Sizes {
			err := p.execute(size, maxSteps, true, func(i *Instance) {
				instances++
				checkInside(t, p, l, i)
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if q := p.clone(); q.Source(l) != p.Source(l) {
			t.Fatalf("seed %d changes when it is written and read", seed)
		}
	}
	if instances < 20_000 {
		t.Errorf("only %d instances", instances)
	}
}

func checkInside(t *testing.T, p *Program, l Layout, i *Instance) {
	t.Helper()
	for _, touch := range i.Touches {
		if p.Array(touch.Array) == nil {
			continue
		}
		for k, x := range touch.Element {
			if x+l.Shifts[touch.Array][k] < 0 {
				t.Fatalf("%s %v is outside:\n%s", touch.Array, touch.Element, p.Source(l))
			}
		}
	}
}

// Execute visits the instances of a small program in order.
func TestExecute(t *testing.T) {
	i := variable("i")
	p := &Program{
		Arrays: []Array{{Name: "A", Type: "double", Dimensions: 1}},
		Body: []Node{{Loop: &Loop{
			Iterator: "i", Start: variable("N").plus(-1), Step: -2,
			Tests: []Condition{{Operator: ">=", Left: i, Right: constant(0)}},
			Body: []Node{{If: &If{
				Condition: Condition{Operator: "!=", Left: i, Right: constant(2)},
				Then: []Node{{Assignment: &Assignment{
					Target: Reference{"A", []Integer{i.plus(-3)}}, Operator: "+=",
					Values: []Value{{Factor: "0.5", Element: &Reference{"A", []Integer{{Terms: []Term{{Factor: 1, Quotient: &Quotient{i, "/", 2}}}}}}}},
				}}},
			}}},
		}}},
	}
	var got strings.Builder
	if err := p.Execute(Size{N: 7}, 100, func(i *Instance) { fmt.Fprintf(&got, "%v; ", *i) }); err != nil {
		t.Fatal(err)
	}
	want := "{0 [6] [{A [3] true true} {A [3] true false}]}; {0 [4] [{A [1] true true} {A [2] true false}]}; {0 [0] [{A [-3] true true} {A [0] true false}]}; "
	if got.String() != want {
		t.Errorf("got %s, want %s", got.String(), want)
	}
	if err := p.Execute(Size{N: 700}, 100, func(*Instance) {}); err == nil {
		t.Error("no error for a program that runs too long")
	}
	l := NewLayout(p, []Size{{N: 7}, {N: 2}})
	if text := p.Source(l); !strings.Contains(text, "for (int i = N - 1; i >= 0; i -= 2)") || !strings.Contains(text, "A[i] += 0.5 * A[(i / 2) + 3];") ||
		!strings.Contains(text, "double A[7]") {
		t.Error(text)
	}
}

// A loop with != that starts behind its end has no meaning.
func TestUndefined(t *testing.T) {
	p := &Program{Body: []Node{{Loop: &Loop{
		Iterator: "i", Start: constant(1), Step: 1, Tests: []Condition{{Operator: "!=", Left: variable("i"), Right: variable("N")}},
	}}}}
	for n, defined := range map[int]bool{0: false, 1: true, 5: true} {
		if err := p.Execute(Size{N: n}, 100, func(*Instance) {}); (err == nil) != defined {
			t.Errorf("N = %d: %v", n, err)
		}
	}
}

// Shrink finds the smallest program that still has a property.
func TestShrink(t *testing.T) {
	found := 0
	for seed := range uint64(60) {
		p := Random(seed)
		fails := func(q *Program) bool {
			text := q.Source(NewLayout(q, sizes))
			return strings.Contains(text, "+=") && strings.Contains(text, "j <")
		}
		if !fails(p) {
			continue
		}
		found++
		small := Shrink(p, fails, func() bool { return false })
		if text := small.Source(NewLayout(small, sizes)); !fails(small) || !small.wellFormed() || strings.Count(text, "\n") > 12 {
			t.Errorf("seed %d: left with\n%s", seed, text)
		}
	}
	if found < 5 {
		t.Errorf("only %d programs to shrink", found)
	}
}
