void f(int n, double a[n], double b[n])
{
#pragma scop
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; i++) {
      a[i] = b[i];
#pragma omp cancel for
    }
  }
#pragma endscop
}
