package explain

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"polytune/internal/pipelinetest"
	"polytune/pipeline"
	"polytune/pipeline/harness"
	"polytune/pipeline/remedy"
	"polytune/runner"
	"polytune/store"
	"polytune/target/openmp/omp"
)

// TestHints says for programs of each kind what keeps them in order, and which of the changes that
// have been tried frees them.
func TestHints(t *testing.T) {
	t.Parallel()
	const sums = "double total(int n, double a[n][n])\n{\n    double sum = 0;\n#pragma scop\n    for (int i = 0; i < n; i++)\n" +
		"        for (int j = 0; j < n; j++)\n            sum += a[i][j];\n#pragma endscop\n    return sum;\n}\n"
	const rounds = "floating-point numbers are rounded differently"
	loop := func(arguments, before, body, after string) string {
		return "double f(int n, " + arguments + ")\n{\n" + before + "\n#pragma scop\n" + body + "#pragma endscop\n" + after + "\n}\n"
	}
	for name, c := range map[string]struct {
		source string
		change func(o *pipeline.Options)
		// hints are those that are found, obstacles some of what stands at loops.
		hints, obstacles []string
	}{
		"sum": {sums, nil, []string{"f.c:7:13: each iteration of i updates sum, a sum; with --reassociate it runs on threads (" + rounds + ")"},
			[]string{"each iteration of j updates sum (f.c:7:13), a sum; free with --reassociate"}},
		"sum in an element": {loop("double a[n], double s[2]", "", "for (int i = 0; i < n; i++)\n    s[1] = a[i] * a[i] + s[1];\n", "return 0;"), nil,
			[]string{"f.c:6:26: each iteration of i updates s[1], a sum; with --reassociate it runs on threads (" + rounds + ")"}, nil},
		"maximum": {loop("double a[n]", "double m = a[0];", "for (int i = 0; i < n; i++)\n    if (a[i] > m)\n        m = a[i];\n", "return m;"), nil,
			[]string{"f.c:6:16: each iteration of i updates m, a maximum; with --reassociate it runs on threads (NaN and zeros of both signs may come out otherwise)"}, nil},
		"sums in any order": {sums, func(o *pipeline.Options) { o.Reassociate = true }, nil, nil},
		"sum that is read": {loop("double a[n], double b[n]", "double s = 0;", "for (int i = 0; i < n; i++) {\n    s += a[i];\n    b[i] = s;\n}\n", "return s;"), nil,
			[]string{"f.c:6:5: s (f.c:6:5) writes what s reads in the next iteration of i; nothing frees it"}, nil},
		"temporary that is read behind": {loop("double a[n], double b[n]", "double t = 0;", "for (int i = 0; i < n; i++) {\n    t = a[i] * 2;\n    b[i] = t * t;\n}\n", "return t;"), nil,
			[]string{"f.c:6:5: t uses the memory of t (f.c:7:12) again in a later iteration of i, for other values; " +
				"with --expand it runs on threads (temporaries take memory for all iterations), or declare t inside the loop over i, if nothing needs its values behind the region: it runs on threads"}, nil},
		"temporary": {loop("double a[n], double b[n]", "double t;", "for (int i = 0; i < n; i++) {\n    t = a[i] * 2;\n    b[i] = t * t;\n}\n", "return 0;"),
			func(o *pipeline.Options) { o.Privatize = false },
			[]string{"f.c:6:5: t uses the memory of t (f.c:7:12) again in a later iteration of i, for other values; " +
				"with --privatize it runs on threads, or with --expand it runs on threads (temporaries take memory for all iterations)"}, nil},
		"work array": {loop("double a[n][n], double w[n]", "", "for (int i = 0; i < n; i++) {\n    for (int j = 0; j < n; j++)\n        w[j] = a[i][j] * a[i][j];\n"+
			"    for (int j = 1; j < n; j++)\n        a[i][j] = w[j - 1] + w[j] * a[i][j - 1];\n}\n", "return 0;"), nil,
			[]string{"f.c:7:9: w[j] uses the memory of w[j - 1] (f.c:9:19) again in a later iteration of i, for other values; with --expand threads share its outermost loop and need not wait",
				"with --expand it runs in SIMD lanes"}, nil},
		"work array of the file": {"static double row[90];\nvoid f(int n, double a[n][90], double b[n][90])\n{\n#pragma scop\nfor (int i = 0; i < n; i++) {\n" +
			"    for (int j = 0; j < 90; j++)\n        row[j] = a[i][j] * 2;\n    for (int j = 1; j < 90; j++)\n        b[i][j] = row[j - 1] + row[j] * b[i][j - 1];\n}\n#pragma endscop\n}\n", nil,
			[]string{"or declare row inside the loop over i, if nothing needs its values behind the region: ", "it runs in SIMD lanes"}, nil},
		"sum of a temporary": {loop("double a[n]", "double t = 0, s = 0;", "for (int i = 0; i < n; i++) {\n    t = a[i] * 2;\n    s += t * t;\n}\n", "return s + t;"), nil,
			[]string{", beside s; with --expand --reassociate it runs on threads (temporaries take memory for all iterations; " + rounds + "), " +
				"or declare t inside the loop over i, if nothing needs its values behind the region, and use --reassociate: it runs on threads (" + rounds + ")"}, nil},
		"recurrence": {loop("double a[n], double b[n]", "", "for (int i = 2; i < n; i++)\n    a[i] = a[i - 2] * 0.5 + b[i];\n", "return 0;"), nil,
			[]string{"f.c:6:12: a[i] (f.c:6:5) writes what a[i - 2] reads 2 iterations of i later; nothing frees it"}, nil},
		"recurrence with a free loop inside": {loop("double a[n][n]", "", "for (int i = 1; i < n; i++)\n    for (int j = 0; j < n; j++)\n        a[i][j] = a[i - 1][j];\n", "return 0;"), nil, nil,
			[]string{"a[i][j] (f.c:7:9) writes what a[i - 1][j] (f.c:7:19) reads in the next iteration of i; nothing frees it"}},
		"overwriting": {loop("double a[n + 1]", "", "for (int i = 0; i < n; i++)\n    a[i] = a[i + 1];\n", "return 0;"), nil,
			[]string{"f.c:6:5: a[i + 1] (f.c:6:12) reads what a[i] overwrites in the next iteration of i; no value goes from one to the other: results in memory of their own would lift this"}, nil},
		"elements that depend on data": {loop("int b[n], double h[n]", "", "for (int i = 0; i < n; i++)\n    h[b[i]] = h[b[i]] * 2 + i;\n", "return 0;"), nil,
			[]string{"f.c:6:15: h[b[i]] may be the element of h[b[i]] (f.c:6:5) in a later iteration of i: which elements they are is known only when it runs; no flag of tune frees it"}, nil},
		"free": {loop("double a[n], double b[n]", "", "for (int i = 0; i < n; i++)\n    a[i] = b[i];\n", "return 0;"), nil, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, path, text := hinterOf(t, c.source, c.change)
			var hints []string
			for _, hint := range h.Hints {
				hints = append(hints, strings.ReplaceAll(hint.String(), path, "f.c"))
			}
			if len(hints) != len(c.hints) {
				t.Errorf("hints %q, want %q", hints, c.hints)
			}
			for k := range min(len(hints), len(c.hints)) {
				if !strings.Contains(hints[k], c.hints[k]) {
					t.Errorf("hint %q, want %q", hints[k], c.hints[k])
				}
			}
			for _, want := range c.obstacles {
				if !strings.Contains(text, want) {
					t.Errorf("there is no %q in\n%s", want, text)
				}
			}
		})
	}
}

