package space

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var fourNames = []string{"S0", "S1", "S2", "S3"}

func TestNest(t *testing.T) {
	for _, test := range []struct{ text, drawing string }{
		{"0-1-1-2", "{S0} {S1 S2} {S3}"},
		{"0-0-1-1/0-1-0-0", "{{S0} {S1}} {{S2 S3}}"},
		{"0-0-0-0/1-0-1-0/0-1-1-0", "{{{S3} {S1}} {{S0} {S2}}}"},
		{"1-0-1-1/1-0-0-1/0-0-0-1", "{{{S1}}} {{{S2}} {{S0} {S3}}}"},
	} {
		n, err := ParseNest(test.text)
		if err != nil || n.String() != test.text || n.Drawing(fourNames) != test.drawing {
			t.Errorf("%s: got %v %q, %v; want %q", test.text, n, n.Drawing(fourNames), err, test.drawing)
		}
		for _, drawing := range []string{test.drawing, strings.NewReplacer(" ", "", "S", ", S").Replace(test.drawing)} {
			if m, err := ParseNestDrawing(drawing, fourNames); err != nil || m.String() != test.text {
				t.Errorf("%s: got %v, %v; want %s", drawing, m, err, test.text)
			}
		}
	}
}

func TestParseNestErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", `"" is not a class number`},
		{"0-0/", `"" is not a class number`},
		{"0-2/0-0", "statement 1 is in class 2"},
		{"0-0/0-0-0", "level 2 has 3 class numbers, but level 1 has 2"},
		{"0-1-1/0-1-1", "level 2, among statements {1 2} of one class of level 1"},
		{"0-1/0-1", "level 2, among statements {1} of one class of level 1"},
	} {
		if _, err := ParseNest(test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: got error %v, want %q", test.text, err, test.want)
		}
	}
	for _, test := range []struct{ text, want string }{
		{"", "S0 is missing"},
		{"{S0 S1 S2}", "S3 is missing"},
		{"{S0 S1} {S2 S3", "a closing brace is missing"},
		{"{S0 S1}} {S2 S3}", `"}" stands outside`},
		{"S0 {S1 S2 S3}", `"S0" stands outside`},
		{"{S0 S1} {S2 S4}", `no statement "S4"; there are S0 S1 S2 S3`},
		{"{S0 S1} {S1 S3}", "S1 stands there twice"},
		{"{{S0} S1} {{S2 S3}}", "S1 stands inside 1 pairs of braces, others inside 2"},
		{"{S0 S1} {} {S2 S3}", "no statement is in class 1"},
	} {
		if _, err := ParseNestDrawing(test.text, fourNames); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: got error %v, want %q", test.text, err, test.want)
		}
	}
}

// randomNest splits all classes at random, level after level.
func randomNest(random *rand.Rand, statements, depth int) Nest {
	var n Nest
	for range depth {
		level := make([]int, statements)
		for _, class := range n.Classes(statements) {
			part := make(Partition, len(class))
			for i := range part {
				part[i] = random.IntN(2)
			}
			for i, number := range part.Normalise() {
				level[class[i]] = number
			}
		}
		n = append(n, level)
	}
	return n
}

// What is inside the classes of a nest makes up the nest again; a
// restriction keeps who runs before whom and who shares what; drawings and
// vectors parse back.
func TestRandomNests(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	names := []string{"S0", "S1", "S2", "S3", "S4", "S5"}
	for range 300 {
		n := randomNest(random, 1+random.IntN(len(names)), 1+random.IntN(4))
		if err := n.Validate(); err != nil {
			t.Fatalf("%s: %v", n, err)
		}
		var inside []Nest
		for _, class := range n.Partition().Classes() {
			inside = append(inside, n.Inside(class))
		}
		if m := nestOf(n.Partition(), inside); m.Compare(n) != 0 || m.String() != n.String() {
			t.Errorf("%s was made up as %s", n, m)
		}
		if m, err := ParseNest(n.String()); err != nil || m.Compare(n) != 0 {
			t.Errorf("%s is read as %s, %v", n, m, err)
		}
		own := names[:len(n[0])]
		if m, err := ParseNestDrawing(n.Drawing(own), own); err != nil || m.Compare(n) != 0 {
			t.Errorf("%s is read as %s, %v", n.Drawing(own), m, err)
		}
		checkRestriction(t, n, random)
	}
}

func checkRestriction(t *testing.T, n Nest, random *rand.Rand) {
	t.Helper()
	var some []int
	for i := range n[0] {
		if random.IntN(2) == 0 {
			some = append(some, i)
		}
	}
	m := n.Restrict(some)
	for a, i := range some {
		for b, j := range some {
			if got, want := relation(m, a, b), relation(n, i, j); got != want {
				t.Errorf("%s restricted to %v is %s", n, some, m)
			}
		}
	}
}

// relation says at which level two statements part, and which one is earlier.
func relation(n Nest, i, j int) [2]int {
	for k, level := range n {
		if level[i] < level[j] {
			return [2]int{k, -1}
		}
		if level[i] > level[j] {
			return [2]int{k, 1}
		}
	}
	return [2]int{len(n), 0}
}

func TestNestsInOrder(t *testing.T) {
	var list []Nest
	for _, text := range []string{"0-0-0/0-0-0", "0-0-0/0-0-1", "0-0-1/0-0-0", "0-0-1/0-1-0", "0-1-0/0-0-1", "1-0-0/0-0-0", "1-0-0/0-0-1", "1-0-1/0-0-1", "1-0-1/1-0-0"} {
		n, err := ParseNest(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, n)
	}
	if !slices.IsSortedFunc(list, Nest.Compare) {
		t.Error("not sorted")
	}
	// The class that runs first counts before the textually first one.
	first, _ := ParseNest("1-0-1-0/0-0-1-0")
	second, _ := ParseNest("1-0-1-0/0-0-0-1")
	if first.Compare(second) != -1 {
		t.Errorf("%s must come before %s", first, second)
	}
}
