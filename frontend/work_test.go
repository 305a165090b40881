package frontend

import "testing"

// The accesses of a statement tell how much work it is, unless it calls a function that is not
// short or has a loop of its own; macros do not count.
func TestUnknownWork(t *testing.T) {
	const source = `
#include <math.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define ROOT(a) sqrt(a)
static double half(double x) { return x / 2; }
static double power(double x, int n) { double y = 1; for (int k = 0; k < n; k++) y *= x; return y; }
static double again(double x) { return half(x) + 1; }
static double polynomial(double x) { return x * x * x * x * x + x * x * x * x - x * x * x + x * x * 2 - x * 3 + 4; }
void f(int n, double A[n], double B[n], int c[n])
{
#pragma scop
  for (int i = 0; i < n; i++) {
    A[i] = MIN(A[i], B[i]);
    A[i] = ROOT(A[i]);
    A[i] = half(B[i]);
    A[i] = power(B[i], 3);
    A[i] = again(B[i]);
    A[i] = polynomial(B[i]);
    if (A[i] > 0)
      B[i] = 0;
    for (int k = 0; k < c[i]; k++)
      B[i] += 1;
  }
#pragma endscop
}
`
	file, err := Parse("f.c", []byte(source), Options{})
	if err != nil {
		t.Fatal(err)
	}
	statements := file.Regions[0].Program.Statements
	want := []bool{false, true, false, true, true, true, false, true}
	if len(statements) != len(want) {
		t.Fatalf("%d statements", len(statements))
	}
	for k, s := range statements {
		if s.UnknownWork != want[k] {
			t.Errorf("%s: unknown work %v, want %v", s.Source, s.UnknownWork, want[k])
		}
	}
}
