package space

import (
	"strings"
	"testing"
)

func TestPartition(t *testing.T) {
	names := []string{"S0", "S1", "S2", "S3"}
	for _, test := range []struct{ text, drawing string }{
		{"0-1-1-2", "{S0} {S1 S2} {S3}"},
		{"0-0-0-0", "{S0 S1 S2 S3}"},
		{"3-1-0-2", "{S2} {S1} {S3} {S0}"},
		{"0", "{S0}"},
	} {
		p, err := Parse(test.text)
		if err != nil || p.String() != test.text || p.Drawing(names) != test.drawing {
			t.Errorf("%s: got %v %q, %v; want %q", test.text, p, p.Drawing(names), err, test.drawing)
		}
	}
	if got := (Partition{0, 1}).Drawing(nil); got != "{0} {1}" {
		t.Errorf("without names: %q", got)
	}
}

func TestParseErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", `"" is not a class number`},
		{"0--1", `"" is not a class number`},
		{"-1", `"" is not a class number`},
		{"0-x", `"x" is not a class number`},
		{"0-99999999999999999999", "is not a class number"},
		{"0-2", "statement 1 is in class 2"},
		{"0-2-2", "no statement is in class 1"},
		{"1-1", "no statement is in class 0"},
	} {
		if _, err := Parse(test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: got error %v, want %q", test.text, err, test.want)
		}
	}
}

func TestNormalise(t *testing.T) {
	for _, test := range []struct{ from, to Partition }{
		{Partition{3, 7, 3}, Partition{0, 1, 0}},
		{Partition{5, -2, 1, 1}, Partition{2, 0, 1, 1}},
		{Partition{}, Partition{}},
	} {
		if got := test.from.Normalise(); got.Compare(test.to) != 0 {
			t.Errorf("%v: got %v, want %v", test.from, got, test.to)
		}
	}
}
