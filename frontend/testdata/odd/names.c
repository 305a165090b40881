void f(int S0, int i0, int any0, double *c0, double *tune_min)
{
#pragma scop
  for (int i1 = i0; i1 < S0; i1++) c0[i1 + any0] = tune_min[i1];
#pragma endscop
}
