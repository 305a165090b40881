void f(int n, double *a)
{
#pragma scop
  for (int i = 0; i < n; i++) i[a] = *(i + a);
#pragma endscop
}
