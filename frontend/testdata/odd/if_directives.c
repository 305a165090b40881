void f(int n, double *a)
{
#pragma scop
#if 1
  for (int i = 0; i < n; i++) {
#else
  for (int i = n; i > 0; i--) {
#endif
    a[i] = 0;
  }
#pragma endscop
}
