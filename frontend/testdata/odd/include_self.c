#include "fuzz.c"
#include __FILE__
void f(int n, double *a)
{
#pragma scop
  a[0] = 1;
#pragma endscop
}
