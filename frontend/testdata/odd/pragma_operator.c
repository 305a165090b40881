void f(int n, double *a)
{
_Pragma("scop")
  for (int i = 0; i < n; i++) a[i] = 0;
_Pragma("endscop")
}
