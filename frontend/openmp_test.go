package frontend

import (
	"strings"
	"testing"
)

// parseRegion is the one region of a function with some lines of text in it.
func parseRegion(t *testing.T, lines ...string) (*File, *Region) {
	t.Helper()
	source := "void f(int n, double a[n], double b[n], double s)\n{\n" + strings.Join(lines, "\n") + "\n}\n"
	file, err := Parse("x.c", []byte(source), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return file, &file.Regions[0]
}

// TestPragmasInFront reads pragmas of the first loop: they are replaced with it, are part of the
// text as it is written, and are not in the program that variants are compared with. What stands in
// front of them stays.
func TestPragmasInFront(t *testing.T) {
	loop := []string{"#pragma scop", "for (int i = 0; i < n; i++)", "#pragma omp simd", "for (int k = 0; k < 2; k++) a[i] = b[i];", "#pragma endscop"}
	for name, front := range map[string][]string{
		"openmp":      {"#pragma omp parallel for \\", "  num_threads(2)", "/* and */ // so"},
		"compilers":   {"#pragma GCC ivdep", "# pragma GCC unroll 4"},
		"clang":       {"#pragma clang loop vectorize(enable)"},
		"operator":    {`_Pragma("omp parallel for")`},
		"conditional": {"#ifdef _OPENMP", "#pragma omp parallel for", "#else", "#pragma GCC ivdep", "#endif"},
	} {
		t.Run(name, func(t *testing.T) {
			begin := []string{"#pragma GCC diagnostic push", "s = 1;"}
			file, region := parseRegion(t, append(append(begin, front...), loop...)...)
			if rest := string(file.Source[:region.PragmaStart]); !strings.HasSuffix(rest, "push\ns = 1;\n") {
				t.Errorf("in front of what is replaced stands %q", rest)
			}
			want := strings.Join(append(append([]string{}, front...), loop[1:4]...), "\n") + "\n"
			if got := region.AsWritten(file.Source); got != want {
				t.Errorf("as written: %q, want %q", got, want)
			}
			plain := string(region.WithoutPragmas(file.Source))
			if strings.Contains(plain, "omp") || strings.Contains(plain, "ivdep") || strings.Contains(plain, "simd") {
				t.Errorf("the program to compare with has directives:\n%s", plain)
			}
			if len(plain) != len(file.Source) || strings.Count(plain, "\n") != strings.Count(string(file.Source), "\n") {
				t.Error("offsets or lines have moved")
			}
		})
	}
}

// TestPermissions reads which updates a clause for reductions lets run in another order.
func TestPermissions(t *testing.T) {
	for name, test := range map[string]struct {
		lines []string
		want  []bool
	}{
		"sum":              {[]string{"#pragma omp parallel for reduction(+:s)", "for (int i = 0; i < n; i++) s += a[i];"}, []bool{true}},
		"differences":      {[]string{"#pragma omp simd reduction(- : s)", "for (int i = 0; i < n; i++) s -= a[i];"}, []bool{true}},
		"maximum":          {[]string{"#pragma omp parallel for reduction(default, max:s)", "for (int i = 0; i < n; i++) if (a[i] > s) s = a[i];"}, []bool{true}},
		"section":          {[]string{"#pragma omp parallel for reduction(+:b[:n])", "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) b[j] += a[i];"}, []bool{true}},
		"atomic":           {[]string{"#pragma omp parallel for", "for (int i = 0; i < n; i++)", "#pragma omp atomic update", "s += a[i];"}, []bool{true}},
		"another variable": {[]string{"#pragma omp parallel for reduction(+:s)", "for (int i = 0; i < n; i++) { s += a[i]; b[0] += a[i]; }"}, []bool{true, false}},
		"another operator": {[]string{"#pragma omp parallel for reduction(*:s)", "for (int i = 0; i < n; i++) s += a[i];"}, []bool{false}},
		"another loop":     {[]string{"#pragma omp parallel for reduction(+:s)", "for (int i = 0; i < n; i++) s += a[i];", "for (int i = 0; i < n; i++) s += b[i];"}, []bool{true, false}},
		"scan":             {[]string{"#pragma omp parallel for reduction(inscan, +:s)", "for (int i = 0; i < n; i++) s += a[i];"}, []bool{false}},
		"no clause":        {[]string{"#pragma omp parallel for", "for (int i = 0; i < n; i++) s += a[i];"}, []bool{false}},
		"a hidden variable": {[]string{"#pragma omp parallel for reduction(+:s)", "for (int i = 0; i < n; i++) { double s = 0;", "for (int j = 0; j < n; j++) s += a[j];", "b[i] = s; }"},
			[]bool{false}},
	} {
		t.Run(name, func(t *testing.T) {
			_, region := parseRegion(t, append(append([]string{"#pragma scop"}, test.lines...), "#pragma endscop")...)
			var got []bool
			for _, s := range region.Program.Statements {
				if s.Reduction != nil {
					got = append(got, s.Reduction.Permitted)
				}
			}
			if len(got) != len(test.want) {
				t.Fatalf("reductions %v, want %v\n%s", got, test.want, region.Program)
			}
			any := false
			for k := range got {
				any = any || got[k]
				if got[k] != test.want[k] {
					t.Errorf("reduction %d: permitted %v", k, got[k])
				}
			}
			if region.Program.MayReassociate() != any || !region.Program.Reassociated().MayReassociate() {
				t.Error("MayReassociate tells something else")
			}
		})
	}
}

// TestLeftDirectives reads regions that are refused with their directives. The text as it is written
// has them, and the program to compare with and the code have none. They stay where they are
// refused, or say that updates may run in another order.
func TestLeftDirectives(t *testing.T) {
	walk := func(front, inner string) []string {
		return []string{"double *p; int m = 2;", front, "#pragma scop", "for (int i = 0; i < n; i++) {", "p = a + i;", inner, "for (int k = 0; k < 1; k++) *p++ += s;", "}", "#pragma endscop"}
	}
	for name, lines := range map[string][]string{
		"in front":    walk("#pragma omp parallel for private(p) num_threads(m)", ""),
		"inside":      walk("", "#pragma omp simd simdlen(m)"),
		"both":        walk(`_Pragma("omp parallel for private(p) num_threads(m)")`, "#pragma GCC ivdep"),
		"conditional": walk("#ifdef A\n#pragma omp parallel for private(p)\n#endif", "#ifdef A\n#pragma omp simd\n#else\n#pragma GCC unroll 2\n#endif"),
	} {
		file, region := parseRegion(t, lines...)
		written, plain := region.AsWritten(file.Source), string(region.WithoutPragmas(file.Source))
		for _, line := range append(strings.Split(lines[1], "\n"), strings.Split(lines[5], "\n")...) {
			if !strings.Contains(written, line) {
				t.Errorf("%s: the region as written lacks %q:\n%s", name, line, written)
			}
		}
		if strings.Contains(plain, "omp") || strings.Contains(plain, "ivdep") || !strings.Contains(plain, "*p++ += s") {
			t.Errorf("%s: the program to compare with is\n%s", name, plain)
		}
		for _, w := range region.Warnings {
			t.Errorf("%s: warning: %v", name, w)
		}
	}
	for name, lines := range map[string][]string{
		"reduction":   walk("#pragma omp parallel for reduction(+:s)", ""),
		"read behind": append(walk("#pragma omp parallel for private(p)", ""), "b[0] = *p;"),
		"device":      walk("#pragma omp target", ""),
	} {
		source := "void f(int n, double a[n], double b[n], double s)\n{\n" + strings.Join(lines, "\n") + "\n}\n"
		if _, err := Parse("x.c", []byte(source), Options{}); err == nil {
			t.Errorf("%s: it is read", name)
		}
	}
}
