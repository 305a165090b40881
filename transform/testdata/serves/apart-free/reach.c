// Warshall's closure of a relation.
// tune: N=900
void reach(int N, unsigned char r[N][N])
{
#pragma scop
  for (int k = 0; k < N; k++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        r[i][j] = r[i][j] | (r[i][k] & r[k][j]);
#pragma endscop
}
#ifdef MAIN
#include "../measure.h"
int main(void)
{
  enum { N = 900 };
  unsigned char(*r)[N] = bits(N * N);
  for (int i = 0; i < N * N; i++)
    ((unsigned char *)r)[i] = i * 7919L % 9973 == 0;
  MEASURE(r, unsigned char, N * N, reach(N, r));
}
#endif
