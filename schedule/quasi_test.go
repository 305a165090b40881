package schedule

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"polytune/internal/integer"
)

// at is the value of an expression.
func (q Quasi) at(iterators, parameters []int64) int64 {
	value := q.Row.At(iterators, parameters)
	for _, part := range q.Parts {
		value += part.Factor * integer.FloorDivide(part.Row.At(iterators, parameters), part.Size)
	}
	return value
}

// Expressions are read as what they say, and printed as what reads so.
func TestQuasi(t *testing.T) {
	names, parameters := []string{"i", "j"}, []string{"N"}
	floor, mod := integer.FloorDivide, func(a, n int64) int64 { return a - n*integer.FloorDivide(a, n) }
	for _, test := range []struct {
		text, printed string
		value         func(i, j, n int64) int64
	}{
		{"0", "0", func(i, j, n int64) int64 { return 0 }},
		{"2i - j + N - 3", "2i - j + N - 3", func(i, j, n int64) int64 { return 2*i - j + n - 3 }},
		{"-(i - 2*(j + 1))", "-i + 2j + 2", func(i, j, n int64) int64 { return -i + 2*j + 2 }},
		{"floor(i/8)", "floor(i/8)", func(i, j, n int64) int64 { return floor(i, 8) }},
		{"floord(i - j, 3)", "floor((i - j)/3)", func(i, j, n int64) int64 { return floor(i-j, 3) }},
		{"i mod 4", "i mod 4", func(i, j, n int64) int64 { return mod(i, 4) }},
		{"(i + N) % 4", "(i + N) mod 4", func(i, j, n int64) int64 { return mod(i+n, 4) }},
		{"floor(floor(i/4)/8)", "floor(i/32)", func(i, j, n int64) int64 { return floor(i, 32) }},
		{"3 floor(i/4) - floor(j/2) + i", "i + 3*floor(i/4) - floor(j/2)", func(i, j, n int64) int64 { return 3*floor(i, 4) - floor(j, 2) + i }},
		{"-floor(i/4)", "-floor(i/4)", func(i, j, n int64) int64 { return -floor(i, 4) }},
		{"-2*floor(i/4)", "-2*floor(i/4)", func(i, j, n int64) int64 { return -2 * floor(i, 4) }},
		{"i mod 4 + j mod 3", "i + j - 4*floor(i/4) - 3*floor(j/3)", func(i, j, n int64) int64 { return mod(i, 4) + mod(j, 3) }},
	} {
		q, err := parseQuasi(test.text, names, parameters)
		if err != nil {
			t.Fatalf("%s: %v", test.text, err)
		}
		printed := q.Text(names, parameters)
		again, err := parseQuasi(printed, names, parameters)
		if printed != test.printed || err != nil || again.Text(names, parameters) != printed {
			t.Errorf("%s is printed %s, and that %s (%v)", test.text, printed, again.Text(names, parameters), err)
		}
		random := rand.New(rand.NewPCG(1, 2))
		for range 20 {
			i, j, n := random.Int64N(80)-40, random.Int64N(80)-40, random.Int64N(80)
			if got, want := q.at([]int64{i, j}, []int64{n}), test.value(i, j, n); got != want {
				t.Errorf("%s at i = %d, j = %d, N = %d is %d, want %d", test.text, i, j, n, got, want)
			}
		}
	}
}

func TestBadQuasi(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "a term is missing",
		"i +":                       "a term is missing",
		"i j":                       "a product has a number on one side",
		"i * j":                     "a product has a number on one side",
		"x":                         `"x" is neither an iterator nor a parameter`,
		"floor(i)":                  `"/" is missing`,
		"floor(i/0)":                "0 is no number to divide by",
		"floor(i/x)":                `"x" is not a number`,
		"i mod 0":                   "0 is no number to divide by",
		"floor((i + floor(j/2))/3)": "quotients of sums of quotients",
		"(i":                        `")" is missing`,
		"i)":                        `")" was not expected`,
		"i @ 2":                     `"@" was not expected`,
		"70000i":                    "70000 is too large: a factor here is 65536 at most",
		"99999999999999999999":      "is not a number up to",
		"60000*(60000 i)":           "is too large",
		strings.Repeat("(", 1000):   "brackets are in each other",
	} {
		if _, err := parseQuasi(text, []string{"i", "j"}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

// The number of letters to be changed orders the names of a message.
func TestDistance(t *testing.T) {
	for pair, want := range map[[2]string]int{{"", ""}: 0, {"S1.k", "S1.k"}: 0, {"S1.k", "S1.x"}: 1, {"S1.k", "S1.kt"}: 1, {"abc", "c"}: 2, {"", "abc"}: 3, {"kitten", "sitting"}: 3} {
		if got := fmt.Sprint(distance(pair[0], pair[1]), distance(pair[1], pair[0])); got != fmt.Sprint(want, want) {
			t.Errorf("%v: %s", pair, got)
		}
	}
}
