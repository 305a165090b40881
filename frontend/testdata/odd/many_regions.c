void f(int n, double *a)
{
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
#pragma scop
  a[n] = a[n] + 1;
#pragma endscop
}
