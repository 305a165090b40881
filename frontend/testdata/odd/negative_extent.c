void f(int n, double c[n - 5][-3])
{
#pragma scop
  c[0][0] = 1;
#pragma endscop
}