// hinterOf is what is in the way of the models' variant of a file, the file's path, and the
// explanation with a short name in its place.
func hinterOf(t *testing.T, source string, change func(o *pipeline.Options)) (h *remedy.Hinter, path, text string) {
	t.Helper()
	at := pipelinetest.Somewhere()
	o := &Options{Params: "n=500"}
	o.Model, o.Partition, o.Target.Privatize = pipeline.SessionModel, "none", true
	if change != nil {
		change(&o.Target)
	}
	folder := t.TempDir()
	path = filepath.Join(folder, "f.c")
	if err := os.WriteFile(path, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	targets, err := o.Target.All([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	_, values, err := o.values(t.Context(), targets[0], at, store.TimingQuery{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := o.chosen(t.Context(), targets[0], at, "")
	if err != nil {
		t.Fatal(err)
	}
	h, err = o.hinter(t.Context(), targets[0], v, at)
	if err != nil {
		t.Fatal(err)
	}
	explanation, err := o.explanation(targets[0], v, at, values, 0, h)
	if err != nil {
		t.Fatal(err)
	}
	var printed strings.Builder
	explanation.Text(&printed)
	return h, path, strings.ReplaceAll(printed.String(), path, "f.c")
}

// TestCompilerHints compiles programs as they are written: each change is named where gcc makes
// more vectors with it.
func TestCompilerHints(t *testing.T) {
	t.Parallel()
	toolchain, err := runner.FindToolchain(t.Context(), runner.ToolchainSpec{Runtime: omp.Runtime{}, Name: "gcc", Command: "gcc", Flags: []string{"-O3"}, CheckFlags: []string{"-O1"}})
	if err != nil {
		t.Fatal(err)
	}
	const restrictHint = "may point to the same elements; declare them restrict: the compiler makes vectors of one more loop"
	program := func(arguments, statement string) string {
		return "#include <math.h>\nvoid f(int n, " + arguments + ")\n{\n#pragma scop\n    for (int i = 0; i < n; i++)\n        " + statement + "\n#pragma endscop\n}\n"
	}
	const readsErrno = "#include <errno.h>\nint failed(void) { return errno; }\n"
	for name, c := range map[string]struct {
		source, flags, want string
	}{
		"sum behind a pointer":     {program("int *a, int *s", "s[0] += a[i];"), "", "f.c:6:9: to the compiler a, s " + restrictHint},
		"minimum behind a pointer": {program("const int *a, int *const m", "m[0] = a[i] < m[0] ? a[i] : m[0];"), "", "f.c:6:9: to the compiler a, m " + restrictHint},
		"restrict pointers":        {program("int *restrict a, int *restrict s", "s[0] += a[i];"), "", ""},
		"other types":              {program("double *a, int *s", "a[i] = s[0] * 2;"), "", ""},
		"root": {program("double a[n], double b[n]", "b[i] = sqrt(a[i]);") + readsErrno, "",
			`f.c:6:9: it calls a function that may set errno; with --build-flags "-fno-math-errno" the compiler makes vectors of one more loop (errno is not set)`},
		"root of floats, and other flags": {program("float a[n], float b[n]", "b[i] = 1 + sqrtf(a[i] * a[i]);") + readsErrno, "-DX=1",
			`with --build-flags "-DX=1 -fno-math-errno" the compiler makes vectors of one more loop`},
		"root without errno":       {program("double a[n], double b[n]", "b[i] = sqrt(a[i]);") + readsErrno, "-fno-math-errno", ""},
		"root that nobody asks of": {program("double a[n], double b[n]", "b[i] = sqrt(a[i]);"), "", ""},
		"power":                    {program("double a[n], double b[n]", "b[i] = pow(a[i], 1.3);"), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "f.c")
			if err := os.WriteFile(path, []byte(c.source), 0o666); err != nil {
				t.Fatal(err)
			}
			o := pipeline.Options{AssumeNoAlias: true}
			o.Program.BuildText = c.flags
			targets, err := o.All([]string{path})
			if err != nil {
				t.Fatal(err)
			}
			hints, err := remedy.CompilerHints(t.Context(), &o, targets[0], targets[0].File.Source, harness.Place{Toolchain: toolchain})
			got := ""
			for _, hint := range hints {
				got += strings.ReplaceAll(hint.String(), path, "f.c")
			}
			if err != nil || !strings.Contains(got, c.want) || c.want == "" && got != "" {
				t.Errorf("%q (%v), want %q", got, err, c.want)
			}
		})
	}
}
