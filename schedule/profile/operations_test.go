package profile

import "testing"

func TestOperations(t *testing.T) {
	for source, want := range map[string]int{
		"C[i][j] += alpha * A[i][k] * B[k][j];":                    3,
		"A[i][j] = 0;":                                             0,
		"B[i][j] = SCALAR_VAL(0.2) * (A[i][j] + A[i][j - 1] + x);": 3,
		"x = -y;":                           0,
		"x = - y - -z;":                     1,
		"x = a - (b) - c;":                  2,
		"x = (double) -y;":                  0,
		"x = (double)(a) * (float)b / n;":   2,
		"x = a[i + 1] * b[2 * i][j - 1];":   1,
		"p->x += p->v * dt; /* x + y */":    2,
		"n++; --m;":                         2,
		"x = sqrt(a * a + b * b) // + 1 \n": 3,
		"x = (a < b) ? a : b;":              0,
		"x *= 2.5e-3; x /= y; x -= 1;":      3,
		"*p = *q * 2;":                      1,
		"x = c == '+' ? \"a+b\" : 0;":       0,
		"":                                  0,
		"x = 1e+5 + 0x1f - 3.f;":            2,
	} {
		if got := operations(source); got != want {
			t.Errorf("%q: %d, want %d", source, got, want)
		}
	}
}
