#ifndef AGAIN
#define AGAIN
#include "./include_self.c"
#endif

void f(int n, double *a)
{
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] = 0;
#pragma endscop
}
