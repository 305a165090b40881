// Forward elimination of block tridiagonal systems with blocks of 5 x 5, as implicit solvers of the
// equations of flow have them along each line: the blocks of a cell are multiplied by those of the
// cell in front of it.
// tune: L=400 M=64
void thomas5(int L, int M, double a[L][M][5][5], double b[L][M][5][5], double c[L][M][5][5], double r[L][M][5])
{
#pragma scop
  for (int l = 0; l < L; l++)
    for (int m = 1; m < M; m++) {
      for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
          for (int k = 0; k < 5; k++)
            b[l][m][i][j] -= a[l][m][i][k] * c[l][m - 1][k][j];
      for (int i = 0; i < 5; i++)
        for (int k = 0; k < 5; k++)
          r[l][m][i] -= a[l][m][i][k] * r[l][m - 1][k];
      for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
          c[l][m][i][j] = c[l][m][i][j] - 0.1 * b[l][m][j][i];
    }
#pragma endscop
}
#ifdef MAIN
#include "../measure.h"
int main(void)
{
  enum { L = 400, M = 64 };
  double(*a)[M][5][5] = doubles(25 * L * M), (*b)[M][5][5] = doubles(25 * L * M), (*c)[M][5][5] = doubles(25 * L * M), (*r)[M][5] = doubles(5 * L * M);
  for (int k = 0; k < 25 * L * M; k++)
    ((double *)a)[k] *= 0.01;
  MEASURE(r, double, 5 * L * M, thomas5(L, M, a, b, c, r));
}
#endif
