// A symmetric matrix, of which one triangle is stored, times a block of vectors, as solvers with many
// right-hand sides need it: each element serves its row and its column.
// tune: N=900 R=700
void symv(int N, int R, double a[N][N], double x[N][R], double y[N][R])
{
  double own;
#pragma scop
  for (int i = 0; i < N; i++)
    for (int r = 0; r < R; r++) {
      own = 0.0;
      for (int j = 0; j < i; j++) {
        y[j][r] += a[i][j] * x[i][r];
        own += a[i][j] * x[j][r];
      }
      y[i][r] += a[i][i] * x[i][r] + own;
    }
#pragma endscop
}
#ifdef MAIN
#include "../measure.h"
int main(void)
{
  enum { N = 900, R = 700 };
  double(*a)[N] = doubles(N * N), (*x)[R] = doubles(N * R), (*y)[R] = doubles(N * R);
  MEASURE(y, double, N * R, symv(N, R, a, x, y));
}
#endif
