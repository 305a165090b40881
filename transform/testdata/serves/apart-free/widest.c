// The widest path between all pairs of places of a network, as Floyd's algorithm with other operations.
// tune: N=400
void widest(int N, float w[N][N])
{
#pragma scop
  for (int k = 0; k < N; k++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        w[i][j] = w[i][j] > (w[i][k] < w[k][j] ? w[i][k] : w[k][j]) ? w[i][j] : (w[i][k] < w[k][j] ? w[i][k] : w[k][j]);
      }
#pragma endscop
}
#ifdef MAIN
#include "../measure.h"
int main(void)
{
  enum { N = 400 };
  float(*w)[N] = floats(N * N);
  MEASURE(w, float, N * N, widest(N, w));
}
#endif
