package device_test

import (
	"strings"
	"testing"

	"polytune/device"
)

// What * has of an array is an element of it, with its type: *p is p[0], *A[i] is A[i][0].
func TestPointedElements(t *testing.T) {
	for _, test := range []struct{ arguments, region, text string }{
		{"double a[n], double *restrict s", "for (int i = 0; i < n; i++) a[i] += *s;", "] += s[0];"},
		{"double a[n], float *restrict s", "for (int i = 0; i < n; i++) a[i] = fabs(*s);", "] = fabs((double) s[0]);"},
		{"double a[n], double *restrict s", "for (int i = 0; i < n; i++) *s += a[i];", "s[0] += a["},
		{"double a[n][n], double b[n]", "for (int i = 0; i < n; i++) b[i] += *a[i];", "] += a["},
		{"int a[n], _Bool *restrict s", "for (int i = 0; i < n; i++) *s = a[i];", "s[0] = a[c0] != 0;"},
		{"int a[n], int *restrict s", "for (int i = 0; i < n; i++) (*s)++;", "(s[0])++;"},
	} {
		file := parsed(t, "#include <math.h>\nvoid f(int n, "+test.arguments+") {\n#pragma scop\n"+test.region+"\n#pragma endscop\n}\n")
		code, err := tried(t, file, device.CUDA)
		if err != nil {
			t.Errorf("%s: %v", test.region, err)
		} else if !strings.Contains(string(code.Device), test.text) {
			t.Errorf("%s: got no %q in\n%s", test.region, test.text, code.Device)
		}
	}
}
