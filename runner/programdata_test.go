package runner

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"polytune/frontend"
)

// dataHead declares data of many types and lifetimes.
const dataHead = `#include <stdlib.h>
#include <stdio.h>
enum colour { RED, GREEN, BLUE };
struct inner { char tag; double v[2]; };
struct particle { char kind; double x; struct inner in; void *owner; _Bool alive; };
static long double wide[6];
static unsigned char bytes[6];
static enum colour colours[6];
static int histogram[8];
const int bins[6] = {1, 7, 1, 3, 3, 3};
`

// TestProgramData watches data of all kinds: the mistake that follows the
// region's own code must be found.
func TestProgramData(t *testing.T) {
	for _, c := range []struct{ name, declarations, region, mistake, want string }{
		{"long double", "", "for (int i = 0; i < 6; i++) wide[i] = wide[i] + i / 3.0L;", "wide[5] += 1e-19L;", "wrong result: wide[5] is bytes"},
		{"imaginary parts", "float _Complex z[3][2];", "for (int i = 0; i < 3; i++) for (int j = 0; j < 2; j++) z[i][j] = i + 2.0fi * j;", "__imag__ z[2][1] = 5;", "__imag__(z[2][1]) is 5, expected 2"},
		{"bytes", "", "for (int i = 0; i < 6; i++) bytes[i] = bytes[i] + 250;", "bytes[4] = 255;", "bytes[4] is 255, expected 250"},
		{"enumeration", "", "for (int i = 0; i < 6; i++) colours[i] = BLUE;", "colours[0] = RED;", "colours[0] is 0, expected 2"},
		{"structs on the heap, with padding and pointers", "struct particle *restrict p = malloc(6 * sizeof *p); for (int i = 0; i < 6; i++) { p[i].kind = 'k'; p[i].x = 1; p[i].in.tag = 't'; p[i].in.v[0] = p[i].in.v[1] = 0; p[i].owner = &p[i]; p[i].alive = 1; }",
			"for (int i = 1; i < 6; i++) p[i].in.v[1] = p[i].x + i;", "p[3].in.v[1] = 5;", "p[3].in.v[1] is 5, expected 4 after execution 1 of the region (1 of 5 elements of p.in.v differ)"},
		{"structs that are assigned as a whole", "struct particle p[3]; p[0].kind = 'k'; p[0].x = 1; p[0].in.tag = 't'; p[0].in.v[0] = p[0].in.v[1] = 0; p[0].owner = p; p[0].alive = 1;",
			"for (int i = 1; i < 3; i++) p[i] = p[0];", "p[2].in.tag = 'u';", "p[2].in.tag is 117, expected 116 after execution 1 of the region (1 of 2 elements of p.in.tag differ)"},
		{"a struct", "struct inner s = {'a', {0, 0}};", "for (int i = 0; i < 2; i++) s.v[i] = i + 1;", "s.v[1] = 0;", "s.v[1] is 0, expected 2"},
		{"array of variable length", "int n = 5; double v[n][n + 1];", "for (int i = 0; i < n; i++) for (int j = 0; j <= n; j++) v[i][j] = i * 10 + j;", "v[4][5] = 0;", "v[4][5] is 0, expected 45"},
		{"pointer to arrays", "int n = 4; float (*a)[3] = malloc(sizeof(float) * 12);", "for (int i = 0; i < n; i++) for (int j = 0; j < 3; j++) a[i][j] = i + j;", "a[3][2] = 0;", "a[3][2] is 0, expected 5"},
		{"unknown subscripts", "", "for (int i = 0; i < 6; i++) histogram[bins[i]]++;", "histogram[3]--;", "histogram[3] is 2, expected 3"},
		{"unknown condition", "double limit = 0.5, y[6] = {0, 1, 0, 1}, z[6] = {0};", "for (int i = 0; i < 6; i++) if (y[i] > limit) z[i] = y[i];", "z[1] = 0;", "z[1] is 0, expected 1"},
		{"memory without a value", "double *restrict m = malloc(6 * sizeof *m); { char *other = malloc(48); for (int i = 0; i < 48; i++) other[i] = (char) i; free(other); } double *restrict z = malloc(48);",
			"for (int i = 0; i < 6; i++) if (bins[i] > 2) { m[i] = 1; z[i] = 2; }", "m[1] = 0; z[0] = 1;", "m[1] is 0, expected 1"},
		{"every second element, from the end", "double *q = calloc(20, 8);", "for (int i = 9; i >= 0; i--) q[2 * i + 1] = i;", "q[0] = 7; q[5] = 0;", "q[5] is 0, expected 2 after execution 1 of the region (1 of 10 elements of q differ)"},
		{"inside a loop", "double total = 0; for (int t = 0; t < 3; t++) {", "for (int i = 0; i < 6; i++) total += i * t;", "total += t == 2;", "total is 46, expected 45 after execution 3"},
		{"memory of malloc", "int *h = malloc(8 * sizeof *h);", "for (int i = 0; i < 6; i++) h[bins[i]] = i;", "h[6] = 9;", "h[6] is 9, expected 0"},
		{"memory of realloc, inside a block", "long *h = realloc(calloc(1, 99), 9 * sizeof *h); for (int i = 0; i < 9; i++) h[i] = i; h++;", "for (int i = 0; i < 6; i++) h[bins[i]] = i;", "h[6] = 9; h[7] = 9;", "h[6] is 9, expected 7"},
		{"rows in one subscript", "int m = 4, *restrict h = malloc(3 * m * sizeof *h);", "for (int i = 0; i < 2; i++) for (int j = 0; j < m; j++) h[i * m + j] = h[bins[i + j]] + 1; for (int i = 0; i < 6; i++) h[bins[i]]++;", "h[11] = 9;", "h[11] is 9, expected 0"},
		{"rows of malloc", "double (*m)[2] = malloc(8 * sizeof *m);", "for (int i = 0; i < 6; i++) m[bins[i]][1] = i;", "m[7][0] = 9;", "m[7][0] is 9, expected 0"},
		{"members of malloc", "struct particle *restrict p = calloc(8, sizeof *p);", "for (int i = 0; i < 6; i++) p[bins[i]].in.v[1] = i;", "p[7].in.v[1] = 9;", "p[7].in.v[1] is 9, expected 1"},
		{"names that are used for visits", "int c0 = 6, i0 = 1; double c1[6];", "for (int i = 0; i < c0; i++) c1[i] = i0;", "c1[2] = 0;", "c1[2] is 0, expected 1"},
		{"NaN of either sign", "double y[3], zero = argc - 1;", "for (int i = 0; i < 3; i++) y[i] = zero / zero;", "y[0] = -y[0]; y[2] = 0;", "y[2] is 0, expected NaN"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			source := dataHead + "int main(int argc, char **argv)\n{\n  " + c.declarations + "\n#pragma scop\n  " + c.region + "\n#pragma endscop\n" +
				strings.Repeat("}", strings.Count(c.declarations, "{")-strings.Count(c.declarations, "}")) + "  return argc < 1 || !argv;\n}\n"
			p := newProgram(t, source, 0, ProgramOptions{}, Subject{})
			request := RunRequest{Limit: 20 * time.Second}
			reference, err := p.reference(t, request)
			if err != nil {
				t.Fatal(err)
			}
			err = Compare(reference, dump(t, build(t, p.Builder, p.variant("{ "+c.region+" "+c.mistake+" }\n"), true), request))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// TestProgramRefused: what cannot be compared is refused, and the user told
// what to change.
func TestProgramRefused(t *testing.T) {
	for _, c := range []struct{ name, declarations, region, want string }{
		{"union", "union { double d; long l; } u[6];", "for (int i = 0; i < 6; i++) u[i].d = i;", "only numbers, and structs of numbers without unions and bit-fields, can be compared"},
		{"nothing left", "", "for (int i = 0; i < 6; i++) { double t; t = i; }", "writes nothing that outlives it"},
		{"name of ours", "double polytune_region_x[6];", "for (int i = 0; i < 6; i++) polytune_region_x[i] = i;", "uses the name polytune_region_x; rename it"},
	} {
		source := dataHead + "int main(void)\n{\n  " + c.declarations + "\n#pragma scop\n  " + c.region + "\n#pragma endscop\n  return 0;\n}\n"
		file, err := frontend.Parse("prog.c", []byte(source), frontend.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if _, err := NewProgram(file, &file.Regions[0], ProgramOptions{}); err == nil || !strings.Contains(err.Error(), "prog.c") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

// TestProgramMessages: the compiler's messages name the places in the user's
// file, before, in and behind the region.
func TestProgramMessages(t *testing.T) {
	source := loopHead + "#ifdef LATE\nint main(void) { region(); return late; }\n#else\nint main(void) { region(); return 0; }\n#endif\n"
	p := newProgram(t, source, 0, ProgramOptions{}, Subject{})
	path := filepath.Join(p.folder, "prog.c")
	last := 1 + strings.Count(loopHead, "\n") + 1
	for _, c := range []struct{ source, want string }{
		{"#define LATE\n" + source, fmt.Sprintf("prog.c:%d:", last)},
		{strings.Replace(source, "x[i] * 2", "y[i] * 2", 1), "prog.c:12:"},
		{p.variant("\n\n  oops = 1;\n"), "prog.c (the region as polytune changed it):3:"},
	} {
		text := c.source
		if strings.HasPrefix(text, "#define") {
			p.options.Preprocessor, text = []string{"-DLATE"}, source
		}
		if strings.Contains(text, "y[i]") {
			p.program.source, p.program.original = text, text
		}
		_, err := p.Build(t.Context(), Job{Source: text})
		var failure *CompileError
		if !errors.As(err, &failure) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), filepath.Dir(path)) {
			t.Errorf("error %v, want one at %q", err, c.want)
		}
		p.options.Preprocessor, p.program.source, p.program.original = nil, source, source
	}
}

// TestProgramDumpBudget: executions behind the budget are compared by their
// hashes.
func TestProgramDumpBudget(t *testing.T) {
	source := loopHead + "int main(void)\n{\n  for (int k = 0; k < 5; k++)\n    region();\n  return 0;\n}\n"
	p := newProgram(t, source, 0, ProgramOptions{DumpBytes: 600}, Subject{})
	request := RunRequest{Limit: 20 * time.Second}
	reference, err := p.reference(t, request)
	if err != nil {
		t.Fatal(err)
	}
	variant := build(t, p.Builder, p.variant("{ static int k; k++; for (int i = 0; i < n; i++) x[i] = x[i] * 2 + 1 + (k == atoi(getenv(\"WRONG\"))); }"), true)
	for wrong, want := range map[string]string{"0": "", "1": "x[0] is 2, expected 1 after execution 1 of the region (20 of 20", "4": "wrong result: x differs after execution 4 of the region"} {
		request.Env = []string{"WRONG=" + wrong}
		err := Compare(reference, dump(t, variant, request))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("wrong in execution %s: error %v, want %q", wrong, err, want)
		}
	}
}
