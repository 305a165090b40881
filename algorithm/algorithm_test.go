package algorithm

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// TestExpressions reads texts and writes them again, with the parentheses that they need.
func TestExpressions(t *testing.T) {
	t.Parallel()
	for _, test := range [][2]string{
		{"(in(i, j) + in(i, j + 1)) / 3", "(in(i, j) + in(i, j + 1)) / 3"},
		{"a+b*c", "a + b * c"},
		{"((a))-(b-c)", "a - (b - c)"},
		{"a - b - c", "a - b - c"},
		{"a and not b or c", "a && !b || c"},
		{"a < b && (c || d)", "a < b && (c || d)"},
		{"-(-a)", "-(-a)"},
		{"float(x) * 0.5f", "float32(x) * 0.5f"},
		{"select(a < 0, 0, a)", "select(a < 0, 0, a)"},
		{"a << 2 >> b & 1 | c ^ ~d", "a << 2 >> b & 1 | c ^ ~d"},
		{"1e3 + .5 + 10UL", "1e3 + .5 + 10UL"},
		{"f()", "f()"},
	} {
		e := expression(test[0])
		if got := e.String(); got != test[1] {
			t.Errorf("%q reads as %q, not %q", test[0], got, test[1])
		}
		if again := expression(e.String()); again.String() != e.String() {
			t.Errorf("%q reads as %q the second time", e, again)
		}
	}
}

// TestProblems has texts that are no expressions.
func TestProblems(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                               "the text ends",
		"a +":                            "the text ends",
		"(a":                             "a closing parenthesis is missing",
		"a b":                            `"b" is not expected`,
		"a < b < c":                      "do not chain",
		"f(a":                            "a comma or a closing parenthesis",
		"1.2.3":                          "is not expected",
		"0x10":                           "is no number",
		"float(a, b)":                    "takes one value",
		"select(a, b)":                   "takes a condition and two values",
		"a ? b : c":                      "is not expected; write select(",
		"a[i] + 1":                       "parentheses, a(i, j)",
		"a = 1":                          "equal is ==",
		"a @ b":                          "is not expected",
		strings.Repeat("(", 20000):       "inside each other",
		strings.Repeat("-", 30000) + "a": "too long",
	} {
		if e := expression(text); e.Op != OpProblem || !strings.Contains(e.Text, want) {
			t.Errorf("%.30q is %v %.80q, not a problem with %q", text, e.Op, e.Text, want)
		}
	}
	for _, value := range []any{0.5, nil, []int{1}, Expr{}} {
		if e := expression(value); e.Op != OpProblem {
			t.Errorf("%v is an expression", value)
		}
	}
}

// TestValuesAndTexts makes the same trees of values of Expr and of texts.
func TestValuesAndTexts(t *testing.T) {
	t.Parallel()
	f := New("f", "N")
	a := f.Input("a", Float32, "N")
	i := Name("i")
	for text, e := range map[string]Expr{
		"a(i + 1) * 2":                  a.At(i.Plus(1)).Times(2),
		"a(i - 1) / a(i)":               a.At("i - 1").Over(a.At(i)),
		"i % 3 == 0 && i >= 1 || i < 2": i.Modulo(3).Equals(0).And(i.AtLeast(1)).Or(i.Less(2)),
		"select(i > 0, -i, i)":          Select(i.Greater(0), i.Negated(), i),
		"clamp(i, 0, N - 1)":            Clamp(i, 0, Name("N").Minus(1)),
		"min(i, 3) + max(i, 4)":         Min(i, 3).Plus(Max(i, 4)),
		"int32(a(i))":                   Cast(Int32, a.At(i)),
		"!(i <= 3)":                     Not(i.AtMost(3)),
		"i << 1 | i >> 2 & 3 ^ i":       i.Left(1).BitOr(i.Right(2).BitAnd(3).BitXor(i)),
		"sqrtf(0.5f) != i":              Call("sqrtf", Number("0.5f")).Differs(i),
		"-5 + i":                        expression(-5).Plus(i),
	} {
		want, got := withoutPlaces(expression(text)), withoutPlaces(e)
		if got != want {
			t.Errorf("%s is %s, not %s", text, got, want)
		}
	}
}

// withoutPlaces is a tree as JSON, without the places in its text.
func withoutPlaces(e Expr) string {
	text, _ := json.Marshal(e)
	return regexp.MustCompile(`,"at":\d+`).ReplaceAllString(string(text), "")
}

// TestPlaces has expressions and what is wrong with texts know their places.
func TestPlaces(t *testing.T) {
	t.Parallel()
	e := expression("1 +  f(i,  g(j))*2")
	if f := e.Args[1].Args[0]; e.At != 1 || f.At != 6 || f.Args[1].At != 12 || f.Args[1].Args[0].At != 14 {
		t.Errorf("places are %+v", e)
	}
	if e := expression("a + b c"); e.Op != OpProblem || e.At != 7 {
		t.Errorf("the problem is %+v", e)
	}
}

// TestHeads reads the names and iterators of computations.
func TestHeads(t *testing.T) {
	t.Parallel()
	for head, want := range map[string]string{
		"bx[i, j]": "bx [i j] [] ", "s": "s [] [] ", "C[i]: C(N - 1 - i)": "C [i] [N - 1 - i] ",
		"[i]": "begins with no name", "bx[i": "is no name with iterators", "bx[i] j": "is not expected", "C[i]: D(i)": "behind the colon",
	} {
		var d Declaration
		d.takeHead(head)
		written := make([]string, len(d.Written))
		for k, e := range d.Written {
			written[k] = e.String()
		}
		got := d.Name + " " + "[" + strings.Join(d.Iterators, " ") + "] [" + strings.Join(written, ", ") + "] " + d.Problem
		if !strings.Contains(got, want) {
			t.Errorf("%q is %q, not %q", head, got, want)
		}
	}
}

// TestPositions has each declaration know its line, in helpers, too.
func TestPositions(t *testing.T) {
	t.Parallel()
	f := New("f", "N")
	func() { f.Input("a", Float32, "N") }()
	f.Output("a", "N")
	d := f.Description()
	if d.At.Line == 0 || d.Declarations[0].At.Line != d.At.Line+1 || d.Declarations[1].At.Line != d.At.Line+2 {
		t.Errorf("the lines are %v, %v and %v", d.At, d.Declarations[0].At, d.Declarations[1].At)
	}
	if !strings.HasSuffix(d.At.File, "algorithm_test.go") {
		t.Errorf("the file is %s", d.At.File)
	}
}
