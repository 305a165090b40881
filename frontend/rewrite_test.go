package frontend

import (
	"fmt"
	"strings"
	"testing"
)

// refusedRewriting is what cannot be rewritten safely, by the message that it brings.
var refusedRewriting = map[string][]string{
	"p, a pointer or function, is declared inside the region": {
		"double *p = a + i; p++; double **q = &p; **q = x;",
		"double *p = a + i; p = b; *p = x;",
		"double *p = a + k; k = i; *p = x;",
		"double *p = a + (int) a[0]; a[0] = x; *p = x;",
		"double *p = a + i; a[i] = sizeof p;",
		"double *p = i % 2 ? a : a + 1; *p = x;",
		"float *p = (float *) a + i; *p = x;",
		"double *p; p = a; *p = x;",
	},
	"write a loop over the elements": {
		"memcpy(a, b, n);",
		"memcpy(a, b, n * sizeof(float));",
		"memcpy(a, b, (n + 1) * 4);",
		"memcpy(m[i], b, k * sizeof(double));",
		"memcpy(m[0], m[1], n * n * sizeof(double));",
		"memcpy(m[i] + 1, b, n * sizeof(double));",
		"memcpy(a, f, n * sizeof(double));",
		"memcpy(a + (int) (a[0] = 1), b, n * sizeof(double));",
		"memcpy(a, b, n * k * sizeof(double));",
		"memmove(a + 1, a, n * sizeof(double));",
		"int n = 3; memset(m, 0, n * n * sizeof(double));",
		"memset(m, 0, n * k * sizeof(double)); memset(m, 0, k * k * sizeof(double));",
		"memset(a, 1, n * sizeof(double));",
		"memset(a, k, n * sizeof(double));",
		"memset(a, k = 0, n * sizeof(double));",
		"memset(a, 0, (k = 2) * sizeof(double));",
		"memset(a, 0, sizeof(a));",
		"memset(a, 0, (unsigned) n * 24u);",
		"long double l[9]; memset(l, 0, 9 * sizeof(l[0]));",
		"memmove(a, b, n * sizeof(double));",
		"a[i] = memcpy(a, b, n * sizeof(double)) ? 1 : 0;",
	},
	"continue inside the region": {
		"if (x > a[i]) { continue; } else a[i] = 0;",
		"if (i < 3) { if (a[i] > x) continue; a[i] = 1; } a[i] = 0;",
	},
	"a for that declares not exactly one variable": {
		"for (int j = 0, k = n; j < n; j++, k = 2 * j) a[k] = x;",
		"for (int j = 0, k = n; j < n; j++, k--) a[k--] = x;",
		"for (int j = 0, k = j + 1; j < n; j++, k++) a[k] = x;",
		"int m = 5; for (int j = 0, k = m; j < n; j++, k--) { a[k] = x; m = j; }",
		"for (int j = 0, k = 0; j < n; j += 2, k += 3) a[k] = x;",
		"for (int j = 0, k = (int) a[0]; j < n; j++, k--) a[k] = x;",
		"for (short j = 0, k = 9; j < n; j++, k--) a[k] = x;",
		"for (int j = 0, k = 9; j < n && k-- > 0; j++, k--) a[k] = x;",
		"for (int j = 0, k = 9; j < n; j++, k--) for (k = 0; k < 3; k++) a[k] = x;",
	},
}

func TestRefusedRewriting(t *testing.T) {
	t.Parallel()
	for want, bodies := range refusedRewriting {
		for _, body := range bodies {
			source := fmt.Sprintf("#include <string.h>\nvoid *other(void *, int, size_t);\nvoid f(int n, int k, double x, double a[n], double *b, float *f, double m[n][n], double *restrict g)\n{\n#pragma scop\nfor (int i = 0; i < n; i++) { %s }\n#pragma endscop\n}\n", body)
			if said := saidOf(source); !strings.Contains(said, want) {
				t.Errorf("%s: %s, not %s", body, said, want)
			}
		}
	}
}

// saidOf is what is said of a file: why it is refused, or the warnings of its regions that tell
// what is one statement because it cannot be rewritten.
func saidOf(source string) string {
	file, err := Parse("f.c", []byte(source), Options{})
	if err != nil {
		return err.Error()
	}
	var said strings.Builder
	for _, r := range file.Regions {
		said.WriteString(r.Warnings.Error())
	}
	return said.String()
}

// TestOtherCopies are calls that look like those of the C library, but go to another function, or
// may move elements to places among themselves.
func TestOtherCopies(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ head, call, want string }{
		{"void f(int n, double a[n], void *(*memset)(void *, int, size_t))\n{", "memset(a, 0, n * sizeof(double));", "f.c:5:1: a call through a pointer"},
		{"void f(int n, double *restrict a)\n{ double *w = a + 1;", "memmove(w, a, n * sizeof(double));", "write a loop over the elements"},
	} {
		source := "#include <string.h>\n" + test.head + "\n#pragma scop\n" + test.call + "\n#pragma endscop\n}\n"
		if _, err := Parse("f.c", []byte(source), Options{}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, not %s", test.call, err, test.want)
		}
	}
}
