// Forces between particles of one kind by a table of couplings, Newton's third law used, for many
// configurations at once: what i does to j is what j does to i, with the other sign.
// tune: N=600 S=1000
void coulomb(int N, int S, double q[N][N], double x[N][S], double f[N][S])
{
  double on;
#pragma scop
  for (int i = 0; i < N; i++)
    for (int s = 0; s < S; s++) {
      on = 0.0;
      for (int j = 0; j < i; j++) {
        f[j][s] -= q[i][j] * x[i][s];
        on += q[i][j] * x[j][s];
      }
      f[i][s] += on;
    }
#pragma endscop
}
#ifdef MAIN
#include "../measure.h"
int main(void)
{
  enum { N = 600, S = 1000 };
  double(*q)[N] = doubles(N * N), (*x)[S] = doubles(N * S), (*f)[S] = doubles(N * S);
  MEASURE(f, double, N * S, coulomb(N, S, q, x, f));
}
#endif
