#line 4000000000 "other.c"
void f(int n, double *a)
{
#line 0
#pragma scop
  for (int i = 0; i < n; i++) a[i] = 0;
#pragma endscop
}
