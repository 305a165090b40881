void f(int n, double a[n], double b[n])
{
#pragma omp critical
  {
#pragma scop
    for (int i = 0; i < n; i++) a[i] = b[i];
#pragma endscop
  }
}
