package frontend

import (
	"polytune/isl"
	"strings"
	"testing"
)

// trustTests are declarations of functions, and a statement of a loop over i that calls one of
// them; want is a part of what is said of it, "" where it is accepted. The pragma's words and the
// option name functions without side effects.
var trustTests = []struct{ declared, words, option, statement, want string }{
	{"double g(double) __attribute__((const));", "", "", "a[i] = g(b[i]);", ""},
	{"__attribute__((__pure__)) double g(const double *, int);", "", "", "a[i] = g(b, n);", ""},
	{"double g(double);", "", "", "a[i] = g(b[i]);", "the function g may have side effects"},
	{"double g(double);", "", "", "a[i] = g(b[i]);", "say so by --assume-pure g or #pragma scop assume-pure(g); else"},
	{"double g(double);", "", "other,g", "a[i] = g(b[i]);", ""},
	{"double g(double);", "assume-no-alias assume-pure(other, g)", "", "a[i] = g(b[i]);", ""},
	{"double g(double);", "assume-pure(g) assume-no-alias", "", "a[i] = g(b[i]);", ""},
	{"double g(double);", "assume-pure(h)", "", "a[i] = g(b[i]);", "the function g may have side effects"},
	{"double g(double);", "assume-pure()", "", "a[i] = g(b[i]);", "#pragma scop has no option assume-pure(); write"},
	{"double g(double);", "assume-pure g", "", "a[i] = g(b[i]);", "#pragma scop has no option assume-pure; write"},
	{"double g(double **);", "", "g", "a[i] = g(0);", "the function g takes"},
	{"double g(double) __attribute__((pure)); double seen;", "", "", "a[i] = g(b[i]); seen = i;", "g is declared pure, so it may read seen, which the region writes at line 7; declare it const"},
	{"double g(double) __attribute__((pure)); double seen;", "", "g", "a[i] = g(b[i]); seen = i;", ""},
	{"double g(double) __attribute__((const)); double seen;", "", "", "a[i] = g(b[i]); seen = i;", ""},
	{"double g(double) __attribute__((pure)); static double unseen;", "", "", "a[i] = g(b[i]); unseen = i;", ""},
	{"static int calls; static double g(double x) { calls++; return x; }", "", "", "a[i] = 1 + g(b[i]);", "writes the variable calls from outside"},
	{"static int calls; static double g(double x) { calls++; return x; }", "", "", "a[i] = g(b[i]);", ""},
	{"static int calls; static double g(double x) { calls++; return x; }", "", "g", "a[i] = g(b[i]);", ""},
	{"static int g(int x) { return x < 2 ? x : g(x - 1) + g(x - 2); }", "", "", "a[i] = g(i);", "is recursive"},
	{"__attribute__((const)) static int g(int x) { return x < 2 ? x : g(x - 1) + g(x - 2); }", "", "", "a[i] = g(i);", ""},
	{"static void wait(int k) { volatile int x = 0; for (; k > 0; k--) x = k; }", "", "", "wait(i); a[i] = 0;", "has the volatile variable x"},
	{"static void tick(int k) { k++; }", "", "", "tick(i); a[i] = 0; (void) a[i];", ""},
	{"static void tick(int k) { k++; }", "", "", "tick(i);", "no statement of the region changes anything"},
	{"static void tick(int k) { k++; }", "", "", "for (int k = i; k; k >>= 1) tick(k); a[i] = 0;", ""},
	{"", "", "", "while (i > 5) ; b[i] = 0; do { int k = i; k++; } while (0);", ""},
	{"", "", "", "__builtin_prefetch(&a[i + 8], 1, 3); a[i] = 0;", ""},
	{"", "", "", "__builtin_prefetch(&a[i++], 1, 3); a[i] = 0;", "the iterator i is changed inside its loop"},
	{"", "", "", "a[i]; b[i] = 0;", "a statement that assigns nothing"},
	{"", "", "", "for (int k = 0; k < n; k++, 0) a[k] = 0;", "f.c:7:37: a statement that assigns nothing"},
	{"", "", "", "for (int k = 0; k < n; (void) 0, k++) a[k] = 0;", ""},
	{"int min(int, int);", "", "", "a[min(i, 5)] = 0;", ""},
	{"", "", "", "int r; if (!__builtin_sadd_overflow(i, n, &r)) a[i] = r;", ""},
	{"int strcmp(const char *, const char *); char names[40][9], key[9];", "", "", "if (i < 40) a[i] = strcmp(names[i], key);", ""},
}

