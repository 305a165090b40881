static double w[100];
#pragma omp threadprivate(w)
void f(int n, double a[n])
{
#pragma scop
#pragma omp parallel for
  for (int i = 0; i < n; i++) { w[0] = a[i]; a[i] = w[0] * 2; }
#pragma endscop
}
