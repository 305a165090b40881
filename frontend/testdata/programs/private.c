/* Variables declared inside loops: each iteration has one of its own, so that
   iterations may run in any order and on several threads. */
#include <stdio.h>
#define N 37
#define M 29

static double A[N][M], B[M][N], C[N][N], D[N][M], E[N];
static int counts[N];

static void run(int n)
{
#pragma scop
  /* An accumulator around an inner loop. */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < M; k++)
        sum += A[i][k] * B[k][j];
      C[i][j] = sum;
    }
  /* A row of its own for each iteration, and one of the same name further in. */
  for (int i = 0; i < n; i++) {
    double row[M], best = C[i][0];
    for (int j = 0; j < M; j++) {
      double sum = A[i][j] - B[j][i];
      row[j] = sum * sum;
    }
    for (int j = 1; j < M - 1; j++)
      D[i][j] = row[j - 1] + row[j + 1];
    for (int j = 0; j < n; j++)
      best = C[i][j] > best ? C[i][j] : best;
    E[i] = best;
  }
  /* Loops that count down, a condition, and a temporary that is carried on
     outside of them. */
  for (int i = n - 1; i >= 0; i--) {
    int hits = 0;
    for (int j = M - 1; j >= 0; j--) {
      double t = D[i][j];
      if (j > i)
        t = t * 0.5 + E[i];
      D[i][j] = t;
      if (t > 1.0)
        hits++;
    }
    counts[i] = hits;
  }
#pragma endscop
}

int main(void)
{
  for (int i = 0; i < N; i++)
    for (int k = 0; k < M; k++) {
      A[i][k] = (i * 7 + k * 3) % 11 - 5;
      B[k][i] = (i * 5 + k * 2) % 13 * 0.25;
    }
  run(N);
  for (int i = 0; i < N; i++) {
    printf("%a %d", E[i], counts[i]);
    for (int j = 0; j < N; j++)
      printf(" %a", C[i][j]);
    for (int j = 0; j < M; j++)
      printf(" %a", D[i][j]);
    printf("\n");
  }
  return 0;
}
