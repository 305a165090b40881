package space

import (
	"strings"
	"testing"
)

// A drawing and a vector of the same partition are read as the same.
func TestDrawingsReadBack(t *testing.T) {
	names := statementNames(5)
	for _, p := range weakOrders(5) {
		for _, text := range []string{p.String(), p.Drawing(names), strings.ReplaceAll(p.Drawing(names), " ", ","),
			strings.ReplaceAll(p.Drawing(names), "} {", "}{"), "  " + strings.ReplaceAll(p.Drawing(names), "S", " \tS") + " ,"} {
			got, err := ParsePartition(text, names)
			if err != nil || got.Compare(p) != 0 {
				t.Fatalf("%q: got %v, %v; want %v", text, got, err, p)
			}
		}
	}
}

func TestBadDrawings(t *testing.T) {
	names := statementNames(3)
	for _, test := range []struct{ text, want string }{
		{"{S0 S1}", "statement S2 is in no class"},
		{"{S0 S1} {S2 S0}", "statement S0 is in two classes"},
		{"{S0 S0} {S1 S2}", "S0 is in two classes or twice in one"},
		{"{S0} {} {S1 S2}", "class 1 is empty"},
		{"{S0} {,} {S1 S2}", "class 1 is empty"},
		{"{S0} S1 {S2}", "\"S1 {S2}\" is outside of braces"},
		{"{S0} {S1 {S2}", "the brace at \"{S1 {S2}\" is not closed"},
		{"{S0} {S1 S2", "the brace at \"{S1 S2\" is not closed"},
		{"{S0} } {S1 S2}", "outside of braces"},
		{"{S0 S3} {S1 S2}", "there is no statement S3; the program has S0 to S2"},
		{"", "not a class number"},
		{"0-1", "2 class numbers, but the program has 3 statements"},
	} {
		if p, err := ParsePartition(test.text, names); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: got %v, %v; want %q", test.text, p, err, test.want)
		}
	}
	if _, err := ParseDrawing("{S0}", nil); err == nil || !strings.Contains(err.Error(), "the program has none") {
		t.Errorf("a program without statements: %v", err)
	}
}
