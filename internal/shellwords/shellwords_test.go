package shellwords

import (
	"reflect"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	for text, want := range map[string][]string{
		"":                            nil,
		"  -I a\t-lm\n":               {"-I", "a", "-lm"},
		`-DT='long double' -DU="a b"`: {"-DT=long double", "-DU=a b"},
		`a\ b "c\"d" 'e\f' "g\h"`:     {"a b", `c"d`, `e\f`, `g\h`},
		`"" ''x`:                      {"", "x"},
		"$HOME *.c":                   {"$HOME", "*.c"},
		"é 'ü'":                       {"é", "ü"},
	} {
		got, err := Split(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, %v instead of %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{`a "b`: `the quote " is not closed`, `'`: "the quote ' is not closed", `a\`: "a backslash ends the text"} {
		if _, err := Split(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v instead of %q", text, err, want)
		}
	}
}
