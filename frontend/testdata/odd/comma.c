void f(int n, double *a)
{
  int i, j;
#pragma scop
  for (i = 0, j = n; i < j; i++, j--) a[i] = (a[j], 1);
#pragma endscop
}
