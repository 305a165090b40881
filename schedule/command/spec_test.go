package command

import (
	"os"
	"strings"
	"testing"
)

// Each command says all that there is to be said of it, and its example is written as its syntax
// says. Language.Add has made sure that it has the fields that the syntax names.
func TestSpecs(t *testing.T) {
	if len(All) < 36 {
		t.Errorf("there are %d commands", len(All))
	}
	for word, s := range All {
		if s.Syntax == "" || s.Doc == "" || s.New == nil || s.Random == nil || s.Say == nil {
			t.Errorf("%s: not all is said in %+v", word, s)
		}
		if first, _, _ := strings.Cut(s.Example, " "); first != word || s.Word() != word {
			t.Errorf("%s: the example %q", word, s.Example)
		}
	}
}

// Lines that are not written as the syntax says are errors that say how it is, and no panic.
func TestUsage(t *testing.T) {
	p := gemm()
	for line, want := range map[string]string{
		"tile c0.1":                       "tiling is written: tile LOOPS by SIZES [as NAMES]; for example tile c0.1 c0.2 by 32 32 as i0 j0 i1 j1",
		"tile by 32":                      "tiling is written",
		"tile c0.1 by x":                  `the size "x" is not a number`,
		"untile c0.1":                     "loops without the source's own over tiles is written: untile",
		"sink":                            "is written: sink LOOP; for example sink c0.2",
		"sink c0.1 c0.2":                  "is written: sink LOOP",
		"threads c0.1 from 0":             "0 is not a number from 1 on",
		"threads c0.1 from 4 of":          "what is too short for several threads is written",
		"threads c0.1 from 4 of Q":        "Q",
		"registers c0.1 by 4 ahead apart": "register blocks is written",
		"registers c0.1 by 4 lanes":       "register blocks is written",
		"relay c0.1 hands c0.2":           "[ahead]",
		"overlap c0.1 by 2":               "a loop in vectors that overlap is written: overlap LOOP [by COUNT] lanes COUNT",
		"pack S0 C[i][j] in c0.1":         "packing is written: pack STATEMENT REFERENCE at|around LOOP",
		"diamond c0.1 S0[i, j] -> [i, j]; S1[i, j, k] -> [i, j]": "one row for each statement, not 2",
		"classes":     "the classes of a partition is written",
		"parallel":    "is written: parallel LOOP CLAUSES",
		"expand":      "is written: expand ROOM",
		"polish c0.1": `there is no command "polish"; there are after, allocate, atomics, band, barrier, before`,
	} {
		if _, err := Parse(p, line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", line, err, want)
		}
	}
}

// A command is in the file of its word.
func TestFileOfEachCommand(t *testing.T) {
	for word := range All {
		text, err := os.ReadFile(word + ".go")
		if err != nil || !strings.Contains(string(text), `"`+word) {
			t.Errorf("%s is not in %s.go (%v)", word, word, err)
		}
	}
}
