void f(int n, double *a)
{
#pragma scop
  a[0] = "x;
#pragma endscop
}
