/* Names that mean different things in different places, members that bound loops, values that survive the region. */
#include <stdio.h>
#define N 30
#define AT(v, k) v[k]
#define TWICE(x) ((x) + (x))
static double a[N + 4], b[N][N];
struct pair { double x, y; }; 
static struct pair ps[N], other[N], one;
static struct { struct pair in[4]; int n, m; } box = {{{1,2},{3,4},{5,6},{7,8}}, N, 4};
static double g(double v, int k) { return v + k; }
static int dims[2] = {N, N - 2};
static void unbraced(int n, int t)
{
  int i, k;
  for (int r = 0; r < t; r++) {
#pragma scop
    for (i = 1; i < n; i++) {
      k = i - 1;
      AT(a, k + 1) += AT(a, k) * TWICE(k);
    }
#pragma endscop
  }
  if (t > 100) {
#pragma scop
    for (i = 0; i < n; i++) a[i] = 0;
#pragma endscop
}
}
static int shadow(int n)
{
  int i = 5, j, k = 2;
#pragma scop
  for (int i = 0; i < n; i++) {
    double i_1 = i * 0.5;
    for (int k = 0; k < 3; k++) {
      double i = a[k] + i_1;
      b[0][k] += i;
    }
  }
  for (int q = 0; q < n; q++) {
    int k = n - 1 - q;
    { int k = q; b[1][k] = k; }
    b[2][k] = k;
    if (q > 3) { int z = k; b[3][z] += z; }
    else { int z = q; b[4][z] += z * 2; }
  }
  for (j = 0; j < n; j++)
    a[j] += g(b[2][j], j);
#pragma endscop
  return i * 1000 + k * 100 + j;
}
static void members(struct pair *restrict p, int n)
{
#pragma scop
  for (int i = 0; i < box.n; i++) {
    p[i].x += box.in[i % 4].y;
    ps[i].y = i;
  }
  for (int i = 0; i < box.m; i++)
    box.in[i] = ps[i];
  for (int i = 0; i < dims[1]; i++) {
    one.x += ps[i].y;
    a[i] = one.x;
  }
  one = ps[3];
  for (int i = 0; i < n; i++)
    ps[i].x += one.y;
#pragma endscop
}
static int opaque(int n, const int *start)
{
  int j = 0, i;
#pragma scop
  for (i = 0; i < n - 1; i++)
    for (j = start[i]; j < start[i + 1]; j++)
      a[j] += i;
#pragma endscop
  return j;
}
int main(void)
{
  int start[N];
  for (int i = 0; i < N; i++) { a[i] = i % 4; ps[i].x = i; start[i] = i; for (int j = 0; j < N; j++) b[i][j] = 1; }
  unbraced(N, 2);
  printf("%d\n", shadow(N));
  members(other, N);
  printf("%d\n", opaque(N, start));
  for (int i = 0; i < N; i++) { printf("%a %a %a %a\n", a[i], ps[i].x, ps[i].y, other[i].x); for (int j = 0; j < N; j++) printf("%a ", b[i][j]); }
  for (int i = 0; i < 4; i++) printf("%a %a\n", box.in[i].x, box.in[i].y);
  return 0;
}
