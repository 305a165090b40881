void f(int n, double a[n], double b[n])
{
#pragma scop
#pragma omp target teams distribute parallel for map(tofrom: a[:n]) map(to: b[:n])
  for (int i = 0; i < n; i++) a[i] = b[i];
#pragma endscop
}
