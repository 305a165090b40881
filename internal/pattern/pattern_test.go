package pattern

import (
	"regexp"
	"testing"
)

// In a test a wrong pattern is found where it is written, elsewhere at its first use.
func TestNew(t *testing.T) {
	t.Parallel()
	if !isTest {
		t.Error("a test does not know that it is one")
	}
	defer func() {
		if recover() == nil {
			t.Error("a wrong pattern was not found")
		}
	}()
	New("(")
}

// The methods are those of regexp.Regexp.
func TestMethods(t *testing.T) {
	t.Parallel()
	const text = `a(b*)`
	p, want := New(text), regexp.MustCompile(text)
	for _, in := range []string{"xabbaby", "a", "none", ""} {
		for k, pair := range [][2]any{
			{p.MatchString(in), want.MatchString(in)}, {p.Match([]byte(in)), want.Match([]byte(in))}, {p.FindString(in), want.FindString(in)},
			{len(p.Split(in, -1)), len(want.Split(in, -1))}, {len(p.FindStringIndex(in)), len(want.FindStringIndex(in))},
			{len(p.FindStringSubmatch(in)), len(want.FindStringSubmatch(in))}, {len(p.FindStringSubmatchIndex(in)), len(want.FindStringSubmatchIndex(in))},
			{len(p.FindSubmatch([]byte(in))), len(want.FindSubmatch([]byte(in)))}, {len(p.FindAllString(in, 1)), len(want.FindAllString(in, 1))},
			{len(p.FindAllStringSubmatch(in, -1)), len(want.FindAllStringSubmatch(in, -1))}, {p.ReplaceAllString(in, "<$1>"), want.ReplaceAllString(in, "<$1>")},
			{p.ReplaceAllStringFunc(in, func(s string) string { return s + s }), want.ReplaceAllStringFunc(in, func(s string) string { return s + s })},
		} {
			if pair[0] != pair[1] {
				t.Errorf("%q, method %d: %v, want %v", in, k, pair[0], pair[1])
			}
		}
	}
	if p.Regexp().String() != text {
		t.Error("another expression")
	}
}
