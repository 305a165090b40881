package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
)

// likeness says what the C from a program in Go has in common with that from the benchmark in C, by the
// same recipe.
type likeness int

const (
	// sameText is the same text, but for names of loops' variables that the function declares, brackets
	// and spaces: macros are written out.
	sameText likeness = iota
	// sameLoops are the same loops, conditions and pragmas: statements say the same in other words.
	sameLoops
)

// algorithmTexts are the programs whose computations are the statements of the benchmark, in its nests. In
// the benchmarks conv, conv2d and vgg-block what sums begin with stands in the nest of the sum.
var algorithmTexts = map[string]likeness{
	"baryon": sameText, "cvtcolor": sameText, "edge-detector": sameText, "gaussian": sameText, "ticket-2373": sameText, "sgemm": sameText,
	"hpcg": sameLoops, "nb": sameLoops, "warp-affine": sameLoops,
}

// TestAlgorithmTexts has nothing to be lost by writing an algorithm in Go: its C is that of the benchmark.
func TestAlgorithmTexts(t *testing.T) {
	t.Parallel()
	gcc := findProgram(t, "gcc")
	folder := t.TempDir()
	for name, how := range algorithmTexts {
		if !kerneltest.Long() && !slices.Contains([]string{"baryon", "gaussian", "nb"}, name) {
			continue // the others say the same of other loops
		}
		program, err := filepath.Abs(filepath.Join("..", "..", "examples", "algorithms", name))
		if err != nil {
			t.Fatal(err)
		}
		recipe, codes := filepath.Join(folder, name+".r"), [2]string{filepath.Join(folder, name+".go.c"), filepath.Join(folder, name+".c")}
		naive := tunePrints(t, "transform", program, "--naive")
		var document struct{ Recipe string }
		if err := json.Unmarshal([]byte(tunePrints(t, "transform", program, "--json", "-o", codes[0])), &document); err != nil {
			t.Fatal(err)
		}
		text := byNumbers(document.Recipe, statementsOf(naive))
		if err := os.WriteFile(recipe, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		function := strings.ReplaceAll(name, "-", "_")
		var bodies [2]string
		tunePrints(t, "transform", "--bench", "tiramisu/"+name, "--recipe", recipe, "-o", codes[1])
		for k, code := range codes {
			out, err := exec.CommandContext(t.Context(), gcc, "-E", "-P", "-fopenmp", "-w", code).Output()
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			bodies[k] = bodyOf(string(out), function)
		}
		parts := wordsIn
		if how == sameLoops {
			parts = loopsIn
		}
		got, want := parts(bodies[0]), parts(bodies[1])
		if !slices.Equal(got, want) || len(want) == 0 {
			t.Errorf("%s: from Go\n%s\nfrom C\n%s\nby\n%s", name, bodies[0], bodies[1], text)
		}
	}
}

// tunePrints is what a command prints.
func tunePrints(t *testing.T, arguments ...string) string {
	t.Helper()
	command, stdout, stderr := tuneCommand(t.TempDir(), arguments...)
	if err := command.Run(); err != nil {
		t.Fatalf("tune %s: %v\n%s", strings.Join(arguments, " "), err, stderr)
	}
	return stdout.String()
}

// statementsOf are the names in a pragma of a C text.
func statementsOf(text string) []string {
	_, rest, _ := strings.Cut(text, "#pragma scop statements(")
	list, _, _ := strings.Cut(rest, ")")
	return strings.Split(list, ", ")
}

// byNumbers is a recipe with S0, S1 and so on for statements of these names.
func byNumbers(recipe string, names []string) string {
	words := regexp.MustCompile(`[\w.]+(\[)?`)
	return words.ReplaceAllStringFunc(recipe, func(word string) string {
		if k := slices.Index(names, word); k >= 0 {
			return "S" + string(rune('0'+k))
		}
		return word
	})
}

// bodyOf is the body of a function in C, with or without the benchmark's kernel_ in front of its name.
func bodyOf(text, function string) string {
	at := regexp.MustCompile(`\b(kernel_)?` + function + `\s*\(`).FindStringIndex(text)
	if at == nil {
		return ""
	}
	start := at[1] + strings.Index(text[at[1]:], "{")
	depth := 0
	for k := start; k < len(text); k++ {
		switch text[k] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return text[start : k+1]
			}
		}
	}
	return ""
}

var (
	declared = regexp.MustCompile(`(?m)^\s*int \w+(, \w+)*;|\(void\) \w+;|\bfor \(int `)
	inCode   = regexp.MustCompile(`#pragma.*|\w+|[^\s(){}]`)
)

// wordsIn are the words of a function's body.
func wordsIn(body string) []string {
	body = declared.ReplaceAllStringFunc(body, func(found string) string {
		if strings.HasPrefix(found, "for") {
			return "for ("
		}
		return ""
	})
	return inCode.FindAllString(body, -1)
}

// loopsIn are the lines of a function's body with loops, conditions and pragmas.
func loopsIn(body string) (lines []string) {
	for _, line := range strings.Split(body, "\n") {
		if line = strings.Trim(line, " {}"); strings.HasPrefix(line, "for (") || strings.HasPrefix(line, "if (") || strings.HasPrefix(line, "#pragma") {
			lines = append(lines, line)
		}
	}
	return lines
}
