#define A B + A
#define B A + B
void f(int n, double *a)
{
#pragma scop
  for (int i = 0; i < n; i++) a[i] = A;
#pragma endscop
}
