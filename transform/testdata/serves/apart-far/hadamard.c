// Differences of blocks of 8 x 8 of two pictures after Hadamard's transform, as video encoders
// compare them: sums and differences along the rows, then along the columns, then the sum.
// tune: B=6000
void hadamard(int B, int now[B][8][8], int before[B][8][8], int cost[B])
{
  int d[8][8], m[8][8], h[8][8];
#pragma scop
  for (int b = 0; b < B; b++) {
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 8; j++)
        d[i][j] = now[b][i][j] - before[b][i][j];
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 4; j++) {
        m[i][j] = d[i][j] + d[i][j + 4];
        m[i][j + 4] = d[i][j] - d[i][j + 4];
      }
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 8; j++) {
        h[i][j] = m[i][j] + m[i + 4][j];
        h[i + 4][j] = m[i][j] - m[i + 4][j];
      }
    cost[b] = 0;
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 8; j++)
        cost[b] += h[i][j] < 0 ? -h[i][j] : h[i][j];
  }
#pragma endscop
}
#ifdef MAIN
#include "../measure.h"
int main(void)
{
  enum { B = 6000 };
  int(*a)[8][8] = calloc(64 * B, 4), (*b)[8][8] = calloc(64 * B, 4), *c = calloc(B, 4);
  for (int k = 0; k < 64 * B; k++)
    ((int *)a)[k] = k % 977 * 7919 % 251, ((int *)b)[k] = k % 983 * 7907 % 241;
  MEASURE(c, int, B, hadamard(B, a, b, c));
}
#endif
