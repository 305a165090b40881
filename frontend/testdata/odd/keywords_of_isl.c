void f(int exists, int mod, int and, double *or, double *floor)
{
#pragma scop
  for (int not = exists; not < mod; not++) or[not + and] = floor[not];
#pragma endscop
}
