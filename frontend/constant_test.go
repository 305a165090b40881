package frontend

import (
	"fmt"
	"testing"
)

// TestConstants are bounds of a loop that C knows when it compiles, and those that only look so:
// they have effects, or sizes that compilers take otherwise. Loops with these are refused, or stay
// one statement as they are; in the region itself, where they end would be found out by trying.
func TestConstants(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		bound string
		known bool
	}{
		{"8 * 2", true}, {"sizeof(double)", true}, {"sizeof(own) / sizeof(own[0])", true}, {"sizeof own[0]", true}, {"sizeof(*rows)", true}, {"sizeof(rows[1])", true},
		{"sizeof(s->member)", true}, {"sizeof \"text\"", true}, {"sizeof(double[3])", true}, {"sizeof(a[0])", true},
		{"sizeof(a)", false}, {"sizeof a / sizeof a[0]", false}, {"sizeof(m)", false}, {"sizeof(own + 0)", false}, {"sizeof((0, own))", false},
		{"sizeof(struct s)", false}, {"sizeof(*s)", false}, {"sizeof(struct s[2])", false}, {"(int) _Alignof(struct s)", false}, {"__builtin_offsetof(struct s, member)", false},
		{"sizeof(wide)", false}, {"sizeof(wide[2])", false}, {"sizeof(*call)", false}, {"sizeof(double *)", true}, {"sizeof(s)", true}, {"sizeof(enum e)", true},
		{"(k = 2)", false}, {"(k++, 2)", false}, {"2 + 0 * (k = 1)", false},
	} {
		source := fmt.Sprintf("struct s { char first; double member[4]; };\nenum e { one };\ntypedef int wide __attribute__((mode(DI)));\nvoid f(int k, double a[10], double m[2][5], double (*rows)[6], struct s *s, int (*call)(int))\n{\ndouble own[9];\n#pragma scop\nif (k > 3) for (int i = 0; i < (int) (%s); i++) a[i] = k;\n#pragma endscop\n}\n", test.bound)
		file, err := Parse("f.c", []byte(source), Options{})
		known := err == nil && len(file.Regions[0].Program.Statements[0].Loops) == 1
		if known != test.known {
			t.Errorf("%s: known %t: %v", test.bound, known, err)
		}
	}
}