func TestTrust(t *testing.T) {
	t.Parallel()
	for _, test := range trustTests {
		source := test.declared + "\nvoid f(int n, double *a, double *b)\n{\n    int i;\n#pragma scop " + test.words + "\n    for (i = 0; i < n; i++) {\n        " + test.statement +
			"\n    }\n#pragma endscop\n}\n"
		options := Options{AssumeNoAlias: true}
		if test.option != "" {
			options.AssumePure = strings.Split(test.option, ",")
		}
		_, err := Parse("f.c", []byte(source), options)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s %s: %v, not %q", test.declared, test.statement, err, test.want)
		}
	}
}

// TestTrustedAccesses are the accesses that calls of functions without bodies make.
func TestTrustedAccesses(t *testing.T) {
	t.Parallel()
	for declared, want := range map[string]string{
		"double g(const double *, double *) __attribute__((const));": "write S0[i] -> c[i]",
		"double g(const double *, double *) __attribute__((pure));":  "write S0[i] -> c[i]; may read S0[i] -> a[any0]; may read S0[i] -> b[any0]",
		"double g(const double *, double *);":                        "write S0[i] -> c[i]; may read S0[i] -> a[any0]; may update S0[i] -> b[any0]",
	} {
		source := declared + "\nvoid f(int n, double *a, double *b, double *c)\n{\n#pragma scop assume-pure(g)\n    for (int i = 0; i < n; i++)\n        c[i] = g(a, b);\n#pragma endscop\n}\n"
		file, err := Parse("f.c", []byte(source), Options{AssumeNoAlias: true})
		if err != nil {
			t.Errorf("%s: %v", declared, err)
			continue
		}
		if got := file.Regions[0].Program.String(); !strings.Contains(accessesOf(got), want) || strings.Count(accessesOf(got), ";") != strings.Count(want, ";") {
			t.Errorf("%s: %s, not %s", declared, accessesOf(got), want)
		}
	}
}

// accessesOf are the accesses in a program's text.
func accessesOf(program string) string {
	var list []string
	for line := range strings.Lines(program) {
		words := strings.TrimSpace(line)
		if kind, relation, ok := strings.Cut(words, " [n] -> { "); ok && !strings.HasPrefix(words, "domain") && !strings.HasPrefix(words, "context") {
			list = append(list, kind+" "+strings.TrimSuffix(relation, " }"))
		}
	}
	return strings.Join(list, "; ")
}

// TestIntegerChoices compares functions without a body with what they are named after, and with
// bodies that users write for them.
func TestIntegerChoices(t *testing.T) {
	t.Parallel()
	const region = "\nvoid f(int n, unsigned m, double *restrict a, double *restrict b)\n{\n#pragma scop\n    for (int i = max(ceild(n, 4), 3); i <= min(floord(n - 7, 2), 90); i++)\n" +
		"        b[i] = a[floord(i - 50, 3) + 20];\n    for (unsigned u = 0; u < umin(m, 7); u++)\n        b[umax(u, 3)] = 1;\n#pragma endscop\n}\n"
	heads := []string{
		"int min(int, int); int max(int, int); int floord(int, int); int ceild(int, int); unsigned umin(unsigned, unsigned); unsigned umax(unsigned, unsigned);",
		`static int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { if (a > b) return a; else return b; }
static int floord(int n, int d) { return n < 0 ? -((-n + d - 1) / d) : n / d; }
static int ceild(int n, int d) { if (n < 0) return -(-n / d); return (n + d - 1) / d; }
static unsigned umin(unsigned a, unsigned b) { return b < a ? b : a; }
static unsigned umax(unsigned a, unsigned b) { return a >= b ? a : b; }`,
		`#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define floord(n, d) (((n) < 0) ? -((-(n) + (d) - 1) / (d)) : (n) / (d))
#define ceild(n, d) (((n) < 0) ? -((-(n)) / (d)) : ((n) + (d) - 1) / (d))
#define umin min
#define umax max`,
	}
	var first []string
	for _, head := range heads {
		file, err := Parse("f.c", []byte(head+region), Options{})
		if err != nil {
			t.Errorf("%s: %v", head, err)
			continue
		}
		got := relationsOf(t, file.Regions[0])
		if first == nil {
			first = got
		}
		for k := range got {
			if !sameSets(t, got[k], first[k]) {
				t.Errorf("%s:\n%s, not\n%s", head, got[k], first[k])
			}
		}
	}
}

// relationsOf are the access relations of a region's instances.
func relationsOf(t *testing.T, r Region) (list []string) {
	t.Helper()
	ctx := isl.NewContext()
	defer ctx.Close()
	m, err := r.Program.Model(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range m.Statements {
		for _, a := range s.Accesses {
			list = append(list, a.IntersectDomain(s.Domain).String())
		}
	}
	return list
}

func sameSets(t *testing.T, a, b string) bool {
	t.Helper()
	ctx := isl.NewContext()
	defer ctx.Close()
	same, err := ctx.ReadMap(a).IsEqual(ctx.ReadMap(b))
	if err != nil {
		t.Fatal(err)
	}
	return same
}
