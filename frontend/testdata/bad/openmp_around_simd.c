void f(int n, double a[n][n], double b[n])
{
#pragma omp simd
  for (int t = 0; t < n; t++) {
#pragma scop
    for (int i = 0; i < n; i++) a[t][i] = b[i];
#pragma endscop
  }
}
