void f(int n, double *a)
{
#pragma scop
  for (int i = 0; i < n; i++)
    a[((((((((((((i % 29) % 27) % 25) % 23) % 21) % 19) % 17) % 15) % 13) % 11) % 9) % 7)] = 0;
#pragma endscop
}
