void f(int n, double *a)
{
#pragma scop
  for (int i = -2147483647 - 1; i < 2147483647; i += 1000000000)
    a[9223372036854775807LL - i] = 18446744073709551615ULL;
#pragma endscop
}
