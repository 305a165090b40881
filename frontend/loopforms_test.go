package frontend_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"polytune/frontend"
	"polytune/internal/kerneltest"
)

// loopForms are the ways in which people write a loop over V that has affine bounds, steps and ends;
// BODY stands in each, and K is a value that does not change in the loop.
var loopForms = []string{
	"for (V = 0; V < n; V++) { BODY }",
	"for (V = 0; V + 4 <= n; V += 4) { c[V]++; } for (; V < n; V++) { BODY }",
	"for (V = n; V; V--) { BODY }",
	"V = 0; while (V < n) { BODY V++; }",
	"V = n; while (V-- > 0) { BODY }",
	"for (V = 0; V < n; V++) { if (V > K) break; BODY }",
	"for (V = 0; V < n; V++) { BODY if (V >= K) break; }",
	"for (V = 0; V < n; V++) { if (V == K) continue; BODY }",
	"V = 0; while (V < n) { if (V > K) break; BODY V++; }",
	"for (V = 0; V < n; V++) { if (V > K) break; if (V == 4) break; BODY if (V == 2) continue; c[V + 20]++; }",
	"V = -1; while (++V < n) { if (V == K) continue; BODY }",
	"for (V = n; V--;) { BODY if (V <= K) break; }",
	"for (V = n - 2; V >= 0; V--) { c[V]++; } for (V++; V < n; V++) { BODY }",
	"for (V = 0, Vt = 3; V < n; V++, Vt++) { c[Vt] += V; BODY }",
	"for (V = n - 1, Vt = 0; V >= 0; V--, Vt += 2) { if (V < K) break; c[Vt] ^= V; BODY }",
	"for (V = 0; V <= 5 * ((n + 2) / 5); V++) { BODY }",
	"Vt = 1; for (V = 0; V < n; V++) { if (V == K) continue; c[Vt] += 3; BODY Vt++; }",
	"Vt = 2; for (V = 0; V < n; V++) { if (V > K) break; Vt++; c[Vt] += 5; BODY }",
	"Vt = 0; for (V = 0; V < n; Vt++, V++) { if (V == K) continue; c[Vt] += 5; BODY }",
}

// loopPair is a region of two forms: one behind the other, or the second inside the first. Both have
// the same variable where shared says so.
type loopPair struct {
	first, second  string
	inside, shared bool
}

// text is the region, which ends with a read of what the loops leave in their variables. What inner
// loops leave is not read.
func (p loopPair) text() string {
	v := "l"
	if !p.shared {
		v = "p"
	}
	first := strings.NewReplacer("K", "(n - 3)", "V", "l").Replace(p.first)
	second := strings.NewReplacer("K", "(n - 2)", "V", v).Replace(p.second)
	if p.inside {
		second = strings.NewReplacer("K", "l", "V", "p").Replace(p.second)
		inner := strings.Replace(second, "BODY", "c[l * 16 + p + 32] += p + 1;", 1)
		return "#pragma scop\n" + strings.Replace(first, "BODY", inner, 1) + " c[200] = l;\n#pragma endscop\n    p = pt = 0;"
	}
	first = strings.Replace(first, "BODY", "c[l + 16] += l;", 1)
	second = strings.Replace(second, "BODY", "c["+v+" + 17] -= "+v+" + 2;", 1)
	return "#pragma scop\n" + first + " c[201] = l; " + second + " c[200] = " + v + ";\n#pragma endscop"
}

// pairsOf are all pairs of forms, nested, behind each other, and with the same variable; every
// step-th of them, beginning with one.
func pairsOf(begin, step int) (pairs []loopPair) {
	k := 0
	for _, first := range loopForms {
		for _, second := range loopForms {
			for _, p := range []loopPair{{first: first, second: second, inside: true}, {first: first, second: second}, {first: first, second: second, shared: true}} {
				if k%step == begin {
					pairs = append(pairs, p)
				}
				k++
			}
		}
	}
	return pairs
}

// The forms of loops are read as loops two at a time: none is refused or one statement as a whole,
// and what they compute, and leave in their variables, stays. Long tests try all pairs.
func TestLoopForms(t *testing.T) {
	begin, step := 3, 23
	if kerneltest.Long() {
		begin, step = 0, 1
	}
	pairs := pairsOf(begin, step)
	const perProgram = 75
	for from := 0; from < len(pairs); from += perProgram {
		t.Run(fmt.Sprint(from), func(t *testing.T) {
			t.Parallel()
			checkLoopPairs(t, pairs[from:min(len(pairs), from+perProgram)])
		})
	}
}

func checkLoopPairs(t *testing.T, pairs []loopPair) {
	var texts []string
	for _, p := range pairs {
		texts = append(texts, p.text())
	}
	source := programOf("int l = 1, p = 2, lt = 3, pt = 4;", texts, "return ((l * 20 + p) * 20 + lt) * 20 + pt;")
	folder := t.TempDir()
	path := filepath.Join(folder, "original.c")
	file, err := frontend.Parse(path, []byte(source), frontend.Options{Each: true})
	if err != nil {
		t.Fatal(err)
	}
	code := *file
	for number := len(pairs) - 1; number >= 0; number-- {
		region := &file.Regions[number]
		if region.Refused != nil {
			t.Errorf("%s\nis refused: %v", texts[number], region.Refused)
			continue
		}
		deepest := 0
		for _, s := range region.Program.Statements {
			deepest = max(deepest, len(s.Iterators()))
		}
		if want := map[bool]int{false: 1, true: 2}[pairs[number].inside]; deepest != want {
			t.Errorf("%s\nhas statements in %d loops, want %d", texts[number], deepest, want)
		}
		code.Source = transformRegion(t, &code, number, partitionsOf(path)[0])
	}
	variant := filepath.Join(folder, "variant.c")
	for name, text := range map[string][]byte{path: []byte(source), variant: code.Source} {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, got := run(t, build(t, path, "-O0", "-w").executable), run(t, build(t, variant, "-O1", "-w").executable)
	others := bytes.Split(got, []byte("\n"))
	wrong := map[string]bool{}
	for k, line := range bytes.Split(want, []byte("\n")) {
		name, _, _ := strings.Cut(string(line), " ")
		if (k >= len(others) || !bytes.Equal(line, others[k])) && !wrong[name] {
			wrong[name] = true
			var number int
			fmt.Sscanf(name, "f%d", &number)
			t.Errorf("function, n and values are %s, want %s, in\n%s", others[min(k, len(others)-1)], line, texts[number])
		}
	}
}
