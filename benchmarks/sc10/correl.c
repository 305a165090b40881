/*
 * Correlation matrix of M variables, each observed N times, whose means and
 * standard deviations are known; elements are numbered from 1:
 *
 *     z(i,j)      = (data(i,j) - mean(j)) / (sqrt(N) stddev(j))
 *     symmat(i,j) = sum over k of z(k,i) z(k,j), and 1 on the diagonal
 *
 * In the statement structure of PolyBench 1.0, as measured in figure 6 of
 * Pouchet et al., "Combined iterative and model-driven optimization in an
 * automatic parallelization framework", SC'10; the text is our own.
 *
 * Sizes: data is (N+1) x (M+1) and is replaced by z, symmat is (M+1) x (M+1), mean
 * and stddev have M+1 elements; the first of each row and column is not used.
 */
#include <math.h>

void kernel_correl(int M, int N, double data[N + 1][M + 1], double symmat[M + 1][M + 1],
                   double mean[M + 1], double stddev[M + 1])
{
    int i, j, j1, j2;
    double float_n = N;

#pragma scop
    for (i = 1; i <= N; i++)
        for (j = 1; j <= M; j++) {
            data[i][j] -= mean[j];
            data[i][j] /= sqrt(float_n) * stddev[j];
        }
    for (j1 = 1; j1 <= M - 1; j1++) {
        symmat[j1][j1] = 1.0;
        for (j2 = j1 + 1; j2 <= M; j2++) {
            symmat[j1][j2] = 0.0;
            for (i = 1; i <= N; i++)
                symmat[j1][j2] += data[i][j1] * data[i][j2];
            symmat[j2][j1] = symmat[j1][j2];
        }
    }
#pragma endscop

    symmat[M][M] = 1.0;
}

void kernel_correl_init(int M, int N, double data[N + 1][M + 1],
                        double symmat[M + 1][M + 1], double mean[M + 1],
                        double stddev[M + 1])
{
    for (int i = 0; i <= N; i++)
        for (int j = 0; j <= M; j++)
            data[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
    for (int i = 0; i <= M; i++)
        for (int j = 0; j <= M; j++)
            symmat[i][j] = (double)((29 * i + 83 * j + 8) % 1009) / 1009.0;
    for (int i = 0; i <= M; i++)
        mean[i] = (double)((71 * i + 15) % 1009) / 1009.0;
    for (int i = 0; i <= M; i++)
        stddev[i] = 0.5 + (double)((23 * i + 22) % 1009) / 1009.0;
}
