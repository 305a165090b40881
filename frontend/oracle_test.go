package frontend

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"polytune/isl"
)

// expression is a random integer expression as C text and as its meaning. Go
// rounds division towards zero as C does.
type expression struct {
	text  string
	value func(i, j int) int
}

func (e expression) plus(c int) expression {
	return expression{fmt.Sprintf("%s + (%d)", e.text, c), func(i, j int) int { return e.value(i, j) + c }}
}

type generator struct{ *rand.Rand }

func (g generator) leaf(depth int) expression {
	c := g.IntN(9) - 4
	choices := []expression{
		{fmt.Sprintf("(%d)", c), func(int, int) int { return c }},
		{"i", func(i, _ int) int { return i }},
		{"j", func(_, j int) int { return j }},
	}
	return choices[g.IntN(1+depth)]
}

// value makes an expression over the outermost depth iterators.
func (g generator) value(depth, size int) expression {
	if size == 0 {
		return g.leaf(depth)
	}
	a, b := g.value(depth, size-1), g.value(depth, 0)
	c := g.IntN(4) + 2
	switch g.IntN(8) {
	case 0:
		return expression{fmt.Sprintf("(%s) / %d", a.text, c), func(i, j int) int { return a.value(i, j) / c }}
	case 1:
		return expression{fmt.Sprintf("(%s) %% %d", a.text, c), func(i, j int) int { return a.value(i, j) % c }}
	case 2:
		return expression{fmt.Sprintf("%d * (%s)", c, a.text), func(i, j int) int { return c * a.value(i, j) }}
	case 3:
		return expression{fmt.Sprintf("(%s < %s ? %s : %s)", a.text, b.text, a.text, b.text),
			func(i, j int) int { return min(a.value(i, j), b.value(i, j)) }}
	case 4:
		return expression{fmt.Sprintf("(%s < %s ? %s : %s)", a.text, b.text, b.text, a.text),
			func(i, j int) int { return max(a.value(i, j), b.value(i, j)) }}
	case 5:
		return expression{fmt.Sprintf("(%s) - (%s)", a.text, b.text), func(i, j int) int { return a.value(i, j) - b.value(i, j) }}
	default:
		return expression{fmt.Sprintf("(%s) + (%s)", a.text, b.text), func(i, j int) int { return a.value(i, j) + b.value(i, j) }}
	}
}

type truth struct {
	text  string
	holds func(i, j int) bool
}

func (g generator) truth(size int) truth {
	if size > 0 {
		a, b := g.truth(size-1), g.truth(size-1)
		switch g.IntN(4) {
		case 0:
			return truth{fmt.Sprintf("(%s) && (%s)", a.text, b.text), func(i, j int) bool { return a.holds(i, j) && b.holds(i, j) }}
		case 1:
			return truth{fmt.Sprintf("(%s) || (%s)", a.text, b.text), func(i, j int) bool { return a.holds(i, j) || b.holds(i, j) }}
		case 2:
			return truth{fmt.Sprintf("!(%s)", a.text), func(i, j int) bool { return !a.holds(i, j) }}
		}
	}
	a, b := g.value(2, g.IntN(2)), g.value(2, 0)
	operators := []string{"<", "<=", ">", ">=", "==", "!="}
	op := operators[g.IntN(len(operators))]
	return truth{fmt.Sprintf("%s %s %s", a.text, op, b.text), func(i, j int) bool { return compareInts(a.value(i, j), op, b.value(i, j)) }}
}

func compareInts(a int, op string, b int) bool {
	switch op {
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	case ">=":
		return a >= b
	case "==":
		return a == b
	}
	return a != b
}

// randomLoop is a for loop over the iterator name and the values it takes.
type randomLoop struct {
	text   string
	values func(i int) []int
}

func (g generator) loop(name string, depth int) randomLoop {
	step := g.IntN(3) + 1
	if g.IntN(2) == 0 {
		step = -step
	}
	start := g.value(depth, g.IntN(2))
	end, second := g.value(depth, g.IntN(3)).plus(4*step), g.value(depth, 0).plus(5*step)
	op := []string{"<", "<="}[g.IntN(2)]
	if step < 0 {
		op = []string{">", ">="}[g.IntN(2)]
	}
	header := fmt.Sprintf("for (int %s = %s; %s %s %s && %s %s %s; %s += %d)", name, start.text, name, op, end.text, second.text, reversed(op), name, name, step)
	return randomLoop{header, func(i int) []int {
		var values []int
		for v := start.value(i, 0); compareInts(v, op, end.value(i, 0)) && compareInts(v, op, second.value(i, 0)); v += step {
			values = append(values, v)
		}
		return values
	}}
}

// reversed is the operator that says the same with exchanged sides.
func reversed(op string) string {
	return map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<="}[op]
}

// nest is a random loop nest around one statement.
type nest struct {
	outer, inner randomLoop
	condition    truth
	subscript    expression
}

func (n nest) function(index int) string {
	return fmt.Sprintf("void f%d(void)\n{\n#pragma scop\n%s\n%s\nif (%s)\na[%s] = 0;\n#pragma endscop\n}\n",
		index, n.outer.text, n.inner.text, n.condition.text, n.subscript.text)
}

// points are the accesses of the nest in isl's syntax, found by running it.
func (n nest) points() []string {
	var points []string
	for _, i := range n.outer.values(0) {
		for _, j := range n.inner.values(i) {
			if n.condition.holds(i, j) {
				points = append(points, fmt.Sprintf("S0[%d, %d] -> a[%d]", i, j, n.subscript.value(i, j)))
			}
		}
	}
	return points
}

// TestRandomNests compares the extracted relation of random loop nests with
// the accesses found by running them.
func TestRandomNests(t *testing.T) {
	t.Parallel()
	g := generator{rand.New(rand.NewPCG(1, 2))}
	nests := make([]nest, 100)
	if os.Getenv("POLYTUNE_LONG") != "" {
		nests = make([]nest, 1000)
	}
	source := "int a[9];\n"
	for n := range nests {
		nests[n] = nest{g.loop("i", 0), g.loop("j", 1), g.truth(g.IntN(3)), g.value(2, g.IntN(3))}
		source += nests[n].function(n)
	}
	file, err := Parse("random.c", []byte(source), Options{})
	if err != nil {
		t.Fatal(err)
	}
	empty := 0
	for n, r := range file.Regions {
		points := nests[n].points()
		if len(points) == 0 {
			empty++
		}
		if got := accessText(t, r); !sameMap(t, got, points) {
			t.Errorf("program %d: got %s, want %s\n%s", n, got, strings.Join(points, "; "), nests[n].function(n))
		}
	}
	if empty > len(nests)/2 {
		t.Errorf("%d of %d programs do nothing", empty, len(nests))
	}
}

func accessText(t *testing.T, r Region) string {
	t.Helper()
	ctx := isl.NewContext()
	defer ctx.Close()
	m, err := r.Program.Model(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return m.Statements[0].Accesses[0].String()
}

func sameMap(t *testing.T, got string, points []string) bool {
	t.Helper()
	ctx := isl.NewContext()
	defer ctx.Close()
	want := ctx.ReadMap("{ S0[i, j] -> a[k] : false }")
	if len(points) > 0 {
		want = ctx.ReadMap("{ " + strings.Join(points, "; ") + " }")
	}
	same, err := ctx.ReadMap(got).IsEqual(want)
	if err != nil {
		t.Fatal(err)
	}
	return same
}
