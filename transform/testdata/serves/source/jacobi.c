// Jacobi's iteration with its residual in each step, as a first program with MPI has it before it
// has MPI.
// tune: N=700 STEPS=20
void jacobi(int N, int STEPS, float u[N][N], float w[N][N], float residual[STEPS])
{
#pragma scop
  for (int t = 0; t < STEPS; t++) {
    residual[t] = 0.0f;
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        w[i][j] = 0.25f * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) {
        residual[t] += (w[i][j] - u[i][j]) * (w[i][j] - u[i][j]);
        u[i][j] = w[i][j];
      }
  }
#pragma endscop
}
#ifdef MAIN
#include "../measure.h"
int main(void)
{
  enum { N = 700, STEPS = 20 };
  float(*u)[N] = floats(N * N), (*w)[N] = floats(N * N), *r = floats(STEPS);
  MEASURE(u, float, N * N, jacobi(N, STEPS, u, w, r));
}
#endif
