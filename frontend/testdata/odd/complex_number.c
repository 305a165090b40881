void f(int n, double _Complex *a, long double *b)
{
#pragma scop
  for (int i = 0; i < n; i++) { a[i] = a[i] * b[i]; }
#pragma endscop
}
