#include "/dev/zero"
void f(double *a)
{
#pragma scop
  a[0] = 1;
#pragma endscop
}
