/*
 * Correlation matrix of M variables, each observed N times:
 *
 *     mean(j)   = (sum over i of data(i,j)) / N
 *     stddev(j) = sqrt((sum over i of (data(i,j) - mean(j))^2) / N), or 1 if tiny
 *     z(i,j)    = (data(i,j) - mean(j)) / (sqrt(N) stddev(j))
 *     corr(i,j) = sum over k of z(k,i) z(k,j), and 1 on the diagonal
 *
 * In the statement structure of PolyBench/C 4.2.1; the text is our own.
 *
 * Sizes: data is N x M and is replaced by z, corr is M x M, mean and stddev have
 * M elements.  Without variables (M = 0) there is nothing to do, and the last
 * diagonal element would not exist.
 */
#include <math.h>

void kernel_correlation(int M, int N, double data[N][M], double corr[M][M],
                        double mean[M], double stddev[M])
{
    int i, j, k;
    double float_n = N;
    double eps = 0.1;

    if (M < 1)
        return;

#pragma scop
    for (j = 0; j < M; j++) {
        mean[j] = 0.0;
        for (i = 0; i < N; i++)
            mean[j] += data[i][j];
        mean[j] /= float_n;
    }
    for (j = 0; j < M; j++) {
        stddev[j] = 0.0;
        for (i = 0; i < N; i++)
            stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
        stddev[j] /= float_n;
        stddev[j] = sqrt(stddev[j]);
        stddev[j] = stddev[j] <= eps ? 1.0 : stddev[j];
    }
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++) {
            data[i][j] -= mean[j];
            data[i][j] /= sqrt(float_n) * stddev[j];
        }
    for (i = 0; i < M - 1; i++) {
        corr[i][i] = 1.0;
        for (j = i + 1; j < M; j++) {
            corr[i][j] = 0.0;
            for (k = 0; k < N; k++)
                corr[i][j] += data[k][i] * data[k][j];
            corr[j][i] = corr[i][j];
        }
    }
    corr[M - 1][M - 1] = 1.0;
#pragma endscop
}

void kernel_correlation_init(int M, int N, double data[N][M], double corr[M][M],
                             double mean[M], double stddev[M])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            data[i][j] = (double)((37 * i + 101 * j + 1) % 1009) / 1009.0;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            corr[i][j] = (double)((29 * i + 83 * j + 8) % 1009) / 1009.0;
    for (int i = 0; i < M; i++)
        mean[i] = (double)((71 * i + 15) % 1009) / 1009.0;
    for (int i = 0; i < M; i++)
        stddev[i] = (double)((23 * i + 22) % 1009) / 1009.0;
}
