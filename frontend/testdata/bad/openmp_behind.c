void f(int n, double a[n], double b[n])
{
#pragma scop
  for (int i = 0; i < n; i++) a[i] = b[i];
#pragma omp parallel for
#pragma endscop
  for (int i = 0; i < n; i++) b[i] = 0;
}
