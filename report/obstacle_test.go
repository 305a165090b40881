package report

import (
	"strings"
	"testing"
)

// TestObstacleTexts has what no program of the tests of tune explain shows.
func TestObstacleTexts(t *testing.T) {
	at := func(statement, text string, line int) ReferenceExplanation {
		return ReferenceExplanation{Statement: statement, File: "f.c", Line: line, Column: 5, Text: text}
	}
	a, b := at("S0", "a[i]", 3), at("S1", "a[i - 2]", 4)
	for want, o := range map[string]ObstacleExplanation{
		"a[i] (f.c:3:5) writes what a[i - 2] (f.c:4:5) reads afterwards; nothing frees it":              {Kind: "RAW", Source: a, Target: b, Because: ForValues},
		"a[i] (f.c:3:5) writes what a[i - 2] (f.c:4:5) reads 2 iterations of i later; nothing frees it": {Kind: "RAW", Source: a, Target: b, Because: ForValues, Iterator: "i", Distance: 2},
		"a[i] (f.c:3:5) writes what a[i - 2] (f.c:4:5) overwrites in a later iteration of t; no value":  {Kind: "WAW", Source: a, Target: b, Because: ForOverwriting, Iterator: "t"},
		"iterations of i update a[i] (f.c:3:5) and a[i - 2] (f.c:4:5), a product":                       {Kind: "RAW", Source: a, Target: b, Because: ForValues, Iterator: "i", Reduction: "*"},
		"each iteration of i updates a[i] (f.c:3:5), a minimum; free with --reassociate or --expand":    {Kind: "RAW", Source: a, Target: a, Because: ForValues, Iterator: "i", Reduction: "min", FreedBy: []string{"--reassociate", "--expand"}},
		"a[i - 2] (f.c:4:5) uses the memory of a[i] (f.c:3:5) again in the next iteration of j, for":    {Kind: "WAR", Source: a, Target: b, Because: ForMemory, Iterator: "j", Distance: 1},
		"a[i - 2] (f.c:4:5) may be the element of a[i] (f.c:3:5) in a later iteration of j: which elem": {Kind: "WAR", Source: a, Target: b, Because: ForUnknown, Iterator: "j"},
	} {
		if lines := obstacleLines([]ObstacleExplanation{o}); len(lines) != 1 || !strings.HasPrefix(lines[0], want) {
			t.Errorf("%q, want %q", lines, want)
		}
	}
	many := []ObstacleExplanation{{Array: "a"}, {Array: "b"}, {Array: "c"}, {Array: "p.d"}}
	if lines := obstacleLines(many); len(lines) != 3 || lines[2] != "and 2 more, through c, p.d" {
		t.Errorf("%q", lines)
	}
}

// TestHintTexts has remedies that belong together, and hints without one.
func TestHintTexts(t *testing.T) {
	obstacle := ObstacleExplanation{Array: "t", Kind: "WAR", Because: ForMemory, Iterator: "i", Source: ReferenceExplanation{File: "f.c", Line: 1, Column: 2, Text: "t"}, Target: ReferenceExplanation{File: "f.c", Line: 3, Column: 4, Text: "t"}}
	const begins = "f.c:3:4: t uses the memory of t (f.c:1:2) again in a later iteration of i, for other values"
	for want, h := range map[string]Hint{
		begins + "; no flag of tune frees it": {Obstacle: obstacle},
		begins + ", beside s; with --expand --reassociate it runs on threads (memory; rounding)": {Obstacle: obstacle, Others: []ObstacleExplanation{{Array: "s"}},
			Remedies: []Remedy{Remedy{Flags: "--expand", Price: "memory", Gain: GainThreads}.With("--reassociate", "rounding")}},
		begins + "; declare it inside, and use --reassociate: it runs in SIMD lanes (rounding)": {Obstacle: obstacle,
			Remedies: []Remedy{Remedy{Change: "declare it inside", Gain: GainVectors}.With("--reassociate", "rounding")}},
		"f.c:7:1: slow; change it: the compiler makes vectors of 2 more loops": {Compiler: &CompilerHint{File: "f.c", Line: 7, Column: 1, Why: "slow", Loops: 2},
			Remedies: []Remedy{{Change: "change it", Gain: GainVectors}}},
	} {
		if got := h.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
