// Conway's game of life with the number of the living in each generation.
// tune: N=1024 STEPS=24
void life(int N, int STEPS, unsigned char a[N][N], unsigned char b[N][N], int alive[STEPS])
{
#pragma scop
  for (int t = 0; t < STEPS; t++) {
    alive[t] = 0;
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) {
        int n = a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1];
        b[i][j] = n == 3 || (n == 2 && a[i][j]);
      }
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) {
        a[i][j] = b[i][j];
        alive[t] += b[i][j];
      }
  }
#pragma endscop
}
#ifdef MAIN
#include "../measure.h"
int main(void)
{
  enum { N = 1024, STEPS = 24 };
  unsigned char(*a)[N] = bits(N * N), (*b)[N] = bits(N * N);
  int *alive = calloc(STEPS, sizeof *alive);
  MEASURE(a, unsigned char, N * N, life(N, STEPS, a, b, alive));
}
#endif
