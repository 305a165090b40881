double f(int n, double a[n], double b[n])
{
  double t = 1, u = 2;
#pragma scop
#pragma omp parallel for private(t) firstprivate(u)
  for (int i = 0; i < n; i++) {
    t = b[i];
    u = t + 1;
    a[i] = t * u;
  }
#pragma endscop
  return t + u;
}
